//! A build without a driver for the desktop of its operating system; the same functions as [`super::desktop`].

use fingertip_core::Finding;
use fingertip_mcp::targets::Targets;

use crate::drive::Drive;

/// Why this build has no driver for it.
pub(super) const MISSING: Option<&str> = Some(NONE);
const NONE: &str = if cfg!(feature = "desktop") {
    "this build has no driver for the target 'desktop' of this operating system"
} else {
    "this build has no driver for the target 'desktop'; build fingertip with the cargo feature `desktop`"
};

/// There is nothing that KDE Plasma could grant.
pub(crate) const KDE_GRANT: &[(&str, &str)] = &[];

/// Attaches nothing.
pub(super) fn attach(_drive: &Drive, _targets: &Targets) {}

/// Says that there is no driver.
pub(crate) async fn findings(_drive: &Drive) -> Vec<Finding> {
    vec![Finding { ok: false, what: NONE.to_owned(), advice: None }]
}

/// Says that there is no driver.
pub(crate) async fn self_test(_tell: impl FnMut(&str)) -> anyhow::Result<usize> {
    anyhow::bail!(NONE)
}
