//! Options chosen by their text, and menus by the way to an item.

use fingertip_core::target::NodeAction;
use fingertip_core::test_support::edit::map_windows;
use fingertip_core::test_support::{Event, State, tree};
use fingertip_core::{Flags, Snapshot, Value};
use serde_json::json;

use super::bench::{self, Bench};

/// A window with a menu bar, a combo box, tabs and radio buttons. The menus named are open.
fn form(open: &[&str], further: &str) -> Snapshot {
    let hidden = |menu: &str| if open.contains(&menu) { "" } else { " -v" };
    let (file, recent, twice) = (hidden("File"), hidden("Recent"), hidden("Twice"));
    tree(&format!(
        r#"screen 1000x600@96
handles lasting
window "Form" form [0,0,1000,600] layer=1 focused pid=7
frame "Form" role=window @w [0,0,1000,600] c
  menu_bar role=menu_bar @bar [0,0,1000,30]
    menu "File" role=menu @file [0,0,50,30] c action=click
      menu_item "New" role=menu_item @new [0,30,90,60] c{file} action=click
      menu_item "Save As…" role=menu_item @save [0,60,90,90] c{file} action=click
      menu_item "Send" role=menu_item @send [0,90,90,120] c{file} -n action=click
      menu "Recent" role=menu @recent [0,120,90,150] c{file} action=click
        menu_item "one.txt" role=menu_item @one [90,120,180,150] c{recent} action=click
    menu "Twice" role=menu @twice [50,0,100,30] c action=click
      menu_item "Same" role=menu_item @same1 [50,30,140,60] c{twice} action=click
      menu_item "Same" role=menu_item @same2 [50,60,140,90] c{twice} action=click
  combo_box "red" role=combo_box @combo [0,200,100,230] c action=press
    menu role=menu @options -v
      menu_item "red" role=menu_item @red c -v action=click
      menu_item "green" role=menu_item @green c -v action=click
  tab_list role=tab_list @tabs [0,250,300,280]
    tab "General" role=tab @general [0,250,100,280] ct
    tab "Network" role=tab @network [100,250,200,280] c
  panel "Size" role=group @size [0,300,300,330]
    radio "small" role=radio_button @small [0,300,100,330] ckx
    radio "large" role=radio_button @large [100,300,200,330] ck
{further}"#
    ))
}

/// A form whose menus open and close, and whose options are chosen, as those of a toolkit.
fn bench() -> Bench {
    let actions = vec![NodeAction::Click, NodeAction::Pick, NodeAction::Cancel, NodeAction::Raise];
    let bench = bench::with(bench::desktop_target(form(&[], "")).with_actions(actions));
    bench.target.on_event(react);
    bench
}

