//! Writes to blocked applications: by coordinates, by id, by key, in one call or over several.

use std::sync::Arc;

use fingertip_core::Snapshot;
use fingertip_core::target::{App, NodeAction, TargetKind};
use fingertip_core::test_support::{Event, ScriptedTarget, State, sample, tree};
use fingertip_mcp::policy::blocklist::Pattern;
use fingertip_mcp::policy::{Blocklist, Policy};
use serde_json::{Value, json};

use crate::bench::{self, Bench};

pub(super) const BLOCKED: &str = "com.x8bit.bitwarden";

fn blocking(patterns: &[&str]) -> Policy {
    let patterns = patterns.iter().map(|text| Pattern::new(text).expect("a pattern")).collect();
    Policy { blocklist: Arc::new(Blocklist::empty().blocking(patterns)), ..Policy::default() }
}

/// An address book with the window of a password manager over its lower half.
fn half_covered() -> Snapshot {
    tree(&format!(
        r#"
        screen 1080x2400@420
        app com.example.contacts .Main
        window "Contacts" com.example.contacts [0,0,1080,2400] layer=1 focused
        FrameLayout [0,0,1080,2400]
          Button "Save" [42,200,1038,326] cf
          EditText "Ada" #name [42,420,1038,546] clfe
        window "Vault" {BLOCKED} [0,1200,1080,2400] layer=2
        FrameLayout [0,1200,1080,2400]
          Button "Unlock" [42,1400,1038,1526] cf
          EditText "key" #vault [42,1620,1038,1746] clfe
        "#
    ))
}

/// The same with the focus in the password manager.
pub(super) fn vault_in_front() -> Snapshot {
    tree(&format!(
        r#"
        screen 1080x2400@420
        app {BLOCKED} .Vault
        window "Vault" {BLOCKED} [0,0,1080,2400] layer=1 focused
        FrameLayout [0,0,1080,2400]
          EditText "key" #vault [42,1620,1038,1746] clfeo
          Button "Save" [42,200,1038,326] cf
        "#
    ))
}

/// The same with the keyboard up and buttons for Back and Home below.
fn vault_with_keyboard() -> Snapshot {
    tree(&format!(
        r#"
        screen 1080x2400@420
        app {BLOCKED} .Vault
        window "Vault" {BLOCKED} [0,0,1080,2400] layer=1 focused
        FrameLayout [0,0,1080,2400]
          EditText "key" #vault [42,620,1038,746] clfeo
        window "Keyboard" com.example.keyboard [0,1500,1080,2274] layer=2 input_method
        FrameLayout [0,1500,1080,2274]
          Button "q" [0,1600,108,1700] cf
        window "NavigationBar0" com.android.systemui [0,2274,1080,2400] layer=3 system
        FrameLayout [0,2274,1080,2400]
          Button "Back" [100,2274,260,2400] cf
        window "StatusBar" com.android.systemui [0,0,1080,80] layer=4 system
        FrameLayout [0,0,1080,80]
        "#
    ))
}

