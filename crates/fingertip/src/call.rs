//! Every tool as a command: `fingertip call`, and the short forms `see`, `tap` and `tools`.
//!
//! There is no second way to a tool: a running server is asked over its protocol, and without one the same dispatcher runs in
//! this process, with the same policy, rate limit and audit log. The caller is named `cli` in both.

pub(crate) mod answer;
mod arguments;

use std::time::Duration;

use fingertip_mcp::catalog::Catalog;
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::nearest::nearest;
use fingertip_mcp::policy::{Caller, caller};
use fingertip_mcp::transport::client::{Client, ClientError};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::cli::call::{Call, Given, See, Tap, Tools};
use crate::config::Config;
use crate::progress::while_waiting;
use crate::running::Running;
use crate::{Attach, logs, run, token};

use answer::{Answer, Exit, WrongUse};

/// What these commands call themselves, in the audit log too.
const CLIENT: &str = "cli";
/// How long a server may take; its own deadlines are shorter.
const ANSWERED_WITHIN: Duration = Duration::from_secs(300);
/// How many names are suggested for one that is not known.
const SUGGESTIONS: usize = 3;

/// Where calls go.
enum Server {
    /// To the one that runs.
    Running(Client),
    /// To this process.
    Own(Box<Dispatcher>, CancellationToken),
}

impl Server {
    /// The running server, unless this command itself says what to serve or to allow.
    fn find(config: &Config, attach: Attach) -> anyhow::Result<Self> {
        if !config.is_set_here()
            && let Some(Running { address, certificate_sha256 }) = Running::find(config.home())?
        {
            tracing::debug!(%address, "asking the running server");
            let token = token::find(config.home())?;
            return Ok(Self::Running(Client {
                address,
                token,
                certificate: certificate_sha256,
                name: CLIENT,
            }));
        }
        Ok(Self::Own(Box::new(run::dispatcher(config, attach)?), run::on_signal()))
    }

    async fn call(&self, tool: &str, arguments: Map<String, Value>) -> anyhow::Result<Answer> {
        match self {
            Self::Running(client) => {
                let params = json!({"name": tool, "arguments": arguments});
                Ok(Answer::of(client.request("tools/call", params, ANSWERED_WITHIN).await?))
            }
            Self::Own(dispatcher, cancelled) => {
                while_waiting("looking for devices", dispatcher.settled()).await;
                let caller = Caller {
                    client: Some(CLIENT.to_owned()),
                    cancelled: cancelled.clone(),
                    ..Caller::over(caller::DIRECT)
                };
                Ok(match dispatcher.call(tool, &arguments, caller).await {
                    Ok(result) => Answer::Result(serde_json::to_value(result)?),
                    Err(error) => Answer::Error { code: error.code.0.into(), message: error.message.into() },
                })
            }
        }
    }

    /// The tools that are offered, as MCP lists them.
    async fn tools(&self) -> anyhow::Result<Vec<Value>> {
        match self {
            Self::Running(client) => {
                let mut listed = client.request("tools/list", json!({}), ANSWERED_WITHIN).await?;
                match listed["result"]["tools"].take() {
                    Value::Array(tools) => Ok(tools),
                    _ => anyhow::bail!("the server lists no tools: {}", listed["error"]["message"]),
                }
            }
            Self::Own(dispatcher, _) => {
                while_waiting("looking for devices", dispatcher.settled()).await;
                let tools = dispatcher.tools().into_iter();
                Ok(tools.map(serde_json::to_value).collect::<Result<_, _>>()?)
            }
        }
    }
}

/// `fingertip call`.
pub(crate) async fn call(Call { tool, given }: Call, attach: Attach) -> anyhow::Result<Exit> {
    run(&tool, Map::new(), &given, attach).await
}

/// `fingertip see`: the screen in lines for people.
pub(crate) async fn see(See { given }: See, attach: Attach) -> anyhow::Result<Exit> {
    run("get_screen_state", object([("format", "lean")]), &given, attach).await
}

/// `fingertip tap`: presses an element, and reports what became of the screen.
pub(crate) async fn tap(Tap { element, given }: Tap, attach: Attach) -> anyhow::Result<Exit> {
    let preset = object([("element_id", &*selector(&element)), ("see", "changes")]);
    run("click_element", preset, &given, attach).await
}

