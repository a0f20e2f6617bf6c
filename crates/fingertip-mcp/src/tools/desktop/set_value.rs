//! `set_value`: a text, a number or a checked state given to an element, and read back from it.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{Error, Flags, Node, Reason, Result, Value as Held};
use serde_json::{Value, json};

use super::BASE;
use super::action_reply::{self, ActionReply};
use super::element::find;
use super::shared::{ELEMENT_PATH, OPTIONAL_APP};
use crate::call::Call;
use crate::interact::{
    Found, Named, Press, Via, choose, fill, holds_choices, must_be_editable, must_be_enabled, press_found,
};
use crate::params::{AnyScalar, Arguments, ElementRef, Scalar, WantedApp};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, TIME_LIMIT, Tool};

/// How long an element may take to show the value it was given.
pub(crate) const SHOWN_WITHIN: Duration = Duration::from_secs(3);
/// How often it is looked at meanwhile, where the target does not report changes.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How far a number may be off, as part of its magnitude: some toolkits keep less than eight bytes of it.
const TOLERANCE: f64 = 1e-5;

const VALUE: AnyScalar = AnyScalar::required(
    "value",
    "A text for a field, or the text of an option; a number for a slider, spin button or scroll bar; true or false for \
     what can be checked",
);

/// The tool.
pub(crate) struct SetValue;

/// Which value, and for which element.
pub(crate) struct Input {
    element: ElementRef,
    value: Scalar,
    app: Option<WantedApp>,
}

#[async_trait]
impl Tool for SetValue {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "set_value",
        title: "Set value",
        description: "Sets the value of an element: the text of a field (any characters), the number of a slider or \
            spin button, whether a check box or switch is on, or which option of a combo box, list, tab list or radio group is \
            chosen. The value is read back; if the element does not hold \
            it, that is an error that says what it holds. Replies with the element as it is afterwards and what else \
            changed.",
        effect: Effect::Write { destructive: true, idempotent: true },
        needs: Capabilities::SNAPSHOT,
        params: &[&ELEMENT_PATH, &VALUE, &OPTIONAL_APP],
        output: Some(output),
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input {
            element: ELEMENT_PATH.read(arguments)?,
            value: VALUE.read(arguments)?,
            app: OPTIONAL_APP.read(arguments)?,
        })
    }

    /// A long list of options is read whole, and scrolled.
    fn time_limit(input: &Input) -> Duration {
        match &input.value {
            Scalar::Text(_) => TIME_LIMIT * 2,
            _ => TIME_LIMIT,
        }
    }

    fn charge(input: &Input) -> Charge {
        match &input.value {
            Scalar::Text(text) => Charge::text(text),
            _ => Charge::ONE,
        }
    }

    async fn run(Input { element, value, app }: Input, call: &Call) -> Result<Reply> {
        let found = find(call, &element, app.as_ref(), |_| false).await?;
        must_be_enabled(&found.snapshot, found.index, &element)?;
        let seen = call.activity();
        let via = match &value {
            Scalar::Text(text) => set_text(call, &found, &element, text).await?,
            Scalar::Number(number) => set_number(call, &found, &element, *number).await?,
            Scalar::Flag(checked) => set_checked(call, &found, &element, *checked).await?,
        };
        // What was confirmed is shown as it was read then, not as events reported it.
        let after = if holds_choices(&found.snapshot, found.index) {
            ActionReply::look_fully(call, &found).await?
        } else {
            ActionReply::look(call, &found, seen).await?
        };
        Ok(after.reply(json!({}), &found, via))
    }
}

async fn set_text(call: &Call, found: &Found, name: Named<'_>, text: &str) -> Result<Via> {
    if holds_choices(&found.snapshot, found.index) {
        return choose(call, found, name, text).await;
    }
    if !found.node().is(Flags::EDITABLE)
        && let Some(wanted) = wanted_type(found.node())
    {
        return Err(wrong_type(name, wanted, "a text"));
    }
    must_be_editable(&found.snapshot, found.index, name)?;
    if call.target().text_fields().is_none() {
        return Err(Error::new(Reason::Unsupported, "Texts cannot be set on this device."));
    }
    fill(call, found, text).await?;
    Ok(Via::Native)
}

