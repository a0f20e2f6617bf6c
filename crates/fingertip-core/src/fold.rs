//! Which nodes are worth no row of their own, because another row says and does the same.
//!
//! Desktop toolkits wrap a button in a panel that has its tooltip, put a picture with a name into a nameless list item, and
//! give lines between buttons an action. A node that is folded stays in the snapshot with its id, is found by searches and
//! can be acted on; the screen format leaves it out. What it says goes to the node that stands for it, so that an
//! anonymous button has the name that only its panel has.
//!
//! Of a screen that does not fit on a page what does not react now is listed by name alone.
//!
//! Rules: nothing that can be acted on is folded unless what stands for it fills the same place and can do the same.
//! No word is lost. Non-goals: phones, whose tree is shown as it is; the choice is the driver's.

use std::collections::HashMap;

use crate::compact::{self, has_row};
use crate::{Flags, Node, NodeIndex, Rect, Role, Snapshot};

/// How far apart the edges of two nodes may be that fill the same place, in pixels.
const SAME_PLACE: i32 = 2;

/// The most labels that are shown with the box they are in.
const MOST_READINGS: usize = 6;

/// An area is large when the window is at most this many times as large.
const LARGE: i64 = 4;
/// The most large areas that are shown.
const MOST_BLANKS: usize = 3;

/// What can be done to a node.
const ACTS: Flags = Flags::CLICKABLE
    .union(Flags::LONG_CLICKABLE)
    .union(Flags::SCROLLABLE)
    .union(Flags::EDITABLE)
    .union(Flags::CHECKABLE);
/// What a row shows of a node beside its words.
const STATES: Flags = Flags::CHECKED.union(Flags::SELECTED).union(Flags::FOCUSED);

/// Marks the nodes that need no row, and gives what they say to those that stand for them.
pub fn fold(snapshot: &mut Snapshot) {
    for index in snapshot.indices() {
        if is_useless(snapshot, index) {
            snapshot.node_mut(index).folded = true;
        }
    }
    fold_empty_cells(snapshot);
    fold_menu_bars(snapshot);
    // From the innermost out, so that what was given to a node is given on.
    for inner in snapshot.indices().rev() {
        if !has_row(snapshot.node(inner)) {
            continue;
        }
        let Some(outer) = row_around(snapshot, inner) else { continue };
        fold_pair(snapshot, outer, inner);
    }
    fold_labels(snapshot);
    fold_readings(snapshot);
    fold_disabled(snapshot);
    snapshot.blank = blanks(snapshot);
}

/// Large areas of which nothing is known: a drawing, or a view whose program exposes no elements.
fn blanks(snapshot: &Snapshot) -> Vec<Rect> {
    let is_blank = |&index: &NodeIndex| {
        let node = snapshot.node(index);
        let window = snapshot.windows()[snapshot.window_of(index)].bounds;
        let is_large = node.bounds.area().saturating_mul(LARGE) >= window.area();
        let is_plain = matches!(node.role, Role::Group | Role::Canvas | Role::Unknown) && is_silent(node);
        let is_leaf = snapshot.subtree(index).len() == 1 && node.child_count.is_none();
        is_large && is_leaf && is_plain && shown(node) && !window.is_empty()
    };
    let is_empty = |index: &NodeIndex| {
        let area = snapshot.node(*index).bounds;
        // What lies on it says what it is.
        !snapshot.nodes_of(snapshot.window_of(*index)).any(|other| {
            let node = snapshot.node(other);
            has_row(node)
                && shown(node)
                && area.contains(node.bounds.center())
                && !snapshot.is_within(*index, other)
        })
    };
    let found = snapshot.indices().filter(is_blank).filter(is_empty);
    found.map(|index| snapshot.node(index).bounds).take(MOST_BLANKS).collect()
}

/// The nearest node around this one that has a row.
fn row_around(snapshot: &Snapshot, index: NodeIndex) -> Option<NodeIndex> {
    snapshot.ancestors(index).find(|&above| has_row(snapshot.node(above)))
}

