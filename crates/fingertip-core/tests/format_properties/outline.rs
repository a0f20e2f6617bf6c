//! The pages of an outline hold each node once, below the right parent.

use fingertip_core::outline::{MAX_DEPTH, OutlineOptions, outline};
use fingertip_core::{NodeIndex, Role, Snapshot};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::trees::plan;

/// Each node without its children, and the id of its parent, in the order delivered.
fn flatten(trees: &Json, parent: &Json, into: &mut Vec<(Json, Json)>) {
    for tree in trees.as_array().expect("a list of trees") {
        let mut node = tree.as_object().expect("a node").clone();
        let children = node.remove("children");
        let named = node.remove("parent");
        assert!(named.is_none() || parent.is_null(), "only the top of a page names a parent");
        let id = node["id"].clone();
        into.push((node.into(), named.unwrap_or_else(|| parent.clone())));
        if let Some(children) = children {
            flatten(&children, &id, into);
        }
    }
}

fn roots(snapshot: &Snapshot) -> Vec<NodeIndex> {
    (0..snapshot.windows().len()).flat_map(|window| snapshot.roots_of(window)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn pages_together_are_the_whole(
        plan in plan(120),
        depth in 0..8_u32,
        page in 1..30_usize,
        roles in prop::option::of(prop::collection::vec(prop::sample::select(Role::ALL), 1..25)),
    ) {
        let snapshot = plan.build();
        let roots = roots(&snapshot);
        let mut options = OutlineOptions { depth, max_nodes: usize::MAX, roles, attributes: None, start: 0 };
        let whole = outline(&snapshot, &roots, &options);
        prop_assert_eq!(whole.next, None);
        let mut expected = Vec::new();
        flatten(&json!(whole.tree), &Json::Null, &mut expected);
        prop_assert_eq!(expected.len(), whole.node_count);

        options.max_nodes = page;
        let mut delivered = Vec::new();
        loop {
            let part = outline(&snapshot, &roots, &options);
            flatten(&json!(part.tree), &Json::Null, &mut delivered);
            prop_assert_eq!(delivered.len(), options.start + part.node_count);
            match part.next {
                Some(next) => options.start = next,
                None => break,
            }
        }
        prop_assert_eq!(delivered, expected);
    }

    #[test]
    fn without_limits_every_node_is_there_below_its_parent(plan in plan(MAX_DEPTH as usize)) {
        let snapshot = plan.build();
        let options =
            OutlineOptions { depth: MAX_DEPTH, max_nodes: usize::MAX, roles: None, attributes: None, start: 0 };
        let mut delivered = Vec::new();
        let whole = outline(&snapshot, &roots(&snapshot), &options);
        flatten(&json!(whole.tree), &Json::Null, &mut delivered);
        prop_assert_eq!(delivered.len(), snapshot.nodes().len());
        for (index, (node, parent)) in snapshot.indices().zip(&delivered) {
            let id = |index: NodeIndex| Json::from(snapshot.node(index).id.unwrap().to_string());
            prop_assert_eq!(&node["id"], &id(index));
            prop_assert_eq!(parent, &snapshot.parent(index).map_or(Json::Null, id));
            prop_assert_eq!(&node["childCount"], &Json::from(snapshot.children(index).count()));
        }
    }
}
