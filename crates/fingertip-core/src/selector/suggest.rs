//! Selectors for a given element: the shortest that mean it and nothing else.
//!
//! Rules: what is suggested was tried on the very snapshot it is for, and meant exactly that one line of the lean screen. Words
//! come before the programmer's names, those before places, and a place relative to something with words before a number.
//! A node that has no line of its own is suggested as the line it is shown with.

use super::{MAX_CHARACTERS, Selector, matching::Lines};
use crate::path::Quoted;
use crate::{Flags, NodeIndex, Rect, Snapshot, lean};

/// The most that are suggested.
pub const MOST: usize = 4;
/// The longest text that a selector quotes, in characters; longer ones change too easily.
const MAX_QUOTED: usize = 60;
/// The most neighbours that a place is described by.
const MOST_ANCHORS: usize = 12;
/// The most numbers that are tried.
const MOST_NUMBERS: i32 = 50;

/// Selectors that mean this node, or the line it is shown with, and nothing else: the best first.
#[must_use]
pub fn suggest(snapshot: &Snapshot, index: NodeIndex) -> Vec<String> {
    let screen = Lines::of(snapshot, |_| true);
    let Some(line) =
        std::iter::once(index).chain(snapshot.ancestors(index)).find(|node| screen.has_line(*node))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut consider = |text: String| {
        if found.len() < MOST && !found.contains(&text) && means_only(&screen, &text, line) {
            found.push(text);
        }
    };
    let node = snapshot.node(line);
    let kind = screen.kind_word(line);
    let words = lean::words(snapshot, line);
    let hint = node.hint.as_deref().filter(|_| node.is(Flags::EDITABLE));
    let quoted = |text: &str| (text.chars().count() <= MAX_QUOTED).then(|| Quoted(text).to_string());
    let names: Vec<String> = words.iter().copied().chain(hint).filter_map(quoted).collect();
    for name in &names {
        consider(format!("{kind} {name}"));
        consider(name.clone());
    }
    if let Some(id) = node.resource_id.as_deref().map(|id| id.rsplit('/').next().unwrap_or(id)) {
        let id = if id.chars().all(super::parse::is_id_letter) {
            format!("#{id}")
        } else {
            format!("#{}", Quoted(id))
        };
        consider(id.clone());
        consider(format!("{kind} {id}"));
    }
    consider(kind.to_owned());
    for (relation, anchor) in neighbours(snapshot, &screen, line) {
        let Some(name) = lean::words(snapshot, anchor).first().copied().and_then(quoted) else { continue };
        consider(format!("{kind} {relation} {name}"));
    }
    let described = names.first().map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}"));
    for number in 1..=MOST_NUMBERS {
        consider(format!("{described} [{number}]"));
    }
    found
}

fn means_only(screen: &Lines<'_>, text: &str, line: NodeIndex) -> bool {
    text.chars().count() <= MAX_CHARACTERS
        && Selector::parse(text).is_ok_and(|selector| super::matching::find(&selector, screen) == [line])
}

/// Lines with words around this one, with how it stands to them: the nearest first.
fn neighbours(snapshot: &Snapshot, screen: &Lines<'_>, line: NodeIndex) -> Vec<(&'static str, NodeIndex)> {
    let own = snapshot.node(line).bounds;
    let window = snapshot.window_of(line);
    let mut around: Vec<(i64, &'static str, NodeIndex)> = screen
        .line_nodes()
        .filter(|other| *other != line && snapshot.window_of(*other) == window)
        .filter_map(|other| {
            let (relation, distance) = relation(own, snapshot.node(other).bounds)?;
            Some((distance, relation, other))
        })
        .collect();
    // What stands in the same row names a thing better than what stands over it.
    let beside = |relation: &str| relation.ends_with("of");
    around.sort_by_key(|(distance, relation, other)| (!beside(relation), *distance, other.position()));
    around.truncate(MOST_ANCHORS);
    around.into_iter().map(|(_, relation, other)| (relation, other)).collect()
}

/// How one place stands to another, and how far from it, where a person would say so.
fn relation(own: Rect, other: Rect) -> Option<(&'static str, i64)> {
    let (rows, columns) =
        (own.top < other.bottom && other.top < own.bottom, own.left < other.right && other.left < own.right);
    let gap = |from: i32, to: i32| i64::from(to) - i64::from(from);
    match (rows, columns) {
        (true, false) if own.left >= other.right => Some(("right of", gap(other.right, own.left))),
        (true, false) => Some(("left of", gap(own.right, other.left))),
        (false, true) if own.top >= other.bottom => Some(("below", gap(other.bottom, own.top))),
        (false, true) => Some(("above", gap(own.bottom, other.top))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{sample, tree};

    #[test]
    fn everything_suggested_means_that_element_alone() {
        let snapshot = sample::phone();
        let mut suggested = 0;
        for index in snapshot.indices() {
            for text in suggest(&snapshot, index) {
                let found = Selector::parse(&text).unwrap().find(&snapshot);
                assert_eq!(found.len(), 1, "{text}");
                assert!(found[0] == index || snapshot.is_within(index, found[0]), "{text}");
                suggested += 1;
            }
        }
        assert!(suggested > 5, "{suggested}");
    }

    #[test]
    fn twins_are_told_apart_by_what_stands_beside_them() {
        let snapshot = tree(
            r#"
            screen 1080x2400@420
            app com.example .Main
            window "Main" com.example [0,0,1080,2400] layer=1 focused
            FrameLayout [0,0,1080,2400]
              TextView "Wi-Fi" [0,100,500,200]
              Button "Edit" [600,100,900,200] cf
              TextView "Bluetooth" [0,300,500,400]
              Button "Edit" [600,300,900,400] cf
            "#,
        );
        let second =
            snapshot.indices().filter(|index| snapshot.node(*index).text.as_deref() == Some("Edit")).nth(1);
        let suggested = suggest(&snapshot, second.unwrap());
        assert_eq!(suggested[0], "item right of \"Bluetooth\"", "{suggested:?}");
        assert!(!suggested.contains(&"\"Edit\"".to_owned()));
    }
}
