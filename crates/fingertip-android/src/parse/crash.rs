//! Crashes, as the crash buffer of the log has them, of Java and of native code.

use std::time::Duration;

use fingertip_core::one_line;
use fingertip_core::target::Ending;

use super::logcat::Line;

/// Prints the phone's clock and the newest lines of its crash log.
pub(crate) const CRASH_LOG: &str = "date +%s; logcat -b crash -d -v threadtime -v epoch -t 200";
/// The most of it that is read, in bytes.
pub(crate) const MAX_CRASH_LOG: usize = 256 * 1024;

/// The tag and the words of a crash in Java, and of one in native code.
const JAVA: &str = "AndroidRuntime";
const NATIVE: &str = "DEBUG";
/// How much of an application's own words about its crash is returned, in characters.
const MAX_EVIDENCE: usize = 200;
/// The clock is printed in whole seconds, and the log is written a moment after.
const CLOCK_GRAIN: Duration = Duration::from_secs(2);

/// How this package crashed within the last moments, if it did.
pub(crate) fn of(package: &str, printed: &str, within: Duration) -> Option<Ending> {
    let (clock, log) = printed.split_once('\n')?;
    let now = clock.trim().parse::<i64>().ok()?.checked_mul(1000)?;
    let span = i64::try_from(within.saturating_add(CLOCK_GRAIN).as_millis()).unwrap_or(i64::MAX);
    let since = now.saturating_sub(span);
    let lines: Vec<Line<'_>> =
        log.lines().filter_map(|line| Line::parse(line.trim_end_matches('\r'))).collect();
    let last = lines.iter().rposition(|line| line.time >= since && names(line, package))?;
    let (named, after) = (&lines[last], &lines[last + 1..]);
    let same = |line: &&Line<'_>| line.pid == named.pid && line.tag == named.tag;
    let cause = after.iter().find(same).map_or(named.message, |line| line.message);
    let cause: String = one_line(cause).chars().take(MAX_EVIDENCE).collect();
    Some(Ending { crashed: true, evidence: format!("{package}: {cause}") })
}

/// Whether a line says that a process of this package crashed.
fn names(line: &Line<'_>, package: &str) -> bool {
    let process = match line.tag {
        JAVA => line.message.strip_prefix("Process: ").and_then(|rest| rest.split(',').next()),
        NATIVE => line.message.split_once(">>> ").and_then(|(_, rest)| rest.split(" <<<").next()),
        _ => None,
    };
    // Further processes of an application are called `package:name`.
    process.is_some_and(|process| process.split(':').next() == Some(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "1700000100\r\n--------- beginning of crash\r\n\
        1700000000.000  900  900 E AndroidRuntime: FATAL EXCEPTION: main\n\
        1700000000.000  900  900 E AndroidRuntime: Process: com.old, PID: 900\n\
        1700000000.001  900  900 E AndroidRuntime: java.lang.Error: long ago\n\
        1700000099.100 1234 1234 E AndroidRuntime: FATAL EXCEPTION: main\n\
        1700000099.100 1234 1234 E AndroidRuntime: Process: com.app:remote, PID: 1234\n\
        1700000099.101 1234 1234 E AndroidRuntime: java.lang.IllegalStateException: no \u{202e}picture\n\
        1700000099.102 1234 1234 E AndroidRuntime: \tat com.app.Main.onClick(Main.java:7)\n\
        1700000099.500  777  777 F DEBUG   : pid: 1300, tid: 1301, name: RenderThread  >>> com.game <<<\n\
        1700000099.500  777  777 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n";

    fn evidence(package: &str) -> Option<String> {
        of(package, LOG, Duration::from_secs(3)).map(|ending| {
            assert!(ending.crashed);
            ending.evidence
        })
    }

    #[test]
    fn a_crash_is_found_by_its_package_and_reported_with_its_cause() {
        let java = evidence("com.app").expect("a crash");
        assert!(java.starts_with("com.app: java.lang.IllegalStateException: no "), "{java}");
        assert_eq!(
            evidence("com.game").as_deref(),
            Some("com.game: signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0")
        );
    }

    #[test]
    fn neither_an_old_crash_nor_another_package_is_one() {
        for package in ["com.old", "com.ap", "com.app.other", ""] {
            assert_eq!(evidence(package), None, "{package}");
        }
    }

    #[test]
    fn rubbish_is_no_crash() {
        for printed in ["", "x\ny", "1700000100", "1700000100\nlogcat: Unknown buffer 'crash'\n"] {
            assert_eq!(of("com.app", printed, Duration::MAX), None, "{printed}");
        }
        for end in 0..LOG.len() {
            if let Some(cut) = LOG.get(..end) {
                let _ = of("com.app", cut, Duration::from_secs(3));
            }
        }
    }
}
