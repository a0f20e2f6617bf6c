//! `act`: an action on a node that is found again at the moment of acting.

use serde_json::{Value, json};

use super::failure::Failure;
use super::fields::Fields;
use super::history::{Seen, relocate};
use super::nodes::{self, Extra};
use super::session::Session;
use crate::phone::{NodeFlags, Phone};

/// Java's largest number.
const LARGEST: i64 = i32::MAX as i64;

/// What is asked.
struct Request {
    handle: String,
    snapshot: Option<u64>,
    same: bool,
    name: String,
    action: i64,
    extra: Extra,
}

pub(super) fn run(session: &Session, fields: Fields) -> Result<Value, Failure> {
    let request = read(fields)?;
    let before = session.history().find(&request.handle, request.snapshot)?;
    session.events.take()?;
    session.phone.with(|phone| act(phone, &before, request))
}

fn act(phone: &mut Phone, before: &Seen, request: Request) -> Result<Value, Failure> {
    let now = relocate(phone, before, request.same)?;
    let name = &request.name;
    if !now.is(NodeFlags::ENABLED) {
        return Err(Failure::new("disabled", format!("{} does not react now", now.summary())));
    }
    let listed =
        nodes::find(phone, now.key).is_some_and(|node| nodes::actions(&node).contains(&request.action));
    if name != "native" && !listed {
        return Err(Failure::new("unsupported", format!("{} has no action {name}", now.summary())));
    }
    if !nodes::perform(phone, now.key, request.action, request.extra) {
        return Err(Failure::new("refused", format!("the app refused {name} on {}", now.summary())));
    }
    let bounds = now.bounds;
    Ok(
        json!({ "moved": bounds != before.bounds, "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom] }),
    )
}

fn read(mut fields: Fields) -> Result<Request, Failure> {
    let handle = fields.text("handle")?;
    let snapshot = fields.optional_number("snapshot", 1, LARGEST)?.map(|number| number as u64);
    let same = match fields.optional_text("expect")?.as_deref() {
        None | Some("same") => true,
        Some("any") => false,
        Some(_) => return Err(Failure::invalid("expect", "same or any")),
    };
    let name = fields.text("action")?;
    let mut extra = Extra::default();
    let position = |number: i64| usize::try_from(number).unwrap_or_default();
    let action = match name.as_str() {
        "native" => fields.number("id", i64::from(i32::MIN), LARGEST)?,
        name => {
            match name {
                "set_text" => extra.text = Some(fields.text("text")?),
                "set_selection" => {
                    let (start, end) =
                        (fields.number("start", 0, LARGEST)?, fields.number("end", 0, LARGEST)?);
                    extra.selection = Some((position(start), position(end)));
                }
                "set_progress" => extra.progress = Some(fields.real("value")? as f32),
                _ => {}
            }
            nodes::action_of(name).ok_or_else(|| {
                Failure::new("unsupported", format!("this release of Android has no action {name}"))
            })?
        }
    };
    fields.end()?;
    Ok(Request { handle, snapshot, same, name, action, extra })
}
