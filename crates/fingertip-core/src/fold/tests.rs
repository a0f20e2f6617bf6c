//! What is folded, and what is not.

use super::*;
use crate::compact;
use crate::test_support::tree;

/// The rows of a tree once it was folded: class, text, description, flags.
fn rows(text: &str) -> Vec<String> {
    let mut snapshot = tree(&format!("window \"Draw\" draw [0,0,900,900] focused\n{text}"));
    fold(&mut snapshot);
    let all = compact::whole(&snapshot);
    let rows = all.lines().skip_while(|line| !line.starts_with("id\t")).skip(1);
    rows.map(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        [columns[1], columns[2], columns[3], columns[6]].join("|")
    })
    .collect()
}

#[test]
fn a_panel_that_has_the_tooltip_of_its_button_has_no_row() {
    let panel = "panel role=group d\"Undo last action (Ctrl+Z)\" [0,0,37,35]\n";
    let named = "  button \"Undo\" d\"Undo last action (Ctrl+Z)\" role=button [0,0,37,35] clf\n";
    assert_eq!(rows(&format!("{panel}{named}")), ["button|Undo|Undo last action (Ctrl+Z)|vclfn"]);
}

#[test]
fn the_name_of_a_panel_goes_to_its_anonymous_button() {
    let panel = "panel \"Styles\" role=group d\"Styles (F11)\" [0,0,37,35]\n";
    let button = "  button role=toggle_button [1,1,36,34] clf\n";
    assert_eq!(rows(&format!("{panel}{button}")), ["button|Styles|Styles (F11)|vclfn"]);
    // Through a box that says nothing too.
    let boxed = "  filler role=group [0,0,37,35]\n    button role=toggle_button [1,1,36,34] clf\n";
    assert_eq!(rows(&format!("{panel}{boxed}")), ["button|Styles|Styles (F11)|vclfn"]);
}

#[test]
fn a_picture_gives_its_name_to_the_item_it_fills() {
    let item = "item role=list_item [0,0,16,16] clf\n  picture role=image d\"#AC9393\" [0,0,16,16] f\n";
    assert_eq!(rows(item), ["item|-|#AC9393|vclfn"]);
    let tool = "item role=list_item [0,0,16,16] clf\n  tool role=radio_button d\"Pen\" [0,0,16,16] clfkx\n";
    assert_eq!(rows(tool), ["tool|-|Pen|vclfnx"]);
}

#[test]
fn a_viewport_doubles_its_pane_and_a_line_is_nothing() {
    let pane = "pane role=scroll_area [0,0,99,99] s\n  viewport role=group [0,0,99,99] s\n    line role=separator \
                [0,50,99,52] c\n    label \"x\" role=label [0,0,9,9]\n";
    assert_eq!(rows(pane), ["pane|-|-|vsn", "label|x|-|vn"]);
}

#[test]
fn what_can_do_more_or_says_something_else_keeps_its_row() {
    for kept in [
        // A list around its only row is scrolled; the row is pressed.
        "list role=list [0,0,99,99] s\n  item \"One\" role=list_item [0,0,99,99] c\n",
        // Another place.
        "panel role=group d\"All\" [0,0,99,99]\n  button \"One\" role=button [0,0,9,9] c\n",
        // Other words on both.
        "panel \"A\" role=group d\"B\" [0,0,9,9]\n  button \"C\" d\"D\" role=button [0,0,9,9] c\n",
        // A field in a list that drops down.
        "combo \"Size\" role=combo_box [0,0,99,20] c\n  field \"12\" role=text_field [0,0,98,20] e\n",
        // The text of a field is what it holds.
        "panel \"Name\" role=group [0,0,99,20]\n  field role=text_field [0,0,99,20] e\n",
        // Selected, which its content does not show.
        "item role=list_item [0,0,9,9] ct\n  button \"One\" role=button [0,0,9,9] c\n",
    ] {
        assert_eq!(rows(kept).len(), 2, "{kept}");
    }
}

#[test]
fn a_label_beside_its_only_field_is_told_with_it() {
    let pair = "box role=group [0,0,150,30]\n  label \"X:\" role=label [0,5,20,25]\n  spin \"0.0\" d\"Horizontal\" \
                role=spin_button [22,0,150,30] ce\n";
    assert_eq!(rows(pair), ["spin|0.0|X: Horizontal|vcen"]);
    let link = "box role=group [0,0,150,30]\n  words \"See\" role=label [0,5,20,25]\n  link \"here\" role=link \
                [22,0,150,30] c\n";
    assert_eq!(rows(link).len(), 2, "words before a link are no label");
    let below = "box role=group [0,0,150,60]\n  label \"Done\" role=label [0,40,20,60]\n  spin \"0.0\" \
                 role=spin_button [22,0,150,30] ce\n";
    assert_eq!(rows(below).len(), 2, "a label in another line");
}

