//! Nodes: what an element is, what it answers, and what happens when it is used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::{Attribute, Rect, World};

/// The number of a node within its application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// What using a node does to the application with this process id.
pub type Effect = Arc<dyn Fn(&mut World, i32) + Send + Sync>;

/// How a node behaves when it is pressed, clicked or typed into.
#[derive(Clone, Default)]
pub enum Kind {
    /// It only shows something.
    #[default]
    Passive,
    /// A press runs the effect.
    Button(Option<Effect>),
    /// A press toggles its value between 0 and 1.
    Switch,
    /// A press sets its value to 1 and that of its siblings of the same kind to 0.
    Radio,
    /// A number between two others, with a step.
    Slider {
        /// The least value.
        minimum: f64,
        /// The greatest value.
        maximum: f64,
        /// By how much it is incremented.
        step: f64,
    },
    /// Text. Return in a field of one line runs the effect.
    Text {
        /// Whether Return begins a new line.
        multiline: bool,
        /// What Return does otherwise.
        confirm: Option<Effect>,
    },
    /// A press opens the menu that is its child.
    MenuOpener,
    /// A press runs the effect and closes the menu.
    MenuItem(Option<Effect>),
    /// A click selects it; a double click runs the effect.
    Row {
        /// What opening it does.
        open: Option<Effect>,
    },
    /// A list, table or outline whose rows are made when they are asked for.
    Rows(super::LazyRows),
    /// A window.
    Window,
    /// A bar with a value from 0 to 1 that scrolls the list named.
    ScrollBar {
        /// What it scrolls.
        list: NodeId,
    },
}

/// What an action answers beside what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Action {
    /// It is done, and said so.
    #[default]
    Done,
    /// It fails with this code, and nothing happens.
    Fails(i32),
    /// It says that it was done, and nothing happens, as in many web views.
    Ignored,
    /// It is done, but the application runs a dialog before it answers: the caller's timeout runs out.
    Blocks,
}

/// One element.
#[derive(Clone, Default)]
pub struct Node {
    /// Its role, such as `AXButton`.
    pub role: String,
    /// What is inside.
    pub children: Vec<NodeId>,
    /// What it is inside of.
    pub parent: Option<NodeId>,
    /// Where it is.
    pub frame: Option<Rect>,
    /// All other attributes. One that the application would work out itself is overridden by an entry here.
    pub attributes: BTreeMap<String, Attribute>,
    /// Attributes that can be set beside those that follow from its kind.
    pub settable: BTreeSet<String>,
    /// Names of further actions, with what they do.
    pub actions: Vec<(String, Option<Effect>)>,
    /// What its actions answer.
    pub answer: Action,
    /// How it behaves.
    pub kind: Kind,
    /// Text as it is edited: UTF-16 units, and the selection in them.
    pub(crate) edited: Vec<u16>,
    pub(crate) selection: (usize, usize),
    /// Never answers: the caller runs into its timeout.
    pub hangs: bool,
    /// Says yes to a new value and keeps the old one, as many web fields do.
    pub ignores_value: bool,
    /// What the next message to it costs once, as for a row that has to be made.
    pub first_cost: Duration,
}

impl Node {
    /// A node that only shows something.
    #[must_use]
    pub fn new(role: &str) -> Self {
        Self { role: role.to_owned(), ..Self::default() }
    }

    /// With an attribute.
    #[must_use]
    pub fn with(mut self, name: &str, value: Attribute) -> Self {
        self.attributes.insert(name.to_owned(), value);
        self
    }

    /// With a title.
    #[must_use]
    pub fn title(self, title: &str) -> Self {
        self.with("AXTitle", Attribute::text(title))
    }

    /// With a string as its value.
    #[must_use]
    pub fn value(self, value: &str) -> Self {
        self.with("AXValue", Attribute::text(value))
    }

    /// With an identifier that its developer gave it.
    #[must_use]
    pub fn identifier(self, identifier: &str) -> Self {
        self.with("AXIdentifier", Attribute::text(identifier))
    }

    /// With a frame.
    #[must_use]
    pub fn frame(mut self, x: f64, y: f64, width: f64, height: f64) -> Self {
        self.frame = Some(Rect::new(x, y, width, height));
        self
    }

    /// With a behaviour.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// An attribute that can be set.
    #[must_use]
    pub fn settable(mut self, name: &str) -> Self {
        self.settable.insert(name.to_owned());
        self
    }

    /// A further action.
    #[must_use]
    pub fn action(mut self, name: &str, effect: impl Fn(&mut World, i32) + Send + Sync + 'static) -> Self {
        self.actions.push((name.to_owned(), Some(Arc::new(effect))));
        self
    }

    /// A button that does something when it is pressed.
    #[must_use]
    pub fn button(title: &str, press: impl Fn(&mut World, i32) + Send + Sync + 'static) -> Self {
        Self::new("AXButton").title(title).kind(Kind::Button(Some(Arc::new(press))))
    }

    /// A check box.
    #[must_use]
    pub fn check_box(title: &str, on: bool) -> Self {
        Self::new("AXCheckBox").title(title).with("AXValue", Attribute::Int(i64::from(on))).kind(Kind::Switch)
    }

    /// A slider.
    #[must_use]
    pub fn slider(title: &str, value: f64, minimum: f64, maximum: f64) -> Self {
        Self::new("AXSlider")
            .with("AXDescription", Attribute::text(title))
            .with("AXValue", Attribute::Float(value))
            .with("AXMinValue", Attribute::Float(minimum))
            .with("AXMaxValue", Attribute::Float(maximum))
            .kind(Kind::Slider { minimum, maximum, step: (maximum - minimum) / 10.0 })
    }

    /// A field of one line.
    #[must_use]
    pub fn text_field(text: &str) -> Self {
        Self::editable("AXTextField", text, false)
    }

    /// A field for passwords.
    #[must_use]
    pub fn secure_field(text: &str) -> Self {
        Self::editable("AXTextField", text, false).with("AXSubrole", Attribute::text("AXSecureTextField"))
    }

    /// A page of text.
    #[must_use]
    pub fn text_area(text: &str) -> Self {
        Self::editable("AXTextArea", text, true)
    }

    fn editable(role: &str, text: &str, multiline: bool) -> Self {
        let mut node = Self::new(role).kind(Kind::Text { multiline, confirm: None });
        node.edited = text.encode_utf16().collect();
        node.selection = (node.edited.len(), 0);
        node
    }

    /// A label.
    #[must_use]
    pub fn label(text: &str) -> Self {
        Self::new("AXStaticText").value(text)
    }

    /// A link.
    #[must_use]
    pub fn link(title: &str, url: &str, follow: impl Fn(&mut World, i32) + Send + Sync + 'static) -> Self {
        Self::new("AXLink")
            .title(title)
            .with("AXURL", Attribute::Url(url.to_owned()))
            .kind(Kind::Button(Some(Arc::new(follow))))
    }

    /// Whether its text is a secret.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.role == "AXSecureTextField"
            || self.attributes.get("AXSubrole") == Some(&Attribute::text("AXSecureTextField"))
    }

    /// The text being edited.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf16_lossy(&self.edited)
    }

    /// Replaces the text being edited.
    pub fn set_text(&mut self, text: &str) {
        self.edited = text.encode_utf16().collect();
        self.selection = (self.edited.len(), 0);
    }

    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.attributes.get(name) == Some(&Attribute::Bool(true))
    }

    pub(crate) fn is_disabled(&self) -> bool {
        self.attributes.get("AXEnabled") == Some(&Attribute::Bool(false))
    }
}
