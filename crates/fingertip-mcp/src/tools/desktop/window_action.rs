//! `window_action`: something done to a window as a whole, and what became of it.

use async_trait::async_trait;
use fingertip_core::target::{Capabilities, WindowAction};
use fingertip_core::{Error, Rect, Result};
use serde_json::{Value, json};

use super::BASE;
use super::shared::OPTIONAL_APP;
use crate::call::{Call, within};
use crate::params::{Arguments, Choice, OptionalInteger, OptionalText, Text};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Subject, Tool};
use crate::windows::WantedWindow;

/// The largest place or size of a window of X11, in pixels.
const MAX_PIXELS: u32 = 32_767;

/// What can be asked for, before its numbers are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Plain(WindowAction),
    Move,
    Resize,
}

const WINDOW: OptionalText = Text::optional(
    "window",
    "The window: its id or path from list_windows, or its title. Without it 'app' must have one window only",
)
.not_empty();
const ACTION: Choice<Verb> = Choice::required(
    "action",
    "What to do. 'restore' undoes minimize and maximize; 'move' takes x and y, 'resize' takes width and height",
    &[
        ("activate", Verb::Plain(WindowAction::Activate)),
        ("close", Verb::Plain(WindowAction::Close)),
        ("minimize", Verb::Plain(WindowAction::Minimize)),
        ("minimise", Verb::Plain(WindowAction::Minimize)),
        ("maximize", Verb::Plain(WindowAction::Maximize)),
        ("maximise", Verb::Plain(WindowAction::Maximize)),
        ("restore", Verb::Plain(WindowAction::Restore)),
        ("move", Verb::Move),
        ("resize", Verb::Resize),
    ],
);
const X: OptionalInteger =
    OptionalInteger::between("x", "For move: the new left edge, in pixels", 0, MAX_PIXELS);
const Y: OptionalInteger =
    OptionalInteger::between("y", "For move: the new top edge, in pixels", 0, MAX_PIXELS);
const WIDTH: OptionalInteger =
    OptionalInteger::between("width", "For resize: the new width with decorations, in pixels", 1, MAX_PIXELS);
const HEIGHT: OptionalInteger = OptionalInteger::between(
    "height",
    "For resize: the new height with decorations, in pixels",
    1,
    MAX_PIXELS,
);

/// The tool.
pub(crate) struct ActOnWindow;

/// What to do, and to which window.
pub(crate) struct Input {
    window: WantedWindow,
    action: WindowAction,
}

#[async_trait]
impl Tool for ActOnWindow {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "window_action",
        title: "Window action",
        description: "Does something to a window: activate (bring to the front), close, minimize, maximize, restore, move, \
            resize. Looks again afterwards and answers with the window as it is then, or that it is gone; what the window \
            manager did not do is an error. Closing asks the window, as its close button does: one with unsaved work may \
            stay and ask.",
        effect: Effect::Write { destructive: true, idempotent: true },
        needs: Capabilities::WINDOWS,
        params: &[&WINDOW, &ACTION, &OPTIONAL_APP, &X, &Y, &WIDTH, &HEIGHT],
        output: Some(output),
        leads_away: true,
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let window = WantedWindow { name: WINDOW.read(arguments)?, app: OPTIONAL_APP.read(arguments)? };
        let verb = ACTION.read(arguments)?;
        let place = (X.read(arguments)?, Y.read(arguments)?);
        let size = (WIDTH.read(arguments)?, HEIGHT.read(arguments)?);
        let action = match (verb, place, size) {
            (Verb::Plain(action), (None, None), (None, None)) => action,
            (Verb::Move, (Some(x), Some(y)), (None, None)) => {
                WindowAction::Move { x: x.cast_signed(), y: y.cast_signed() }
            }
            (Verb::Resize, (None, None), (Some(width), Some(height))) => {
                WindowAction::Resize { width, height }
            }
            (Verb::Move, ..) => {
                return Err(Error::invalid(
                    "The action 'move' takes the parameters 'x' and 'y' and no size.",
                ));
            }
            (Verb::Resize, ..) => {
                return Err(Error::invalid(
                    "The action 'resize' takes the parameters 'width' and 'height' and no place.",
                ));
            }
            (Verb::Plain(action), ..) => {
                return Err(Error::invalid(format!(
                    "The action '{}' takes none of the parameters 'x', 'y', 'width' and 'height'.",
                    action.name()
                )));
            }
        };
        if window.name.is_none() && window.app.is_none() {
            return Err(Error::invalid("Missing parameter 'window' or 'app': say which window is meant."));
        }
        Ok(Input { window, action })
    }

    fn subject(input: &Input) -> Option<Subject> {
        Some(Subject::Windows(input.window.clone()))
    }

    async fn run(Input { window, action }: Input, call: &Call) -> Result<Reply> {
        let (target, deadline) = (call.target(), call.deadline());
        must_fit(call, action).await?;
        let window = within(deadline, "listing the windows", window.one(target, deadline)).await?;
        let after = call.window_manager()?.act_on_window(&window, action, deadline).await?;
        let mut reply = json!({ "action": action.name() });
        match after {
            None => reply["window"] = Value::Null,
            Some(after) => {
                let Rect { left, top, .. } = after.bounds;
                reply["window"] = json!({
                    "id": after.handle, "title": after.title, "app": after.app, "pid": after.pid,
                    "position": { "x": left, "y": top },
                    "size": { "width": after.bounds.width(), "height": after.bounds.height() },
                    "minimized": after.minimized, "frontmost": after.focused,
                });
            }
        }
        Ok(Reply::json(reply).untrusted())
    }
}

/// Refuses a place that is not on the screen and a size beyond it. An application draws all of its window, so a size
/// beyond the screen costs it memory without a bound.
async fn must_fit(call: &Call, action: WindowAction) -> Result<()> {
    let (names, numbers, most) = match action {
        WindowAction::Move { x, y } => (["x", "y"], [x.cast_unsigned(), y.cast_unsigned()], "less than"),
        WindowAction::Resize { width, height } => (["width", "height"], [width, height], "at most"),
        _ => return Ok(()),
    };
    let is_place = matches!(action, WindowAction::Move { .. });
    let screen =
        within(call.deadline(), "reading the screen", call.target().survey().screen(call.deadline())).await?;
    for ((name, number), size) in names.into_iter().zip(numbers).zip([screen.width, screen.height]) {
        if number > size || is_place && number == size {
            return Err(Error::invalid(format!(
                "Parameter '{name}' must be {most} {size} on this {}x{} screen, got {number}. Nothing was done.",
                screen.width, screen.height
            )));
        }
    }
    Ok(())
}

fn output() -> Value {
    let text = json!({ "type": ["string", "null"] });
    json!({
        "type": "object",
        "properties": {
            "action": { "type": "string" },
            "window": {
                "type": ["object", "null"],
                "description": "The window afterwards; null when it is gone",
                "properties": {
                    "id": text, "title": text, "app": text, "pid": { "type": ["integer", "null"] },
                    "position": { "type": "object" }, "size": { "type": "object" },
                    "minimized": { "type": "boolean" }, "frontmost": { "type": "boolean" },
                },
            },
        },
        "required": ["action", "window"],
    })
}
