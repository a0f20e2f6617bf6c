//! `get_current_app`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::Capabilities;
use serde_json::json;

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};
use crate::tools::device::BASE;

/// Stands for an app or an activity while none has the focus.
const UNKNOWN: &str = "unknown";

/// The tool.
pub(crate) struct GetCurrentApp;

#[async_trait]
impl Tool for GetCurrentApp {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "get_current_app",
        title: "Get current app",
        description: "Names the app in front: JSON with packageName and activityName, both 'unknown' while no \
            app has the focus.",
        effect: Effect::Read,
        needs: Capabilities::SNAPSHOT,
        ..BASE
    };

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), call: &Call) -> Result<Reply> {
        let snapshot = call.look().await?;
        let package = snapshot.app.as_deref().unwrap_or(UNKNOWN);
        let activity = snapshot.activity.as_deref().unwrap_or(UNKNOWN);
        // The app chose these names.
        Ok(Reply::json(json!({ "packageName": package, "activityName": activity })).untrusted())
    }
}
