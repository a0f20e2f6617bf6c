//! Who is under the pointer is what the X server says, not what the places of windows suggest: a press meant for a window
//! that only seems to lie there reaches no other.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key};
use fingertip_core::{Point, Window};
use fingertip_linux::LinuxTarget;

use crate::support::{Process, Session, soon};

/// How long a window may take to be where it should be.
const THERE_WITHIN: Duration = Duration::from_secs(30);
/// How long an application may take to write down what it got.
const WRITTEN_WITHIN: Duration = Duration::from_millis(500);

/// A terminal that writes down every key and every press, and a window above it.
struct Setup {
    session: Session,
    target: LinuxTarget,
    terminal: Process,
    veil: Process,
}

impl Setup {
    async fn start(kind: &str) -> Self {
        let session = Session::start();
        let target = session.target().await;
        let keys =
            format!("stty raw -echo; printf '\\033[?1000h'; exec cat > {}", session.file("typed").display());
        let terminal = session.launch("xterm", &["-geometry", "310x80+0+0", "-e", "sh", "-c", &keys]);
        until(&target, |windows| windows.iter().any(|window| window.pid == Some(terminal.pid()))).await;
        let veil = session.script_with("veil.py", &[kind]);
        let is_popup = kind == "through";
        until(&target, |windows| {
            windows.iter().any(|window| (is_popup || window.focused) && window.pid == Some(veil.pid()))
        })
        .await;
        Self { session, target, terminal, veil }
    }

    async fn window_of(&self, process: &Process) -> Window {
        let windows = self.target.receivers(soon()).await.unwrap();
        windows.into_iter().find(|window| window.pid == Some(process.pid())).expect("its window")
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let done = self.session.command(program).args(arguments).status();
        assert!(done.expect("it is installed").success(), "{program} {arguments:?}");
    }

    async fn written(&self, name: &str) -> String {
        tokio::time::sleep(WRITTEN_WITHIN).await;
        std::fs::read_to_string(self.session.file(name)).unwrap_or_default()
    }
}

/// Waits until the windows are like that.
async fn until(target: &LinuxTarget, there: impl Fn(&[Window]) -> bool) {
    let begun = Instant::now();
    loop {
        let windows = target.receivers(soon()).await.unwrap();
        if there(&windows) {
            return;
        }
        assert!(begun.elapsed() < THERE_WITHIN, "{windows:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn middle(window: &Window) -> Point {
    let bounds = window.bounds;
    Point::new(f64::from(bounds.left + bounds.right) / 2.0, f64::from(bounds.top + bounds.bottom) / 2.0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_does_not_fall_through_a_window_that_takes_none() {
    for (kind, hide) in
        [("through", &[][..]), ("shaded", &["-b", "add,shaded"][..]), ("away", &["-t", "1"][..])]
    {
        let setup = Setup::start(kind).await;
        let veil = setup.window_of(&setup.veil).await;
        let to = Expected::owners([&veil]);
        if !hide.is_empty() {
            let id = veil.handle.as_deref().expect("its number");
            setup.run("wmctrl", &[&["-i", "-r", id][..], hide].concat());
            // The window manager does it in its own time.
            tokio::time::sleep(WRITTEN_WITHIN).await;
        }
        let at = middle(&veil);
        let pressed = setup.target.gesture(&Gesture::tap(at), &to, soon()).await;
        assert_eq!(setup.written("typed").await, "", "{kind}: {pressed:?}");
        let error = pressed.unwrap_err();
        assert_eq!(error.app(), Some("xterm"), "{kind}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_does_not_land_in_a_popup_that_exposes_nothing() {
    let setup = Setup::start("plain").await;
    let veil = setup.window_of(&setup.veil).await;
    let file: PathBuf = setup.session.file("pressed");
    let at = middle(&veil);
    let place = format!("200x200+{}+{}", at.x as i32 - 100, at.y as i32 - 100);
    let before = setup.session.window_at(at);
    let popup = setup.session.script_with("unmarked.py", &[file.to_str().unwrap(), &place]);
    let begun = Instant::now();
    while setup.session.window_at(at) == before {
        assert!(begun.elapsed() < THERE_WITHIN);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let to = Expected::owners([&veil]);
    let error = setup.target.gesture(&Gesture::tap(at), &to, soon()).await.unwrap_err();
    assert_eq!(setup.written("pressed").await, "", "{error}");
    assert!(error.message().starts_with("Pressed 0 of 1 times"), "{error}");
    // Its own application may press it.
    let mut owner = Window::default();
    owner.pid = Some(popup.pid());
    setup.target.gesture(&Gesture::tap(at), &Expected::owners([&owner]), soon()).await.unwrap();
    assert_eq!(setup.written("pressed").await, "100 100\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_with_the_number_of_another_process_belongs_to_its_own() {
    let setup = Setup::start("plain").await;
    let terminal = setup.window_of(&setup.terminal).await;
    let id = terminal.handle.as_deref().unwrap();
    // As a program in a container does, which counts its processes from one.
    let other = setup.veil.pid().to_string();
    setup.run("xprop", &["-id", id, "-f", "_NET_WM_PID", "32c", "-set", "_NET_WM_PID", &other]);
    let to = Expected::owners([&setup.window_of(&setup.veil).await]);
    setup.run("wmctrl", &["-i", "-a", id]);
    until(&setup.target, |windows| {
        windows.iter().any(|window| window.focused && window.handle.as_deref() == Some(id))
    })
    .await;
    let typed = setup.target.type_text("ls", &to, soon()).await;
    let pressed = setup.target.press_key(Key::Enter.into(), &to, soon()).await;
    assert_eq!(setup.written("typed").await, "", "{typed:?} {pressed:?}");
    assert_eq!(typed.unwrap_err().app(), Some("xterm"));
    let windows = setup.target.receivers(soon()).await.unwrap();
    let window = windows.iter().find(|window| window.handle.as_deref() == Some(id)).unwrap();
    assert_eq!((window.pid, window.app.as_deref()), (Some(setup.terminal.pid()), Some("xterm")));
}
