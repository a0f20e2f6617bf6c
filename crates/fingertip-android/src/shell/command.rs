//! Commands that inject input, and what their complaints mean.

use fingertip_core::{Deadline, Error, Reason, Result};

use crate::channel::{Device, Output};
use crate::quote::quoted;

/// The most that is read of what an input command says, in bytes; a successful one says nothing.
pub(super) const MAX_OUTPUT: usize = 64 * 1024;
/// What stands in the output of a command that failed, where the phone reports no exit code.
const COMPLAINTS: [&str; 5] = ["Exception", "Error:", "not found", "sage: input", "nknown command"];

/// Runs a command that says nothing when it works.
///
/// # Errors
/// When the phone is away, or the command complains.
pub(crate) async fn run(device: &Device, command: &str, deadline: Deadline) -> Result<()> {
    check(&device.run(command, MAX_OUTPUT, deadline).await?)
}

/// What the output of a command that says nothing when it works means.
pub(super) fn check(output: &Output) -> Result<()> {
    let said = format!("{}\n{}", output.errors(), output.text());
    if said.contains("INJECT_EVENTS") {
        return Err(Error::new(Reason::PermissionDenied, "The phone does not let adb touch its screen.")
            .with_guidance(
                "In its developer options switch on \"USB debugging (Security settings)\", then restart it.",
            ));
    }
    let complains = || COMPLAINTS.iter().any(|complaint| said.contains(complaint));
    if output.exit.unwrap_or_default() != 0 || complains() {
        let words = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it did not say why");
        return Err(Error::new(Reason::ActionFailed, format!("The phone refused: {}.", quoted(words))));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(stderr: &str, exit: Option<u8>) -> Output {
        Output { stderr: stderr.as_bytes().to_vec(), exit, ..Output::default() }
    }

    #[test]
    fn silence_is_success() {
        assert_eq!(check(&output("", Some(0))), Ok(()));
        assert_eq!(check(&output("WARNING: linker: unused DT entry", None)), Ok(()));
    }

    #[test]
    fn a_complaint_is_repeated_in_one_line() {
        let error = check(&output("\nError: Unknown command: taap\nUsage: input", Some(255))).unwrap_err();
        assert_eq!(error.message(), "The phone refused: Error: Unknown command: taap.");
        assert!(check(&output("java.lang.NullPointerException: x", Some(0))).is_err());
        assert!(check(&output("", Some(1))).is_err());
    }

    #[test]
    fn the_refusal_of_injection_says_how_to_allow_it() {
        let text = "java.lang.SecurityException: Injecting input events requires the caller (or the source of the \
            instrumentation, if any) to have the INJECT_EVENTS permission.";
        let error = check(&output(text, Some(255))).unwrap_err();
        assert_eq!(error.reason(), Reason::PermissionDenied);
        assert!(error.guidance().unwrap().contains("Security settings"));
    }
}
