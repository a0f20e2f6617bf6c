//! What is done to objects, on each toolkit; every effect is what the application itself wrote down.

use std::time::{Duration, Instant};

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Direction, Expected, NodeAction, Part};
use fingertip_core::{Deadline, Node, Reason, Role, Value};

use crate::form::{Form, find};
use crate::support::{Session, read_when, scope, shows, soon};

/// Accents, signs beyond the first plane, a sequence of several, a combining mark, quotes.
pub(crate) const WORDS: &str = "Zoë \"Ωμέγα\" 日本語 😀 👩\u{200d}💻 e\u{301} €";
/// How long a call on a frozen application may take, and what is added on a busy machine.
const DEADLINE: Duration = Duration::from_secs(2);
const GRACE: Duration = Duration::from_secs(2);

fn number(current: f64) -> Value {
    Value::Number { current, minimum: None, maximum: None }
}

/// What every toolkit must be able to do.
async fn works(form: &Form) {
    form.set_text("Name", WORDS).await.unwrap();
    form.wrote("entry", WORDS).await;
    form.act("Greet", NodeAction::Click).await.unwrap();
    form.wrote("greeted", WORDS).await;
    form.set_text("Notes", "one\ntwo 😀").await.unwrap();
    form.wrote("area", "one\ntwo 😀").await;
    form.set_text("Name", "").await.unwrap();
    form.wrote("entry", "").await;

    form.set_value("Agree", Value::Checked(true)).await.unwrap();
    form.wrote("check", "True").await;
    form.set_value("Agree", Value::Checked(false)).await.unwrap();
    form.wrote("check", "False").await;
    form.set_value("Volume", number(40.0)).await.unwrap();
    form.wrote("scale", "40.0").await;
    form.act("Volume", NodeAction::Increment).await.unwrap();
    form.wrote("scale", "45.0").await;
    form.act("Volume", NodeAction::Decrement).await.unwrap();
    form.wrote("scale", "40.0").await;
    let out_of_range = form.set_value("Volume", number(900.0)).await.unwrap_err();
    assert_eq!(out_of_range.reason(), Reason::InvalidParams, "{out_of_range:?}");

    let disabled = form.act("Never", NodeAction::Click).await.unwrap_err();
    assert_eq!(disabled.reason(), Reason::Disabled, "{disabled:?}");
    let unknown = form.act("Greet", NodeAction::Native("fly".into())).await.unwrap_err();
    assert_eq!(unknown.reason(), Reason::Unsupported);
    assert!(unknown.message().contains("press"), "{unknown:?}");
    let several_lines = form.set_text("Name", "a\nb").await.unwrap_err();
    assert_eq!(several_lines.reason(), Reason::InvalidParams, "{several_lines:?}");
}

/// The pointer hits what the snapshot says is there.
async fn is_hit(form: &Form) {
    form.set_text("Name", "pointed").await.unwrap();
    form.act("Greet", NodeAction::Raise).await.unwrap();
    let snapshot = form.read().await;
    let button = snapshot.node(find(&snapshot, "Greet").unwrap());
    form.target.gesture(&Gesture::tap(button.bounds.center()), &Expected::anyone(), soon()).await.unwrap();
    form.wrote("greeted", "pointed").await;
}

/// Keys go to the field that has the focus.
async fn is_typed_into(form: &Form) {
    form.set_text("Name", "").await.unwrap();
    form.act("Name", NodeAction::Raise).await.unwrap();
    let snapshot = form.read().await;
    let field = snapshot.node(find(&snapshot, "Name").unwrap());
    form.target.gesture(&Gesture::tap(field.bounds.center()), &Expected::anyone(), soon()).await.unwrap();
    form.target.type_text(WORDS, &Expected::anyone(), soon()).await.unwrap();
    form.wrote("entry", WORDS).await;
    form.act("Name", NodeAction::Confirm).await.unwrap();
    form.wrote("confirmed", WORDS).await;
    form.target
        .press_key(fingertip_core::target::Key::Delete.into(), &Expected::anyone(), soon())
        .await
        .unwrap();
    let shorter = WORDS.strip_suffix('€').unwrap();
    form.wrote("entry", shorter).await;
}

