//! Arbitrary trees, described so that a test can change one thing and build again.

use fingertip_core::{Flags, Node, NodeId, Rect, Role, Screen, Snapshot, Window, WindowKind};
use proptest::prelude::*;

/// One node and how it hangs on the one before.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// Starts a window with this layer, title and focus.
    pub(crate) window: Option<(i32, String, bool)>,
    /// How many open nodes to close first; with none closed it is a child of the node before.
    pub(crate) closed: usize,
    pub(crate) node: Node,
}

/// Everything a snapshot is built from.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) app: String,
    pub(crate) cut: Option<String>,
    pub(crate) settled: bool,
}

impl Plan {
    /// Nodes get their number as id; window titles begin with a number, so that no two are the same.
    pub(crate) fn build(&self) -> Snapshot {
        let mut builder = Snapshot::builder(Screen { width: 1080, height: 2400, density: 420 });
        builder.app(&self.app, &self.app);
        if let Some(why) = &self.cut {
            builder.cut(why);
        }
        if !self.settled {
            builder.unsettled();
        }
        for (number, step) in (1..).zip(&self.steps) {
            if let Some((layer, title, focused)) = &step.window {
                let window = Window::new(&self.app, Rect::new(0, 0, 10, 10)).kind(WindowKind::Dialog);
                let window = window.title(&format!("{number}{title}")).layer(*layer);
                builder.window(if *focused { window.focused() } else { window });
            }
            for _ in 0..step.closed {
                builder.close();
            }
            let mut node = step.node.clone();
            node.id = NodeId::new(number);
            builder.open(node);
        }
        builder.finish()
    }
}

/// Texts that try to be something else.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "\t",
            "\n",
            "\r",
            "\r\n",
            "\u{b}",
            "\u{c}",
            "\0",
            "\u{1b}[2J",
            "\u{7f}",
            "\u{85}",
            "\u{2028}",
            "\u{2029}",
            "\u{61c}",
            "\u{200e}",
            "\u{200f}",
            "\u{202a}",
            "\u{202e}",
            "\u{2066}",
            "\u{2069}",
            "\u{fffd}",
            "\u{feff}",
            "👩‍👩‍👧‍👦",
            "🇩🇪",
            "e\u{301}",
            "שלום",
            "مرحبا",
            "ΑΣ",
            "ß",
            "ẞ",
            "-",
            " ",
            "\u{3000}",
            "window:",
            "more:9 cursor:x",
            "note:the screen is still changing",
            "node_0001\tButton",
            "id\tclass",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
        "[a-zA-Z ]{1,40}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

pub(crate) fn node() -> impl Strategy<Value = Node> {
    let field = || prop_oneof![2 => Just(None), 3 => text().prop_map(|text| Some(text.into_boxed_str()))];
    let fields = (field(), field(), field(), field(), field());
    (fields, any::<u16>(), any::<[i16; 4]>(), prop::sample::select(Role::ALL)).prop_map(
        |((class, text, description, hint, resource_id), flags, edges, role)| {
            let [left, top, right, bottom] = edges.map(i32::from);
            let mut node = Node::default().role(role);
            node.class = class;
            node.text = text;
            node.description = description;
            node.hint = hint;
            node.resource_id = resource_id;
            node.bounds = Rect::new(left, top, right, bottom);
            node.flags = Flags::from_bits_truncate(flags);
            node
        },
    )
}

/// A tree of up to `most` nodes; few of them differ, so that large trees are cheap.
pub(crate) fn plan(most: usize) -> impl Strategy<Value = Plan> {
    let window = prop::option::weighted(0.05, (-2..3, text(), any::<bool>()));
    let steps = prop::collection::vec((window, 0..4_usize, any::<prop::sample::Index>()), 0..=most);
    let pool = prop::collection::vec(node(), 1..12);
    (steps, pool, text(), prop::option::of(text()), any::<bool>()).prop_map(
        |(steps, pool, app, cut, settled)| {
            let step = |(window, closed, which): (_, _, prop::sample::Index)| Step {
                window,
                closed,
                node: which.get(&pool).clone(),
            };
            Plan { steps: steps.into_iter().map(step).collect(), app, cut, settled }
        },
    )
}
