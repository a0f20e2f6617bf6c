//! Snapshots written as indented text, two spaces a level.
//!
//! ```text
//! screen 1080x2400@420
//! app com.example .Main
//! handles lasting
//! window "Title" com.example [0,0,1080,2400] dialog layer=2 pid=7 focused
//! Button "OK" d"description" h"hint" #resource_id @handle [0,0,100,50] cf -n order=1 id=ab12 action=expand
//!   slider role=slider value=40 range=0..100
//!   Child
//! ```
//! All of it is optional but a node's class. A node is visible and enabled; letters add flags (those of the
//! screen format, and `k` for checkable), `-` and letters take them away. Lines that start with `//` are
//! skipped. Anything else panics and names the line.

mod words;

use std::str::FromStr;

use words::{Word, words};

use crate::{Builder, Flags, Node, NodeId, NodeIndex, Role, Screen, Snapshot, Value, Window, WindowKind};

/// The screen when the text names none.
const SCREEN: Screen = Screen { width: 1080, height: 2400, density: 420 };

/// All kinds of windows, to be found by name.
const KINDS: [WindowKind; 7] = [
    WindowKind::Application,
    WindowKind::Dialog,
    WindowKind::InputMethod,
    WindowKind::System,
    WindowKind::Popup,
    WindowKind::Overlay,
    WindowKind::SplitDivider,
];

/// The snapshot this text describes.
///
/// # Panics
/// When the text is not of the form described above.
#[must_use]
pub fn tree(text: &str) -> Snapshot {
    let lines = || text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//"));
    let indent = |line: &str| line.len() - line.trim_start().len();
    let margin = lines().next().map_or(0, indent);
    let mut parser = Parser::new();
    for line in lines() {
        let spaces = indent(line).checked_sub(margin).filter(|spaces| spaces % 2 == 0);
        let Some(spaces) = spaces else { panic!("indent by two spaces: {line}") };
        parser.line(line.trim(), spaces / 2);
    }
    parser.builder.finish()
}

/// The first node with this label.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn find(snapshot: &Snapshot, label: &str) -> NodeIndex {
    let found = snapshot.indices().find(|index| snapshot.node(*index).label() == Some(label));
    found.unwrap_or_else(|| panic!("no node is labelled {label:?}"))
}

struct Parser {
    builder: Builder,
    screen: Screen,
    app: Option<String>,
    has_window: bool,
    open: usize,
}

impl Parser {
    fn new() -> Self {
        Self { builder: Snapshot::builder(SCREEN), screen: SCREEN, app: None, has_window: false, open: 0 }
    }

    fn line(&mut self, line: &str, level: usize) {
        let words = words(line);
        let Some((Word::Bare(first), rest)) = words.split_first() else { panic!("no class: {line}") };
        match (first.as_str(), rest) {
            ("screen", [Word::Bare(size)]) => {
                assert!(self.app.is_none() && !self.has_window, "the screen comes first: {line}");
                self.screen = screen(size);
                self.builder = Snapshot::builder(self.screen);
            }
            ("app", [Word::Bare(app), Word::Bare(activity)]) => {
                self.builder.app(app, activity);
                self.app = Some(app.clone());
            }
            ("handles", [Word::Bare(word)]) if word == "lasting" => drop(self.builder.lasting_handles()),
            ("window", rest) => self.window(window(rest, line)),
            (class, rest) => self.node(node(class, rest, line), level, line),
        }
    }

    fn window(&mut self, window: Window) {
        self.builder.window(window);
        self.has_window = true;
        self.open = 0;
    }

    fn node(&mut self, node: Node, level: usize, line: &str) {
        if !self.has_window {
            let window = Window::new(self.app.as_deref().unwrap_or("app"), self.screen.bounds());
            self.window(window.focused());
        }
        assert!(level <= self.open, "indented too far: {line}");
        while self.open > level {
            self.builder.close();
            self.open -= 1;
        }
        self.builder.open(node);
        self.open += 1;
    }
}

fn screen(size: &str) -> Screen {
    let parsed = size.split_once('x').and_then(|(width, rest)| {
        let (height, density) = rest.split_once('@')?;
        let number = |text: &str| text.parse().ok();
        Some(Screen { width: number(width)?, height: number(height)?, density: number(density)? })
    });
    parsed.unwrap_or_else(|| panic!("a screen is WIDTHxHEIGHT@DENSITY, not {size}"))
}

fn window(words: &[Word], line: &str) -> Window {
    let mut window = Window::default();
    for word in words {
        match word {
            Word::Text(title) => window = window.title(title),
            Word::Bounds(bounds) => window.bounds = *bounds,
            Word::Bare(word) if word == "focused" => window.focused = true,
            Word::Bare(word) if word == "minimized" => window.minimized = true,
            Word::Bare(word) => match KINDS.iter().find(|kind| kind.name() == word) {
                Some(kind) => window.kind = *kind,
                None => window.app = Some(word.as_str().into()),
            },
            Word::Setting(name, value) if name == "layer" => window.layer = number(value, line),
            Word::Setting(name, value) if name == "pid" => window.pid = Some(number(value, line)),
            _ => panic!("{word:?} does not belong to a window: {line}"),
        }
    }
    window
}

