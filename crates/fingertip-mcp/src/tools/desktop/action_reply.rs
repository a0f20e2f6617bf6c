//! The state after an action, looked at again and written as JSON.

use std::time::Duration;

use fingertip_core::Result;
use serde_json::{Value, json};

use super::changes;
use super::shared::{element_json, element_schema};
use crate::call::Call;
use crate::interact::{self, Found, Via, any_change, look_after};
use crate::reply::{Reply, VIA};

/// How long an effect may take to show.
const EFFECT_WITHIN: Duration = Duration::from_millis(500);

/// The state after an action, as a reply shows it.
pub(super) struct ActionReply(interact::ActionOutcome);

impl ActionReply {
    /// Looks at what became of an element's surroundings; `seen` is the target's activity before the action.
    pub(super) async fn look(call: &Call, before: &Found, seen: u64) -> Result<Self> {
        look_after(call, &before.scope, &before.snapshot, seen, EFFECT_WITHIN, any_change).await.map(Self)
    }

    /// The same, with everything read again.
    pub(super) async fn look_fully(call: &Call, before: &Found) -> Result<Self> {
        look_after(call, &before.scope, &before.snapshot, 0, Duration::ZERO, any_change).await.map(Self)
    }

    /// Adds the element as it is now and what changed around it.
    pub(super) fn reply(&self, mut fields: Value, before: &Found, via: Via) -> Reply {
        fields["via"] = json!(via.name());
        match &self.0 {
            interact::ActionOutcome::Seen { snapshot, changes, older } => {
                let index = before.node().id.and_then(|id| snapshot.find_id(id));
                fields["element"] = index.map_or(Value::Null, |index| element_json(snapshot, index));
                fields["changed"] = json!(!changes.is_empty());
                fields["changes"] = changes::to_json(changes, &before.snapshot, snapshot);
                if *older {
                    fields["note"] =
                        json!("The application reported no change; this may be older than the action.");
                }
            }
            interact::ActionOutcome::Quit => {
                fields["element"] = Value::Null;
                fields["changed"] = json!(true);
                fields["note"] = json!("The application is not running any more.");
            }
            interact::ActionOutcome::Unseen => {
                fields["element"] = Value::Null;
                fields["note"] =
                    json!("The application did not answer in time after the action; look again.");
            }
        }
        let note = fields["note"].as_str().map(|note| format!(": {note}")).unwrap_or_default();
        let short = format!("Done, {}{note}", via.name());
        Reply::json(fields).in_short(short).with_meta(VIA, json!(via.name())).untrusted()
    }
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