fn react(event: &Event, state: &mut State) {
    let Event::Act { node, action } = event else { return };
    let shows = |state: &State, label: &str| {
        let index = fingertip_core::test_support::find(&state.snapshot, label);
        state.snapshot.node(index).is(Flags::VISIBLE)
    };
    match (node.as_str(), action) {
        (r#"menu "File""#, NodeAction::Click) => state.snapshot = form(&["File"], ""),
        (r#"menu "Recent""#, NodeAction::Click) => state.snapshot = form(&["File", "Recent"], ""),
        (r#"menu "Twice""#, NodeAction::Click) => state.snapshot = form(&["Twice"], ""),
        (r#"menu_item "green""#, NodeAction::Pick) => {
            state.edit("red", |node| node.text = Some("green".into()));
        }
        (r#"tab "Network""#, NodeAction::Pick) => state.edit("Network", |node| node.flags |= Flags::SELECTED),
        (r#"radio "large""#, NodeAction::Pick) => state.edit("large", |node| node.flags |= Flags::CHECKED),
        (_, NodeAction::Cancel) if shows(state, "one.txt") => state.snapshot = form(&["File"], ""),
        (_, NodeAction::Cancel) => state.snapshot = form(&[], ""),
        (_, NodeAction::Click) => state.snapshot = form(&[], "  label \"Done\" @done [0,400,50,420]"),
        _ => {}
    }
}

fn acts(bench: &Bench) -> Vec<String> {
    let acts = bench.target.writes().into_iter().filter_map(|event| match event {
        Event::Act { node, action } => Some(format!("{action:?} {node}")),
        _ => None,
    });
    acts.collect()
}

#[tokio::test]
async fn a_path_is_followed_menu_by_menu_whatever_marks_the_labels() {
    for path in ["File > Save As...", "file>save as", "_File > Save _As…"] {
        let bench = bench();
        let said = bench.text("select_menu", json!({"path": path})).await;
        assert!(said.starts_with("Chose \""), "{said}");
        assert_eq!(acts(&bench), [r#"Click menu "File""#, r#"Click menu_item "Save As…""#], "{path}");
    }
    let bench = bench();
    bench.text("select_menu", json!({"path": "File > Recent > one.txt", "app": 7})).await;
    assert_eq!(
        acts(&bench),
        [r#"Click menu "File""#, r#"Click menu "Recent""#, r#"Click menu_item "one.txt""#]
    );
}

#[tokio::test]
async fn a_menu_that_a_look_did_not_come_to_is_not_taken_for_closed() {
    let bench = bench();
    let mut cancelled = false;
    bench.target.on_event(move |event, state| {
        react(event, state);
        let is_first = matches!(event, Event::Act { action: NodeAction::Cancel, .. }) && !cancelled;
        if is_first {
            cancelled = true;
            state.snapshot.cut = Some("the time was up".into());
        }
    });
    let (kind, text) = bench.failure("select_menu", json!({"path": "File > Nope"})).await;
    assert!(kind == "element_not_found" && !text.contains("could not be closed"), "{kind} {text}");
    let cancels = acts(&bench).iter().filter(|act| act.starts_with("Cancel")).count();
    assert_eq!(cancels, 2, "{:?}", acts(&bench));
}

#[tokio::test]
async fn what_is_missing_disabled_or_twice_is_a_different_error_and_the_menu_closed() {
    let bench = bench();
    for (path, kind, words) in [
        ("File > Nope", "element_not_found", r#""New", "Save As…", "Send", "Recent""#),
        ("File > Recent > Nope", "element_not_found", r#"There are: "one.txt"."#),
        ("Nope > New", "element_not_found", r#"There are: "File", "Twice"."#),
        ("File > Send", "disabled", "Send"),
        (
            "File > New > Nope",
            "element_not_found",
            r#""File > New" is an item and no menu; nothing was chosen."#,
        ),
        ("Twice > Same", "ambiguous", "2 items"),
    ] {
        let (found, text) = bench.failure("select_menu", json!({"path": path})).await;
        assert_eq!(found, kind, "{path}: {text}");
        assert!(text.contains(words), "{path}: {text}");
        assert_eq!(bench.target.state().snapshot, form(&[], ""), "{path} left a menu open");
    }
    assert!(acts(&bench).iter().all(|act| act.starts_with("Click menu \"") || act.starts_with("Cancel")));
}

#[tokio::test]
async fn a_dialog_that_must_be_answered_first_is_named_and_an_endless_label_is_cut() {
    let blocked = map_windows(&form(&[], ""), |window| window.blocked_by = Some("Save?".into()));
    let waiting = bench::with(bench::desktop_target(blocked));
    let (kind, text) = waiting.failure("select_menu", json!({"path": "File > New"})).await;
    assert!(
        kind == "covered" && text.contains(r#"The dialog "Save?" must be answered first"#),
        "{kind} {text}"
    );
    assert_eq!(acts(&waiting), Vec::<String>::new());
    let bench = bench();
    let (_, text) = bench.failure("select_menu", json!({"path": "x".repeat(9000)})).await;
    assert!(text.len() < 500, "{text}");
    assert_eq!(acts(&bench), Vec::<String>::new());
}

/// A dialog, and the window that waits for its answer yet lies over it, as FileZilla's do when they come up.
fn dialog_below(main_layer: i32) -> Snapshot {
    let snapshot = tree(&format!(
        r#"screen 1000x600@96
handles lasting
window "Main" form [0,0,1000,600] layer={main_layer} pid=7
frame "Main" role=window @main [0,0,1000,600]
window "Ask" form [300,200,700,400] dialog layer=2 focused pid=7
frame "Ask" role=window @ask [300,200,700,400]
  button "OK" role=button @ok [400,300,500,330] c action=click
"#
    ));
    map_windows(&snapshot, |window| {
        window.blocked_by = (window.title.as_deref() == Some("Main")).then(|| "Ask".into());
    })
}

#[tokio::test]
async fn a_dialog_under_the_window_that_waits_for_it_is_brought_to_the_front_and_answered() {
    let actions = vec![NodeAction::Click, NodeAction::Raise];
    for (tool, said) in [("click_element", "Click performed"), ("double_click", "")] {
        let bench = bench::with(bench::desktop_target(dialog_below(3)).with_actions(actions.clone()));
        bench.target.on_event(|event, state| {
            if matches!(event, Event::Act { action: NodeAction::Raise, .. }) {
                state.snapshot = dialog_below(1);
            }
        });
        let id = bench.id("OK").await;
        let reply = bench.text(tool, json!({"element_id": id})).await;
        assert!(reply.contains(said), "{reply}");
        assert_eq!(acts(&bench)[0], "Raise button \"OK\"");
    }
}

#[tokio::test]
async fn the_error_for_a_number_says_what_a_combo_box_takes() {
    let bench = bench();
    let id = bench.id("red").await;
    for value in [json!(1), json!(true)] {
        let (_, text) = bench.failure("set_value", json!({"element_path": id, "value": value})).await;
        assert!(text.contains("takes the text of one of its options; nothing was done"), "{text}");
    }
    assert_eq!(acts(&bench), Vec::<String>::new());
}

/// Another document above the form, with a menu of the same name that is open or not, and a palette with the focus.
fn beside(open: bool) -> String {
    let hidden = if open { "" } else { " -v" };
    format!(
        r#"window "Two" form [0,0,1000,600] layer=2 pid=7
frame "Two" role=window @two [0,0,1000,600]
  menu_bar role=menu_bar @bar2 [0,0,1000,30]
    menu "File" role=menu @file2 [0,0,50,30] c action=click
      menu_item "Second" role=menu_item @second [0,30,90,60] c{hidden} action=click
window "Palette" form [900,500,1000,600] dialog layer=3 focused pid=7
frame "Palette" role=window @palette [900,500,1000,600]
"#
    )
}

#[tokio::test]
async fn of_two_menu_bars_behind_a_palette_the_upper_one_is_meant() {
    let documents = |open| {
        map_windows(&form(&[], &beside(open)), |window| {
            window.focused = window.title.as_deref() == Some("Palette");
        })
    };
    let target = bench::desktop_target(documents(false)).with_actions(vec![NodeAction::Click]);
    let bench = bench::with(target);
    bench.target.on_event(move |event, state| {
        if let Event::Act { node, action: NodeAction::Click } = event {
            state.snapshot = documents(node == r#"menu "File""#);
        }
    });
    bench.text("select_menu", json!({"path": "File > Second"})).await;
    let chosen = [r#"Raise menu "File""#, r#"Click menu "File""#, r#"Click menu_item "Second""#];
    assert_eq!(acts(&bench), chosen);
}

#[tokio::test]
async fn the_menu_bar_of_a_window_that_opens_is_not_reported_as_an_open_menu() {
    let bench = bench();
    bench.target.on_event(|event, state| match event {
        Event::Act { node, action: NodeAction::Click } if node == r#"menu_item "New""# => {
            state.snapshot = form(&[], &beside(false));
        }
        _ => react(event, state),
    });
    let said = bench.text("select_menu", json!({"path": "File > New"})).await;
    assert!(said.contains(r#"Application "Two" opened."#), "{said}");
    assert!(!said.contains("A menu opened"), "{said}");
}

#[tokio::test]
async fn a_menu_that_is_rebuilt_before_the_press_is_looked_at_again() {
    let bench = bench();
    let (mut open, mut rebuilt) = (false, false);
    bench.target.on_event(move |event, state| {
        open |= matches!(event, Event::Act { node, .. } if node == r#"menu "File""#);
        // Between the look and the press the policy asks which windows there are.
        if matches!(event, Event::Windows) && open && !rebuilt {
            rebuilt = true;
            state.edit("New", |node| node.handle = Some("new again".into()));
        }
        react(event, state);
    });
    bench.text("select_menu", json!({"path": "File > New"})).await;
    let new = r#"Click menu_item "New""#;
    assert_eq!(acts(&bench), [r#"Click menu "File""#, new, new], "the first found nothing to press");
}

#[tokio::test]
async fn paths_without_words_are_refused() {
    let bench = bench();
    for path in [">", "File >", "File >> New", "a > b > c > d > e > f > g > h > i"] {
        let (kind, text) = bench.failure("select_menu", json!({"path": path})).await;
        assert_eq!(kind, "invalid_params");
        assert!(text.contains("'path'"), "{text}");
    }
    assert_eq!(bench.target.writes(), []);
}

async fn id(bench: &Bench, role: &str) -> String {
    let found = bench.json("find_element", json!({"app": 7, "role": role})).await;
    found["elements"][0]["id"].as_str().expect("an element").to_owned()
}

#[tokio::test]
async fn an_option_is_chosen_by_its_text_and_seen_to_be() {
    let bench = bench();
    for (role, value, act) in [
        ("combo_box", "Green", r#"Pick menu_item "green""#),
        ("tab_list", "Network", r#"Pick tab "Network""#),
        ("group", "large", r#"Pick radio "large""#),
    ] {
        let id = id(&bench, role).await;
        bench.target.clear_events();
        let reply = bench.json("set_value", json!({"element_path": id, "value": value})).await;
        assert_eq!(reply["via"], "native", "{role}");
        assert_eq!(acts(&bench), [act]);
        bench.target.clear_events();
        bench.json("set_value", json!({"element_path": id, "value": value})).await;
        assert_eq!(acts(&bench), [""; 0], "{role} is chosen already");
    }
    let combo = bench.target.state().snapshot;
    let combo = combo.node(fingertip_core::test_support::find(&combo, "green"));
    assert_eq!(combo.role, fingertip_core::Role::ComboBox);
}

#[tokio::test]
async fn an_option_that_is_not_there_is_answered_with_those_that_are() {
    let bench = bench();
    let combo = id(&bench, "combo_box").await;
    let (kind, text) = bench.failure("set_value", json!({"element_path": combo, "value": "mauve"})).await;
    assert_eq!(kind, "element_not_found");
    assert!(text.contains(r#"Options: "red", "green"."#), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn of_five_thousand_options_few_are_named_and_one_is_chosen() {
    let options: String = (0..5000)
        .map(|number| {
            format!("      list_item \"option {number}\" role=list_item @o{number} c -v action=select\n")
        })
        .collect();
    let text = format!(
        "screen 1000x600@96\nhandles lasting\nwindow \"Form\" form [0,0,1000,600] focused pid=7\n\
         frame \"Form\" role=window @w [0,0,1000,600]\n  \
         combo_box \"Many\" role=combo_box @combo [0,200,100,230] c\n    list role=list @l -v\n{options}"
    );
    let actions = vec![NodeAction::Pick];
    let bench = bench::with(bench::desktop_target(tree(&text)).with_actions(actions));
    bench.target.on_event(|event, state| {
        if let Event::Act { node, action: NodeAction::Pick } = event
            && node == "list_item \"option 4321\""
        {
            state.edit("Many", |node| node.value = Some(Value::Text("option 4321".into())));
        }
    });
    let combo = id(&bench, "combo_box").await;
    let (_, text) = bench.failure("set_value", json!({"element_path": combo, "value": "none"})).await;
    assert!(text.contains("and 4988 more") && text.len() < 1000, "{text}");
    bench.json("set_value", json!({"element_path": combo, "value": "option 4321"})).await;
    assert_eq!(acts(&bench), [r#"Pick list_item "option 4321""#]);
}

#[tokio::test]
async fn a_choice_that_is_not_seen_is_an_error() {
    let bench = bench();
    bench.target.on_event(|_, _| {});
    let tabs = id(&bench, "tab_list").await;
    let (kind, text) = bench.failure("set_value", json!({"element_path": tabs, "value": "Network"})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("not seen"), "{text}");
}
