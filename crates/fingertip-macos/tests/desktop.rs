//! The whole backend over the simulated Mac: what it reads and does is compared with the Mac's own model, and at the end of
//! each test nothing may have leaked or been misused.
#![cfg(not(target_os = "macos"))]

use std::pin::Pin;
use std::time::{Duration, Instant};

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    AppRef, Capabilities, Expected, Key, KeyPress, Modifiers, NodeAction, Part, Scope, UiEventKind,
    WindowAction,
};
use fingertip_core::{Deadline, Error, Flags, NodeIndex, Reason, Role, Snapshot, Value, WindowKind};
use fingertip_macos::Desktop;
use fingertip_macos_sim::{Action, App, Attribute, Mac, Node, Notifications, World, apps};

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(5))
}

fn of(app: &str, part: Part) -> Scope {
    Scope::App { app: AppRef::named(app), part }
}

async fn look(desktop: &Desktop, app: &str) -> Snapshot {
    desktop.snapshot(&of(app, Part::Visible), soon()).await.expect("a snapshot")
}

fn find(snapshot: &Snapshot, class: &str, words: &str) -> NodeIndex {
    let is = |index: &NodeIndex| {
        let node = snapshot.node(*index);
        let said = [&node.text, &node.description, &node.hint];
        node.class.as_deref() == Some(class) && said.into_iter().flatten().any(|said| **said == *words)
    };
    let found = snapshot.indices().find(is);
    found.unwrap_or_else(|| {
        let all: Vec<String> = snapshot.nodes().iter().map(fingertip_core::Node::summary).collect();
        panic!("no {class} {words:?} in {all:#?}")
    })
}

fn pid_of(mac: &Mac, name: &str) -> i32 {
    mac.world(|world| *world.apps.iter().find(|(_, app)| app.name == name).expect("it runs").0)
}

/// Runs a test over a Mac, and sees at its end that all references were given back.
fn over(world: World, test: impl AsyncFnOnce(&Desktop, &Mac)) {
    let mac = Mac::start(world);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let desktop = Desktop::new();
    runtime.block_on(test(&desktop, &mac));
    drop(desktop);
    // Jobs that a hung application still holds end here.
    drop(runtime);
    mac.assert_balanced();
}

#[test]
fn applications_are_listed_with_process_and_bundle() {
    over(apps::desktop(), async |desktop, mac| {
        let apps = desktop.apps(soon()).await.expect("applications");
        assert_eq!(&*apps[0].name, "TextEdit");
        assert!(apps[0].focused);
        assert_eq!(apps[0].id.as_deref(), Some("com.apple.TextEdit"));
        assert_eq!(apps[0].pid, u32::try_from(pid_of(mac, "TextEdit")).ok());
        assert!(apps.iter().any(|app| &*app.name == "Finder" && !app.focused));
    });
}

#[test]
fn windows_are_joined_from_both_lists() {
    over(apps::desktop(), async |desktop, _| {
        let windows = desktop.windows(soon()).await.expect("windows");
        let front = &windows[0];
        assert_eq!(front.app.as_deref(), Some("TextEdit"));
        assert!(front.focused && !front.minimized && front.handle.is_some(), "{front:?}");
        assert!(windows.iter().any(|window| window.minimized), "{windows:#?}");
        assert_eq!(windows.iter().filter(|window| window.focused).count(), 1);
    });
}

#[test]
fn windows_of_a_hidden_application_are_listed_as_not_shown() {
    let mut world = apps::desktop();
    world.app_mut("Finder").hidden = true;
    over(world, async |desktop, _| {
        let windows = desktop.windows(soon()).await.expect("windows");
        let hidden: Vec<_> =
            windows.iter().filter(|window| window.app.as_deref() == Some("Finder")).collect();
        assert!(!hidden.is_empty() && hidden.iter().all(|window| window.minimized), "{windows:#?}");
    });
}

#[test]
fn without_the_screen_permission_titles_come_from_the_applications() {
    let mut world = apps::desktop();
    world.screen_recording = false;
    over(world, async |desktop, _| {
        assert!(desktop.pictures().is_none());
        assert!(!desktop.capabilities().contains(Capabilities::SCREENSHOT));
        let windows = desktop.windows(soon()).await.expect("windows");
        assert!(windows[0].title.is_some(), "{windows:#?}");
    });
}

