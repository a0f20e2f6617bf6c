//! The two permissions of macOS that matter here, which program needs them, and where they are granted.
//!
//! Both are asked for at each call and never remembered, so that a grant holds at once. Nothing here ever opens a prompt: a
//! dialog that comes up because an agent called a tool would be left open, or answered by the agent.
//!
//! macOS looks a permission up for the *responsible* program: for a server on standard input and output that is the terminal
//! or the editor that started it, not this program. The messages name it.
#![allow(unsafe_code, reason = "asks AXIsProcessTrusted")]

use fingertip_core::{Error, Reason};

use crate::bindings::ax::AXIsProcessTrusted;
use crate::bindings::cg::CGPreflightScreenCaptureAccess;
use crate::bindings::services;

/// From this version on the settings have another page for it.
const RENAMED_IN: u32 = 27;

/// Whether this process may use the accessibility API.
pub(crate) fn is_trusted() -> bool {
    // SAFETY: a getter without arguments.
    unsafe { AXIsProcessTrusted() }
}

/// Whether this process may take pictures of the screen.
pub(crate) fn may_see_screen() -> bool {
    CGPreflightScreenCaptureAccess()
}

/// Succeeds when this process may use the accessibility API.
///
/// # Errors
/// [`Reason::PermissionDenied`]; says which program must be allowed, and where.
pub(crate) fn must_be_trusted() -> Result<(), Error> {
    if is_trusted() { Ok(()) } else { Err(not_trusted()) }
}

/// The outcome of an act, unless the permission was withdrawn while it went on: what does not answer then looks like what is
/// not there, and clicks and keys go nowhere without a word. So neither a good outcome nor a bad one is believed.
///
/// # Errors
/// [`Reason::PermissionDenied`] in the place of any outcome.
pub(crate) fn unless_withdrawn<T>(outcome: Result<T, Error>) -> Result<T, Error> {
    if is_trusted() { outcome } else { Err(withdrawn()) }
}

/// The error of a call that was allowed to use the accessibility API only at its beginning.
fn withdrawn() -> Error {
    denied(
        "macOS withdrew the permission to use the accessibility API in the middle of this; it may have been done in part.",
        accessibility_page(services::os_version().0),
    )
}

/// The error of a call that needs the accessibility API and may not use it.
pub(crate) fn not_trusted() -> Error {
    denied(
        "macOS does not let this program use the accessibility API; nothing was read or done.",
        accessibility_page(services::os_version().0),
    )
}

/// The error of a call that needs pictures of the screen.
pub(crate) fn not_seeing() -> Error {
    denied("macOS does not let this program see the screen; no picture was taken.", "Screen Recording")
}

/// The message names the program and the page too: a tool that says why it is missing shows the message alone.
fn denied(message: &str, page: &str) -> Error {
    let (program, _) = program();
    let message = format!("{message} It needs '{page}' for '{program}'.");
    Error::new(Reason::PermissionDenied, message).with_guidance(format!(
        "Switch on '{program}' in System Settings > Privacy & Security > {page}; no restart of the server is needed. \
         `fingertip doctor --target desktop` says more."
    ))
}

/// What the page of the settings is called in this version of macOS.
pub(crate) fn accessibility_page(major: u32) -> &'static str {
    if major >= RENAMED_IN { "Device Control and Data Access" } else { "Accessibility" }
}

/// The program that needs the permissions, and whether that is another one than this.
pub(crate) fn program() -> (String, bool) {
    match services::responsible_program() {
        Some(parent) => (parent, true),
        None => ("fingertip".to_owned(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_called_as_in_this_version() {
        assert_eq!(accessibility_page(15), "Accessibility");
        assert_eq!(accessibility_page(26), "Accessibility");
        assert_eq!(accessibility_page(27), "Device Control and Data Access");
    }
}
