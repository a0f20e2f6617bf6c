//! Opening real applications, closing them, and acting on their windows.

use std::process::Command;
use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{Capabilities, LaunchPlan, LaunchRequest, Launched, WindowAction};
use fingertip_core::{Deadline, Reason, Rect, Window};
use fingertip_linux::{Environment, LinuxTarget};

use crate::support::{Session, soon};

/// How long something may take to be so.
const SO_WITHIN: Duration = Duration::from_secs(30);

/// A deadline that only a hang misses, for an application that starts cold on a busy machine.
fn patient() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

/// What is opened ends with the test: nothing else would end it.
struct Opened(u32);

impl Drop for Opened {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.to_string()).status();
    }
}

async fn target(session: &mut Session) -> LinuxTarget {
    session.environment.variables = session.variables();
    session.target().await
}

async fn plan(target: &LinuxTarget, app: &str, file: Option<&str>) -> LaunchPlan {
    let request = LaunchRequest { app: app.to_owned(), document: file.map(str::to_owned), unvetted: false };
    target.plan_launch(&request, soon()).await.expect(app)
}

async fn open(target: &LinuxTarget, app: &str, file: Option<&str>) -> (Launched, Window, Opened) {
    let plan = plan(target, app, file).await;
    assert!(plan.vetted, "{plan:?}");
    let launched = target.launch(&plan, patient()).await.expect(app);
    let window = launched.window.clone().unwrap_or_else(|| panic!("no window: {launched:?}"));
    let pid = window.pid.expect("a process");
    (launched, window, Opened(pid))
}

