//! `clear_text`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::Capabilities;

use crate::call::Call;
use crate::interact::set_text;
use crate::params::{Arguments, OptionalText, Text};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

const ELEMENT_ID: OptionalText =
    Text::optional("element_id", "Optional: target element ID to clear").not_empty();

/// The tool.
pub struct ClearText;

#[async_trait]
impl Tool for ClearText {
    type Input = Option<String>;

    const DEFINITION: &'static Definition = &Definition {
        name: "clear_text",
        title: "Clear text",
        description: "Empties the focused field, or the element named, and makes sure that it is empty.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: true, idempotent: true },
        needs: Capabilities::TEXT,
        params: &[&ELEMENT_ID],
        output: None,
    };

    fn parse(arguments: Arguments<'_>) -> Result<Option<String>> {
        ELEMENT_ID.read(arguments)
    }

    async fn run(id: Option<String>, call: &Call) -> Result<Reply> {
        set_text(call, id.as_deref(), "").await?;
        Ok(Reply::text("Text cleared successfully"))
    }
}
