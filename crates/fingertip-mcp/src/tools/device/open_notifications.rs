//! `open_notifications`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::{Capabilities, SystemAction};

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

/// The tool.
pub struct OpenNotifications;

#[async_trait]
impl Tool for OpenNotifications {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "open_notifications",
        title: "Open notifications",
        description: "Pulls down the notification shade; succeeds only once it is open. Close it with press_back.",
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
        call.target().system(SystemAction::Notifications, call.deadline()).await?;
        Ok(Reply::text("Open notifications executed successfully"))
    }
}
