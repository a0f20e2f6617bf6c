//! The driver against a scripted phone, faults included.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fingertip_core::gesture::{Amount, Gesture};
use fingertip_core::prelude::*;
use fingertip_core::target::{
    Capabilities, Direction, Expected, Key, LogLevel, LogQuery, Scope, Screenshot, ScreenshotRequest,
    SystemAction,
};
use fingertip_core::{Deadline, Point, Reason, Rect};

use crate::target::AndroidTarget;
use crate::test_support::{FakeAdb, Reply};

const TREE: &str = "<?xml version='1.0'?><hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" \
    package=\"com.app\" bounds=\"[0,0][1080,2400]\"><node class=\"android.widget.EditText\" text=\"old\" \
    resource-id=\"com.app:id/name\" clickable=\"true\" bounds=\"[0,100][1080,200]\" focused=\"FOCUSED\"/>\
    </node></hierarchy>UI hierchary dumped to: /dev/tty";
const REST: &str = "\n@fingertip: focus and screen\n  Display: mDisplayId=0\n    init=1080x2400 420dpi cur=1080x2400 app=1080x2200\n  \
    mCurrentFocus=Window{5c4591 u0 com.app/com.app.Main}\n  mFocusedApp=ActivityRecord{1 u0 com.app/.Main t8}\n\
    Physical size: 1080x2400\nPhysical density: 420\n";

/// The app in front, as the window manager lists it.
const WINDOWS: &str = "  Window #1 Window{5c4591 u0 com.app/com.app.Main}:\n    mDisplayId=0 rootTaskId=7\n    \
    mOwnerUid=10004 showForAllUsers=false package=com.app appop=NONE\n    \
    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION\n      fl=LAYOUT_IN_SCREEN\n    \
    Frames: parent=[0,0][1080,2400] display=[0,0][1080,2400] frame=[0,0][1080,2400] last=[0,0][0,0]\n    \
    isVisible=true\n  mCurrentFocus=Window{5c4591 u0 com.app/com.app.Main}\n";

/// How long after its deadline a call may end.
const GRACE: Duration = Duration::from_millis(100);

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(10))
}

fn target(server: &FakeAdb) -> AndroidTarget {
    AndroidTarget::new(server.client().device("X"))
}

fn screen(focused: bool) -> Reply {
    Reply::shell(&format!("{}{REST}", TREE.replace("FOCUSED", &focused.to_string())))
}

fn is_dump(command: &str) -> bool {
    command.contains("uiautomator")
}

/// What a phone answers that shows this screen and does what it is told.
fn answer(command: &str, focused: bool) -> Reply {
    match command {
        dump if is_dump(dump) => screen(focused),
        list if list.starts_with("dumpsys window windows") => Reply::shell(WINDOWS),
        _ => Reply::shell(""),
    }
}

#[tokio::test]
async fn a_look_at_the_screen_is_one_stream() {
    let server = FakeAdb::phone(34, |_| screen(false)).await;
    let target = target(&server);
    let snapshot = target.snapshot(&Scope::Screen, soon()).await.unwrap();
    assert_eq!(snapshot.nodes().len(), 2);
    assert_eq!((snapshot.app.as_deref(), snapshot.activity.as_deref()), (Some("com.app"), Some(".Main")));
    assert_eq!((snapshot.screen.width, snapshot.screen.height, snapshot.screen.density), (1080, 2400, 420));
    assert!(snapshot.settled);
    assert_eq!(server.commands().len(), 1);
    let info = target.info();
    assert_eq!(
        (info.label.as_str(), info.driver.as_str(), info.state.as_str()),
        ("Pixel 7, Android 14", "shell", "ready")
    );
    assert!(!target.capabilities().intersects(Capabilities::CLIPBOARD | Capabilities::EVENTS));
}

#[tokio::test]
async fn windows_have_the_processes_of_their_packages() {
    let server = FakeAdb::phone(34, |command| match command.starts_with("ps ") {
        true => Reply::shell("  PID NAME\n  7 com.application\n  8 com.app\n"),
        false => screen(false),
    })
    .await;
    let target = target(&server);
    let windows = target.windows(soon()).await.unwrap();
    assert_eq!((windows[0].app.as_deref(), windows[0].pid), (Some("com.app"), Some(8)));
    let apps = target.apps(soon()).await.unwrap();
    assert_eq!((&*apps[0].name, apps[0].pid, apps[0].focused), ("com.app", Some(8), true));
}

#[tokio::test]
async fn an_old_phone_has_no_second_finger() {
    let server = FakeAdb::phone(30, |_| Reply::shell("")).await;
    let target = target(&server);
    target.prepare(soon()).await.unwrap();
    assert!(!target.capabilities().contains(Capabilities::MULTI_TOUCH));
}