/// Whether a node is no use whatever is around it: a line between others, a place that is not there, or the title of the
/// window once more.
fn is_useless(snapshot: &Snapshot, index: NodeIndex) -> bool {
    let node = snapshot.node(index);
    // LibreOffice gives lines a number and an action.
    let is_line = node.role == Role::Separator && words(node).next().is_none();
    let is_nowhere = !node.is(Flags::VISIBLE) && node.bounds.is_empty();
    let title = snapshot.windows()[snapshot.window_of(index)].title.as_deref();
    let repeats_title = !node.flags.intersects(ACTS | STATES)
        && snapshot.depth(index) > 0
        && words(node).all(|word| Some(word) == title)
        && node.text.as_deref() == title
        && title.is_some();
    is_line || is_nowhere || repeats_title
}

/// Folds one of two nodes, of which one is in the other with no row between.
fn fold_pair(snapshot: &mut Snapshot, outer: NodeIndex, inner: NodeIndex) {
    let (around, within) = (snapshot.node(outer), snapshot.node(inner));
    if !around.flags.intersects(ACTS | STATES) && doubles_description(around, within) {
        snapshot.node_mut(outer).folded = true;
        return;
    }
    let is_content = matches!(around.role, Role::Window | Role::Dialog | Role::Alert | Role::Document);
    if is_content || !same_place(around.bounds, within.bounds) || shown(around) != shown(within) {
        return;
    }
    // What is in it may be the control itself, which knows more ways to be acted on.
    if !within.is(Flags::CLICKABLE) && can_stand_for(around, within) {
        give(snapshot, inner, outer);
    } else if can_stand_for(within, around) {
        give(snapshot, outer, inner);
    }
}

/// Whether all that a node says is a description, which the other one says too.
fn doubles_description(node: &Node, other: &Node) -> bool {
    let mut own = words(node);
    node.description.is_some() && own.all(|word| words(other).any(|said| said == word))
}

/// Whether a node can do what the other one can, and can say what it says.
fn can_stand_for(node: &Node, other: &Node) -> bool {
    let has = |field: &Option<Box<str>>| field.as_deref().is_some_and(|text| !text.is_empty());
    let says = |text: &str| words(node).any(|word| word == text);
    let takes = |given: &Option<Box<str>>, own: &Option<Box<str>>| {
        given.as_deref().filter(|text| !text.is_empty()).is_none_or(|text| says(text) || !has(own))
    };
    let acts = node.flags.contains(other.flags & (ACTS | STATES));
    // The text of a field is its content, and no name for another node.
    let takes_text = if node.is(Flags::EDITABLE) {
        other.text.as_deref().is_none_or(says)
    } else {
        takes(&other.text, &node.text)
    };
    acts && takes_text
        && takes(&other.description, &node.description)
        && takes(&other.resource_id, &node.resource_id)
        && (other.value.is_none() || other.value == node.value)
        && other.secret_length.is_none()
}

/// Folds a node, and gives what it says to another where that says nothing.
fn give(snapshot: &mut Snapshot, from: NodeIndex, to: NodeIndex) {
    let giver = snapshot.node_mut(from);
    giver.folded = true;
    let (text, description, resource_id) =
        (giver.text.clone(), giver.description.clone(), giver.resource_id.clone());
    let taker = snapshot.node_mut(to);
    let is_new = |given: &Option<Box<str>>, own: &Option<Box<str>>, node: &Node| {
        own.as_deref().is_none_or(str::is_empty)
            && given.as_deref().is_some_and(|text| words(node).all(|word| word != text))
    };
    if is_new(&text, &taker.text, taker) {
        taker.text = text;
    }
    if is_new(&description, &taker.description, taker) {
        taker.description = description;
    }
    if is_new(&resource_id, &taker.resource_id, taker) {
        taker.resource_id = resource_id;
    }
}

