//! A build without a driver for the desktop of its operating system; the same functions as [`super::desktop`].

use fingertip_mcp::targets::Targets;

/// One thing that was checked, as `fingertip doctor` prints it.
pub(crate) struct Finding {
    pub(crate) fine: bool,
    pub(crate) text: String,
}

/// Whether this build can drive a desktop.
pub(super) const AVAILABLE: bool = false;

/// Attaches nothing.
pub(super) fn attach(_targets: &Targets) {}

/// Says that there is no driver.
pub(crate) async fn findings() -> Vec<Finding> {
    let text = "desktop: this build has no driver for this operating system".to_owned();
    vec![Finding { fine: false, text }]
}