async fn refused(bench: &Bench, tool: &str, arguments: Value) -> String {
    let before = bench.target.writes().len();
    let result = bench.call(tool, arguments).await;
    assert_eq!(result["isError"], true, "{tool}: {result}");
    assert_eq!(result["structuredContent"]["error_type"], "refused", "{tool}: {result}");
    assert_eq!(bench.target.writes().len(), before, "{tool} reached the target");
    result["content"][0]["text"].as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn coordinates_over_a_blocked_application_are_refused_whatever_the_gesture() {
    let bench = bench::showing(half_covered());
    for (tool, arguments) in [
        ("tap", json!({"x": 500, "y": 1450})),
        ("long_press", json!({"x": 500, "y": 1450})),
        ("double_tap", json!({"x": 500, "y": 1450})),
        ("swipe", json!({"x1": 500, "y1": 1450, "x2": 500, "y2": 100})),
        ("double_click", json!({"x": 500, "y": 1450})),
        ("drag", json!({"x": 500, "y": 1450, "to_x": 500, "to_y": 100})),
        ("drag", json!({"x": 500, "y": 250, "to_x": 500, "to_y": 1450})),
        ("pinch", json!({"center_x": 500, "center_y": 1300, "scale": 2.0})),
        (
            "custom_gesture",
            json!({"paths": [
                [{"x": 10, "y": 10, "time": 0}, {"x": 20, "y": 20, "time": 100}],
                [{"x": 10, "y": 1450, "time": 0}, {"x": 20, "y": 1460, "time": 100}],
            ]}),
        ),
    ] {
        let text = refused(&bench, tool, arguments).await;
        assert!(text.contains(BLOCKED) && text.contains("built in, password managers"), "{text}");
        assert!(text.contains("--allow-app"), "{text}");
    }
    assert!(bench.text("tap", json!({"x": 500, "y": 250})).await.starts_with("Tap"));
    assert_eq!(bench.target.writes().len(), 1);
}

/// Both are on the screen at once, as in a split screen: Android drops what is dragged in the other application.
#[tokio::test]
async fn nothing_is_dragged_into_a_blocked_application_of_a_phone() {
    let bench = bench::showing(half_covered());
    let held = json!([{"x": 500, "y": 250, "time": 0}, {"x": 500, "y": 250, "time": 800}, {"x": 500, "y": 1450, "time": 1500}]);
    for (tool, arguments) in [
        ("custom_gesture", json!({"paths": [held]})),
        ("swipe", json!({"x1": 500, "y1": 250, "x2": 500, "y2": 1450})),
    ] {
        assert!(refused(&bench, tool, arguments).await.contains(BLOCKED), "{tool}");
    }
    let alone = tree(
        r#"
        screen 1080x2400@420
        app com.example.contacts .Main
        window "Contacts" com.example.contacts [0,0,1080,1200] layer=1 focused
        FrameLayout [0,0,1080,1200]
        "#,
    );
    let beyond = json!({"x1": 500, "y1": 250, "x2": 500, "y2": 2000});
    assert!(bench::showing(alone).text("swipe", beyond).await.starts_with("Swipe"));
}

#[tokio::test]
async fn elements_of_a_blocked_application_can_be_read_and_not_be_acted_on() {
    let bench = bench::showing(half_covered());
    let (unlock, field) = (bench.id("Unlock").await, bench.id_of("vault").await);
    for (tool, arguments) in [
        ("click_element", json!({"element_id": unlock})),
        ("double_click", json!({"element_id": unlock})),
        ("drag", json!({"element_id": unlock, "to_x": 500, "to_y": 250})),
        ("drag", json!({"x": 500, "y": 250, "to_element_id": unlock})),
        ("set_text", json!({"element_id": field, "text": "x"})),
        ("input_text", json!({"element_id": field, "text": "x"})),
        ("clear_text", json!({"element_id": field})),
    ] {
        refused(&bench, tool, arguments).await;
    }
    assert!(bench.text("get_screen_state", json!({})).await.contains("Unlock"));
    let name = bench.id_of("name").await;
    bench.text("set_text", json!({"element_id": name, "text": "Grace"})).await;
}

#[tokio::test]
async fn keys_and_text_are_refused_while_a_blocked_application_has_the_focus() {
    let bench = bench::showing(vault_in_front());
    for (tool, arguments) in [
        ("press_key", json!({"key": "ENTER"})),
        ("input_text", json!({"text": "x"})),
        ("press_back", json!({})),
    ] {
        refused(&bench, tool, arguments).await;
    }
    // The way out is open, and so is what no application receives.
    bench.text("press_home", json!({})).await;
    bench.text("set_clipboard", json!({"text": "x"})).await;
}

#[tokio::test]
async fn neither_the_keyboard_nor_the_navigation_bar_reaches_what_its_keys_may_not() {
    let bench = bench::showing(vault_with_keyboard());
    for (x, y) in [(54, 1650), (180, 2337)] {
        refused(&bench, "tap", json!({"x": x, "y": y})).await;
        refused(&bench, "long_press", json!({"x": x, "y": y})).await;
    }
    for name in ["q", "Back"] {
        let id = bench.id(name).await;
        let why = refused(&bench, "click_element", json!({"element_id": id})).await;
        assert!(why.contains(BLOCKED), "{why}");
    }
    bench.text("tap", json!({"x": 500, "y": 40})).await;
    bench.text("press_home", json!({})).await;
}

/// With gestures in place of buttons a swipe from the edge is Back, whatever window it begins on.
#[tokio::test]
async fn a_swipe_from_the_edge_is_judged_by_who_would_go_back() {
    let beside = |focused: [&str; 2]| {
        let [first, second] = focused;
        tree(&format!(
            r#"
            screen 1080x2400@420
            app {BLOCKED} .Vault
            window "Contacts" com.example.contacts [0,0,1080,1200] layer=1 {first}
            FrameLayout [0,0,1080,1200]
            window "Vault" {BLOCKED} [0,1200,1080,2400] layer=2 {second}
            FrameLayout [0,1200,1080,2400]
            "#
        ))
    };
    let inwards = [(0, 400), (40, 300), (1079, 700)];
    let bench = bench::showing(beside(["", "focused"]));
    for (from, to) in inwards {
        let swipe = json!({"x1": from, "y1": 600, "x2": to, "y2": 600});
        assert!(refused(&bench, "swipe", swipe).await.contains(BLOCKED));
    }
    for (from, to) in [(400, 800), (200, 0)] {
        bench.text("swipe", json!({"x1": from, "y1": 600, "x2": to, "y2": 600})).await;
    }
    let bench = bench::showing(beside(["focused", ""]));
    for (from, to) in inwards {
        bench.text("swipe", json!({"x1": from, "y1": 600, "x2": to, "y2": 600})).await;
    }
}

#[tokio::test]
async fn an_id_whose_window_changed_its_owner_is_judged_by_the_new_one() {
    let bench = bench::with(ScriptedTarget::new("phone", sample::phone()).with_actions(Vec::new()));
    let id = bench.id("Save").await;
    bench.text("click_element", json!({"element_id": id})).await;
    bench.target.clear_events();
    bench.target.update(|state: &mut State| {
        state.snapshot = renamed(&sample::phone());
    });
    let result = bench.call("click_element", json!({"element_id": id})).await;
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(bench.target.writes(), []);
}

/// The sample phone as if the password manager had drawn it.
fn renamed(snapshot: &Snapshot) -> Snapshot {
    let mut builder = Snapshot::builder(snapshot.screen);
    for (position, window) in snapshot.windows().iter().enumerate() {
        let mut window = window.clone();
        window.app = Some(BLOCKED.into());
        builder.window(window);
        let mut open = 0;
        for index in snapshot.nodes_of(position) {
            while open > snapshot.depth(index) {
                builder.close();
                open -= 1;
            }
            builder.open(snapshot.node(index).clone());
            open += 1;
        }
    }
    builder.finish()
}

#[tokio::test]
async fn a_blocked_window_that_comes_up_during_the_call_is_noticed() {
    // The field is clicked first, and the password manager answers the click.
    let target = ScriptedTarget::new("phone", half_covered()).with_actions(Vec::new());
    target.on_event(|event, state| {
        if matches!(event, Event::Gesture(_)) {
            state.snapshot = vault_in_front();
        }
    });
    let bench = bench::with(target);
    let name = bench.id_of("name").await;
    let result = bench.call("input_text", json!({"element_id": name, "text": "secret"})).await;
    assert_eq!(result["isError"], true, "{result}");
    assert!(!bench.target.writes().iter().any(|event| matches!(event, Event::TypeText(_))));
}

#[tokio::test]
async fn what_comes_up_while_the_screen_is_looked_at_for_see_is_not_touched() {
    // The look before the action is the first; a policy that learned from it would let the tap pass.
    for see in ["changes", "screen"] {
        let target = ScriptedTarget::new("phone", half_covered());
        target.on_event(|event, state| {
            if matches!(event, Event::Snapshot(_)) {
                state.snapshot = vault_in_front();
            }
        });
        let bench = bench::with(target);
        let result = bench.call("tap", json!({"x": 500, "y": 800, "see": see})).await;
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(bench.target.writes(), []);
    }
}

#[tokio::test]
async fn a_write_without_a_known_receiver_is_refused() {
    let unowned = tree(
        r#"
        screen 1080x2400@420
        window "One" com.example.one [0,0,1080,1000] layer=1
        FrameLayout [0,0,1080,1000]
        window "Two" com.example.two [0,1000,1080,2000] layer=2
        FrameLayout [0,1000,1080,2000]
        "#,
    );
    let bench = bench::showing(unowned);
    for (tool, arguments) in [("press_back", json!({})), ("tap", json!({"x": 5, "y": 2200}))] {
        let text = refused(&bench, tool, arguments).await;
        assert!(text.contains("cannot be determined"), "{text}");
    }
    let unread = bench::phone();
    unread.target.on_event(|event, _| assert!(!event.is_write(), "{event:?}"));
    unread.text("get_screen_state", json!({})).await;
    unread.target.fail_next(fingertip_core::Error::new(fingertip_core::Reason::ActionFailed, "No tree."));
    let result = unread.call("tap", json!({"x": 5, "y": 500})).await;
    assert_eq!(result["isError"], true, "{result}");
    assert!(result["content"][0]["text"].as_str().unwrap().contains("No tree"), "{result}");
}

#[tokio::test]
async fn an_empty_list_reads_no_windows_and_costs_nothing() {
    let policy = Policy { blocklist: Arc::new(Blocklist::empty()), ..Policy::default() };
    let bench = bench::under(policy, ScriptedTarget::new("phone", vault_in_front()));
    bench.text("get_screen_state", json!({})).await;
    bench.target.clear_events();
    bench.text("tap", json!({"x": 500, "y": 1450})).await;
    bench.text("press_back", json!({})).await;
    assert!(bench.target.events().iter().all(Event::is_write), "{:?}", bench.target.events());
}

#[tokio::test]
async fn a_tool_that_has_just_looked_pays_for_no_second_look() {
    let looks = |bench: &Bench| {
        bench
            .target
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Snapshot(_) | Event::Windows))
            .count()
    };
    let bench = bench::phone();
    let id = bench.id("Save").await;
    bench.target.clear_events();
    bench.text("click_element", json!({"element_id": id})).await;
    assert_eq!(looks(&bench), 1);
    bench.target.clear_events();
    bench.text("tap", json!({"x": 500, "y": 700})).await;
    assert_eq!(looks(&bench), 1, "one for the guard: a tap itself does not look");
}

