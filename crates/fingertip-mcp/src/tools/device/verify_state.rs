//! `verify_state`: whether things are as they should be, by one look. That they are not is an answer, not an error.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{Deadline, Result};
use serde_json::{Value, json};

use super::BASE;
use super::shared::{APP, MAX_TIMEOUT, limit_for_wait};
use super::wait_for_element::POLL;
use crate::call::Call;
use crate::conditions::{self, Condition, Judged, MAX_CONDITIONS};
use crate::params::{Arguments, Integer, List};
use crate::reply::Reply;
use crate::tool::{Definition, TIME_LIMIT, Tool};

const CONDITIONS: List = List::required(
    "conditions",
    "Each {element, is | text | contains} or {app}",
    1,
    MAX_CONDITIONS,
    conditions::schema,
);
const TIMEOUT: Integer =
    Integer::optional("timeout", "Milliseconds to wait for all to hold", 0).between(0, MAX_TIMEOUT);

/// The tool.
pub(crate) struct VerifyState;

/// What must be so, and how long it may take to become so.
pub(crate) struct Input {
    conditions: Vec<Condition>,
    timeout: Duration,
}

#[async_trait]
impl Tool for VerifyState {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "verify_state",
        title: "Verify state",
        description: "Checks conditions by one look: each is satisfied, unsatisfied (with what was seen) or unknown (with why).",
        needs: Capabilities::SNAPSHOT,
        params: &[&CONDITIONS, &TIMEOUT, &APP],
        output: Some(output),
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let conditions = conditions::read("conditions", CONDITIONS.read(arguments)?)?;
        Ok(Input { conditions, timeout: Duration::from_millis(TIMEOUT.read(arguments)?.into()) })
    }

    fn time_limit(input: &Input) -> Duration {
        limit_for_wait(input.timeout) + TIME_LIMIT
    }

    async fn run(Input { conditions, timeout }: Input, call: &Call) -> Result<Reply> {
        let start = Instant::now();
        let mut snapshot = call.look().await?;
        let limit = Deadline::at(start + timeout);
        let judge = |snapshot: &_| Judged::by(&conditions, call.attached(), snapshot);
        if !judge(&snapshot).all_satisfied() && !limit.passed() {
            // The last look is what is shown, whether it brought what was waited for or not.
            let mut last = None;
            let held = call
                .until(call.scope(), limit, POLL, |now| {
                    let holds = judge(&now).all_satisfied();
                    last = Some(now);
                    holds.then_some(())
                })
                .await;
            held?;
            snapshot = last.unwrap_or(snapshot);
        }
        let judged = judge(&snapshot);
        let reply = json!({ "satisfied": judged.all_satisfied(), "conditions": judged.json() });
        Ok(Reply::json(reply).untrusted())
    }
}

fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "satisfied": { "type": "boolean" },
            "conditions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "condition": { "type": "object" },
                        "result": { "enum": ["satisfied", "unsatisfied", "unknown"] },
                        "seen": { "type": "string" },
                    },
                    "required": ["condition", "result"],
                },
            },
        },
        "required": ["satisfied", "conditions"],
    })
}
