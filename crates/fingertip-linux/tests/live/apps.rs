//! What is read of an application of each toolkit.

use fingertip_core::prelude::*;
use fingertip_core::target::{Part, Scope};
use fingertip_core::{Flags, Node, Role, Snapshot, Value};

use fingertip_linux::LinuxTarget;

use crate::support::{Process, Session, only, read_when, scope, shows, soon};

/// How many rows of the lists can be seen at the very most.
const ROWS_IN_VIEW: usize = 60;

fn labelled(node: &Node, role: Role, label: &str) -> bool {
    node.role == role && node.label() == Some(label)
}

/// What all forms have in common.
fn assert_form(snapshot: &Snapshot) {
    let greet = only(snapshot, "the button", |node| labelled(node, Role::Button, "Greet"));
    assert!(greet.is(Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE), "{greet:#?}");
    assert!(!greet.actions.is_empty(), "{greet:#?}");
    assert!(greet.bounds.width() > 20 && greet.bounds.height() > 10, "{greet:#?}");
    let agree = only(snapshot, "the box", |node| labelled(node, Role::CheckBox, "Agree"));
    assert_eq!(agree.value, Some(Value::Checked(false)));
    let level = only(snapshot, "the slider", |node| node.role == Role::Slider);
    assert!(matches!(level.value, Some(Value::Number { maximum: Some(_), .. })), "{level:#?}");
    let name = only(snapshot, "the field", |node| {
        node.role == Role::TextField
            && !node.is(Flags::PASSWORD)
            && [&node.hint, &node.description].iter().any(|text| text.as_deref() == Some("Your name"))
    });
    assert!(name.is(Flags::EDITABLE | Flags::VISIBLE) && name.text.is_none(), "{name:#?}");
    let secret = only(snapshot, "the password", |node| node.is(Flags::PASSWORD));
    assert_eq!((secret.text.as_deref(), secret.secret_length), (None, Some(7)));
    assert!(!format!("{snapshot:?}").contains("hunter2"));
    assert!(shows(snapshot, "Nothing yet"));
    assert!(!shows(snapshot, "Hidden"), "what is hidden is not visible");
    assert!(snapshot.lasting_handles && snapshot.cut.is_none(), "{:?}", snapshot.cut);
}

/// Everything in a window lies inside it, or is said not to be visible.
fn assert_inside(snapshot: &Snapshot) {
    for window in 0..snapshot.windows().len() {
        let area = snapshot.windows()[window].bounds;
        for index in snapshot.nodes_of(window) {
            let node = snapshot.node(index);
            assert!(!node.is(Flags::VISIBLE) || node.bounds.overlaps(area), "{area:?} {node:#?}");
        }
    }
}

