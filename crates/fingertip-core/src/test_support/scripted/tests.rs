//! The scripted target is trusted by the tests of other crates, so it has its own.

use std::sync::Arc;
use std::thread;

use super::super::{block_on, sample};
use super::*;
use crate::gesture::Gesture;
use crate::prelude::*;
use crate::target::{Expected, Key, LogLevel, LogQuery, Scope};
use crate::{Flags, Point, hit};

fn target() -> ScriptedTarget {
    ScriptedTarget::new("demo", sample::phone())
}

fn only(app: &str) -> Scope {
    Scope::App { app: crate::target::AppRef::named(app), part: crate::target::Part::Visible }
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(5))
}

fn read(target: &ScriptedTarget) -> Snapshot {
    block_on(target.snapshot(&Scope::Screen, soon())).unwrap()
}

fn text_of(target: &ScriptedTarget, hint: &str) -> Option<String> {
    let snapshot = read(target);
    let field = snapshot.nodes().iter().find(|node| node.hint.as_deref() == Some(hint)).unwrap();
    field.text.as_deref().map(str::to_owned)
}

#[test]
fn set_text_shows_in_the_next_snapshot() {
    let target = target();
    let seen = read(&target);
    let search = find(&seen, "Search contacts");
    block_on(target.set_text(&seen, search, "Ada", soon())).unwrap();
    assert_eq!(text_of(&target, "Search contacts").as_deref(), Some("Ada"));
    let event = Event::SetText { node: r#"EditText "Search contacts""#.to_owned(), text: "Ada".to_owned() };
    assert_eq!(target.writes(), [event]);
}

#[test]
fn typing_goes_to_the_focused_field_only() {
    let target = target();
    let error = block_on(target.type_text("x", &Expected::anyone(), soon())).unwrap_err();
    assert_eq!(error.reason(), Reason::ActionFailed);
    let seen = read(&target);
    block_on(target.act(&seen, find(&seen, "Search contacts"), &NodeAction::Focus, soon())).unwrap();
    block_on(target.type_text("Ad", &Expected::anyone(), soon())).unwrap();
    block_on(target.type_text("aé", &Expected::anyone(), soon())).unwrap();
    block_on(target.press_key(Key::Delete.into(), &Expected::anyone(), soon())).unwrap();
    block_on(target.press_key(Key::Space.into(), &Expected::anyone(), soon())).unwrap();
    assert_eq!(text_of(&target, "Search contacts").as_deref(), Some("Ada "));
}

#[test]
fn a_password_grows_and_shrinks_without_being_shown() {
    let target = target();
    let seen = read(&target);
    block_on(target.act(&seen, find(&seen, "Password"), &NodeAction::Click, soon())).unwrap();
    block_on(target.type_text("12", &Expected::anyone(), soon())).unwrap();
    block_on(target.press_key(Key::Delete.into(), &Expected::anyone(), soon())).unwrap();
    let seen = read(&target);
    let password = seen.node(find(&seen, "Password"));
    assert_eq!(password.secret_length, Some("secret".len() as u32 + 1));
    block_on(target.set_text(&seen, find(&seen, "Password"), "", soon())).unwrap();
    let seen = read(&target);
    assert_eq!(seen.node(find(&seen, "Password")).secret_length, Some(0));
}

#[test]
fn a_tap_toggles_the_check_box_it_reaches() {
    let target = target();
    let tap = |label: &str| {
        let seen = read(&target);
        let gesture = Gesture::tap(hit::aim(&seen, find(&seen, label)).unwrap());
        block_on(target.gesture(&gesture, &Expected::anyone(), soon())).unwrap();
        let seen = read(&target);
        seen.node(find(&seen, label)).flags
    };
    assert!(tap("Favourite Grace Hopper").contains(Flags::CHECKED));
    assert!(!tap("Favourite Grace Hopper").contains(Flags::CHECKED));
    assert!(tap("Search contacts").contains(Flags::FOCUSED));
}

#[test]
fn a_node_that_is_gone_is_stale() {
    let target = target();
    let seen = read(&target);
    target.update(|state| state.snapshot = sample::keyboard());
    let error = block_on(target.act(&seen, find(&seen, "Save"), &NodeAction::Click, soon())).unwrap_err();
    assert_eq!(error.reason(), Reason::Stale);
}

#[test]
fn the_script_reacts_to_events() {
    let target = target();
    target.on_event(|event, state| {
        if matches!(event, Event::Gesture(_)) {
            state.edit("Save", |node| node.text = Some("Saved".into()));
        }
    });
    let before = target.activity();
    block_on(target.gesture(&Gesture::tap(Point::new(1.0, 1.0)), &Expected::anyone(), soon())).unwrap();
    assert_eq!(target.activity(), before + 1);
    let _ = find(&read(&target), "Saved");
}

#[test]
fn what_changes_nothing_is_no_activity() {
    let target = target();
    let _ = read(&target);
    block_on(target.gesture(&Gesture::tap(Point::new(1.0, 1.0)), &Expected::anyone(), soon())).unwrap();
    assert_eq!(target.activity(), 0);
    assert_eq!(target.events().len(), 2);
}

#[test]
fn a_waiter_is_woken_by_a_change() {
    let target = Arc::new(target());
    let changer = Arc::clone(&target);
    let thread = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        changer.update(|state| state.edit("Save", |node| node.flags -= Flags::ENABLED));
    });
    let start = Instant::now();
    assert_eq!(block_on(target.changed(0, soon())), Ok(1));
    assert!(start.elapsed() < Duration::from_secs(4), "woken, not timed out");
    thread.join().unwrap();
}

