//! The description of one view: what it is, how it looks, how it wants to be placed.
//!
//! Distances are density-independent pixels. A view is identified among its siblings by its position, or
//! by its slot where siblings come and go. Its tag is how the owning surface receives events on it.

use super::class;
use super::editor::Editor;
use super::theme;
use crate::phone::apps::Tag;
use crate::phone::scene::{Color, Icon, Picture};
use crate::phone::tree::{NodeFlags, RangeView};

/// How long a view wants to be in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Size {
    /// As long as its content.
    Wrap,
    /// As long as its parent allows.
    Fill,
    /// This long.
    Dp(f32),
}

/// Where something lies in the room it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Start,
    Center,
    End,
}

/// How children are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrange {
    /// Above each other, each by its own alignment.
    Frame,
    /// From top to bottom.
    Column,
    /// From left to right.
    Row,
    /// One child, higher than its viewport, scrolled up and down.
    Scroll,
    /// Rows (of this many columns), only the visible ones attached, scrolled up and down.
    List(usize),
    /// Pages side by side, each as wide as the viewport.
    Pager,
}

/// What a view shows beside its children.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    /// Nothing.
    Empty,
    /// Its text, at most this many lines; the rest becomes an ellipsis.
    Text { lines: usize },
    /// A symbol of this size.
    Icon { icon: Icon, size: f32 },
    /// A symbol on a coloured disc with the text below it.
    Labelled { icon: Icon, disc: Color },
    /// A picture, zoomed about its middle and moved by so many parts of its size.
    Picture { picture: Picture, zoom: f32, pan: (f32, f32) },
    /// A switch, by the `CHECKED` flag.
    Switch,
    /// A check box before its text, by the `CHECKED` flag.
    CheckBox,
    /// A slider.
    Slider(RangeView),
    /// A text field.
    Field { editor: Box<Editor>, multiline: bool },
}

/// Which way a view can be swiped away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Horizontal,
    Vertical,
}

/// What a view does with fingers beyond clicks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touch {
    /// Nothing special.
    Plain,
    /// It can be swiped away.
    Swipe(Axis),
    /// It takes pinches, pans and double taps.
    Transform,
}

/// Distances at the four edges.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Edges {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

impl Edges {
    pub(crate) const fn symmetric(horizontal: f32, vertical: f32) -> Self {
        Self { left: horizontal, top: vertical, right: horizontal, bottom: vertical }
    }
}

/// How a view looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    pub(crate) background: Option<Color>,
    pub(crate) outline: Option<Color>,
    pub(crate) radius: f32,
    pub(crate) elevation: f32,
    pub(crate) color: Color,
    pub(crate) text_size: f32,
    pub(crate) bold: bool,
    pub(crate) text_align: Align,
}

/// One view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    pub(crate) class: &'static str,
    /// Resource name; with a colon it is taken whole, otherwise it belongs to the surface's package.
    pub(crate) id: &'static str,
    pub(crate) tag: Option<Tag>,
    pub(crate) slot: Option<u32>,
    pub(crate) text: String,
    pub(crate) description: String,
    pub(crate) hint: String,
    pub(crate) flags: NodeFlags,
    pub(crate) touch: Touch,
    pub(crate) width: Size,
    pub(crate) height: Size,
    pub(crate) weight: f32,
    pub(crate) margin: Edges,
    pub(crate) padding: Edges,
    pub(crate) align: (Align, Align),
    pub(crate) style: Style,
    pub(crate) content: Content,
    pub(crate) arrange: Arrange,
    pub(crate) children: Vec<View>,
}

impl View {
    /// An empty view of this class, as small as its content.
    pub(crate) fn new(class: &'static str) -> Self {
        Self {
            class,
            id: "",
            tag: None,
            slot: None,
            text: String::new(),
            description: String::new(),
            hint: String::new(),
            flags: NodeFlags::ENABLED,
            touch: Touch::Plain,
            width: Size::Wrap,
            height: Size::Wrap,
            weight: 0.0,
            margin: Edges::default(),
            padding: Edges::default(),
            align: (Align::Start, Align::Start),
            style: Style {
                background: None,
                outline: None,
                radius: 0.0,
                elevation: 0.0,
                color: theme::INK,
                text_size: 16.0,
                bold: false,
                text_align: Align::Start,
            },
            content: Content::Empty,
            arrange: Arrange::Frame,
            children: Vec::new(),
        }
    }

    /// A container of this class as wide as its parent.
    pub(crate) fn group(class: &'static str, arrange: Arrange, children: Vec<Self>) -> Self {
        Self { arrange, children, width: Size::Fill, ..Self::new(class) }
    }
}

/// A frame with this child, as Android's decor has many.
pub(crate) fn frame(child: View) -> View {
    View::group(class::FRAME_LAYOUT, Arrange::Frame, vec![child])
}
