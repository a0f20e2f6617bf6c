//! Many calls at once, by one client: they are all answered, and hold another client's action up by one of them at most.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::fair::Claim;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Scope, ScreenshotRequest};
use fingertip_core::{Deadline, Point};

use super::bench::{Bench, CALCULATOR, soon};

const PATIENCE: Duration = Duration::from_secs(120);

fn of(client: u64, acts: bool) -> Deadline {
    Deadline::after(PATIENCE).on_behalf(Claim { client, acts })
}

async fn crowd_and_swipe(bench: Bench, looks: usize, pictures: usize) {
    bench.open(CALCULATOR);
    bench.look().await;
    let driver = bench.target.info().driver;
    let bench = Arc::new(bench);
    let crowd: Vec<_> = (0..looks + pictures)
        .map(|turn| {
            let bench = Arc::clone(&bench);
            tokio::spawn(async move {
                if turn < pictures {
                    let request = ScreenshotRequest { region: None, longest_side: Some(200), quality: 50 };
                    bench.target.screenshot(request, of(1, false)).await.map(drop)
                } else {
                    bench.target.snapshot(&Scope::Screen, of(1, false)).await.map(drop)
                }
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(5)).await;
    let start = Instant::now();
    let swipe = Gesture::swipe(Point::new(100.0, 900.0), Point::new(100.0, 500.0), Duration::from_millis(20));
    let receivers = bench.target.receivers(of(2, true)).await;
    let swiped = bench.target.gesture(&swipe, &Expected::anyone(), of(2, true)).await;
    let took = start.elapsed();
    let waiting = crowd.iter().filter(|call| !call.is_finished()).count();
    assert!(receivers.is_ok() && swiped.is_ok(), "{receivers:?} {swiped:?}");
    assert!(
        waiting > (looks + pictures) / 4,
        "only {waiting} still waited when the swipe had ended after {took:?}"
    );
    for read in crowd {
        assert_eq!(read.await.unwrap(), Ok(()));
    }
    assert_eq!(bench.target.info().driver, driver, "nothing ended the agent");
}

#[tokio::test]
async fn eighty_reads_through_the_agent_are_answered_and_another_clients_swipe_passes_them() {
    crowd_and_swipe(Bench::agent().await, 80, 2).await;
}

#[tokio::test]
async fn forty_reads_by_shell_are_answered_and_another_clients_swipe_passes_them() {
    crowd_and_swipe(Bench::start().await, 4, 36).await;
}

#[tokio::test]
async fn a_phone_never_has_more_than_a_few_commands_at_once() {
    let bench = Arc::new(Bench::start().await);
    let device = bench.adb.device(bench.target.serial());
    let running: Vec<_> = (0..40)
        .map(|_| {
            let device = device.clone();
            tokio::spawn(async move { device.run("sleep 0.2; echo done", 100, soon()).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let most = bench.server.clients();
    assert!(most <= 8, "{most} streams");
    for output in running {
        assert_eq!(output.await.unwrap().unwrap().text(), "done\n");
    }
}
