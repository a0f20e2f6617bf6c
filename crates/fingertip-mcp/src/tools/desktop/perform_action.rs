//! `perform_action`: something done to an element, and what became of it.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::{Capabilities, NodeAction};
use serde_json::{Value, json};

use super::BASE;
use super::action::{Plan, carry_out, is_sure, plan};
use super::action_reply::{self, ActionReply};
use super::element::find;
use super::shared::{ELEMENT_PATH, OPTIONAL_APP};
use crate::call::Call;
use crate::interact::must_be_enabled;
use crate::params::{Arguments, ElementRef, Text, WantedApp};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const ACTION: Text = Text::required(
    "action",
    "press, show_menu, increment, decrement, confirm, cancel, raise, pick, focus, expand, collapse, or one of the \
     element's native actions by name",
)
.not_empty();

/// The tool.
pub(crate) struct PerformAction;

/// What to do, and to which element.
pub(crate) struct Input {
    element: ElementRef,
    action: String,
    app: Option<WantedApp>,
}

#[async_trait]
impl Tool for PerformAction {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "perform_action",
        title: "Perform action",
        description: "Does something to an element: press, show_menu, increment, decrement, confirm, cancel, raise, \
            pick, focus, expand, collapse, or a native action by name. Replies with the element as it is afterwards, \
            what else changed, and whether it was done natively or with the pointer. The element is looked up again at \
            that moment: if it is gone, covered, disabled or not clearly one, nothing is done and the error says why; \
            an action it does not support is answered with those it does.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::SNAPSHOT,
        params: &[&ELEMENT_PATH, &ACTION, &OPTIONAL_APP],
        output: Some(output),
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input {
            element: ELEMENT_PATH.read(arguments)?,
            action: ACTION.read(arguments)?,
            app: OPTIONAL_APP.read(arguments)?,
        })
    }

    async fn run(Input { element, action, app }: Input, call: &Call) -> Result<Reply> {
        let found = find(call, &element, app.as_ref(), |found| is_sure(call, found, &action)).await?;
        let plan = plan(call, &found, &action)?;
        if plan != Plan::Native(NodeAction::Raise) {
            must_be_enabled(&found.snapshot, found.index, &element)?;
        }
        let seen = call.activity();
        let via = carry_out(call, &found, &plan, &element).await?;
        let after = ActionReply::look(call, &found, seen).await?;
        Ok(after.reply(json!({ "action": action }), &found, via))
    }
}

fn output() -> Value {
    action_reply::schema(json!({ "action": { "type": "string" } }))
}