#[tokio::test]
async fn the_owner_s_rules_block_and_allow() {
    let bench = bench::under(blocking(&["com.example.*"]), ScriptedTarget::new("phone", sample::phone()));
    let text = refused(&bench, "tap", json!({"x": 500, "y": 700})).await;
    assert!(text.contains("'com.example.*' (set by the owner of this server)"), "{text}");
    let allowed = Blocklist::default().allowing(vec![Pattern::new(BLOCKED).unwrap()]);
    let policy = Policy { blocklist: Arc::new(allowed), ..Policy::default() };
    let bench = bench::under(policy, ScriptedTarget::new("phone", vault_in_front()));
    bench.text("press_key", json!({"key": "ENTER"})).await;
}

#[tokio::test]
async fn on_a_desktop_terminals_are_blocked_and_a_drag_may_not_end_in_one() {
    let desk = tree(
        r#"
        screen 1920x1080@96
        window "Editor" org.gnome.TextEditor [0,0,960,1080] layer=1 focused
        Frame [0,0,960,1080]
          Button "Save" [10,10,110,50] cf
        window "Shell" gnome-terminal-server [960,0,1920,1080] layer=1
        Frame [960,0,1920,1080]
          Button "Paste" [1000,10,1100,50] cf
        "#,
    );
    let desktop = || {
        ScriptedTarget::new("desktop", desk.clone())
            .with_kind(TargetKind::Desktop)
            .with_actions(vec![NodeAction::Click])
    };
    let owned = bench::under(blocking(&["org.gnome.*"]), desktop());
    let save = owned.id("Save").await;
    refused(&owned, "click_element", json!({"element_id": save})).await;
    let bench = bench::with(desktop());
    refused(&bench, "tap", json!({"x": 1200, "y": 500})).await;
    let text = refused(&bench, "swipe", json!({"x1": 500, "y1": 500, "x2": 1200, "y2": 500})).await;
    assert!(text.contains("built in, terminals"), "{text}");
    let save = bench.id("Save").await;
    bench.text("click_element", json!({"element_id": save})).await;
    bench.text("swipe", json!({"x1": 500, "y1": 500, "x2": 600, "y2": 500})).await;
}