#[test]
fn a_tree_costs_one_message_for_each_element() {
    let mut app = App::new("Thousand", "org.example.thousand");
    let window = app.window("Many", 0.0, 30.0, 1000.0, 800.0);
    for group in 0..10 {
        let y = 40.0 + f64::from(group) * 70.0;
        let parent = app.add(window, Node::new("AXGroup").frame(0.0, y, 1000.0, 70.0));
        for item in 0..98 {
            let x = f64::from(item) * 10.0;
            app.add(parent, Node::label(&format!("{group}.{item}")).frame(x, y, 10.0, 20.0));
        }
    }
    over(World::default().with(app), async |desktop, mac| {
        let pid = pid_of(mac, "Thousand");
        let before = mac.world(|world| world.apps[&pid].messages);
        let snapshot = look(desktop, "Thousand").await;
        let messages = mac.world(|world| world.apps[&pid].messages) - before;
        assert!(snapshot.nodes().len() >= 990, "{}", snapshot.nodes().len());
        assert_eq!(snapshot.cut, None);
        assert!(messages <= 1_050, "{messages} messages for {} nodes", snapshot.nodes().len());
    });
}

#[test]
fn kept_answers_are_those_that_would_be_made() {
    over(apps::desktop(), async |desktop, mac| {
        let said = async || -> Vec<String> {
            look(desktop, "TextEdit").await.nodes().iter().map(fingertip_core::Node::summary).collect()
        };
        let made = said().await;
        mac.world(|world| world.keep_answers(true));
        assert_eq!([said().await, said().await], [made.clone(), made.clone()]);
        // Nothing notices a change while answers are kept.
        mac.world(|world| world.app_mut("TextEdit").windows.clear());
        assert_eq!(said().await, made);
        mac.world(|world| world.keep_answers(false));
        assert_ne!(said().await, made);
    });
}

#[test]
fn of_a_long_table_the_rows_in_sight_are_read_and_the_rest_is_counted() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "Archive");
        let snapshot = look(desktop, "Archive").await;
        let table =
            snapshot.indices().find(|index| snapshot.node(*index).role == Role::Table).expect("a table");
        assert!(
            snapshot.node(table).child_count.is_some_and(|count| count >= 100_000),
            "{:?}",
            snapshot.node(table)
        );
        assert!(snapshot.children(table).count() > 3);
        let (messages, built) =
            mac.world(|world| (world.apps[&pid].messages, world.apps[&pid].hidden_rows_made));
        assert!(messages <= 200, "{messages} messages");
        assert_eq!(built, 0, "rows out of sight must not be built");
    });
}

#[test]
fn a_cycle_is_cut() {
    let mut app = App::new("Cycle", "org.example.cycle");
    let window = app.window("Round", 0.0, 30.0, 300.0, 300.0);
    let group = app.add(window, Node::new("AXGroup").frame(0.0, 60.0, 100.0, 100.0));
    app.node_mut(group).children.push(window);
    app.node_mut(group).children.push(group);
    over(World::default().with(app), async |desktop, _| {
        let snapshot = desktop.snapshot(&of("Cycle", Part::Whole), soon()).await.expect("a snapshot");
        let windows = snapshot.nodes().iter().filter(|node| node.class.as_deref() == Some("AXWindow"));
        assert_eq!(windows.count(), 1);
    });
}

#[test]
fn odd_values_are_no_harm() {
    over(apps::desktop(), async |desktop, _| {
        let snapshot = look(desktop, "System Settings").await;
        find(&snapshot, "AXCheckBox", "Wi-Fi");
        assert!(snapshot.nodes().iter().any(|node| node.value == Some(Value::Checked(true))));
    });
}

#[test]
fn a_secret_is_never_read_out() {
    over(apps::desktop(), async |desktop, _| {
        let snapshot = look(desktop, "System Settings").await;
        let field = snapshot.nodes().iter().find(|node| node.is(Flags::PASSWORD)).expect("a secure field");
        assert_eq!((&field.text, &field.value), (&None, &None));
    });
}

#[test]
fn a_hung_application_costs_only_itself() {
    let mut world = apps::desktop();
    for app in world.apps.values_mut().filter(|app| app.name == "Finder") {
        app.hung = true;
    }
    over(world, async |desktop, _| {
        let limit = Deadline::after(Duration::from_secs(2));
        let start = Instant::now();
        let finder = of("Finder", Part::Visible);
        let hung = desktop.snapshot(&finder, limit);
        let other = async {
            let start = Instant::now();
            look(desktop, "TextEdit").await;
            start.elapsed()
        };
        let (hung, other) = tokio::join!(hung, other);
        assert_eq!(hung.expect_err("no answer").reason(), Reason::Timeout);
        assert!(start.elapsed() < Duration::from_secs(3));
        assert!(other < Duration::from_secs(1), "{other:?}");
    });
}

