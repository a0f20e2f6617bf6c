//! `press_recents`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::{Capabilities, SystemAction};

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

/// The tool.
pub struct PressRecents;

#[async_trait]
impl Tool for PressRecents {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "press_recents",
        title: "Press recents",
        description: "Opens the overview of recent apps.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::PANELS,
        params: &[],
        output: None,
    };

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), call: &Call) -> Result<Reply> {
        call.target().system(SystemAction::Recents, call.deadline()).await?;
        Ok(Reply::text("Recents button press executed successfully"))
    }
}