fn node(class: &str, words: &[Word], line: &str) -> Node {
    let mut node = Node::new(class);
    for word in words {
        node = match word {
            Word::Text(text) => node.text(text),
            Word::Description(text) => node.description(text),
            Word::Hint(text) => node.hint(text),
            Word::Resource(resource_id) => node.resource_id(resource_id),
            Word::Handle(handle) => Node { handle: Some(handle.as_str().into()), ..node },
            Word::Bounds(bounds) => Node { bounds: *bounds, ..node },
            Word::Bare(letters) => match letters.strip_prefix('-') {
                Some(letters) => node.without(flags(letters, line)),
                None => node.with(flags(letters, line)),
            },
            Word::Setting(name, value) => match name.as_str() {
                "order" => Node { drawing_order: number(value, line), ..node },
                "id" => Node { id: Some(id(value, line)), ..node },
                "role" => Node { role: role(value, line), ..node },
                "value" => Node { value: Some(self::value(value)), ..node },
                "range" => with_range(node, value, line),
                "action" => {
                    let actions = node.actions.iter().cloned().chain([value.as_str().into()]).collect();
                    Node { actions, ..node }
                }
                _ => panic!("a node has no setting {name}: {line}"),
            },
        };
    }
    node
}

fn flags(letters: &str, line: &str) -> Flags {
    letters
        .chars()
        .map(|letter| match letter {
            'v' => Flags::VISIBLE,
            'c' => Flags::CLICKABLE,
            'l' => Flags::LONG_CLICKABLE,
            'f' => Flags::FOCUSABLE,
            's' => Flags::SCROLLABLE,
            'e' => Flags::EDITABLE,
            'n' => Flags::ENABLED,
            'k' => Flags::CHECKABLE,
            'x' => Flags::CHECKED,
            't' => Flags::SELECTED,
            'o' => Flags::FOCUSED,
            'p' => Flags::PASSWORD,
            _ => panic!("{letter:?} is no flag: {line}"),
        })
        .collect()
}

fn id(digits: &str, line: &str) -> NodeId {
    let number = u32::from_str_radix(digits, 16).ok();
    number.and_then(NodeId::new).unwrap_or_else(|| panic!("{digits} is no id: {line}"))
}

fn role(name: &str, line: &str) -> Role {
    Role::parse(name).unwrap_or_else(|| panic!("{name} is no role: {line}"))
}

fn value(text: &str) -> Value {
    match (text.parse(), text.parse()) {
        (Ok(checked), _) => Value::Checked(checked),
        (_, Ok(current)) => Value::Number { current, minimum: None, maximum: None },
        _ => Value::Text(text.into()),
    }
}

fn with_range(mut node: Node, range: &str, line: &str) -> Node {
    let (Some((low, high)), Some(Value::Number { minimum, maximum, .. })) =
        (range.split_once(".."), &mut node.value)
    else {
        panic!("a range is LOW..HIGH and follows a number: {line}")
    };
    *minimum = Some(number(low, line));
    *maximum = Some(number(high, line));
    node
}

fn number<T: FromStr>(text: &str, line: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rect;

    #[test]
    fn nesting_follows_indentation() {
        let snapshot = tree(
            "
            A
              B
                C
              D
            E
            ",
        );
        let parents: Vec<_> = snapshot
            .indices()
            .map(|index| snapshot.parent(index).map(|parent| snapshot.node(parent).class.as_deref().unwrap()))
            .collect();
        assert_eq!(parents, [None, Some("A"), Some("B"), Some("A"), None]);
        assert_eq!(snapshot.screen, SCREEN);
    }

    #[test]
    fn a_line_says_all_of_a_node() {
        let snapshot = tree(
            r#"Button "a \"b\"" d"say" h"hint" #x:id/ok @7 [-1,2,3,4] cx -n order=-3 id=ab action=show action=hide"#,
        );
        let node = &snapshot.nodes()[0];
        assert_eq!(node.text.as_deref(), Some("a \"b\""));
        assert_eq!(node.description.as_deref(), Some("say"));
        assert_eq!(node.hint.as_deref(), Some("hint"));
        assert_eq!(node.resource_id.as_deref(), Some("x:id/ok"));
        assert_eq!(node.handle.as_deref(), Some("7"));
        assert_eq!(node.bounds, Rect::new(-1, 2, 3, 4));
        assert_eq!(node.flags, Flags::VISIBLE | Flags::CLICKABLE | Flags::CHECKED);
        assert_eq!(node.drawing_order, -3);
        assert_eq!(node.id, NodeId::new(0xab));
        assert_eq!(node.actions.len(), 2);
    }

    #[test]
    fn windows_have_their_own_nodes() {
        let snapshot = tree(
            r#"
            screen 100x200@160
            app a.b .Main
            window "One" a.b [0,0,100,200] layer=1
            A
            window "Two words" c.d [0,100,100,200] input_method focused
            B
            "#,
        );
        assert_eq!(snapshot.app.as_deref(), Some("a.b"));
        let [one, two] = snapshot.windows() else { panic!("two windows") };
        assert_eq!((one.layer, one.kind, one.focused), (1, WindowKind::Application, false));
        assert_eq!((two.app.as_deref(), two.kind, two.focused), (Some("c.d"), WindowKind::InputMethod, true));
        assert_eq!(snapshot.nodes_of(1).len(), 1);
    }

    #[test]
    #[should_panic(expected = "indented too far: B")]
    fn a_skipped_level_is_an_error() {
        let _ = tree("A\n    B");
    }

    #[test]
    #[should_panic(expected = "'q' is no flag")]
    fn an_unknown_flag_is_an_error() {
        let _ = tree("A q");
    }
}