#[tokio::test]
async fn a_root_that_is_missing_for_a_moment_is_waited_for() {
    let count = Arc::new(AtomicUsize::new(0));
    let server = FakeAdb::phone(34, move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0..3 => Reply::Shell(Vec::new(), "ERROR: null root node returned by UiTestAutomationBridge.", 0),
        _ => screen(false),
    })
    .await;
    assert!(target(&server).snapshot(&Scope::Screen, soon()).await.is_ok());
    assert_eq!(server.commands().len(), 4);
    assert!(!server.commands()[3].contains("--windows"));
}

#[tokio::test]
async fn an_app_without_a_window_is_looked_for_once() {
    let other = TREE.replace("com.app", "com.android.systemui");
    let server = FakeAdb::phone(34, move |_| Reply::shell(&format!("{other}{REST}"))).await;
    let target = target(&server);
    target.snapshot(&Scope::Screen, soon()).await.unwrap();
    assert_eq!(server.commands().len(), 2);
    target.snapshot(&Scope::Screen, soon()).await.unwrap();
    assert_eq!(server.commands().len(), 3);
}

#[tokio::test]
async fn a_phone_that_never_lists_its_windows_in_time_is_asked_for_one() {
    let server = FakeAdb::phone(34, |command| match command {
        command if command.contains("--windows") => Reply::shell(&format!(
            "<?xml version='1.0'?><displays></displays>UI hierchary dumped to: /dev/tty{REST}"
        )),
        _ => screen(false),
    })
    .await;
    let target = target(&server);
    for _ in 0..5 {
        assert_eq!(target.snapshot(&Scope::Screen, soon()).await.unwrap().nodes().len(), 2);
    }
    let all = server.commands().iter().filter(|command| command.contains("--windows")).count();
    assert_eq!((all, server.commands().len()), (3, 8));
}

#[tokio::test]
async fn a_screen_that_never_settles_is_answered_with_the_reason() {
    let server = FakeAdb::phone(34, |_| Reply::shell("ERROR: could not get idle state.\n")).await;
    let error = target(&server).snapshot(&Scope::Screen, soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Timeout);
    assert!(error.message().contains("never came to rest"), "{error}");
}

#[tokio::test]
async fn a_phone_that_cannot_print_the_tree_writes_a_file_and_that_is_remembered() {
    let server = FakeAdb::phone(26, |command| match command {
        command if command.contains("/dev/tty") => Reply::shell("cannot open /dev/tty"),
        _ => screen(false),
    })
    .await;
    let target = target(&server);
    target.snapshot(&Scope::Screen, soon()).await.unwrap();
    target.snapshot(&Scope::Screen, soon()).await.unwrap();
    let commands = server.commands();
    assert_eq!(commands.len(), 3, "{commands:?}");
    assert!(commands[1].contains("cat /data/local/tmp/") && commands[2].contains("cat /data/local/tmp/"));
    assert!(commands[2].contains("dumpsys window windows"));
}

#[tokio::test]
async fn every_fault_ends_every_call_by_its_deadline_and_the_next_call_works() {
    let cases: Vec<(Reply, &[Reason])> = vec![
        (Reply::Silence, &[Reason::Timeout]),
        (Reply::Cut(vec![b'x'; 5000], 2000), &[Reason::Disconnected]),
        (Reply::Garbage(b"garbage garbage"), &[Reason::ActionFailed]),
        (Reply::Fail("device offline"), &[Reason::PermissionDenied]),
        (Reply::Shell(vec![0xff; 5000], "what?", 9), &[Reason::ActionFailed, Reason::Timeout]),
    ];
    for (reply, reasons) in cases {
        let broken = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (now_broken, fault) = (Arc::clone(&broken), reply.clone());
        let server = FakeAdb::phone(34, move |command| match command {
            _ if now_broken.load(Ordering::SeqCst) => fault.clone(),
            "screencap 2>/dev/null" => {
                Reply::Shell(vec![1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 9, 9, 9], "", 0)
            }
            _ => screen(true),
        })
        .await;
        let target = target(&server);
        let snapshot = target.snapshot(&Scope::Screen, soon()).await.unwrap();
        broken.store(true, Ordering::SeqCst);
        let query =
            LogQuery { limit: 5, since: None, until: None, tag: None, level: LogLevel::Info, package: None };
        let field = snapshot.indices().nth(1).unwrap();
        let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
        let scroll = Gesture::scroll(Rect::new(0, 0, 100, 100), Direction::Down, Amount::Small);
        let limit = Duration::from_millis(700);
        for call in 0..9 {
            let start = Instant::now();
            let deadline = Deadline::after(limit);
            let result = match call {
                0 => target.snapshot(&Scope::Screen, deadline).await.map(drop),
                1 => target.gesture(&Gesture::tap(Point::new(1.0, 1.0)), &Expected::anyone(), deadline).await,
                2 => target.gesture(&scroll, &Expected::anyone(), deadline).await,
                3 => target.type_text("abc", &Expected::anyone(), deadline).await,
                4 => target.set_text(&snapshot, field, "abc", deadline).await,
                5 => target.press_key(Key::Enter.into(), &Expected::anyone(), deadline).await.map(drop),
                6 => target.system(SystemAction::Notifications, deadline).await,
                7 => target.screenshot(request, deadline).await.map(drop),
                _ => target.read_logs(&query, deadline).await.map(drop),
            };
            let took = start.elapsed();
            assert!(took < limit + GRACE, "{reply:?}, call {call} took {took:?}");
            let error = result.expect_err(&format!("{reply:?}, call {call}"));
            assert!(reasons.contains(&error.reason()), "{reply:?}, call {call}: {error:?}");
        }
        broken.store(false, Ordering::SeqCst);
        assert!(target.snapshot(&Scope::Screen, soon()).await.is_ok(), "{reply:?}");
        assert!(target.screenshot(request, soon()).await.is_ok(), "{reply:?}");
    }
}

