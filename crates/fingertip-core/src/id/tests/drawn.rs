//! Snapshots written as indented text, one node a line.
//!
//! ```text
//! window app.notes "Notes" dialog    an application, a title, a kind, a handle; may be left out at the top
//! Frame                              a class; children are indented further
//!   Button#save "Save" @0,10,50,20   resource id, text, bounds
//!   Image ~"Photo" ?"Hint" =handle   description, hint, handle
//!   List +scrollable +clickable      flags by name
//! ```
//!
//! A leaf without bounds takes the next ten pixels from the top, a box without bounds covers its children.
//! Anything not understood is a panic: a test must not mean less than it says.

use crate::{Flags, Node, Rect, Screen, Snapshot, Window, WindowKind};

/// Height of a leaf that has no bounds of its own.
const ROW: i32 = 10;

/// Width of a leaf that has no bounds of its own.
const WIDTH: i32 = 100;

/// The snapshot written in `text`.
///
/// # Panics
/// When a line is not understood.
#[must_use]
pub(super) fn snapshot(text: &str) -> Snapshot {
    let mut builder = Snapshot::builder(Screen { width: 100, height: 1_000, density: 160 });
    builder.app("app", "Main");
    let mut lines: Vec<Line> = text.lines().filter(|line| !line.trim().is_empty()).map(Line::read).collect();
    lay_out(&mut lines);
    if lines.first().is_some_and(|line| line.window.is_none()) {
        builder.window(Window::new("app", Rect::new(0, 0, WIDTH, 1_000)).focused());
    }
    let mut open: Vec<usize> = Vec::new();
    for line in lines {
        if let Some(window) = line.window {
            builder.window(window);
            open.clear();
            continue;
        }
        while open.last().is_some_and(|&indent| indent >= line.indent) {
            open.pop();
            builder.close();
        }
        open.push(line.indent);
        builder.open(line.node);
    }
    builder.finish()
}

struct Line {
    indent: usize,
    window: Option<Window>,
    node: Node,
    placed: bool,
}

impl Line {
    fn read(line: &str) -> Self {
        let indent = line.len() - line.trim_start().len();
        let words = words(line);
        if words[0] == "window" {
            return Self { indent, window: Some(window(&words[1..])), node: Node::default(), placed: true };
        }
        let (class, resource_id) = words[0].split_once('#').unwrap_or((&words[0], ""));
        let mut node = Node::new(class).resource_id(resource_id);
        let mut placed = false;
        for word in &words[1..] {
            let (sign, rest) = word.split_at(1);
            node = match sign {
                "\"" => node.text(unquoted(word)),
                "~" => node.description(unquoted(rest)),
                "?" => node.hint(unquoted(rest)),
                "+" => {
                    node.with(Flags::from_name(&rest.to_uppercase()).unwrap_or_else(|| panic!("flag {rest}")))
                }
                "=" => Node { handle: Some(rest.into()), ..node },
                "@" => {
                    placed = true;
                    let edges: Vec<i32> =
                        rest.split(',').map(|edge| edge.parse().expect("a number")).collect();
                    node.bounds(edges[0], edges[1], edges[2], edges[3])
                }
                _ => panic!("not understood: {word}"),
            };
        }
        Self { indent, window: None, node, placed }
    }
}

/// The words of a line; blanks inside quotes belong to the word.
fn words(line: &str) -> Vec<String> {
    let mut quoted = false;
    let split = line.trim().split(|character| {
        quoted ^= character == '"';
        character == ' ' && !quoted
    });
    split.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn unquoted(word: &str) -> &str {
    word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or_else(|| panic!("quotes: {word}"))
}

fn window(words: &[String]) -> Window {
    let mut window = Window::new(&words[0], Rect::new(0, 0, WIDTH, 1_000));
    for word in &words[1..] {
        window = match word.as_str() {
            "dialog" => window.kind(WindowKind::Dialog),
            "input_method" => window.kind(WindowKind::InputMethod),
            "system" => window.kind(WindowKind::System),
            handle if handle.starts_with('=') => Window { handle: Some(handle[1..].into()), ..window },
            title => window.title(unquoted(title)),
        };
    }
    window
}

fn lay_out(lines: &mut [Line]) {
    let mut top = 0;
    for index in 0..lines.len() {
        let end = end_of(lines, index);
        if lines[index].window.is_some() {
            top = 0;
        } else if !lines[index].placed && end == index + 1 {
            lines[index].node.bounds = Rect::new(0, top, WIDTH, top + ROW);
            top += ROW;
        }
    }
    for index in (0..lines.len()).rev().filter(|&index| lines[index].window.is_none()).collect::<Vec<_>>() {
        let below: Vec<Rect> =
            lines[index + 1..end_of(lines, index)].iter().map(|line| line.node.bounds).collect();
        if !lines[index].placed && !below.is_empty() {
            let edge = |edge: fn(&Rect) -> i32| below.iter().map(edge);
            lines[index].node.bounds = Rect::new(
                edge(|rect| rect.left).min().unwrap_or(0),
                edge(|rect| rect.top).min().unwrap_or(0),
                edge(|rect| rect.right).max().unwrap_or(0),
                edge(|rect| rect.bottom).max().unwrap_or(0),
            );
        }
    }
}

fn end_of(lines: &[Line], index: usize) -> usize {
    let deeper = |line: &Line| line.window.is_none() && line.indent > lines[index].indent;
    lines[index + 1..].iter().position(|line| !deeper(line)).map_or(lines.len(), |count| index + 1 + count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_written() {
        let read = snapshot(
            r#"
            Frame
              Button#save "Save it" ~"Saves" +clickable @1,2,3,4
              Text "x" =7
            window keys "Board" input_method
            Key
            "#,
        );
        let nodes = read.nodes();
        assert_eq!(nodes[1].resource_id.as_deref(), Some("save"));
        assert_eq!(nodes[1].text.as_deref(), Some("Save it"));
        assert_eq!(nodes[1].description.as_deref(), Some("Saves"));
        assert_eq!(nodes[1].bounds, Rect::new(1, 2, 3, 4));
        assert!(nodes[1].is(Flags::CLICKABLE));
        assert_eq!(nodes[2].handle.as_deref(), Some("7"));
        assert_eq!(read.children(read.indices().next().unwrap()).count(), 2);
        assert_eq!(read.windows()[1].kind, WindowKind::InputMethod);
        assert_eq!(nodes[0].bounds, Rect::new(0, 0, 100, 10));
    }
}
