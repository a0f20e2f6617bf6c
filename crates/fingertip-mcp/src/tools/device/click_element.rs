//! `click_element`.

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
pub(crate) struct ClickElement;

#[async_trait]
impl Tool for ClickElement {
    type Input = NodeId;

    const DEFINITION: &'static Definition = &Definition {
        name: "click_element",
        title: "Click element",
        description: "Clicks an element, looked up again at that moment: if it is gone, covered, disabled or no longer clearly \
            the same, nothing is clicked and the error says why.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::SNAPSHOT,
        params: &[&ELEMENT_ID],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<NodeId> {
        ELEMENT_ID.read(arguments)
    }

    async fn run(id: NodeId, call: &Call) -> Result<Reply> {
        let via = press(call, id, Press::Short).await?;
        let done = Reply::done(format!("Click performed on element '{id}'"));
        Ok(done.in_short("Click performed".to_owned()).with_meta(VIA, json!(via.name())))
    }
}