#[tokio::test]
async fn a_finger_that_is_down_is_lifted_when_the_caller_goes_away() {
    let server = FakeAdb::phone(34, |_| Reply::shell("")).await;
    let target = target(&server);
    target.prepare(soon()).await.unwrap();
    let scroll = Gesture::scroll(Rect::new(0, 0, 100, 100), Direction::Down, Amount::Small);
    let given_up = tokio::time::timeout(
        Duration::from_millis(100),
        target.gesture(&scroll, &Expected::anyone(), soon()),
    )
    .await;
    assert!(given_up.is_err());
    tokio::time::sleep(Duration::from_millis(1000)).await;
    let commands = server.commands();
    assert!(commands[0].starts_with("input motionevent DOWN"), "{commands:?}");
    assert!(commands.last().unwrap().starts_with("input motionevent UP"), "{commands:?}");
}

#[tokio::test]
async fn a_gesture_longer_than_the_time_left_is_not_begun() {
    let server = FakeAdb::phone(34, |_| Reply::shell("")).await;
    let press = Gesture::long_press(Point::new(5.0, 5.0), Duration::from_secs(3));
    let error = target(&server)
        .gesture(&press, &Expected::anyone(), Deadline::after(Duration::from_millis(500)))
        .await
        .unwrap_err();
    assert_eq!(error.reason(), Reason::Timeout);
    assert!(server.commands().is_empty());
}

#[tokio::test]
async fn a_field_that_does_not_take_the_focus_keeps_its_text() {
    let server = FakeAdb::phone(34, |command| answer(command, false)).await;
    let target = target(&server);
    let snapshot = target.snapshot(&Scope::Screen, soon()).await.unwrap();
    let field = snapshot.indices().nth(1).unwrap();
    let error = target.set_text(&snapshot, field, "new", soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::ActionFailed);
    assert_eq!(server.commands()[2], "input tap 540 150");
    assert!(!server.commands().iter().any(|command| command.contains("key") || command.contains("text new")));
}

#[tokio::test]
async fn a_field_is_tapped_emptied_and_typed_into() {
    let tapped = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let server = FakeAdb::phone(34, move |command| {
        if command.starts_with("input tap") {
            tapped.store(true, Ordering::SeqCst);
        }
        answer(command, tapped.load(Ordering::SeqCst))
    })
    .await;
    let target = target(&server);
    let snapshot = target.snapshot(&Scope::Screen, soon()).await.unwrap();
    let field = snapshot.indices().nth(1).unwrap();
    target.set_text(&snapshot, field, "it's new", soon()).await.unwrap();
    let commands = server.commands();
    assert!(commands[4].starts_with("dumpsys window windows"), "who has the keyboard: {}", commands[4]);
    assert_eq!(commands[5], "input keycombination 113 29 && input keyevent 67");
    assert_eq!(commands[6], r"input text 'it'\''s%snew'");
    let refused = target.set_text(&snapshot, field, "naïve", soon()).await.unwrap_err();
    assert_eq!(refused.reason(), Reason::Unsupported);
    assert_eq!(server.commands().len(), commands.len());
}

