//! The operations that are one step each.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::encode::{Encoder, Nodes};
use super::failure::Failure;
use super::fields::Fields;
use super::session::Session;
use crate::phone::{KeyCode, Phone, reported};

/// How often a missing root is asked for, and how long apart.
const ROOT_TRIES: u32 = 20;
const ROOT_EVERY: Duration = Duration::from_millis(25);
/// A key held for so long counts as a long press.
const LONG_PRESS: Duration = Duration::from_millis(500);
/// The first interface level with `GLOBAL_ACTION_DISMISS_NOTIFICATION_SHADE`: Android 12.
const DISMISS_SDK: u32 = 31;

pub(super) async fn snapshot(session: &Session, mut fields: Fields) -> Result<Value, Failure> {
    let (invisible, windows_only) = (fields.flag("invisible")?, fields.flag("windows_only")?);
    fields.end()?;
    session.events.take()?;
    let blind = || session.phone.faults().plan().null_root;
    for _ in 1..ROOT_TRIES {
        if !blind() {
            break;
        }
        tokio::time::sleep(ROOT_EVERY).await;
    }
    let rootless = blind();
    let (quiet, events) = (session.events.quiet(), session.events.count());
    let (mut reply, encoder) = session.phone.with(|phone| {
        let mut reply = Map::new();
        let (width, height) = phone.size();
        reply.insert("snapshot".to_owned(), Value::Null);
        reply.insert("uptime_ms".to_owned(), json!(phone.now()));
        reply.insert("quiet_ms".to_owned(), json!(quiet.map(|quiet| quiet.as_millis() as u64)));
        reply.insert("events".to_owned(), json!(events));
        reply.insert("width".to_owned(), json!(width));
        reply.insert("height".to_owned(), json!(height));
        reply.insert("rotation".to_owned(), json!(phone.rotation()));
        reply.insert("density".to_owned(), json!(phone.density()));
        let mut encoder = Encoder::default();
        for window in reported(phone.windows()) {
            let nodes = match (rootless, windows_only) {
                (true, _) => Nodes::Rootless,
                (false, true) => Nodes::None,
                (false, false) if invisible => Nodes::All,
                (false, false) => Nodes::Visible,
            };
            encoder.window(window, nodes);
        }
        (reply, encoder)
    });
    let seen = encoder.finish(&mut reply);
    if windows_only {
        reply.remove("snapshot");
    } else {
        reply["snapshot"] = json!(session.history().add(seen));
    }
    Ok(Value::Object(reply))
}

pub(super) fn screen(session: &Session, fields: Fields) -> Result<Value, Failure> {
    fields.end()?;
    Ok(session.phone.with(|phone| display(phone)))
}

/// The screen as turned now.
pub(super) fn display(phone: &Phone) -> Value {
    let (width, height) = phone.size();
    json!({ "width": width, "height": height, "rotation": phone.rotation(), "density": phone.density() })
}

pub(super) fn foreground(session: &Session, fields: Fields) -> Result<Value, Failure> {
    fields.end()?;
    session.events.take()?;
    Ok(session.phone.with(|phone| {
        let focus = phone.focus();
        let active = reported(phone.windows()).find(|window| window.focused);
        let package = active.map_or(&focus.package, |window| &window.root.package);
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        json!({ "package": package, "activity": some(&focus.activity), "window": some(&focus.window) })
    }))
}

pub(super) fn secure_windows(session: &Session, fields: Fields) -> Result<Value, Failure> {
    fields.end()?;
    session.events.take()?;
    let windows: Vec<Value> = session.phone.with(|phone| {
        let secure = phone.windows().iter().filter(|window| window.secure);
        secure.map(|window| json!({ "name": window.name, "package": window.package })).collect()
    });
    Ok(json!({ "windows": windows }))
}

pub(super) fn clipboard_get(session: &Session, fields: Fields) -> Result<Value, Failure> {
    fields.end()?;
    Ok(json!({ "text": session.phone.with(|phone| phone.clipboard().map(str::to_owned)) }))
}

