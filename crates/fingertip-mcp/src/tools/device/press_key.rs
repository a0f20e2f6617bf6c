//! `press_key`.

use async_trait::async_trait;
use fingertip_core::target::{Capabilities, Expected, Key, SystemAction};
use fingertip_core::{Error, Reason, Result};

use crate::call::Call;
use crate::params::{Arguments, Choice};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

/// A key of the keyboard, or one of the system.
#[derive(Debug, Clone, Copy)]
pub enum AnyKey {
    /// Goes to the focused element.
    Focused(Key),
    /// Goes to the system.
    System(SystemAction),
}

const KEY: Choice<(&str, AnyKey)> = Choice::required(
    "key",
    "Key to press",
    &[
        ("ENTER", ("ENTER", AnyKey::Focused(Key::Enter))),
        ("BACK", ("BACK", AnyKey::System(SystemAction::Back))),
        ("DEL", ("DEL", AnyKey::Focused(Key::Delete))),
        ("HOME", ("HOME", AnyKey::System(SystemAction::Home))),
        ("TAB", ("TAB", AnyKey::Focused(Key::Tab))),
        ("SPACE", ("SPACE", AnyKey::Focused(Key::Space))),
    ],
);

/// The tool.
pub struct PressKey;

#[async_trait]
impl Tool for PressKey {
    type Input = (&'static str, AnyKey);

    const DEFINITION: &'static Definition = &Definition {
        name: "press_key",
        title: "Press key",
        description: "Presses a key. ENTER (or the keyboard's action), DEL (removes one character before the \
            cursor), TAB and SPACE go to the focused element; BACK and HOME to the system.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::KEYS,
        params: &[&KEY],
        output: None,
    };

    fn parse(arguments: Arguments<'_>) -> Result<Self::Input> {
        KEY.read(arguments)
    }

    async fn run((name, key): Self::Input, call: &Call) -> Result<Reply> {
        match key {
            AnyKey::System(action) => call.target().system(action, call.deadline()).await?,
            AnyKey::Focused(key) => press(call, key).await?,
        }
        Ok(Reply::text(format!("Key '{name}' pressed successfully")))
    }
}

/// A key without a focused element would go nowhere, or somewhere unseen.
async fn press(call: &Call, key: Key) -> Result<()> {
    let snapshot = call.look().await?;
    if snapshot.focused_node().is_none() {
        return Err(Error::new(Reason::NotFound, "No focused element found.")
            .with_guidance("Click the element that shall get the key first."));
    }
    call.target().press_key(key, &Expected::anyone(), call.deadline()).await
}