#[test]
fn an_element_that_does_not_answer_leaves_the_rest() {
    let mut app = App::new("Partly", "org.example.partly");
    let window = app.window("One hangs", 0.0, 30.0, 300.0, 300.0);
    let stuck = app.add(window, Node::label("stuck").frame(0.0, 60.0, 100.0, 20.0));
    app.node_mut(stuck).hangs = true;
    app.add(window, Node::label("fine").frame(0.0, 90.0, 100.0, 20.0));
    over(World::default().with(app), async |desktop, _| {
        let snapshot = look(desktop, "Partly").await;
        find(&snapshot, "AXStaticText", "fine");
        assert!(snapshot.cut.is_some());
    });
}

#[test]
fn an_application_that_quits_while_it_is_read_says_so() {
    let mut world = apps::desktop();
    for app in world.apps.values_mut().filter(|app| app.name == "System Settings") {
        app.quits_after = Some(5);
    }
    over(world, async |desktop, _| {
        match desktop.snapshot(&of("System Settings", Part::Visible), soon()).await {
            Ok(snapshot) => assert!(snapshot.cut.is_some(), "a part must be told as one"),
            Err(error) => {
                assert!(matches!(error.reason(), Reason::NotRunning | Reason::Timeout), "{error:?}");
            }
        }
    });
}

#[test]
fn permission_is_asked_for_by_name_and_holds_at_once() {
    let mut world = apps::desktop();
    world.trusted = false;
    over(world, async |desktop, mac| {
        let denied: Error = desktop.snapshot(&Scope::Screen, soon()).await.expect_err("not allowed");
        assert_eq!(denied.reason(), Reason::PermissionDenied);
        assert!(
            denied.guidance().is_some_and(|guidance| guidance.contains("Privacy & Security")),
            "{denied:?}"
        );
        assert!(desktop.elements().is_none() && desktop.keyboard().is_none());
        mac.world(|world| world.trusted = true);
        look(desktop, "TextEdit").await;
        assert!(desktop.elements().is_some());
    });
}

#[test]
fn permission_that_is_withdrawn_in_the_middle_is_said_at_every_place() {
    // By the end of this many messages a look is over, and no later one would be a new place.
    const MOST: u64 = 60;
    over(apps::desktop(), async |desktop, mac| {
        let mut denied = 0;
        for after in 0..MOST {
            mac.world(|world| (world.trusted, world.untrusted_after) = (true, Some(after)));
            let looked = desktop.snapshot(&of("System Settings", Part::Visible), soon()).await;
            let is_trusted = mac.world(|world| std::mem::replace(&mut world.trusted, true));
            match looked {
                Err(error) => {
                    assert_eq!(error.reason(), Reason::PermissionDenied, "after {after}: {error:?}");
                    denied += 1;
                }
                Ok(snapshot) => {
                    let is_whole = snapshot.cut.is_none() && is_trusted;
                    assert!(is_whole, "after {after} messages a part was given out as the whole");
                }
            }
        }
        assert!(denied > 10, "only {denied} looks were interrupted");
        mac.world(|world| world.untrusted_after = None);
        look(desktop, "System Settings").await;
    });
}

