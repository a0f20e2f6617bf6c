//! Windows that come, go, and look alike.

use super::Show;
use super::drawn;

const APP: &str = "window app\nFrame\n Text \"A\"\n Edit +editable\n Button \"B\"\n";
const KEYS: &str = "window keys input_method\nBoard\n Key \"q\"\n Key \"w\"\n";

#[test]
fn a_keyboard_that_comes_and_goes_keeps_its_ids() {
    let mut show = Show::new(&format!("{KEYS}{APP}"));
    let (key, edit) = (show.id("q"), show.id("Edit"));
    show.next(APP);
    assert_eq!(show.id("Edit"), edit);
    assert_eq!(show.instead(key).0, "gone");
    show.next(&format!("{APP}{KEYS}"));
    assert_eq!((show.id("q"), show.id("Edit")), (key, edit));
}

#[test]
fn an_application_behind_another_is_known_again_even_if_it_changed() {
    let mut show = Show::new("window app\nFrame\n Text \"0\"\n Button \"+\"");
    let (text, button) = (show.id("0"), show.id("+"));
    show.next("window other\nFrame\n Text \"x\"\n Button \"+\"");
    assert_ne!(show.id("+"), button);
    show.next("window app\nFrame\n Text \"1\"\n Button \"+\"");
    assert_eq!((show.id("1"), show.id("+")), (text, button));
}

#[test]
fn a_title_that_changes_is_the_same_window() {
    let mut show = Show::new("window editor \"one.txt\"\nFrame\n Text \"A\"\n Button \"Save\"");
    let save = show.id("Save");
    show.next("window editor \"two.txt\"\nFrame\n Text \"A\"\n Button \"Save\"");
    assert_eq!(show.id("Save"), save);
}

#[test]
fn two_windows_of_one_title_keep_apart_when_one_closes() {
    let window =
        |name: &str| format!("window editor \"Untitled\"\nFrame\n Text \"{name}\"\n Button \"Save\"\n");
    let mut show = Show::new(&format!("{}{}", window("first"), window("second")));
    let save = show.all("Save");
    show.next(&window("second"));
    assert_eq!(show.all("Save"), [save[1]]);
    show.next(&format!("{}{}", window("first"), window("second")));
    assert_eq!(show.all("Save"), save);
}

#[test]
fn another_activity_is_another_screen() {
    let mut show = Show::new("Frame\n Text \"A\"\n Button \"Save\"");
    let save = show.id("Save");
    let mut other = drawn::snapshot("Frame\n Text \"A\"\n Button \"Save\"");
    other.activity = Some("Settings".into());
    show.show(other);
    assert_ne!(show.id("Save"), save);
    show.next("Frame\n Text \"A\"\n Button \"Save\"");
    assert_eq!(show.id("Save"), save);
}

#[test]
fn an_empty_snapshot_between_two_loses_nothing() {
    let mut show = Show::new(APP);
    let ids: Vec<_> = show.snapshot.nodes().iter().map(|node| node.id).collect();
    show.show(crate::Snapshot::default()).next(APP);
    assert_eq!(show.snapshot.nodes().iter().map(|node| node.id).collect::<Vec<_>>(), ids);
}

#[test]
fn another_question_with_the_same_buttons_is_another_dialog() {
    let dialog = |title: &str, message: &str| {
        format!(
            "window app dialog\nPanel\n Text \"{title}\"\n Text \"{message}\"\n Bar\n  Button \"OK\"\n  Button \"Cancel\""
        )
    };
    let mut show = Show::new(&dialog("Delete", "Delete all notes?"));
    let ok = show.id("OK");
    show.next(&dialog("Format", "Format the card?"));
    assert_eq!(show.instead(ok).0, "gone");
    show.next("window app\nFrame").next(&dialog("Send", "Send it now?"));
    assert_eq!(show.instead(ok).0, "gone");
}

#[test]
fn a_dialog_of_another_handle_is_another_dialog() {
    let dialog = |handle: u32, message: &str| {
        format!("window app dialog ={handle}\nPanel\n Text \"{message}\"\n Button \"Cancel\"")
    };
    let mut show = Show::new(&dialog(1, "Done: 5%"));
    let cancel = show.id("Cancel");
    show.next(&dialog(1, "Done: 6%"));
    assert_eq!(show.id("Cancel"), cancel);
    show.next(&dialog(2, "Format the card?"));
    assert_eq!(show.instead(cancel).0, "gone");
}