/// Every act on an application that hangs ends, and says that it ran out of time.
async fn ends_when_frozen(form: &Form) {
    let snapshot = form.shows("Greet").await;
    let (button, field) = (find(&snapshot, "Greet").unwrap(), find(&snapshot, "Name").unwrap());
    form.process.signal("STOP");
    for action in [NodeAction::Click, NodeAction::Focus, NodeAction::ShowOnScreen] {
        let start = Instant::now();
        let error = form.target.act(&snapshot, button, &action, Deadline::after(DEADLINE)).await.unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout, "{error:?}");
        assert!(start.elapsed() < DEADLINE + GRACE);
    }
    let start = Instant::now();
    let error = form.target.set_text(&snapshot, field, "x", Deadline::after(DEADLINE)).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Timeout, "{error:?}");
    assert!(start.elapsed() < DEADLINE + GRACE);
    form.process.signal("CONT");
    form.act("Greet", NodeAction::Click).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn gtk3_does_what_it_is_commanded() {
    let session = Session::start();
    let form = Form::open(&session, "form_gtk3.py").await;
    works(&form).await;
    is_hit(&form).await;
    is_typed_into(&form).await;

    form.set_value("Count", number(7.0)).await.unwrap();
    form.wrote("spin", "7.0").await;
    form.act("More", NodeAction::Expand).await.unwrap();
    form.wrote("expanded", "True").await;
    form.act("More", NodeAction::Collapse).await.unwrap();
    form.wrote("expanded", "False").await;
    form.act("Row 50", NodeAction::ShowOnScreen).await.unwrap();
    let snapshot = form.read().await;
    let row = snapshot.node(find(&snapshot, "Row 50").unwrap()).clone();
    assert!(row.is(fingertip_core::Flags::VISIBLE), "{row:?}");
    form.target.gesture(&Gesture::tap(row.bounds.center()), &Expected::anyone(), soon()).await.unwrap();
    form.wrote("row", "50").await;
    scrolls_by_wheel(&form).await;
    form.act("Name", NodeAction::LongClick).await.unwrap();
    form.wrote("menu", "open").await;
    form.target
        .gesture(&Gesture::tap(fingertip_core::Point::new(5.0, 1075.0)), &Expected::anyone(), soon())
        .await
        .unwrap();
    ends_when_frozen(&form).await;
}

/// The wheel moves a list on, and back to its start.
async fn scrolls_by_wheel(form: &Form) {
    let snapshot = form.read().await;
    let list = snapshot.indices().find(|index| snapshot.node(*index).role == Role::ScrollArea).unwrap();
    let place = || form.written("scrolled").and_then(|place| place.parse::<f64>().ok()).unwrap_or_default();
    let start = Instant::now();
    let before = place();
    form.target.act(&snapshot, list, &NodeAction::Scroll(Direction::Up), soon()).await.unwrap();
    while place() >= before {
        assert!(start.elapsed() < Duration::from_secs(10), "the list stays at {before}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn gtk4_does_what_it_is_commanded() {
    let session = Session::start();
    let form = Form::open(&session, "form_gtk4.py").await;
    works(&form).await;
    is_hit(&form).await;
    is_typed_into(&form).await;
    ends_when_frozen(&form).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn qt_does_what_it_is_commanded() {
    let session = Session::start();
    let form = Form::open(&session, "form_qt6.py").await;
    works(&form).await;
    is_hit(&form).await;
    is_typed_into(&form).await;
    form.set_value("Count", number(7.0)).await.unwrap();
    form.wrote("spin", "7.0").await;
    ends_when_frozen(&form).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_is_written_does_not_accept_the_dialog_it_is_in() {
    let session = Session::start();
    let process = session.script("gtk3_spin.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let is_count = |node: &Node| node.role == Role::SpinButton;
    let read = read_when(&target, &visible, |read| read.nodes().iter().any(is_count)).await;
    let count = read.indices().find(|index| is_count(read.node(*index))).unwrap();
    target.set_text(&read, count, "64", soon()).await.unwrap();
    read_when(&target, &visible, |read| !shows(read, "nothing")).await;
    // What accepts it would do so a moment later.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let after = target.snapshot(&visible, soon()).await.unwrap();
    assert!(shows(&after, "counted 64") && !shows(&after, "accepted"));
}
