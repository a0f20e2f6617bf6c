//! Random screens, changed in one way at a time: every control that was not touched keeps its id.

use std::collections::HashMap;

use proptest::prelude::*;

use super::Show;
use crate::{Flags, Node, NodeId, Rect, Screen, Snapshot};

/// A node with a number no other has: its place in the order of making.
#[derive(Debug, Clone)]
struct Model {
    number: usize,
    class: u8,
    text: Option<String>,
    named: bool,
    children: Vec<Model>,
}

/// Screens whose leaves say different things, in boxes that say nothing.
fn screen() -> impl Strategy<Value = Model> {
    let leaf = (0..3_u8, any::<bool>()).prop_map(|(class, named)| Model {
        number: 0,
        class,
        text: Some(String::new()),
        named,
        children: Vec::new(),
    });
    let tree = leaf.prop_recursive(4, 40, 5, |inner| {
        (3..5_u8, prop::collection::vec(inner, 1..6)).prop_map(|(class, children)| Model {
            number: 0,
            class,
            text: None,
            named: false,
            children,
        })
    });
    prop::collection::vec(tree, 2..6).prop_map(|children| {
        let mut root = Model { number: 0, class: 9, text: None, named: false, children };
        number(&mut root, &mut 0);
        root
    })
}

fn number(model: &mut Model, next: &mut usize) {
    model.number = *next;
    if let Some(text) = &mut model.text {
        *text = format!("says {next}");
    }
    *next += 1;
    for child in &mut model.children {
        number(child, next);
    }
}

/// How the screen is drawn.
#[derive(Clone, Copy)]
struct Drawing {
    offset: i32,
    scale: i32,
    flags: Flags,
}

const PLAIN: Drawing = Drawing { offset: 0, scale: 10, flags: Flags::empty() };

/// The snapshot, and the number of each of its nodes.
fn draw(model: &Model, drawing: Drawing) -> (Snapshot, Vec<usize>) {
    fn add(model: &Model, drawing: Drawing, builder: &mut crate::Builder, numbers: &mut Vec<usize>) {
        let top = drawing.offset + numbers.len() as i32 * drawing.scale;
        let mut node = Node::new(&format!("Class{}", model.class)).with(drawing.flags);
        node.text = model.text.as_deref().map(Into::into);
        node.resource_id = model.named.then(|| format!("name{}", model.class).into());
        node.bounds = Rect::new(drawing.offset, top, drawing.offset + 50, top + drawing.scale);
        builder.open(node);
        numbers.push(model.number);
        for child in &model.children {
            add(child, drawing, builder, numbers);
        }
        builder.close();
    }
    let mut builder = Snapshot::builder(Screen::default());
    let mut numbers = Vec::new();
    add(model, drawing, &mut builder, &mut numbers);
    (builder.finish(), numbers)
}

fn ids(show: &mut Show, model: &Model, drawing: Drawing) -> HashMap<usize, NodeId> {
    let (snapshot, numbers) = draw(model, drawing);
    show.show(snapshot);
    numbers.into_iter().zip(show.snapshot.nodes().iter().map(|node| node.id.unwrap())).collect()
}

fn leaves<'a>(model: &'a mut Model, found: &mut Vec<&'a mut Model>) {
    if model.text.is_some() {
        found.push(model);
    } else {
        model.children.iter_mut().for_each(|child| leaves(child, found));
    }
}

/// The boxes that hold more than one child, so that one can be taken away or added without emptying them.
fn full_boxes<'a>(model: &'a mut Model, found: &mut Vec<&'a mut Vec<Model>>) {
    if model.children.len() > 1 && model.children.iter().all(|child| child.text.is_some()) {
        found.push(&mut model.children);
    } else {
        model.children.iter_mut().for_each(|child| full_boxes(child, found));
    }
}

fn check(before: &Model, now: &Model, drawing: Drawing) -> Result<(), TestCaseError> {
    let mut show = Show::new("Nothing");
    let first = ids(&mut show, before, PLAIN);
    let second = ids(&mut show, now, drawing);
    for (number, id) in &second {
        if let Some(earlier) = first.get(number) {
            prop_assert_eq!(id, earlier, "node {}", number);
        } else {
            prop_assert!(
                !first.values().any(|earlier| earlier == id),
                "node {number} took the id of another"
            );
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn moving_resizing_and_changing_state_change_no_id(
        model in screen(), offset in -500..500_i32, scale in 1..40_i32, bits in 0..1_u16 << 12
    ) {
        let flags = Flags::from_bits_truncate(bits) - Flags::SCROLLABLE - Flags::EDITABLE - Flags::PASSWORD;
        check(&model, &model, Drawing { offset, scale, flags })?;
    }

    #[test]
    fn saying_something_else_changes_no_id(model in screen(), which in any::<prop::sample::Index>()) {
        let mut changed = model.clone();
        let mut found = Vec::new();
        leaves(&mut changed, &mut found);
        let count = found.len();
        prop_assume!(count >= 2);
        found[which.index(count)].text = Some("something else".to_owned());
        check(&model, &changed, PLAIN)?;
    }

    #[test]
    fn what_comes_or_goes_changes_no_other_id(
        model in screen(), which in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), class in 0..5_u8
    ) {
        let mut changed = model.clone();
        let mut found = Vec::new();
        full_boxes(&mut changed, &mut found);
        prop_assume!(!found.is_empty());
        let count = found.len();
        let children = &mut found[which.index(count)];
        let position = place.index(children.len());
        let text = Some("new here".to_owned());
        children.insert(position, Model { number: usize::MAX, class, text, named: false, children: Vec::new() });
        check(&model, &changed, PLAIN)?;
        check(&changed, &model, PLAIN)?;
    }

    #[test]
    fn a_screen_that_says_other_things_takes_over_no_control(before in screen(), now in screen()) {
        let mut now = now;
        let mut found = Vec::new();
        leaves(&mut now, &mut found);
        prop_assume!(found.len() >= 2);
        let others: Vec<usize> = found.iter().map(|leaf| leaf.number).collect();
        found.into_iter().for_each(|leaf| leaf.text = Some(format!("other {}", leaf.number)));
        let mut show = Show::new("Nothing");
        let first = ids(&mut show, &before, PLAIN);
        let second = ids(&mut show, &now, PLAIN);
        for leaf in others {
            prop_assert!(!first.values().any(|earlier| *earlier == second[&leaf]), "node {} took an id", leaf);
        }
    }

    #[test]
    fn no_two_nodes_share_an_id_whatever_follows_whatever(screens in prop::collection::vec(screen(), 1..6)) {
        let mut show = Show::new("Nothing");
        for model in screens.iter().chain(&screens) {
            ids(&mut show, model, PLAIN);
        }
    }
}
