//! Answers that no application should give, and some do: each is told apart from what it is not.
#![cfg(not(target_os = "macos"))]

use std::time::Duration;

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Expected, NodeAction, Part, Scope, WindowAction};
use fingertip_core::{Deadline, Reason, Snapshot};
use fingertip_macos::Desktop;
use fingertip_macos_sim::{Action, App, Attribute, Mac, Node, NodeId, ROOT, World, ax_error};

/// Runs a test over an application of one window, and sees at its end that all references were given back.
fn over(fill: impl FnOnce(&mut App, NodeId), test: impl AsyncFnOnce(&Desktop, Snapshot)) {
    let mut app = App::new("Odd", "org.example.odd");
    let window = app.window("Odd", 0.0, 30.0, 800.0, 600.0);
    fill(&mut app, window);
    let mac = Mac::start(World::default().with(app));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let desktop = Desktop::new();
    runtime.block_on(async {
        let scope = Scope::App { app: AppRef::named("Odd"), part: Part::Visible };
        let snapshot = desktop.snapshot(&scope, soon()).await.expect("a snapshot");
        test(&desktop, snapshot).await;
    });
    drop(desktop);
    drop(runtime);
    mac.assert_balanced();
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(5))
}

#[test]
fn an_action_that_fails_is_an_error() {
    over(
        |app, window| {
            let mut button = Node::button("Fail", |_, _| {}).frame(10.0, 60.0, 80.0, 24.0);
            button.answer = Action::Fails(ax_error::FAILURE);
            app.add(window, button);
        },
        async |desktop, snapshot| {
            let button =
                snapshot.indices().find(|index| snapshot.node(*index).text.as_deref() == Some("Fail"));
            let button = button.expect("the button");
            let refused = desktop.act(&snapshot, button, &NodeAction::Click, soon()).await;
            assert_eq!(refused.expect_err("it failed").reason(), Reason::ActionFailed);
        },
    );
}

#[test]
fn what_is_no_element_among_children_is_left_out() {
    over(
        |app, window| {
            let group = app.add(window, Node::new("AXGroup").frame(10.0, 60.0, 200.0, 200.0));
            let label = app.add(group, Node::label("real").frame(10.0, 60.0, 80.0, 20.0));
            let children = vec![
                Attribute::text("not an element"),
                Attribute::Null,
                Attribute::Node(label),
                Attribute::Node(label),
                Attribute::Int(7),
            ];
            app.node_mut(group).attributes.insert("AXChildren".into(), Attribute::List(children));
        },
        async |_, snapshot| {
            let real = snapshot.nodes().iter().filter(|node| node.text.as_deref() == Some("real"));
            assert_eq!(real.count(), 1, "once, however often it is named");
        },
    );
}

#[test]
fn errors_are_no_values() {
    over(
        |app, window| {
            app.add(
                window,
                Node::new("AXStaticText")
                    .identifier("errors")
                    .with("AXValue", Attribute::Fails(ax_error::CANNOT_COMPLETE))
                    .with("AXTitle", Attribute::Fails(ax_error::NO_VALUE))
                    .frame(10.0, 60.0, 80.0, 20.0),
            );
        },
        async |_, snapshot| {
            let node = snapshot.nodes().iter().find(|node| node.resource_id.as_deref() == Some("errors"));
            let node = node.expect("the element");
            assert_eq!((&node.text, &node.value), (&None, &None), "{node:?}");
        },
    );
}

#[test]
fn of_very_many_children_the_rest_is_counted() {
    const CHILDREN: u32 = 2_500;
    over(
        |app, window| {
            let group = app.add(window, Node::new("AXGroup").frame(0.0, 60.0, 800.0, 500.0));
            for index in 0..CHILDREN {
                app.add(group, Node::label("x").frame(f64::from(index % 100) * 8.0, 60.0, 8.0, 8.0));
            }
        },
        async |_, snapshot| {
            let counted = snapshot.nodes().iter().find_map(|node| node.child_count);
            assert_eq!(counted, Some(CHILDREN));
        },
    );
}

