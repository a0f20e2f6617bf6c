//! The world over a Unix socket: one JSON object a line, one answer a line, for tests in other languages.
//!
//! It looks at the model and switches faults, past everything that is tested. Requests:
//!
//! - `{"get": "state"}`: applications, order of windows, clipboard, permissions, counters
//! - `{"get": "node", "app": NAME, "find": WHAT}`: attributes and text of a node, by identifier, title, description or value
//! - `{"get": "ledger"}`: live objects and faults
//! - `{"get": "posted"}`: input events so far
//! - `{"set": NAME, "value": ..., "app": NAME}`: see `set` below; unknown names are an error

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::ledger::{self, Mark};
use crate::world::{self, Action, Attribute, Notifications, Posted, World};

/// Serves a socket on a thread of its own, for as long as the process lives.
///
/// # Errors
/// When the socket cannot be made.
pub fn serve(path: &Path) -> std::io::Result<()> {
    let listener = UnixListener::bind(path)?;
    std::thread::Builder::new().name("simulated-mac-control".into()).spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let _ = converse(&stream);
            });
        }
    })?;
    Ok(())
}

fn converse(stream: &UnixStream) -> std::io::Result<()> {
    let mut out = stream;
    for line in BufReader::new(stream).lines() {
        let answer = match serde_json::from_str(&line?) {
            Ok(request) => answer(&request).unwrap_or_else(|problem| json!({ "error": problem })),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

/// Answers one request.
fn answer(request: &Value) -> Result<Value, String> {
    if let Some(what) = request["get"].as_str() {
        return match what {
            "state" => Ok(world::with(|world| state(world))),
            "node" => world::with(|world| node(world, request)),
            "ledger" => {
                let report = Mark::everything().report();
                Ok(
                    json!({ "live": ledger::live_count(), "faults": report.faults, "objects": report.leaks.iter().take(50).collect::<Vec<_>>() }),
                )
            }
            "posted" => Ok(world::with(|world| world.posted.iter().map(posted).collect())),
            other => Err(format!("nothing is called {other}")),
        };
    }
    if let Some(name) = request["set"].as_str() {
        return world::with(|world| set(world, name, request));
    }
    Err("neither get nor set".to_owned())
}

fn posted(event: &Posted) -> Value {
    match event {
        Posted::Pointer { kind, x, y, clicks } => {
            json!({ "pointer": kind, "x": x, "y": y, "clicks": clicks })
        }
        Posted::Key { code, flags, text } => json!({ "key": code, "flags": flags, "text": text }),
    }
}

fn state(world: &World) -> Value {
    let title = |pid: &i32, window| match world.read(*pid, window, "AXTitle") {
        Ok(title) => title.to_json(),
        Err(_) => Value::Null,
    };
    let apps: serde_json::Map<String, Value> = world
        .apps
        .iter()
        .map(|(pid, app)| {
            let focused = app.focused.and_then(|node| app.nodes.get(&node)).map(|node| node.role.clone());
            let about = json!({
                "pid": pid,
                "bundle": app.bundle_id,
                "messages": app.messages,
                "functions": app.messages_by_function,
                "hidden_rows_made": app.hidden_rows_made,
                "times_woken": app.chromium.as_ref().map_or(0, |engine| engine.times_woken),
                "windows": app.windows.iter().map(|window| title(pid, *window)).collect::<Vec<_>>(),
                "focused": focused,
                "open_menu": app.open_menu.is_some(),
                "notes": app.notes,
            });
            (app.name.clone(), about)
        })
        .collect();
    json!({
        "apps": apps,
        "frontmost": world.apps.get(&world.frontmost).map(|app| app.name.clone()),
        "stack": world.stack.iter().map(|(pid, window)| title(pid, *window)).collect::<Vec<_>>(),
        "clipboard": world.clipboard,
        "messages": world.messages,
        "prompts": world.prompts,
        "trusted": world.trusted,
    })
}

fn app_of(world: &World, request: &Value) -> Result<i32, String> {
    let name = request["app"].as_str().ok_or("app is missing")?;
    let found = world.apps.iter().find(|(_, app)| app.name == name).map(|(pid, _)| *pid);
    found.ok_or_else(|| format!("{name} is not running"))
}

fn node(world: &World, request: &Value) -> Result<Value, String> {
    let pid = app_of(world, request)?;
    let app = &world.apps[&pid];
    let what = request["find"].as_str().ok_or("find is missing")?;
    let id = app.find(what).ok_or_else(|| format!("no node is called {what}"))?;
    let attributes: serde_json::Map<String, Value> = world
        .attribute_names(pid, id)
        .into_iter()
        .filter_map(|name| Some((name.clone(), world.read(pid, id, &name).ok()?.to_json())))
        .collect();
    Ok(json!({ "attributes": attributes, "text": app.node(id).text(), "focused": app.focused == Some(id) }))
}

/// Changes the world.
///
/// For the whole Mac: `trusted`, `screen_recording`, `secure_input`, `clipboard`, `picture_problem`, `os_version`, `responsible`.
/// For an application: `hung`, `latency_ms`, `notifications` (`prompt`, `lost`, `doubled`, or a number of milliseconds),
/// `quit`, `quits_after`, `activate`, `reset_messages`. For a node (`find`): `attribute`, `answer`, `hangs`, `text`, `remove`.
fn set(world: &mut World, name: &str, request: &Value) -> Result<Value, String> {
    let value = &request["value"];
    let flag = || value.as_bool().ok_or_else(|| format!("{name} needs true or false"));
    let number = || value.as_u64().ok_or_else(|| format!("{name} needs a number"));
    let text = || value.as_str().map(str::to_owned);
    match name {
        "trusted" => world.trusted = flag()?,
        "screen_recording" => world.screen_recording = flag()?,
        "secure_input" => world.secure_input = flag()?,
        "clipboard" => world.clipboard = text(),
        "picture_problem" => world.picture_problem = text(),
        "responsible" => world.responsible = text(),
        "os_version" => world.os_version[0] = u32::try_from(number()?).map_err(|error| error.to_string())?,
        "start" => {
            let app = match value.as_str() {
                Some("Safari Technology Preview") => crate::apps::safari("Safari Technology Preview"),
                Some("Calculator") => crate::apps::calculator(),
                other => return Err(format!("{other:?} cannot be started")),
            };
            world.start(app);
        }
        _ => {
            let pid = app_of(world, request)?;
            return set_in_app(world, pid, name, request);
        }
    }
    Ok(json!("ok"))
}

fn set_in_app(world: &mut World, pid: i32, name: &str, request: &Value) -> Result<Value, String> {
    let value = &request["value"];
    let flag = || value.as_bool().ok_or_else(|| format!("{name} needs true or false"));
    let number = || value.as_u64().ok_or_else(|| format!("{name} needs a number"));
    match name {
        "quit" => {
            world.quit(pid);
            return Ok(json!("ok"));
        }
        "activate" => {
            world.activate(pid);
            return Ok(json!("ok"));
        }
        _ => {}
    }
    let app = world.apps.get_mut(&pid).ok_or("gone")?;
    match name {
        "hung" => app.hung = flag()?,
        "latency_ms" => app.latency = Duration::from_millis(number()?),
        "quits_after" => app.quits_after = Some(number()?),
        "reset_messages" => {
            app.messages = 0;
            app.messages_by_function.clear();
            app.hidden_rows_made = 0;
        }
        "notifications" => {
            app.notifications = match (value.as_str(), value.as_u64()) {
                (Some("prompt"), _) => Notifications::Prompt,
                (Some("lost"), _) => Notifications::Lost,
                (Some("doubled"), _) => Notifications::Doubled,
                (_, Some(delay)) => Notifications::Late(Duration::from_millis(delay)),
                _ => return Err("notifications are prompt, lost, doubled or late by milliseconds".to_owned()),
            }
        }
        _ => return set_in_node(world, pid, name, request),
    }
    Ok(json!("ok"))
}

fn set_in_node(world: &mut World, pid: i32, name: &str, request: &Value) -> Result<Value, String> {
    let what = request["find"].as_str().ok_or_else(|| format!("nothing is called {name}"))?;
    let app = world.apps.get_mut(&pid).ok_or("gone")?;
    let id = app.find(what).ok_or_else(|| format!("no node is called {what}"))?;
    let value = &request["value"];
    match name {
        "hangs" => app.node_mut(id).hangs = value.as_bool().unwrap_or(true),
        "remove" => {
            app.remove(id);
            world.notify(pid, id, "AXUIElementDestroyed");
        }
        "text" => {
            app.node_mut(id).set_text(value.as_str().unwrap_or_default());
            world.notify(pid, id, "AXValueChanged");
        }
        "answer" => {
            app.node_mut(id).answer = match value.as_str() {
                Some("done") => Action::Done,
                Some("ignored") => Action::Ignored,
                Some("blocks") => Action::Blocks,
                _ => Action::Fails(i32::try_from(value.as_i64().unwrap_or(-25200)).unwrap_or(-25200)),
            }
        }
        "attribute" => {
            let attribute = request["attribute"].as_str().ok_or("attribute is missing")?;
            let new = match value {
                Value::Bool(value) => Attribute::Bool(*value),
                Value::Number(number) if number.is_i64() => {
                    Attribute::Int(number.as_i64().unwrap_or_default())
                }
                Value::Number(number) => Attribute::Float(number.as_f64().unwrap_or_default()),
                Value::String(text) => Attribute::text(text),
                _ => Attribute::Null,
            };
            world.set(pid, id, attribute, new);
        }
        _ => return Err(format!("nothing is called {name}")),
    }
    Ok(json!("ok"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mac;

    #[test]
    fn the_world_is_looked_at_and_changed() {
        let mac = Mac::start(crate::apps::desktop());
        let state = answer(&json!({ "get": "state" })).expect("a state");
        assert_eq!(state["frontmost"], "TextEdit");
        assert_eq!(state["apps"]["Finder"]["bundle"], "com.apple.finder");
        let page = json!({ "get": "node", "app": "TextEdit", "find": "First Text View" });
        assert_eq!(answer(&page).expect("a node")["text"], "hello");
        let set = json!({ "set": "text", "value": "new", "app": "TextEdit", "find": "First Text View" });
        assert_eq!(answer(&set), Ok(json!("ok")));
        assert_eq!(answer(&page).expect("a node")["text"], "new");
        assert_eq!(answer(&json!({ "set": "hung", "value": true, "app": "Finder" })), Ok(json!("ok")));
        assert!(mac.world(|world| world.app("Finder").hung));
        mac.assert_balanced();
    }

    #[test]
    fn what_is_unknown_is_refused() {
        let mac = Mac::start(crate::apps::desktop());
        for request in [
            json!({}),
            json!({ "get": "nothing" }),
            json!({ "get": "node", "app": "TextEdit", "find": "nothing" }),
            json!({ "set": "hung", "value": true, "app": "Nobody" }),
            json!({ "set": "nothing", "value": true, "app": "Finder" }),
            json!({ "set": "trusted", "value": "yes" }),
        ] {
            assert!(answer(&request).is_err(), "{request}");
        }
        mac.assert_balanced();
    }
}
