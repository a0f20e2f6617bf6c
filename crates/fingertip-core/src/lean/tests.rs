use super::*;
use crate::id::{IdPool, Identities};
use crate::test_support::{sample, tree};
use std::sync::Arc;

fn named(mut snapshot: Snapshot) -> Snapshot {
    Identities::new(Arc::new(IdPool::default())).assign(&mut snapshot);
    snapshot
}

/// With the roles that a driver would give.
fn with_roles(mut snapshot: Snapshot) -> Snapshot {
    for index in snapshot.indices() {
        let node = snapshot.node_mut(index);
        node.role = Role::from_android_class(node.class.as_deref().unwrap_or_default());
    }
    snapshot
}

/// The lines without their ids.
fn said(snapshot: Snapshot) -> Vec<String> {
    lines(&with_roles(snapshot), Part::Screen, false).into_iter().map(|line| line.text).collect()
}

#[test]
fn a_screen_is_what_a_person_reads_and_presses() {
    assert_eq!(
        said(sample::phone()),
        [
            r#"button "Navigate up""#,
            r#"text "Address book""#,
            r#"text_field hint "Search contacts""#,
            r#"text_field hint "Password" password of 6 characters"#,
            r#"list "Contacts" scrolls"#,
            r#"item "Ada Lovelace""#,
            r#"check_box "Favourite Ada Lovelace" on"#,
            r#"item "Grace Hopper""#,
            r#"check_box "Favourite Grace Hopper" off"#,
            r#"item "Alan Turing""#,
            r#"button "Add contact""#,
            r#"button "Save""#,
        ]
    );
}