#[test]
fn empty_cells_of_a_row_that_says_something_are_left_out() {
    let table = "table role=table [0,0,99,40]\n  cell \"a.txt\" role=cell [0,0,30,20] cf\n  cell role=cell \
                 [30,0,60,20] cf\n  cell role=cell [60,0,99,20] cef\n  cell role=cell [0,20,30,40] cf\n  cell \
                 role=cell [30,20,60,40] cf\n";
    assert_eq!(
        rows(table),
        ["cell|a.txt|-|vcfn", "cell|-|-|vcfen", "cell|-|-|vcfn", "cell|-|-|vcfn"],
        "what can be typed into stays, and a row of which nothing is said"
    );
}

#[test]
fn of_two_equal_menu_bars_the_one_that_does_nothing_is_left_out() {
    let live = "bar role=menu_bar [0,0,99,20]\n  menu \"File\" role=menu [0,0,20,20] c\n";
    let dead = "bar role=menu_bar [0,20,99,40]\n  menu \"File\" role=menu [0,20,20,40] f\n";
    assert_eq!(rows(&format!("{live}{dead}")), ["menu|File|-|vcn"]);
    assert_eq!(rows(&format!("{live}{live}")).len(), 2, "both can be pressed");
    assert_eq!(rows(dead).len(), 1, "it is the only one");
}

#[test]
fn the_title_of_the_window_is_told_once() {
    let window = "frame \"Draw\" role=window [0,0,900,900]\n  pane \"Draw\" role=group [0,40,900,900]\n    label \
                  \"Draw\" role=label [0,40,90,60] c\n";
    assert_eq!(rows(window), ["frame|Draw|-|vn", "label|Draw|-|vcn"]);
}

#[test]
fn what_is_folded_keeps_its_place_in_the_tree() {
    let mut snapshot = tree("panel d\"Undo\" role=group [0,0,9,9]\n  button role=button [0,0,9,9] c\n");
    let before = snapshot.nodes().len();
    fold(&mut snapshot);
    assert_eq!(snapshot.nodes().len(), before);
    let (panel, button) = (&snapshot.nodes()[0], &snapshot.nodes()[1]);
    assert!(panel.folded && panel.description.as_deref() == Some("Undo"));
    assert!(!button.folded && button.description.as_deref() == Some("Undo"));
}

#[test]
fn a_box_that_says_what_its_labels_mean_tells_them() {
    let panel = "panel d\"Cursor\" role=group [0,0,99,40]\n  label \"Y:\" role=label [0,20,9,40]\n  label \"7\" \
                 role=label [10,20,20,40]\n  label \"X:\" role=label [0,0,9,20]\n  label \"5\" role=label \
                 [10,0,20,20]\n";
    assert_eq!(rows(panel), ["panel|X: 5 Y: 7|Cursor|vn"]);
    let with_button = format!("{panel}  button \"Go\" role=button [30,0,50,20] c\n");
    assert_eq!(rows(&with_button).len(), 6, "what can be pressed is not a reading");
}

#[test]
fn of_a_screen_that_fits_no_page_what_is_disabled_is_named_in_one_line() {
    let button = |number: usize, flags: &str| {
        let left = number * 10;
        format!("button \"B{number}\" role=button [{left},0,{},9] c {flags}\n", left + 9)
    };
    let screen = |count: usize| {
        let buttons = (0..count).map(|number| button(number, if number % 50 == 0 { "-n" } else { "" }));
        let mut snapshot = tree(&buttons.collect::<String>());
        fold(&mut snapshot);
        compact::page(&snapshot, 0).render(None)
    };
    assert!(!screen(200).contains("note:4 disabled"), "all have a row");
    let long = screen(203);
    assert!(long.ends_with("note:5 disabled elements are left out: B0, B50, B100, B150, B200"), "{long}");
    assert!(!long.contains("more:"), "{long}");
}

#[test]
fn a_cell_of_cells_that_speak_has_no_row() {
    let table = "table role=table [0,0,99,20]\n  cell role=cell [0,0,99,20] cf\n    cell role=cell [0,0,20,20] cf\n    \
                 cell \"Home\" role=cell [20,0,99,20] cf\n";
    assert_eq!(rows(table), ["cell|Home|-|vcfn"]);
}

#[test]
fn a_large_area_of_which_nothing_is_known_has_a_note() {
    let note = |below: &str| {
        let window =
            "window \"Files\" files [0,0,100,100] focused\nframe \"Files\" role=window [0,0,100,100]\n";
        let mut snapshot = tree(&format!("{window}  view role=group [0,20,100,100]\n{below}"));
        fold(&mut snapshot);
        compact::whole(&snapshot).lines().filter(|line| line.contains("exposes no elements")).count()
    };
    assert_eq!(note(""), 1);
    assert_eq!(note("    item \"a.txt\" role=list_item [0,20,50,40] c\n"), 0, "something is in it");
    assert_eq!(note("  item \"a.txt\" role=list_item [0,20,50,40] c\n"), 0, "something lies on it");
}
