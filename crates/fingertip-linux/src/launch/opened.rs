//! How the applications that were opened from here ended: the system reports that only to the parent process.

use std::collections::VecDeque;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Mutex;

use fingertip_core::sync::lock;
use fingertip_core::target::Ending;

use super::run::Started;

/// The most applications that are remembered; the oldest make room.
const REMEMBERED: usize = 64;

/// What was opened, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Opened(Mutex<VecDeque<Started>>);

impl Opened {
    /// Remembers what was started.
    pub(crate) fn add(&self, started: Started) {
        let mut all = lock(&self.0);
        if all.len() == REMEMBERED {
            all.pop_front();
        }
        all.push_back(started);
    }

    /// How the process with this number ended; `None` where that is not known.
    pub(crate) fn ending(&self, pid: u32) -> Option<Ending> {
        let all = lock(&self.0);
        let status = all.iter().rev().find(|started| started.pid == pid)?.ended()?;
        Some(ending(pid, status))
    }
}

fn ending(pid: u32, status: ExitStatus) -> Ending {
    match (status.signal(), status.code()) {
        (Some(signal), _) => Ending {
            crashed: is_crash(signal),
            evidence: format!("process {pid} was ended by {}", name(signal)),
        },
        (None, Some(0)) => Ending { crashed: false, evidence: format!("process {pid} quit") },
        (None, code) => {
            let code = code.unwrap_or_default();
            Ending { crashed: false, evidence: format!("process {pid} quit with exit code {code}") }
        }
    }
}

/// The signals by which a program ends itself or is ended for what it did.
const CRASHES: [(i32, &str); 7] = [
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (11, "SIGSEGV"),
    (31, "SIGSYS"),
];

fn is_crash(signal: i32) -> bool {
    CRASHES.iter().any(|(known, _)| *known == signal)
}

fn name(signal: i32) -> String {
    let known = CRASHES.iter().find(|(known, _)| *known == signal);
    known.map_or_else(|| format!("signal {signal}"), |(_, name)| format!("signal {signal} ({name})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_of_a_fault_is_a_crash_and_an_end_by_others_is_none() {
        let of = |raw: i32| ending(7, ExitStatus::from_raw(raw));
        assert_eq!(
            of(11),
            Ending { crashed: true, evidence: "process 7 was ended by signal 11 (SIGSEGV)".into() }
        );
        assert_eq!(of(15), Ending { crashed: false, evidence: "process 7 was ended by signal 15".into() });
        assert_eq!(of(0), Ending { crashed: false, evidence: "process 7 quit".into() });
        assert_eq!(of(1 << 8), Ending { crashed: false, evidence: "process 7 quit with exit code 1".into() });
    }
}