/// An address book that gives way to the password manager as soon as it was touched or typed into.
fn giving_way() -> ScriptedTarget {
    let book = tree(
        r#"
        screen 1080x2400@420
        app com.example.contacts .Main
        window "Contacts" com.example.contacts [0,0,1080,2400] layer=1 focused
        FrameLayout [0,0,1080,2400]
          EditText "Ada" #name [42,420,1038,546] clfeo
        "#,
    );
    let target = ScriptedTarget::new("phone", book);
    target.on_event(|event, state| {
        if matches!(event, Event::Gesture(_) | Event::TypeText(_)) {
            state.snapshot = vault_in_front();
        }
    });
    target
}

#[tokio::test]
async fn text_after_a_line_end_does_not_follow_into_a_blocked_application() {
    let bench = bench::with(giving_way());
    let call = json!({"text": format!("x\n{}rm -rf ~\n", " ".repeat(8_000))});
    let result = bench.call("input_text", call).await;
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("Typed 2 of 8011 characters") && text.contains(BLOCKED), "{text}");
    assert_eq!(bench.target.writes(), [Event::TypeText("x\n".to_owned())]);
    let vault = bench.target.state().snapshot;
    assert!(vault.nodes().iter().any(|node| node.text.as_deref() == Some("key")), "the vault is as it was");
}