#[test]
fn what_a_field_holds_is_not_what_it_is_called() {
    let snapshot = tree(
        r#"
        screen 1080x2400@420
        window "Form" com.example [0,0,1080,2400] layer=1 focused
        android.widget.EditText "Ada" d"Name" [0,0,1080,100] ce
        android.widget.EditText d"Street" [0,100,1080,200] ce
        "#,
    );
    assert_eq!(said(snapshot), [r#"text_field "Ada" label "Name""#, r#"text_field label "Street""#]);
}

#[test]
fn the_keyboard_is_one_line_and_its_id_shows_the_rest() {
    let snapshot = sample::phone_with_keyboard();
    let all = lines(&snapshot, Part::Screen, false);
    let keyboard = all.last().expect("lines");
    assert_eq!(keyboard.text, "keyboard covers y>=1500");
    let inside = lines(&snapshot, Part::Within(keyboard.node.expect("a node")), false);
    let inside: Vec<&str> = inside.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(inside, [r#"item "q""#, r#"item "Delete""#, r#"item "Enter""#]);
}

#[test]
fn a_switch_is_told_with_the_row_it_belongs_to() {
    let snapshot = tree(
        r#"
        screen 1080x2400@420
        window "Settings" com.example [0,0,1080,2400] layer=1 focused
        android.widget.FrameLayout [0,0,1080,2400]
          android.widget.LinearLayout [0,0,1080,200] cf
            android.widget.TextView "Wi-Fi" [0,0,500,100]
            android.widget.TextView "Connected" [0,100,500,200]
            android.widget.Switch [900,0,1080,200] kx
          android.widget.LinearLayout [0,200,1080,400] cf -n
            android.widget.TextView "Hotspot" [0,200,500,300]
            android.widget.Switch [900,200,1080,400] ck
        "#,
    );
    assert_eq!(
        said(snapshot),
        [r#"switch "Wi-Fi, Connected" on"#, r#"item "Hotspot" disabled"#, "switch off"]
    );
}

#[test]
fn what_lies_on_the_page_of_a_tab_is_not_said_of_the_tab() {
    let snapshot = tree(
        r#"
        screen 1080x2400@420
        window "Settings" com.example [0,0,1080,2400] layer=1 focused
        android.widget.FrameLayout [0,0,1080,2400]
          android.widget.LinearLayout "Sounds" [0,0,200,100] cf
            android.widget.TextView "3 new" [100,0,200,100]
            android.widget.TextView "How loud it is" [0,100,1080,200]
        "#,
    );
    assert_eq!(said(snapshot), [r#"item "Sounds, 3 new""#, r#"text "How loud it is""#]);
}

#[test]
fn a_dialog_comes_first_and_other_windows_are_named() {
    let snapshot = tree(
        r#"
        screen 1080x2400@420
        app com.example .Main
        window "Main" com.example [0,0,1080,2400] layer=1
        android.widget.Button "Send" [0,0,100,100] c
        window "Really?" com.example [100,900,980,1400] dialog layer=2 focused
        android.widget.TextView "Delete all?" [100,900,980,1000]
        android.widget.Button "OK" [100,1300,300,1400] c
        "#,
    );
    assert_eq!(
        said(snapshot),
        [r#"text "Delete all?""#, r#"button "OK""#, r#"application "Main""#, r#"button "Send""#]
    );
}

#[test]
fn a_window_of_the_system_with_the_focus_is_more_than_a_bar() {
    let shade = |focused: &str| {
        said(tree(&format!(
            "screen 1080x2400@420\napp com.example .Main\nwindow \"Main\" com.example [0,0,1080,2400] layer=1\n\
             android.widget.Button \"Send\" [0,0,100,100] c\n\
             window \"Shade\" com.android.systemui [0,0,1080,2000] system layer=2 {focused}\n\
             android.widget.Button \"Clear all\" [0,300,300,400] c\n"
        )))
    };
    assert_eq!(shade("focused")[0], "button \"Clear all\"");
    assert_eq!(shade("").last().expect("lines"), "bar \"Shade\"");
}

#[test]
fn what_fills_the_screen_is_no_row() {
    let row =
        |row| format!("  android.widget.TextView \"Line {row}\" [0,{},1080,{}]\n", row * 100, row * 100 + 90);
    let rows: String = (0..6).map(row).collect();
    let window = "screen 1080x2400@420\nwindow \"W\" com.example [0,0,1080,2400] layer=1 focused\n";
    let said = said(tree(&format!("{window}android.widget.FrameLayout [0,0,1080,2400] c\n{rows}")));
    assert_eq!(said.len(), 7, "{said:?}");
}

#[test]
fn no_text_ends_its_quotes_or_its_line() {
    let mut snapshot = named(sample::phone());
    let forged = "x\" off\nnode_0001 button \"Pay";
    for index in snapshot.indices() {
        if snapshot.node(index).text.is_some() {
            snapshot.node_mut(index).text = Some(forged.into());
        }
    }
    let all = lines(&snapshot, Part::Screen, false);
    let page = page(&snapshot, &all, 0, |_| unreachable!("one page"));
    assert_eq!(page.lines().count(), all.len() + 1);
    assert!(all.iter().all(|line| line.text.matches('"').count() % 2 == 0), "{page}");
    assert!(!page.contains("x\" off"), "{page}");
}

#[test]
fn bounds_are_told_on_request() {
    let snapshot = with_roles(sample::phone());
    let first = &lines(&snapshot, Part::Screen, true)[0];
    assert_eq!(first.text, r#"button "Navigate up" 0,63,168,231"#);
}

#[test]
fn a_page_has_a_head_its_lines_and_the_way_to_the_rest() {
    let snapshot = named(sample::phone());
    let all = lines(&snapshot, Part::Screen, false);
    let text = page(&snapshot, &all, 0, |_| unreachable!("one page"));
    assert!(text.starts_with("app com.example.contacts .MainActivity, screen 1080x2400\nnode_"), "{text}");
    let many: Vec<Line> = std::iter::repeat_n(all[0].clone(), MAX_LINES + 5).collect();
    let first = page(&snapshot, &many, 0, |next| format!("at-{next}"));
    assert!(first.ends_with(&format!("more:5 cursor:at-{MAX_LINES}")), "{first}");
    assert_eq!(page(&snapshot, &many, MAX_LINES, |_| unreachable!("the last")).lines().count(), 5);
}

/// Sixty texts, each with a button, below a dialog of two lines.
fn long_screen() -> Snapshot {
    let mut builder = Snapshot::builder(crate::Screen { width: 1080, height: 2400, density: 420 });
    let place = |top: i32| Rect::new(0, top, 1080, top + 40);
    let seen = Flags::VISIBLE | Flags::ENABLED;
    builder.window(Window::new("app", Rect::new(0, 0, 1080, 2400)));
    for row in 0..60 {
        let mut text = Node::new("Text").role(Role::Label).text(&format!("Words of the row {row}, é✓"));
        (text.bounds, text.flags) = (place(40 * row), seen);
        builder.leaf(text);
        let mut button = Node::new("Button").role(Role::Button).text(&format!("Press {row}"));
        (button.bounds, button.flags) = (place(40 * row + 20), seen | Flags::CLICKABLE);
        builder.leaf(button);
    }
    let mut dialog = Window::new("app", Rect::new(0, 1000, 1080, 1400));
    (dialog.kind, dialog.layer) = (WindowKind::Dialog, 5);
    builder.window(dialog);
    let mut question = Node::new("Text").role(Role::Label).text("Delete all?");
    (question.bounds, question.flags) = (place(1100), seen);
    builder.leaf(question);
    named(builder.finish())
}

#[test]
fn a_page_of_few_tokens_has_dialogs_first_then_what_acts() {
    let snapshot = long_screen();
    let all = lines(&snapshot, Part::Screen, false);
    let page = page_within(&snapshot, &all, 0, 300, |start| format!("l1-{start}-t300"));
    assert!(
        page.contains("Delete all?") && page.contains("\"Press 0\"") && !page.contains("Words of"),
        "{page}"
    );
    let more = page.lines().find(|line| line.starts_with("more:")).expect("the rest");
    assert!(more.ends_with(" to act on, 60 to read)"), "{more}");
    assert!(tokens(&page) < 340, "{}", tokens(&page));
}

#[test]
fn the_pages_of_few_tokens_hold_every_line_once() {
    let snapshot = long_screen();
    let all = lines(&snapshot, Part::Screen, false);
    for budget in [1, 100, 333, 5_000] {
        let (mut shown_so_far, mut start) = (Vec::new(), Some(0));
        while let Some(from) = start.take() {
            let page = page_within(&snapshot, &all, from, budget, |next| {
                assert!(next > from);
                start = Some(next);
                String::new()
            });
            let shown = page.lines().filter(|line| !line.starts_with("more:") && !line.starts_with("app "));
            shown_so_far.extend(shown.map(str::to_owned));
        }
        let mut whole: Vec<String> =
            page(&snapshot, &all, 0, |_| String::new()).lines().skip(1).map(str::to_owned).collect();
        shown_so_far.sort();
        whole.sort();
        assert_eq!(shown_so_far, whole, "{budget}");
    }
}
