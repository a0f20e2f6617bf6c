//! A program on the phone itself: the same driver, without adb, through a stand-in for the phone's shell.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_android::{AndroidTarget, Device, Patience, Preference, self_test};
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    Expected, LogLevel, LogQuery, Scope, Screenshot, ScreenshotRequest, SystemAction,
};
use fingertip_core::{Deadline, Reason};
use fingertip_sim::SimPhone;
use fingertip_sim::phone::Profile;

use super::bench::{CALCULATOR, find, soon};

/// A phone whose files are in a folder, and a target that drives it from inside.
struct Inside {
    phone: Arc<SimPhone>,
    device: Device,
    target: AndroidTarget,
    folder: tempfile::TempDir,
}

impl Inside {
    fn start(preference: Preference) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let phone = SimPhone::start(Profile::default());
        phone.run_agents_on(None);
        phone.host_programs(folder.path()).unwrap();
        let device = Device::here_below(folder.path()).unwrap();
        // A stand-in takes longer to start than a shell.
        let patience = Patience { start: Duration::from_secs(15), ..Patience::default() };
        let target = AndroidTarget::new(device.clone()).driven_by(preference).patience(patience);
        Self { phone, device, target, folder }
    }

    async fn tap(&self, key: &str) {
        let snapshot = self.target.snapshot(&Scope::Screen, soon()).await.unwrap();
        let at = snapshot.node(find(&snapshot, key)).bounds.center();
        self.target.gesture(&Gesture::tap(at), &Expected::anyone(), soon()).await.unwrap();
    }

    async fn shows(&self, text: &str) -> bool {
        let snapshot = self.target.snapshot(&Scope::Screen, soon()).await.unwrap();
        snapshot.nodes().iter().any(|node| node.text.as_deref() == Some(text))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shell_drives_the_phone_it_runs_on() {
    drives(Preference::Shell).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_drives_the_phone_it_runs_on() {
    drives(Preference::Agent).await;
}

async fn drives(preference: Preference) {
    let inside = Inside::start(preference);
    let target = &inside.target;
    inside.phone.with(|phone| phone.start(CALCULATOR).map(drop)).unwrap();
    for key in ["digit_7", "op_add", "digit_3", "eq"] {
        inside.tap(key).await;
    }
    assert!(inside.shows("10").await);
    let by_agent = preference == Preference::Agent;
    assert_eq!(target.info().driver, if by_agent { "agent" } else { "shell" });
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    let picture = target.pictures().unwrap().screenshot(request, soon()).await.unwrap();
    assert_eq!(matches!(picture, Screenshot::Jpeg { .. }), by_agent);
    let level = LogLevel::Verbose;
    let query = LogQuery { limit: 5, since: None, until: None, tag: None, level, package: None };
    let logs = target.read_logs(&query, soon()).await.unwrap();
    assert!(!logs.lines.is_empty());
    if by_agent {
        target.set_clipboard("from inside", soon()).await.unwrap();
        assert_eq!(target.get_clipboard(soon()).await.unwrap().as_deref(), Some("from inside"));
        // The agent removed its file, and no other one is there.
        let left: Vec<_> = std::fs::read_dir(inside.folder.path().join("data/local/tmp")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
    target.system(SystemAction::Home, soon()).await.unwrap();
    assert!(inside.shows("Calculator").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_self_test_passes_inside() {
    let inside = Inside::start(Preference::Agent);
    let mut said = Vec::new();
    let failed = self_test::run(&inside.target, |step| said.push(step.to_string())).await;
    assert_eq!(failed, 0, "{said:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_hangs_costs_no_more_than_the_time_of_the_call() {
    let inside = Inside::start(Preference::Shell);
    inside.target.prepare(soon()).await.unwrap();
    inside.phone.faults().change(|plan| plan.frozen_screen = true);
    let begun = Instant::now();
    let late =
        inside.target.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(1))).await.unwrap_err();
    assert_eq!(late.reason(), Reason::Timeout);
    assert!(begun.elapsed() < Duration::from_secs(10));
    inside.phone.faults().clear();
    assert!(inside.shows("Calculator").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shell_that_ends_early_is_an_error_and_the_next_call_works() {
    let inside = Inside::start(Preference::Shell);
    inside.target.prepare(soon()).await.unwrap();
    inside.phone.faults().change(|plan| plan.cut_after = Some(7));
    assert!(inside.target.snapshot(&Scope::Screen, soon()).await.is_err());
    inside.phone.faults().clear();
    assert!(inside.shows("Calculator").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_killed_is_started_again() {
    let inside = Inside::start(Preference::Agent);
    inside.target.prepare(soon()).await.unwrap();
    inside.phone.automation().kill_agents();
    assert!(inside.shows("Calculator").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_the_phones_own() {
    let inside = Inside::start(Preference::Shell);
    inside.device.push("/data/local/tmp/file", 0o600, b"written", soon()).await.unwrap();
    let said = inside.device.run("cat /data/local/tmp/file; stat -c %a /data/local/tmp/file", 100, soon());
    assert_eq!(said.await.unwrap().text(), "written600\n");
    inside.device.run("rm /data/local/tmp/file", 100, soon()).await.unwrap();
    assert!(inside.device.pull("/data/local/tmp/file", soon()).await.is_err());
}
