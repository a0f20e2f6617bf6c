//! How long the formats take as a screen grows; all of them must grow with it in a straight line.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fingertip_core::outline::{OutlineOptions, outline};
use fingertip_core::select::{By, Criterion as Search};
use fingertip_core::{Flags, Node, NodeId, Role, Screen, Snapshot, compact, fingerprint};

const SIZES: [u32; 4] = [100, 1_000, 10_000, 100_000];

/// Rows of a list as phones have them: a box with a picture, a title and a longer text.
fn screen(nodes: u32) -> Snapshot {
    let mut builder = Snapshot::builder(Screen { width: 1080, height: 2400, density: 420 });
    builder
        .app("com.example.mail", ".Inbox")
        .open(Node::new("android.widget.ListView").with(Flags::SCROLLABLE));
    for number in 1..nodes {
        let top = i32::try_from(number).unwrap_or(0) * 48;
        let node = match number % 4 {
            1 => Node::new("android.widget.LinearLayout").with(Flags::CLICKABLE),
            2 => Node::new("android.widget.ImageView").description("Portrait of the sender"),
            3 => Node::new("android.widget.TextView").text("Grüße aus Zürich").role(Role::Label),
            _ => Node::new("android.widget.TextView").text(
                "A longer text of more than a hundred characters, as the preview of a message often is, \
                 which the format has to cut",
            ),
        };
        let mut node = node.resource_id("com.example.mail:id/message_part").bounds(0, top, 1080, top + 48);
        if number % 4 == 1 && number > 1 {
            builder.close();
        }
        node.id = NodeId::new(number);
        if number % 4 == 1 {
            builder.open(node)
        } else {
            builder.leaf(node)
        };
    }
    builder.finish()
}

fn grow(criterion: &mut Criterion, name: &str, sizes: &[u32], run: impl Fn(&Snapshot)) {
    let mut group = criterion.benchmark_group(name);
    for &size in sizes {
        let snapshot = screen(size);
        group.throughput(Throughput::Elements(u64::from(size)));
        group.bench_with_input(BenchmarkId::from_parameter(size), &snapshot, |bencher, snapshot| {
            bencher.iter(|| run(snapshot));
        });
    }
    group.finish();
}

fn formats(criterion: &mut Criterion) {
    grow(criterion, "compact_whole", &SIZES, |snapshot| {
        black_box(compact::whole(snapshot));
    });
    grow(criterion, "compact_first_page", &SIZES, |snapshot| {
        black_box(compact::page(snapshot, 0).render(Some("cursor")));
    });
    let ascii = Search::new(By::ResourceId, "not_there", false);
    grow(criterion, "select_ascii", &SIZES, |snapshot| {
        black_box(ascii.find(snapshot).count());
    });
    let other = Search::new(By::Text, "ZÜRICH", false);
    grow(criterion, "select_unicode", &SIZES, |snapshot| {
        black_box(other.find(snapshot).count());
    });
    grow(criterion, "outline", &[1_000, 10_000], |snapshot| {
        let roots: Vec<_> = snapshot.roots_of(0).collect();
        let options =
            OutlineOptions { depth: 10, max_nodes: usize::MAX, roles: None, attributes: None, start: 0 };
        black_box(serde_json::to_string(&outline(snapshot, &roots, &options).tree).ok());
    });
    grow(criterion, "fingerprint", &SIZES, |snapshot| {
        black_box(fingerprint::of(snapshot));
    });
}

criterion_group!(benches, formats);
criterion_main!(benches);
