//! `open_quick_settings`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::{Capabilities, SystemAction};

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

/// The tool.
pub struct OpenQuickSettings;

#[async_trait]
impl Tool for OpenQuickSettings {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "open_quick_settings",
        title: "Open quick settings",
        description: "Opens the quick settings panel; succeeds only once it is open. Close it with press_back.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: false, idempotent: true },
        needs: Capabilities::PANELS,
        params: &[],
        output: None,
    };

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), call: &Call) -> Result<Reply> {
        call.target().system(SystemAction::QuickSettings, call.deadline()).await?;
        Ok(Reply::text("Open quick settings executed successfully"))
    }
}
