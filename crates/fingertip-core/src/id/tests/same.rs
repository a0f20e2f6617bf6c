//! What changes about a control without making it another one.

use super::{Show, assert_same};

#[test]
fn a_counter_keeps_its_id_when_it_counts() {
    assert_same(
        "Frame\n Text \"0\"\n Button \"+\"",
        "Frame\n Text \"1\"\n Button \"+\"",
        &[("0", "1"), ("+", "+")],
    );
}

#[test]
fn a_lone_button_may_change_its_label() {
    assert_same("Frame\n Box\n  Button ~\"Play\"", "Frame\n Box\n  Button ~\"Pause\"", &[("Play", "Pause")]);
}

#[test]
fn a_calculator_shows_its_result_in_the_same_place() {
    let calculator = |result: &str| {
        format!("Frame\n Display\n  Text \"{result}\"\n Keys\n  Button \"1\"\n  Button \"2\"\n  Button \"=\"")
    };
    assert_same(&calculator("0"), &calculator("12"), &[("0", "12"), ("2", "2"), ("Display", "Display")]);
}

#[test]
fn an_edited_field_is_the_same_field() {
    assert_same(
        "Frame\n Edit +editable ?\"Name\"\n Edit2 +editable\n Button \"Save\"",
        "Frame\n Edit +editable ?\"Name\" \"Ada\"\n Edit2 +editable \"x\"\n Button \"Save\"",
        &[("Edit", "Edit"), ("Edit2", "Edit2"), ("Save", "Save")],
    );
}

#[test]
fn a_search_that_leaves_too_few_rows_to_scroll_changes_no_id() {
    assert_same(
        "Frame\n Text \"Settings\"\n Edit#search +editable\n List#rows +scrollable\n  Row\n   Text \"Apps\"\n  Row\n   Text \"Sound\"\n  Row\n   Text \"Battery\"",
        "Frame\n Text \"Settings\"\n Edit#search +editable \"so\"\n Button#clear ~\"Clear\"\n List#rows\n  Row\n   Text \"Sound\"\n   Text \"Volume\"",
        &[("Frame", "Frame"), ("search", "search"), ("rows", "rows"), ("Sound", "Sound")],
    );
}

#[test]
fn a_keyboard_that_opens_and_resizes_the_screen_changes_no_id() {
    assert_same(
        "Frame @0,0,100,1000\n Text \"To\"\n Edit +editable @0,10,100,900\n Bar @0,900,100,1000\n  Button \"Send\" @0,900,100,1000",
        "Frame @0,0,100,600\n Text \"To\"\n Edit +editable @0,10,100,500\n Bar @0,500,100,600\n  Button \"Send\" @0,500,100,600\nwindow keys input_method\nKey \"a\"",
        &[("To", "To"), ("Edit", "Edit"), ("Bar", "Bar"), ("Send", "Send")],
    );
}

#[test]
fn a_toolbar_inserted_before_changes_no_id() {
    assert_same(
        "Frame\n Text \"A\"\n Box\n  Text \"B\"\n  Image\n Text \"C\"",
        "Frame\n Bar\n  Text \"New\"\n Text \"A\"\n Box\n  Text \"B\"\n  Image\n Text \"C\"",
        &[("A", "A"), ("Box", "Box"), ("B", "B"), ("Image", "Image"), ("C", "C")],
    );
}

#[test]
fn a_box_put_around_everything_changes_no_id() {
    let inner = ["Text \"A\"", "Box", " Text \"B\"", " Image", "Text \"C\""];
    let plain = format!("Frame\n {}", inner.join("\n "));
    let boxed = format!("Frame\n Wrapper\n  {}", inner.join("\n  "));
    let names = [("A", "A"), ("B", "B"), ("Image", "Image"), ("C", "C"), ("Box", "Box")];
    assert_same(&plain, &boxed, &names);
    assert_same(&boxed, &plain, &names);
}

#[test]
fn distinct_siblings_may_change_places() {
    assert_same(
        "Frame\n Button \"A\"\n Button \"B\"\n Button \"C\"",
        "Frame\n Button \"C\"\n Button \"A\"\n Button \"B\"",
        &[("A", "A"), ("B", "B"), ("C", "C")],
    );
}

#[test]
fn twins_of_the_same_number_keep_their_order() {
    let mut show = Show::new("Frame\n Text \"A\"\n Button \"Go\"\n Button \"Go\"\n Image\n Image");
    let (buttons, images) = (show.all("Go"), show.all("Image"));
    show.next("Frame\n Text \"B\"\n Button \"Go\"\n Button \"Go\"\n Image\n Image");
    assert_eq!((show.all("Go"), show.all("Image")), (buttons, images));
}