/// Something that is done to an element, or through it.
struct Act {
    /// Its application, the class of the element and a text of it.
    on: [&'static str; 3],
    run: for<'a> fn(&'a Desktop, &'a Snapshot, NodeIndex) -> Acting<'a>,
    /// Whether the Mac shows what it was meant to do.
    is_done: fn(&World) -> bool,
}

type Acting<'a> = Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>;

/// An attribute or the text of the node that is called so.
fn holds(world: &World, app: &str, name: &str, attribute: &str, value: &Attribute) -> bool {
    let app = world.app(app);
    let node = app.node(app.find(name).expect("a node"));
    let held = node.attributes.get(attribute).cloned().unwrap_or_else(|| Attribute::text(node.text()));
    held == *value
}

/// Acts of every kind.
fn acts() -> Vec<Act> {
    vec![
        Act {
            on: ["TextEdit", "AXCheckBox", "Bold"],
            run: |desktop, snapshot, node| Box::pin(desktop.act(snapshot, node, &NodeAction::Click, soon())),
            is_done: |world| holds(world, "TextEdit", "Bold", "AXValue", &Attribute::Int(1)),
        },
        // Ignores its own action, so that it is clicked.
        Act {
            on: ["Safari", "AXButton", "Send"],
            run: |desktop, snapshot, node| Box::pin(desktop.act(snapshot, node, &NodeAction::Click, soon())),
            is_done: |world| world.app("Safari").notes.contains_key("sent"),
        },
        Act {
            on: ["Finder", "AXStaticText", "Downloads"],
            run: |desktop, snapshot, node| {
                let row = snapshot.ancestors(node).next().expect("its row");
                Box::pin(desktop.act(snapshot, row, &NodeAction::Pick, soon()))
            },
            is_done: |world| {
                let app = world.app("Finder");
                let row = app.node(app.find("Downloads").expect("a label")).parent.expect("a row");
                app.node(row).attributes.get("AXSelected") == Some(&Attribute::Bool(true))
            },
        },
        Act {
            on: ["System Settings", "AXTextField", "Computer name"],
            run: |desktop, snapshot, node| Box::pin(desktop.set_text(snapshot, node, "Turing", soon())),
            is_done: |world| world.app("System Settings").nodes.values().any(|node| node.text() == "Turing"),
        },
        // Ignores a new value, so that it is typed into.
        Act {
            on: ["Safari", "AXTextField", "Your name"],
            run: |desktop, snapshot, node| Box::pin(desktop.set_text(snapshot, node, "Ada", soon())),
            is_done: |world| world.app("Safari").nodes.values().any(|node| node.text() == "Ada"),
        },
        Act {
            on: ["System Settings", "AXSlider", "Brightness"],
            run: |desktop, snapshot, node| {
                let value = Value::Number { current: 0.25, minimum: None, maximum: None };
                Box::pin(async move { desktop.set_value(snapshot, node, &value, soon()).await })
            },
            is_done: |world| {
                holds(world, "System Settings", "Brightness", "AXValue", &Attribute::Float(0.25))
            },
        },
        Act {
            on: ["System Settings", "AXSlider", "Brightness"],
            run: |desktop, snapshot, node| {
                Box::pin(desktop.act(snapshot, node, &NodeAction::Increment, soon()))
            },
            is_done: |world| holds(world, "System Settings", "Brightness", "AXValue", &Attribute::Float(0.6)),
        },
        Act {
            on: ["TextEdit", "AXTextArea", "hello"],
            run: |desktop, snapshot, node| {
                let own = Expected::owners([&snapshot.windows()[snapshot.window_of(node)]]);
                Box::pin(
                    async move { desktop.type_text(" and more than an event takes", &own, soon()).await },
                )
            },
            is_done: |world| {
                let mut nodes = world.app("TextEdit").nodes.values();
                nodes.any(|node| node.text() == "hello and more than an event takes")
            },
        },
        Act {
            on: ["TextEdit", "AXCheckBox", "Bold"],
            run: |desktop, snapshot, node| {
                let own = Expected::owners([&snapshot.windows()[snapshot.window_of(node)]]);
                let tap = Gesture::tap(snapshot.node(node).bounds.center());
                Box::pin(async move { desktop.gesture(&tap, &own, soon()).await })
            },
            is_done: |world| holds(world, "TextEdit", "Bold", "AXValue", &Attribute::Int(1)),
        },
        Act {
            on: ["System Settings", "AXWindow", "Appearance"],
            run: |desktop, snapshot, node| {
                let window = &snapshot.windows()[snapshot.window_of(node)];
                Box::pin(async move {
                    let moved = WindowAction::Move { x: 300, y: 190 };
                    desktop.act_on_window(window, moved, soon()).await.map(drop)
                })
            },
            is_done: |world| {
                let app = world.app("System Settings");
                app.node(app.windows[0]).frame.is_some_and(|frame| (frame.x, frame.y) == (300.0, 190.0))
            },
        },
        Act {
            on: ["Safari", "AXWindow", "Example Domain"],
            run: |desktop, snapshot, node| {
                let window = &snapshot.windows()[snapshot.window_of(node)];
                Box::pin(
                    async move { desktop.act_on_window(window, WindowAction::Close, soon()).await.map(drop) },
                )
            },
            is_done: |world| world.app("Safari").windows.is_empty(),
        },
    ]
}

#[test]
fn permission_that_is_withdrawn_in_the_middle_of_an_act_is_said_and_never_taken_for_done() {
    // By the end of this many messages each act is over; those that wait ask again and again.
    const MOST: u64 = 400;
    for Act { on: [app, class, words], run, is_done } in acts() {
        let (mut is_over, mut denied, mut after) = (false, 0, 0);
        while !is_over && after < MOST {
            over(apps::desktop(), async |desktop, mac| {
                let pid = pid_of(mac, app);
                mac.world(|world| world.activate(pid));
                // What it costs to be observed is none of the act.
                let _watch = desktop.watch(Some(&AppRef::named(app)), soon()).await.expect("a watch");
                let snapshot = look(desktop, app).await;
                let node = find(&snapshot, class, words);
                mac.world(|world| world.untrusted_after = Some(after));
                let acted = run(desktop, &snapshot, node).await;
                let is_trusted = mac.world(|world| {
                    world.untrusted_after = None;
                    std::mem::replace(&mut world.trusted, true)
                });
                match acted {
                    Ok(()) => assert!(mac.world(|world| is_done(world)), "{words} after {after}: not done"),
                    Err(error) => {
                        assert!(!is_trusted, "{words} after {after}: {error:?}");
                        assert_eq!(
                            error.reason(),
                            Reason::PermissionDenied,
                            "{words} after {after}: {error:?}"
                        );
                        denied += 1;
                    }
                }
                is_over = is_trusted;
            });
            after += 1 + after / 4;
        }
        assert!(is_over && denied > 1, "{app} {words}: interrupted {denied} times");
    }
}

#[test]
fn what_happens_elsewhere_is_no_effect_of_a_press() {
    over(apps::desktop(), async |desktop, mac| {
        let (pid, other) = (pid_of(mac, "Safari"), pid_of(mac, "System Settings"));
        mac.world(|world| {
            let app = world.apps.get_mut(&pid).expect("Safari");
            let send = app.find("Send").expect("a button");
            app.node_mut(send).answer = Action::Ignored;
            world.activate(pid);
        });
        let watched = AppRef::named("System Settings");
        let _watch = desktop.watch(Some(&watched), soon()).await.expect("a watch");
        let snapshot = look(desktop, "Safari").await;
        let send = find(&snapshot, "AXButton", "Send");
        let noise = async {
            for number in 0.. {
                mac.world(|world| {
                    let field = world.apps[&other].find("Computer name").expect("a field");
                    world.set(other, field, "AXValue", Attribute::text(format!("{number}")));
                });
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let acting = desktop.act(&snapshot, send, &NodeAction::Click, soon());
        tokio::select! {
            acted = acting => acted.expect("clicked"),
            () = noise => {}
        }
        find(&look(desktop, "Safari").await, "AXStaticText", "sent");
    });
}

#[test]
fn waiting_costs_an_application_no_messages() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "TextEdit");
        let app = AppRef::named("TextEdit");
        let mut watch = desktop.watch(Some(&app), soon()).await.expect("a watch");
        let asked = |mac: &Mac| mac.world(|world| world.apps[&pid].messages);
        let before = asked(mac);
        let quiet = watch.next(Deadline::after(Duration::from_millis(1500))).await;
        assert_eq!(quiet.expect_err("nothing happens").reason(), Reason::Timeout);
        assert_eq!(asked(mac), before, "an observation must not ask");
        // A wait is woken, and looks by itself only once a second.
        let seen = desktop.changed(desktop.activity(), soon()).await.expect("observed");
        let before = asked(mac);
        desktop.changed(seen, soon()).await.expect("it is looked again anyway");
        assert_eq!(asked(mac), before, "a wait must not ask");
        mac.world(|world| {
            let page = world.apps[&pid].find("First Text View").expect("a page");
            world.notify(pid, page, "AXValueChanged");
        });
        let event = watch.next(soon()).await.expect("an event");
        assert_eq!(event.kind, UiEventKind::ValueChanged);
        assert_eq!(asked(mac), before + 1, "the element that changed is read, and nothing else");
    });
}