/// `fingertip tools`.
pub(crate) async fn tools(Tools { tool, json, common }: Tools, attach: Attach) -> anyhow::Result<Exit> {
    let server = Server::find(&run::of_common(&common)?, attach)?;
    let all = server.tools().await?;
    let printed = match &tool {
        None if json => answer::print_json(&Value::Array(all)),
        None => logs::print(&all.iter().map(gist).collect::<Vec<_>>().join("\n")),
        Some(name) => match all.iter().find(|tool| tool["name"] == **name) {
            Some(tool) if json => answer::print_json(tool),
            Some(tool) => logs::print(&page(tool)),
            None => return missing(name),
        },
    };
    answer::read(printed).map(|()| Exit::Done)
}

async fn run(tool: &str, preset: Map<String, Value>, given: &Given, attach: Attach) -> anyhow::Result<Exit> {
    let config = run::of_common(&given.common)?;
    let catalog = Catalog::default();
    let Some(schema) = catalog.input(tool) else { return missing(tool) };
    let mut arguments = preset;
    arguments.extend(arguments::read(&given.arguments, given.input.as_deref(), schema)?);
    let server = Server::find(&config, attach)?;
    let answer = while_waiting(&format!("waiting for {tool}"), server.call(tool, arguments)).await;
    let answer = match answer {
        Err(error) if matches!(error.downcast_ref(), Some(ClientError::Timeout(..))) => {
            logs::say(&format!("fingertip: {error:#}"));
            return Ok(Exit::TimedOut);
        }
        answer => answer?,
    };
    if answer.is_unknown_tool() {
        return missing(tool);
    }
    answer.hand_over(given.json, given.output.as_deref())
}

/// Says why there is no tool of this name: a typo, or one that is not offered here.
fn missing(name: &str) -> anyhow::Result<Exit> {
    let catalog = Catalog::default();
    if catalog.input(name).is_some() {
        logs::say(&format!(
            "fingertip: the tool '{name}' is not offered: the policy leaves it out, or no device can do it; \
             `fingertip tools` lists those that are"
        ));
        return Ok(Exit::Refused);
    }
    let near = nearest(name, catalog.names(), SUGGESTIONS).join(", ");
    Err(WrongUse(format!("there is no tool '{name}'; nearest: {near}")).into())
}

fn object<const N: usize>(pairs: [(&str, &str); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect()
}

/// What a person calls an element, as a selector: the quotes of a shell are gone, so that bare words mean the text it shows.
fn selector(words: &str) -> String {
    let is_id =
        words.strip_prefix("node_").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let is_pattern = words.len() > 2 && words.starts_with('/') && words.ends_with('/');
    if is_id || is_pattern || words.starts_with('#') || words.contains('"') {
        return words.to_owned();
    }
    format!("\"{}\"", words.replace('\\', "\\\\"))
}

/// A tool in one line.
fn gist(tool: &Value) -> String {
    let description = tool["description"].as_str().unwrap_or_default();
    let first = description.split_inclusive(". ").next().unwrap_or(description).trim_end();
    format!("{}\t{first}", tool["name"].as_str().unwrap_or_default())
}

/// A tool with its parameters, as `call` takes them.
fn page(tool: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut page = format!("{}\n{}", text(&tool["name"]), text(&tool["description"]));
    let schema = &tool["inputSchema"];
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    for (name, param) in schema["properties"].as_object().into_iter().flatten() {
        let kind = match &param["type"] {
            Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" or "),
            kind => text(kind),
        };
        let words = param["enum"].as_array().or(param["items"]["enum"].as_array());
        let words =
            words.map(|words| format!(" of {}", words.iter().map(text).collect::<Vec<_>>().join(", ")));
        let needed = if required(name) { ", required" } else { "" };
        let default = param.get("default").map(|value| format!(", default {value}")).unwrap_or_default();
        let description = text(&param["description"]);
        page.push_str(&format!(
            "\n  {name}={}{}{needed}{default}\n      {description}",
            kind.to_uppercase(),
            words.unwrap_or_default()
        ));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_words_are_a_name_and_the_rest_is_a_selector() {
        for (words, meant) in [
            ("Save", r#""Save""#),
            ("Wi-Fi, on", r#""Wi-Fi, on""#),
            (r"C:\x", r#""C:\\x""#),
            ("node_1a", "node_1a"),
            ("node_", "node_"),
            ("node_ x", r#""node_ x""#),
            (r#"switch right of "Wi-Fi""#, r#"switch right of "Wi-Fi""#),
            ("/^Sa/", "/^Sa/"),
            ("#ok", "#ok"),
        ] {
            assert_eq!(selector(words), meant);
        }
    }
}
