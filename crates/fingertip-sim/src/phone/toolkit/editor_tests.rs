use super::*;

#[test]
fn delete_removes_one_perceived_character() {
    let mut editor = Editor::new("ae\u{301}👨‍👩‍👧🇩🇪");
    editor.delete_backward();
    assert_eq!(editor.text(), "ae\u{301}👨‍👩‍👧");
    editor.delete_backward();
    assert_eq!(editor.text(), "ae\u{301}");
    editor.delete_backward();
    assert_eq!(editor.text(), "a");
    editor.delete_backward();
    editor.delete_backward();
    assert_eq!(editor.text(), "");
}

#[test]
fn forward_delete_removes_behind_the_cursor() {
    let mut editor = Editor::new("abc");
    editor.jump(false, true, false);
    editor.delete_forward();
    assert_eq!((editor.text(), editor.cursor()), ("bc", 0));
}

#[test]
fn typing_replaces_the_selection() {
    let mut editor = Editor::new("hello world");
    editor.select_word(8);
    assert_eq!(editor.selected(), "world");
    editor.insert("all");
    assert_eq!(editor.text(), "hello all");
    editor.select_all();
    editor.insert("x");
    assert_eq!((editor.text(), editor.cursor()), ("x", 1));
}

#[test]
fn a_combining_mark_joins_what_is_before_it() {
    let mut editor = Editor::new("ex");
    editor.step(false, false);
    editor.insert("\u{301}");
    assert_eq!(editor.cursor(), 3);
    editor.delete_backward();
    assert_eq!(editor.text(), "x");
}

#[test]
fn arrows_collapse_a_selection_to_their_side() {
    let mut editor = Editor::new("abcd");
    editor.step(false, true);
    editor.step(false, true);
    assert_eq!(editor.selected(), "cd");
    editor.step(false, false);
    assert_eq!((editor.cursor(), editor.selection().len()), (2, 0));
}

#[test]
fn lines_are_walked_by_column() {
    let mut editor = Editor::new("long line\nab\nanother");
    editor.step_line(false, false);
    assert_eq!(editor.cursor(), 12);
    editor.step_line(false, false);
    assert_eq!(editor.cursor(), 2);
    editor.step_line(false, false);
    assert_eq!(editor.cursor(), 0);
}

#[test]
fn selection_counts_as_android_does() {
    let mut editor = Editor::new("a😀b");
    assert_eq!(editor.selection_utf16(), (4, 4));
    assert!(editor.select_utf16(1, 3));
    assert_eq!(editor.selected(), "😀");
    assert!(!editor.select_utf16(0, 5));
}

#[test]
fn the_limit_is_kept_and_never_splits_a_character() {
    let mut editor = Editor::new(&"é".repeat(FIELD_LIMIT));
    assert_eq!(editor.text().len(), FIELD_LIMIT);
    editor.insert("more");
    assert_eq!(editor.text().len(), FIELD_LIMIT);
}
