//! `run_steps`: its input. Each step is a call of its own; `dispatch/steps.rs` runs them.

use fingertip_core::{Error, Result};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::BASE;
use crate::conditions::{self, Condition, MAX_CONDITIONS};
use crate::params::{Arguments, Choice, List, Param, Text, wrong};
use crate::tool::{Definition, Effect};

/// The most steps of one call.
pub(crate) const MAX_STEPS: usize = 20;

const TOOL: Text = Text::required("tool", "The tool of this step").not_empty();
const ARGUMENTS: &str = "arguments";
const EXPECT: List = List::required("expect", "What must be so then", 1, MAX_CONDITIONS, conditions::schema);
const STEPS: List = List::required(
    "steps",
    "`expect` must come true after its step: {element, is: present, absent, checked... | text | contains} or {app}",
    1,
    MAX_STEPS,
    step_schema,
);
const STOP_ON: Choice<StopOn> = Choice::required(
    "stop_on",
    "surprise: also a dialog, a left app, a moved focus",
    &[("error", StopOn::Error), ("surprise", StopOn::Surprise)],
)
.or("error");

/// What ends a run before its last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopOn {
    /// A step that fails, or after which something expected is not so.
    Error,
    /// Also what a step does that was not to be expected of it.
    Surprise,
}

/// One step as it came.
#[derive(Debug)]
pub(crate) struct Step {
    /// The name of its tool.
    pub(crate) tool: String,
    /// What that is called with.
    pub(crate) arguments: JsonObject,
    /// What must be so after it.
    pub(crate) expect: Vec<Condition>,
}

/// What a call of the tool asks for.
#[derive(Debug)]
pub(crate) struct Steps {
    /// The steps, in order.
    pub(crate) steps: Vec<Step>,
    /// What ends the run before its last step.
    pub(crate) stop_on: StopOn,
}

/// All that is known of the tool before it is called.
pub(crate) const DEFINITION: &Definition = &Definition {
    name: "run_steps",
    title: "Run steps",
    description: "Runs up to 20 tool calls in order and stops at the first that fails. All are checked before the first \
        runs; `see` accounts for the whole.",
    effect: Effect::Write { destructive: true, idempotent: false },
    params: &[&STEPS, &STOP_ON],
    ..BASE
};

fn step_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            TOOL.name(): { "type": "string" },
            ARGUMENTS: { "type": "object" },
            EXPECT.name(): { "type": "array", "items": { "type": "object" } },
        },
        "required": [TOOL.name()],
        "additionalProperties": false,
    })
}

/// Reads the steps; what their own arguments are is for their tools.
///
/// # Errors
/// Names the parameter, and the step that is wrong.
pub(crate) fn read(arguments: Arguments<'_>) -> Result<Steps> {
    let steps = STEPS.read(arguments)?.iter().enumerate();
    let steps = steps.map(|(index, step)| read_step(step).map_err(|error| in_step(index, None, &error)));
    Ok(Steps { steps: steps.collect::<Result<_>>()?, stop_on: STOP_ON.read(arguments)? })
}

fn read_step(step: &Value) -> Result<Step> {
    let object = step.as_object().ok_or_else(|| Error::invalid("It must be {tool, arguments, expect}."))?;
    let mut fields = object.clone();
    let arguments = match fields.remove(ARGUMENTS) {
        None => JsonObject::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(other) => return Err(wrong(ARGUMENTS, "an object", &other)),
    };
    let fields = Arguments::new(&fields, &[&TOOL, &EXPECT])?;
    let expect = match object.contains_key(EXPECT.name()) {
        true => conditions::read(EXPECT.name(), EXPECT.read(fields)?)?,
        false => Vec::new(),
    };
    Ok(Step { tool: TOOL.read(fields)?, arguments, expect })
}

/// The error with the step it is about.
pub(crate) fn in_step(index: usize, tool: Option<&str>, error: &Error) -> Error {
    let tool = tool.map(|tool| format!(" ({tool})")).unwrap_or_default();
    let message = format!("Parameter 'steps' is wrong at steps[{index}]{tool}: {}", error.message());
    let wrong = Error::new(error.reason(), message).with_candidates(error.candidates().to_vec());
    wrong.with_guidance(format!("Nothing was done. {}", error.guidance().unwrap_or_default()).trim_end())
}