/// A click in the middle of the button, by another program, presses the button: what is read is where it is.
async fn assert_hit(session: &Session, target: &LinuxTarget, process: &Process) {
    let visible = scope(process, Part::Visible);
    let snapshot = target.snapshot(&visible, soon()).await.expect("a snapshot");
    let window =
        snapshot.windows().iter().find(|window| window.pid == Some(process.pid())).expect("a window");
    let button = only(&snapshot, "the button", |node| labelled(node, Role::Button, "Greet"));
    let middle = button.bounds.center();
    assert!(window.bounds.contains(middle), "{window:#?} {button:#?}");
    session.click(middle);
    read_when(target, &visible, |read| {
        read.nodes().iter().any(|node| node.text.as_deref().is_some_and(|text| text.trim_end() == "Hello"))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gtk3_form_is_read() {
    let session = Session::start();
    let process = session.script("gtk3_form.py");
    let target = session.target().await;
    let snapshot = read_when(&target, &scope(&process, Part::Visible), |read| shows(read, "Cell 3")).await;
    assert_form(&snapshot);
    assert_inside(&snapshot);
    assert_hit(&session, &target, &process).await;
    assert_eq!(snapshot.windows()[0].title.as_deref(), Some("Form / \"three\""));
    assert!(snapshot.nodes().iter().any(|node| node.role == Role::ColumnHeader));
    let rows = snapshot.nodes().iter().filter(|node| node.role == Role::Cell).count();
    assert!(
        (20..2 * ROWS_IN_VIEW).contains(&rows),
        "{rows} cells are read of a table that shows a dozen rows"
    );
    assert!(!shows(&snapshot, "Cell 150"));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_cells_of_a_gtk3_table_are_read_when_wanted() {
    let session = Session::start();
    let process = session.script("gtk3_form.py");
    let target = session.target().await;
    let whole = read_when(&target, &scope(&process, Part::Whole), |read| shows(read, "Cell 3")).await;
    assert_eq!(whole.nodes().iter().filter(|node| node.role == Role::Cell).count(), 400);
    let hidden = only(&whole, "the hidden button", |node| labelled(node, Role::Button, "Hidden"));
    assert!(!hidden.is(Flags::VISIBLE) && hidden.bounds.is_empty(), "{hidden:#?}");
    let far = only(&whole, "a cell out of view", |node| labelled(node, Role::Cell, "Cell 150"));
    assert!(!far.is(Flags::VISIBLE));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gtk4_form_is_read() {
    let session = Session::start();
    let process = session.script("gtk4_form.py");
    let target = session.target().await;
    let snapshot = read_when(&target, &scope(&process, Part::Visible), |read| shows(read, "Go 3")).await;
    assert_form(&snapshot);
    assert_inside(&snapshot);
    assert_hit(&session, &target, &process).await;
    assert!(!shows(&snapshot, "Go 90"), "rows scrolled out of view are not visible");
    assert!(snapshot.nodes().iter().all(|node| node.text.as_deref() != Some("GtkEntry")));
    let whole = target.snapshot(&scope(&process, Part::Whole), soon()).await.unwrap();
    assert!(shows(&whole, "Go 90"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_qt_form_is_read() {
    let session = Session::start();
    let process = session.script("qt_form.py");
    let target = session.target().await;
    let snapshot = read_when(&target, &scope(&process, Part::Visible), |read| shows(read, "Row 3")).await;
    assert_form(&snapshot);
    assert_inside(&snapshot);
    assert_hit(&session, &target, &process).await;
    let rows = snapshot.nodes().iter().filter(|node| node.role == Role::ListItem).count();
    assert!((5..ROWS_IN_VIEW).contains(&rows), "{rows}");
    let whole = target.snapshot(&scope(&process, Part::Whole), soon()).await.unwrap();
    assert_eq!(whole.nodes().iter().filter(|node| node.role == Role::ListItem).count(), 2000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_web_page_is_read() {
    let session = Session::start();
    let process = session.page("page.html");
    let target = session.target().await;
    let snapshot = read_when(&target, &scope(&process, Part::Visible), |read| shows(read, "a3")).await;
    assert_form(&snapshot);
    assert_inside(&snapshot);
    let name = only(&snapshot, "the field", |node| node.resource_id.as_deref() == Some("name"));
    assert_eq!(name.hint.as_deref(), Some("Your name"));
    let greet = only(&snapshot, "the button", |node| labelled(node, Role::Button, "Greet"));
    assert_eq!(&*greet.actions, ["press".into(), "showContextMenu".into()]);
    assert!(!shows(&snapshot, "a500"));
    let titled: Vec<_> = snapshot.windows().iter().filter_map(|window| window.title.as_deref()).collect();
    assert_eq!(titled, ["Long page - Chromium"], "windows without a name are not on the screen");
    let whole = target.snapshot(&scope(&process, Part::Whole), soon()).await.unwrap();
    assert!(shows(&whole, "a500"));
    assert_hit(&session, &target, &process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_screen_is_the_application_in_front() {
    let session = Session::start();
    let editor = session.launch("mousepad", &[]);
    let target = session.target().await;
    let snapshot = read_when(&target, &Scope::Screen, |read| read.nodes().len() > 5).await;
    assert_eq!(snapshot.app.as_deref(), Some("mousepad"));
    assert!(
        snapshot.activity.as_deref().is_some_and(|title| title.contains("Mousepad")),
        "{:?}",
        snapshot.activity
    );
    assert_eq!(snapshot.windows()[0].pid, Some(editor.pid()));
    assert!(snapshot.windows()[0].focused);
    assert_eq!((snapshot.screen.width, snapshot.screen.height), (1920, 1080));
}
