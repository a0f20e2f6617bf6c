//! What the agent sends, as functions of any bytes; see [`crate::fuzzing`].

use fingertip_core::Snapshot;

use super::Activity;
use super::error::{AgentError, Refusal};
use super::frame::{self, Frame};
use super::snapshot::Packed;
use super::start::Hello;

/// Frames, one after another, and the objects in them.
pub(crate) fn frames(bytes: &[u8]) -> String {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return String::new() };
    let activity = Activity::default();
    let mut rest = bytes;
    let mut seen = String::new();
    loop {
        match runtime.block_on(frame::read(&mut rest)) {
            Ok(Frame::Event(object)) => {
                activity.take(&object);
                seen.push('e');
            }
            Ok(Frame::Reply(_, object)) => {
                seen.push_str(&format!("{:?}", serde_json::from_slice::<Hello>(&object).is_ok()));
            }
            Ok(Frame::Error(_, object)) => {
                if let Ok(refusal) = serde_json::from_slice::<Refusal>(&object) {
                    seen.push_str(&AgentError::Refused(refusal).into_error("x").to_string());
                }
            }
            Ok(Frame::Binary(_, object, bytes)) => {
                seen.push_str(&format!("b{}{}", object.len(), bytes.is_empty()));
            }
            Err(error) => return format!("{seen}{error:?}"),
        }
    }
}

/// The reply to `snapshot`.
pub(crate) fn screen(bytes: &[u8]) -> Result<Snapshot, String> {
    let packed: Packed = serde_json::from_slice(bytes).map_err(|error| format!("{:?}", error.classify()))?;
    let _ = packed.receivers();
    let _ = packed.own_actions().count();
    packed.unpack(Some("x")).map_err(|error| format!("{error:?}"))
}
