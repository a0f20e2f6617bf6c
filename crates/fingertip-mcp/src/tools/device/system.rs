//! What the tools that press a system key or open a system panel have in common: all but their names.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::SystemAction;

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Tool};

/// A tool without parameters that does one thing system-wide.
pub(crate) trait SystemTool: Send + Sync + 'static {
    /// All that is known of it before it is called.
    const DEFINITION: &'static Definition;

    /// What it does.
    const ACTION: SystemAction;

    /// What it answers.
    const REPLY: &'static str;
}

#[async_trait]
impl<T: SystemTool> Tool for T {
    type Input = ();

    const DEFINITION: &'static Definition = T::DEFINITION;

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), call: &Call) -> Result<Reply> {
        call.system_keys()?.system(T::ACTION, call.deadline()).await?;
        Ok(Reply::done(T::REPLY))
    }
}