#[tokio::test]
async fn a_later_finger_does_not_come_down_on_a_blocked_application() {
    let bench = bench::with(giving_way());
    let tap =
        |time: u64| json!([{"x": 500, "y": 1700, "time": time}, {"x": 500, "y": 1700, "time": time + 50}]);
    let held = json!([{"x": 500, "y": 100, "time": 0}, {"x": 500, "y": 100, "time": 5000}]);
    for paths in [json!([tap(0), tap(300)]), json!([tap(0), held, tap(4000)]), json!([tap(1)])] {
        bench.target.update(|state| state.snapshot = half_covered());
        bench.target.update(|state| state.snapshot = giving_way().state().snapshot);
        let result = bench.call("custom_gesture", json!({"paths": paths})).await;
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result["structuredContent"]["app"], BLOCKED, "{result}");
        let vault = bench.target.state().snapshot;
        assert!(vault.focused_node().is_some(), "{vault:?}");
    }
}

#[tokio::test]
async fn with_an_empty_list_a_gesture_may_lead_from_one_application_to_another() {
    let policy = Policy { blocklist: Arc::new(Blocklist::empty()), ..Policy::default() };
    let bench = bench::under(policy, giving_way());
    let tap =
        |time: u64| json!([{"x": 500, "y": 500, "time": time}, {"x": 500, "y": 500, "time": time + 50}]);
    bench.text("custom_gesture", json!({"paths": [tap(0), tap(300)]})).await;
}

