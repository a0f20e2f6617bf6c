//! Searches agree with each other and with what is shown.

use fingertip_core::select::{By, Criterion, ElementQuery};
use fingertip_core::{Node, Screen, Snapshot, compact};
use proptest::prelude::*;

use crate::trees::{node, text};

proptest! {
    #[test]
    fn what_matches_exactly_is_also_contained(node in node(), other in text(), which in 0..4_usize) {
        let fields = [&node.text, &node.description, &node.resource_id, &node.class];
        let own = fields[which].as_deref().unwrap_or_default().to_owned();
        for value in [own, other] {
            for by in By::ALL {
                if Criterion::new(by, &value, true).matches(&node) {
                    prop_assert!(Criterion::new(by, &value, false).matches(&node), "{:?} by {}", value, by.name());
                }
            }
        }
    }

    #[test]
    fn every_part_of_a_text_is_found_in_any_case(text in text(), from in any::<prop::sample::Index>(), length in 1..20_usize) {
        let part: String = text.chars().skip(from.index(text.chars().count() + 1)).take(length).collect();
        prop_assume!(part.chars().any(char::is_alphanumeric) && !part.contains('İ'));
        let node = Node::new("View").text(&text);
        for value in [part.to_lowercase(), part.to_uppercase(), part] {
            prop_assert!(Criterion::new(By::Text, &value, false).matches(&node), "{:?} in {:?}", value, text);
            let query = ElementQuery { title: Some(value), ..ElementQuery::default() };
            prop_assert!(query.matches(&node));
        }
    }

    #[test]
    fn a_text_copied_from_the_details_finds_its_node(text in text()) {
        let mut builder = Snapshot::builder(Screen::default());
        builder.leaf(Node::new("View").text(&text));
        let snapshot = builder.finish();
        let index = snapshot.indices().next();
        let details = compact::details(&[("x".to_owned(), snapshot.nodes().first())]);
        let shown = details.split('\t').nth(3).unwrap();
        prop_assume!(shown != "-" || text == "-");
        prop_assert_eq!(Criterion::new(By::Text, shown, true).find(&snapshot).next(), index);
    }
}