#[test]
fn a_waiter_times_out_when_nothing_changes() {
    let error = block_on(target().changed(0, Deadline::after(Duration::from_millis(20)))).unwrap_err();
    assert_eq!(error.reason(), Reason::Timeout);
}

#[test]
fn faults_strike_once_and_in_order() {
    let target = target();
    target.fail_next(Error::new(Reason::Disconnected, "gone"));
    target.panic_next();
    assert_eq!(block_on(target.get_clipboard(soon())).unwrap_err().reason(), Reason::Disconnected);
    let panicked =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| block_on(target.get_clipboard(soon()))));
    assert!(panicked.is_err());
    assert_eq!(block_on(target.get_clipboard(soon())), Ok(None));
    assert_eq!(target.events(), [Event::ReadClipboard, Event::ReadClipboard, Event::ReadClipboard]);
}

#[test]
fn a_delayed_call_ends_at_its_deadline_without_effect() {
    let target = target();
    target.delay(Duration::from_millis(30));
    block_on(target.set_clipboard("in time", soon())).unwrap();
    target.delay(Duration::from_secs(60));
    let start = Instant::now();
    let late = block_on(target.set_clipboard("late", Deadline::after(Duration::from_millis(30))));
    assert_eq!(late.unwrap_err().reason(), Reason::Timeout);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(target.state().clipboard.as_deref(), Some("in time"));
}

#[test]
fn a_hanging_call_stays_pending_until_given_up() {
    let target = target();
    target.hang();
    let mut context = std::task::Context::from_waker(Waker::noop());
    let mut call = target.get_clipboard(Deadline::after(Duration::ZERO));
    assert!(call.as_mut().poll(&mut context).is_pending());
    drop(call);
    target.recover();
    assert_eq!(block_on(target.get_clipboard(soon())), Ok(None));
}

#[test]
fn what_it_cannot_do_it_refuses() {
    let target = target().with_capabilities(Capabilities::SNAPSHOT | Capabilities::TOUCH);
    let seen = read(&target);
    assert!(!target.can_act(&seen, find(&seen, "Save"), &NodeAction::Click));
    let unsupported = |result: Result<()>| assert_eq!(result.unwrap_err().reason(), Reason::Unsupported);
    unsupported(block_on(target.set_clipboard("x", soon())));
    unsupported(block_on(target.press_key(Key::Enter.into(), &Expected::anyone(), soon())).map(drop));
    let screen = seen.screen.bounds();
    let pinch = Gesture::pinch(screen.center(), 2.0, Duration::from_millis(1), screen).unwrap();
    unsupported(block_on(target.gesture(&pinch, &Expected::anyone(), soon())));
    block_on(target.gesture(&Gesture::tap(screen.center()), &Expected::anyone(), soon())).unwrap();
}

#[test]
fn an_application_shows_its_own_windows_only() {
    let target = ScriptedTarget::new("demo", sample::phone_with_keyboard());
    let scope = only(sample::KEYBOARD_APP);
    let part = block_on(target.snapshot(&scope, soon())).unwrap();
    assert_eq!(part.windows().len(), 1);
    assert_eq!(part.nodes().len(), sample::keyboard().nodes().len());
    let missing = block_on(target.snapshot(&only("none"), soon()));
    assert_eq!(missing.unwrap_err().reason(), Reason::NotRunning);
}

#[test]
fn logs_keep_the_newest_lines() {
    let target = target();
    target.update(|state| state.logs.lines = vec!["old".to_owned(), "new".to_owned()]);
    let query = |limit| LogQuery {
        limit,
        since: None,
        until: None,
        tag: None,
        level: LogLevel::Verbose,
        package: None,
    };
    let page = block_on(target.read_logs(&query(1), soon())).unwrap();
    assert_eq!((page.lines, page.truncated), (vec!["new".to_owned()], true));
    assert!(!block_on(target.read_logs(&query(2), soon())).unwrap().truncated);
}
