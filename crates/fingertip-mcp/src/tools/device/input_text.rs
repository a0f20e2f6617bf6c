//! `input_text`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{NodeId, Result};

use super::BASE;
use super::shared::typing_limit;
use crate::call::Call;
use crate::interact::{Typed, type_text};
use crate::params::{Arguments, ElementId, OptionalElementId, Text};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const TEXT: Text = Text::required("text", "Text to type").not_empty().written();
const ELEMENT_ID: OptionalElementId =
    ElementId::optional("element_id", "Optional: target element ID or selector to focus and type into");

/// The tool.
pub(crate) struct InputText;

/// What to type, and where.
pub(crate) struct Input {
    id: Option<NodeId>,
    text: String,
}

#[async_trait]
impl Tool for InputText {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "input_text",
        title: "Input text",
        description: "Types text at the cursor of the focused field, or of the element named, which is focused \
            first; then reads it back. On a desktop where nothing tells of a focus it goes to the window in front, \
            unread. To replace what is there use set_text.",
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::TEXT.union(Capabilities::KEYS),
        params: &[&TEXT, &ELEMENT_ID],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input { text: TEXT.read(arguments)?, id: ELEMENT_ID.read(arguments)? })
    }

    fn charge(input: &Input) -> Charge {
        Charge::text(&input.text)
    }

    fn time_limit(input: &Input) -> Duration {
        typing_limit(&input.text)
    }

    async fn run(Input { id, text }: Input, call: &Call) -> Result<Reply> {
        let typed = type_text(call, id, &text).await?;
        let count = text.chars().count();
        Ok(match typed {
            Typed::Confirmed => {
                let said = format!("Text input completed ({count} characters)");
                Reply::done(said).in_short("Text input completed".to_owned()).untrusted()
            }
            Typed::Unread(window) => Reply::quoting(&format!(
                "Text input completed ({count} characters) into the window '{window}'. It could not be read back: \
                what has the focus in it exposes nothing. Look at a screenshot."
            )),
            Typed::Sent(window) => Reply::quoting(&format!(
                "Text input completed ({count} characters) into the terminal of the window '{window}'. What its program \
                makes of it was not checked: look at the screen."
            )),
        })
    }
}
