//! What apps keep: notes, contacts, notifications, with the samples a fresh phone has.

use super::apps::installed::{CLOCK, CONTACTS, NOTES};

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) body: String,
}

impl Note {
    pub(crate) fn samples() -> Vec<Self> {
        let note = |id, title: &str, body: &str| Self { id, title: title.into(), body: body.into() };
        vec![
            note(1, "Shopping list", "Bread\nMilk\nApples\nCoffee"),
            note(2, "Grüße aus Köln", "Schöne Grüße! こんにちは 👋🏽 — naïve café, 3 × 4 = 12"),
            note(3, "Field report", &long_text()),
        ]
    }
}

/// More than 3,000 characters, each line different.
fn long_text() -> String {
    let lines = (1..=60).map(|number| {
        format!("Line {number}: the bridge at kilometre {} was open and the road was dry.", number * 3)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contact {
    pub(crate) name: String,
    pub(crate) phone: String,
    pub(crate) email: String,
    pub(crate) kind: &'static str,
    pub(crate) favourite: bool,
}

impl Contact {
    pub(crate) fn samples() -> Vec<Self> {
        let contact = |name: &str, phone: &str, email: &str, kind, favourite| Self {
            name: name.into(),
            phone: phone.into(),
            email: email.into(),
            kind,
            favourite,
        };
        vec![
            contact("Ada Lovelace", "+44 20 7946 0101", "ada@example.org", "Work", true),
            contact("Grace Hopper", "+1 202 555 0143", "grace@example.org", "Work", false),
            contact("Konrad Zuse", "+49 30 5550 199", "konrad@example.org", "Home", false),
        ]
    }
}

/// A notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    pub(crate) id: u32,
    /// The app it belongs to, and opens.
    pub(crate) package: &'static str,
    pub(crate) title: String,
    pub(crate) text: String,
}

impl Notification {
    pub(crate) fn samples() -> Vec<Self> {
        let notification = |id, package, title: &str, text: &str| Self {
            id,
            package,
            title: title.into(),
            text: text.into(),
        };
        vec![
            notification(1, NOTES, "Reminder", "Buy bread and milk"),
            notification(2, CONTACTS, "Missed call", "Ada Lovelace, 09:12"),
            notification(3, CLOCK, "Upcoming alarm", "Tue 07:00"),
        ]
    }
}
