//! Reads one application again and again and says how long it took and how many calls it needed.
//!
//! `cargo run --release -p fingertip-linux --example measure -- PID [ROUNDS]`, inside the session to measure.

use std::io::Write;
use std::time::{Duration, Instant};

use fingertip_core::target::{AppRef, Part, Scope};
use fingertip_core::{Deadline, Target};
use fingertip_linux::{Environment, LinuxTarget};

/// How often each part is read.
const ROUNDS: usize = 7;
/// How long one reading may take.
const WITHIN: Duration = Duration::from_secs(20);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let pid: u32 = arguments.next().ok_or("which process?")?.parse()?;
    let rounds = arguments.next().map_or(Ok(ROUNDS), |rounds| rounds.parse())?;
    let target = LinuxTarget::connect(Environment::current(), Deadline::after(WITHIN)).await?;
    let mut output = std::io::stdout().lock();
    for part in [Part::Visible, Part::Whole] {
        let scope = Scope::App { app: AppRef { name: "measured".into(), pid: Some(pid) }, part };
        let mut times = Vec::new();
        let mut told = String::new();
        for _ in 0..=rounds {
            let before = target.round_trips().await;
            let start = Instant::now();
            let snapshot = target.snapshot(&scope, Deadline::after(WITHIN)).await?;
            times.push(start.elapsed());
            let calls = target.round_trips().await - before;
            let actions: usize = snapshot.nodes().iter().map(|node| node.actions.len()).sum();
            let (nodes, cut) = (snapshot.nodes().len(), &snapshot.cut);
            told = format!("{nodes} nodes, {calls} calls, {actions} actions, cut: {cut:?}");
        }
        let first = times.remove(0);
        times.sort();
        let median = times.get(times.len() / 2).copied().unwrap_or(first);
        writeln!(
            output,
            "{part:?}: first {first:.1?}, then min {:.1?}, median {median:.1?}; {told}",
            times[0]
        )?;
    }
    Ok(())
}
