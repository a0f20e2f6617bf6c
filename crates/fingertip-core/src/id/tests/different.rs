//! What must not be taken for the control that was there before, and what is said instead.

use std::sync::Arc;

use super::drawn;
use super::{Show, assert_gone};

use crate::{IdPool, Identities, Located, NodeId};

#[test]
fn another_screen_in_the_same_boxes_is_another_screen() {
    assert_gone(
        "Frame\n Box\n  Text \"Home\"\n  Button \"Go\"",
        "Frame\n Box @0,0,100,300\n  Text \"Account\" @0,5,100,55\n  Button \"Delete\" @0,200,100,300",
        &["Home", "Go", "Box"],
    );
}

#[test]
fn a_screen_swapped_beside_a_navigation_bar_is_another_screen() {
    let screen =
        |body: &str| format!("Frame\n Body\n  {body}\n Bar\n  Tab \"One\"\n  Tab \"Two\"\n  Tab \"Three\"");
    let mut show = Show::new(&screen("Text \"Home\"\n  Button \"Go\"\n  Button \"Back\""));
    let (home, go, back, tab) = (show.id("Home"), show.id("Go"), show.id("Back"), show.id("Two"));
    show.next(&screen("Text \"Account\"\n  Button \"Delete\"\n  Button \"Back\"\n  Text \"More\""));
    assert_eq!(show.id("Two"), tab);
    for id in [home, go, back] {
        assert!(!matches!(show.locate(id), Located::Found(_)));
    }
}

#[test]
fn the_ok_of_one_dialog_is_not_the_ok_of_another() {
    assert_gone(
        "window app dialog\nPanel\n Text#message \"Delete all?\"\n Button#button1 \"OK\"\n Button#button2 \"Cancel\"",
        "window app dialog\nPanel\n Text#message \"Saved\"\n Button#button1 \"OK\"",
        &["OK", "Delete all?"],
    );
}

#[test]
fn twins_whose_number_changed_are_ambiguous() {
    let mut show = Show::new("Frame\n Text \"A\"\n Image\n Image\n Image\n Text \"B\"");
    let images = show.all("Image");
    show.next("Frame\n Text \"A\"\n Image\n Image\n Text \"B\"");
    let left = show.all("Image");
    assert!(left.iter().all(|id| !images.contains(id)));
    for id in images {
        let Located::Ambiguous { candidates } = show.locate(id) else { panic!("{:?}", show.locate(id)) };
        let candidates: Vec<_> =
            candidates.iter().map(|&index| show.snapshot.node(index).id.unwrap()).collect();
        assert_eq!(candidates, left);
    }
}

#[test]
fn twins_between_distinct_siblings_are_told_apart() {
    let mut show = Show::new(
        "Frame\n Text \"A\"\n Button \"Go\"\n Text \"B\"\n Button \"Go\"\n Text \"C\"\n Button \"Go\"",
    );
    let buttons = show.all("Go");
    show.next("Frame\n Text \"A\"\n Button \"Go\"\n Text \"B\"\n Text \"C\"\n Button \"Go\"");
    assert_eq!(show.all("Go"), [buttons[0], buttons[2]]);
    assert_eq!(show.instead(buttons[1]).0, "gone");
}

#[test]
fn a_page_of_other_rows_in_the_same_places_has_other_ids() {
    assert_gone(
        "List +scrollable\n Row =1\n  Text \"a\"\n Row =2\n  Text \"b\"",
        "List +scrollable\n Row =1\n  Text \"c\"\n Row =2\n  Text \"d\"",
        &["a", "b"],
    );
}

#[test]
fn a_row_that_made_room_for_the_next_is_gone() {
    assert_gone(
        "List +scrollable\n Text \"a\"\n Text \"b\"\n Text \"c\"",
        "List +scrollable\n Text \"a\"\n Text \"b\"\n Text \"d\"",
        &["c"],
    );
}

#[test]
fn a_row_of_the_same_words_between_other_rows_is_another_row() {
    assert_gone(
        "List +scrollable\n Text \"a\"\n Text \"Ad\"\n Text \"b\"\n Text \"c\"\n Text \"d\"",
        "List +scrollable\n Text \"v\"\n Text \"w\"\n Text \"x\"\n Text \"Ad\"\n Text \"y\"",
        &["Ad"],
    );
}

#[test]
fn a_row_that_left_while_one_of_the_same_words_came_in_is_gone() {
    assert_gone(
        "List +scrollable\n Text \"a\"\n Text \"b\"\n Text \"Ad\"\n Text \"c\"",
        "List +scrollable\n Text \"a\"\n Text \"b\"\n Text \"c\"\n Text \"Ad\"",
        &["Ad"],
    );
}

#[test]
fn the_delete_of_one_row_is_not_the_delete_of_another() {
    assert_gone(
        "List +scrollable\n Row\n  Text \"a\"\n  Button#delete \"Delete\"\n Row\n  Text \"b\"",
        "List +scrollable\n Row\n  Text \"a\"\n Row\n  Text \"b\"\n  Button#delete \"Delete\"",
        &["Delete"],
    );
}

#[test]
fn a_changed_handle_says_that_it_is_another_control() {
    assert_gone(
        "Frame\n Text \"A\" =1\n Text \"B\" =2\n Button \"On\" =3",
        "Frame\n Text \"A\" =1\n Text \"B\" =2\n Button \"Off\" =4",
        &["On"],
    );
}

#[test]
fn what_is_gone_comes_with_what_is_most_like_it() {
    let mut show = Show::new("Frame\n Text \"A\"\n Text \"B\"\n Button#send \"Send\"\n Box");
    let send = show.id("Send");
    show.next("Frame\n Text \"A\"\n Text \"B\"\n Box\n  Text \"Send\"\n  Button \"Other\"");
    assert_eq!(show.instead(send), ("gone", vec!["Send".to_owned(), "Other".to_owned()]));
}

#[test]
fn an_id_never_given_is_unknown_and_a_typing_error_is_seen() {
    let show = Show::new("Frame\n Button \"A\"");
    let id = show.id("A");
    let typed = NodeId::new(id.number() ^ 0x30).unwrap();
    assert_eq!(show.instead(typed), ("unknown", vec!["A".to_owned()]));
}

#[test]
fn two_targets_share_no_id() {
    let pool = Arc::new(IdPool::default());
    let mut phones = [Identities::new(Arc::clone(&pool)), Identities::new(pool)];
    let mut ids = Vec::new();
    for phone in &mut phones {
        let mut snapshot = drawn::snapshot("Frame\n Text \"A\"");
        phone.assign(&mut snapshot);
        ids.extend(snapshot.nodes().iter().map(|node| node.id.unwrap()));
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4);
}
