//! Actions on nodes: what the protocol calls them, and which a node takes.

use std::collections::HashMap;

use fingertip_core::target::{Direction, NodeAction};
use fingertip_core::{Deadline, Error, Flags, Node, NodeIndex, Reason, Result, Snapshot, Value};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::AgentDriver;

/// The reply to `act`.
#[derive(Debug, Deserialize)]
struct Acted {
    moved: bool,
}

impl AgentDriver {
    pub(super) async fn act_on(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        mut wire: Json,
        doing: &str,
        deadline: Deadline,
    ) -> Result<()> {
        wire["op"] = json!("act");
        wire["handle"] = json!(snapshot.node(node).handle);
        if let Some(number) = snapshot.number {
            wire["snapshot"] = json!(number);
        }
        let acted: Acted = self.ask(wire, doing, deadline).await?;
        if acted.moved {
            tracing::debug!("the element had moved and was found again");
        }
        Ok(())
    }
}

/// The fields of the request that does this to that node; `None` when the node does not take it.
pub(super) fn wire(node: &Node, action: &NodeAction, own: &HashMap<Box<str>, i64>) -> Option<Json> {
    node.handle.as_ref()?;
    let takes = |name: &str| node.actions.iter().any(|known| &**known == name);
    if let NodeAction::Native(name) = action {
        let id = own.get(name.as_str()).filter(|_| takes(name))?;
        return Some(json!({ "action": "native", "id": id }));
    }
    let name = name(action)?;
    takes(name).then(|| json!({ "action": name }))
}

/// The fields of the request that gives a node this value; `None` when it has it already.
///
/// # Errors
/// When the node has no such value.
pub(super) fn wire_value(node: &Node, value: &Value) -> Result<Option<Json>> {
    let takes = |name: &str| node.handle.is_some() && node.actions.iter().any(|known| &**known == name);
    match value {
        Value::Number { current, .. } if takes("set_progress") => {
            Ok(Some(json!({ "action": "set_progress", "value": current })))
        }
        Value::Checked(wanted) if node.is(Flags::CHECKABLE) && node.is(Flags::CHECKED) == *wanted => Ok(None),
        Value::Checked(_) if node.is(Flags::CHECKABLE) && takes("click") => {
            Ok(Some(json!({ "action": "click" })))
        }
        _ => Err(Error::new(Reason::Unsupported, "This element has no such value.")),
    }
}

fn name(action: &NodeAction) -> Option<&'static str> {
    Some(match action {
        NodeAction::Click => "click",
        NodeAction::LongClick => "long_click",
        NodeAction::Focus => "focus",
        NodeAction::Scroll(Direction::Up) => "scroll_up",
        NodeAction::Scroll(Direction::Down) => "scroll_down",
        NodeAction::Scroll(Direction::Left) => "scroll_left",
        NodeAction::Scroll(Direction::Right) => "scroll_right",
        NodeAction::ShowOnScreen => "show_on_screen",
        NodeAction::Confirm => "ime_enter",
        NodeAction::Cancel => "dismiss",
        NodeAction::Pick => "select",
        NodeAction::Expand => "expand",
        NodeAction::Collapse => "collapse",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(actions: &[&str]) -> Node {
        let mut node = Node::new("Row");
        node.handle = Some("3:1042".into());
        node.actions = actions.iter().map(|name| (*name).into()).collect();
        node
    }

    #[test]
    fn a_node_takes_only_what_it_lists() {
        let own = HashMap::from([("Archive".into(), 2_131_362_000)]);
        let mut row = node(&["click", "Archive", "scroll_down"]);
        assert_eq!(wire(&row, &NodeAction::Click, &own), Some(json!({ "action": "click" })));
        assert_eq!(wire(&row, &NodeAction::LongClick, &own), None);
        assert_eq!(wire(&row, &NodeAction::Scroll(Direction::Up), &own), None);
        assert!(wire(&row, &NodeAction::Scroll(Direction::Down), &own).is_some());
        let archive = NodeAction::Native("Archive".to_owned());
        assert_eq!(wire(&row, &archive, &own), Some(json!({ "action": "native", "id": 2_131_362_000_i64 })));
        assert_eq!(wire(&node(&["click"]), &archive, &own), None);
        row.handle = None;
        assert_eq!(wire(&row, &NodeAction::Click, &own), None);
    }

    #[test]
    fn a_switch_that_is_right_is_left_alone() {
        let switch = node(&["click"]).with(Flags::CHECKABLE | Flags::CHECKED);
        assert_eq!(wire_value(&switch, &Value::Checked(true)).unwrap(), None);
        assert!(wire_value(&switch, &Value::Checked(false)).unwrap().is_some());
        assert!(wire_value(&node(&["click"]), &Value::Checked(true)).is_err());
        let number = Value::Number { current: 3.0, minimum: None, maximum: None };
        assert!(wire_value(&node(&["set_progress"]), &number).unwrap().is_some());
        assert!(wire_value(&switch, &number).is_err());
    }
}
