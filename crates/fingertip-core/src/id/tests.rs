//! One file per promise: what stays the same, what must not, and what is said then.

mod different;
mod drawn;
mod random_lists;
mod random_trees;
mod returning;
mod same;
mod scrolled_out;
mod windows;

use std::sync::Arc;

use super::{Identities, Located};

use crate::{NodeId, Snapshot};

/// A target shown one screen after another.
struct Show {
    identities: Identities,
    snapshot: Snapshot,
}

impl Show {
    fn new(text: &str) -> Self {
        let identities = Identities::new(Arc::default());
        let mut show = Self { identities, snapshot: Snapshot::default() };
        show.next(text);
        show
    }

    fn next(&mut self, text: &str) -> &mut Self {
        self.show(drawn::snapshot(text))
    }

    fn show(&mut self, mut snapshot: Snapshot) -> &mut Self {
        self.identities.assign(&mut snapshot);
        let mut ids: Vec<_> = snapshot.nodes().iter().map(|node| node.id.unwrap()).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "two nodes share an id");
        self.snapshot = snapshot;
        self
    }

    /// The ids of all nodes with this text, description, resource id or class, in order.
    fn all(&self, name: &str) -> Vec<NodeId> {
        let named = self.snapshot.nodes().iter().filter(|node| {
            let names = [&node.text, &node.description, &node.resource_id, &node.class];
            names.into_iter().any(|text| text.as_deref() == Some(name))
        });
        named.map(|node| node.id.unwrap()).collect()
    }

    /// The id of the only node of this name.
    fn id(&self, name: &str) -> NodeId {
        let all = self.all(name);
        assert_eq!(all.len(), 1, "{name}");
        all[0]
    }

    fn locate(&self, id: NodeId) -> Located {
        self.identities.locate(&self.snapshot, id)
    }

    /// The names of the nodes found instead of `id`, after the word for why.
    fn instead(&self, id: NodeId) -> (&'static str, Vec<String>) {
        let (word, nodes) = match self.locate(id) {
            Located::Found(index) => ("found", vec![index]),
            Located::Gone { nearest } => ("gone", nearest),
            Located::Ambiguous { candidates } => ("ambiguous", candidates),
            Located::Unknown { nearest } => ("unknown", nearest),
        };
        let name = |index| self.snapshot.node(index).label().unwrap_or_default().to_owned();
        (word, nodes.into_iter().map(name).collect())
    }
}

/// Asserts that the node called `before` in the first screen is the one called `now` in the second.
#[track_caller]
fn assert_same(first: &str, second: &str, names: &[(&str, &str)]) {
    let mut show = Show::new(first);
    let ids: Vec<_> = names.iter().map(|(before, _)| show.id(before)).collect();
    show.next(second);
    for ((before, now), id) in names.iter().zip(ids) {
        assert_eq!(show.id(now), id, "{before} became {now}");
    }
}

/// Asserts that none of these nodes of the first screen is found in the second.
#[track_caller]
fn assert_gone(first: &str, second: &str, names: &[&str]) {
    let mut show = Show::new(first);
    let ids: Vec<_> = names.iter().map(|name| show.id(name)).collect();
    show.next(second);
    for (name, id) in names.iter().zip(ids) {
        assert!(!matches!(show.locate(id), Located::Found(_)), "{name} was found as {:?}", show.instead(id));
    }
}
