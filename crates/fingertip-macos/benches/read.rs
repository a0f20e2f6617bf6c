//! How long a look takes for each node, over the simulated Mac: with the work of answering, which a real application would do,
//! and with answers that were made before. The second is an upper bound of our own share, since handing an answer out,
//! counting references and copying texts out of it are still the work of the simulated Mac.
//!
//! `cargo bench -p fingertip-macos`

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

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

/// Looks again and again: how many nodes there are, and what a look took, the quickest first.
async fn looks(desktop: &Desktop) -> (u32, Vec<Duration>) {
    let scope = Scope::App { app: AppRef::named("Bench"), part: Part::Visible };
    let (mut took, mut read) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let limit = Deadline::after(Duration::from_secs(60));
        let snapshot = desktop.snapshot(&scope, limit).await.expect("a snapshot");
        took.push(start.elapsed());
        read = u32::try_from(snapshot.nodes().len()).expect("few");
    }
    took.sort_unstable();
    (read, took)
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    for nodes in [100, 1_000, 10_000] {
        for (answers, keep) in [("made for each look", false), ("made before", true)] {
            let mac = Mac::start(World::default().with(application(nodes)));
            mac.world(|world| world.keep_answers(keep));
            let desktop = Desktop::new();
            let (read, took) = runtime.block_on(looks(&desktop));
            let [fastest, middle] = [took[0], took[took.len() / 2]].map(|time| time / read);
            println!(
                "{read} nodes, answers {answers}: {fastest:.2?} a node at best, {middle:.2?} in the middle of {ROUNDS}"
            );
            drop(desktop);
            mac.world(|world| world.keep_answers(false));
            mac.assert_balanced();
        }
    }
}