#[tokio::test]
async fn a_panel_counts_as_open_once_it_has_the_focus() {
    let open = Arc::new(AtomicUsize::new(0));
    let looks = Arc::clone(&open);
    let server = FakeAdb::phone(34, move |command| match command {
        "cmd statusbar expand-settings" => {
            looks.store(1, Ordering::SeqCst);
            Reply::shell("")
        }
        _ if looks.load(Ordering::SeqCst) > 0 && looks.fetch_add(1, Ordering::SeqCst) > 2 => {
            Reply::shell(&REST.replace("com.app/com.app.Main", "NotificationShade"))
        }
        _ => Reply::shell(REST),
    })
    .await;
    let target = target(&server);
    target.system(SystemAction::QuickSettings, soon()).await.unwrap();
    assert!(open.load(Ordering::SeqCst) > 2);
    target.system(SystemAction::Back, soon()).await.unwrap();
    assert_eq!(server.commands().last().map(String::as_str), Some("input keyevent 4"));
}

#[tokio::test]
async fn a_panel_that_stays_shut_is_a_failure() {
    let server = FakeAdb::phone(34, |_| Reply::shell(REST)).await;
    let deadline = Deadline::after(Duration::from_millis(400));
    let error = target(&server).system(SystemAction::Notifications, deadline).await.unwrap_err();
    assert!(matches!(error.reason(), Reason::ActionFailed | Reason::Timeout), "{error}");
}

#[tokio::test]
async fn fingers_are_sent_to_a_touch_device() {
    let server = FakeAdb::phone(34, |_| Reply::shell(REST)).await;
    let screen = Rect::new(0, 0, 1080, 2400);
    let pinch = Gesture::pinch(Point::new(540.0, 1200.0), 2.0, Duration::from_millis(100), screen).unwrap();
    target(&server).gesture(&pinch, &Expected::anyone(), soon()).await.unwrap();
    assert_eq!(server.commands().last().map(String::as_str), Some("uinput -"));
}

#[tokio::test]
async fn a_picture_is_whole_or_refused() {
    let server = FakeAdb::phone(34, |_| Reply::shell("screencap: permission denied")).await;
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    let error = target(&server).screenshot(request, soon()).await.unwrap_err();
    assert!(error.message().contains("permission denied"), "{error}");
    let pixels = vec![2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let server =
        FakeAdb::phone(34, move |_| Reply::Shell(pixels.clone(), "[Warning] Multiple displays", 0)).await;
    let Screenshot::Raw(pixels) = target(&server).screenshot(request, soon()).await.unwrap() else {
        panic!("raw")
    };
    assert_eq!((pixels.width, pixels.height, pixels.data.as_slice()), (2, 1, &[1, 2, 3, 4, 5, 6, 7, 8][..]));
}

#[tokio::test]
async fn the_log_of_an_app_that_does_not_run_is_empty_with_a_note() {
    let server = FakeAdb::phone(34, |command| match command {
        command if command.starts_with("date") && command.contains("com.here") => {
            Reply::shell("+0100\n@fingertip: next\n42\n@fingertip: next\n  PID NAME\n")
        }
        command if command.starts_with("date") => Reply::shell("+0000\n@fingertip: next\n@fingertip: next\n"),
        _ => Reply::shell("1700000000.000 42 42 I Tag: own\n1700000000.000 43 43 I Tag: other\n"),
    })
    .await;
    let target = target(&server);
    let query = |package: &str| LogQuery {
        limit: 5,
        since: None,
        until: None,
        tag: None,
        level: LogLevel::Debug,
        package: Some(package.to_owned()),
    };
    let gone = target.read_logs(&query("com.gone"), soon()).await.unwrap();
    assert!(gone.lines.is_empty() && gone.note.unwrap().contains("not running"));
    let here = target.read_logs(&query("com.here"), soon()).await.unwrap();
    assert_eq!(here.lines, ["2023-11-14 23:13:20.000    42    42 I Tag: own"]);
}

#[tokio::test]
async fn a_tree_too_long_to_be_read_whole_still_has_its_screen_and_focus() {
    let filler = "<node class=\"android.view.View\" package=\"com.app\" bounds=\"[0,0][10,10]\"/>";
    let nodes = filler.repeat(6 * 1024 * 1024 / filler.len());
    let tree = format!(
        "<?xml version='1.0'?><hierarchy rotation=\"0\"><node package=\"com.app\" bounds=\"[0,0][1080,2400]\">{nodes}</node></hierarchy>"
    );
    let server = FakeAdb::phone(34, move |command| match is_dump(command) {
        true => Reply::shell(&format!("{tree}{REST}")),
        false => Reply::shell(REST),
    })
    .await;
    let snapshot = target(&server).snapshot(&Scope::Screen, soon()).await.unwrap();
    assert!(snapshot.cut.is_some());
    assert_eq!((snapshot.screen.width, snapshot.screen.height, snapshot.screen.density), (1080, 2400, 420));
    assert_eq!(snapshot.app.as_deref(), Some("com.app"));
}
