use proptest::prelude::*;

use super::*;
use crate::lean;
use crate::test_support::{sample, tree};

fn with_roles(mut snapshot: Snapshot) -> Snapshot {
    for index in snapshot.indices() {
        let node = snapshot.node_mut(index);
        if node.role == Role::Unknown {
            node.role = Role::from_android_class(node.class.as_deref().unwrap_or_default());
        }
    }
    snapshot
}

/// The lines of what a selector means.
fn found(snapshot: &Snapshot, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
    selector.find(snapshot).into_iter().map(|index| lean::line(snapshot, index)).collect()
}

fn said(snapshot: &Snapshot, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).expect("a selector");
    assert_eq!(selector.find(snapshot), [], "{selector}");
    selector.misses(snapshot, |_| true).said
}

fn settings() -> Snapshot {
    with_roles(tree(
        r#"
        screen 1080x2400@420
        app com.example .Main
        window "Settings" com.example [0,0,1080,2400] layer=1 focused
        android.widget.FrameLayout [0,0,1080,2400]
          android.view.ViewGroup #com.example:id/toolbar [0,0,1080,100]
            android.widget.Button "Save" #com.example:id/save_button [900,0,1080,100] c
          android.widget.LinearLayout [0,100,1080,300] cf
            android.widget.TextView "Wi-Fi" [0,100,500,200]
            android.widget.TextView "Connected" [0,200,500,300]
            android.widget.Switch [900,100,1080,300] kx
          android.widget.LinearLayout [0,300,1080,500] cf
            android.widget.TextView "Hotspot" [0,300,500,400]
            android.widget.Switch [900,300,1080,500] k
          android.widget.TextView "Name" [0,600,300,650]
          android.widget.EditText h"First and last" [0,660,500,750] cfe
          android.widget.TextView "City" [540,600,800,650]
          android.widget.EditText "Oslo" [540,660,1080,750] cfe
          android.widget.TextView "Mail" [0,800,300,850]
          android.widget.EditText #com.example:id/mail [0,860,1080,950] cfe
          android.widget.TextView "Trash" [0,1000,300,1100]
          android.widget.Button "Delete" [800,1000,1000,1100] c
          android.widget.TextView "Archive" [0,1200,300,1300]
          android.widget.Button "Delete" [800,1200,1000,1300] c -n
          android.widget.ToggleButton "Bold" [0,1400,200,1500] ckx
          android.widget.Button "Far" [0,2600,200,2700] c -v
        window "Keys" com.keys [0,1800,1080,2400] input_method layer=2
        android.view.View d"Delete" [0,1800,100,1900] c
        android.view.View d"q" [100,1800,200,1900] c
        "#,
    ))
}

