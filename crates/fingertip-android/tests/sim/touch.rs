//! Fingers.

use std::time::Duration;

use fingertip_core::gesture::{Amount, Gesture, Waypoint};
use fingertip_core::prelude::*;
use fingertip_core::target::{Direction, Expected};
use fingertip_core::{Point, Reason, Snapshot, hit};
use fingertip_sim::phone::Profile;

use super::bench::{Bench, GALLERY, NOTES, SETTINGS, find, soon, try_find};

/// How far a finger moves before Android takes it for a drag: 8 dp, on this phone rounded up to whole pixels.
const TOUCH_SLOP: f64 = 22.0;

fn zoom(snapshot: &Snapshot) -> u32 {
    let label = snapshot
        .nodes()
        .iter()
        .filter_map(|node| node.text.as_deref())
        .find(|text| text.starts_with("Zoom "));
    label.unwrap().trim_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap()
}

#[tokio::test]
async fn a_scroll_moves_the_list_as_far_as_the_finger_and_no_further() {
    let bench = Bench::start().await;
    bench.open(SETTINGS);
    let before = bench.look().await;
    let list =
        before.indices().find(|index| before.node(*index).is(fingertip_core::Flags::SCROLLABLE)).unwrap();
    let area = before.node(list).bounds;
    let scroll = Gesture::scroll(area, Direction::Down, Amount::Small);
    let distance = scroll.strokes()[0].start().at.y - scroll.strokes()[0].end().at.y;
    bench.target.gesture(&scroll, &Expected::anyone(), soon()).await.unwrap();
    let after = bench.look().await;
    let moved: Vec<f64> = before
        .nodes()
        .iter()
        .filter(|node| node.resource_id.as_deref() == Some("android:id/title") && node.bounds.height() > 40)
        .filter_map(|node| {
            let again = after.node(try_find(&after, node.text.as_deref()?)?);
            (again.bounds.height() == node.bounds.height())
                .then(|| f64::from(node.bounds.top - again.bounds.top))
        })
        .collect();
    assert!(!moved.is_empty());
    let expected = distance - TOUCH_SLOP..=distance;
    assert!(moved.iter().all(|moved| expected.contains(moved)), "{expected:?}: {moved:?}");
}

#[tokio::test]
async fn a_pinch_zooms_whichever_way_the_phone_is_held() {
    let bench = Bench::start().await;
    bench.open(GALLERY);
    bench.press("Photo 1").await;
    for rotation in [0, 1] {
        bench.phone.with(|phone| phone.lock_rotation(rotation));
        let before = bench.look().await;
        let screen = before.screen.bounds();
        let pinch = Gesture::pinch(screen.center(), 1.6, Duration::from_millis(300), screen).unwrap();
        bench.target.gesture(&pinch, &Expected::anyone(), soon()).await.unwrap();
        let after = bench.look().await;
        assert!(zoom(&after) > zoom(&before) + 20, "{} then {}", zoom(&before), zoom(&after));
    }
}

#[tokio::test]
async fn a_double_tap_is_two_taps_and_no_more() {
    let bench = Bench::start().await;
    bench.open(GALLERY);
    bench.press("Photo 1").await;
    let before = bench.look().await;
    assert_eq!(zoom(&before), 100);
    bench
        .target
        .gesture(&Gesture::double_tap(before.screen.bounds().center()), &Expected::anyone(), soon())
        .await
        .unwrap();
    assert_eq!(zoom(&bench.look().await), 200);
}

#[tokio::test]
async fn an_old_phone_refuses_a_second_finger() {
    let bench = Bench::of(Profile { sdk: 29, ..Profile::default() }).await;
    let screen = bench.target.screen(soon()).await.unwrap().bounds();
    let pinch = Gesture::pinch(screen.center(), 2.0, Duration::from_millis(300), screen).unwrap();
    let error = bench.target.gesture(&pinch, &Expected::anyone(), soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Unsupported);
}

#[tokio::test]
async fn a_long_press_and_a_path_of_many_points_arrive() {
    let bench = Bench::start().await;
    bench.open(SETTINGS);
    let before = bench.look().await;
    let title = before.node(find(&before, "Mobile data")).bounds.top;
    let points = (0..=10).map(|step| {
        Waypoint::new(
            Point::new(540.0, 1600.0 - f64::from(step) * 40.0),
            Duration::from_millis(u64::from(step as u32) * 30),
        )
    });
    let mut path: Vec<Waypoint> = points.collect();
    path.push(Waypoint::new(path[10].at, Duration::from_millis(600)));
    bench.target.gesture(&Gesture::custom(vec![path]).unwrap(), &Expected::anyone(), soon()).await.unwrap();
    let after = bench.look().await;
    let moved = title - after.node(find(&after, "Mobile data")).bounds.top;
    assert!((340..=400).contains(&moved), "{moved}");
    bench.open(NOTES);
    let snapshot = bench.look().await;
    let at = snapshot.node(find(&snapshot, "fab_new")).bounds.center();
    bench
        .target
        .gesture(&Gesture::long_press(at, Duration::from_millis(900)), &Expected::anyone(), soon())
        .await
        .unwrap();
    assert!(bench.phone.with(|phone| phone.focus()).package.contains("notes"));
}

/// Opens the menu of an icon; a point beside it, over nothing else that takes touches.
async fn open_menu(bench: &Bench) -> Point {
    let snapshot = bench.look().await;
    let icon = hit::aim(&snapshot, find(&snapshot, "Calculator")).unwrap();
    bench
        .target
        .gesture(&Gesture::long_press(icon, Duration::from_millis(800)), &Expected::anyone(), soon())
        .await
        .unwrap();
    let menu = bench.look().await;
    let bounds = menu.windows().iter().find(|window| window.focused).expect("the menu").bounds;
    let beside = if bounds.left > 540 { 20 } else { 1060 };
    let point = Point::new(f64::from(beside), f64::from(bounds.top + 10));
    assert!(!bounds.contains(point), "{bounds:?}");
    point
}

#[tokio::test]
async fn a_touch_beside_an_open_menu_goes_to_whom_the_menu_belongs() {
    for bench in [Bench::start().await, Bench::agent().await] {
        let point = open_menu(&bench).await;
        let windows = bench.target.receivers(soon()).await.unwrap();
        let there = windows.iter().find(|window| window.bounds.contains(point));
        let app = there.and_then(|window| window.app.as_deref());
        assert!(
            app.is_some_and(|app| app.contains("launcher")),
            "{}: {windows:?}",
            bench.target.info().driver
        );
        let inside = windows[0].bounds;
        assert!(windows.windows(2).all(|pair| pair[0].layer >= pair[1].layer), "{inside:?}");
    }
}