#[test]
fn a_check_box_is_set_and_seen_to_be() {
    over(apps::desktop(), async |desktop, _| {
        let snapshot = look(desktop, "System Settings").await;
        let switch = find(&snapshot, "AXCheckBox", "Bluetooth");
        desktop.set_value(&snapshot, switch, &Value::Checked(true), soon()).await.expect("set");
        let again = look(desktop, "System Settings").await;
        assert!(again.node(find(&again, "AXCheckBox", "Bluetooth")).is(Flags::CHECKED));
    });
}

#[test]
fn a_press_that_does_nothing_becomes_a_click() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "Safari");
        mac.world(|world| {
            let app = world.apps.get_mut(&pid).expect("Safari");
            let send = app.find("Send").expect("a button");
            app.node_mut(send).answer = Action::Ignored;
            world.activate(pid);
        });
        let snapshot = look(desktop, "Safari").await;
        let send = find(&snapshot, "AXButton", "Send");
        desktop.act(&snapshot, send, &NodeAction::Click, soon()).await.expect("clicked");
        let again = look(desktop, "Safari").await;
        find(&again, "AXStaticText", "sent");
    });
}

#[test]
fn a_web_field_that_ignores_its_value_is_typed_into() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "Safari");
        mac.world(|world| world.activate(pid));
        let snapshot = look(desktop, "Safari").await;
        let field = find(&snapshot, "AXTextField", "Your name");
        let text = "Ada Lovelace 😀😀😀😀😀😀😀😀😀😀😀";
        desktop.set_text(&snapshot, field, text, soon()).await.expect("typed");
        let again = look(desktop, "Safari").await;
        assert_eq!(again.node(find(&again, "AXTextField", "Your name")).text.as_deref(), Some(text));
    });
}

