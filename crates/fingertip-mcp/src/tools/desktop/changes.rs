//! What changed around an element, in few words.
//!
//! A node that only moved is not reported: most of what moves says nothing.

use fingertip_core::diff::{ChangedFields, Changes};
use fingertip_core::outline::{self, Attribute};
use fingertip_core::{NodeIndex, Snapshot};
use serde_json::{Value, json};

/// The most entries of one list.
pub(super) const MAX_LISTED: usize = 20;

/// What is shown of a node that came, went or changed.
pub(super) const BRIEF: [Attribute; 4] =
    [Attribute::Title, Attribute::Value, Attribute::Description, Attribute::States];

const FIELDS: [(ChangedFields, &str); 8] = [
    (ChangedFields::TEXT, "text"),
    (ChangedFields::DESCRIPTION, "description"),
    (ChangedFields::VALUE, "value"),
    (ChangedFields::STATE, "states"),
    (ChangedFields::FOCUS, "focus"),
    (ChangedFields::PARENT, "parent"),
    (ChangedFields::IDENTITY, "identity"),
    (ChangedFields::TITLE, "title"),
];

/// The changes as a reply shows them: only the lists that are not empty, each with its limit.
pub(super) fn to_json(changes: &Changes, before: &Snapshot, after: &Snapshot) -> Value {
    let mut object = json!({});
    let mut more = false;
    let mut list = |name: &str, items: Vec<Value>, total: usize| {
        if total > 0 {
            object[name] = json!(items);
            more |= total > MAX_LISTED;
        }
    };
    let changed = changes.changed.iter().take(MAX_LISTED).map(|change| {
        let mut node = brief(after, change.new);
        node["fields"] = json!(words(change.fields));
        node
    });
    list("changed", changed.collect(), changes.changed.len());
    let added = changes.added.iter().take(MAX_LISTED).map(|index| brief(after, *index));
    list("added", added.collect(), changes.added.len());
    let removed = changes.removed.iter().take(MAX_LISTED).map(|index| brief(before, *index));
    list("removed", removed.collect(), changes.removed.len());
    let titles = |snapshot: &Snapshot, windows: &[usize]| {
        windows.iter().take(MAX_LISTED).map(|window| json!(snapshot.windows()[*window].title)).collect()
    };
    list("windowsOpened", titles(after, &changes.windows_opened), changes.windows_opened.len());
    list("windowsClosed", titles(before, &changes.windows_closed), changes.windows_closed.len());
    if more {
        object["hasMoreResults"] = json!(true);
    }
    object
}

/// A node in few words.
pub(super) fn brief(snapshot: &Snapshot, index: NodeIndex) -> Value {
    json!(outline::describe(snapshot, index, Some(&BRIEF)))
}

fn words(fields: ChangedFields) -> Vec<&'static str> {
    FIELDS.iter().filter(|(field, _)| fields.contains(*field)).map(|(_, word)| *word).collect()
}

/// The JSON Schema of [`to_json`].
pub(super) fn schema() -> Value {
    let nodes = json!({ "type": "array", "items": { "type": "object" } });
    let titles = json!({ "type": "array", "items": { "type": ["string", "null"] } });
    json!({
        "type": "object",
        "description": "What else is different now, at most 20 a list",
        "properties": {
            "changed": nodes, "added": nodes, "removed": nodes,
            "windowsOpened": titles, "windowsClosed": titles,
            "hasMoreResults": { "type": "boolean" },
        },
    })
}