/// Folds a label that stands alone beside one control, which says what the label says.
fn fold_labels(snapshot: &mut Snapshot) {
    for parent in snapshot.indices() {
        let mut rows = snapshot.subtree(parent).skip(1).filter(|&below| has_row(snapshot.node(below)));
        let (Some(first), Some(second), None) = (rows.next(), rows.next(), rows.next()) else { continue };
        let is_label = |index: NodeIndex| {
            let node = snapshot.node(index);
            node.role == Role::Label && !node.flags.intersects(ACTS | STATES) && node.text.is_some()
        };
        // A link or a button says itself what it is; the words beside it are words of their own.
        let is_control = |index: NodeIndex| {
            let node = snapshot.node(index);
            let needs_label = matches!(node.role, Role::ComboBox | Role::Slider | Role::SpinButton);
            node.is(Flags::EDITABLE) || needs_label
        };
        let (label, control) = match (is_label(first), is_label(second)) {
            (true, false) if is_control(second) => (first, second),
            (false, true) if is_control(first) => (second, first),
            _ => continue,
        };
        if !stands_before(snapshot.node(label).bounds, snapshot.node(control).bounds) {
            continue;
        }
        let (text, more) = (snapshot.node(label).text.clone(), snapshot.node(label).description.clone());
        let said = [text, more]
            .into_iter()
            .flatten()
            .filter(|word| words(snapshot.node(control)).all(|own| own.trim() != word.trim()));
        let own = snapshot.node(control).description.clone();
        let all: Vec<Box<str>> = said.chain(own).collect();
        snapshot.node_mut(label).folded = true;
        snapshot.node_mut(control).description = (!all.is_empty()).then(|| all.join(" ").into());
    }
}

/// Folds the few labels of a box that says what they mean, as the coordinates in a status bar: the row of the box has them all.
fn fold_readings(snapshot: &mut Snapshot) {
    for outer in snapshot.indices() {
        let node = snapshot.node(outer);
        let is_heading = node.text.is_none() && node.description.is_some();
        if !has_row(node) || !is_heading || node.flags.intersects(ACTS | STATES) {
            continue;
        }
        let rows = snapshot.subtree(outer).skip(1).filter(|&below| has_row(snapshot.node(below)));
        let mut labels: Vec<NodeIndex> = rows.take(MOST_READINGS + 1).collect();
        let is_label = |&index: &NodeIndex| {
            let node = snapshot.node(index);
            let is_plain = node.description.is_none() && node.resource_id.is_none();
            node.role == Role::Label && !node.flags.intersects(ACTS | STATES) && is_plain
        };
        if labels.is_empty() || labels.len() > MOST_READINGS || !labels.iter().all(is_label) {
            continue;
        }
        labels.sort_by_key(|&label| (snapshot.node(label).bounds.top, snapshot.node(label).bounds.left));
        let texts: Vec<&str> =
            labels.iter().filter_map(|&label| snapshot.node(label).text.as_deref()).collect();
        let text = texts.join(" ");
        if text.chars().count() > compact::MAX_TEXT {
            continue;
        }
        snapshot.node_mut(outer).text = Some(text.into());
        for label in labels {
            snapshot.node_mut(label).folded = true;
        }
    }
}

/// Folds what does not react now, where the screen has more rows than a page: its names are listed in one line instead.
fn fold_disabled(snapshot: &mut Snapshot) {
    let rows = snapshot.nodes().iter().filter(|node| has_row(node)).count();
    if rows <= compact::MAX_ROWS {
        return;
    }
    for index in snapshot.indices() {
        let node = snapshot.node(index);
        let is_control = node.flags.intersects(ACTS - Flags::SCROLLABLE);
        let name = crate::path::title(node);
        let is_left_out =
            has_row(node) && is_control && !node.is(Flags::ENABLED) && !node.flags.intersects(STATES);
        if let Some(name) = name.filter(|_| is_left_out) {
            let name = name.into();
            snapshot.disabled.push(name);
            snapshot.node_mut(index).folded = true;
        }
    }
}

