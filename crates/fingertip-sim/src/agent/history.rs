//! The last snapshots, for the handles they gave out, and finding a node of one again.

use std::collections::VecDeque;

use super::failure::Failure;
use super::nodes;
use crate::phone::{NodeFlags, NodeView, Phone, Rect, reported};

/// How many snapshots are kept.
pub(super) const KEPT: usize = 4;
/// The most of a label that messages show, in UTF-16 units.
const SHOWN: usize = 60;

/// A node as it was when it was looked at: what it is recognised by.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) window: u32,
    pub(super) key: u64,
    pub(super) package: String,
    pub(super) class: String,
    pub(super) text: Option<String>,
    pub(super) description: Option<String>,
    pub(super) resource_id: Option<String>,
    pub(super) bounds: Rect,
    pub(super) flags: NodeFlags,
}

impl Seen {
    pub(super) fn of(node: &NodeView, window: u32) -> Self {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let hidden = node.flags.intersects(NodeFlags::PASSWORD | NodeFlags::SHOWING_HINT);
        Self {
            window,
            key: node.key,
            package: node.package.clone(),
            class: node.class.to_owned(),
            text: some(&node.text).filter(|_| !hidden),
            description: some(&node.content_desc),
            resource_id: some(&node.resource_id),
            bounds: node.bounds,
            flags: node.flags,
        }
    }

    pub(super) fn is(&self, flags: NodeFlags) -> bool {
        self.flags.contains(flags)
    }

    /// The same by its app and by all that people recognise it by. What is typed into a field does not make it another field.
    fn looks_like(&self, other: &Self) -> bool {
        let both_fields = self.is(NodeFlags::EDITABLE) && other.is(NodeFlags::EDITABLE);
        self.package == other.package
            && self.class == other.class
            && self.resource_id == other.resource_id
            && self.description == other.description
            && (both_fields || self.text == other.text)
    }

    fn has_marks(&self) -> bool {
        self.resource_id.is_some() || self.text.is_some() || self.description.is_some()
    }

    /// For messages: `Button "OK"`.
    pub(super) fn summary(&self) -> String {
        let class = self.class.rsplit('.').next().unwrap_or(&self.class);
        match (self.text.as_ref().or(self.description.as_ref()), &self.resource_id) {
            (Some(label), _) if label.encode_utf16().count() > SHOWN => {
                let start: Vec<u16> = label.encode_utf16().take(SHOWN).collect();
                format!("{class} \"{}...\"", String::from_utf16_lossy(&start))
            }
            (Some(label), _) => format!("{class} \"{label}\""),
            (None, Some(id)) => format!("{class} #{id}"),
            (None, None) => class.to_owned(),
        }
    }
}

/// The last snapshots, the newest first.
#[derive(Debug, Default)]
pub(super) struct History {
    entries: VecDeque<(u64, Vec<Seen>)>,
    last: u64,
}

impl History {
    /// Keeps the nodes of a snapshot and numbers it.
    pub(super) fn add(&mut self, nodes: Vec<Seen>) -> u64 {
        self.last += 1;
        self.entries.push_front((self.last, nodes));
        self.entries.truncate(KEPT);
        self.last
    }

    /// The node as it was in the snapshot named; when none is, in the newest that has it.
    pub(super) fn find(&self, handle: &str, snapshot: Option<u64>) -> Result<Seen, Failure> {
        let handle = Handle::parse(handle)?;
        let wanted = self.entries.iter().filter(|(number, _)| snapshot.is_none_or(|named| named == *number));
        wanted
            .into_iter()
            .find_map(|(number, nodes)| handle.find(*number, nodes))
            .cloned()
            .ok_or_else(|| Failure::gone("no kept snapshot has this handle; take a new one"))
    }
}

/// How a request names a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handle {
    Node { window: u32, key: u64 },
    Place { snapshot: u64, index: usize },
}

impl Handle {
    fn parse(text: &str) -> Result<Self, Failure> {
        Self::read(text)
            .ok_or_else(|| Failure::invalid("handle", "WINDOW:VIEW, WINDOW:VIEW:VIRTUAL or #SNAPSHOT.INDEX"))
    }

    fn read(text: &str) -> Option<Self> {
        if let Some(place) = text.strip_prefix('#') {
            let (snapshot, index) = place.split_once('.')?;
            return Some(Self::Place { snapshot: snapshot.parse().ok()?, index: index.parse().ok()? });
        }
        let mut parts = text.split(':');
        let window = parts.next()?.parse::<i32>().ok()?;
        let view = parts.next()?.parse::<i32>().ok()?;
        let part = parts.next().map_or(Some(-1), |part| part.parse::<i32>().ok())?;
        let key = (u64::from(part as u32) << 32) | u64::from(view as u32);
        parts.next().is_none().then_some(Self::Node { window: window as u32, key })
    }

    fn find(self, number: u64, nodes: &[Seen]) -> Option<&Seen> {
        match self {
            Self::Place { snapshot, index } => nodes.get(index).filter(|_| snapshot == number),
            Self::Node { window, key } => nodes.iter().find(|seen| seen.key == key && seen.window == window),
        }
    }
}

/// The node as it is now. With `same`, it must still look as it did.
pub(super) fn relocate(phone: &Phone, before: &Seen, same: bool) -> Result<Seen, Failure> {
    let now = match current(phone, before) {
        Some(now) => now,
        None => search(phone, before)?,
    };
    if same && !now.looks_like(before) {
        return Err(Failure::new("changed", format!("the node is now {}", now.summary()))
            .with("class", now.class)
            .with("text", now.text)
            .with("description", now.description)
            .with("resource_id", now.resource_id));
    }
    Ok(now)
}

fn current(phone: &Phone, before: &Seen) -> Option<Seen> {
    let window = reported(phone.windows()).find(|window| window.id == before.window)?;
    let node = nodes::find(phone, before.key)?;
    window.root.walk().any(|own| own.key == node.key).then(|| Seen::of(&node, window.id))
}

/// Looks for one that looks like it, in its own window first.
fn search(phone: &Phone, before: &Seen) -> Result<Seen, Failure> {
    let all: Vec<Seen> = reported(phone.windows())
        .flat_map(|window| window.root.walk().map(|node| Seen::of(node, window.id)))
        .filter(|seen| seen.is(NodeFlags::VISIBLE) && seen.looks_like(before))
        .collect();
    let (own, others): (Vec<Seen>, Vec<Seen>) =
        all.into_iter().partition(|seen| seen.window == before.window);
    let mut found = if own.is_empty() { others } else { own };
    if !before.has_marks() || found.is_empty() {
        return Err(Failure::gone(format!("the node {} is no longer there", before.summary())));
    }
    if found.len() > 1 {
        let message = format!("the node is gone, and {} look like {}", found.len(), before.summary());
        return Err(Failure::new("ambiguous", message).with("count", found.len()));
    }
    Ok(found.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_read_strictly() {
        assert_eq!(Handle::read("3:1042"), Some(Handle::Node { window: 3, key: 0xffff_ffff_0000_0412 }));
        assert_eq!(Handle::read("3:-1:7"), Some(Handle::Node { window: 3, key: 0x7_ffff_ffff }));
        assert_eq!(Handle::read("#17.4"), Some(Handle::Place { snapshot: 17, index: 4 }));
        for wrong in ["", "3", "3:", "3:1:2:3", "#1", "a:b", "3:99999999999"] {
            assert_eq!(Handle::read(wrong), None, "{wrong}");
        }
    }
}
