//! Hints that a phone reports as text.
//!
//! Before Android 15 a dump does not name hints: an empty field holds its hint, as far as the dump says. So
//! what shows in a field that was just emptied, and was no part of its text, is remembered as the hint of that
//! field, and is not taken for its text again.

use std::collections::HashSet;
use std::sync::Mutex;

use fingertip_core::{Flags, Node};

use crate::lock;
use crate::parse::hierarchy::Hierarchy;

/// The most hints that are remembered; more are not learned.
const MAX_HINTS: usize = 500;

/// The application, the field's resource id, and its hint.
type Hint = (Option<Box<str>>, Option<Box<str>>, Box<str>);

/// The hints a phone was seen to report as text.
#[derive(Debug, Default)]
pub(super) struct Hints(Mutex<HashSet<Hint>>);

impl Hints {
    /// Remembers what a field shows after it was emptied, if that can only be its hint.
    pub(super) fn learn(&self, app: Option<&str>, before: &str, emptied: &Node) {
        let Some(shown) = emptied.text.as_deref().filter(|shown| !before.contains(*shown)) else { return };
        let mut known = lock(&self.0);
        if known.len() < MAX_HINTS {
            known.insert((app.map(Into::into), emptied.resource_id.clone(), shown.into()));
        }
    }

    /// Makes hints of the texts that are known to be hints.
    pub(super) fn apply(&self, hierarchy: &mut Hierarchy) {
        let known = lock(&self.0);
        if known.is_empty() {
            return;
        }
        for window in &mut hierarchy.windows {
            for (_, node) in &mut window.nodes {
                let Some(text) =
                    node.text.take_if(|_| node.flags.contains(Flags::EDITABLE) && node.hint.is_none())
                else {
                    continue;
                };
                let hint = (window.package.clone(), node.resource_id.clone(), text);
                if known.contains(&hint) { node.hint = Some(hint.2) } else { node.text = Some(hint.2) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::hierarchy::parse;

    fn field(text: &str) -> Hierarchy {
        let dump = format!(
            "<hierarchy><node class=\"EditText\" package=\"com.app\" resource-id=\"id/name\" text=\"{text}\"/></hierarchy>"
        );
        parse(dump.as_bytes()).unwrap()
    }

    fn shown(hints: &Hints, text: &str) -> (Option<String>, Option<String>) {
        let mut hierarchy = field(text);
        hints.apply(&mut hierarchy);
        let node = &hierarchy.windows[0].nodes[0].1;
        (node.text.as_deref().map(str::to_owned), node.hint.as_deref().map(str::to_owned))
    }

    #[test]
    fn what_an_emptied_field_shows_is_its_hint_from_then_on() {
        let hints = Hints::default();
        assert_eq!(shown(&hints, "First name"), (Some("First name".into()), None));
        hints.learn(Some("com.app"), "Bob", &field("First name").windows[0].nodes[0].1);
        assert_eq!(shown(&hints, "First name"), (None, Some("First name".into())));
        assert_eq!(shown(&hints, "Bob"), (Some("Bob".into()), None));
    }

    #[test]
    fn what_is_left_of_the_text_is_no_hint() {
        let hints = Hints::default();
        hints.learn(Some("com.app"), "Bob", &field("Bo").windows[0].nodes[0].1);
        assert_eq!(shown(&hints, "Bo"), (Some("Bo".into()), None));
    }
}
