//! An application that hangs for very many calls: nothing grows, and others are served meanwhile.
//!
//! `cargo test --release -p fingertip-macos --test hung -- --nocapture` prints what was measured.

#![expect(clippy::print_stdout, reason = "`--nocapture` shows what was measured")]
#![cfg(target_os = "linux")]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Part, Scope};
use fingertip_core::{Deadline, Reason};
use fingertip_macos::Desktop;
use fingertip_macos_sim::{Mac, apps};

const CALLS: usize = 10_000;
/// After these everything that is made once has been made, and the simulated Mac frees as much as it makes.
const WARM: usize = 4_000;
/// What each call may take: less than the application is probed for.
const LIMIT: Duration = Duration::from_millis(20);
const CALLERS: usize = 4;
/// How long the slowest look at another application may take, on a machine that does other things too.
const OTHERS_WITHIN: Duration = Duration::from_secs(10);
/// Threads of the runtime.
const WORKERS: usize = 4;
/// How many threads there may be: one for each of the 32 calls that may block at a time, those of the runtime, and some of the
/// desktop and of the test. How many of them there are at a moment depends on what else the machine does.
const MOST_THREADS: u64 = 64;
/// How much more memory there may be at the end, in KiB: a few more threads with heaps of their own, and no more.
const MOST_GROWN: u64 = 16_384;

/// A number of `/proc/self/status`.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
    line.trim_matches([':', ' ', '\t']).trim_end_matches(" kB").parse().expect("a number")
}

fn of(app: &str) -> Scope {
    Scope::App { app: AppRef::named(app), part: Part::Visible }
}

async fn hang(desktop: &Desktop, made: &AtomicUsize, until: usize) {
    while made.fetch_add(1, Ordering::Relaxed) < until {
        let hung = desktop.snapshot(&of("Finder"), Deadline::after(LIMIT)).await;
        assert_eq!(hung.expect_err("no answer").reason(), Reason::Timeout);
        // As a server would: others get their turn.
        tokio::task::yield_now().await;
    }
}

#[test]
fn ten_thousand_calls_leave_nothing_behind() {
    let mut world = apps::desktop();
    world.app_mut("Finder").hung = true;
    let mut mac = Mac::start(world);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(WORKERS).enable_all().build().expect("a runtime");
    let desktop = Desktop::new();
    runtime.block_on(async {
        let (made, done) = (AtomicUsize::new(0), AtomicBool::new(false));
        let others = async {
            let mut took = Vec::new();
            while !done.load(Ordering::Relaxed) {
                let start = Instant::now();
                let limit = Deadline::after(OTHERS_WITHIN);
                desktop.snapshot(&of("TextEdit"), limit).await.expect("others answer");
                took.push(start.elapsed());
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            took.sort_unstable();
            took
        };
        let calls = async {
            let round = async |until| {
                futures_util::future::join_all((0..CALLERS).map(|_| hang(&desktop, &made, until))).await;
                made.store(until, Ordering::Relaxed);
                (status("VmRSS"), status("Threads"), mac.live_objects())
            };
            let warm = round(WARM).await;
            let end = round(CALLS).await;
            done.store(true, Ordering::Relaxed);
            (warm, end)
        };
        let start = Instant::now();
        let (took, (warm, end)) = tokio::join!(others, calls);
        let (middle, slowest) = (took[took.len() / 2], took[took.len() - 1]);
        println!(
            "{CALLS} calls in {:.1?}; memory {} -> {} KiB, threads {} -> {}, objects {} -> {}; {} looks at another \
             application meanwhile: median {middle:.1?}, slowest {slowest:.1?}",
            start.elapsed(), warm.0, end.0, warm.1, end.1, warm.2, end.2, took.len(),
        );
        assert!(end.0 <= warm.0 + MOST_GROWN, "memory grew from {} to {} KiB", warm.0, end.0);
        assert!(end.1 <= MOST_THREADS, "threads grew from {} to {}", warm.1, end.1);
        assert!(slowest < OTHERS_WITHIN, "{slowest:?}");
    });
    drop(desktop);
    drop(runtime);
    let report = mac.report();
    assert!(report.is_clean(), "{:#?}", report.leaks);
}
