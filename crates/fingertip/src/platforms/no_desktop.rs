//! A build without a driver for the desktop of its operating system; the same functions as [`super::desktop`].

use fingertip_mcp::targets::Targets;

use crate::doctor::Finding;

/// Whether this build can drive a desktop.
pub(super) const AVAILABLE: bool = false;

/// Attaches nothing.
pub(super) fn attach(_targets: &Targets) {}

/// Says that there is no driver.
pub(crate) async fn findings() -> Vec<Finding> {
    vec![Finding::new(false, "desktop: this build has no driver for this operating system".to_owned(), None)]
}
