//! Keys, alone and with others held, in applications people have: with and without a tree, in other layouts, several
//! times, and with the window closing half-way. No modifier ever stays down.

use std::path::Path;
use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key, KeyPress, Modifiers, Part};
use fingertip_core::{Flags, Reason, Role, Snapshot, Window};
use fingertip_linux::LinuxTarget;

use crate::support::{Process, Session, read_when, scope, soon};

/// How long a window, or a file, may take to be as it should.
const THERE_WITHIN: Duration = Duration::from_secs(30);
/// Two windows of one process; Escape closes the one that has the keyboard.
const TWO_WINDOWS: &str = "
import tkinter
first = tkinter.Tk(); first.title('first'); first.geometry('300x200+50+50')
second = tkinter.Toplevel(first); second.title('second'); second.geometry('300x200+500+50')
first.bind('<Escape>', lambda event: event.widget.winfo_toplevel().destroy())
second.bind('<Escape>', lambda event: second.destroy())
second.after(300, second.focus_force)
first.mainloop()
";
/// An entry that writes down what it holds.
const ENTRY: &str = "
import sys, tkinter
window = tkinter.Tk(); window.title('Tk entry')
held = tkinter.StringVar()
def write(*_):
    with open(sys.argv[1], 'w', encoding='utf-8') as file: file.write(held.get())
held.trace_add('write', write)
entry = tkinter.Entry(window, textvariable=held); entry.pack(); window.after(300, entry.focus_force)
window.mainloop()
";

/// A launcher such as dmenu: no window manager knows its window, and it takes the keyboard from the window with the focus.
const LAUNCHER: &str = "
import sys, tkinter
window = tkinter.Tk(); window.overrideredirect(True); window.geometry('300x30+0+0')
def take():
    try:
        window.grab_set_global()
    except tkinter.TclError:
        return window.after(100, take)
    with open(sys.argv[1], 'w', encoding='utf-8') as file: file.write('taken')
window.after(100, take)
window.mainloop()
";

