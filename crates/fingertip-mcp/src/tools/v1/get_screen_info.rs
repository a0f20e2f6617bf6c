//! `get_screen_info`.

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{Orientation, Result};
use serde_json::json;

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};
use crate::tools::device::BASE;

/// The tool.
pub(crate) struct GetScreenInfo;

#[async_trait]
impl Tool for GetScreenInfo {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "get_screen_info",
        title: "Get screen info",
        description: "Measures the screen: JSON with width and height in pixels as it is turned now, densityDpi, \
            and orientation (portrait or landscape).",
        effect: Effect::Read,
        needs: Capabilities::SNAPSHOT,
        ..BASE
    };

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), call: &Call) -> Result<Reply> {
        let screen = call.screen().await?;
        let orientation = match screen.orientation() {
            Orientation::Portrait => "portrait",
            Orientation::Landscape => "landscape",
        };
        Ok(Reply::json(json!({
            "width": screen.width,
            "height": screen.height,
            "densityDpi": screen.density,
            "orientation": orientation,
        })))
    }
}
