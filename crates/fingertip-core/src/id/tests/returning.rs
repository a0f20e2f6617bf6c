//! What left the screen and comes back, and what only looks like it.

use super::Show;
use crate::Located;

fn list(rows: impl IntoIterator<Item = u32>) -> String {
    let rows: String = rows.into_iter().map(|row| format!("  Row\n   Text \"{row}\"\n   Image\n")).collect();
    format!("Frame\n Text \"Title\"\n List +scrollable\n{rows}")
}

#[test]
fn a_row_scrolled_out_and_in_again_regains_its_id() {
    let mut show = Show::new(&list(0..10));
    let ids: Vec<_> = (0..10).map(|row| show.id(&row.to_string())).collect();
    show.next(&list(3..13));
    assert_eq!(show.id("5"), ids[5]);
    assert_eq!(show.instead(ids[1]).0, "gone");
    show.next(&list(50..60)).next(&list(2..12)).next(&list(0..10));
    assert_eq!((0..10).map(|row| show.id(&row.to_string())).collect::<Vec<_>>(), ids);
}

#[test]
fn the_parts_of_a_row_come_back_with_it() {
    let mut show = Show::new(&list(0..4));
    let images = show.all("Image");
    show.next(&list(20..24)).next(&list(0..4));
    assert_eq!(show.all("Image"), images);
}

#[test]
fn a_screen_shown_again_regains_all_its_ids() {
    let home = "Frame\n Box\n  Text \"Home\"\n  Button \"Go\"\n  Image\n  Image";
    let mut show = Show::new(home);
    let ids: Vec<_> = show.snapshot.nodes().iter().map(|node| node.id).collect();
    show.next("Frame\n Box\n  Text \"Account\"\n  Button \"Delete\"\n  Text \"Back\"").next(home);
    assert_eq!(show.snapshot.nodes().iter().map(|node| node.id).collect::<Vec<_>>(), ids);
}

#[test]
fn a_button_shown_now_and_then_regains_its_id() {
    let with = "Frame\n Text \"A\"\n Edit ?\"Find\"\n Button \"Clear\"";
    let mut show = Show::new(with);
    let clear = show.id("Clear");
    show.next("Frame\n Text \"A\"\n Edit ?\"Find\"");
    assert_eq!(show.instead(clear).0, "gone");
    show.next(with);
    assert_eq!(show.id("Clear"), clear);
}

#[test]
fn the_back_of_a_third_screen_is_not_that_of_the_first() {
    let screen = |name: &str| {
        let rest: String = (0..4).map(|row| format!(" Text \"{name} {row}\"\n")).collect();
        format!("Frame\n{rest}")
    };
    let mut show = Show::new(&format!("{} Button \"Back\"", screen("first")));
    let back = show.id("Back");
    show.next(&screen("second")).next(&format!("{} Button \"Back\"", screen("third")));
    assert!(!matches!(show.locate(back), Located::Found(_)));
}

#[test]
fn a_row_of_the_same_words_far_away_is_not_the_one_remembered() {
    let mut show = Show::new("List +scrollable\n Text \"a\"\n Text \"Ad\"\n Text \"b\"");
    let ad = show.id("Ad");
    show.next("List +scrollable\n Text \"m\"\n Text \"n\"\n Text \"o\"");
    show.next("List +scrollable\n Text \"x\"\n Text \"Ad\"\n Text \"y\"");
    assert_ne!(show.id("Ad"), ad);
}

#[test]
fn what_memory_has_dropped_is_unknown_and_never_given_again() {
    let mut show = Show::new(&list(0..5));
    let first = show.id("0");
    let mut seen = std::collections::HashSet::new();
    for page in 1..80 {
        show.next(&list(page * 100..page * 100 + 100));
        seen.extend(show.snapshot.nodes().iter().map(|node| node.id.unwrap()));
    }
    assert_eq!(show.instead(first).0, "unknown");
    show.next(&list(0..5));
    assert!(!seen.contains(&show.id("0")));
    assert_ne!(show.id("0"), first);
}
