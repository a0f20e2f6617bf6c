//! One message of the bus, and what it means.

use std::collections::HashMap;

use fingertip_core::target::UiEventKind;
use fingertip_desktop::cache::Reach;
use zbus::message::{Body, Message};
use zbus::zvariant::{OwnedObjectPath, OwnedValue};

use super::source;
use crate::handle::{Handle, ROOT};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// Something reported to watchers.
    Event(UiEventKind),
    /// An application left the bus.
    Left,
    /// Something that counts as a change and is not reported.
    Other,
}

/// Something that happened to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Raw {
    /// To which object; of an application that left, its root.
    pub(crate) handle: Handle,
    /// What.
    pub(crate) what: What,
    /// How much is different.
    pub(crate) reach: Reach,
    /// Whether it is the name of the object that changed, which is a title if it is a window.
    pub(crate) renamed: bool,
}

/// The parts of an event's body: a word, two numbers, and a value.
type Parts = (String, i32, i32, OwnedValue);

impl Raw {
    /// Reads a signal; `None` for one that says nothing of use.
    pub(super) fn read(message: &Message) -> Option<Self> {
        let header = message.header();
        let (interface, member) = (header.interface()?.as_str(), header.member()?.as_str());
        if member == "NameOwnerChanged" {
            return left(&message.body());
        }
        let handle = source(message)?;
        let parts = parts(&message.body());
        let (word, number) = parts.as_ref().map_or(("", 0), |(word, number, ..)| (word.as_str(), *number));
        let (what, reach) = match interface.rsplit('.').next()? {
            "Window" => (of_window(member), reach_in_window(member)),
            "Object" => (of_object(member, word, number)?, reach_in_object(member, word)),
            _ => return None,
        };
        let reach = if parts.is_some() { reach } else { Reach::Application };
        let renamed = member == "PropertyChange" && word == "accessible-name";
        let raw = Self { handle, what, reach, renamed };
        Some(raw.or_of_window(member, word, parts.as_ref()))
    }

    /// Windows that come and go as children of the application, which not every toolkit reports otherwise.
    fn or_of_window(self, member: &str, word: &str, parts: Option<&Parts>) -> Self {
        if member != "ChildrenChanged" || &*self.handle.path != ROOT {
            return self;
        }
        let child = parts.and_then(|(.., value)| child(value));
        let kind =
            if word.starts_with("add") { UiEventKind::WindowCreated } else { UiEventKind::WindowDestroyed };
        let handle = child.unwrap_or(self.handle);
        Self { handle, what: What::Event(kind), reach: Reach::Application, renamed: false }
    }
}

fn of_window(member: &str) -> What {
    match member {
        "Create" => What::Event(UiEventKind::WindowCreated),
        "Destroy" | "Close" => What::Event(UiEventKind::WindowDestroyed),
        "PropertyChange" => What::Event(UiEventKind::TitleChanged),
        _ => What::Other,
    }
}

fn reach_in_window(member: &str) -> Reach {
    match member {
        "Activate" | "Deactivate" | "PropertyChange" => Reach::Object,
        _ => Reach::Application,
    }
}

/// What shows, opens, gets children or chooses among them changes with what is in it.
fn reach_in_object(member: &str, word: &str) -> Reach {
    match (member, word) {
        ("StateChanged", "showing" | "visible" | "expanded" | "collapsed" | "defunct") => Reach::Below,
        ("StateChanged" | "PropertyChange" | "TextChanged" | "ValueChanged", _) => Reach::Object,
        _ => Reach::Below,
    }
}

/// What happened to an object; `None` for what applications report all the time although nothing has changed.
fn of_object(member: &str, word: &str, number: i32) -> Option<What> {
    let kind = match member {
        "BoundsChanged" | "TextCaretMoved" | "VisibleDataChanged" | "Announcement" => return None,
        "StateChanged" => match word {
            "focused" if number == 1 => UiEventKind::FocusChanged,
            "checked" | "pressed" | "selected" | "expanded" | "indeterminate" | "enabled" | "sensitive" => {
                UiEventKind::ValueChanged
            }
            _ => return Some(What::Other),
        },
        "ActiveDescendantChanged" => UiEventKind::FocusChanged,
        "TextChanged" | "ValueChanged" | "SelectionChanged" => UiEventKind::ValueChanged,
        "PropertyChange" if matches!(word, "accessible-value" | "accessible-name") => {
            UiEventKind::ValueChanged
        }
        "ChildrenChanged" => UiEventKind::ChildrenChanged,
        _ => return Some(What::Other),
    };
    Some(What::Event(kind))
}

