//! Why a selector matches nothing, and what comes nearest: it is matched again with one of its conditions left out at a time.

use super::matching::{self, Lines};
use super::{Kind, Name, Relation, Selector, Simple, State};
use crate::NodeIndex;
use crate::path::Quoted;
use crate::select::distance;

/// The most elements that are named.
const MOST: usize = 10;
/// The most sentences.
const MOST_SAID: usize = 3;
/// Longer names are not compared letter by letter.
const MOST_LETTERS: usize = 60;

/// What comes nearest to a selector that matches nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Misses {
    /// What is there instead, in a few clauses: `1 element named "7" has the role toggle_button`.
    pub said: Vec<String>,
    /// The elements that are meant by that, the nearest first.
    pub nodes: Vec<NodeIndex>,
}

impl Misses {
    fn add(&mut self, nodes: Vec<NodeIndex>, said: impl FnOnce(&str) -> String) {
        if nodes.is_empty() || self.said.len() == MOST_SAID {
            return;
        }
        self.said.push(said(&counted(nodes.len())));
        for node in nodes {
            if self.nodes.len() < MOST && !self.nodes.contains(&node) {
                self.nodes.push(node);
            }
        }
    }
}

pub(super) fn of(selector: &Selector, screen: &Lines<'_>) -> Misses {
    let mut misses = Misses::default();
    let subject = &selector.subject;
    for (relation, anchor) in &selector.relations {
        if matching::anchors(screen, *relation, anchor) == 0 {
            let inner = of(&Selector { subject: anchor.clone(), relations: Vec::new() }, screen);
            let others =
                if inner.said.is_empty() { String::new() } else { format!(" ({})", inner.said.join("; ")) };
            misses
                .said
                .push(format!("nothing matches {anchor}, which it should be {}{others}", relation.word()));
            misses.nodes = inner.nodes;
            return misses;
        }
    }
    let found = |subject: Simple, relations: &[(Relation, Simple)]| {
        matching::find(&Selector { subject, relations: relations.to_vec() }, screen)
    };
    let related = &selector.relations;
    if let Some(index) = subject.index {
        let all = found(Simple { index: None, ..subject.clone() }, related);
        misses.add(all, |count| format!("{count} without the index [{index}]"));
    }
    if !related.is_empty() {
        let alone = Simple { index: None, ..subject.clone() };
        let where_to: Vec<String> =
            related.iter().map(|(relation, anchor)| format!("{} {anchor}", relation.word())).collect();
        let name = alone.to_string();
        misses.add(found(alone, &[]), |count| format!("{count} for {name}, but not {}", where_to.join(" ")));
    }
    let bare = Simple { index: None, ..subject.clone() };
    if !bare.states.is_empty() {
        let states: Vec<String> = bare.states.iter().map(|state| format!("[{}]", state.word())).collect();
        let stateless = Simple { states: Vec::new(), ..bare.clone() };
        misses.add(found(stateless, related), |count| format!("{count} that is not {}", states.join(" ")));
    }
    if bare.kind.is_some() && (bare.name.is_some() || bare.id.is_some()) {
        other_roles(&mut misses, screen, found(Simple { kind: None, ..bare.clone() }, related), &bare);
    }
    if !bare.states.contains(&State::Hidden) {
        let mut hidden = bare.clone();
        hidden.states.push(State::Hidden);
        misses.add(found(hidden, related), |count| format!("{count} out of view"));
    }
    misses.add(screen.in_bar(&bare), |count| {
        format!("{count} in a keyboard or system bar (add inside keyboard, or inside bar)")
    });
    if let Some(name) = bare.name.as_ref().filter(|_| misses.said.is_empty()) {
        misses.add(similar(screen, bare.kind, name), |count| format!("{count} with a similar name"));
    }
    misses
}

/// Elements of the same name, with the roles that they have.
fn other_roles(misses: &mut Misses, screen: &Lines<'_>, nodes: Vec<NodeIndex>, subject: &Simple) {
    let mut roles: Vec<(&str, Vec<NodeIndex>)> = Vec::new();
    for node in nodes {
        let word = screen.role_word(node);
        match roles.iter_mut().find(|(role, _)| *role == word) {
            Some((_, nodes)) => nodes.push(node),
            None => roles.push((word, vec![node])),
        }
    }
    let named = match &subject.name {
        Some(Name::Exact(words)) => format!("named {}", Quoted(&words.text)),
        Some(Name::Contains(words)) => format!("with {} in its name", Quoted(&words.text)),
        Some(Name::Pattern(_)) | None => {
            format!("that matches {}", Simple { kind: None, states: Vec::new(), ..subject.clone() })
        }
    };
    for (role, nodes) in roles {
        let has = if nodes.len() == 1 { "has" } else { "have" };
        misses.add(nodes, |count| format!("{count} {named} {has} the role {role}"));
    }
}

/// Elements of the role whose name is like this one, the most alike first.
fn similar(screen: &Lines<'_>, kind: Option<Kind>, name: &Name) -> Vec<NodeIndex> {
    let (Name::Exact(words) | Name::Contains(words)) = name else { return Vec::new() };
    let wanted = words.text.trim().to_lowercase();
    let mut ranked: Vec<(usize, NodeIndex)> = Vec::new();
    for (node, shown) in screen.of_kind(kind) {
        let ranks = shown.iter().filter_map(|shown| unlikeness(&wanted, &shown.to_lowercase()));
        if let Some(rank) = ranks.min() {
            ranked.push((rank, node));
        }
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, node)| node).take(MOST).collect()
}

/// How different two names are; `None` when they are nothing alike.
fn unlikeness(wanted: &str, name: &str) -> Option<usize> {
    let (long, short) = if wanted.len() > name.len() { (wanted, name) } else { (name, wanted) };
    let (letters, fewer) = (long.chars().count(), short.chars().count());
    if fewer == 0 {
        return None;
    }
    if long.contains(short) {
        // A letter or two are in nearly everything.
        return (fewer >= 3 || fewer * 2 >= letters).then_some(letters - fewer);
    }
    if letters > MOST_LETTERS {
        return None;
    }
    let edits = distance(long, short);
    (edits * 3 <= letters).then_some(edits)
}

fn counted(count: usize) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}
