//! The desktop session this program runs in.

use std::sync::Arc;

use fingertip_core::Finding;
use fingertip_linux::{self as linux, Environment, LinuxTarget, doctor};
use fingertip_mcp::targets::Targets;

use crate::drive::{Drive, GnomeAccess};

/// Why this build has no driver for it: it has.
pub(super) const MISSING: Option<&str> = None;

/// What a desktop entry grants this program in a KDE Plasma session.
pub(crate) const KDE_GRANT: &[(&str, &str)] = &fingertip_linux::KDE_GRANT;

/// Attaches this desktop. It is connected to by the first call, and again whenever its buses went away.
pub(super) fn attach(drive: &Drive, targets: &Targets) {
    targets.attach(Arc::new(LinuxTarget::new(environment(drive))));
}

/// What is wrong with this desktop, and what to do about it.
pub(crate) async fn findings(drive: &Drive) -> Vec<Finding> {
    let found = doctor::examine(&environment(drive)).await.into_iter();
    found.map(|found| Finding { what: format!("desktop: {}", found.what), ..found }).collect()
}

/// There is no self-test of a Linux desktop: what it tries is read by [`findings`].
pub(crate) async fn self_test(_tell: impl FnMut(&str)) -> anyhow::Result<usize> {
    anyhow::bail!(
        "a desktop is tested by itself on a Mac; here `fingertip doctor --target desktop` checks every application"
    )
}

/// The session this program runs in, driven as the owner chose.
fn environment(drive: &Drive) -> Environment {
    let gnome = match drive.gnome {
        GnomeAccess::Portal => linux::GnomeAccess::Portal,
        GnomeAccess::Mutter => linux::GnomeAccess::Mutter,
    };
    Environment { gnome, keeps_in: Some(drive.home.clone()), ..Environment::current() }
}
