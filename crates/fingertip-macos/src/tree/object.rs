//! One element of an application as it was read.

use fingertip_core::{Rect, Role};
use fingertip_desktop::tree::{self, TreeObject};

use crate::attributes::{common, node};
use crate::element::{Answers, Element};
use crate::failure::Failure;
use crate::roles;
use crate::value::{self, Listed, Value};

/// The elements of an application.
pub(crate) type AccessibleTree = tree::AccessibleTree<Object>;

/// What an element reports of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Facts {
    pub(crate) role: Box<str>,
    pub(crate) subrole: Option<Box<str>>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) help: Option<Box<str>>,
    pub(crate) placeholder: Option<Box<str>>,
    pub(crate) identifier: Option<Box<str>>,
    /// Its value; never that of a secure field.
    pub(crate) value: Option<Value>,
    /// It is a field that did not say whether it is a secure one.
    pub(crate) may_be_secure: bool,
    /// How many characters a secure field holds.
    pub(crate) secret_length: Option<u32>,
    pub(crate) enabled: bool,
    pub(crate) focused: bool,
    pub(crate) selected: bool,
    /// Whether it shows what it can hide; `None` for what hides nothing.
    pub(crate) expanded: Option<bool>,
    /// Where it is; `None` where it does not report.
    pub(crate) frame: Option<Rect>,
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    /// The element that shows its name.
    pub(crate) title_element: Option<Element>,
}

impl Facts {
    /// Reads what every batch has.
    pub(crate) fn read(answers: &Answers) -> Self {
        let text = |position| match answers.value(position) {
            Ok(Value::Text(text)) if !text.is_empty() => Some(text),
            _ => None,
        };
        let flag = |position| flag(answers.value(position).ok());
        let number = |position| match answers.value(position) {
            Ok(Value::Number(number)) => Some(number),
            _ => None,
        };
        let (role, subrole) = (text(common::ROLE).unwrap_or_default(), text(common::SUBROLE));
        // What does not say what kind of field it is may be a secure one.
        let is_unsaid = match answers.value(common::SUBROLE) {
            Ok(Value::Text(_)) => false,
            Ok(_) => true,
            Err(failure) => !matches!(failure, Failure::Unsupported | Failure::NoValue),
        };
        let may_be_secure = is_unsaid && roles::may_be_secure(&role);
        let is_secure = may_be_secure || roles::is_secure(&role, subrole.as_deref());
        Self {
            title: text(common::TITLE),
            description: text(common::DESCRIPTION),
            help: text(common::HELP),
            placeholder: text(common::PLACEHOLDER),
            identifier: text(common::IDENTIFIER),
            // A secret is not even copied out of the answer.
            value: if is_secure { None } else { answers.value(common::VALUE).ok() },
            may_be_secure,
            secret_length: if is_secure { answers.length(common::VALUE) } else { None },
            enabled: flag(common::ENABLED).unwrap_or(true),
            focused: flag(common::FOCUSED).unwrap_or_default(),
            selected: flag(common::SELECTED).unwrap_or_default(),
            expanded: flag(common::EXPANDED).or_else(|| flag(common::DISCLOSING)),
            frame: frame(answers),
            minimum: number(common::MINIMUM),
            maximum: number(common::MAXIMUM),
            title_element: match answers.value(common::TITLE_ELEMENT) {
                Ok(Value::Element(element)) => Some(element),
                _ => None,
            },
            role,
            subrole,
        }
    }

    /// Whether it holds a secret.
    pub(crate) fn is_secure(&self) -> bool {
        self.may_be_secure || roles::is_secure(&self.role, self.subrole.as_deref())
    }

    /// What it is, in the vocabulary of all platforms.
    pub(crate) fn role(&self) -> Role {
        Role::from_ax(&self.role, self.subrole.as_deref())
    }

    /// Whether it is on; `None` for what has no on and off, and for what is neither.
    pub(crate) fn checked(&self) -> Option<bool> {
        if !roles::is_checkable(&self.role, self.subrole.as_deref()) {
            return None;
        }
        Some(match &self.value {
            Some(Value::Number(number)) => (*number - 1.0).abs() < f64::EPSILON,
            Some(Value::Bool(on)) => *on,
            _ => false,
        })
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        let named = self.title.as_deref().or(self.description.as_deref());
        let shown = match &self.value {
            Some(Value::Text(text)) if &*self.role == "AXStaticText" => Some(&**text),
            _ => None,
        };
        named.or(shown).unwrap_or_default()
    }

    /// What takes memory and may be long.
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.title, &self.description, &self.help, &self.placeholder, &self.identifier];
        let value = match &self.value {
            Some(Value::Text(text)) => text.len(),
            _ => 0,
        };
        texts.into_iter().flatten().map(|text| text.len()).sum::<usize>() + value
    }
}

fn flag(value: Option<Value>) -> Option<bool> {
    match value? {
        Value::Bool(flag) => Some(flag),
        // Some toolkits answer with a number.
        Value::Number(number) => Some(number != 0.0),
        _ => None,
    }
}

fn frame(answers: &Answers) -> Option<Rect> {
    match (answers.value(common::POSITION), answers.value(common::SIZE)) {
        (Ok(Value::Point(x, y)), Ok(Value::Size(width, height))) => Some(value::rect((x, y, width, height))),
        _ => None,
    }
}

/// What only windows report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WindowFacts {
    pub(crate) minimized: bool,
    pub(crate) main: bool,
    pub(crate) modal: bool,
}

impl WindowFacts {
    /// Reads what the batch of windows has.
    pub(crate) fn read(answers: &Answers) -> Self {
        let is = |position| flag(answers.value(position).ok()).unwrap_or_default();
        Self { minimized: is(node::MINIMIZED), main: is(node::MAIN), modal: is(node::MODAL) }
    }
}

/// One element of an application.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) element: Element,
    pub(crate) facts: Facts,
    /// What only windows report; `None` for other elements.
    pub(crate) window: Option<WindowFacts>,
    /// The elements it said are in it, as far as they may be read.
    pub(crate) listed: Listed,
    /// Those of them that were read, by their position in the tree.
    pub(crate) children: Vec<usize>,
}

impl TreeObject for Object {
    type Handle = Element;

    fn handle(&self) -> &Element {
        &self.element
    }

    fn children(&self) -> &[usize] {
        &self.children
    }

    fn set_children(&mut self, children: Vec<usize>) {
        self.children = children;
    }

    fn holds_others(&self, before: &Self) -> bool {
        self.listed != before.listed || self.facts.frame != before.facts.frame
    }

    fn moves_others(&self) -> bool {
        &*self.facts.role == roles::SCROLL_BAR
    }

    fn is_focused(&self) -> bool {
        self.facts.focused
    }

    fn is_like(&self, other: &Self) -> bool {
        self.facts.role == other.facts.role && self.facts.subrole == other.facts.subrole
    }
}