async fn set_number(call: &Call, found: &Found, name: Named<'_>, number: f64) -> Result<Via> {
    let Some(Held::Number { minimum, maximum, .. }) = found.node().value else {
        return Err(wrong_type(name, taken_by(found), "a number"));
    };
    if minimum.is_some_and(|minimum| number < minimum) || maximum.is_some_and(|maximum| number > maximum) {
        let end = |end: Option<f64>| end.map_or_else(|| "any".to_owned(), |end| end.to_string());
        return Err(Error::invalid(format!(
            "Parameter 'value' must be a number from {} to {} for element '{name}', got {number}.",
            end(minimum),
            end(maximum)
        )));
    }
    must_set_values(call)?;
    let value = Held::Number { current: number, minimum, maximum };
    call.values()?.set_value(&found.snapshot, found.index, &value, call.deadline()).await?;
    let close = |held: f64| (held - number).abs() <= TOLERANCE * number.abs().max(1.0);
    confirm(call, found, |node| match node.value {
        Some(Held::Number { current, .. }) if close(current) => Ok(()),
        Some(Held::Number { current, .. }) => Err(format!("it holds {current}")),
        _ => Err("it holds no number".to_owned()),
    })
    .await?;
    Ok(Via::Native)
}

async fn set_checked(call: &Call, found: &Found, name: Named<'_>, wanted: bool) -> Result<Via> {
    let Some(now) = checked(found.node()) else {
        return Err(wrong_type(name, taken_by(found), "true or false"));
    };
    if now == wanted {
        return Ok(Via::Native);
    }
    let via = if check_natively(call, found, wanted).await? {
        Via::Native
    } else {
        press_found(call, found, name, Press::Short).await?
    };
    confirm(call, found, |node| match checked(node) {
        Some(held) if held == wanted => Ok(()),
        Some(held) => Err(format!("it is {}", if held { "on" } else { "off" })),
        None => Err("it cannot be checked any more".to_owned()),
    })
    .await?;
    Ok(via)
}

/// Looks until the element holds what it was given.
async fn confirm(
    call: &Call,
    found: &Found,
    holds: impl Fn(&Node) -> std::result::Result<(), String>,
) -> Result<()> {
    let id = found.node().id;
    let limit = call.deadline().slice(SHOWN_WITHIN);
    let mut last = "it was not seen again".to_owned();
    let confirmed = call
        .until_sure(&found.scope, limit, LOOK_EVERY, |snapshot| {
            let node = id.and_then(|id| snapshot.find_id(id)).map(|index| snapshot.node(index))?;
            holds(node).map_err(|instead| last = instead).ok()
        })
        .await?;
    confirmed.ok_or_else(|| {
        Error::new(Reason::ActionFailed, format!("The value could not be confirmed: {last}."))
            .with_guidance("Look at the element before trying again; it may only take certain values.")
    })
}

/// False when the element cannot be checked by itself, as a switch whose row reacts; then nothing was done.
async fn check_natively(call: &Call, found: &Found, wanted: bool) -> Result<bool> {
    if call.target().values().is_none() {
        return Ok(false);
    }
    let value = Held::Checked(wanted);
    match call.values()?.set_value(&found.snapshot, found.index, &value, call.deadline()).await {
        Err(error) if error.reason() == Reason::Unsupported => Ok(false),
        other => other.map(|()| true),
    }
}

fn checked(node: &Node) -> Option<bool> {
    match node.value {
        Some(Held::Checked(checked)) => Some(checked),
        _ => node.is(Flags::CHECKABLE).then(|| node.is(Flags::CHECKED)),
    }
}

/// What sort of value an element takes, for messages.
fn wanted_type(node: &Node) -> Option<&'static str> {
    if matches!(node.value, Some(Held::Number { .. })) {
        Some("a number")
    } else if checked(node).is_some() {
        Some("true or false")
    } else if node.is(Flags::EDITABLE) {
        Some("a text")
    } else {
        None
    }
}

/// What an element takes, for the error about another value.
fn taken_by(found: &Found) -> &'static str {
    if holds_choices(&found.snapshot, found.index) {
        return "the text of one of its options";
    }
    wanted_type(found.node()).unwrap_or("no value")
}

fn wrong_type(name: Named<'_>, wanted: &str, got: &str) -> Error {
    Error::invalid(format!(
        "Parameter 'value' is {got}, but element '{name}' takes {wanted}; nothing was done."
    ))
}

fn must_set_values(call: &Call) -> Result<()> {
    if call.target().values().is_some() {
        return Ok(());
    }
    Err(Error::new(Reason::Unsupported, "Numbers cannot be set on this device; nothing was done.")
        .with_guidance("Drag the element with swipe, or use perform_action increment or decrement."))
}

fn output() -> Value {
    action_reply::schema(json!({}))
}
