//! A build without the demo phone; the same items as [`super::demo`].

use anyhow::bail;
use fingertip_android::{AndroidTarget, Preference};
use fingertip_mcp::targets::Targets;

/// What the demo phone would be called.
pub(crate) const NAME: &str = "demo";
/// Why this build has none.
pub(super) const MISSING: Option<&str> = Some(NONE);
const NONE: &str =
    "this build has no demo phone; connect a phone, or build fingertip with the cargo feature `demo`";
/// The error of calls while no device is attached.
pub(crate) const NO_DEVICE: &str = "Connect an Android phone with USB debugging switched on, or start fingertip with \
    `--target desktop` on a desktop; `fingertip doctor` says what is missing.";
/// What `--self-test` says when it finds no phone.
pub(crate) const NO_PHONE: &str = "no phone to test; connect one";
/// What `--target` says of itself.
pub(crate) const TARGET_HELP: &str = "What to serve: android, android:SERIAL, here (the phone this runs on) or desktop; can be repeated [default: attached phones]";

/// Attaches nothing.
pub(super) async fn attach(_driver: Preference, _targets: &Targets) {}

/// Says that there is none.
pub(crate) async fn start(_driver: Preference) -> anyhow::Result<AndroidTarget> {
    bail!(NONE)
}

/// Says that there is none.
pub(crate) async fn serve(_port: u16) -> anyhow::Result<()> {
    bail!(NONE)
}