async fn until(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !so().await {
        assert!(begun.elapsed() < SO_WITHIN, "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn session_of(pid: u32) -> String {
    let output = Command::new("ps").args(["-o", "sid=", "-p", &pid.to_string()]).output().expect("ps");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_is_opened_with_a_file_and_closed_without_losing_it() {
    let mut session = Session::start();
    let target = target(&mut session).await;
    let file = session.file("-rf notes; x.txt");
    std::fs::write(&file, "kept\n").unwrap();
    let (launched, window, opened) = open(&target, "mousepad", file.to_str()).await;
    assert!(!launched.was_running, "{launched:?}");
    assert!(window.title.as_deref().is_some_and(|title| title.contains("notes; x.txt")), "{window:?}");
    assert_eq!(session_of(opened.0), opened.0.to_string(), "it leads a session of its own");

    // A second time: it runs, and one of its windows is in front.
    let again = plan(&target, "org.xfce.mousepad", None).await;
    let again = target.launch(&again, patient()).await.unwrap();
    assert!(again.was_running && again.window.is_some(), "{again:?}");

    // Unsaved words: its dialog is named, nothing is lost, nothing is killed.
    let own = |windows: Vec<Window>| {
        windows.into_iter().filter(|window| window.pid == Some(opened.0)).collect::<Vec<_>>()
    };
    let front = own(target.windows(soon()).await.unwrap()).into_iter().find(|window| window.focused).unwrap();
    session.type_keys("unsaved");
    until("the title shows the change", async || {
        let now = own(target.windows(soon()).await.unwrap());
        now.iter().any(|window| window.handle == front.handle && window.title != front.title)
    })
    .await;
    let app = target.apps(soon()).await.unwrap().into_iter().find(|app| app.pid == Some(opened.0)).unwrap();
    let closed = target.close_app(&app.reference(), patient()).await.unwrap();
    assert!(closed.left.iter().any(|window| window.handle == front.handle), "{closed:?}");
    assert!(closed.left.len() > 1, "the dialog that asks is there: {closed:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "kept\n");
    let refused = target.act_on_window(&front, WindowAction::Close, soon()).await;
    assert!(refused.is_err() || refused.unwrap().is_some(), "it is still there");

    let pid = opened.0;
    drop(opened);
    // It was a child of this program and is waited for.
    until("no zombie is left", async || !std::path::Path::new(&format!("/proc/{pid}")).exists()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_are_moved_sized_minimized_maximized_restored_and_closed() {
    let mut session = Session::start();
    let target = target(&mut session).await;
    let (_, window, _opened) = open(&target, "galculator", None).await;
    let act =
        async |action| target.act_on_window(&window, action, soon()).await.unwrap().expect("still there");
    let moved = act(WindowAction::Move { x: 200, y: 150 }).await;
    assert_eq!((moved.bounds.left, moved.bounds.top), (200, 150));
    let (width, height) = (moved.bounds.width() + 120, moved.bounds.height() + 80);
    let size = WindowAction::Resize { width: width.unsigned_abs(), height: height.unsigned_abs() };
    let sized = act(size).await;
    assert_eq!((sized.bounds.width(), sized.bounds.height()), (width, height));
    let full = act(WindowAction::Maximize).await;
    assert_eq!(full.bounds, Rect::new(0, 0, 1920, 1080));
    let restored = act(WindowAction::Restore).await;
    assert_eq!(restored.bounds.width(), width, "{restored:?}");
    assert!(act(WindowAction::Minimize).await.minimized);
    assert!(
        target
            .windows(soon())
            .await
            .unwrap()
            .iter()
            .any(|other| other.handle == window.handle && other.minimized)
    );
    assert!(!act(WindowAction::Restore).await.minimized);

    // Another one in front, then this one again; what the X server says counts.
    let (_, other, _other) = open(&target, "mousepad", None).await;
    assert!(act(WindowAction::Activate).await.focused);
    let gone = target.act_on_window(&other, WindowAction::Close, soon()).await.unwrap();
    assert_eq!(gone, None);
    let stale = target.act_on_window(&other, WindowAction::Activate, soon()).await.unwrap_err();
    assert_eq!(stale.reason(), Reason::Stale, "{stale}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_without_a_tree_is_listed_as_running_and_closed() {
    let mut session = Session::start();
    let target = target(&mut session).await;
    let (_, window, opened) = open(&target, "xterm", None).await;
    assert_eq!(window.app.as_deref(), Some("xterm"));
    let apps = target.apps(soon()).await.unwrap();
    let app = apps.iter().find(|app| app.pid == Some(opened.0)).expect("what shows a window runs");
    assert_eq!(&*app.name, "xterm");
    let closed = target.close_app(&app.reference(), patient()).await.unwrap();
    assert!(closed.left.is_empty() && closed.windows == 1, "{closed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_manager_opens_folders_and_nothing_else() {
    let mut session = Session::start();
    let target = target(&mut session).await;
    let folder = session.file("folder to see");
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("evil.desktop");
    std::fs::write(&file, "[Desktop Entry]\nType=Application\nName=E\nExec=xterm\n").unwrap();
    let request = |file: &std::path::Path| LaunchRequest {
        app: "thunar".to_owned(),
        document: file.to_str().map(str::to_owned),
        unvetted: false,
    };
    let refused = target.plan_launch(&request(&file), soon()).await.unwrap_err();
    assert_eq!(refused.reason(), Reason::Unsupported, "{refused}");
    let (_, window, _opened) = open(&target, "thunar", folder.to_str()).await;
    assert!(window.title.as_deref().is_some_and(|title| title.contains("folder to see")), "{window:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_window_manager_the_answer_is_honest() {
    let mut session = Session::bare();
    session.environment.variables = session.variables();
    let terminal = session.launch("xterm", &[]);
    let x11_only = LinuxTarget::new(session.environment.clone());
    assert!(x11_only.capabilities().contains(Capabilities::WINDOWS));
    let begun = Instant::now();
    let window = loop {
        let id = session.window_of(terminal.pid());
        if let Some(id) = id {
            let mut window = Window::new("xterm", Rect::default());
            (window.handle, window.pid) = (Some(id.into()), Some(terminal.pid()));
            break window;
        }
        assert!(begun.elapsed() < SO_WITHIN, "xterm never shows a window");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let refused = x11_only.act_on_window(&window, WindowAction::Maximize, soon()).await.unwrap_err();
    assert_eq!(refused.reason(), Reason::Unsupported, "{refused}");
    assert!(refused.message().contains("no window manager"), "{refused}");
}

#[test]
fn under_wayland_windows_are_not_offered() {
    let offers = |environment: Environment| LinuxTarget::new(environment).capabilities();
    let of_windows = Capabilities::WINDOWS | Capabilities::CLOSE_APPS;
    let wayland =
        offers(Environment { wayland: Some("/nowhere/wayland-9".into()), ..Environment::default() });
    assert!(wayland.contains(Capabilities::APPS) && !wayland.intersects(of_windows));
    let x11 = Environment { display: Some(":0".to_owned()), ..Environment::default() };
    assert!(offers(x11).contains(of_windows));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_shows_nothing_is_in_the_background_until_it_shows_something() {
    let session = Session::start();
    let service = session.script("background_gtk3.py");
    let target = session.target().await;
    let told = async || {
        let apps = target.apps(soon()).await.unwrap();
        apps.into_iter().find(|app| app.pid == Some(service.pid())).map(|app| app.background)
    };
    until("it is on the bus, in the background", async || told().await == Some(true)).await;
    service.signal("USR1");
    until("it shows something", async || told().await == Some(false)).await;
}
