//! The state after an action, looked at again.
//!
//! Toolkits answer an action before they have drawn its effect. So the application is looked at until something
//! is different and no further change was reported during the look, or until it is clear that nothing will be.

use std::time::Duration;

use fingertip_core::diff::Changes;
use fingertip_core::target::{Capabilities, TargetKind};
use fingertip_core::{Reason, Result, Snapshot};
use serde_json::{Value, json};

use super::changes;
use super::shared::{element_json, element_schema};
use crate::call::Call;
use crate::interact::{Found, Via};
use crate::reply::{Reply, VIA};

/// How long an effect may take to show.
const EFFECT_WITHIN: Duration = Duration::from_millis(500);
/// How often it is looked at where changes are not reported.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The state after an action.
pub(super) enum After {
    /// What was seen; what only a full look showed may be `older` than the action.
    Seen { snapshot: Box<Snapshot>, changes: Box<Changes>, older: bool },
    /// The application is not there any more.
    Quit,
    /// It was done, but could not be looked at in time.
    Unseen,
}

impl After {
    /// Looks at what became of an element's surroundings; `seen` is the target's activity before the action.
    pub(super) async fn look(call: &Call, before: &Found, mut seen: u64) -> Result<Self> {
        let limit = call.deadline().slice(EFFECT_WITHIN);
        let reports = call.target().capabilities().contains(Capabilities::EVENTS);
        loop {
            // Asked before the first look too: an effect that shows while the wait runs out is not missed.
            let last_look = limit.passed();
            seen = seen.max(call.target().activity());
            // That nothing changed is said only after all was read again.
            let looked = if last_look {
                call.look_at(&before.scope, call.deadline()).await
            } else {
                call.glance_at(&before.scope).await
            };
            let snapshot = match looked {
                Ok(snapshot) => snapshot,
                Err(error) => return Self::unseen(error),
            };
            let mut changes = changes::between(&before.snapshot, &snapshot);
            leave_out_open(call, &before.snapshot, &mut changes).await;
            let quiet = !reports || call.target().activity() <= seen;
            if last_look || (quiet && !changes.is_empty()) {
                let older = last_look && before.snapshot.recalled && !changes.is_empty();
                return Ok(Self::Seen { snapshot: Box::new(snapshot), changes: Box::new(changes), older });
            }
            call.woken(seen, limit, LOOK_EVERY).await?;
        }
    }

    /// The action was done: what keeps it from being looked at is no failure of the action.
    fn unseen(error: fingertip_core::Error) -> Result<Self> {
        match error.reason() {
            Reason::NotRunning | Reason::NotFound => Ok(Self::Quit),
            Reason::Timeout => Ok(Self::Unseen),
            _ => Err(error),
        }
    }

    /// Adds the element as it is now and what changed around it.
    pub(super) fn reply(&self, mut told: Value, before: &Found, via: Via) -> Reply {
        told["via"] = json!(via.name());
        match self {
            Self::Seen { snapshot, changes, older } => {
                let index = before.node().id.and_then(|id| snapshot.find_id(id));
                told["element"] = index.map_or(Value::Null, |index| element_json(snapshot, index));
                told["changed"] = json!(!changes.is_empty());
                told["changes"] = changes::to_json(changes, &before.snapshot, snapshot);
                if *older {
                    told["note"] =
                        json!("The application told of no change; this may be older than the action.");
                }
            }
            Self::Quit => {
                told["element"] = Value::Null;
                told["changed"] = json!(true);
                told["note"] = json!("The application is not running any more.");
            }
            Self::Unseen => {
                told["element"] = Value::Null;
                told["note"] = json!("The application did not answer in time after the action; look again.");
            }
        }
        Reply::json(told).with_meta(VIA, json!(via.name())).untrusted()
    }
}

/// Leaves windows out that are not closed but lie no longer above the application: a desktop's snapshot of one application
/// shows others only as far as they cover it.
async fn leave_out_open(call: &Call, before: &Snapshot, changes: &mut Changes) {
    if changes.windows_closed.is_empty() || call.target().info().kind == TargetKind::Phone {
        return;
    }
    // Where the windows cannot be listed what was seen is all that is known.
    let Ok(open) = call.target().windows(call.deadline()).await else { return };
    changes.windows_closed.retain(|window| {
        let handle = &before.windows()[*window].handle;
        handle.is_none() || !open.iter().any(|other| other.handle == *handle)
    });
}

/// The JSON Schema of a reply with these further properties.
pub(super) fn schema(further: Value) -> Value {
    let mut element = element_schema();
    element["type"] = json!(["object", "null"]);
    element["description"] = json!("The element after the action; null when it is gone");
    let mut properties = json!({
        "via": { "type": "string", "description": "native or pointer" },
        "element": element,
        "changed": { "type": "boolean", "description": "Whether anything was seen to change" },
        "changes": changes::schema(),
        "note": { "type": "string" },
    });
    if let (Value::Object(properties), Value::Object(further)) = (&mut properties, further) {
        properties.extend(further);
    }
    json!({ "type": "object", "properties": properties, "required": ["via", "element"] })
}
