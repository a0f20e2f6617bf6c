//! `long_click_element`.

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{NodeId, Result};
use serde_json::json;

use super::BASE;
use super::shared::ELEMENT_ID;
use crate::call::Call;
use crate::interact::{Press, press};
use crate::params::Arguments;
use crate::reply::{Reply, VIA};
use crate::tool::{Definition, Effect, Tool};

/// The tool.
pub(crate) struct LongClickElement;

#[async_trait]
impl Tool for LongClickElement {
    type Input = NodeId;

    const DEFINITION: &'static Definition = &Definition {
        name: "long_click_element",
        title: "Long-click element",
        description: "Long-clicks an element by its id, as to open its context menu; with the same checks as \
            click_element. On a desktop this is a right click.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::SNAPSHOT,
        params: &[&ELEMENT_ID],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<NodeId> {
        ELEMENT_ID.read(arguments)
    }

    async fn run(id: NodeId, call: &Call) -> Result<Reply> {
        let via = press(call, id, Press::Long).await?;
        Ok(Reply::done(format!("Long-click performed on element '{id}'")).with_meta(VIA, json!(via.name())))
    }
}
