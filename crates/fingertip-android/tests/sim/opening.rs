//! Opening, listing and closing applications, by both drivers.

use std::time::Duration;

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, LaunchPlan, LaunchRequest};
use fingertip_core::{Deadline, Reason, Result};

use super::bench::{Bench, soon};

const PACKAGE: &str = "com.android.calculator2";
const NOTES: &str = "com.fingertip.demo.notes";

async fn planned(bench: &Bench, app: &str, document: Option<&str>) -> Result<LaunchPlan> {
    let request =
        LaunchRequest { app: app.to_owned(), document: document.map(str::to_owned), unvetted: false };
    bench.target.plan_launch(&request, soon()).await
}

async fn both() -> [Bench; 2] {
    [Bench::start().await, Bench::agent().await]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_is_opened_and_in_front_and_closed_again() {
    for bench in both().await {
        let calculator = planned(&bench, PACKAGE, None).await.unwrap();
        let opened = bench.target.launch(&calculator, soon()).await.unwrap();
        assert!(!opened.was_running);
        assert_eq!(opened.window.unwrap().app.as_deref(), Some(PACKAGE));
        assert_eq!(bench.phone.with(|phone| phone.focus().package), PACKAGE);

        // Another one by the last word of its package, then back to the first, which runs.
        let notes = planned(&bench, "notes", None).await.unwrap();
        bench.target.launch(&notes, soon()).await.unwrap();
        assert_eq!(bench.phone.with(|phone| phone.focus().package), NOTES);
        let again = bench.target.launch(&calculator, soon()).await.unwrap();
        assert!(again.was_running && again.window.is_some());

        let closed = bench.target.close_app(&AppRef::named(PACKAGE), soon()).await.unwrap();
        assert!(closed.left.is_empty() && !closed.still_running && closed.windows == 1, "{closed:?}");
        assert_eq!(bench.phone.with(|phone| phone.pid_of(PACKAGE)), None);
        let gone = bench.target.close_app(&AppRef::named(PACKAGE), soon()).await.unwrap_err();
        assert_eq!(gone.reason(), Reason::NotRunning);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_url_goes_to_the_application_named_and_to_no_other() {
    let bench = Bench::start().await;
    let url = "https://example.org/?a=$(reboot)&b='x'";
    let plan = planned(&bench, NOTES, Some(url)).await.unwrap();
    assert!(plan.words.iter().any(|word| word == url) && plan.words.ends_with(&["-p".into(), NOTES.into()]));
    let opened = bench.target.launch(&plan, soon()).await.unwrap();
    assert_eq!(opened.window.unwrap().app.as_deref(), Some(NOTES));
    let error = planned(&bench, NOTES, Some("/sdcard/a.txt")).await.unwrap_err();
    assert_eq!(error.reason(), Reason::InvalidParams);
}

#[tokio::test(flavor = "multi_thread")]
async fn not_installed_switched_off_and_without_an_icon_are_told_apart() {
    let bench = Bench::start().await;
    let reason = async |app: &str| planned(&bench, app, None).await.unwrap_err().reason();
    assert_eq!(reason("org.none").await, Reason::NotFound);
    assert_eq!(reason("com.android.systemui").await, Reason::Unsupported);
    assert_eq!(reason("com.android.calculator2; reboot").await, Reason::NotFound);
    bench.phone.with(|phone| phone.set_enabled(PACKAGE, false));
    assert_eq!(reason(PACKAGE).await, Reason::Disabled);
    let listed = bench.target.installed(soon()).await.unwrap().apps;
    let calculator = listed.iter().find(|app| &*app.id == PACKAGE).unwrap();
    assert!(calculator.closed.is_some());
    assert!(listed.iter().all(|app| &*app.id != "com.android.systemui"));
    bench.phone.with(|phone| phone.set_enabled(PACKAGE, true));
    assert!(planned(&bench, PACKAGE, None).await.is_ok());
    let system = bench.target.close_app(&AppRef::named("com.android.systemui"), soon()).await.unwrap_err();
    assert_eq!(system.reason(), Reason::Unsupported, "the system is not stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stays_in_front_of_it_is_named() {
    let bench = Bench::start().await;
    // What is started hands over to another application.
    let notes = planned(&bench, NOTES, None).await.unwrap();
    let plan = LaunchPlan { id: "com.android.contacts".into(), ..notes };
    let error = bench.target.launch(&plan, Deadline::after(Duration::from_secs(5))).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Covered, "{error}");
    assert_eq!(error.app(), Some(NOTES));
}
