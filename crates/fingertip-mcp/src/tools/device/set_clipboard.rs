//! `set_clipboard`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::Capabilities;

use super::BASE;
use crate::call::Call;
use crate::params::{Arguments, Text};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const TEXT: Text = Text::required("text", "Text to set in clipboard").written();

/// The tool.
pub(crate) struct SetClipboard;

#[async_trait]
impl Tool for SetClipboard {
    type Input = String;

    const DEFINITION: &'static Definition = &Definition {
        name: "set_clipboard",
        title: "Set clipboard",
        description: "Replaces the text on the clipboard.",
        effect: Effect::Write { destructive: true, idempotent: true },
        needs: Capabilities::CLIPBOARD,
        params: &[&TEXT],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<String> {
        TEXT.read(arguments)
    }

    async fn run(text: String, call: &Call) -> Result<Reply> {
        call.clipboard()?.set_clipboard(&text, call.deadline()).await?;
        Ok(Reply::done(format!("Clipboard set successfully ({} characters)", text.chars().count())))
    }
}
