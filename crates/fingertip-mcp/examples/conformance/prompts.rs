//! Prompts with and without arguments, with embedded content, and one that has to ask first.

use rmcp::model::{
    ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt,
    PromptArgument, PromptMessage, ResourceContents, Role,
};

use crate::input_required;
use crate::tools::PNG;

/// What the argument completion offers.
const COMPLETIONS: [&str; 3] = ["test-one", "test-two", "other"];

pub(crate) fn list() -> Vec<Prompt> {
    let argument = |name: &str| PromptArgument::new(name).with_required(true);
    vec![
        Prompt::new("test_simple_prompt", Some("A prompt without arguments"), None),
        Prompt::new(
            "test_prompt_with_arguments",
            Some("A prompt with two arguments"),
            Some(vec![argument("arg1"), argument("arg2")]),
        ),
        Prompt::new(
            "test_prompt_with_embedded_resource",
            Some("A prompt that embeds a resource"),
            Some(vec![argument("resourceUri")]),
        ),
        Prompt::new("test_prompt_with_image", Some("A prompt with an image"), None),
        Prompt::new(input_required::PROMPT, Some("A prompt that asks for its context first"), None),
    ]
}

pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument(request, "arg1")?, argument(request, "arg2")?);
            vec![text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let contents = ResourceContents::text(
                "Embedded resource content for testing.",
                argument(request, "resourceUri")?,
            );
            vec![
                message(ContentBlock::resource(contents.with_mime_type("text/plain"))),
                text("Please process the embedded resource above."),
            ]
        }
        "test_prompt_with_image" => {
            vec![message(ContentBlock::image(PNG, "image/png")), text("Please analyze the image above.")]
        }
        input_required::PROMPT => match input_required::prompt_context(request.input_responses.as_ref())? {
            input_required::Round::Ask(question) => return Ok(question.into()),
            input_required::Round::Done(context) => vec![text(&format!("Use this context: {context}"))],
        },
        unknown => return Err(ErrorData::invalid_params(format!("Unknown prompt: {unknown}"), None)),
    };
    Ok(GetPromptResult::new(messages).into())
}

pub(crate) fn complete(typed: &str) -> Vec<String> {
    COMPLETIONS.iter().filter(|value| value.starts_with(typed)).map(ToString::to_string).collect()
}

fn argument<'a>(request: &'a GetPromptRequestParams, name: &str) -> Result<&'a str, ErrorData> {
    let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
    value
        .and_then(serde_json::Value::as_str)
        .ok_or_else(|| ErrorData::invalid_params(format!("Missing argument: {name}"), None))
}

fn text(text: &str) -> PromptMessage {
    message(ContentBlock::text(text))
}

fn message(content: ContentBlock) -> PromptMessage {
    PromptMessage::new(Role::User, content)
}
