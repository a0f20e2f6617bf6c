//! Comparing snapshots and aiming at nodes, from a phone screen to a document of 100,000 nodes.
//!
//! Both must stay linear: waits compare snapshots at each change, and every tap on an element aims.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fingertip_core::{Flags, Node, NodeId, NodeIndex, Rect, Screen, Snapshot, Window, diff, hit, lean};

const SIZES: [u32; 4] = [100, 1_000, 10_000, 100_000];
/// Nodes of a row: itself, two labels and a check box.
const ROW: u32 = 4;
/// Pixels from one row to the next.
const HEIGHT: i32 = 20;

/// A list of rows with a floating button over all of them; `edition` is shown in one row of a hundred.
fn list(nodes: u32, edition: &str) -> Snapshot {
    let rows = nodes / ROW;
    let bottom = rows as i32 * HEIGHT;
    let mut builder = Snapshot::builder(Screen { width: 1000, height: bottom as u32, density: 160 });
    builder.window(Window::new("app", Rect::new(0, 0, 1000, bottom)).focused());
    let mut number = 0;
    let mut named = |mut node: Node| {
        number += 1;
        node.id = NodeId::new(number);
        node
    };
    builder.open(named(Node::new("List").bounds(0, 0, 1000, bottom).with(Flags::SCROLLABLE)));
    for row in 0..rows {
        let top = row as i32 * HEIGHT;
        let mut place =
            |node: Node, left: i32, right: i32| named(node.bounds(left, top, right, top + HEIGHT));
        builder.open(place(Node::new("android.widget.LinearLayout").with(Flags::CLICKABLE), 0, 1000));
        builder.leaf(place(Node::new("android.widget.TextView").text(&format!("Row {row}")), 0, 400));
        let detail = if row % 100 == 0 { edition } else { "detail" };
        builder.leaf(place(Node::new("android.widget.TextView").text(detail), 400, 800));
        builder.leaf(place(Node::new("android.widget.CheckBox").with(Flags::CLICKABLE), 800, 1000));
        builder.close();
    }
    builder.close();
    builder.leaf(named(Node::new("Button").bounds(300, 0, 700, bottom).with(Flags::CLICKABLE)));
    builder.finish()
}

/// A row in the middle, whose own middle is covered by the button.
fn middle_row(snapshot: &Snapshot) -> Option<NodeIndex> {
    let list = snapshot.indices().next()?;
    snapshot.children(list).nth(snapshot.nodes().len() / ROW as usize / 2)
}

fn compare(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("diff");
    for size in SIZES {
        let (old, new) = (list(size, "old"), list(size, "new"));
        assert_eq!(diff::between(&old, &new).changed.len(), (size / ROW).div_ceil(100) as usize);
        group.throughput(Throughput::Elements(u64::from(size)));
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(|| diff::between(black_box(&old), black_box(&new)));
        });
    }
    group.finish();
}

/// What a reply reports of a change: the lean lines of both, and what differs.
fn report(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lean changes");
    for size in SIZES {
        let (old, new) = (list(size, "old"), list(size, "new"));
        assert!(!lean::between(&old, &new).changed.is_empty());
        group.throughput(Throughput::Elements(u64::from(size)));
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(|| lean::between(black_box(&old), black_box(&new)));
        });
    }
    group.finish();
}

fn aim(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("aim");
    for size in SIZES {
        let snapshot = list(size, "old");
        let Some(row) = middle_row(&snapshot) else { continue };
        assert!(hit::aim(&snapshot, row).is_ok_and(|point| point.x < 300.0), "left of the button");
        group.throughput(Throughput::Elements(u64::from(size)));
        group.bench_function(BenchmarkId::new("covered row", size), |bencher| {
            bencher.iter(|| hit::aim(black_box(&snapshot), black_box(row)));
        });
        let Some(list) = snapshot.parent(row) else { continue };
        group.bench_function(BenchmarkId::new("list full of rows", size), |bencher| {
            bencher.iter(|| hit::aim(black_box(&snapshot), black_box(list)));
        });
    }
    group.finish();
}

criterion_group!(benches, compare, report, aim);
criterion_main!(benches);
