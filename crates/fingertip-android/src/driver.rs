//! What a way of driving a phone must offer.
//!
//! [`crate::shell`] is the one that needs nothing on the phone. The rules of [`fingertip_core::Target`] hold
//! here too; what a driver lacks is an absent capability, and then its method is never called.

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{
    Capabilities, Key, LogPage, LogQuery, Screenshot, ScreenshotRequest, SystemAction,
};
use fingertip_core::{Deadline, NodeIndex, Result, Screen, Snapshot, Window};

/// A way of driving one phone that is there and lets us in.
#[async_trait]
pub trait Driver: Send + Sync {
    /// Its word in lists: `shell`.
    fn name(&self) -> &'static str;

    /// What it can ever do on this phone.
    fn capabilities(&self) -> Capabilities;

    /// Reads all windows and nodes.
    async fn snapshot(&self, deadline: Deadline) -> Result<Snapshot>;

    /// Reads who would receive a touch or a key, the topmost first.
    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        let mut windows = self.snapshot(deadline).await?.windows().to_vec();
        windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        Ok(windows)
    }

    /// Reads the size of the screen as it is turned now.
    async fn screen(&self, deadline: Deadline) -> Result<Screen>;

    /// Replaces the text of an editable node.
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()>;

    /// Types at the cursor of the focused node.
    async fn type_text(&self, text: &str, deadline: Deadline) -> Result<()>;

    /// Presses and releases a key.
    async fn press_key(&self, key: Key, deadline: Deadline) -> Result<()>;

    /// Does something system-wide; a panel counts as opened once it is there.
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()>;

    /// Plays finger paths; returns when the last finger is up.
    async fn gesture(&self, gesture: &Gesture, deadline: Deadline) -> Result<()>;

    /// Takes a picture of the screen.
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot>;

    /// Reads the newest log lines that match.
    async fn logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage>;
}
