//! An act of several steps whose receiver closes half-way, with a terminal behind it: nothing goes there. Nor does an act go
//! to another application than the one that it is known to be for.

use std::time::{Duration, Instant};

use fingertip_core::gesture::{Gesture, Waypoint};
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key, NodeAction, Part};
use fingertip_core::{Point, Reason, Window};
use fingertip_linux::LinuxTarget;

use crate::form::{Form, find};
use crate::support::{Process, Session, read_when, scope, soon};

/// How long a window may take to be where it should be.
const THERE_WITHIN: Duration = Duration::from_secs(30);
/// How long a terminal may take to write down what it got.
const WRITTEN_WITHIN: Duration = Duration::from_millis(500);

/// A terminal that writes down every key, and a prompt before it that closes.
struct Setup {
    session: Session,
    target: LinuxTarget,
    _terminal: Process,
    prompt: Process,
}

impl Setup {
    async fn start(delay: &str) -> Self {
        let session = Session::start();
        let target = session.target().await;
        let keys = format!("stty raw -echo; exec cat > {}", session.file("typed").display());
        let terminal = session.launch("xterm", &["-geometry", "200x60+0+0", "-e", "sh", "-c", &keys]);
        front(&target, |window| window.pid == Some(terminal.pid())).await;
        let prompt = session.script_with("closing.py", &[delay]);
        front(&target, |window| window.pid == Some(prompt.pid())).await;
        Self { session, target, _terminal: terminal, prompt }
    }

    /// The window of the prompt, as the check before an act would find it.
    async fn expected(&self) -> Expected {
        let windows = self.target.receivers(soon()).await.unwrap();
        Expected::owners(windows.iter().filter(|window| window.pid == Some(self.prompt.pid())))
    }

    /// What the terminal got, once it had time to write it down.
    async fn typed(&self) -> String {
        tokio::time::sleep(WRITTEN_WITHIN).await;
        std::fs::read_to_string(self.session.file("typed")).unwrap_or_default()
    }

    async fn terminal_in_front(&self) {
        let prompt = self.prompt.pid();
        front(&self.target, |window| window.pid != Some(prompt)).await;
    }
}

/// Waits until such a window has the focus.
async fn front(target: &LinuxTarget, is_it: impl Fn(&Window) -> bool) {
    let begun = Instant::now();
    loop {
        let windows = target.windows(soon()).await.unwrap();
        if windows.iter().any(|window| window.focused && is_it(window)) {
            return;
        }
        assert!(begun.elapsed() < THERE_WITHIN, "{windows:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_does_not_follow_into_the_terminal_behind_a_window_that_closes() {
    for (delay, to_anyone) in [("0", false), ("0", true), ("30", false)] {
        let setup = Setup::start(delay).await;
        let to = if to_anyone { Expected::anyone() } else { setup.expected().await };
        let text = format!("x\n{}touch /tmp/reached\n", " ".repeat(8_000));
        let error = setup.target.type_text(&text, &to, soon()).await.unwrap_err();
        assert_eq!(error.reason(), Reason::ActionFailed, "{error}");
        assert!(error.message().contains(" of 8021 characters"), "{error}");
        setup.terminal_in_front().await;
        assert_eq!(setup.typed().await, "", "after {delay} ms: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_meant_for_one_application_is_not_pressed_in_another() {
    let setup = Setup::start("0").await;
    let to = setup.expected().await;
    setup.target.press_key(Key::Enter.into(), &to, soon()).await.unwrap();
    setup.terminal_in_front().await;
    for error in [
        setup.target.press_key(Key::Enter.into(), &to, soon()).await.unwrap_err(),
        setup.target.type_text("ls", &to, soon()).await.unwrap_err(),
    ] {
        assert_eq!(error.app(), Some("xterm"), "{error}");
    }
    assert_eq!(setup.typed().await, "");
    setup.target.type_text("ls", &Expected::anyone(), soon()).await.unwrap();
    assert_eq!(setup.typed().await, "ls");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_press_does_not_land_in_the_terminal() {
    let setup = Setup::start("0").await;
    let to = setup.expected().await;
    // A middle click would paste; a left one that is dragged selects, which owns the primary selection.
    let at = |x: f64, time| Waypoint::new(Point::new(x, 300.0), Duration::from_millis(time));
    let press = vec![at(300.0, 0), at(300.0, 50)];
    let select = vec![at(100.0, 2_000), at(500.0, 2_400)];
    let gesture = Gesture::custom(vec![press, select]).unwrap();
    let error = setup.target.gesture(&gesture, &to, soon()).await.unwrap_err();
    assert!(error.message().starts_with("Pressed 1 of 2 times"), "{error}");
    assert_eq!(error.app(), Some("xterm"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dragged_is_not_dropped_on_a_window_that_is_not_meant() {
    let setup = Setup::start("0").await;
    let to = setup.expected().await;
    let other = setup.session.script_with("closing.py", &["0"]);
    front(&setup.target, |window| window.pid == Some(other.pid())).await;
    let windows = setup.target.receivers(soon()).await.unwrap();
    let bar = windows.iter().find(|window| window.pid == Some(setup.prompt.pid())).unwrap().bounds;
    // Where only the first prompt shows, if anywhere; else the press itself is refused, which is right too.
    let from = Point::new(f64::from(bar.left) + 1.0, f64::from(bar.top) + 1.0);
    let drag = Gesture::swipe(from, Point::new(900.0, 600.0), Duration::from_millis(200));
    let error = setup.target.gesture(&drag, &to, soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::ActionFailed, "{error}");
    drop(other);
}

/// An application that shows a button of another one: the other, and how it says what it was told.
async fn borrowed(session: &Session, way: &str) -> (Form, Process) {
    let lender = Form::open(session, "nested_gtk3.py").await;
    let (log, pid) = (session.file("borrowed.log"), lender.process.pid().to_string());
    let process = session.script_with("borrowed.py", &[log.to_str().unwrap(), &pid, way]);
    (lender, process)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_in_a_window_of_another_application_is_known_as_its_own_one_s() {
    let session = Session::start();
    let (lender, borrower) = borrowed(&session, "object").await;
    let scope = scope(&borrower, Part::Whole);
    let seen = read_when(&lender.target, &scope, |read| find(read, "Greet").is_some()).await;
    let greet = find(&seen, "Greet").unwrap();
    assert_eq!(seen.windows()[seen.window_of(greet)].pid, Some(borrower.pid()));
    let owner = lender.target.owner(seen.node(greet), soon()).await.unwrap().expect("an owner");
    assert_eq!(owner.pid, Some(lender.process.pid()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_an_application_passes_off_as_its_own_is_not_talked_to() {
    let session = Session::start();
    let (lender, borrower) = borrowed(&session, "socket").await;
    let scope = scope(&borrower, Part::Whole);
    let seen = read_when(&lender.target, &scope, |read| find(read, "Greet").is_some()).await;
    // Whether it does anything is the borrower's own business.
    let _ = lender.target.act(&seen, find(&seen, "Greet").unwrap(), &NodeAction::Click, soon()).await;
    lender.act("Greet", NodeAction::Click).await.unwrap();
    lender.wrote("greeted", "yes").await;
    assert_eq!(lender.times_written("greeted"), 1, "by its own name only");
}