#[test]
fn a_cold_application_is_woken_once() {
    let mac = Mac::start(World::default().with(fingertip_macos_sim::apps::electron()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let desktop = Desktop::new();
    runtime.block_on(async {
        let scope = Scope::App { app: AppRef::named("Code"), part: Part::Visible };
        for _ in 0..3 {
            let short = Deadline::after(Duration::from_millis(500));
            desktop.snapshot(&scope, short).await.expect("a part");
        }
    });
    let woken = mac.world(|world| world.app("Code").chromium.as_ref().map(|engine| engine.times_woken));
    assert_eq!(woken, Some(1), "each time it is woken its tree starts anew");
    drop(desktop);
    drop(runtime);
    mac.assert_balanced();
}

/// Every kind of value that an attribute may hold, right or wrong.
fn every_kind(label: NodeId) -> Vec<(&'static str, Attribute)> {
    vec![
        ("text", Attribute::text("a text")),
        ("no-text", Attribute::text("")),
        ("long", Attribute::text("é".repeat(30_000))),
        ("attributed", Attribute::Attributed("styled".to_owned())),
        ("address", Attribute::Url("https://example.org/".to_owned())),
        ("data", Attribute::Data(vec![0, 255, 128])),
        ("date", Attribute::Date(7e8)),
        ("true", Attribute::Bool(true)),
        ("false", Attribute::Bool(false)),
        ("whole", Attribute::Int(i64::MIN)),
        ("endless", Attribute::Float(f64::INFINITY)),
        ("no-number", Attribute::Float(f64::NAN)),
        ("point", Attribute::Point(1e300, -1e300)),
        ("no-point", Attribute::Point(f64::NAN, 0.0)),
        ("size", Attribute::Size(-5.0, 1e300)),
        (
            "frame",
            Attribute::Frame(fingertip_macos_sim::Rect { x: -1e300, y: 0.0, width: 1e300, height: 1.0 }),
        ),
        ("range", Attribute::Range(isize::MAX, isize::MAX)),
        ("element", Attribute::Node(label)),
        ("nobody", Attribute::Node(NodeId(999_999))),
        ("foreign", Attribute::Foreign(1, NodeId(1))),
        ("elements", Attribute::Nodes(vec![label, label])),
        ("list", Attribute::List(vec![Attribute::Null, Attribute::List(Vec::new()), Attribute::Int(1)])),
        ("pairs", Attribute::Pairs(vec![("key".to_owned(), Attribute::Null)])),
        ("null", Attribute::Null),
        ("error", Attribute::Fails(ax_error::FAILURE)),
        ("no-value", Attribute::Fails(ax_error::NO_VALUE)),
        ("no-answer", Attribute::Fails(ax_error::CANNOT_COMPLETE)),
        ("gone", Attribute::Fails(ax_error::INVALID_UI_ELEMENT)),
        ("nonsense", Attribute::Fails(i32::MIN)),
    ]
}

/// What is asked of every element but its name in these tests, which is `AXIdentifier`.
const OF_ELEMENTS: [&str; 18] = [
    "AXRole",
    "AXSubrole",
    "AXTitle",
    "AXDescription",
    "AXValue",
    "AXHelp",
    "AXPlaceholderValue",
    "AXEnabled",
    "AXFocused",
    "AXSelected",
    "AXExpanded",
    "AXDisclosing",
    "AXPosition",
    "AXSize",
    "AXMinValue",
    "AXMaxValue",
    "AXTitleUIElement",
    "AXChildren",
];

#[test]
fn a_wrong_kind_in_any_attribute_of_an_element_leaves_all_others() {
    for role in ["AXTextField", "AXCheckBox", "AXSlider", "AXGroup"] {
        over(
            |app, window| {
                let label = app.add(window, Node::label("fine").frame(10.0, 40.0, 80.0, 20.0));
                for name in OF_ELEMENTS {
                    for (kind, value) in every_kind(label) {
                        let node = Node::new(role).identifier(&format!("{name} {kind}"));
                        app.add(window, node.frame(10.0, 60.0, 80.0, 20.0).with(name, value));
                    }
                }
                let names = Node::new(role).frame(10.0, 60.0, 80.0, 20.0);
                for (_, value) in every_kind(label) {
                    app.add(window, names.clone().with("AXIdentifier", value));
                }
            },
            async |_, snapshot| {
                let is_read = |id: &str| {
                    let named = |node: &&fingertip_core::Node| node.resource_id.as_deref() == Some(id);
                    snapshot.nodes().iter().any(|node| named(&node))
                };
                for name in OF_ELEMENTS {
                    for (kind, _) in every_kind(NodeId(0)) {
                        // Without a place nobody knows whether it is in sight, and one far off is not.
                        let is_unplaced = matches!(name, "AXPosition" | "AXSize");
                        let is_silent = name == "AXChildren" && matches!(kind, "no-answer" | "gone");
                        assert!(
                            is_unplaced || is_silent || is_read(&format!("{name} {kind}")),
                            "{role}: {name} {kind}"
                        );
                    }
                }
                assert!(snapshot.nodes().iter().any(|node| node.text.as_deref() == Some("fine")));
            },
        );
    }
}

#[test]
fn a_field_that_does_not_say_its_kind_is_taken_for_a_secret() {
    over(
        |app, window| {
            for (kind, value) in every_kind(window) {
                let field =
                    Node::new("AXTextField").identifier(kind).with("AXValue", Attribute::text("hunter2"));
                app.add(window, field.with("AXSubrole", value).frame(10.0, 60.0, 80.0, 20.0));
            }
        },
        async |_, snapshot| {
            for (kind, _) in every_kind(NodeId(0)) {
                let of_kind = |node: &&fingertip_core::Node| node.resource_id.as_deref() == Some(kind);
                let field = snapshot.nodes().iter().find(of_kind).expect(kind);
                let says = ["text", "no-text", "long", "attributed", "address", "null", "no-value"];
                // Bytes, dates and pairs are read as no value at all.
                let is_nothing = ["data", "date", "pairs"].contains(&kind);
                if says.contains(&kind) || is_nothing {
                    assert_eq!(field.text.as_deref(), Some("hunter2"), "{kind}");
                } else {
                    assert!(field.text.is_none() && field.value.is_none(), "{kind}: {field:?}");
                    assert!(field.is(fingertip_core::Flags::PASSWORD), "{kind}");
                }
            }
        },
    );
}

const OF_APPLICATIONS: [&str; 4] = ["AXWindows", "AXChildren", "AXFocusedUIElement", "AXMenuBar"];
const OF_WINDOWS: [&str; 3] = ["AXMinimized", "AXMain", "AXModal"];
const OF_LISTS: [&str; 4] = ["AXVisibleRows", "AXVisibleChildren", "AXHeader", "AXRows"];
/// What is asked of elements and windows that something is done to.
const WHEN_ACTING: [&str; 3] = ["AXParent", "AXWindow", "AXCloseButton"];
/// What is asked of the element that stands for the whole system.
const OF_THE_SYSTEM: [&str; 2] = ["AXFocusedApplication", "AXFocusedUIElement"];

/// Who lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Liar {
    App,
    Window,
    List,
    Element,
    /// What lies in the element, and is hit in its place.
    Inner,
    System,
}

/// Runs a test over an application of which one attribute holds this, and sees at its end that it was read and that all was
/// given back.
fn lying(liar: Liar, name: &str, value: Attribute, test: impl AsyncFnOnce(&Desktop)) {
    let mut app = App::new("Odd", "org.example.odd");
    let window = app.window("Odd", 0.0, 30.0, 800.0, 600.0);
    let area = app.add(window, Node::new("AXScrollArea").frame(0.0, 50.0, 400.0, 400.0));
    let list = app.add(area, Node::new("AXTable").frame(0.0, 50.0, 400.0, 400.0));
    app.add(list, Node::new("AXRow").frame(0.0, 50.0, 400.0, 20.0));
    let element = app.add(window, Node::text_field("old").identifier("field").frame(410.0, 60.0, 80.0, 20.0));
    let inner = app.add(element, Node::label("").frame(410.0, 60.0, 80.0, 20.0));
    let mut world = World::default();
    match liar {
        Liar::System => {
            world.system_wide.insert(name.to_owned(), value);
            // Then it matters which element has the keyboard.
            world.secure_input = true;
        }
        Liar::App => _ = app.node_mut(ROOT).attributes.insert(name.to_owned(), value),
        Liar::Window => _ = app.node_mut(window).attributes.insert(name.to_owned(), value),
        Liar::List => _ = app.node_mut(list).attributes.insert(name.to_owned(), value),
        Liar::Inner => _ = app.node_mut(inner).attributes.insert(name.to_owned(), value),
        Liar::Element => _ = app.node_mut(element).attributes.insert(name.to_owned(), value),
    }
    let mac = Mac::start(world.with(app));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let desktop = Desktop::new();
    runtime.block_on(test(&desktop));
    assert!(mac.world(|world| world.attributes_read.contains(name)), "{liar:?} was not asked for {name}");
    drop(desktop);
    drop(runtime);
    mac.assert_balanced();
}

#[test]
fn a_wrong_kind_in_any_attribute_that_a_look_reads_ends_nothing_and_leaves_nothing() {
    let liars: [(Liar, &[&str]); 5] = [
        (Liar::App, &OF_APPLICATIONS),
        (Liar::Window, &OF_WINDOWS),
        (Liar::List, &OF_LISTS),
        (Liar::Element, &OF_ELEMENTS),
        (Liar::System, &OF_THE_SYSTEM[..1]),
    ];
    for (liar, names) in liars {
        for name in names {
            for (kind, value) in every_kind(NodeId(1)) {
                lying(liar, name, value, async |desktop| {
                    let scope = Scope::App { app: AppRef::named("Odd"), part: Part::Visible };
                    match desktop.snapshot(&scope, soon()).await {
                        Ok(snapshot) => {
                            // What is minimized shows nothing; that is no fault.
                            let is_minimized = *name == "AXMinimized" && ["true", "whole"].contains(&kind);
                            let is_said = snapshot.cut.is_some() || !snapshot.nodes().is_empty();
                            assert!(is_minimized || is_said, "{name} {kind}: nothing, and no word why");
                        }
                        Err(error) => {
                            assert!(["no-answer", "gone"].contains(&kind), "{name} {kind}: {error:?}");
                        }
                    }
                });
            }
        }
    }
}

#[test]
fn a_wrong_kind_in_any_attribute_that_an_act_reads_ends_nothing_and_leaves_nothing() {
    let [parent, window, close] = WHEN_ACTING;
    let liars: [(Liar, &[&str]); 4] = [
        (Liar::Inner, &[parent]),
        (Liar::Element, &[window]),
        (Liar::Window, &[close]),
        (Liar::System, &OF_THE_SYSTEM),
    ];
    for (liar, names) in liars {
        for name in names {
            for (kind, value) in every_kind(NodeId(1)) {
                lying(liar, name, value, async |desktop| {
                    let scope = Scope::App { app: AppRef::named("Odd"), part: Part::Visible };
                    let snapshot = desktop.snapshot(&scope, soon()).await.expect("a snapshot");
                    let is_field = |index: &fingertip_core::NodeIndex| {
                        snapshot.node(*index).resource_id.as_deref() == Some("field")
                    };
                    let field = snapshot.indices().find(is_field).expect("the field");
                    let window = &snapshot.windows()[snapshot.window_of(field)];
                    let to = Expected::owners([window]);
                    let outcomes = [
                        // It has no press of its own, so that it is clicked after a hit test.
                        desktop.act(&snapshot, field, &NodeAction::Click, soon()).await,
                        desktop.set_text(&snapshot, field, "new", soon()).await,
                        desktop.type_text("x", &to, soon()).await,
                        desktop.act_on_window(window, WindowAction::Close, soon()).await.map(drop),
                    ];
                    for outcome in outcomes {
                        let Err(error) = outcome else { continue };
                        let honest = [
                            Reason::ActionFailed,
                            Reason::Covered,
                            Reason::Stale,
                            Reason::Timeout,
                            Reason::Unsupported,
                        ];
                        assert!(honest.contains(&error.reason()), "{name} {kind}: {error:?}");
                    }
                });
            }
        }
    }
}

#[test]
fn every_attribute_that_is_read_was_tried_with_every_kind() {
    // Elements of each application that something is done to.
    const MOST_TRIED: usize = 8;
    let mac = Mac::start(fingertip_macos_sim::apps::desktop());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let desktop = Desktop::new();
    runtime.block_on(async {
        // Reads, watches, writes, clicks, opens and closes.
        fingertip_macos::self_test::run(&desktop, |_| {}).await;
        for app in desktop.apps(soon()).await.expect("applications") {
            let app = AppRef { name: app.name, pid: app.pid };
            for part in [Part::Visible, Part::Whole] {
                let scope = Scope::App { app: app.clone(), part };
                let snapshot = desktop.snapshot(&scope, soon()).await.expect("a snapshot");
                let _again = desktop.incremental_look(&scope, soon()).await.expect("another");
                for index in snapshot.indices().take(MOST_TRIED) {
                    for action in [NodeAction::Click, NodeAction::Pick, NodeAction::Focus, NodeAction::Expand]
                    {
                        if desktop.can_act(&snapshot, index, &action) {
                            let _outcome = desktop.act(&snapshot, index, &action, soon()).await;
                        }
                    }
                }
            }
        }
    });
    let tried =
        [&OF_APPLICATIONS[..], &OF_WINDOWS, &OF_LISTS, &OF_ELEMENTS, &WHEN_ACTING, &OF_THE_SYSTEM].concat();
    let read = mac.world(|world| std::mem::take(&mut world.attributes_read));
    // Its kinds are tried in a test of its own.
    let left: Vec<&String> =
        read.iter().filter(|name| !tried.contains(&name.as_str()) && *name != "AXIdentifier").collect();
    assert!(left.is_empty(), "read and never tried: {left:?}");
    assert!(read.len() > tried.len() / 2, "hardly anything was read: {read:?}");
    drop(desktop);
    drop(runtime);
    mac.assert_balanced();
}
