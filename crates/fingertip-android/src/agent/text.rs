//! Text: the agent sets it, else pastes it (and puts the clipboard back), else types it, and reads it back.

use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Expected, Key};
use fingertip_core::{Deadline, Error, NodeIndex, Reason, Result, Snapshot, hit};
use serde::Deserialize;
use serde_json::json;

use super::{AgentDriver, Done};
use crate::actions::key_code;
use crate::driver::Driver;

/// The reply to `text`. Whether the field holds what it should is looked at by the caller, as on all platforms.
#[derive(Debug, Deserialize)]
struct Written {
    method: Box<str>,
}

impl AgentDriver {
    /// Replaces the text of a node.
    pub(super) async fn replace_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        let mut request = json!({ "op": "text", "text": text, "mode": "replace" });
        match &snapshot.node(node).handle {
            Some(handle) => request["handle"] = json!(handle),
            None => {
                let to = Expected::owners([&snapshot.windows()[snapshot.window_of(node)]]);
                self.focus(snapshot, node, &to, deadline).await?;
                request["packages"] = to.apps().collect();
            }
        }
        self.write(request, deadline).await
    }

    /// Types at the cursor.
    pub(super) async fn type_at_cursor(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let mut request = json!({ "op": "text", "text": text, "mode": "insert" });
        if !to.is_anyone() {
            request["packages"] = to.apps().collect();
        }
        self.write(request, deadline).await
    }

    /// Presses a key.
    pub(super) async fn press(&self, key: Key, to: &Expected, deadline: Deadline) -> Result<()> {
        let code =
            key_code(key).ok_or_else(|| Error::new(Reason::Unsupported, "This phone has no such key."))?;
        match self.link.ask(json!({ "op": "key", "code": code }), deadline).await {
            Ok(Done {}) => Ok(()),
            Err(fault) if fault.is_unavailable() => self.shell.press_key(key, to, deadline).await,
            Err(fault) => Err(self.noted(fault).into_error("pressing a key")),
        }
    }

    async fn write(&self, request: serde_json::Value, deadline: Deadline) -> Result<()> {
        let written: Written = self.ask(request, "writing text", deadline).await?;
        tracing::debug!(method = %written.method, "text written");
        Ok(())
    }

    /// Where nodes have no names, a field is named by the focus it takes.
    async fn focus(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let at = hit::aim(snapshot, node).map_err(|obstacle| {
            let why = obstacle.describe(snapshot);
            Error::new(Reason::Covered, format!("The field {why}; nothing was typed."))
                .with_guidance("Bring it into view, or close what lies over it.")
        })?;
        self.play(&Gesture::tap(at), to, deadline).await
    }
}
