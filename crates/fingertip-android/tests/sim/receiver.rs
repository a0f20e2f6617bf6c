//! Acts of several steps hold on to their receiver: what another app would get is not done.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::gesture::{Gesture, Waypoint};
use fingertip_core::prelude::*;
use fingertip_core::target::Expected;
use fingertip_core::{Error, Flags, Point, Reason, Snapshot, Window};

use super::bench::{Bench, CONTACT, NOTES, SETTINGS, find, soon, try_find};

const SETTINGS_APP: &str = "com.android.settings";

/// The receivers of a touch or a key now, the bars of the system too.
async fn expected(bench: &Bench) -> Expected {
    Expected::owners(&bench.target.receivers(soon()).await.expect("the windows"))
}

fn finger(at: Point, from: u64, to: u64) -> Vec<Waypoint> {
    [from, to].map(|time| Waypoint::new(at, Duration::from_millis(time))).to_vec()
}

/// Where a switch of the settings is.
async fn a_switch(bench: &Bench) -> Point {
    bench.open(SETTINGS);
    let snapshot = bench.look().await;
    let switch = snapshot.nodes().iter().find(|node| node.is(Flags::CHECKABLE)).expect("a switch");
    switch.bounds.center()
}

async fn is_on(bench: &Bench, at: Point) -> bool {
    bench.open(SETTINGS);
    let snapshot = bench.look().await;
    let switch = snapshot.nodes().iter().find(|node| node.is(Flags::CHECKABLE) && node.bounds.contains(at));
    switch.expect("the switch").is(Flags::CHECKED)
}

/// Finger 1 opens the settings from the home screen, a later one is aimed at a switch in them.
async fn open_and_switch(bench: &Bench, later: u64, held: bool) -> Result<(), Error> {
    let switch = a_switch(bench).await;
    let before = is_on(bench, switch).await;
    bench.phone.with(|phone| phone.key(fingertip_sim::phone::KeyCode::HOME, 0));
    let home = bench.look().await;
    let icon = home.node(find(&home, "Settings")).bounds.center();
    let to = expected(bench).await;
    let mut fingers = vec![finger(icon, 0, 50), finger(switch, later, later + 60)];
    if held {
        fingers.push(finger(Point::new(30.0, 1200.0), 200, later + 500));
    }
    let played = bench.target.gesture(&Gesture::custom(fingers).expect("a gesture"), &to, soon()).await;
    assert_eq!(is_on(bench, switch).await, before, "the switch was touched at {later} ms: {played:?}");
    played
}

#[tokio::test]
async fn a_later_finger_does_not_land_in_an_app_that_came_up_meanwhile() {
    for bench in [Bench::start().await, Bench::agent().await] {
        for later in [300, 1500, 4000] {
            let error = open_and_switch(&bench, later, false).await.unwrap_err();
            assert_eq!(error.reason(), Reason::ActionFailed, "{error}");
            assert!(error.message().starts_with("Put down 1 of 2 fingers"), "{error}");
            assert_eq!(error.app(), Some(SETTINGS_APP), "{error}");
        }
    }
}

#[tokio::test]
async fn neither_does_one_beside_a_finger_that_is_held() {
    for bench in [Bench::start().await, Bench::agent().await] {
        let error = open_and_switch(&bench, 2000, true).await.unwrap_err();
        assert_eq!(error.app(), Some(SETTINGS_APP), "{error}");
        // No finger stayed down: the next tap is one.
        bench.open(NOTES);
        bench.press("fab_new").await;
        assert!(try_find(&bench.look().await, "fab_new").is_none());
    }
}

#[tokio::test]
async fn without_anyone_in_particular_a_gesture_goes_where_it_goes() {
    for bench in [Bench::start().await, Bench::agent().await] {
        bench.phone.with(|phone| phone.key(fingertip_sim::phone::KeyCode::HOME, 0));
        let home = bench.look().await;
        let icon = home.node(find(&home, "Settings")).bounds.center();
        let fingers = vec![finger(icon, 0, 50), finger(Point::new(500.0, 1200.0), 1500, 1550)];
        let gesture = Gesture::custom(fingers).unwrap();
        bench.target.gesture(&gesture, &Expected::anyone(), soon()).await.unwrap();
    }
}

#[tokio::test]
async fn text_does_not_follow_into_an_app_that_a_line_end_opens() {
    for (typed, delay) in [("first\\n", 0), ("first\\n", 100), ("amount 500 ", 0)] {
        let bench = Bench::start().await;
        bench.open(NOTES);
        bench.press("fab_new").await;
        bench.press("edit_body").await;
        let to = expected(&bench).await;
        let phone = Arc::clone(&bench.phone);
        let opening = tokio::spawn(async move {
            // As an app would that opens another when it is given Enter, or some time later.
            while !phone.with(|phone| format!("{:?}", phone.windows())).contains(typed) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            tokio::time::sleep(Duration::from_millis(delay)).await;
            phone.with(|phone| phone.start(SETTINGS).map(drop)).unwrap();
        });
        let text = format!("first\n{}", "amount 500 ".repeat(100));
        let error = bench.target.type_text(&text, &to, soon()).await.unwrap_err();
        opening.await.unwrap();
        assert_eq!(error.app(), Some(SETTINGS_APP), "{error}");
        assert!(error.message().contains(" of 1106 characters"), "{error}");
        if typed == "first\\n" {
            assert!(error.message().starts_with("Typed 6 of"), "{error}");
        }
    }
}

/// A field is named by a look at the screen; another app may have come up since.
#[tokio::test]
async fn a_field_that_was_seen_is_not_written_in_the_app_that_came_up_since() {
    for has_focus in [true, false] {
        let bench = Bench::start().await;
        bench.open(CONTACT);
        bench.press("first_name").await;
        bench.open(NOTES);
        bench.press("fab_new").await;
        bench.press(if has_focus { "edit_body" } else { "edit_title" }).await;
        let seen = bench.look().await;
        bench.open(CONTACT);
        let before = bench.look().await;
        assert!(before.focused_node().is_some(), "keys would go there");
        let body = find(&seen, "edit_body");
        let error = bench.target.set_text(&seen, body, "meant for the note", soon()).await.unwrap_err();
        assert_eq!(error.app(), Some("com.android.contacts"), "{error}");
        assert!(error.message().starts_with("Nothing was typed"), "{error}");
        let after = bench.look().await;
        let shown = |snapshot: &Snapshot| {
            snapshot.nodes().iter().map(|node| (node.text.clone(), node.flags)).collect()
        };
        let (before, after): (Vec<_>, Vec<_>) = (shown(&before), shown(&after));
        assert_eq!(before, after);
    }
}

#[tokio::test]
async fn the_agent_types_for_the_expected_receiver_only() {
    let bench = Bench::agent().await;
    bench.open(NOTES);
    bench.press("fab_new").await;
    bench.press("edit_body").await;
    let other = Expected::owners([&Window::new("com.example.other", fingertip_core::Rect::default())]);
    let error = bench.target.type_text("hello", &other, soon()).await.unwrap_err();
    assert_eq!(error.app(), Some("com.fingertip.demo.notes"), "{error}");
    let to = expected(&bench).await;
    bench.target.type_text("kept\nlines", &to, soon()).await.unwrap();
    let body = bench.text("edit_body").await;
    assert_eq!(body.as_deref(), Some("kept\nlines"));
}
