//! Changing text: what a field really holds decides, not what the driver says.

use fingertip_core::test_support::edit::{add_windows, change_node, map_nodes};
use fingertip_core::test_support::{Event, sample, tree};
use fingertip_core::{Flags, Node, Snapshot, Window};
use serde_json::json;

use super::bench;

const UNICODE: &str = "Ünïcödé 中文 עברית 👩‍👩‍👧 e\u{301}";

#[tokio::test]
async fn text_is_set_typed_and_cleared() {
    let bench = bench::phone();
    let id = bench.id_of("search").await;
    let set = bench.text("set_text", json!({"element_id": id, "text": UNICODE})).await;
    assert_eq!(set, format!("Text set on element '{id}'"));
    assert_eq!(bench.id(UNICODE).await, id);

    let typed = bench.text("input_text", json!({"element_id": id, "text": " ok"})).await;
    assert_eq!(typed, "Text input completed (3 characters)");
    assert_eq!(bench.id(&format!("{UNICODE} ok")).await, id);

    assert_eq!(bench.text("clear_text", json!({})).await, "Text cleared successfully");
    let state = bench.target.state();
    let field = state.snapshot.focused_node().unwrap();
    assert_eq!(state.snapshot.node(field).text, None);
}

#[tokio::test]
async fn an_empty_text_clears() {
    let bench = bench::phone();
    let id = bench.id_of("search").await;
    bench.text("set_text", json!({"element_id": id, "text": "abc"})).await;
    bench.text("set_text", json!({"element_id": id, "text": ""})).await;
    let found = bench.json("find_elements", json!({"by": "text", "value": "abc"})).await;
    assert_eq!(found["elements"], json!([]));
}

#[tokio::test]
async fn a_field_that_holds_something_else_is_an_error() {
    let bench = bench::phone();
    let id = bench.id_of("search").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::SetText { .. } | Event::TypeText(_)) {
            let field =
                state.snapshot.indices().find(|index| state.snapshot.node(*index).is(Flags::EDITABLE));
            let field = field.unwrap();
            state.snapshot = change_node(&state.snapshot, field, |node| {
                node.text = Some("abc limited".into());
            });
        }
    });
    let (kind, text) = bench.failure("set_text", json!({"element_id": id, "text": "abcdef"})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("the field holds \"abc limited\""), "{text}");
    let (_, text) = bench.failure("input_text", json!({"element_id": id, "text": "xyz"})).await;
    assert!(text.contains("could not be confirmed"), "{text}");
}

#[tokio::test]
async fn what_is_typed_into_an_editor_that_came_up_over_the_field_is_confirmed() {
    let bench = bench::phone();
    let id = bench.id_of("search").await;
    bench.target.on_event(|event, state| {
        let text = match event {
            Event::TypeText(text) => text,
            Event::SetText { text, .. } => text,
            _ => return,
        };
        // The cell of a sheet stays as it was until its editor is closed.
        let cell = state.snapshot.node(state.snapshot.focused_node().unwrap()).bounds;
        state.snapshot = map_nodes(&state.snapshot, |_, node| {
            node.text = node.text.take().filter(|held| **held != **text);
            node.flags.remove(Flags::FOCUSED);
        });
        let flags = Flags::VISIBLE | Flags::EDITABLE | Flags::FOCUSED;
        let mut editor = Snapshot::builder(state.snapshot.screen);
        editor.window(Window::new("com.example.editor", cell));
        let mut node = Node::new("Editor").text(text);
        (node.flags, node.bounds) = (flags, cell);
        editor.leaf(node);
        state.snapshot = add_windows(&state.snapshot, &editor.finish());
    });
    bench.text("input_text", json!({"element_id": id, "text": "=6*7"})).await;
    let (kind, _) = bench.failure("set_text", json!({"element_id": id, "text": "=6*7"})).await;
    assert_eq!(kind, "action_failed", "the field itself does not hold it");
}

