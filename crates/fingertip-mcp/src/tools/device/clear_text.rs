//! `clear_text`.

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{NodeId, Result};

use super::BASE;
use crate::call::Call;
use crate::interact::set_text;
use crate::params::{Arguments, ElementId, OptionalElementId};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const ELEMENT_ID: OptionalElementId =
    ElementId::optional("element_id", "Optional: target element ID or selector to clear");

/// The tool.
pub(crate) struct ClearText;

#[async_trait]
impl Tool for ClearText {
    type Input = Option<NodeId>;

    const DEFINITION: &'static Definition = &Definition {
        name: "clear_text",
        title: "Clear text",
        description: "Empties the focused field, or the element named, and makes sure that it is empty.",
        effect: Effect::Write { destructive: true, idempotent: true },
        needs: Capabilities::TEXT,
        params: &[&ELEMENT_ID],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Option<NodeId>> {
        ELEMENT_ID.read(arguments)
    }

    async fn run(id: Option<NodeId>, call: &Call) -> Result<Reply> {
        set_text(call, id, "").await?;
        Ok(Reply::done("Text cleared successfully"))
    }
}
