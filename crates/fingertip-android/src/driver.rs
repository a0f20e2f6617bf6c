//! What a way of driving a phone must offer.
//!
//! [`crate::agent`] runs a small program on the phone, [`crate::shell`] needs nothing there; [`crate::choose`]
//! decides between them. The rules of [`fingertip_core::Target`] hold here too; what a driver lacks is an
//! absent capability, and then its method is not called.

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{
    Capabilities, Expected, KeyPress, LogPage, LogQuery, NodeAction, Screenshot, ScreenshotRequest,
    SystemAction,
};
use fingertip_core::{Deadline, Error, NodeIndex, Reason, Result, Screen, Snapshot, Value, Window};

/// A way of driving one phone that is there and lets us in.
#[async_trait]
pub trait Driver: Send + Sync {
    /// Its word in lists: `agent` or `shell`.
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

    /// Whether [`Self::act`] can do this to that node.
    fn can_act(&self, _snapshot: &Snapshot, _node: NodeIndex, _action: &NodeAction) -> bool {
        false
    }

    /// Does something to a node natively; only with [`Capabilities::NODE_ACTIONS`].
    async fn act(
        &self,
        _snapshot: &Snapshot,
        _node: NodeIndex,
        _action: &NodeAction,
        _deadline: Deadline,
    ) -> Result<()> {
        Err(lacks(self.name(), "act on elements directly"))
    }

    /// Sets the number or the checked state of a node; only with [`Capabilities::VALUES`].
    async fn set_value(
        &self,
        _snapshot: &Snapshot,
        _node: NodeIndex,
        _value: &Value,
        _deadline: Deadline,
    ) -> Result<()> {
        Err(lacks(self.name(), "set values"))
    }

    /// Reads the clipboard; only with [`Capabilities::CLIPBOARD`].
    async fn clipboard(&self, _deadline: Deadline) -> Result<Option<String>> {
        Err(lacks(self.name(), "read the clipboard"))
    }

    /// Replaces the clipboard; only with [`Capabilities::CLIPBOARD`].
    async fn set_clipboard(&self, _text: &str, _deadline: Deadline) -> Result<()> {
        Err(lacks(self.name(), "write the clipboard"))
    }

    /// Sees to it that changes are told of until the deadline; only with [`Capabilities::EVENTS`].
    async fn expect_changes(&self, _deadline: Deadline) -> Result<()> {
        Err(lacks(self.name(), "report changes"))
    }

    /// Replaces the text of an editable node.
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()>;

    /// Types at the cursor of the focused node.
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()>;

    /// Presses and releases a key, as often as asked.
    async fn press_key(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<()>;

    /// Does something system-wide; a panel counts as opened once it is there.
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()>;

    /// Plays finger paths; returns when the last finger is up.
    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()>;

    /// Takes a picture of the screen.
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot>;

    /// Reads the newest log lines that match.
    async fn logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage>;
}

/// The driver in force lacks what another would have.
fn lacks(driver: &str, what: &str) -> Error {
    Error::new(Reason::Unsupported, format!("The driver '{driver}' cannot {what} on this phone."))
        .with_guidance("`fingertip doctor` says why the agent does not run there.")
}