/// Whether a label is in the line of a control, and before it.
fn stands_before(label: Rect, control: Rect) -> bool {
    let middle = label.center().y;
    label.right <= control.left + SAME_PLACE
        && (f64::from(control.top)..=f64::from(control.bottom)).contains(&middle)
}

/// Folds the empty cells of rows in which another cell says something: a click there does the same.
fn fold_empty_cells(snapshot: &mut Snapshot) {
    let mut said: HashMap<(Option<NodeIndex>, i32, i32), bool> = HashMap::new();
    let row = |snapshot: &Snapshot, index: NodeIndex| {
        let bounds = snapshot.node(index).bounds;
        (snapshot.parent(index), bounds.top, bounds.bottom)
    };
    let cells: Vec<NodeIndex> =
        snapshot.indices().filter(|&index| snapshot.node(index).role == Role::Cell).collect();
    for &cell in &cells {
        *said.entry(row(snapshot, cell)).or_default() |= !is_silent(snapshot.node(cell));
    }
    for cell in cells {
        let node = snapshot.node(cell);
        let does_more =
            node.flags.intersects(STATES | Flags::EDITABLE | Flags::CHECKABLE | Flags::SCROLLABLE);
        // What is drawn in a cell may be cells of its own.
        let mut below = snapshot.subtree(cell).skip(1);
        let is_leaf = below.len() == 0;
        let speaks = |index: NodeIndex| {
            let inner = snapshot.node(index);
            inner.role == Role::Cell && !is_silent(inner) && inner.flags.contains(node.flags & ACTS)
        };
        let is_said = if is_leaf { said[&row(snapshot, cell)] } else { below.any(speaks) };
        if is_silent(node) && !does_more && is_said {
            snapshot.node_mut(cell).folded = true;
        }
    }
}

/// Folds a menu bar that nothing can be done to, where another one of the window has the same menus.
fn fold_menu_bars(snapshot: &mut Snapshot) {
    let bars: Vec<NodeIndex> =
        snapshot.indices().filter(|&index| snapshot.node(index).role == Role::MenuBar).collect();
    let menus = |snapshot: &Snapshot, bar: NodeIndex| -> Vec<Box<str>> {
        snapshot.children(bar).filter_map(|menu| snapshot.node(menu).text.clone()).collect()
    };
    let is_dead = |snapshot: &Snapshot, bar: NodeIndex| {
        snapshot.subtree(bar).all(|below| !snapshot.node(below).flags.intersects(ACTS | STATES))
    };
    for &bar in &bars {
        let own = menus(snapshot, bar);
        let is_double = bars.iter().any(|&other| {
            other != bar
                && snapshot.window_of(other) == snapshot.window_of(bar)
                && !is_dead(snapshot, other)
                && menus(snapshot, other) == own
        });
        if !own.is_empty() && is_double && is_dead(snapshot, bar) {
            for below in snapshot.subtree(bar) {
                snapshot.node_mut(below).folded = true;
            }
        }
    }
}

/// What a node says, the hint of a field included.
fn words(node: &Node) -> impl Iterator<Item = &str> {
    let said = [&node.text, &node.description, &node.hint, &node.resource_id];
    said.into_iter().filter_map(|field| field.as_deref()).filter(|text| !text.is_empty())
}

fn is_silent(node: &Node) -> bool {
    words(node).next().is_none() && node.value.is_none() && node.secret_length.is_none()
}

fn shown(node: &Node) -> bool {
    node.is(Flags::VISIBLE)
}

fn same_place(one: Rect, other: Rect) -> bool {
    let near = |a: i32, b: i32| a.abs_diff(b) <= SAME_PLACE.unsigned_abs();
    near(one.left, other.left)
        && near(one.top, other.top)
        && near(one.right, other.right)
        && near(one.bottom, other.bottom)
}

#[cfg(test)]
mod tests;
