//! An agent in trouble: the right answer each time, and recovery without a restart.

use std::time::{Duration, Instant};

use fingertip_android::Preference;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Capabilities, Expected, Scope};
use fingertip_core::{Deadline, Point, Reason};
use fingertip_sim::phone::Profile;
use fingertip_sim::{AgentFault, Presence};

use super::bench::{Bench, CALCULATOR, find, soon};

/// How long recovery may take, back-off included.
const RECOVERY: Duration = Duration::from_secs(20);

/// Looks until this driver serves.
pub(crate) async fn until_driven_by(bench: &Bench, driver: &str) {
    let start = Instant::now();
    while bench.target.info().driver != driver {
        assert!(start.elapsed() < RECOVERY, "still {}", bench.target.info().driver);
        let _ = bench.target.snapshot(&Scope::Screen, soon()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_killed_agent_is_started_again_with_the_next_call() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    bench.look().await;
    bench.phone.automation().kill_agents();
    tokio::time::sleep(Duration::from_millis(100)).await;
    bench.press("digit_7").await;
    assert_eq!(bench.text("formula").await.as_deref(), Some("7"));
    assert_eq!(bench.target.info().driver, "agent");
    assert!(bench.phone.automation().is_held(), "the new agent has it");
}

#[tokio::test]
async fn an_agent_that_dies_again_and_again_is_left_alone_for_a_while() {
    let bench = Bench::agent().await;
    for _ in 0..5 {
        bench.look().await;
        bench.phone.automation().kill_agents();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bench.look().await;
    assert_eq!(bench.target.info().driver, "shell");
    assert!(bench.target.why_no_agent().unwrap().to_string().contains("again and again"));
    until_driven_by(&bench, "agent").await;
}

#[tokio::test]
async fn an_agent_that_hangs_costs_one_bounded_wait() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    bench.look().await;
    bench.phone.faults().change(|plan| plan.agent = AgentFault::Hung);
    let start = Instant::now();
    bench.look().await;
    let first = start.elapsed();
    assert!(first < Duration::from_secs(18), "{first:?}");
    assert_eq!(bench.target.info().driver, "shell");
    let again = Instant::now();
    for _ in 0..3 {
        bench.look().await;
    }
    assert!(again.elapsed() < Duration::from_secs(18), "{:?}", again.elapsed());
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
}

#[tokio::test]
async fn an_agent_that_never_speaks_costs_one_bounded_wait_and_the_shell_serves() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    bench.phone.faults().change(|plan| plan.agent = AgentFault::SilentStart);
    let start = Instant::now();
    bench.look().await;
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert_eq!(bench.target.info().driver, "shell");
    assert!(bench.target.why_no_agent().is_some());
    // A short call does not wait for the agent longer than half of its time.
    let quick = bench.target.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(2))).await;
    assert!(quick.is_ok(), "{quick:?}");
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
}

#[tokio::test]
async fn an_agent_that_cannot_start_says_why_and_the_shell_serves() {
    let bench = Bench::agent().await;
    bench.phone.faults().change(|plan| plan.agent = AgentFault::NoStart);
    bench.look().await;
    assert_eq!(bench.target.info().driver, "shell");
    assert!(!bench.target.capabilities().contains(Capabilities::CLIPBOARD));
    let why = bench.target.why_no_agent().unwrap();
    assert!(why.to_string().contains("NoClassDefFoundError"), "{why}");
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
    assert!(bench.target.capabilities().contains(Capabilities::CLIPBOARD));
}

#[tokio::test]
async fn an_agent_of_another_version_is_replaced() {
    let bench = Bench::agent().await;
    bench.phone.faults().change(|plan| plan.agent = AgentFault::OtherVersion);
    bench.look().await;
    assert_eq!(bench.target.info().driver, "agent");
    assert_eq!(bench.phone.faults().plan().agent, AgentFault::None, "the first one was of another version");
}

#[tokio::test]
async fn while_another_tool_has_uiautomation_the_shell_serves_and_says_so() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    bench.phone.faults().change(|plan| plan.automation_taken = true);
    bench.press("digit_7").await;
    assert_eq!(bench.text("formula").await.as_deref(), Some("7"));
    assert_eq!(bench.target.info().driver, "shell");
    assert!(bench.target.why_no_agent().unwrap().to_string().contains("Another tool"));
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
}

#[tokio::test]
async fn uiautomation_taken_in_the_middle_changes_the_driver_within_the_call() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    bench.look().await;
    // Given back after a while without use, as the agent does; then the other tool takes it.
    bench.target.agent().unwrap().release(soon()).await.unwrap();
    bench.phone.faults().change(|plan| plan.automation_taken = true);
    let snapshot = bench.look().await;
    assert_eq!(bench.target.info().driver, "shell");
    assert!(!snapshot.nodes().is_empty());
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
}

#[tokio::test]
async fn a_phone_that_starts_again_is_driven_by_a_new_agent() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    bench.look().await;
    let phone = bench.phone.clone();
    let rebooting = tokio::spawn(async move { phone.reboot(Duration::from_millis(800)).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let error =
        bench.target.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(5))).await.unwrap_err();
    assert!(matches!(error.reason(), Reason::PermissionDenied | Reason::Disconnected), "{error:?}");
    rebooting.await.unwrap();
    assert_eq!(bench.look().await.app.as_deref(), Some("com.android.launcher3"));
    until_driven_by(&bench, "agent").await;
}

#[tokio::test]
async fn a_forced_agent_that_does_not_serve_is_an_error() {
    let bench = Bench::with(Profile::default(), Preference::Agent).await;
    bench.phone.run_agents_on(None);
    bench.phone.faults().change(|plan| plan.agent = AgentFault::NoStart);
    let error = bench.target.snapshot(&Scope::Screen, soon()).await.unwrap_err();
    assert!(error.to_string().contains("did not start"), "{error}");
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
    let start = Instant::now();
    while bench.target.snapshot(&Scope::Screen, soon()).await.is_err() {
        assert!(start.elapsed() < RECOVERY);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_frozen_screen_ends_each_call_by_its_deadline() {
    let bench = Bench::agent().await;
    bench.open(CALCULATOR);
    let snapshot = bench.look().await;
    let at = snapshot.node(find(&snapshot, "digit_7")).bounds.center();
    bench.phone.faults().change(|plan| plan.frozen_screen = true);
    for _ in 0..2 {
        let start = Instant::now();
        let limit = Deadline::after(Duration::from_millis(500));
        let error = bench.target.snapshot(&Scope::Screen, limit).await.unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout);
        let touched = bench
            .target
            .gesture(&Gesture::tap(at), &Expected::anyone(), Deadline::after(Duration::from_millis(500)))
            .await;
        assert_eq!(touched.unwrap_err().reason(), Reason::Timeout);
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
    bench.phone.faults().clear();
    bench.tap(Point::new(at.x, at.y)).await;
    assert_eq!(bench.text("formula").await.as_deref(), Some("7"));
}

#[tokio::test]
async fn a_phone_that_is_away_says_so_and_comes_back() {
    let bench = Bench::agent().await;
    bench.look().await;
    bench.phone.faults().change(|plan| plan.presence = Presence::Unauthorized);
    let error =
        bench.target.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(5))).await.unwrap_err();
    assert!(matches!(error.reason(), Reason::PermissionDenied | Reason::Disconnected), "{error:?}");
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
}
