//! `press_key`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::{Capabilities, Expected, Key, KeyPress, Modifiers, SystemAction};
use fingertip_core::{Error, NodeId, Reason, Result, Window};

use super::BASE;
use crate::call::Call;
use crate::interact::{focus, owner_of};
use crate::params::{AnyKey, Arguments, ElementId, Integer, KeyName, OptionalElementId, lacking};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, TIME_LIMIT, Tool};

/// How often one call presses a key at the most.
pub(crate) const MAX_COUNT: u32 = 100;
/// How much longer a call may take for each further press: what a key opens is given time to come up.
const PRESS_TIME: Duration = Duration::from_millis(400);

/// How long a window manager may take to bring another window to the front, and how often that is looked at. What is typed
/// before it has would go to the window that the key was to leave.
const SWITCHED_WITHIN: Duration = Duration::from_millis(300);
const LOOK_EVERY: Duration = Duration::from_millis(25);
/// What window managers take for themselves is pressed with one of these.
const OF_MANAGERS: Modifiers = Modifiers::ALT.union(Modifiers::SUPER);

const KEY: KeyName = KeyName::required("key");
const COUNT: Integer = Integer::optional("count", "How often; stops where another window gets the keys", 1)
    .between(1, MAX_COUNT);
const ELEMENT_ID: OptionalElementId =
    ElementId::optional("element_id", "Element id or selector to focus first");

/// The tool.
pub(crate) struct PressKey;

/// What to press, and where.
pub(crate) struct Input {
    key: AnyKey,
    count: u32,
    id: Option<NodeId>,
}

#[async_trait]
impl Tool for PressKey {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "press_key",
        title: "Press key",
        description: "Presses a key or combination in the element named, else in the focused one, on a desktop without any in \
            the window in front, which the reply names. On phones BACK and HOME go to the system.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::KEYS,
        params: &[&KEY, &COUNT, &ELEMENT_ID],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let key = KEY.read(arguments)?;
        Ok(Input { key, count: COUNT.read(arguments)?, id: ELEMENT_ID.read(arguments)? })
    }

    fn charge(input: &Input) -> Charge {
        Charge::Keys(input.count)
    }

    fn time_limit(input: &Input) -> Duration {
        TIME_LIMIT + PRESS_TIME * (input.count - 1)
    }

    async fn run(Input { key, count, id }: Input, call: &Call) -> Result<Reply> {
        let kind = call.kind();
        let has_system_keys = call.target().system_keys().is_some();
        let (name, press) = match key {
            AnyKey::Home if has_system_keys => {
                return system(call, "HOME", SystemAction::Home, count, id).await;
            }
            AnyKey::Back if has_system_keys => {
                return system(call, "BACK", SystemAction::Back, count, id).await;
            }
            AnyKey::Home => ("HOME".to_owned(), Key::MoveHome.into()),
            AnyKey::Back => return Err(lacking(&KEY, "BACK", kind)),
            AnyKey::Keyboard(press) if has_system_keys && press.is_of_phone() => {
                return Err(lacking(&KEY, &press.to_string(), kind));
            }
            AnyKey::Keyboard(press) => (press.to_string(), press),
        };
        let press = press.times(count);
        let may_switch = kind.keys_follow_window() && press.modifiers.intersects(OF_MANAGERS);
        let before = if may_switch { front(call).await } else { None };
        let (receiver, is_known) = match id {
            Some(id) => {
                let found = focus(call, id).await?;
                (call.keyboard()?.press_key(press, &owner_of(&found), call.deadline()).await?, true)
            }
            None => to_focused(call, press).await?,
        };
        let mut said = pressed(&name, count);
        // Where nothing tells what had the focus, or another window came, the name of the window is news.
        let mut is_as_expected = is_known || !kind.keys_follow_window();
        if kind.keys_follow_window() {
            let title = receiver.filter(|title| !title.is_empty());
            said += &title.map_or_else(
                || " in a window without a title".to_owned(),
                |title| format!(" in the window '{title}'"),
            );
            if let Some(title) = switched(call, before).await {
                said += &format!("; the window '{title}' is in front now");
                is_as_expected = false;
            } else if !is_known {
                said += ". It does not report what has the focus; look at a screenshot to see the effect.";
            }
        }
        Ok(Reply { says_done_only: is_as_expected, ..Reply::quoting(&said) })
    }
}

/// Presses a key where the focus is; also returns whether an element says that it has it.
async fn to_focused(call: &Call, press: KeyPress) -> Result<(Option<String>, bool)> {
    let is_known = call.look().await?.focused_node().is_some();
    let edits = matches!(press.key, Key::Enter | Key::Delete | Key::Tab | Key::Space);
    // Where no window has the keys, such a key without a focused element would go nowhere, or somewhere unseen.
    if !is_known && !call.kind().keys_follow_window() && edits && press.modifiers.is_empty() {
        return Err(Error::new(Reason::NotFound, "No focused element found.")
            .with_guidance("Click the element that shall get the key first."));
    }
    Ok((call.keyboard()?.press_key(press, &Expected::anyone(), call.deadline()).await?, is_known))
}

/// The window in front, as far as that is known.
async fn front(call: &Call) -> Option<Window> {
    let windows = call.target().survey().windows(call.deadline().slice(SWITCHED_WITHIN)).await.ok()?;
    windows.into_iter().find(|window| window.focused)
}

/// Waits for another window to come to the front, and gives its title.
async fn switched(call: &Call, before: Option<Window>) -> Option<String> {
    let before = before?;
    let is_other = |window: &Window| match (&window.handle, &before.handle) {
        (Some(handle), Some(known)) => handle != known,
        _ => (window.pid, &window.title) != (before.pid, &before.title),
    };
    let limit = call.deadline().slice(SWITCHED_WITHIN);
    loop {
        if let Some(other) = front(call).await.filter(is_other) {
            return Some(other.title.as_deref().unwrap_or("without a title").to_owned());
        }
        if limit.passed() {
            return None;
        }
        tokio::time::sleep_until(limit.slice(LOOK_EVERY).instant().into()).await;
    }
}

/// A key that is for the system, not for an element.
async fn system(
    call: &Call,
    name: &str,
    action: SystemAction,
    count: u32,
    id: Option<NodeId>,
) -> Result<Reply> {
    if count > 1 {
        return Err(Error::invalid(format!("Parameter 'count' must be 1 with {name}, got {count}."))
            .with_guidance("Look at the screen after each."));
    }
    if id.is_some() {
        return Err(Error::invalid(format!(
            "Parameter 'element_id' must be left out with {name}: it goes to the system."
        )));
    }
    call.system_keys()?.system(action, call.deadline()).await?;
    Ok(Reply::done(pressed(name, count)))
}

fn pressed(name: &str, count: u32) -> String {
    match count {
        1 => format!("Key '{name}' pressed successfully"),
        count => format!("Key '{name}' pressed successfully {count} times"),
    }
}
