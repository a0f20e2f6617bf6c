//! Rows that left the screen can be found again by scrolling the right way.

use super::Show;
use crate::NodeId;
use crate::target::Direction;

/// Rows `first` to `first + 4` of a list that keeps only those in view in its tree.
fn list(first: usize) -> String {
    let rows: String = (0..5)
        .map(|row| format!("\n Row \"row {}\" @0,{},100,{}", first + row, row * 20, row * 20 + 20))
        .collect();
    format!("List#list +scrollable @0,0,100,100{rows}\nBar\n Text \"end\"")
}

fn way(show: &Show, id: NodeId) -> Option<Direction> {
    let trace = show.identities.scroll_hint(&show.snapshot, id)?;
    assert_eq!(show.snapshot.node(trace.container).resource_id.as_deref(), Some("list"));
    Some(trace.direction)
}

#[test]
fn a_row_lies_beyond_the_edge_by_which_it_left() {
    let mut show = Show::new(&list(10));
    let (above, below) = (show.id("row 10"), show.id("row 14"));
    show.next(&list(12)).next(&list(15)).next(&list(18));
    assert_eq!(way(&show, above), Some(Direction::Up));
    show.next(&list(14)).next(&list(10)).next(&list(7));
    assert_eq!(way(&show, below), Some(Direction::Down));
    assert_eq!(show.id("row 10"), above);
}

#[test]
fn rows_of_a_sideways_list_lie_to_the_side() {
    let pages = |first: usize| {
        let pages: String = (0..3)
            .map(|page| format!("\n Page \"page {}\" @{},0,{},50", first + page, page * 30, page * 30 + 30))
            .collect();
        format!("Pager#list +scrollable @0,0,90,50{pages}")
    };
    let mut show = Show::new(&pages(1));
    let first = show.id("page 1");
    show.next(&pages(2));
    assert_eq!(way(&show, first), Some(Direction::Left));
}

#[test]
fn a_removed_row_leaves_no_trail() {
    let mut show = Show::new(&list(10));
    let last = show.id("row 14");
    let shorter = list(10).replace("\n Row \"row 14\" @0,80,100,100", "");
    show.next(&shorter);
    assert_eq!(way(&show, last), None);
}

#[test]
fn without_its_list_a_row_cannot_be_scrolled_to() {
    let mut show = Show::new(&list(10));
    let first = show.id("row 10");
    show.next(&list(12)).next("window other\nFrame\n Text \"Other\"");
    assert_eq!(way(&show, first), None);
}
