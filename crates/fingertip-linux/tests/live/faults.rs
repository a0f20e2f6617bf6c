//! Applications and buses that stop, end or are not there.

use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Part, Scope};
use fingertip_core::{Deadline, Reason};
use fingertip_linux::LinuxTarget;

use crate::support::{Session, read_when, scope, shows, soon};

/// How long a call on a frozen application may take.
const DEADLINE: Duration = Duration::from_secs(2);
/// What is added to a deadline before it counts as missed, on a machine that is busy.
const GRACE: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_application_costs_only_itself() {
    let session = Session::start();
    let frozen = session.script("gtk3_form.py");
    let other = session.launch("mousepad", &[]);
    let target = session.target().await;
    read_when(&target, &scope(&frozen, Part::Visible), |read| shows(read, "Cell 3")).await;
    read_when(&target, &scope(&other, Part::Visible), |read| read.nodes().len() > 5).await;

    frozen.signal("STOP");
    let start = Instant::now();
    let error = target.snapshot(&scope(&frozen, Part::Visible), Deadline::after(DEADLINE)).await.unwrap_err();
    assert!(start.elapsed() < DEADLINE + GRACE);
    assert_eq!(error.reason(), Reason::Timeout);
    assert_eq!(error.app(), Some("gtk3_form.py"));
    assert!(target.snapshot(&scope(&other, Part::Visible), soon()).await.unwrap().nodes().len() > 5);
    // Services of the desktop, as portals, may be applications too.
    let apps = target.apps(soon()).await.unwrap();
    for pid in [frozen.pid(), other.pid()] {
        assert_eq!(apps.iter().filter(|app| app.pid == Some(pid)).count(), 1, "{apps:?}");
    }
    assert!(target.windows(soon()).await.unwrap().len() >= 2);

    // A client that comes only now cannot learn its name, and is kept waiting by it no more than others are.
    let late = session.target().await;
    let apps = late.apps(soon()).await.unwrap();
    assert!(apps.iter().any(|app| app.pid == Some(frozen.pid())), "{apps:?}");

    frozen.signal("CONT");
    read_when(&target, &scope(&frozen, Part::Visible), |read| shows(read, "Cell 3")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_that_ends_is_reported_and_the_next_call_works() {
    let session = Session::start();
    let process = session.script("gtk3_list.py");
    let target = session.target().await;
    let whole = scope(&process, Part::Whole);
    read_when(&target, &scope(&process, Part::Visible), |read| shows(read, "Go 3")).await;
    let reading = target.snapshot(&whole, soon());
    let killing = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        process.signal("KILL");
    };
    let (answer, ()) = tokio::join!(reading, killing);
    match answer {
        Ok(partial) => assert!(partial.cut.is_some(), "a partial answer says so"),
        Err(error) => assert!(matches!(error.reason(), Reason::Disconnected | Reason::NotFound), "{error:?}"),
    }
    let gone = target.snapshot(&whole, soon()).await.unwrap_err();
    assert_eq!(gone.reason(), Reason::NotFound);
    assert!(target.apps(soon()).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_accessibility_bus_the_remedy_is_named() {
    let mut session = Session::bare();
    // A bus that starts no services on demand.
    let error = LinuxTarget::connect(fingertip_linux::Environment::default(), soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::PermissionDenied);
    assert!(error.guidance().unwrap().contains("DBUS_SESSION_BUS_ADDRESS"));
    session.environment.accessibility_bus = Some("unix:path=/nowhere/at-all".to_owned());
    let error = LinuxTarget::connect(session.environment.clone(), soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::PermissionDenied);
    assert!(error.guidance().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_applications_of_one_name_are_told_apart_by_process() {
    let session = Session::start();
    let (first, second) = (session.script("gtk3_form.py"), session.script("gtk3_form.py"));
    let target = session.target().await;
    for process in [&first, &second] {
        read_when(&target, &scope(process, Part::Visible), |read| shows(read, "Cell 3")).await;
    }
    let both = Scope::App { app: AppRef::named("gtk3_form.py"), part: Part::Visible };
    let error = target.snapshot(&both, soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Ambiguous);
    for process in [&first, &second] {
        assert!(error.message().contains(&process.pid().to_string()), "{error:?}");
    }
    let absent = Scope::App { app: AppRef::named("no such program"), part: Part::Visible };
    assert_eq!(target.snapshot(&absent, soon()).await.unwrap_err().reason(), Reason::NotFound);
}