async fn front(target: &LinuxTarget, is_it: impl Fn(&Window) -> bool) -> Window {
    let begun = Instant::now();
    loop {
        let windows = target.windows(soon()).await.unwrap();
        if let Some(window) = windows.iter().find(|window| window.focused && is_it(window)) {
            return window.clone();
        }
        assert!(begun.elapsed() < THERE_WITHIN, "{windows:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn holds(file: &Path, wanted: &str) {
    let begun = Instant::now();
    loop {
        let held = std::fs::read_to_string(file).unwrap_or_default();
        if held == wanted {
            return;
        }
        assert!(begun.elapsed() < THERE_WITHIN, "{held:?} instead of {wanted:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn press(target: &LinuxTarget, press: impl Into<KeyPress>) -> Option<String> {
    target.press_key(press.into(), &Expected::anyone(), soon()).await.unwrap()
}

fn ctrl(key: char) -> KeyPress {
    KeyPress::from(Key::Character(key)).with(Modifiers::CONTROL)
}

/// Mousepad with a file open and in front.
async fn editor(session: &Session, target: &LinuxTarget, text: &str) -> (Process, std::path::PathBuf) {
    let file = session.file("words.txt");
    std::fs::write(&file, text).unwrap();
    let mousepad = session.launch("mousepad", &[file.to_str().unwrap()]);
    front(target, |window| window.title.as_deref().is_some_and(|title| title.contains("words.txt"))).await;
    let visible = scope(&mousepad, Part::Visible);
    read_when(target, &visible, |read| read.focused_node().is_some()).await;
    (mousepad, file)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_is_driven_by_its_shortcuts() {
    let session = Session::start();
    let target = session.target().await;
    let (_mousepad, file) = editor(&session, &target, "one two\n").await;
    press(&target, ctrl('a')).await;
    press(&target, Key::ForwardDelete).await;
    let title = press(&target, ctrl('s')).await;
    assert!(title.is_some_and(|title| title.contains("words.txt")), "the window is named");
    holds(&file, "").await;
    press(&target, ctrl('z')).await;
    press(&target, ctrl('s')).await;
    holds(&file, "one two\n").await;
    press(&target, KeyPress::from(Key::MoveHome).with(Modifiers::CONTROL)).await;
    press(&target, KeyPress::from(Key::Right).with(Modifiers::SHIFT).times(3)).await;
    press(&target, Key::Character('É')).await;
    press(&target, Key::MoveEnd).await;
    press(&target, KeyPress::from(Key::Character('😀')).times(2)).await;
    press(&target, KeyPress::from(Key::Left).times(2)).await;
    press(&target, Key::Delete).await;
    press(&target, ctrl('s')).await;
    holds(&file, "É tw😀😀\n").await;
    // Nothing is held: what is typed is what arrives.
    target.type_text("!", &Expected::anyone(), soon()).await.unwrap();
    press(&target, ctrl('s')).await;
    holds(&file, "É tw!😀😀\n").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shortcuts_are_found_in_other_layouts() {
    let session = Session::start();
    let target = session.target().await;
    let layout = |arguments: &[&str]| {
        assert!(session.command("setxkbmap").args(arguments).status().unwrap().success());
    };
    layout(&["de"]);
    let (_mousepad, file) = editor(&session, &target, "").await;
    for character in "yz@/ß{€".chars() {
        press(&target, Key::Character(character)).await;
    }
    press(&target, ctrl('s')).await;
    holds(&file, "yz@/ß{€").await;
    press(&target, ctrl('a')).await;
    press(&target, Key::Delete).await;
    // Z is where Y is on the keyboard of a test.
    press(&target, ctrl('z')).await;
    press(&target, ctrl('s')).await;
    holds(&file, "yz@/ß{€").await;
    // The second layout is in use: it has no Latin letter at all.
    layout(&["us,ru", "-option", "grp:toggle"]);
    session.python(
        "import ctypes; x = ctypes.CDLL('libX11.so.6'); x.XOpenDisplay.restype = ctypes.c_void_p\n\
         d = ctypes.c_void_p(x.XOpenDisplay(None)); x.XkbLockGroup(d, 0x100, 1); x.XSync(d, 0)",
    );
    press(&target, ctrl('a')).await;
    press(&target, Key::Character('q')).await;
    press(&target, Key::Character('я')).await;
    press(&target, ctrl('s')).await;
    holds(&file, "qя").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_without_a_tree_get_keys_where_the_keyboard_is() {
    let session = Session::start();
    let target = session.target().await;
    let typed = session.file("typed");
    let keys = format!("stty raw -echo; exec cat > {}", typed.display());
    let terminal = session.launch("xterm", &["-T", "raw", "-e", "sh", "-c", &keys]);
    let window = front(&target, |window| window.pid == Some(terminal.pid())).await;
    let to = Expected::owners([&window]);
    // The terminal reads keys before the program in it does.
    let begun = Instant::now();
    while !typed.exists() {
        assert!(begun.elapsed() < THERE_WITHIN);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let press_to = |press: KeyPress| target.press_key(press, &to, soon());
    assert_eq!(press_to(Key::Up.into()).await.unwrap().as_deref(), Some("raw"));
    press_to(ctrl('c')).await.unwrap();
    press_to(KeyPress::from(Key::Escape).times(2)).await.unwrap();
    press_to(Key::Character('x').into()).await.unwrap();
    holds(&typed, "\u{1b}[A\u{3}\u{1b}\u{1b}x").await;
    drop(terminal);

    let held = session.file("held");
    let entry = session.launch("/usr/bin/python3", &["-c", ENTRY, held.to_str().unwrap()]);
    let window = front(&target, |window| window.title.as_deref() == Some("Tk entry")).await;
    assert_eq!(window.pid, Some(entry.pid()));
    let to = Expected::owners([&window]);
    tokio::time::sleep(Duration::from_millis(600)).await;
    let press_to = |press: KeyPress| target.press_key(press, &to, soon());
    for character in "abc".chars() {
        press_to(Key::Character(character).into()).await.unwrap();
    }
    holds(&held, "abc").await;
    press_to(KeyPress::from(Key::Left).times(2)).await.unwrap();
    press_to(KeyPress::from(Key::MoveEnd).with(Modifiers::SHIFT)).await.unwrap();
    press_to(Key::ForwardDelete.into()).await.unwrap();
    holds(&held, "a").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_pressed_several_times_stops_where_its_window_closes() {
    let session = Session::start();
    let target = session.target().await;
    let typed = session.file("typed");
    let keys = format!("stty raw -echo; exec cat > {}", typed.display());
    let terminal = session.launch("xterm", &["-e", "sh", "-c", &keys]);
    front(&target, |window| window.pid == Some(terminal.pid())).await;

    // Another window of the same application is not the one that was meant either.
    let two = session.launch("/usr/bin/python3", &["-c", TWO_WINDOWS]);
    front(&target, |window| window.title.as_deref() == Some("second")).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    let escape = KeyPress::from(Key::Escape).times(4);
    let error = target.press_key(escape, &Expected::anyone(), soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::ActionFailed, "{error}");
    assert!(error.message().starts_with("Pressed ESCAPE 1 of 4 times"), "{error}");
    assert!(
        target.windows(soon()).await.unwrap().iter().any(|window| window.title.as_deref() == Some("first"))
    );
    drop(two);

    // The window manager closes it; what is behind is a terminal.
    let prompt = session.script_with("closing.py", &["0"]);
    front(&target, |window| window.pid == Some(prompt.pid())).await;
    let close = KeyPress::from(Key::Function(4)).with(Modifiers::ALT).times(20);
    let error = target.press_key(close, &Expected::anyone(), soon()).await.unwrap_err();
    assert!(error.message().contains(" of 20 times, then \"xterm\""), "{error}");
    front(&target, |window| window.pid == Some(terminal.pid())).await;
    target.type_text("alive", &Expected::anyone(), soon()).await.unwrap();
    holds(&typed, "alive").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_dropped_holds_nothing() {
    let session = Session::start();
    let target = session.target().await;
    let (_mousepad, file) = editor(&session, &target, "").await;
    let long = KeyPress::from(Key::Right).with(Modifiers::CONTROL | Modifiers::SHIFT).times(100);
    for wait in [1, 50, 170, 400] {
        let to = Expected::anyone();
        let pressing = target.press_key(long, &to, soon());
        assert!(tokio::time::timeout(Duration::from_millis(wait), pressing).await.is_err());
        // Refused while a modifier is down.
        target.type_text("x", &Expected::anyone(), soon()).await.unwrap();
    }
    press(&target, ctrl('s')).await;
    holds(&file, "xxxx").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_launcher_that_took_the_keyboard_gets_no_key_meant_for_another() {
    let session = Session::start();
    let target = session.target().await;
    let (mousepad, file) = editor(&session, &target, "").await;
    let to = Expected::owners([&front(&target, |window| window.pid == Some(mousepad.pid())).await]);
    let taken = session.file("taken");
    let launcher = session.launch("/usr/bin/python3", &["-c", LAUNCHER, taken.to_str().unwrap()]);
    holds(&taken, "taken").await;
    let typed = target.type_text("rm", &to, soon()).await.unwrap_err();
    assert_eq!(typed.app(), Some("python3"), "{typed}");
    let pressed = target.press_key(Key::Enter.into(), &to, soon()).await.unwrap_err();
    assert_eq!(pressed.app(), Some("python3"), "{pressed}");
    drop(launcher);
    target.type_text("ok", &to, soon()).await.unwrap();
    press(&target, ctrl('s')).await;
    holds(&file, "ok").await;
}

/// A table of Qt 5 that writes down what its first cell holds, below a bar of tabs; a cell is edited in a field that no tree has.
const TABLE: &str = "
import sys
from PyQt5.QtWidgets import QApplication, QTableWidget, QTableWidgetItem, QTabWidget
app = QApplication([])
table = QTableWidget(2, 1)
table.setItem(0, 0, QTableWidgetItem('before'))
def write(item):
    with open(sys.argv[1], 'w', encoding='utf-8') as file: file.write(item.text())
table.itemChanged.connect(write)
tabs = QTabWidget(); tabs.addTab(table, 'Goods'); tabs.resize(300, 200); tabs.show()
table.setFocus(); table.setCurrentCell(0, 0)
app.exec()
";

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_tab_of_qt_does_not_have_the_keyboard_that_a_cell_is_edited_with() {
    let session = Session::start();
    let file = session.file("held");
    let process = session.launch("/usr/bin/python3", &["-c", TABLE, file.to_str().unwrap()]);
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let focused =
        |read: &Snapshot| read.focused_node().map(|index| read.node(index).label().map(str::to_owned));
    let read = read_when(&target, &visible, |read| focused(read) == Some(Some("before".to_owned()))).await;
    let tab = read.nodes().iter().find(|node| node.role == Role::Tab).unwrap();
    assert!(tab.is(Flags::SELECTED) && !tab.is(Flags::FOCUSED), "{tab:#?}");
    // The cell keeps the focus while it is edited.
    press(&target, Key::Function(2)).await;
    target.type_text("after", &Expected::anyone(), soon()).await.unwrap();
    press(&target, Key::Enter).await;
    holds(&file, "after").await;
}