#[tokio::test]
async fn nothing_is_typed_without_a_field() {
    let bench = bench::phone();
    for tool in ["input_text", "clear_text"] {
        let arguments = if tool == "input_text" { json!({"text": "a"}) } else { json!({}) };
        let (kind, text) = bench.failure(tool, arguments).await;
        assert_eq!(kind, "element_not_found");
        assert!(text.starts_with("No focused editable element found."), "{text}");
    }
    let id = bench.id("Save").await;
    let (kind, text) = bench.failure("set_text", json!({"element_id": id, "text": "a"})).await;
    assert_eq!(kind, "unsupported");
    assert!(text.contains("is not editable"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn a_field_that_does_not_take_the_focus_is_not_typed_into() {
    let bench = bench::phone();
    let id = bench.id_of("search").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Act { .. }) {
            state.snapshot = map_nodes(&state.snapshot, |_, node| {
                node.flags.remove(Flags::FOCUSED);
            });
        }
    });
    let (kind, text) = bench.failure("input_text", json!({"element_id": id, "text": "a"})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("did not take the focus"), "{text}");
    assert!(!bench.target.writes().iter().any(|event| matches!(event, Event::TypeText(_))));
}

#[tokio::test]
async fn a_password_is_written_and_never_read() {
    let bench = bench::phone();
    let id = bench.id_of("password").await;
    bench.text("set_text", json!({"element_id": id, "text": "correct horse"})).await;
    bench.text("input_text", json!({"element_id": id, "text": "!"})).await;
    let screen = bench.text("get_screen_state", json!({})).await;
    let row = screen.lines().find(|line| line.starts_with(&id)).unwrap();
    let columns: Vec<_> = row.split('\t').collect();
    assert_eq!(columns[2], "-");
    assert!(columns[6].ends_with('p'), "{row}");
    assert!(!screen.contains("horse"));
    let state = bench.target.state();
    let field = state.snapshot.focused_node().unwrap();
    assert_eq!(state.snapshot.node(field).secret_length, Some(14));
}

#[tokio::test]
async fn a_window_that_reports_no_focus_is_typed_into_and_that_is_said() {
    let shown = sample::desktop();
    let mute = bench::desktop_showing(map_nodes(&shown, |_, node| node.flags.remove(Flags::FOCUSED)));
    let typed = mute.text("input_text", json!({"text": "ls"})).await;
    assert!(typed.starts_with("Text input completed (2 characters) into the window '"), "{typed}");
    assert!(typed.contains("could not be read back"), "{typed}");
    assert!(mute.target.writes().iter().any(|event| matches!(event, Event::TypeText(_))));
    let (kind, _) = mute.failure("clear_text", json!({})).await;
    assert_eq!(kind, "element_not_found");
}

/// A sheet whose only cell is edited, once something is typed there, in a field of its own.
const SHEET: &str = "handles lasting\nwindow \"Sheet\" calc [0,0,99,99] pid=5 focused\nframe \"Sheet\" role=window @w\n  table \
    role=table @t [0,0,99,99]\n    cell d\"A1\" role=cell @a1 [0,0,50,20] cfeo\n";

#[tokio::test]
async fn an_area_or_an_item_that_exposes_nothing_is_typed_into_and_a_button_is_not() {
    let shown = |area: &str| {
        tree(&format!(
            "screen 1000x600@96\nhandles lasting\nwindow \"Book\" sheet [0,0,1000,600] layer=1 focused pid=7\nframe \"Book\" role=window \
             [0,0,1000,600]\n  {area} [0,100,1000,500] fo\n"
        ))
    };
    // An item is edited in a field that no tree may have.
    for area in ["panel role=group", "cell \"Notes\" role=cell", "item \"Notes\" role=list_item"] {
        let sheet = bench::desktop_showing(shown(area));
        let typed = sheet.text("input_text", json!({"text": "Rent"})).await;
        assert!(typed.contains("into the window 'Book'. It could not be read back"), "{area}: {typed}");
    }
    let button = bench::desktop_showing(shown("button \"Delete\" role=button"));
    let (kind, _) = button.failure("input_text", json!({"text": "Rent"})).await;
    assert_eq!((kind.as_str(), button.target.writes()), ("element_not_found", Vec::new()));
}

