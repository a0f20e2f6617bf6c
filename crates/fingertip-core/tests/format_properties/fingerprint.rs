//! A fingerprint differs after any one change, and only then.

use fingertip_core::{Flags, Node, fingerprint};
use proptest::prelude::*;

use crate::trees::{plan, text};

/// One change to one node. Texts are not empty: an empty one is the same as none.
fn change(node: &mut Node, kind: usize, text: &str) {
    let text = Some(Box::from(text));
    match kind {
        0 => node.class = text,
        1 => node.text = text,
        2 => node.description = text,
        3 => node.resource_id = text,
        4 => node.bounds.left += 1,
        5 => node.bounds.bottom -= 1,
        6 => node.flags.toggle(Flags::CHECKED),
        7 => node.flags.toggle(Flags::VISIBLE),
        8 => node.drawing_order += 1,
        _ => node.secret_length = Some(node.secret_length.map_or(0, |length| length + 1)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_one_change_is_noticed(
        plan in plan(30),
        which in any::<prop::sample::Index>(),
        kind in 0..10_usize,
        text in text(),
    ) {
        prop_assume!(!plan.steps.is_empty() && !text.is_empty());
        let before = plan.build();
        let mut changed = plan.clone();
        change(&mut changed.steps[which.index(plan.steps.len())].node, kind, &text);
        let after = changed.build();
        // The node may have been like that before, or be a password whose text is not kept.
        prop_assume!(before != after);
        prop_assert_ne!(fingerprint::of(&before), fingerprint::of(&after));
    }

    #[test]
    fn a_node_more_or_less_is_noticed(plan in plan(30), which in any::<prop::sample::Index>()) {
        prop_assume!(!plan.steps.is_empty());
        let mut changed = plan.clone();
        changed.steps.remove(which.index(plan.steps.len()));
        prop_assert_ne!(fingerprint::of(&plan.build()), fingerprint::of(&changed.build()));
    }

    #[test]
    fn the_same_screen_has_the_same_fingerprint(plan in plan(30)) {
        let mut renamed = plan.clone();
        renamed.settled = !plan.settled;
        for step in &mut renamed.steps {
            step.node.handle = Some("another".into());
        }
        prop_assert_eq!(fingerprint::of(&plan.build()), fingerprint::of(&renamed.build()));
    }
}
