//! `set_text`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{NodeId, Result};

use super::BASE;
use super::shared::{ELEMENT_ID, typing_limit};
use crate::call::Call;
use crate::interact::{Submitted, set_text, submit_text};
use crate::params::{Arguments, Flag, Text};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const TEXT: Text = Text::required("text", "Text to set; empty clears").written();
const SUBMIT: Flag = Flag::optional("submit", "Then press ENTER in it", false);

/// The tool.
pub(crate) struct SetText;

/// Which element, and what it shall hold.
pub(crate) struct Input {
    id: NodeId,
    text: String,
    submit: bool,
}

#[async_trait]
impl Tool for SetText {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "set_text",
        title: "Set text",
        description: "Replaces the text of an editable element, then reads it back; an error means that it does not hold the text. \
            input_text adds to what is there.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::TEXT,
        params: &[&ELEMENT_ID, &TEXT, &SUBMIT],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let (id, text) = (ELEMENT_ID.read(arguments)?, TEXT.read(arguments)?);
        Ok(Input { id, text, submit: SUBMIT.read(arguments)? })
    }

    fn charge(input: &Input) -> Charge {
        let text = Charge::text(&input.text);
        if input.submit { text.and_a_key() } else { text }
    }

    fn time_limit(input: &Input) -> Duration {
        typing_limit(&input.text)
    }

    async fn run(Input { id, text, submit }: Input, call: &Call) -> Result<Reply> {
        let mut said = format!("Text set on element '{id}'");
        if !submit {
            let is_focused = set_text(call, Some(id), &text).await?;
            if is_focused {
                return Ok(Reply::done(said).in_short("Text set".to_owned()).untrusted());
            }
            said += ". It could not be focused: the next key would go elsewhere.";
            return Ok(Reply::quoting(&said));
        }
        said += " and submitted with ENTER";
        let Submitted { window, had_effect } = submit_text(call, id, &text).await?;
        if let Some(title) = window {
            said += &format!(" in the window '{title}'");
        }
        if !had_effect {
            said += ". Nothing was seen to change after that; it may take the press of a button.";
        }
        Ok(Reply::quoting(&said))
    }
}
