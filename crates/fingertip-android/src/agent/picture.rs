//! Pictures, made small on the phone: a scaled JPEG is a tenth of what the pixels are.

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{Screenshot, ScreenshotRequest};
use fingertip_core::{Deadline, Error, Reason, Result};
use serde::Deserialize;
use serde_json::json;

use super::AgentDriver;
use super::error::AgentError;
use crate::quote::quoted;

/// What comes with the bytes of a picture.
#[derive(Debug, Deserialize)]
struct Picture {
    width: u32,
    height: u32,
    #[serde(default)]
    black: bool,
}

/// The reply to `secure_windows`.
#[derive(Debug, Deserialize)]
struct SecureWindows {
    windows: Vec<SecureWindow>,
}

#[derive(Debug, Deserialize)]
struct SecureWindow {
    package: Option<String>,
    name: String,
}

#[async_trait]
impl Pictures for AgentDriver {
    /// Takes a picture.
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        let mut wanted = json!({ "op": "screenshot", "format": "jpeg", "quality": request.quality });
        if let Some(side) = request.longest_side {
            wanted["longest_side"] = json!(side);
        }
        if let Some(part) = request.region {
            for (side, place) in
                [("left", part.left), ("top", part.top), ("right", part.right), ("bottom", part.bottom)]
            {
                wanted[side] = json!(place);
            }
        }
        let (picture, bytes): (Picture, _) = match self.link.fetch(wanted, deadline).await {
            Ok(fetched) => fetched,
            Err(error) if self.shell_takes_over(&error) => {
                return self.shell()?.screenshot(request, deadline).await;
            }
            Err(error) => return Err(self.noted(error).into_error("taking a picture")),
        };
        if picture.black {
            self.see_whether_it_is_allowed(deadline).await?;
        }
        Ok(Screenshot::Jpeg { width: picture.width, height: picture.height, bytes })
    }
}

impl AgentDriver {
    /// A black picture is what Android gives of a window whose application forbids pictures: that is said
    /// instead. A screen that is only dark is shown as it is.
    async fn see_whether_it_is_allowed(&self, deadline: Deadline) -> Result<()> {
        let windows = match self.link.ask(json!({ "op": "secure_windows" }), deadline).await {
            Ok(SecureWindows { windows }) => windows,
            Err(AgentError::Refused(refusal)) => {
                tracing::debug!(?refusal, "the phone does not report which windows are secure");
                return Ok(());
            }
            Err(error) => return Err(self.noted(error).into_error("asking why the picture is black")),
        };
        let Some(SecureWindow { package, name }) = windows.into_iter().next() else { return Ok(()) };
        let owner = quoted(&package.unwrap_or(name));
        let message = format!("The picture is black: '{owner}' forbids pictures of its screen.");
        Err(Error::new(Reason::PermissionDenied, message)
            .with_guidance("Use get_screen_state without include_screenshot; the elements can be read."))
    }
}
