//! `press_back`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::{Capabilities, SystemAction};

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

/// The tool.
pub struct PressBack;

#[async_trait]
impl Tool for PressBack {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "press_back",
        title: "Press back",
        description: "Presses the back button: closes a keyboard, dialog or panel, else goes one screen back.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::SYSTEM_KEYS,
        params: &[],
        output: None,
    };

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), call: &Call) -> Result<Reply> {
        call.target().system(SystemAction::Back, call.deadline()).await?;
        Ok(Reply::text("Back button press executed successfully"))
    }
}