#[test]
fn an_action_that_opens_a_dialog_before_it_answers_is_done() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "TextEdit");
        mac.world(|world| {
            let app = world.apps.get_mut(&pid).expect("TextEdit");
            let save = app.find("Save").expect("a button");
            app.node_mut(save).answer = Action::Blocks;
        });
        let snapshot = look(desktop, "TextEdit").await;
        let save = find(&snapshot, "AXButton", "Save");
        desktop.act(&snapshot, save, &NodeAction::Click, soon()).await.expect("the sheet is there");
    });
}

#[test]
fn what_lies_under_a_sheet_waits_for_it() {
    over(apps::desktop(), async |desktop, _| {
        let snapshot = look(desktop, "TextEdit").await;
        let save = find(&snapshot, "AXButton", "Save");
        desktop.act(&snapshot, save, &NodeAction::Click, soon()).await.expect("pressed");
        let sheet = look(desktop, "TextEdit").await;
        find(&sheet, "AXButton", "Cancel");
        let bold = find(&sheet, "AXCheckBox", "Bold");
        let (front, behind) = (sheet.window_of(find(&sheet, "AXButton", "Cancel")), sheet.window_of(bold));
        assert_eq!(sheet.windows()[front].kind, WindowKind::Dialog);
        assert!(sheet.windows()[behind].blocked_by.is_some(), "{:#?}", sheet.windows());
        let refused = desktop.act(&sheet, bold, &NodeAction::Click, soon()).await.expect_err("blocked");
        assert_eq!(refused.reason(), Reason::Covered);
    });
}

#[test]
fn keys_and_text_reach_those_who_are_meant_or_nobody() {
    over(apps::desktop(), async |desktop, mac| {
        let windows = desktop.windows(soon()).await.expect("windows");
        let own = Expected::owners([&windows[0]]);
        desktop
            .press_key(KeyPress::from(Key::Character('a')).with(Modifiers::SUPER), &own, soon())
            .await
            .expect("keys");
        desktop.type_text("Grüße 😀", &own, soon()).await.expect("typed");
        let other = windows.iter().find(|window| window.app.as_deref() == Some("Finder")).expect("Finder");
        let refused = desktop.type_text("x", &Expected::owners([other]), soon()).await;
        assert_eq!(refused.expect_err("nobody of Finder has the keyboard").reason(), Reason::ActionFailed);
        let pid = pid_of(mac, "TextEdit");
        let held: Vec<String> = mac.world(|world| {
            let nodes = world.apps[&pid].nodes.values();
            nodes.filter(|node| node.role == "AXTextArea").map(fingertip_macos_sim::Node::text).collect()
        });
        assert!(held.iter().any(|text| text == "Grüße 😀"), "{held:?}");
    });
}

#[test]
fn a_click_is_played_where_it_should() {
    over(apps::desktop(), async |desktop, _| {
        let snapshot = look(desktop, "TextEdit").await;
        let bold = find(&snapshot, "AXCheckBox", "Bold");
        let at = snapshot.node(bold).bounds.center();
        desktop.gesture(&Gesture::tap(at), &Expected::anyone(), soon()).await.expect("played");
        let again = look(desktop, "TextEdit").await;
        assert!(again.node(find(&again, "AXCheckBox", "Bold")).is(Flags::CHECKED));
    });
}

#[test]
fn a_cold_electron_is_woken_once_and_said_to_be_incomplete_meanwhile() {
    over(apps::desktop(), async |desktop, _| {
        let short = Deadline::after(Duration::from_millis(800));
        let cold = desktop.snapshot(&of("Code", Part::Visible), short).await.expect("a part");
        assert!(cold.cut.as_deref().is_some_and(|why| why.starts_with("incomplete")), "{:?}", cold.cut);
        let mut warm = cold;
        let limit = Deadline::after(Duration::from_secs(20));
        while warm.cut.is_some() && !limit.passed() {
            warm = desktop.snapshot(&of("Code", Part::Visible), soon()).await.expect("a snapshot");
        }
        find(&warm, "AXButton", "Run");
    });
}

#[test]
fn changes_are_told_with_their_node() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "System Settings");
        let app = AppRef::named("System Settings");
        let mut watch = desktop.watch(Some(&app), soon()).await.expect("a watch");
        mac.world(|world| {
            let field = world.apps[&pid].find("Computer name").expect("a field");
            world.set(pid, field, "AXValue", Attribute::text("Turing"));
        });
        let event = watch.next(soon()).await.expect("an event");
        assert_eq!(event.kind, UiEventKind::ValueChanged);
        assert_eq!(event.node.and_then(|node| node.text).as_deref(), Some("Turing"));
        mac.world(|world| world.apps.remove(&pid));
        let end = loop {
            let event = watch.next(soon()).await.expect("an event");
            if event.kind == UiEventKind::AppQuit {
                break event;
            }
        };
        assert_eq!(&*end.app.name, "com.apple.systempreferences");
        assert_eq!(watch.next(soon()).await.expect_err("it is over").reason(), Reason::Disconnected);
    });
}

