//! Pointer, pictures and clipboard, each seen by another program too.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use fingertip_core::Point;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Screenshot, ScreenshotRequest};

use crate::support::{Session, soon};

/// More than goes over in one piece.
const LARGE: usize = 400_000;
/// How long an application may take to paint.
const PAINTED_WITHIN: Duration = Duration::from_secs(20);
/// How long another program may take to have the clipboard.
const COPIED_WITHIN: Duration = Duration::from_secs(10);

fn copy_elsewhere(session: &Session, text: &str) {
    let mut xclip = session
        .command("xclip")
        .args(["-selection", "clipboard"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("xclip");
    xclip.stdin.take().expect("its input").write_all(text.as_bytes()).expect("written");
    assert!(xclip.wait().expect("xclip").success());
    // It ends before the process it leaves behind has become the owner of the clipboard.
    let begun = Instant::now();
    while paste_elsewhere(session) != text {
        assert!(begun.elapsed() < COPIED_WITHIN, "xclip took the text and does not give it");
    }
}

fn paste_elsewhere(session: &Session) -> String {
    let output = session.command("xclip").args(["-selection", "clipboard", "-o"]).output().expect("xclip");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clipboard_is_shared_with_other_programs() {
    let session = Session::start();
    let target = session.target().await;
    assert_eq!(target.get_clipboard(soon()).await.unwrap(), None);

    copy_elsewhere(&session, "from xclip ✓");
    assert_eq!(target.get_clipboard(soon()).await.unwrap().as_deref(), Some("from xclip ✓"));
    target.set_clipboard("ours 日本 😀", soon()).await.unwrap();
    assert_eq!(paste_elsewhere(&session), "ours 日本 😀");
    assert_eq!(target.get_clipboard(soon()).await.unwrap().as_deref(), Some("ours 日本 😀"));

    let large = "Größe 😀 ".repeat(LARGE / 10);
    target.set_clipboard(&large, soon()).await.unwrap();
    assert!(paste_elsewhere(&session) == large, "a large text goes out whole");
    copy_elsewhere(&session, &large);
    assert!(target.get_clipboard(soon()).await.unwrap() == Some(large), "a large text comes in whole");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gesture_given_up_half_way_leaves_no_button_down() {
    let session = Session::start();
    let target = session.target().await;
    let held = Gesture::long_press(Point::new(300.0, 200.0), Duration::from_secs(30));
    let given_up =
        tokio::time::timeout(Duration::from_millis(500), target.gesture(&held, &Expected::anyone(), soon()))
            .await;
    assert!(given_up.is_err());
    // A gesture of its own waits for the one before to have let go.
    target.gesture(&Gesture::tap(Point::new(310.0, 200.0)), &Expected::anyone(), soon()).await.unwrap();
    let pointer = session.python(
        "import gi; gi.require_version('Gdk', '3.0'); from gi.repository import Gdk\n\
         window = Gdk.get_default_root_window(); seat = Gdk.Display.get_default().get_default_seat()\n\
         _, x, y, mask = window.get_device_position(seat.get_pointer())\n\
         print(x, y, int(mask & Gdk.ModifierType.BUTTON1_MASK))",
    );
    assert_eq!(pointer, "310 200 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_shows_what_is_on_the_screen() {
    let session = Session::start();
    let target = session.target().await;
    let _painted = session.script("colour.py");
    let start = Instant::now();
    loop {
        let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
        let Screenshot::Raw(pixels) = target.screenshot(request, soon()).await.unwrap() else {
            panic!("pixels")
        };
        assert_eq!((pixels.width, pixels.height), (1920, 1080));
        assert_eq!(pixels.data.len(), pixels.stride * pixels.height as usize);
        let at = |x: usize, y: usize| &pixels.data[y * pixels.stride + x * pixels.format.bytes()..][..3];
        let inside = [(100, 100), (200, 150), (299, 219)].iter().all(|&(x, y)| at(x, y) == [48, 32, 16]);
        let outside = [(99, 100), (300, 150), (200, 220)].iter().all(|&(x, y)| at(x, y) != [48, 32, 16]);
        if inside && outside {
            let area = fingertip_core::Rect::new(99, 100, 299, 220);
            let request = ScreenshotRequest { region: Some(area), ..request };
            let part = target.screenshot(request, soon()).await.unwrap();
            let Screenshot::Raw(part) = part else { panic!("pixels") };
            assert_eq!(Some(part), pixels.part(area));
            return;
        }
        assert!(start.elapsed() < PAINTED_WITHIN, "{:?} {:?}", at(200, 150), at(99, 100));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
