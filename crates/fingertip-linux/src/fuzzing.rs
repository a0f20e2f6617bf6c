//! What applications and X clients send, each as a function of any bytes.
//!
//! For `fuzz/` only. Each returns what it made of the bytes as text, so that the fuzzer sees when something new
//! happens.

use std::collections::HashMap;

use zbus::zvariant::serialized::{Context, Data};
use zbus::zvariant::{LE, OwnedObjectPath, OwnedValue};

/// The body of an answer: a cache, children, a value of any type, attributes, states, relations.
#[must_use]
pub fn reply(bytes: &[u8]) -> String {
    let data = Data::new(bytes, Context::new_dbus(LE, 0));
    let value = data.deserialize::<OwnedValue>().map(|(value, _)| format!("{value:?}"));
    let attributes = data.deserialize::<HashMap<String, String>>().map(|(list, _)| list.len());
    let states = data.deserialize::<Vec<u32>>();
    let states = states.map(|(halves, _)| format!("{:?}", crate::states::States::from_halves(&halves)));
    let relations =
        data.deserialize::<Vec<(u32, Vec<(String, OwnedObjectPath)>)>>().map(|(list, _)| list.len());
    format!("{} {value:?} {attributes:?} {states:?} {relations:?}", crate::client::cache_of_bytes(bytes))
}

/// An event, its words and numbers drawn from the bytes.
#[must_use]
pub fn event(bytes: &[u8]) -> String {
    crate::events::event_of_bytes(bytes)
}

/// The edges a window claims.
#[must_use]
pub fn window_edges(bytes: &[u8]) -> String {
    let numbers: Vec<u32> =
        bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
    crate::x11::frame_of_numbers(&numbers)
}

/// A desktop entry, and the command line in it.
#[must_use]
pub fn entry(bytes: &[u8]) -> String {
    crate::entries::entry_of_bytes(bytes)
}

/// What the script in KWin reports of its windows.
#[must_use]
pub fn kwin_report(bytes: &[u8]) -> String {
    crate::wayland::kwin::layout_of_bytes(bytes)
}

/// The keymap of a session.
#[must_use]
pub fn keymap(bytes: &[u8]) -> String {
    crate::wayland::kwin::keys_of_bytes(bytes)
}
