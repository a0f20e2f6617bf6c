//! Taking a picture of the screen.

use fingertip_core::target::ScreenshotRequest;
use fingertip_core::{Error, Reason, Result};

use crate::call::Call;
use crate::picture::{self, Jpeg};

/// Takes a picture as requested. It is encoded apart from the other calls: a large one takes a while.
pub(crate) async fn take_picture(call: &Call, request: ScreenshotRequest) -> Result<Jpeg> {
    let screenshot = call.target().screenshot(request, call.deadline()).await?;
    let encode = move || picture::encode(screenshot, request.longest_side, request.quality);
    let encoded = tokio::task::spawn_blocking(encode).await;
    encoded.map_err(|_| Error::new(Reason::Internal, "Screenshot capture failed while encoding."))?
}