/// An event whose words, numbers and form are drawn from these bytes, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn event_of_bytes(bytes: &[u8]) -> String {
    use zbus::zvariant::Value;
    const MEMBERS: [&str; 8] = [
        "StateChanged",
        "ChildrenChanged",
        "PropertyChange",
        "TextChanged",
        "BoundsChanged",
        "Activate",
        "Create",
        "NameOwnerChanged",
    ];
    const INTERFACES: [&str; 3] =
        ["org.a11y.atspi.Event.Object", "org.a11y.atspi.Event.Window", "org.freedesktop.DBus"];
    let [form, member, interface, rest @ ..] = bytes else { return String::new() };
    let number = rest.first_chunk::<4>().map_or(0, |four| i32::from_le_bytes(*four));
    let text = String::from_utf8_lossy(rest).replace('\0', "");
    let (word, other) = text.split_once(' ').unwrap_or((&text, ""));
    let member = MEMBERS[usize::from(*member) % MEMBERS.len()];
    let interface = INTERFACES[usize::from(*interface) % INTERFACES.len()];
    let signal = Message::signal("/a", interface, member).and_then(|signal| signal.sender(":1.7"));
    let Ok(signal) = signal else { return String::new() };
    let message = match form % 4 {
        0 => signal.build(&(word, number, 0, Value::from(other), HashMap::<String, Value<'_>>::new())),
        1 => signal.build(&(word, other, "")),
        2 => signal.build(&(word, number, number, Value::from(number), (":1.7", "/x"))),
        _ => signal.build(&(number, word)),
    };
    message.map_or_else(|_| String::new(), |message| format!("{:?}", Raw::read(&message)))
}

/// Toolkits end the body in two ways: with properties, and (Qt) with the application.
fn parts(body: &Body) -> Option<Parts> {
    type WithProperties = (String, i32, i32, OwnedValue, HashMap<String, OwnedValue>);
    type WithApplication = (String, i32, i32, OwnedValue, (String, OwnedObjectPath));
    if let Ok((word, first, second, value, _)) = body.deserialize::<WithProperties>() {
        return Some((word, first, second, value));
    }
    body.deserialize::<WithApplication>()
        .ok()
        .map(|(word, first, second, value, _)| (word, first, second, value))
}

fn child(value: &OwnedValue) -> Option<Handle> {
    let (bus_name, path) = <(String, OwnedObjectPath)>::try_from(value.try_clone().ok()?).ok()?;
    Some(Handle::new(&bus_name, path.as_str())).filter(|handle| !handle.is_nothing())
}

/// An application that left the bus. Only unique names are applications; others come and go with services.
fn left(body: &Body) -> Option<Raw> {
    let (name, _, new): (String, String, String) = body.deserialize().ok()?;
    let gone = name.starts_with(':') && new.is_empty();
    gone.then(|| Raw {
        handle: Handle::root(&name),
        what: What::Left,
        reach: Reach::Application,
        renamed: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<B: serde::Serialize + zbus::zvariant::DynamicType>(
        path: &str,
        interface: &str,
        member: &str,
        body: &B,
    ) -> Message {
        Message::signal(path, interface, member)
            .expect("a signal")
            .sender(":1.7")
            .expect("a sender")
            .build(body)
            .expect("a message")
    }

    fn object(member: &str, word: &str, number: i32) -> Option<What> {
        let properties: HashMap<String, zbus::zvariant::Value<'_>> = HashMap::new();
        let body = (word, number, 0, zbus::zvariant::Value::from(0), properties);
        Raw::read(&message("/a", "org.a11y.atspi.Event.Object", member, &body)).map(|raw| raw.what)
    }

    #[test]
    fn noise_is_nothing_and_the_rest_has_a_kind() {
        assert_eq!(object("BoundsChanged", "", 0), None);
        assert_eq!(object("StateChanged", "focused", 1), Some(What::Event(UiEventKind::FocusChanged)));
        assert_eq!(object("StateChanged", "focused", 0), Some(What::Other));
        assert_eq!(object("TextChanged", "insert", 3), Some(What::Event(UiEventKind::ValueChanged)));
        assert_eq!(object("ChildrenChanged", "add", 0), Some(What::Event(UiEventKind::ChildrenChanged)));
    }

    #[test]
    fn a_body_of_another_form_may_be_any_change() {
        let odd = message("/a", "org.a11y.atspi.Event.Object", "StateChanged", &("accessible-name", 4_u64));
        let raw = Raw::read(&odd).expect("an event");
        assert_eq!((raw.what, raw.reach), (What::Other, Reach::Application));
    }

    #[test]
    fn what_shows_or_has_other_children_reaches_below() {
        assert_eq!(reach_in_object("StateChanged", "checked"), Reach::Object);
        assert_eq!(reach_in_object("StateChanged", "showing"), Reach::Below);
        assert_eq!(reach_in_object("TextChanged", "insert"), Reach::Object);
        assert_eq!(reach_in_object("SelectionChanged", ""), Reach::Below);
        assert_eq!(reach_in_window("Activate"), Reach::Object);
        assert_eq!(reach_in_window("Create"), Reach::Application);
    }

    #[test]
    fn a_child_of_the_application_is_a_window() {
        let value = zbus::zvariant::Value::from((
            ":1.7",
            zbus::zvariant::ObjectPath::from_static_str_unchecked("/w"),
        ));
        let app = (":1.7", zbus::zvariant::ObjectPath::from_static_str_unchecked(ROOT));
        let raw = Raw::read(&message(
            ROOT,
            "org.a11y.atspi.Event.Object",
            "ChildrenChanged",
            &("add", 0, 0, value, app),
        ));
        let raw = raw.expect("an event");
        assert_eq!(raw.what, What::Event(UiEventKind::WindowCreated));
        assert_eq!(raw.handle, Handle::new(":1.7", "/w"));
    }

    #[test]
    fn an_application_leaves_with_its_name() {
        let leaving = message(
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameOwnerChanged",
            &(":1.9", ":1.9", ""),
        );
        let raw = Raw::read(&leaving).expect("an event");
        assert_eq!((raw.what, &*raw.handle.bus_name), (What::Left, ":1.9"));
        let service = message(
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameOwnerChanged",
            &("a.b", ":1.9", ""),
        );
        assert_eq!(Raw::read(&service), None);
    }
}