pub(super) fn clipboard_set(session: &Session, mut fields: Fields) -> Result<Value, Failure> {
    let text = fields.nullable_text("text")?;
    fields.end()?;
    session.phone.with(|phone| phone.set_clipboard(text));
    Ok(json!({}))
}

pub(super) async fn key(session: &Session, mut fields: Fields) -> Result<Value, Failure> {
    let code = KeyCode(fields.number("code", 1, 1023)? as u32);
    let meta = fields.optional_number("meta", 0, i64::from(i32::MAX))?.unwrap_or_default() as u32;
    let hold = fields.optional_number("hold_ms", 0, 60_000)?.unwrap_or_default();
    fields.end()?;
    let hold = Duration::from_millis(hold.unsigned_abs());
    if hold >= LONG_PRESS {
        session.phone.with(|phone| phone.long_key(code));
    } else {
        session.phone.with(|phone| phone.key(code, meta));
    }
    tokio::time::sleep(hold).await;
    Ok(json!({}))
}

pub(super) fn global(session: &Session, mut fields: Fields) -> Result<Value, Failure> {
    let name = fields.text("action")?;
    fields.end()?;
    let sdk = session.phone.profile().sdk;
    let number = match name.as_str() {
        "back" => 1,
        "home" => 2,
        "recents" => 3,
        "notifications" => 4,
        "quick_settings" => 5,
        "power_dialog" => 6,
        "lock_screen" => 8,
        "dismiss_notifications" if sdk >= DISMISS_SDK => 15,
        "dismiss_notifications" => {
            return Err(Failure::new("unsupported", format!("this release of Android has no {name}")));
        }
        _ => return Err(Failure::invalid("action", "a global action")),
    };
    session.events.take()?;
    if session.phone.with(|phone| perform_global(phone, number)) {
        Ok(json!({}))
    } else {
        Err(Failure::new("refused", format!("the system refused {name}")))
    }
}

/// `performGlobalAction`, by its number; `false` for what this phone does not have.
pub(super) fn perform_global(phone: &mut Phone, number: i64) -> bool {
    match number {
        1 => phone.key(KeyCode::BACK, 0),
        2 => phone.key(KeyCode::HOME, 0),
        3 => phone.key(KeyCode::APP_SWITCH, 0),
        4 => phone.expand_notifications(),
        5 => phone.expand_quick_settings(),
        8 => phone.key(KeyCode::SLEEP, 0),
        15 => phone.collapse_panels(),
        _ => return false,
    }
    true
}

pub(super) fn subscribe(session: &Session, mut fields: Fields) -> Result<Value, Failure> {
    let wanted = fields.list("events")?;
    let hold = fields.optional_number("hold_ms", 0, 600_000)?.unwrap_or_default();
    fields.end()?;
    if wanted.iter().any(|name| name != "change" && name != "toast") {
        return Err(Failure::invalid("events", "a list of \"change\" and \"toast\""));
    }
    if !wanted.is_empty() {
        session.events.take()?;
    }
    let wants = |name: &str| wanted.iter().any(|wanted| wanted == name);
    let hold = Duration::from_millis(hold.unsigned_abs());
    Ok(json!({ "events": session.events.subscribe(wants("change"), wants("toast"), hold) }))
}

/// Waits until the screen is idle; that it was not by `deadline` is an answer too.
pub(super) async fn wait_idle(
    session: &Session,
    mut fields: Fields,
    deadline: Instant,
) -> Result<Value, Failure> {
    let wanted = Duration::from_millis(fields.number("quiet_ms", 1, 60_000)?.unsigned_abs());
    fields.end()?;
    session.events.take()?;
    let before = session.events.count();
    loop {
        let since = session.events.quiet_since().unwrap_or_else(Instant::now);
        let rest = since + wanted;
        if Instant::now() >= rest.min(deadline) {
            return Ok(json!({
                "idle": Instant::now() >= rest,
                "quiet_ms": since.elapsed().as_millis() as u64,
                "events": session.events.count() - before,
            }));
        }
        tokio::time::sleep_until(rest.min(deadline)).await;
    }
}
