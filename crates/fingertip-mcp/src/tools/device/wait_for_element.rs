//! `wait_for_element`. Running out of time is an answer, not an error.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::select::Criterion;
use fingertip_core::target::Capabilities;
use fingertip_core::{Deadline, Result};
use serde_json::{Value, json};

use super::BASE;
use super::shared::{APP, BY, TIMEOUT, VALUE, criterion, limit_for_wait};
use crate::call::Call;
use crate::interact::{element_json, element_schema};
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// How often the screen is looked at where the target does not report changes.
pub(crate) const POLL: Duration = Duration::from_millis(500);

/// The tool.
pub(crate) struct WaitForElement;

/// What to wait for, and how long.
pub(crate) struct Input {
    criterion: Criterion,
    timeout: Duration,
}

#[async_trait]
impl Tool for WaitForElement {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "wait_for_element",
        title: "Wait for element",
        description: "Waits until an element whose property contains the value (case-insensitive) is on the \
            screen, and returns it. When the time runs out the reply says found: false; that is no error.",
        effect: Effect::Read,
        needs: Capabilities::SNAPSHOT,
        params: &[&BY, &VALUE, &TIMEOUT, &APP],
        output: Some(output),
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let criterion = criterion(arguments, false)?;
        let timeout = Duration::from_millis(TIMEOUT.read(arguments)?.into());
        Ok(Input { criterion, timeout })
    }

    fn time_limit(input: &Input) -> Duration {
        limit_for_wait(input.timeout)
    }

    async fn run(Input { criterion, timeout }: Input, call: &Call) -> Result<Reply> {
        let start = Instant::now();
        let mut attempts = 0_u32;
        let found = call
            .until(call.scope(), Deadline::at(start + timeout), POLL, |snapshot| {
                attempts += 1;
                criterion.find(&snapshot).next().map(|index| element_json(&snapshot, index))
            })
            .await?;
        let elapsed = start.elapsed().as_millis() as u64;
        let mut reply = json!({ "found": found.is_some(), "elapsedMs": elapsed, "attempts": attempts });
        if let Some(element) = found {
            reply["element"] = element;
        } else if attempts == 0 {
            reply["note"] = json!("The screen could not be read within the timeout.");
        }
        Ok(Reply::json(reply).untrusted())
    }
}

fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "found": { "type": "boolean" },
            "elapsedMs": { "type": "integer" },
            "attempts": { "type": "integer", "description": "How often the screen was looked at" },
            "element": element_schema(),
            "note": { "type": "string" },
        },
        "required": ["found", "elapsedMs", "attempts"],
    })
}
