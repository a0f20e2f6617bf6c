//! Text: the agent sets it, else pastes it (and puts the clipboard back), else types it, and reads it back.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key, KeyPress, diverted};
use fingertip_core::{Deadline, Error, NodeIndex, Reason, Result, Snapshot, hit};
use serde::Deserialize;
use serde_json::json;

use super::snapshot::Packed;
use super::{AgentDriver, Done};
use crate::keys::{Coded, must_be_for_apps, no_such_key};
use crate::wait::pause;

/// How long an app that a key brings up is given to come up before the key is pressed again.
const SETTLING: Duration = Duration::from_millis(150);

/// The reply to `text`. Whether the field holds what it should is looked at by the caller, as on all platforms.
#[derive(Debug, Deserialize)]
struct Written {
    method: Box<str>,
}

#[async_trait]
impl TextFields for AgentDriver {
    /// Replaces the text of a node.
    async fn set_text(
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
}

#[async_trait]
impl Keyboard for AgentDriver {
    /// Types at the cursor.
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let mut request = json!({ "op": "text", "text": text, "mode": "insert" });
        if !to.is_anyone() {
            request["packages"] = to.apps().collect();
        }
        self.write(request, deadline).await
    }

    /// Presses a key, as often as asked. What is held goes with the key, so that nothing stays down. A character that
    /// no key writes is written as a text.
    async fn press_key(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        must_be_for_apps(press)?;
        let Some(coded) = Coded::of(press) else {
            return match press.key {
                Key::Character(character) if press.modifiers.is_empty() => {
                    let text = character.to_string().repeat(press.count as usize);
                    self.type_text(&text, to, deadline).await.map(|()| None)
                }
                _ => Err(no_such_key(press)),
            };
        };
        for done in 0..press.count {
            if done > 0 && !to.is_anyone() {
                if press.may_leave() {
                    pause(SETTLING, deadline).await;
                }
                self.must_have_keyboard(to, press.progress(done), deadline).await?;
            }
            let request = json!({ "op": "key", "code": coded.code, "meta": coded.meta() });
            match self.link.ask(request, deadline).await {
                Ok(Done {}) => {}
                Err(error) if done == 0 && self.shell_takes_over(&error) => {
                    return self.shell()?.press_key(press, to, deadline).await;
                }
                Err(error) => return Err(self.noted(error).into_error("pressing a key")),
            }
        }
        // Windows of a phone have no title that people know.
        Ok(None)
    }
}

impl AgentDriver {
    /// Checks that the expected receiver has the keyboard; `done` says how far the act came.
    async fn must_have_keyboard(&self, to: &Expected, done: String, deadline: Deadline) -> Result<()> {
        // Not noted as busy: the call has acted, and must not begin again with another driver.
        let request = json!({ "op": "snapshot", "windows_only": true });
        let packed: Packed = self.link.ask(request, deadline).await.map_err(|error| {
            let error = error.into_error("reading the windows");
            Error::new(error.reason(), format!("{done}; then: {}", error.message()))
        })?;
        let windows = packed.receivers();
        let mut focused = windows.iter().filter(|window| window.focused).peekable();
        if focused.peek().is_some() && focused.clone().all(|window| to.accepts(window)) {
            return Ok(());
        }
        let other = focused.find(|window| !to.accepts(window));
        Err(diverted(&done, other.and_then(|window| window.app.as_deref())))
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
        self.gesture(&Gesture::tap(at), to, deadline).await
    }
}
