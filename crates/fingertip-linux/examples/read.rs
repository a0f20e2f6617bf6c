//! Reads one application again and again, and prints as JSON how long each reading took, how many calls on the
//! accessibility bus the last one needed, how many nodes it gave, and what was left out of it.
//!
//! `cargo run --release -p fingertip-linux --example read -- PID visible|whole ROUNDS`, inside the session to measure.
//! One reading more than asked for comes first and is not counted: an application that is met gets known.

use std::io::Write;
use std::time::{Duration, Instant};

use fingertip_core::Deadline;
use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Part, Scope};
use fingertip_linux::{Environment, LinuxTarget};

/// How long one reading may take.
const WITHIN: Duration = Duration::from_secs(20);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let pid: u32 = arguments.next().ok_or("which process?")?.parse()?;
    let part = match arguments.next().as_deref() {
        Some("visible") => Part::Visible,
        Some("whole") => Part::Whole,
        _ => return Err("visible or whole?".into()),
    };
    let rounds: usize = arguments.next().ok_or("how often?")?.parse()?;
    let target = LinuxTarget::connect(Environment::current(), Deadline::after(WITHIN)).await?;
    let scope = Scope::App { app: AppRef { name: "measured".into(), pid: Some(pid) }, part };
    let (mut times, mut nodes, mut calls, mut cut) = (Vec::new(), 0, 0, None);
    for _ in 0..=rounds {
        let before = target.round_trips().await;
        let start = Instant::now();
        let snapshot = target.snapshot(&scope, Deadline::after(WITHIN)).await?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        (nodes, calls) = (snapshot.nodes().len(), target.round_trips().await - before);
        cut = snapshot.cut.or(cut);
    }
    let (counted, cut) = (&times[1..], cut.unwrap_or_default());
    writeln!(
        std::io::stdout(),
        r#"{{"ms": {counted:?}, "nodes": {nodes}, "calls": {calls}, "cut": {cut:?}}}"#
    )?;
    Ok(())
}
