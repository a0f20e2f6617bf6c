//! The tree that `uiautomator dump` prints.
//!
//! Read in all its forms: one `<hierarchy>` with one root or several, `<displays>` of windows (`--windows`), the
//! attributes of every release, and with whatever a shell prints before and after it. `uiautomator` ends with
//! success when it fails, so its sentences are read as well and become a [`DumpError`].
//!
//! Bounded: input beyond [`MAX_BYTES`], nodes beyond [`MAX_NODES`] or below [`MAX_DEPTH`], and text beyond
//! [`MAX_TEXT`] are left out, and [`Hierarchy::cut`] says so. A dump that ends too early for another reason is
//! an error: half a tree would claim that the other half is not on the screen.

mod attributes;
#[cfg(test)]
mod mutated;
#[cfg(test)]
mod tests;
mod value;

use fingertip_core::{Node, Rect, WindowKind};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::quote::quoted;

/// The most that is read of a dump, in bytes; a full screen has about 30,000.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;
/// The most nodes that are kept.
pub(crate) const MAX_NODES: usize = 50_000;
/// The deepest node that is kept, counted from its root.
pub(crate) const MAX_DEPTH: usize = 256;
/// The longest attribute that is kept whole, in bytes as written in the dump.
pub(crate) const MAX_TEXT: usize = 64 * 1024;

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum DumpError {
    /// No window had a tree just then, as during an animation.
    #[error("no window showed any element")]
    NullRoot,
    /// The screen changed all the time.
    #[error("the screen never came to rest")]
    NeverIdle,
    /// Another program holds the only access to the tree.
    #[error("another program is reading the screen")]
    Busy,
    /// The phone ended the reader.
    #[error("the phone ended the program that reads the screen")]
    Killed,
    /// The dump ends too early.
    #[error("the dump ends in the middle")]
    Truncated,
    /// The dump is no XML.
    #[error("the dump is damaged")]
    Malformed,
    /// Something else came.
    #[error("instead of a dump came: {0}")]
    NoDump(String),
}

/// The tree as the phone printed it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Hierarchy {
    /// How the screen is turned: 0 to 3 quarters from its natural position.
    pub(crate) rotation: Option<u8>,
    /// Its windows, those above others first.
    pub(crate) windows: Vec<RawWindow>,
    /// What was left out, if anything was.
    pub(crate) cut: Option<String>,
}

/// A window as the phone printed it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RawWindow {
    /// Its title.
    pub(crate) title: Option<Box<str>>,
    /// The application of its first node that names one.
    pub(crate) package: Option<Box<str>>,
    /// What it is for, where the dump says.
    pub(crate) kind: Option<WindowKind>,
    /// Where it is, where the dump says.
    pub(crate) bounds: Option<Rect>,
    /// Its place in the stack, where the dump says.
    pub(crate) layer: Option<i32>,
    /// Whether it has the input focus, where the dump says.
    pub(crate) focused: Option<bool>,
    /// The phone's name for it.
    pub(crate) handle: Option<Box<str>>,
    /// Its nodes in pre-order, each with its distance from its root.
    pub(crate) nodes: Vec<(usize, Node)>,
}

/// Reads a dump.
///
/// # Errors
/// When there is no whole tree in it; says why.
pub(crate) fn parse(bytes: &[u8]) -> Result<Hierarchy, DumpError> {
    let whole = bytes.len() <= MAX_BYTES;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)]);
    let Some(start) = tree_start(&text) else { return Err(explain(&text)) };
    let mut builder = TreeReader::default();
    if !whole {
        builder.leave_out(&format!("the dump is longer than {MAX_BYTES} bytes"));
    }
    match builder.read(&text[start..]) {
        Err(_) if !whole => {}
        outcome => outcome?,
    }
    let hierarchy = builder.hierarchy;
    if hierarchy.windows.iter().all(|window| window.nodes.is_empty()) {
        return Err(DumpError::NullRoot);
    }
    Ok(hierarchy)
}

/// Where the tree begins; a phone may print warnings before it.
fn tree_start(text: &str) -> Option<usize> {
    const ROOTS: [&str; 3] = ["<?xml", "<hierarchy", "<displays"];
    text.match_indices('<')
        .map(|(at, _)| at)
        .find(|at| ROOTS.iter().any(|root| text[*at..].starts_with(root)))
}