/// Sets the name of the computer, by hand.
fn rename(mac: &Mac, name: &str) {
    mac.world(|world| {
        let pid = world.pid("System Settings");
        let field = world.apps[&pid].find("Computer name").expect("a field");
        world.set(pid, field, "AXValue", Attribute::text(name));
    });
}

#[test]
fn a_notification_that_comes_twice_is_one_event() {
    over(apps::desktop(), async |desktop, mac| {
        mac.world(|world| world.app_mut("System Settings").notifications = Notifications::Doubled);
        let app = AppRef::named("System Settings");
        let mut watch = desktop.watch(Some(&app), soon()).await.expect("a watch");
        rename(mac, "Turing");
        let event = watch.next(soon()).await.expect("an event");
        assert_eq!(event.node.and_then(|node| node.text).as_deref(), Some("Turing"));
        let more = watch.next(Deadline::after(Duration::from_millis(500))).await;
        assert_eq!(more.expect_err("it happened once").reason(), Reason::Timeout);
    });
}

#[test]
fn a_notification_that_comes_late_tells_how_it_is_by_then() {
    over(apps::desktop(), async |desktop, mac| {
        let late = Notifications::Late(Duration::from_millis(400));
        mac.world(|world| world.app_mut("System Settings").notifications = late);
        let app = AppRef::named("System Settings");
        let mut watch = desktop.watch(Some(&app), soon()).await.expect("a watch");
        rename(mac, "Turing");
        rename(mac, "Hopper");
        let event = watch.next(soon()).await.expect("an event");
        assert_eq!(event.node.and_then(|node| node.text).as_deref(), Some("Hopper"));
    });
}

#[test]
fn without_notifications_a_wait_looks_by_itself_and_a_look_is_whole() {
    over(apps::desktop(), async |desktop, mac| {
        mac.world(|world| world.app_mut("System Settings").notifications = Notifications::Lost);
        let app = AppRef::named("System Settings");
        let _watch = desktop.watch(Some(&app), soon()).await.expect("a watch");
        look(desktop, "System Settings").await;
        // Whoever comes first is told that something may have changed.
        let seen = desktop.changed(desktop.activity(), soon()).await.expect("observed");
        rename(mac, "Turing");
        let woken = desktop.changed(seen, soon()).await.expect("it is looked again anyway");
        assert!(woken > seen);
        find(&look(desktop, "System Settings").await, "AXTextField", "Turing");
    });
}

#[test]
fn an_act_is_seen_to_be_done_however_it_is_reported() {
    let late = Notifications::Late(Duration::from_millis(300));
    for manner in [Notifications::Lost, Notifications::Doubled, late] {
        over(apps::desktop(), async |desktop, mac| {
            let pid = pid_of(mac, "Safari");
            mac.world(|world| world.activate(pid));
            let snapshot = look(desktop, "Safari").await;
            let send = find(&snapshot, "AXButton", "Send");
            mac.world(|world| world.app_mut("Safari").notifications = manner);
            desktop.act(&snapshot, send, &NodeAction::Click, soon()).await.expect("clicked");
            let sent = mac.world(|world| world.app("Safari").notes.get("sent").cloned());
            assert_eq!(sent, Some(1.into()), "{manner:?}: once, and no more");
        });
    }
}

#[test]
fn an_incremental_look_asks_for_what_changed_alone() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "System Settings");
        let app = AppRef { name: "System Settings".into(), pid: u32::try_from(pid).ok() };
        let scope = Scope::App { app, part: Part::Visible };
        let first = desktop.incremental_look(&scope, soon()).await.expect("a snapshot");
        assert!(!first.recalled);
        mac.world(|world| {
            let field = world.apps[&pid].find("Computer name").expect("a field");
            world.set(pid, field, "AXValue", Attribute::text("Turing"));
        });
        desktop.changed(0, soon()).await.expect("a change");
        tokio::time::sleep(Duration::from_millis(300)).await;
        let before = mac.world(|world| world.apps[&pid].messages);
        let next = desktop.incremental_look(&scope, soon()).await.expect("a snapshot");
        let messages = mac.world(|world| world.apps[&pid].messages) - before;
        assert!(next.recalled, "{:?}", next.cut);
        assert!(messages < 8, "{messages} messages");
        assert_eq!(next.node(find(&next, "AXTextField", "Computer name")).text.as_deref(), Some("Turing"));
    });
}

