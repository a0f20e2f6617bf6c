//! Keys and combinations: who gets them, how often, what is refused; and `submit`.

use fingertip_core::target::{Key, KeyPress, Modifiers, NodeAction, TargetKind};
use fingertip_core::test_support::edit::{map_nodes, map_windows};
use fingertip_core::test_support::{Event, ScriptedTarget, sample, tree};
use fingertip_core::{Flags, Snapshot};
use serde_json::json;

use super::bench;

/// A desktop whose editor is in front, nothing in it focused.
fn editor() -> Snapshot {
    tree(
        r#"
        screen 1920x1080@96
        window "Letter" org.gnome.TextEditor [0,0,960,1080] layer=1 focused
        Frame [0,0,960,1080]
          EditText #search [10,10,500,50] cfe
          Button "Send" [510,10,600,50] cf
        "#,
    )
}

fn desk(snapshot: Snapshot) -> bench::Bench {
    bench::with(bench::desktop_target(snapshot).with_actions(vec![NodeAction::Focus, NodeAction::Click]))
}

fn ctrl(key: char) -> KeyPress {
    KeyPress::from(Key::Character(key)).with(Modifiers::CONTROL)
}

#[tokio::test]
async fn a_desktop_names_the_window_that_got_the_key() {
    let bench = desk(map_nodes(&editor(), |_, node| {
        let is_field = node.resource_id.as_deref() == Some("search");
        node.flags.set(Flags::FOCUSED, is_field);
    }));
    for (key, reply) in [
        ("Ctrl+S", "Key 'ctrl+s' pressed successfully in the window 'Letter'"),
        ("home", "Key 'HOME' pressed successfully in the window 'Letter'"),
        ("escape", "Key 'ESCAPE' pressed successfully in the window 'Letter'"),
        ("é", "Key 'é' pressed successfully in the window 'Letter'"),
    ] {
        assert_eq!(bench.text("press_key", json!({"key": key})).await, reply);
    }
    let pressed = [ctrl('s'), Key::MoveHome.into(), Key::Escape.into(), Key::Character('é').into()];
    assert_eq!(bench.target.writes(), pressed.map(Event::PressKey));
    let many = bench.text("press_key", json!({"key": "shift+DOWN", "count": 3})).await;
    assert_eq!(many, "Key 'shift+DOWN' pressed successfully 3 times in the window 'Letter'");

    let mute = desk(editor());
    let said = mute.text("press_key", json!({"key": "UP"})).await;
    assert!(
        said.starts_with("Key 'UP' pressed successfully in the window 'Letter'. It does not report"),
        "{said}"
    );
}

#[tokio::test]
async fn a_window_that_comes_to_the_front_a_moment_later_is_waited_for_and_named() {
    let bench = bench::desktop();
    let mut pressed = false;
    let mut looks = 0;
    bench.target.on_event(move |event, state| {
        pressed |= matches!(event, Event::PressKey(_));
        looks += u32::from(pressed && matches!(event, Event::Windows));
        // The window manager takes its time.
        if looks == 4 {
            state.snapshot = map_windows(&state.snapshot, |window| window.focused = window.pid == Some(11));
        }
    });
    let said = bench.text("press_key", json!({"key": "alt+TAB"})).await;
    assert!(said.ends_with("in the window 'Calculator'; the window 'Notes' is in front now"), "{said}");
    let said = bench.text("press_key", json!({"key": "alt+x"})).await;
    assert!(!said.contains("in front now"), "{said}");
}

#[tokio::test]
async fn an_element_is_focused_first_and_not_clicked() {
    let bench = desk(editor());
    let (field, button) = (bench.id_of("search").await, bench.id("Send").await);
    bench.text("press_key", json!({"key": "a", "element_id": field})).await;
    let press = |key: Key| Event::PressKey(key.into());
    let focus = |node: &str| Event::Act { node: node.to_owned(), action: NodeAction::Focus };
    assert_eq!(bench.target.writes(), [focus("EditText #search"), press(Key::Character('a'))]);
    bench.target.clear_events();
    // It holds the text now, and the focus.
    bench.text("press_key", json!({"key": "ENTER", "element_id": field})).await;
    assert_eq!(bench.target.writes(), [press(Key::Enter)]);
    bench.target.clear_events();
    bench.text("press_key", json!({"key": "SPACE", "element_id": button})).await;
    assert_eq!(bench.target.writes()[0], focus("Button \"Send\""));

    // Without an action for it, only a field is clicked: anything else would do something.
    let plain = bench::with(bench::desktop_target(editor()).with_actions(vec![NodeAction::Click]));
    let button = plain.id("Send").await;
    let (kind, text) = plain.failure("press_key", json!({"key": "DOWN", "element_id": button})).await;
    assert_eq!(kind, "unsupported", "{text}");
    assert_eq!(plain.target.writes(), []);
}

