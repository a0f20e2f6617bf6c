//! Fuzzes one target or all of them: `fingertip-fuzz [--seconds N] [--seed N] [TARGET...]`.

use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fingertip_fuzz::TARGETS;
use fingertip_fuzz::engine::{corpus, fuzz, print, save};

/// How long each target is tried by default, in seconds.
const USUAL_SECONDS: u64 = 60;

fn main() -> ExitCode {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (mut seconds, mut seed, mut wanted) = (USUAL_SECONDS, now.as_nanos() as u64, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
        let read = match argument.as_str() {
            "--seconds" => number(arguments.next()).map(|number| seconds = number),
            "--seed" => number(arguments.next()).map(|number| seed = number),
            name if TARGETS.iter().any(|target| target.name == name) => {
                wanted.push(argument);
                Some(())
            }
            _ => None,
        };
        if read.is_none() {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            print(&format!(
                "usage: fingertip-fuzz [--seconds N] [--seed N] [TARGET...]\ntargets: {}",
                names.join(" ")
            ));
            return ExitCode::FAILURE;
        }
    }
    let mut failed = false;
    for target in
        TARGETS.iter().filter(|target| wanted.is_empty() || wanted.iter().any(|name| name == target.name))
    {
        print(&format!("{} (seed {seed})", target.name));
        match fuzz(*target, &corpus(target.name), Duration::from_secs(seconds), seed) {
            Ok(report) => print(&format!(
                "  {} inputs, {} forms, slowest {:?}",
                report.tried, report.forms, report.slowest
            )),
            Err(find) => {
                failed = true;
                print(&format!(
                    "  FAILED: {}\n  input: {}",
                    find.why,
                    save(target.name, &find.input).display()
                ));
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