#[test]
fn a_window_is_moved_minimized_and_brought_back() {
    over(apps::desktop(), async |desktop, _| {
        let windows = desktop.windows(soon()).await.expect("windows");
        let window = windows.iter().find(|window| window.focused).expect("a window");
        let moved = desktop.act_on_window(window, WindowAction::Move { x: 200, y: 180 }, soon()).await;
        let moved = moved.expect("moved").expect("it is there");
        assert_eq!((moved.bounds.left, moved.bounds.top), (200, 180));
        let minimized =
            desktop.act_on_window(&moved, WindowAction::Minimize, soon()).await.expect("minimized");
        assert!(minimized.as_ref().is_some_and(|window| window.minimized), "{minimized:?}");
        let back = desktop
            .act_on_window(&minimized.expect("it"), WindowAction::Activate, soon())
            .await
            .expect("back");
        assert!(back.is_some_and(|window| !window.minimized && window.focused));
    });
}

#[test]
fn an_application_is_opened_and_closed() {
    over(apps::desktop(), async |desktop, _| {
        let request =
            fingertip_core::target::LaunchRequest { app: "Calculator".into(), ..Default::default() };
        let plan = desktop.plan_launch(&request, soon()).await.expect("a plan");
        assert!(plan.vetted);
        let launched = desktop.launch(&plan, soon()).await.expect("launched");
        assert_eq!(launched.window.and_then(|window| window.app).as_deref(), Some("Calculator"));
        let snapshot = look(desktop, "Calculator").await;
        let seven = find(&snapshot, "AXButton", "7");
        desktop.act(&snapshot, seven, &NodeAction::Click, soon()).await.expect("pressed");
        let again = look(desktop, "Calculator").await;
        find(&again, "AXStaticText", "7");
        let closed = desktop.close_app(&AppRef::named("Calculator"), soon()).await.expect("closed");
        assert_eq!((closed.windows, closed.left.len()), (1, 0));
    });
}

#[test]
fn the_clipboard_and_pictures_are_the_macs() {
    over(apps::desktop(), async |desktop, _| {
        desktop.set_clipboard("Grüße 😀", soon()).await.expect("written");
        assert_eq!(desktop.get_clipboard(soon()).await.expect("read").as_deref(), Some("Grüße 😀"));
        let request = fingertip_core::target::ScreenshotRequest {
            region: Some(fingertip_core::Rect::new(0, 0, 100, 50)),
            longest_side: None,
            quality: 80,
        };
        let picture = desktop.screenshot(request, soon()).await.expect("a picture");
        let fingertip_core::target::Screenshot::Raw(pixels) = picture else { panic!("raw pixels") };
        assert_eq!((pixels.width, pixels.height), (100, 50));
    });
}

#[test]
fn what_is_another_by_now_is_not_acted_on() {
    over(apps::desktop(), async |desktop, mac| {
        let pid = pid_of(mac, "TextEdit");
        let snapshot = look(desktop, "TextEdit").await;
        let bold = find(&snapshot, "AXCheckBox", "Bold");
        mac.world(|world| {
            let app = world.apps.get_mut(&pid).expect("TextEdit");
            let id = app.find("Bold").expect("a check box");
            app.remove(id);
        });
        let refused = desktop.act(&snapshot, bold, &NodeAction::Click, soon()).await.expect_err("gone");
        assert_eq!(refused.reason(), Reason::Stale);
    });
}

#[test]
fn the_self_test_passes_and_leaves_what_was_there() {
    let mut world = apps::desktop();
    let settings =
        world.apps.values().find(|app| app.name == "System Settings").map(|app| app.bundle_id.clone());
    world.installed.push(fingertip_macos_sim::Installed {
        name: "System Settings".to_owned(),
        bundle_id: settings.flatten().expect("a bundle"),
        path: "/System/Applications/System Settings.app".to_owned(),
        make: apps::settings,
    });
    over(world, async |desktop, mac| {
        let texts = || -> Vec<String> {
            let held =
                |app: &App| app.nodes.values().map(Node::text).filter(|text| !text.is_empty()).collect();
            mac.world(|world| world.apps.values().flat_map(|app| -> Vec<String> { held(app) }).collect())
        };
        let before = texts();
        let mut report = Vec::new();
        let failed = fingertip_macos::self_test::run(desktop, |step| report.push(step.to_string())).await;
        assert_eq!(failed, 0, "{report:#?}");
        assert_eq!(texts(), before);
        assert!(!report.concat().contains("self-test:"), "no text of the screen is in the report");
    });
}