#[tokio::test]
async fn a_key_for_an_element_does_not_reach_a_window_that_came_up() {
    let bench = desk(editor());
    let field = bench.id_of("search").await;
    let front = map_nodes(&editor(), |_, node| {
        let is_field = node.resource_id.as_deref() == Some("search");
        node.flags.set(Flags::FOCUSED, is_field);
    });
    bench.target.update(|state| state.snapshot = front);
    // The guard reads the windows last: by then another application has the keyboard.
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Windows) {
            state.snapshot = tree(
                r#"
                screen 1920x1080@96
                window "Chat" org.chat [0,0,960,1080] layer=1 focused
                Frame [0,0,960,1080]
                  EditText #message [10,10,500,50] cfeo
                "#,
            );
        }
    });
    let (kind, text) = bench.failure("press_key", json!({"key": "ENTER", "element_id": field})).await;
    assert_eq!(kind, "action_failed", "{text}");
    assert!(text.starts_with("Pressed no key") && text.contains("org.chat"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn keys_that_a_target_lacks_are_refused_by_name() {
    let (phone, desktop) = (bench::phone(), bench::desktop());
    for (bench, key) in [
        (&phone, "super+a"),
        (&phone, "alt+TAB"),
        (&phone, "ctrl+alt+F1"),
        (&desktop, "BACK"),
        (&desktop, "ctrl+alt+DELETE"),
        (&desktop, "ctrl+alt+F2"),
        (&desktop, "super+L"),
        (&desktop, "\n"),
        (&desktop, "ctrl+\r"),
        (&desktop, "hello"),
        (&desktop, "Print"),
    ] {
        let (kind, text) = bench.failure("press_key", json!({"key": key})).await;
        assert_eq!(kind, "invalid_params", "{key:?}: {text}");
        assert!(text.contains("'key'"), "{key:?}: {text}");
    }
    for arguments in [json!({"key": "BACK", "count": 2}), json!({"key": "HOME", "element_id": "node_0001"})] {
        assert_eq!(phone.failure("press_key", arguments).await.0, "invalid_params");
    }
    assert_eq!(phone.target.writes(), []);
    assert_eq!(desktop.target.writes(), []);
}

#[test]
fn a_key_that_no_target_has_is_in_no_schema() {
    let schema = |bench: &bench::Bench| {
        let tool = bench.dispatcher.tool("press_key").expect("it is there");
        tool.input_schema["properties"]["key"].to_string()
    };
    let (phone, desktop) = (schema(&bench::phone()), schema(&bench::desktop()));
    assert!(phone.contains(" BACK,") && !phone.contains("super"), "{phone}");
    assert!(!desktop.contains(" BACK") && desktop.contains("super"), "{desktop}");
}

#[tokio::test]
async fn on_a_phone_new_keys_need_no_focused_element_and_the_old_ones_do() {
    let bench = bench::phone();
    for key in ["ESCAPE", "DOWN", "PAGE_UP", "ctrl+a"] {
        let said = bench.text("press_key", json!({"key": key})).await;
        assert_eq!(said, format!("Key '{key}' pressed successfully"));
    }
    for key in ["ENTER", "DEL", "TAB", "SPACE"] {
        assert_eq!(bench.failure("press_key", json!({"key": key})).await.0, "element_not_found");
    }
}

#[tokio::test]
async fn a_text_is_submitted_where_it_was_set() {
    let bench = bench::phone();
    let field = bench.id_of("search").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::PressKey(_)) {
            state.snapshot =
                tree("window \"Found\" com.example [0,0,1080,2400] focused\nText \"1 word\" [0,0,99,99]");
        }
    });
    let said = bench.text("set_text", json!({"element_id": field, "text": "words", "submit": true})).await;
    assert_eq!(said, format!("Text set on element '{field}' and submitted with ENTER"));
    let writes = bench.target.writes();
    assert_eq!(writes.last(), Some(&Event::PressKey(Key::Enter.into())));
    assert!(writes.iter().any(|event| matches!(event, Event::SetText { .. })), "{writes:?}");

    let bench = desk(editor());
    let field = bench.id_of("search").await;
    let said = bench.text("set_text", json!({"element_id": field, "text": "words", "submit": true})).await;
    assert_eq!(
        said,
        format!(
            "Text set on element '{field}' and submitted with ENTER in the window 'Letter'. Nothing was seen to \
             change after that; it may take the press of a button."
        )
    );
}

#[tokio::test]
async fn a_field_that_lost_the_focus_is_not_submitted() {
    let bench = desk(editor());
    let field = bench.id_of("search").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::SetText { .. }) {
            state.snapshot = map_nodes(&state.snapshot, |_, node| node.flags.remove(Flags::FOCUSED));
        }
    });
    let (kind, text) =
        bench.failure("set_text", json!({"element_id": field, "text": "words", "submit": true})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("lost the focus; ENTER was not pressed"), "{text}");
    assert!(!bench.target.writes().iter().any(|event| matches!(event, Event::PressKey(_))));
}

#[tokio::test]
async fn on_a_desktop_a_field_is_focused_before_its_text_is_set() {
    let bench = desk(editor());
    let field = bench.id_of("search").await;
    let said = bench.text("set_text", json!({"element_id": field, "text": "words"})).await;
    assert_eq!(said, format!("Text set on element '{field}'"));
    let writes = bench.target.writes();
    assert!(matches!(&writes[0], Event::Act { action: NodeAction::Focus, .. }), "{writes:?}");
    let text = bench.text("press_key", json!({"key": "!"})).await;
    assert!(!text.contains("It does not report"), "{text}");
    // A phone sets it as it is.
    let phone = bench::with(ScriptedTarget::new("phone", sample::phone()).with_kind(TargetKind::Phone));
    let field = phone.id_of("search").await;
    phone.text("set_text", json!({"element_id": field, "text": "words"})).await;
    assert_eq!(phone.target.writes().len(), 1);
}