#[test]
fn a_named_control_may_say_something_else_among_others_that_do_not() {
    assert_same(
        "Frame\n Text#a \"1\"\n Text#b \"2\"\n Text \"C\"\n Text \"D\"",
        "Frame\n Text#b \"4\"\n Text#a \"3\"\n Text \"C\"\n Text \"D\"",
        &[("a", "a"), ("b", "b")],
    );
}

#[test]
fn a_handle_is_enough_outside_of_lists() {
    assert_same(
        "Frame\n Text \"A\" =1\n Text \"B\" =2\n Text \"C\" =3",
        "Frame\n Text \"X\" =3\n Text \"Y\" =1\n Text \"Z\" =2",
        &[("A", "Y"), ("B", "Z"), ("C", "X")],
    );
}

#[test]
fn a_list_that_scrolls_changes_nothing_around_it() {
    let screen = |rows: [&str; 3]| {
        let rows: String = rows.iter().map(|row| format!("  Row\n   Text \"{row}\"\n")).collect();
        format!("Frame\n Text \"Inbox\"\n Button \"Search\"\n List +scrollable\n{rows} Button \"New\"")
    };
    assert_same(
        &screen(["a", "b", "c"]),
        &screen(["x", "y", "z"]),
        &[("Inbox", "Inbox"), ("Search", "Search"), ("List", "List"), ("New", "New")],
    );
}

#[test]
fn a_row_says_something_else_between_the_same_rows() {
    assert_same(
        "List +scrollable\n Text \"a\"\n Text \"b\"\n Text \"c\"\n Text \"d\"",
        "List +scrollable\n Text \"a\"\n Text \"B\"\n Text \"c\"\n Text \"d\"",
        &[("a", "a"), ("b", "B"), ("c", "c"), ("d", "d")],
    );
}

#[test]
fn a_list_sorted_anew_keeps_its_ids_even_if_a_part_of_a_row_changed() {
    let row =
        |name: &str, last: &str| format!(" Row\n  Text \"{name}\"\n  Text \"{last}\"\n  Button \"Call\"\n");
    let before = format!("List +scrollable\n{}{}{}", row("Ada", "hi"), row("Bob", "yo"), row("Cem", "ok"));
    let now = format!("List +scrollable\n{}{}{}", row("Cem", "new"), row("Bob", "yo"), row("Ada", "hi"));
    assert_same(&before, &now, &[("Ada", "Ada"), ("Bob", "Bob"), ("Cem", "Cem"), ("ok", "new")]);
}

#[test]
fn the_first_text_of_a_scrolling_form_may_change() {
    assert_same(
        "Scroll +scrollable\n Box\n  Text \"0\"\n  Button \"+\"",
        "Scroll +scrollable\n Box\n  Text \"1\"\n  Button \"+\"",
        &[("0", "1"), ("+", "+"), ("Box", "Box")],
    );
}

#[test]
fn a_screen_without_any_words_is_known_by_its_shape() {
    let mut show = Show::new("Frame\n Image\n Image\n Box\n  Image");
    let ids = show.all("Image");
    show.next("Frame\n Image @5,5,9,9\n Image\n Box\n  Image");
    assert_eq!(show.all("Image"), ids);
}

#[test]
fn the_same_first_screen_gets_the_same_short_ids_after_a_restart() {
    let text = "Frame\n Text \"A\"\n Button \"B\"\n Image\n Image";
    let (first, second) = (Show::new(text), Show::new(text));
    assert_eq!(first.snapshot, second.snapshot);
    assert!(
        first.snapshot.nodes().iter().all(|node| node.id.unwrap().to_string().len() == "node_0000".len())
    );
}

#[test]
fn a_list_under_a_lone_title_survives_a_resize() {
    assert_same(
        "Frame @0,0,100,900\n Text \"Inbox\"\n List +scrollable @0,10,100,900\n  Text \"a\"\n  Text \"b\"",
        "Frame @0,0,100,500\n Text \"Inbox\"\n List +scrollable @0,10,100,500\n  Text \"a\"\n  Text \"b\"\n  Text \"c\"",
        &[("Inbox", "Inbox"), ("List", "List"), ("a", "a"), ("b", "b")],
    );
}

#[test]
fn a_named_field_without_words_keeps_its_id_while_the_form_scrolls() {
    let form = |from: usize| {
        let fields = ["a", "b", "c", "d", "e"].into_iter().skip(from);
        let fields: String =
            fields.map(|name| format!("   Text \"{name}:\"\n   Edit#{name} +editable\n")).collect();
        format!("Scroll +scrollable\n Box\n  Box\n{fields}")
    };
    let mut show = Show::new(&form(0));
    let ids: Vec<_> = ["a", "b", "e"].iter().map(|name| show.id(name)).collect();
    show.next(&form(1));
    assert_eq!((show.id("b"), show.id("e")), (ids[1], ids[2]));
    show.next(&form(0));
    assert_eq!(show.id("a"), ids[0]);
}
