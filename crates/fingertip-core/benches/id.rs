//! How long it takes to give ids: on the first look, on the same screen again, and after a scroll.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fingertip_core::{Flags, Identities, Node, Screen, Snapshot};

const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];
const NODES_PER_ROW: usize = 5;
const ROW_HEIGHT: i32 = 100;

/// A screen with a toolbar and a list that starts at row `first`, of about `size` nodes.
fn list(size: usize, first: usize) -> Snapshot {
    let mut builder = Snapshot::builder(Screen { width: 1_080, height: 2_400, density: 420 });
    builder.app("app", "Main").open(Node::new("Frame"));
    builder.leaf(Node::new("Text").text("Inbox")).leaf(Node::new("Button").description("Search"));
    builder.open(Node::new("List").resource_id("rows").with(Flags::SCROLLABLE));
    for row in 0..size / NODES_PER_ROW {
        let (top, number) = (row as i32 * ROW_HEIGHT, first + row);
        builder.open(Node::new("Row").resource_id("row").bounds(0, top, 1_080, top + ROW_HEIGHT));
        builder.leaf(Node::new("Image").resource_id("icon").bounds(0, top, 100, top + ROW_HEIGHT));
        builder.leaf(Node::new("Text").text(&format!("Person {number}")).bounds(100, top, 900, top + 50));
        builder.leaf(Node::new("Text").text(&format!("said {number}")).bounds(100, top + 50, 900, top + 100));
        builder.leaf(Node::new("Button").description("Call").bounds(900, top, 1_080, top + ROW_HEIGHT));
        builder.close();
    }
    builder.finish()
}

fn shown(snapshot: &Snapshot) -> Identities {
    let mut identities = Identities::new(Arc::default());
    identities.assign(&mut snapshot.clone());
    identities
}

fn assign(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("assign");
    for size in SIZES {
        group.throughput(Throughput::Elements(size as u64));
        let (before, scrolled) = (list(size, 0), list(size, size / NODES_PER_ROW / 3));
        group.bench_function(BenchmarkId::new("first", size), |bencher| {
            let prepare = || (Identities::new(Arc::default()), before.clone());
            bencher.iter_batched_ref(
                prepare,
                |(identities, snapshot)| identities.assign(black_box(snapshot)),
                BatchSize::PerIteration,
            );
        });
        for (name, next) in [("same", &before), ("scrolled", &scrolled)] {
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                let prepare = || (shown(&before), next.clone());
                bencher.iter_batched_ref(
                    prepare,
                    |(identities, snapshot)| identities.assign(black_box(snapshot)),
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, assign);
criterion_main!(benches);
