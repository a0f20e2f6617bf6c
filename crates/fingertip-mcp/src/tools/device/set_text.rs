//! `set_text`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::Capabilities;

use super::shared::{ELEMENT_ID, typing_limit};
use crate::call::Call;
use crate::interact::set_text;
use crate::params::{Arguments, Text};
use crate::policy::pace::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

const TEXT: Text = Text::required("text", "Text to set (empty string to clear)");

/// The tool.
pub struct SetText;

/// Which element, and what it shall hold.
pub struct Input {
    id: String,
    text: String,
}

#[async_trait]
impl Tool for SetText {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "set_text",
        title: "Set text",
        description: "Replaces the whole text of an editable element, then reads it back; an error means that \
            the element does not hold the text. To add to what is there use input_text.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: true, idempotent: true },
        needs: Capabilities::TEXT,
        params: &[&ELEMENT_ID, &TEXT],
        output: None,
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input { id: ELEMENT_ID.read(arguments)?, text: TEXT.read(arguments)? })
    }

    fn charge(input: &Input) -> Charge {
        Charge::text(&input.text)
    }

    fn time_limit(input: &Input) -> Duration {
        typing_limit(&input.text)
    }

    async fn run(Input { id, text }: Input, call: &Call) -> Result<Reply> {
        set_text(call, Some(&id), &text).await?;
        Ok(Reply::text(format!("Text set on element '{id}'")))
    }
}
