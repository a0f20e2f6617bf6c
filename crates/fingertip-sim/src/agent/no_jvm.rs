//! The phone of the product serves the agent's protocol itself, always. The same items as `jvm.rs`.

use std::sync::Arc;

use super::{Arguments, session};
use crate::SimPhone;
use crate::shell::Sink;

/// No JVM.
pub(crate) struct Jvm;

impl Jvm {
    pub(crate) const fn of_environment() -> Self {
        Self
    }

    /// Runs the agent until it ends.
    pub(super) async fn run(
        &self,
        phone: &Arc<SimPhone>,
        jar: &str,
        arguments: &Arguments,
        stdout: &Sink,
        _stderr: &Sink,
    ) -> u8 {
        session::run(phone, jar, arguments, stdout).await
    }
}
