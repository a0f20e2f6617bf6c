//! `press_home`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::{Capabilities, SystemAction};

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

/// The tool.
pub struct PressHome;

#[async_trait]
impl Tool for PressHome {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "press_home",
        title: "Press home",
        description: "Goes to the home screen.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: false, idempotent: true },
        needs: Capabilities::SYSTEM_KEYS,
        params: &[],
        output: None,
    };

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), call: &Call) -> Result<Reply> {
        call.target().system(SystemAction::Home, call.deadline()).await?;
        Ok(Reply::text("Home button press executed successfully"))
    }
}
