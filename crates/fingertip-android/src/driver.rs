//! What a way of driving a phone must offer.
//!
//! [`crate::agent`] runs a small program on the phone, [`crate::shell`] needs nothing there; [`crate::choose`]
//! decides between them. The rules of [`fingertip_core::Target`] hold here too. What only the agent has is asked of the
//! agent itself.

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::Capabilities;
use fingertip_core::{Deadline, Result, Screen, Snapshot, Window};

/// A way of driving one phone that is there and lets us in.
#[async_trait]
pub(crate) trait Driver: TextFields + Keyboard + SystemKeys + Touch + Pictures + Logs {
    /// What it can ever do on this phone.
    fn capabilities(&self) -> Capabilities;

    /// Reads all windows and nodes.
    async fn snapshot(&self, deadline: Deadline) -> Result<Snapshot>;

    /// Reads who would receive a touch or a key, the topmost first.
    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>>;

    /// Reads the size of the screen as it is turned now.
    async fn screen(&self, deadline: Deadline) -> Result<Screen>;
}
