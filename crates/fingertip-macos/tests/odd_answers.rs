//! Answers that no application should give, and some do: each is told apart from what it is not.
#![cfg(not(target_os = "macos"))]

use std::time::Duration;

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, NodeAction, Part, Scope};
use fingertip_core::{Deadline, Reason, Snapshot};
use fingertip_macos::Desktop;
use fingertip_macos_sim::{Action, App, Attribute, Mac, Node, NodeId, World, ax_error};

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
