//! Toolkits that do not know where their windows are, or say that what is folded away can be seen.

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key, NodeAction, Part};
use fingertip_core::{Flags, Snapshot, WindowKind, compact, hit};

use crate::form::find;
use crate::support::{Session, app_file, read_when, scope, shows, soon};

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_of_swing_is_where_its_x_window_is() {
    let session = Session::start();
    let classes = session.file("classes");
    let compiled = session.command("javac").arg("-d").arg(&classes).arg(app_file("Swing.java")).status();
    assert!(compiled.is_ok_and(|status| status.success()), "javac. Needed: default-jdk-headless");
    let path = format!("{}:/usr/share/java/java-atk-wrapper.jar", classes.display());
    let bridge = "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper";
    let process = session.launch("java", &[bridge, "-cp", &path, "Swing"]);
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "Press")).await;
    let button = read.node(find(&read, "Press").unwrap());
    assert!(button.is(Flags::VISIBLE) && read.windows()[0].bounds.contains(button.bounds.center()));
    target.gesture(&Gesture::tap(button.bounds.center()), &Expected::anyone(), soon()).await.unwrap();
    read_when(&target, &visible, |read| shows(read, "pressed")).await;
    // The keyboard is with a window in it that is called otherwise.
    let named = target.press_key(Key::Tab.into(), &Expected::anyone(), soon()).await.unwrap();
    assert_eq!(named.as_deref(), read.windows()[0].title.as_deref());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_combo_box_has_folded_away_is_not_visible() {
    let session = Session::start();
    let process = session.script("qt5_tree.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "red")).await;
    assert!(!shows(&read, "green"), "{:?}", find(&read, "green").map(|index| read.node(index).bounds));
    let combo = read.node(find(&read, "red").unwrap()).bounds.center();
    session.click(combo);
    read_when(&target, &visible, |read| shows(read, "green")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_box_of_qt_has_scrolled_out_can_be_brought_into_view() {
    let session = Session::start();
    let process = session.script("qt5_scroll.py");
    let target = session.target().await;
    let (visible, all) = (scope(&process, Part::Visible), scope(&process, Part::Whole));
    read_when(&target, &visible, |read| shows(read, "Option 1")).await;
    let whole = read_when(&target, &all, |read| find(read, "Option 50").is_some()).await;
    let option = find(&whole, "Option 50").unwrap();
    assert!(whole.ancestors(option).any(|around| whole.node(around).is(Flags::SCROLLABLE)));
    assert!(target.can_act(&whole, option, &NodeAction::ShowOnScreen));
    assert!(hit::aim(&whole, option).is_err());
    target.act(&whole, option, &NodeAction::ShowOnScreen, soon()).await.unwrap();
    let reached =
        |read: &Snapshot| find(read, "Option 50").is_some_and(|option| hit::aim(read, option).is_ok());
    read_when(&target, &visible, reached).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_popover_of_gtk_4_is_in_its_own_window_and_gone_when_it_closes() {
    let session = Session::start();
    let process = session.script("gtk4_popover.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "Open")).await;
    assert!(!shows(&read, "Inside"));
    session.click(read.node(find(&read, "Open").unwrap()).bounds.center());
    let open = read_when(&target, &visible, |read| shows(read, "Inside")).await;
    let inside = find(&open, "Inside").unwrap();
    assert_eq!(open.windows()[open.window_of(inside)].kind, WindowKind::Popup);
    session.click(hit::aim(&open, inside).expect("it can be clicked"));
    read_when(&target, &visible, |read| shows(read, "pressed") && !shows(read, "Inside")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_menu_bar_that_an_open_menu_covers_stays_in_its_window() {
    let session = Session::start();
    let process = session.script("gtk3_bars.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let item = "In Upper, which is a menu of some width";
    let read = read_when(&target, &visible, |read| shows(read, "Upper") && shows(read, "Lower")).await;
    session.click(read.node(find(&read, "Upper").unwrap()).bounds.center());
    let open = read_when(&target, &visible, |read| shows(read, item)).await;
    let place = |label: &str| open.windows()[open.window_of(find(&open, label).unwrap())].clone();
    let popup = place(item);
    assert_eq!(popup.kind, WindowKind::Popup);
    let below = open.node(find(&open, "Lower").unwrap()).bounds.center();
    assert!(popup.bounds.contains(below), "it is not covered: {below:?} and {:?}", popup.bounds);
    assert_eq!(place("Lower").kind, WindowKind::Application);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_is_scrolled_out_with_its_list_is_not_visible() {
    let session = Session::start();
    let process = session.script("qt5_lists.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "Row 0 0")).await;
    let below = find(&read, "Row 4 3").map(|index| read.node(index).bounds);
    assert!(!shows(&read, "Row 4 3"), "{below:?} in {:?}", read.windows()[0].bounds);
    // What drops down from a box in there lies outside of it, and can be seen.
    session.click(read.node(find(&read, "Choice 0").unwrap()).bounds.center());
    read_when(&target, &visible, |read| shows(read, "Choice 9")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_put_away_is_neither_visible_nor_acted_on() {
    let session = Session::start();
    let process = session.script("gtk4_stack.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let first = read_when(&target, &visible, |read| shows(read, "Press One")).await;
    assert!(!shows(&first, "Press Two"), "{}", compact::whole(&first));
    target.act(&first, find(&first, "Page Two").unwrap(), &NodeAction::Click, soon()).await.unwrap();
    let second = read_when(&target, &visible, |read| shows(read, "Press Two")).await;
    assert!(!shows(&second, "Press One"), "{}", compact::whole(&second));
    assert!(!shows(&target.incremental_look(&visible, soon()).await.unwrap(), "Press One"));
    let whole = target.snapshot(&scope(&process, Part::Whole), soon()).await.unwrap();
    let behind = whole.node(find(&whole, "Press One").unwrap());
    assert!(!behind.is(Flags::VISIBLE) && behind.actions.is_empty(), "{behind:?}");
    assert!(!target.can_act(&whole, find(&whole, "Press One").unwrap(), &NodeAction::Click));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_scrolled_out_of_anything_of_qt_is_not_visible_and_what_pops_up_is() {
    let session = Session::start();
    let process = session.script("qt5_parts.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "Option 1")).await;
    for there in ["Page 0", "File", "Choices", "First", "Second", "Option 1"] {
        assert!(shows(&read, there), "{there} is lost:\n{}", compact::whole(&read));
    }
    for gone in ["Option 40", "Page 19"] {
        let place = find(&read, gone).map(|index| read.node(index).bounds);
        assert!(!shows(&read, gone), "{gone} at {place:?} in {:?}", read.windows()[0].bounds);
    }
    session.click(read.node(find(&read, "File").unwrap()).bounds.center());
    let open = read_when(&target, &visible, |read| shows(read, "Wrap") && shows(read, "More")).await;
    // Its own action would leave the menu open.
    assert!(!target.can_act(&open, find(&open, "Wrap").unwrap(), &NodeAction::Click));
    session.click(open.node(find(&open, "More").unwrap()).bounds.center());
    read_when(&target, &visible, |read| shows(read, "Deep")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_its_bar_has_scrolled_out_is_chosen_by_the_bar() {
    let session = Session::start();
    let process = session.script("gtk3_tabs.py");
    let target = session.target().await;
    let whole = read_when(&target, &scope(&process, Part::Whole), |read| shows(read, "Page 15")).await;
    let tab = find(&whole, "Page 15").unwrap();
    assert!(hit::aim(&whole, tab).is_err() && target.can_act(&whole, tab, &NodeAction::Click));
    target.act(&whole, tab, &NodeAction::Click, soon()).await.unwrap();
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "On page 15")).await;
    assert!(!shows(&read, "On page 0"), "{}", compact::whole(&read));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_qt_and_gtk_draw_larger_than_they_report_is_where_it_is_drawn() {
    let session = Session::start();
    let target = session.target().await;
    let launch = |scale: &str, name: &str| {
        let file = app_file(name);
        session.launch("env", &[scale, "/usr/bin/python3", file.to_str().unwrap()])
    };
    let qt = launch("QT_SCALE_FACTOR=1.5", "qt5_parts.py");
    let visible = scope(&qt, Part::Visible);
    for (label, next) in [("File", "More"), ("More", "Deep")] {
        let read = read_when(&target, &visible, |read| shows(read, label)).await;
        session.click(read.node(find(&read, label).unwrap()).bounds.center());
        read_when(&target, &visible, |read| shows(read, next)).await;
    }
    drop(qt);
    let gtk = launch("GDK_SCALE=2", "gtk3_tabs.py");
    let visible = scope(&gtk, Part::Visible);
    for (label, next) in [("Page 2", "On page 2"), ("Page 1", "On page 1")] {
        let read = read_when(&target, &visible, |read| shows(read, label)).await;
        session.click(read.node(find(&read, label).unwrap()).bounds.center());
        read_when(&target, &visible, |read| shows(read, next)).await;
    }
    drop(gtk);
    let gtk = launch("GDK_SCALE=2", "gtk4_popover.py");
    let visible = scope(&gtk, Part::Visible);
    for (label, next) in [("Open", "Inside"), ("Inside", "pressed")] {
        let read = read_when(&target, &visible, |read| shows(read, label)).await;
        session.click(hit::aim(&read, find(&read, label).unwrap()).unwrap());
        read_when(&target, &visible, |read| shows(read, next)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_gtk_3_scrolls_without_a_viewport_is_visible_only_where_it_is_in_sight() {
    let session = Session::start();
    let process = session.script("gtk3_layout.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "Near") && shows(read, "Beside")).await;
    let far = find(&read, "Far").map(|index| read.node(index).bounds);
    assert!(!shows(&read, "Far"), "{far:?} in {:?}", read.windows()[0].bounds);
    // What pops up in there lies outside of it, and can be seen.
    session.click(read.node(find(&read, "Choose").unwrap()).bounds.center());
    let open = read_when(&target, &visible, |read| shows(read, "Choice 9")).await;
    session.click(open.node(find(&open, "Choice 9").unwrap()).bounds.center());
    let read = read_when(&target, &visible, |read| shows(read, "Choice 9") && !shows(read, "Choice 8")).await;
    session.click(read.node(find(&read, "Beside").unwrap()).bounds.center());
    let read = read_when(&target, &visible, |read| shows(read, "Far")).await;
    assert!(!shows(&read, "Near"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_of_an_open_menu_of_gtk_2_is_visible_and_one_of_a_closed_menu_is_not() {
    let session = Session::start();
    let file = app_file("gtk2_menu.py");
    let process =
        session.launch("env", &["GTK_MODULES=gail:atk-bridge", "/usr/bin/python3", file.to_str().unwrap()]);
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| shows(read, "File")).await;
    assert!(!shows(&read, "Sixth"), "{}", compact::whole(&read));
    session.click(read.node(find(&read, "File").unwrap()).bounds.center());
    let open = read_when(&target, &visible, |read| shows(read, "First") && shows(read, "Sixth")).await;
    session.click(hit::aim(&open, find(&open, "Sixth").unwrap()).unwrap());
    read_when(&target, &visible, |read| shows(read, "chosen") && !shows(read, "Sixth")).await;
}