/// Files beside a terminal; the rules for desktops block terminals.
fn desk() -> Snapshot {
    tree(
        r#"
        screen 1000x600@96
        handles lasting
        window "Files" files [0,0,500,600] layer=1 focused pid=7
        frame "Files" role=window @f0 [0,0,500,600]
          list_item "a.txt" role=list_item @f1 [0,100,500,140] c
          combo_box "size" role=combo_box @f2 [0,200,500,240] c
        window "Terminal" xterm [500,0,1000,600] layer=1 pid=8
        frame "Terminal" role=window @t0 [500,0,1000,600]
          panel "shell" role=group @t1 [600,100,900,300] cl
          menu_bar role=menu_bar @t2 [500,0,1000,30]
            menu "Edit" role=menu @t3 [500,0,600,30] c action=click
          tab_list role=tab_list @t4 [500,400,1000,430] c
            tab "one" role=tab @t5 [500,400,600,430] c
            tab "two" role=tab @t6 [600,400,700,430] c
        "#,
    )
}

#[tokio::test]
async fn the_pointer_does_nothing_in_a_blocked_application_nor_is_anything_dropped_there() {
    let bench = bench::desktop_showing(desk());
    let row = bench.id("a.txt").await;
    let found = bench.json("find_elements", json!({"by": "text", "value": "shell", "app": 8})).await;
    let shell = found["elements"][0]["id"].as_str().unwrap();
    let found = bench.json("find_element", json!({"app": 8, "role": "tab_list"})).await;
    let tabs = found["elements"][0]["id"].as_str().unwrap();
    for (tool, arguments) in [
        ("right_click", json!({"element_id": shell})),
        ("right_click", json!({"x": 700, "y": 200})),
        ("double_click", json!({"element_id": shell})),
        ("hover", json!({"element_id": shell})),
        ("hover", json!({"x": 700, "y": 200})),
        ("scroll", json!({"direction": "down", "element_id": shell})),
        ("scroll", json!({"direction": "down", "x": 700, "y": 200})),
        ("select_menu", json!({"path": "Edit > Paste", "app": 8})),
        ("set_value", json!({"element_path": tabs, "value": "two"})),
        ("drag", json!({"element_id": row, "to_element_id": shell})),
        ("drag", json!({"element_id": row, "to_x": 700, "to_y": 200})),
        ("drag", json!({"element_id": shell, "to_element_id": row})),
        ("drag", json!({"x": 700, "y": 200, "to_x": 100, "to_y": 120})),
    ] {
        let text = refused(&bench, tool, arguments).await;
        assert!(text.contains("xterm"), "{text}");
    }
    bench.text("drag", json!({"element_id": row, "to_x": 100, "to_y": 220})).await;
    assert_eq!(bench.target.writes().len(), 1);
}

/// Which objects are in its windows an application says itself; it may name those of a password manager.
#[tokio::test]
async fn what_an_application_shows_of_a_blocked_one_is_judged_as_the_other_s() {
    let bench = bench::desktop_showing(desk());
    let owned_by = |name: &str, id: Option<&str>, pid| {
        let owner = App {
            name: name.into(),
            id: id.map(Into::into),
            pid: Some(pid),
            focused: false,
            background: false,
        };
        move |state: &mut State| state.embedded = vec![("a.txt".to_owned(), owner)]
    };
    let row = bench.id("a.txt").await;
    bench.target.update(owned_by("Secrets", Some("keepassxc"), 9));
    for (tool, arguments) in [
        ("click_element", json!({"element_id": row})),
        ("perform_action", json!({"element_path": row, "action": "press"})),
    ] {
        let text = refused(&bench, tool, arguments).await;
        assert!(text.contains("Secrets") && text.contains("keepass"), "{text}");
    }
    bench.target.update(owned_by("web content", None, 9));
    bench.text("click_element", json!({"element_id": row})).await;
}

#[tokio::test]
async fn a_terminal_that_comes_up_during_a_drag_gets_nothing() {
    let bench = bench::desktop_showing(desk());
    let row = bench.id("a.txt").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Drag(_)) {
            let over = tree("window \"Terminal\" xterm [0,0,1000,600] layer=9 pid=8\nframe [0,0,1000,600]");
            state.snapshot = over;
        }
    });
    let (kind, text) = bench.failure("drag", json!({"element_id": row, "to_x": 100, "to_y": 220})).await;
    assert_eq!(kind, "action_failed", "{text}");
    assert!(text.contains("went back"), "{text}");
}
