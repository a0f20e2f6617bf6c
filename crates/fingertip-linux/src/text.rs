//! Changing what an object holds: its text, its number, its being on or off.
//!
//! Rules: the interface made for it first; where a toolkit has none, or says yes and does nothing (browsers), focus and keys. A
//! toolkit's "no" is an error. Numbers and checks are looked at again before `Ok`; texts are read back by the
//! caller.

use std::time::Duration;

use fingertip_core::target::{Expected, Key, KeyPress, Modifiers, NodeAction};
use fingertip_core::{Error, Flags, Node, NodeIndex, Reason, Result, Role, Snapshot, Value};

use crate::actions::{self, VerifiedObject, shows};
use crate::bus::{CallError, Command};
use crate::client::Client;
use crate::display::DisplayServer;
use crate::roles;
use crate::states::{States, state};
use crate::tree::Source;
use crate::tree::detail::MAX_TEXT;

/// How often a check is pressed: one with a third state in between needs two.
const PRESSES: usize = 2;
/// How long a number may take to show.
const SHOWN_WITHIN: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How long a text may take to show that an application said yes to.
const TAKEN_WITHIN: Duration = Duration::from_millis(250);
/// How long a field may take to complete what was typed.
const COMPLETED_WITHIN: Duration = Duration::from_millis(200);

/// What a field holds; of a password only how long it is.
#[derive(Debug, PartialEq, Eq)]
enum Held {
    Text(String),
    Secret(usize),
}

impl Held {
    /// What it holds now; `None` where it does not say.
    async fn of(object: &VerifiedObject<'_>) -> Option<Self> {
        let VerifiedObject { client, handle, .. } = object;
        let length = client.text_length(handle).await.ok()?;
        if client.role(handle).await.ok()? == roles::number::PASSWORD_TEXT {
            return Some(Self::Secret(usize::try_from(length).ok()?));
        }
        client.text(handle, (0, length.min(MAX_TEXT))).await.ok().map(Self::Text)
    }

    fn wanted(text: &str, node: &Node) -> Self {
        if node.is(Flags::PASSWORD) {
            Self::Secret(text.chars().count())
        } else {
            Self::Text(text.chars().take(usize::try_from(MAX_TEXT).unwrap_or(usize::MAX)).collect())
        }
    }
}

/// Everything needed to change one node.
pub(crate) struct Change<'a> {
    pub(crate) client: Client<'a>,
    pub(crate) display: &'a dyn DisplayServer,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) index: NodeIndex,
}

