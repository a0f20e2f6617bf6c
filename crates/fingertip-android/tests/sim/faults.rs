//! A phone in trouble: every call ends by its deadline with the right reason, and works again afterwards.

use std::time::{Duration, Instant};

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key, LogLevel, LogQuery, Scope, ScreenshotRequest};
use fingertip_core::{Deadline, Point, Reason};
use fingertip_sim::{FaultPlan, Latency, Presence};

use super::bench::{Bench, CONTACT, find, soon};

const LIMIT: Duration = Duration::from_millis(600);
const GRACE: Duration = Duration::from_secs(3);

/// A fault, and the reasons with which looking, acting and reading may end; none where they may work.
type Case = (&'static str, fn(&mut FaultPlan), [&'static [Reason]; 3]);

const CASES: &[Case] = &[
    (
        "slow",
        |plan| plan.latency = vec![Latency { prefix: String::new(), delay: Duration::from_secs(30) }],
        [&[Reason::Timeout], &[Reason::Timeout], &[Reason::Timeout]],
    ),
    (
        "cut",
        |plan| plan.cut_after = Some(3),
        [&[Reason::Disconnected], &[Reason::Disconnected], &[Reason::Disconnected]],
    ),
    (
        "garbage",
        |plan| plan.garbage = true,
        [&[Reason::ActionFailed, Reason::Timeout, Reason::Disconnected]; 3],
    ),
    ("offline", |plan| plan.presence = Presence::Offline, [&[Reason::PermissionDenied]; 3]),
    ("unauthorized", |plan| plan.presence = Presence::Unauthorized, [&[Reason::PermissionDenied]; 3]),
    ("away", |plan| plan.presence = Presence::Away, [&[Reason::PermissionDenied, Reason::Disconnected]; 3]),
    ("frozen", |plan| plan.frozen_screen = true, [&[Reason::Timeout], &[Reason::Timeout], &[]]),
    ("never idle", |plan| plan.never_idle = true, [&[Reason::Timeout], &[], &[]]),
];

#[tokio::test]
async fn every_fault_ends_in_time_and_leaves_nothing_broken() {
    for (name, fault, reasons) in CASES {
        let bench = Bench::start().await;
        bench.open(CONTACT);
        bench.look().await;
        bench.phone.faults().change(fault);
        for call in 0..5 {
            let start = Instant::now();
            let deadline = Deadline::after(LIMIT);
            let result = match call {
                0 => bench.target.snapshot(&Scope::Screen, deadline).await.map(drop),
                1 => {
                    bench
                        .target
                        .gesture(&Gesture::tap(Point::new(5.0, 300.0)), &Expected::anyone(), deadline)
                        .await
                }
                2 => bench.target.type_text("a", &Expected::anyone(), deadline).await,
                3 => bench.target.press_key(Key::Tab.into(), &Expected::anyone(), deadline).await.map(drop),
                _ => {
                    let query = LogQuery {
                        limit: 5,
                        since: None,
                        until: None,
                        tag: None,
                        level: LogLevel::Info,
                        package: None,
                    };
                    bench.target.read_logs(&query, deadline).await.map(drop)
                }
            };
            let took = start.elapsed();
            assert!(took < LIMIT + GRACE, "{name}, call {call} took {took:?}");
            let expected = reasons[[0, 1, 1, 1, 2][call]];
            match result {
                Ok(()) => assert!(expected.is_empty(), "{name}, call {call} worked"),
                Err(error) => assert!(expected.contains(&error.reason()), "{name}, call {call}: {error:?}"),
            }
        }
        bench.phone.faults().clear();
        let snapshot = bench
            .target
            .snapshot(&Scope::Screen, soon())
            .await
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        bench.target.set_text(&snapshot, find(&snapshot, "first_name"), "Bob", soon()).await.unwrap();
        assert_eq!(bench.text("first_name").await.as_deref(), Some("Bob"), "{name}");
    }
}

#[tokio::test]
async fn a_screenshot_that_fails_says_so() {
    let bench = Bench::start().await;
    bench.phone.faults().change(|plan| plan.screencap_fails = true);
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    let error = bench.target.screenshot(request, soon()).await.unwrap_err();
    assert_eq!(error.reason(), Reason::ActionFailed);
}

#[tokio::test]
async fn a_phone_that_goes_away_during_a_call_ends_it() {
    let bench = Bench::start().await;
    bench.look().await;
    bench.phone.faults().change(|plan| plan.frozen_screen = true);
    let (phone, start) = (bench.phone.clone(), Instant::now());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(200)).await;
        phone.faults().change(|plan| plan.presence = Presence::Away);
    });
    let error =
        bench.target.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(3))).await.unwrap_err();
    assert_eq!(error.reason(), Reason::Disconnected, "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(1));
    bench.phone.faults().clear();
    bench.look().await;
}