#[test]
fn names_roles_ids_and_states() {
    let screen = settings();
    for (selector, lines) in [
        (r#"button "Save""#, &[r#"button "Save""#][..]),
        (r#""Save""#, &[r#"button "Save""#]),
        ("#save_button", &[r#"button "Save""#]),
        ("#com.example:id/save_button", &[r#"button "Save""#]),
        (r#"~"sAV""#, &[r#"button "Save""#]),
        (r#"/^Sa.e$/"#, &[r#"button "Save""#]),
        (r#"AXButton "Save" [enabled]"#, &[r#"button "Save""#]),
        (r#"button "Bold""#, &[r#"toggle_button "Bold" on"#]),
        (r#"toggle_button"#, &[r#"toggle_button "Bold" on"#]),
        (r#"text_field "First and last""#, &[r#"text_field hint "First and last""#]),
        ("switch [off]", &[r#"switch "Hotspot" off"#]),
        (r#""Delete" [disabled]"#, &[r#"button "Delete" disabled"#]),
        ("text_field [2]", &[r#"text_field "Oslo""#]),
        ("text_field [-1]", &["text_field #mail"]),
        ("text_field [4]", &[]),
        (r#"link "Save""#, &[]),
        (r#""save""#, &[]),
        (r#""Far""#, &[]),
        (r#""Far" [hidden]"#, &[r#"button "Far" out of view"#]),
    ] {
        assert_eq!(found(&screen, selector), lines, "{selector}");
    }
    assert_eq!(found(&screen, r#"button "Delete""#).len(), 2);
}

#[test]
fn a_row_is_one_match_however_it_is_called() {
    let screen = settings();
    let row = [r#"switch "Wi-Fi, Connected" on"#];
    for selector in [
        r#""Wi-Fi""#,
        r#""Wi-Fi, Connected""#,
        r#"switch "Connected""#,
        r#"text "Wi-Fi""#,
        r#"switch "Wi-Fi" [checked]"#,
        r#"~"connect""#,
        "/, Conn/",
        r#"switch right of "Wi-Fi""#,
        r#"switch above switch "Hotspot""#,
        r#"check_box [on]"#,
    ] {
        assert_eq!(found(&screen, selector), row, "{selector}");
    }
}

#[test]
fn relations_mean_the_nearest_that_way() {
    let screen = settings();
    for (selector, lines) in [
        (r#"text_field below "Name""#, &[r#"text_field hint "First and last""#][..]),
        (r#"text_field below "City""#, &[r#"text_field "Oslo""#]),
        (r#"button "Delete" right of "Trash""#, &[r#"button "Delete""#]),
        (r#"button "Delete" right of "Archive""#, &[r#"button "Delete" disabled"#]),
        (r#"text left of button "Delete" [1]"#, &[r#"text "Trash""#]),
        (
            r#"text_field below "Name" [1] above "Mail" left of "Oslo""#,
            &[r#"text_field hint "First and last""#],
        ),
        (r#"text_field [2] below "Name""#, &[r#"text_field "Oslo""#]),
        (r#"button "Delete" near "Trash""#, &[r#"button "Delete""#]),
        (r#"button "Save" near "Trash""#, &[]),
        (r#"text near #mail"#, &[r#"text "Mail""#]),
        (r#"button inside #toolbar"#, &[r#"button "Save""#]),
        (r#"button right of "Save""#, &[]),
        (r#""Delete" inside keyboard"#, &[r#"item "Delete""#]),
        (r#"item "q" inside keyboard "Keys""#, &[r#"item "q""#]),
        (r#""Delete" inside keyboard "Other""#, &[]),
        (r#"button "Save" inside window "Settings""#, &[r#"button "Save""#]),
    ] {
        assert_eq!(found(&screen, selector), lines, "{selector}");
    }
}

#[test]
fn several_anchors_and_equal_distances_are_not_guessed_between() {
    let screen = with_roles(tree(
        r#"
        android.widget.TextView "Name" [0,0,300,50]
        android.widget.EditText "a" [0,60,500,150] e
        android.widget.TextView "Name" [0,200,300,250]
        android.widget.EditText "b" [0,260,500,350] e
        android.widget.TextView "Really?" [0,400,1000,450]
        android.widget.Button "No" [0,500,400,600] c
        android.widget.Button "Yes" [500,502,900,600] c
        "#,
    ));
    assert_eq!(found(&screen, r#"text_field below "Name""#).len(), 2);
    assert_eq!(found(&screen, r#"text_field below "Name" [2]"#), [r#"text_field "b""#]);
    assert_eq!(found(&screen, r#"button below "Really?""#).len(), 2);
    assert_eq!(found(&screen, r#"button [2] below "Really?""#), [r#"button "Yes""#]);
}

#[test]
fn a_dialog_is_something_to_be_inside_of_and_comes_first() {
    let screen = with_roles(tree(
        r#"
        app com.example .Main
        window "Main" com.example [0,0,1080,2400] layer=1
        android.widget.Button "OK" [0,0,100,100] c
        window "Really?" com.example [100,900,980,1400] dialog layer=2 focused
        android.widget.TextView "Delete all?" [100,900,980,1000]
        android.widget.Button "OK" [100,1300,300,1400] c
        "#,
    ));
    let all = Selector::parse(r#""OK""#).unwrap().find(&screen);
    assert_eq!(all.iter().map(|index| screen.window_of(*index)).collect::<Vec<_>>(), [1, 0]);
    for inside in [r#""OK" inside dialog"#, r#""OK" inside dialog "Really?""#, r#""OK" [1]"#] {
        assert_eq!(Selector::parse(inside).unwrap().find(&screen), all[..1], "{inside}");
    }
    assert_eq!(found(&screen, r#""OK" inside dialog "Other""#), [""; 0]);
}

#[test]
fn containers_are_found_by_role_or_id_where_no_line_is() {
    let screen = settings();
    let found = Selector::parse("#toolbar").unwrap().find(&screen);
    assert_eq!(found.len(), 1);
    assert_eq!(screen.node(found[0]).resource_id.as_deref(), Some("com.example:id/toolbar"));
}

#[test]
fn a_name_copied_from_a_line_finds_it() {
    let long = "word ".repeat(60);
    let mut screen = with_roles(sample::phone());
    let first = screen.indices().find(|index| screen.node(*index).text.is_some()).expect("a text");
    screen.node_mut(first).text = Some(format!("a \"quoted\"\nline {long}").into());
    for line in lean::lines(&screen, lean::Part::Screen, false) {
        let Some((_, rest)) = line.text.split_once('"') else { continue };
        let name = rest.split('"').next().expect("a name");
        let selector = Selector::parse(&format!("\"{}\"", name.replace('\\', "\\\\"))).expect("a selector");
        let node = line.node.expect("a node");
        assert!(selector.find(&screen).contains(&node), "{selector}");
    }
}

#[test]
fn nearest_misses_say_what_is_there_instead() {
    let screen = settings();
    for (selector, misses) in [
        (r#"link "Bold""#, &[r#"1 element named "Bold" has the role toggle_button"#][..]),
        (r#"button "Save" [disabled]"#, &["1 element that is not [disabled]"]),
        (r#"button "Far""#, &["1 element out of view"]),
        (r#""q""#, &["1 element in a keyboard or system bar (add inside keyboard, or inside bar)"]),
        (r#"button "Sava""#, &["1 element with a similar name"]),
        (r#"text_field [7]"#, &["3 elements without the index [7]"]),
        (r#"button "Save" below "Trash""#, &[r#"1 element for button "Save", but not below "Trash""#]),
        (
            r#"button below "Trasj""#,
            &[r#"nothing matches "Trasj", which it should be below (1 element with a similar name)"#],
        ),
        (r#"slider "Nothing like it""#, &[]),
    ] {
        assert_eq!(said(&screen, selector), misses, "{selector}");
    }
    let misses = Selector::parse(r#"link "Bold""#).unwrap().misses(&screen, |_| true);
    assert_eq!(misses.nodes.len(), 1);
}

#[test]
fn windows_that_are_left_out_have_no_matches() {
    let screen = with_roles(sample::desktop());
    let selector = Selector::parse(r#"button "Save" [1]"#).unwrap();
    assert_eq!(selector.find(&screen).len(), 1);
    assert_eq!(selector.find_in(&screen, |window| window.pid == Some(30)), []);
    assert_eq!(selector.misses(&screen, |window| window.pid == Some(30)), Misses::default());
}

#[test]
fn a_search_of_the_desktop_tools_has_the_same_misses() {
    let screen = settings();
    let query = ElementQuery { role: Some(Role::Link), title: Some("bol".into()), ..ElementQuery::default() };
    let misses = Selector::from(&query).misses(&screen, |_| true);
    assert_eq!(misses.said, [r#"1 element with "bol" in its name has the role toggle_button"#]);
}

#[test]
fn errors_say_where_and_what_was_expected() {
    for (text, position) in [
        ("", 1),
        ("buton \"Save\"", 1),
        ("button Save", 8),
        ("button \"Save", 13),
        ("\"\"", 1),
        ("\"a\\q\"", 4),
        ("\"a\" \"b\"", 5),
        ("#", 2),
        ("#a #b", 4),
        ("[2]", 1),
        ("button [0]", 9),
        ("button [1] [2]", 12),
        ("button [chcked]", 9),
        ("button [checked] [on]", 19),
        ("button [checked", 9),
        ("button below", 13),
        ("button left \"x\"", 8),
        ("/(/", 2),
        ("/a", 3),
        ("//", 2),
        ("/a\u{7}/", 2),
        ("/((((((((((((((((((((((((a))))))))))))))))))))))))/", 2),
        ("/(a{200}){200}/", 2),
        ("text near a near b near c near d near e", 11),
        ("text near text near text near text near text near text", 46),
    ] {
        let error = Selector::parse(text).expect_err(text);
        assert_eq!(error.position, position, "{text}: {error}");
    }
    assert_eq!(Selector::parse(&"x".repeat(501)).unwrap_err().position, 501);
    Selector::parse(&format!("/{}/", "a".repeat(201))).unwrap_err();
    Selector::parse(&format!("/{}/", "a".repeat(200))).unwrap();
    let error = Selector::parse("button [wet]").unwrap_err().to_string();
    assert!(error.starts_with("expected an index or one of checked, unchecked,"), "{error}");
    assert!(error.ends_with("at character 9"), "{error}");
}

#[test]
fn ids_paths_and_other_words_are_no_selectors() {
    for text in [
        "node_00a1",
        "node_zz \"x\"",
        "app(30)/window[0]/button[\"7\"]",
        "foo",
        "Save",
        "foo bar",
        "",
        "form",
        "main",
    ] {
        assert!(!Selector::is_meant(text), "{text}");
    }
    for text in [
        "button",
        "Button \"x\"",
        "\"x\"",
        "~\"x\"",
        "/x/",
        "#x",
        "[focused]",
        "foo \"x\"",
        "axbutton",
        "item",
        "list[2]",
    ] {
        assert!(Selector::is_meant(text), "{text}");
    }
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{1,12}".prop_map(|text| format!("{}", Quoted(&text))),
        any::<String>().prop_map(|text| format!("~{}", Quoted(&format!("x{text}")))),
        "[a-z/\\\\.^$]{1,9}".prop_map(|text| format!("/{}/", text.replace('/', "\\/"))),
    ]
}

fn any_simple() -> impl Strategy<Value = String> {
    let kinds: Vec<&str> =
        Role::ALL.iter().map(|role| role.name()).chain(Kind::OTHERS.iter().map(|(_, word)| *word)).collect();
    let states: Vec<&str> = State::WORDS.iter().map(|(_, word)| *word).collect();
    let kind = proptest::option::of(proptest::sample::select(kinds));
    let ids = prop_oneof![
        "#[a-zA-Z0-9_.:/-]{1,9}",
        "[ -~äö]{0,9}".prop_map(|text| format!("#{}", Quoted(&format!("x{text}"))))
    ];
    let state = proptest::option::of(proptest::sample::select(states));
    let parts = (
        kind,
        proptest::option::of(any_name()),
        proptest::option::of(ids),
        state,
        proptest::option::of(-9..9),
    );
    parts.prop_map(|(kind, name, id, state, index)| {
        let kind = kind.map(str::to_owned);
        let state = state.map(|state| format!("[{state}]"));
        let index = index.map(|index| format!("[{index}]"));
        [kind, name, id, state, index].into_iter().flatten().collect::<Vec<_>>().join(" ")
    })
}

fn any_selector() -> impl Strategy<Value = String> {
    let relations: Vec<&str> = Relation::ALL.iter().map(|(_, word)| *word).collect();
    let relation = (proptest::sample::select(relations), any_simple());
    (any_simple(), proptest::collection::vec(relation, 0..3)).prop_map(|(subject, relations)| {
        relations.into_iter().fold(subject, |text, (relation, anchor)| format!("{text} {relation} {anchor}"))
    })
}

proptest! {
    #[test]
    fn a_selector_reads_back_as_itself(text in any_selector()) {
        if let Ok(selector) = Selector::parse(&text) {
            let written = selector.to_string();
            // What cannot be seen takes more letters written out.
            if written.chars().count() <= MAX_CHARACTERS {
                prop_assert_eq!(Selector::parse(&written), Ok(selector), "{}", written);
            }
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = Selector::is_meant(&text);
        if let Err(error) = Selector::parse(&text) {
            prop_assert!(error.position <= text.chars().count() + 1);
        }
    }

    #[test]
    fn what_is_found_are_lines_in_their_order(text in any_selector()) {
        let screen = settings();
        if let Ok(selector) = Selector::parse(&text) {
            let found = selector.find(&screen);
            let mut ordered = found.clone();
            ordered.sort_by_key(|index| (screen.window_of(*index), *index));
            ordered.dedup();
            prop_assert_eq!(&found, &ordered, "{}", selector);
            let misses = selector.misses(&screen, |_| true);
            prop_assert!(misses.nodes.len() <= 10 && misses.said.len() <= 3);
        }
    }
}
