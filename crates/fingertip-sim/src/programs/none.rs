//! The phone of the product runs no program that is pushed to it. The same items as `programs.rs`.

use std::io;
use std::sync::Arc;

use crate::SimPhone;
use crate::shell::Sink;

/// No programs.
#[derive(Debug, Default)]
pub(crate) struct Programs {}

/// A program that is not run.
#[allow(dead_code, reason = "read where programs are run")]
pub(crate) struct Start<'a> {
    pub(crate) path: &'a str,
    pub(crate) words: &'a [String],
    pub(crate) variables: Vec<(&'a str, &'a str)>,
    pub(crate) wrappers: &'a [String],
    pub(crate) stdout: &'a Sink,
    pub(crate) stderr: &'a Sink,
}

impl Programs {
    pub(crate) const fn begin(_: &Arc<SimPhone>) {}

    pub(crate) async fn run(&self, _: Start<'_>) -> Option<io::Result<u8>> {
        None
    }

    pub(crate) const fn running(&self) -> Vec<(u32, String)> {
        Vec::new()
    }

    pub(crate) const fn signal(&self, _: &str, _: u32) -> bool {
        false
    }

    pub(crate) const fn end_all(&self) {}
}

#[cfg(feature = "test-support")]
impl SimPhone {
    /// Changes nothing where no programs are run.
    pub(crate) const fn run_programs_by(&self, _: Option<&str>, _: &str) {}
}
