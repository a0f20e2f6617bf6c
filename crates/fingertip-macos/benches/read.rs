//! How long a look takes for each node, over the simulated Mac: its own work, which a real application would do, is in it, so
//! that this is an upper bound of ours.
//!
//! `cargo bench -p fingertip-macos`

#![expect(clippy::print_stdout, reason = "a benchmark tells its figures")]

use std::time::{Duration, Instant};

use fingertip_core::Deadline;
use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Part, Scope};
use fingertip_macos::Desktop;
use fingertip_macos_sim::{App, Attribute, Mac, Node, World};

const ROUNDS: u32 = 30;

/// An application of about so many nodes, as texts and buttons in groups.
fn application(nodes: u32) -> App {
    const IN_A_GROUP: u32 = 20;
    let mut app = App::new("Bench", "org.example.bench");
    let window = app.window("Bench", 0.0, 30.0, 1400.0, 860.0);
    for group in 0..nodes / (IN_A_GROUP + 1) {
        let y = 40.0 + f64::from(group % 80) * 10.0;
        let parent = app.add(window, Node::new("AXGroup").frame(0.0, y, 1000.0, 10.0));
        for item in 0..IN_A_GROUP {
            let words = format!("Item {item} of group {group}");
            let node = if item % 2 == 0 {
                Node::label(&words)
            } else {
                Node::button(&words, |_, _| {}).with("AXHelp", Attribute::text("Does something"))
            };
            app.add(parent, node.frame(f64::from(item) * 50.0, y, 50.0, 10.0));
        }
    }
    app
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    for nodes in [100, 1_000, 10_000] {
        let mac = Mac::start(World::default().with(application(nodes)));
        let desktop = Desktop::new();
        runtime.block_on(async {
            let scope = Scope::App { app: AppRef::named("Bench"), part: Part::Visible };
            let mut took = Vec::new();
            let mut read = 0;
            for _ in 0..ROUNDS {
                let start = Instant::now();
                let limit = Deadline::after(Duration::from_secs(60));
                let snapshot = desktop.snapshot(&scope, limit).await.expect("a snapshot");
                took.push(start.elapsed());
                read = u32::try_from(snapshot.nodes().len()).expect("few");
            }
            took.sort_unstable();
            let [fastest, middle] = [took[0], took[took.len() / 2]].map(|time| time / read);
            println!("{read} nodes: {fastest:.2?} a node at best, {middle:.2?} in the middle of {ROUNDS}");
        });
        drop(desktop);
        mac.assert_balanced();
    }
}
