//! What is on the screen: apps, panels, rotation, pixels.

use fingertip_android::{Preference, doctor};
use fingertip_core::prelude::*;
use fingertip_core::target::{Screenshot, ScreenshotRequest, SystemAction};
use fingertip_core::{Orientation, WindowKind};

use super::bench::{Bench, CALCULATOR, CONTACT, GALLERY, NOTES, SETTINGS, find, soon};

#[tokio::test]
async fn seven_and_three_are_ten() {
    let bench = Bench::start().await;
    bench.press("Calculator").await;
    for key in ["digit_7", "op_add", "digit_3", "eq"] {
        bench.press(key).await;
    }
    let snapshot = bench.look().await;
    assert_eq!(snapshot.app.as_deref(), Some("com.android.calculator2"));
    let shown = ["result", "formula"].map(|name| snapshot.node(find(&snapshot, name)).text.as_deref());
    assert!(shown.contains(&Some("10")), "{shown:?}");
}

#[tokio::test]
async fn every_node_of_the_phone_is_in_the_snapshot() {
    let bench = Bench::start().await;
    for app in [CALCULATOR, NOTES, SETTINGS, GALLERY, CONTACT] {
        bench.open(app);
        let snapshot = bench.look().await;
        let (truth, focus) = bench.phone.with(|phone| {
            let count = |window: &fingertip_sim::phone::WindowView| {
                window.root.walk().filter(|node| node.is_visible()).count()
            };
            (phone.windows().iter().map(count).collect::<Vec<_>>(), phone.focus())
        });
        let seen: Vec<usize> =
            (0..snapshot.windows().len()).map(|window| snapshot.nodes_of(window).len()).collect();
        assert_eq!(seen, truth, "{app}");
        assert_eq!(snapshot.app.as_deref(), Some(focus.package.as_str()));
        let component = focus.activity.replace(&format!("{}/", focus.package), "");
        assert!(
            snapshot.activity.as_deref().unwrap().ends_with(component.rsplit('.').next().unwrap()),
            "{focus:?}"
        );
    }
}

#[tokio::test]
async fn panels_open_and_close() {
    let bench = Bench::start().await;
    for panel in [SystemAction::Notifications, SystemAction::QuickSettings, SystemAction::Notifications] {
        bench.target.system(panel, soon()).await.unwrap();
        let snapshot = bench.look().await;
        assert_eq!(snapshot.app.as_deref(), Some("com.android.systemui"));
        let focused = &snapshot.windows()[snapshot.focused_window().unwrap()];
        assert_eq!(focused.kind, WindowKind::System);
    }
    bench.target.system(SystemAction::Back, soon()).await.unwrap();
    assert_eq!(bench.look().await.app.as_deref(), Some("com.android.launcher3"));
    bench.open(CALCULATOR);
    bench.target.system(SystemAction::Recents, soon()).await.unwrap();
    assert!(bench.look().await.activity.unwrap().contains("Recents"));
    bench.target.system(SystemAction::Home, soon()).await.unwrap();
    assert_eq!(bench.look().await.app.as_deref(), Some("com.android.launcher3"));
}

#[tokio::test]
async fn a_turned_phone_is_tapped_in_the_right_place() {
    let bench = Bench::start().await;
    bench.open(CALCULATOR);
    for rotation in [1, 3, 0] {
        bench.phone.with(|phone| phone.lock_rotation(rotation));
        let screen = bench.target.screen(soon()).await.unwrap();
        let landscape = screen.orientation() == Orientation::Landscape;
        assert_eq!(landscape, rotation % 2 == 1);
        assert_eq!(bench.look().await.screen, screen);
        bench.press("clr").await;
        bench.press("digit_8").await;
        assert_eq!(bench.text("formula").await.as_deref(), Some("8"));
    }
}

#[tokio::test]
async fn a_picture_shows_the_screen_as_it_is() {
    let bench = Bench::start().await;
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    let mut pictures = Vec::new();
    for app in [CALCULATOR, SETTINGS] {
        bench.open(app);
        let Screenshot::Raw(pixels) = bench.target.screenshot(request, soon()).await.unwrap() else {
            panic!("raw")
        };
        assert_eq!((pixels.width, pixels.height), (1080, 2400));
        assert!(pixels.data.chunks(4).any(|pixel| pixel != &pixels.data[..4]));
        pictures.push(pixels);
    }
    assert_ne!(pictures[0], pictures[1]);
    bench.phone.with(|phone| phone.lock_rotation(1));
    let Screenshot::Raw(turned) = bench.target.screenshot(request, soon()).await.unwrap() else {
        panic!("raw")
    };
    assert_eq!((turned.width, turned.height), (2400, 1080));
}

#[tokio::test]
async fn the_doctor_finds_nothing_wrong() {
    let bench = Bench::start().await;
    let findings = doctor::examine(&bench.adb, Preference::Automatic).await;
    let wrong: Vec<_> =
        findings.iter().filter(|finding| !finding.ok && !finding.what.contains("adb program")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(findings.iter().any(|finding| finding.what.contains("Fingertip Demo, Android 14")));
    assert!(findings.iter().any(|finding| finding.what.contains("picture taken")));
    assert!(findings.iter().any(|finding| finding.what.contains("the agent runs")));
}

/// A part is the same pixels as in the whole, by both drivers.
#[tokio::test]
async fn a_part_of_the_screen_is_cut_out() {
    let part = fingertip_core::Rect::new(100, 300, 500, 420);
    let request = ScreenshotRequest { region: Some(part), longest_side: None, quality: 80 };
    let bench = Bench::start().await;
    bench.open(SETTINGS);
    let whole = ScreenshotRequest { region: None, ..request };
    let Screenshot::Raw(whole) = bench.target.screenshot(whole, soon()).await.unwrap() else { panic!("raw") };
    let Screenshot::Raw(pixels) = bench.target.screenshot(request, soon()).await.unwrap() else {
        panic!("raw")
    };
    assert_eq!((pixels.width, pixels.height), (400, 120));
    assert_eq!(Some(pixels), whole.part(part));
    let bench = Bench::agent().await;
    bench.open(SETTINGS);
    let taken = bench.target.screenshot(request, soon()).await.unwrap();
    let Screenshot::Jpeg { width, height, .. } = taken else { panic!("a JPEG") };
    assert_eq!((width, height), (400, 120));
    let small = ScreenshotRequest { longest_side: Some(100), ..request };
    let Screenshot::Jpeg { width, height, .. } = bench.target.screenshot(small, soon()).await.unwrap() else {
        panic!("a JPEG")
    };
    assert_eq!((width, height), (100, 30));
}
