//! `kill` and `readlink`, for programs that were started on the phone.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

/// `kill [-SIGNAL] PID...`
pub(super) fn kill(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (signal, pids) = match words {
        [first, pids @ ..] if first.starts_with('-') => (&first[1..], pids),
        pids => ("TERM", pids),
    };
    if pids.is_empty() {
        return Output::failure(1, "kill: Needs 1 argument (see \"kill --help\")\n");
    }
    let mut output = Output::default();
    for pid in pids {
        let number = pid.parse().unwrap_or_default();
        if phone.programs().signal(signal, number) {
            continue;
        }
        let is_others = phone.with(|phone| phone.processes()).iter().any(|process| process.pid == number);
        let why = if is_others { "Operation not permitted" } else { "No such process" };
        output.exit = 1;
        output.stderr.extend(format!("kill: {pid}: {why}\n").into_bytes());
    }
    output
}

/// `readlink /proc/PID/exe`, the only links a phone has here. Those of others are not readable.
pub(super) fn readlink(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let running = phone.programs().running();
    let target = |path: &str| {
        let pid: u32 = path.strip_prefix("/proc/")?.strip_suffix("/exe")?.parse().ok()?;
        running.iter().find(|(known, _)| *known == pid).map(|(_, path)| path.clone())
    };
    let found: Vec<Option<String>> = words.iter().map(|word| target(word)).collect();
    let text: String = found.iter().flatten().map(|path| format!("{path}\n")).collect();
    let exit = u8::from(found.iter().any(Option::is_none));
    Output { stdout: text.into_bytes(), stderr: Vec::new(), exit }
}
