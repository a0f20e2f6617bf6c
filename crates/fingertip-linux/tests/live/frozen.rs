//! A display that goes away, is not there, or is of another sort.

use std::time::{Duration, Instant};

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Screenshot, ScreenshotRequest};
use fingertip_core::{Deadline, Point, Reason};
use fingertip_linux::{Environment, LinuxTarget};

use crate::form::Form;
use crate::support::{Session, soon};

#[tokio::test(flavor = "multi_thread")]
async fn without_a_display_the_reason_is_named() {
    let nowhere = Environment { display: Some(":4711".to_owned()), ..Environment::default() };
    let target = LinuxTarget::new(nowhere);
    let tap = Gesture::tap(Point::new(1.0, 1.0));
    let error = target.gesture(&tap, &Expected::anyone(), soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::PermissionDenied, "{error:?}");
    assert!(error.guidance().is_some_and(|guidance| guidance.contains("DISPLAY")));
    assert_eq!(target.get_clipboard(soon()).await.unwrap_err().reason(), Reason::PermissionDenied);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_display_costs_no_more_than_the_deadline() {
    let session = Session::start();
    let target = session.target().await;
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    assert!(matches!(target.screenshot(request, soon()).await, Ok(Screenshot::Raw(_))));
    session.server().signal("STOP");
    let start = Instant::now();
    let short = || Deadline::after(Duration::from_secs(1));
    assert_eq!(target.screenshot(request, short()).await.unwrap_err().reason(), Reason::Timeout);
    assert_eq!(target.get_clipboard(short()).await.unwrap_err().reason(), Reason::Timeout);
    assert!(start.elapsed() < Duration::from_secs(6));
    session.server().signal("CONT");
    assert!(matches!(target.screenshot(request, soon()).await, Ok(Screenshot::Raw(_))));
    assert_eq!(target.get_clipboard(soon()).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_given_up_half_way_gives_lent_keys_back() {
    let session = Session::start();
    let form = Form::open(&session, "form_gtk3.py").await;
    let keys = || {
        session.python(
            "import gi; gi.require_version('Gdk', '3.0'); from gi.repository import Gdk\n\
         keymap = Gdk.Keymap.get_for_display(Gdk.Display.get_default())\n\
         print([keymap.get_entries_for_keycode(code)[2] for code in range(8, 256)])",
        )
    };
    form.act("Name", fingertip_core::target::NodeAction::Focus).await.unwrap();
    let before = keys();
    let long: String = (0..4000_u32).filter_map(|number| char::from_u32(0x4e00 + number)).collect();
    let begun = async {
        while form.written("entry").is_none_or(|written| written.is_empty()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let everyone = Expected::anyone();
    tokio::select! {
        typed = form.target.type_text(&long, &everyone, soon()) => panic!("all was typed at once: {typed:?}"),
        given_up = tokio::time::timeout(Duration::from_secs(30), begun) => given_up.expect("something was typed"),
    }
    // Keys are pressed one call after the other, so this waits for the one that was given up.
    form.target
        .press_key(fingertip_core::target::Key::Tab.into(), &Expected::anyone(), soon())
        .await
        .unwrap();
    assert_eq!(keys(), before);
    let written = form.written("entry").expect("something was typed");
    assert!(long.starts_with(&written) && !written.is_empty(), "{written}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_display_that_comes_back_is_connected_to_again() {
    let session = Session::bare();
    let target = LinuxTarget::new(session.environment.clone());
    assert_eq!(target.screen(soon()).await.unwrap().width, 1920);
    assert_eq!(target.get_clipboard(soon()).await.unwrap(), None);
    session.server().signal("KILL");
    let display = session.environment.display.clone().expect("a display");
    let start = Instant::now();
    while target.screen(soon()).await.is_ok() {
        assert!(start.elapsed() < Duration::from_secs(10), "the display was ended");
    }
    let arguments = [&*display, "-screen", "0", "800x600x24", "-nolisten", "tcp"];
    let _again = session.launch("Xvfb", &arguments);
    while target.screen(soon()).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(20), "the display is there again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(target.screen(soon()).await.unwrap().width, 800);
    target.set_clipboard("again", soon()).await.unwrap();
    assert_eq!(target.get_clipboard(soon()).await.unwrap().as_deref(), Some("again"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_hangs_with_the_clipboard_costs_no_more_than_the_deadline() {
    let session = Session::start();
    let target = session.target().await;
    let owner = session.launch("sh", &["-c", "echo held | exec xclip -selection clipboard -quiet"]);
    let start = Instant::now();
    while target.get_clipboard(soon()).await.unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(10), "xclip has the clipboard");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    owner.signal_all("STOP");
    let error = target.get_clipboard(Deadline::after(Duration::from_millis(500))).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Timeout, "{error:?}");
    target.set_clipboard("ours", soon()).await.unwrap();
    assert_eq!(target.get_clipboard(soon()).await.unwrap().as_deref(), Some("ours"));
}