#[tokio::test]
async fn a_terminal_is_typed_into_though_its_text_is_not_editable() {
    let shown = |flags: &str| {
        bench::desktop_showing(tree(&format!(
            "screen 1000x600@96\nhandles lasting\nwindow \"Shell\" term [0,0,1000,600] layer=1 focused pid=7\nframe \"Shell\" \
             role=window [0,0,1000,600]\n  terminal \"$ \" role=text_field @t [0,100,1000,500] {flags}\n"
        )))
    };
    let terminal = shown("fo");
    for arguments in [json!({"text": "ls"}), json!({"text": "ls", "element_id": terminal.id("$ ").await})] {
        let typed = terminal.text("input_text", arguments).await;
        assert!(typed.contains("into the terminal of the window 'Shell'"), "{typed}");
    }
    let is_typed = |event: &&Event| matches!(event, Event::TypeText(text) if &**text == "ls");
    assert_eq!(terminal.target.writes().iter().filter(is_typed).count(), 2);
    let (kind, _) =
        terminal.failure("set_text", json!({"element_id": terminal.id("$ ").await, "text": "x"})).await;
    assert_eq!(kind, "unsupported");
    let disabled = shown("fo -n");
    let (kind, _) = disabled.failure("input_text", json!({"text": "ls"})).await;
    assert_eq!((kind.as_str(), disabled.target.writes()), ("element_not_found", Vec::new()));
}

#[tokio::test]
async fn a_line_end_that_a_field_takes_for_enter_leaves_the_text_confirmed() {
    for (left, confirmed) in [("5 km", true), ("", false)] {
        let bench = bench::phone();
        let id = bench.id_of("search").await;
        bench.target.on_event(move |event, state| {
            let field =
                state.snapshot.indices().find(|index| state.snapshot.node(*index).is(Flags::EDITABLE));
            if let (Event::TypeText(_), Some(field)) = (event, field) {
                let left = Some(left).filter(|left| !left.is_empty()).map(Into::into);
                state.snapshot = change_node(&state.snapshot, field, |node| node.text = left);
            }
        });
        let arguments = json!({"element_id": id, "text": "5 km\n"});
        if confirmed {
            bench.text("input_text", arguments).await;
        } else {
            let (_, text) = bench.failure("input_text", arguments).await;
            assert!(text.contains("may have been taken as ENTER"), "{text}");
        }
    }
}

#[tokio::test]
async fn what_is_typed_into_a_cell_is_read_from_its_editor() {
    let bench = bench::desktop_showing(tree(SHEET));
    let id = bench.id("A1").await;
    let edited = |text: &str, bounds: &str| {
        let table = SHEET.lines().take(4).collect::<Vec<_>>().join("\n");
        format!(
            "{table}\n  panel d\"Cell A1\" role=group @p {bounds}\n    line \"{text}\" role=label @l {bounds} feo\n"
        )
    };
    // LibreOffice opens the editor of a number at the right end of its sheet.
    let (right, other, elsewhere) =
        (edited("=6*7", "[1,1,49,19]"), edited("=6*", "[1,1,49,19]"), edited("=6*7", "[1,60,49,80]"));
    for (screen, confirmed) in [(right, true), (other, false), (elsewhere, true)] {
        bench.target.update(|state| state.snapshot = tree(SHEET));
        bench.target.on_event(move |event, state| {
            if matches!(event, Event::TypeText(_)) {
                state.snapshot = tree(&screen);
            }
        });
        let result = bench.call("input_text", json!({"element_id": id, "text": "=6*7"})).await;
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        assert_eq!(text.starts_with("Text input completed"), confirmed, "{text}");
    }
}

/// A field that says it has the focus, in a window that does not have the keyboard.
const BEHIND: &str = "handles lasting\nwindow \"Front\" front [0,0,50,99] pid=5 focused\nframe \"Front\" role=window \
    @w\nwindow \"Behind\" behind [50,0,99,99] pid=6\nframe \"Behind\" role=window @v\n  entry d\"Note\" \
    role=textfield @n [60,5,90,20] cfeo\n";

#[tokio::test]
async fn a_field_without_the_keyboard_of_its_window_is_not_typed_past() {
    let bench = bench::desktop_showing(tree(BEHIND));
    let found = bench.json("find_element", json!({"app": 6, "title": "Note"})).await;
    let id = found["elements"][0]["id"].as_str().expect("the field");
    let (_, text) = bench.failure("input_text", json!({"element_id": id, "text": "for the note"})).await;
    assert!(!text.is_empty());
    let typed = bench.target.writes().into_iter().any(|event| matches!(event, Event::TypeText(_)));
    assert!(!typed, "the front window has the keyboard: {text}");
}