/// What the sentences mean that came instead of a tree.
fn explain(text: &str) -> DumpError {
    let says = |words: &str| text.contains(words);
    if says("null root node") {
        DumpError::NullRoot
    } else if says("could not get idle state") {
        DumpError::NeverIdle
    } else if says("already registered") {
        DumpError::Busy
    } else if text.lines().any(|line| line.trim() == "Killed") {
        DumpError::Killed
    } else {
        DumpError::NoDump(quoted(text))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Display,
    Window,
    Hierarchy,
    Node,
    Other,
}

impl Element {
    fn of(tag: &BytesStart<'_>) -> Self {
        match tag.name().as_ref() {
            "display" => Self::Display,
            "window" => Self::Window,
            "hierarchy" => Self::Hierarchy,
            "node" => Self::Node,
            _ => Self::Other,
        }
    }
}

/// Follows the tags of a dump.
#[derive(Default)]
struct TreeReader {
    hierarchy: Hierarchy,
    open: Vec<Element>,
    /// The windows whose tags are open: a window may hold others, whose trees come first.
    windows: Vec<RawWindow>,
    /// How many `<node>` are open.
    depth: usize,
    kept: usize,
    /// Inside a display that is not the phone's own.
    elsewhere: bool,
}

impl TreeReader {
    fn read(&mut self, text: &str) -> Result<(), DumpError> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().allow_dangling_amp = true;
        loop {
            match reader.read_event().map_err(|_| DumpError::Malformed)? {
                Event::Start(tag) => {
                    let element = Element::of(&tag);
                    self.start(element, &tag)?;
                    self.open.push(element);
                }
                Event::Empty(tag) => {
                    let element = Element::of(&tag);
                    self.start(element, &tag)?;
                    self.end(element);
                }
                Event::End(_) => {
                    if let Some(element) = self.open.pop() {
                        self.end(element);
                    }
                    if self.open.is_empty() {
                        return Ok(());
                    }
                }
                Event::Eof if self.open.is_empty() && self.kept == 0 => return Ok(()),
                Event::Eof => return Err(DumpError::Truncated),
                _ => {}
            }
        }
    }

    fn start(&mut self, element: Element, tag: &BytesStart<'_>) -> Result<(), DumpError> {
        match element {
            Element::Display => {
                self.elsewhere = attributes::find(tag, "id")?.is_some_and(|id| id.trim() != "0");
            }
            Element::Window => self.windows.push(attributes::window(tag)?),
            Element::Hierarchy if !self.elsewhere => {
                let rotation = attributes::find(tag, "rotation")?;
                let rotation = rotation.and_then(|rotation| rotation.trim().parse().ok());
                self.hierarchy.rotation =
                    self.hierarchy.rotation.or(rotation.filter(|quarters| *quarters < 4));
                if let Some(window) = self.windows.last_mut() {
                    self.hierarchy.windows.push(std::mem::take(window));
                }
            }
            Element::Node => {
                if !self.elsewhere {
                    self.node(tag)?;
                }
                self.depth += 1;
            }
            Element::Hierarchy | Element::Other => {}
        }
        Ok(())
    }

    fn end(&mut self, element: Element) {
        match element {
            Element::Display => self.elsewhere = false,
            Element::Window => drop(self.windows.pop()),
            Element::Node => self.depth -= 1,
            Element::Hierarchy | Element::Other => {}
        }
    }

    fn node(&mut self, tag: &BytesStart<'_>) -> Result<(), DumpError> {
        if self.depth >= MAX_DEPTH {
            self.leave_out(&format!("elements more than {MAX_DEPTH} levels deep are left out"));
            return Ok(());
        }
        if self.kept == MAX_NODES {
            self.leave_out(&format!("elements after the first {MAX_NODES} are left out"));
            return Ok(());
        }
        let read = attributes::node(tag)?;
        if read.cut {
            self.leave_out(&format!("texts longer than {MAX_TEXT} bytes are cut"));
        }
        // Without `--windows`, each root is the root of a window.
        let starts_window = self.windows.is_empty() && self.depth == 0;
        if starts_window || self.hierarchy.windows.is_empty() {
            self.hierarchy.windows.push(RawWindow::default());
        }
        if let Some(window) = self.hierarchy.windows.last_mut() {
            window.package = window.package.take().or(read.package);
            window.nodes.push((self.depth, read.node));
            self.kept += 1;
        }
        Ok(())
    }

    fn leave_out(&mut self, why: &str) {
        self.hierarchy.cut.get_or_insert_with(|| why.to_owned());
    }
}