impl Change<'_> {
    fn node(&self) -> &Node {
        self.snapshot.node(self.index)
    }

    async fn object(&self) -> Result<VerifiedObject<'_>> {
        VerifiedObject::take(self.client, self.display, self.snapshot, self.index).await
    }

    /// Replaces its whole text.
    pub(crate) async fn set_text(&self, text: &str) -> Result<()> {
        let object = self.object().await?;
        if !object.has(state::MULTI_LINE) && text.contains(['\n', '\r']) {
            return Err(one_line(&object));
        }
        let before = Held::of(&object).await;
        match object.command(Command::SetText(text)).await {
            Ok(true) if !self.took(&object, &before, text).await => self.type_over(&object, text).await,
            Ok(true) => self.commit(&object, text).await,
            Ok(false) => Err(object.refused("the text")),
            Err(CallError::Missing(_) | CallError::Unreachable) => self.type_over(&object, text).await,
            Err(error) => Err(object.error_of(error, "setting its text")),
        }
    }

    /// Whether the field took a text that its application said yes to: Firefox says yes and does nothing. What it made
    /// another text of is for the caller to judge.
    async fn took(&self, object: &VerifiedObject<'_>, before: &Option<Held>, text: &str) -> bool {
        let Some(before) = before else { return true };
        let wanted = Held::wanted(text, self.node());
        // A password of as many characters as before may be the old one.
        let is_told = !self.node().is(Flags::PASSWORD) || *before != wanted;
        let limit = self.client.deadline.slice(TAKEN_WITHIN);
        loop {
            match Held::of(object).await {
                Some(held) if held == wanted && is_told => return true,
                Some(held) if held == *before => {}
                _ => return true,
            }
            if limit.passed() {
                return false;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// A spin button takes a text for its number only when Enter is pressed or the focus leaves. Enter may accept the dialog
    /// that it is in, which was not asked for: so its number is set too. One that is no plain number waits for the focus to
    /// leave.
    async fn commit(&self, object: &VerifiedObject<'_>, text: &str) -> Result<()> {
        if self.node().role != Role::SpinButton {
            return Ok(());
        }
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let Some(number) = number else { return Ok(()) };
        match object.client.set_number(&object.handle, number).await {
            Ok(()) | Err(CallError::Missing(_)) => Ok(()),
            Err(error) => Err(object.error_of(error, "setting its number")),
        }
    }

    /// Selects everything in it and types over that, as a user would.
    async fn type_over(&self, object: &VerifiedObject<'_>, text: &str) -> Result<()> {
        if !self.node().is(Flags::EDITABLE) {
            let message = format!("{} holds no text that can be changed.", self.node().summary());
            return Err(object.error(Reason::Unsupported, message));
        }
        self.focus(object).await?;
        let to = object.owner();
        let select_all = KeyPress::from(Key::Character('a')).with(Modifiers::CONTROL);
        self.display.press(select_all, &to, self.client.deadline).await?;
        if text.is_empty() {
            return self.display.press(Key::Delete.into(), &to, self.client.deadline).await.map(drop);
        }
        self.display.type_text(text, &to, self.client.deadline).await?;
        self.drop_completion(object, text, &to).await
    }

    /// Removes what a field added to the text by itself, as address bars do; it is selected there.
    async fn drop_completion(&self, object: &VerifiedObject<'_>, text: &str, to: &Expected) -> Result<()> {
        let completed = |held: &Held| match held {
            Held::Text(held) => held.len() > text.len() && held.starts_with(text),
            Held::Secret(_) => false,
        };
        let limit = self.client.deadline.slice(COMPLETED_WITHIN);
        while !limit.passed() {
            if Held::of(object).await.as_ref().is_some_and(completed) {
                return self
                    .display
                    .press(Key::ForwardDelete.into(), to, self.client.deadline)
                    .await
                    .map(drop);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// Gives it the keyboard: by asking, else by a click. Keys must not go elsewhere, so it is seen to have it.
    async fn focus(&self, object: &VerifiedObject<'_>) -> Result<()> {
        if let Err(error) = actions::focus(object).await {
            if error.reason() != Reason::ActionFailed {
                return Err(error);
            }
            actions::click(object).await?;
            if !shows(object, States::is_focused).await? {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Sets its number, or switches it on or off, and sees that it is so.
    pub(crate) async fn set_value(&self, value: &Value) -> Result<()> {
        match value {
            Value::Text(text) => self.set_text(text).await,
            Value::Number { current, .. } => self.set_number(*current).await,
            Value::Checked(wanted) => self.set_checked(*wanted).await,
            _ => Err(Error::new(Reason::Unsupported, "Values of this kind cannot be set on a desktop.")),
        }
    }

    async fn set_number(&self, wanted: f64) -> Result<()> {
        let object = self.object().await?;
        let failed = |error: CallError| match error {
            CallError::Missing(_) => no_number(&object),
            error => object.error_of(error, "setting its number"),
        };
        let range = tokio::try_join!(
            object.number("MinimumValue"),
            object.number("MaximumValue"),
            object.number("MinimumIncrement")
        );
        let (minimum, maximum, step) = range.map_err(failed)?;
        if maximum > minimum && !(minimum..=maximum).contains(&wanted) {
            let message = format!("{wanted} is out of range: {minimum} to {maximum}; nothing was done.");
            return Err(object.error(Reason::InvalidParams, message));
        }
        object.client.set_number(&object.handle, wanted).await.map_err(failed)?;
        let limit = self.client.deadline.slice(SHOWN_WITHIN);
        loop {
            let held = object.number("CurrentValue").await.map_err(failed)?;
            if is_near(held, wanted, step) {
                return Ok(());
            }
            if limit.passed() {
                let message = format!("{} holds {held}, not {wanted}.", self.node().summary());
                return Err(object
                    .error(Reason::ActionFailed, message)
                    .with_guidance("It may allow other steps, or be read-only."));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn set_checked(&self, wanted: bool) -> Result<()> {
        let object = self.object().await?;
        let role = self.node().role;
        let states = object.client.states(&object.handle).await;
        let states = states.map_err(|error| object.error_of(error, "looking at the element"))?;
        if states.is_checked(role) == wanted {
            return Ok(());
        }
        if !self.node().is(Flags::CHECKABLE) {
            let message = format!("{} has no on and off.", self.node().summary());
            return Err(object.error(Reason::Unsupported, message));
        }
        for _ in 0..PRESSES {
            // Looked up anew: what a press is called may change with it ("check", then "uncheck").
            let object = self.object().await?;
            let is_native = actions::has_verb(&object, &NodeAction::Click)
                && !actions::wants_pointer(self.snapshot, self.index, &NodeAction::Click);
            if is_native && self.client.connection.accepts_commands(self.client.deadline).await {
                actions::by_name(&object, &NodeAction::Click).await?;
            } else {
                actions::click(&object).await?;
            }
            if shows(&object, |states| states.is_checked(role) == wanted).await? {
                return Ok(());
            }
        }
        let (now, hint) =
            if wanted { ("off", "") } else { ("on", " A radio button goes off when another is chosen.") };
        let message = format!("{} was pressed and is still {now}.{hint}", self.node().summary());
        Err(object.error(Reason::ActionFailed, message))
    }
}

/// Whether a toolkit took a number: it may round to its own steps.
fn is_near(held: f64, wanted: f64, step: f64) -> bool {
    let rounding = if step > 0.0 { step / 2.0 } else { 0.0 };
    (held - wanted).abs() <= rounding.max(wanted.abs() * 1e-6).max(1e-9)
}

fn one_line(object: &VerifiedObject<'_>) -> Error {
    let message =
        format!("{} holds one line; the text has several. Nothing was done.", object.node().summary());
    object.error(Reason::InvalidParams, message).with_guidance("Leave the line ends out.")
}

fn no_number(object: &VerifiedObject<'_>) -> Error {
    object
        .error(Reason::Unsupported, format!("{} holds no number.", object.node().summary()))
        .with_guidance("Set a text, or use its actions.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_be_rounded_to_a_step_and_no_further() {
        assert!(is_near(40.0, 42.0, 5.0));
        assert!(!is_near(45.0, 42.0, 5.0));
        assert!(is_near(0.1 + 0.2, 0.3, 0.0));
        assert!(!is_near(41.0, 42.0, 0.0));
    }
}
