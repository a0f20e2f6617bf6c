//! How an application is asked, while it is our turn to ask it.

use crate::apps::Running;
use crate::attributes::{self, Batches, app, node, rows};
use crate::element::{Answers, Element};
use crate::failure::{Answer, Failure};
use crate::roles;
use crate::tree::{Facts, Object, WindowFacts};
use crate::value::{Listed, Value};
use crate::worker::CancelToken;

/// A list with so few elements is read whole, visible or not.
const FEW_ROWS: usize = 30;
/// The most rows that are read of a list that does not report which are visible.
const MOST_ROWS: usize = 200;

/// Asks one application, until the cancel ends.
#[derive(Clone)]
pub(crate) struct Client<'a> {
    pub(crate) app: &'a Running,
    pub(crate) batches: &'a Batches,
    pub(crate) cancel: CancelToken,
}

/// What an element is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// All that a window reports.
    Window,
    /// What is in it too.
    Inside,
    /// What is in it too, in a second message: it may be a long list, and would build all of its rows for the answer.
    MaybeList,
}

/// What an application reports of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct AppFacts {
    /// Its windows, from front to back, and whatever else it shows, the menu bar last.
    pub(crate) tops: Vec<Element>,
    pub(crate) focused: Option<Element>,
}

impl Client<'_> {
    /// The same with another cancel.
    pub(crate) fn with(&self, cancel: CancelToken) -> Self {
        Self { cancel, ..self.clone() }
    }

    /// What the application reports of itself: one message.
    pub(crate) fn app_facts(&self) -> Answer<AppFacts> {
        self.cancel.go_on()?;
        let answers = self.app.root.get_all(&self.batches.app)?;
        let windows = list_at(&answers, app::WINDOWS).or_else(|failure| match failure {
            // One that is broken off is no application without windows.
            failure if failure.says_no() => Ok(Listed::default()),
            failure => Err(failure),
        })?;
        let element = |position| match answers.value(position) {
            Ok(Value::Element(element)) => Some(element),
            _ => None,
        };
        let mut tops = windows.elements;
        let menu_bar = element(app::MENU_BAR);
        let others = list_at(&answers, app::CHILDREN).map(|listed| listed.elements).unwrap_or_default();
        // What floats beside the windows, such as a menu that is open.
        tops.extend(others.into_iter().filter(|other| Some(other) != menu_bar.as_ref()));
        tops.extend(menu_bar);
        let mut seen = rustc_hash::FxHashSet::default();
        tops.retain(|top| *top != self.app.root && seen.insert(top.clone()));
        Ok(AppFacts { tops, focused: element(app::FOCUSED_ELEMENT) })
    }

    /// An element as it is now, with the elements in it that may be read.
    pub(crate) fn object(&self, element: &Element, ask: Ask) -> Answer<Object> {
        self.cancel.go_on()?;
        let (facts, window, listed) = match ask {
            Ask::Window => {
                let answers = element.get_all(&self.batches.top)?;
                (Facts::read(&answers), Some(WindowFacts::read(&answers)), self.children(element, &answers)?)
            }
            Ask::Inside => {
                let answers = element.get_all(&self.batches.node)?;
                let (facts, listed) = (Facts::read(&answers), self.children(element, &answers)?);
                if roles::is_list(&facts.role) && listed.total > FEW_ROWS {
                    let answers = element.get_all(&self.batches.rows)?;
                    let listed = self.rows(element, &answers, 0, Some(listed))?;
                    (facts, None, listed)
                } else {
                    (facts, None, listed)
                }
            }
            Ask::MaybeList => {
                let answers = element.get_all(&self.batches.scrolled)?;
                let facts = Facts::read(&answers);
                let listed = if roles::is_list(&facts.role) {
                    self.rows(element, &answers, rows::SCROLLED, None)?
                } else if &*facts.role == roles::SCROLL_BAR {
                    // Its arrows and its knob say nothing that its value does not.
                    Listed::default()
                } else {
                    let listed = element.get(attributes::CHILDREN).map(listed_of);
                    listed.or_else(|failure| self.ranged(element, failure))?
                };
                (facts, None, listed)
            }
        };
        let element = element.clone();
        Ok(Object { element, facts, window, listed, children: Vec::new() })
    }

    /// What an element reports of itself, without what is in it.
    pub(crate) fn facts(&self, element: &Element) -> Answer<Facts> {
        self.cancel.go_on()?;
        Ok(Facts::read(&element.get_all(&self.batches.alone)?))
    }

    fn children(&self, element: &Element, answers: &Answers) -> Answer<Listed> {
        match list_at(answers, node::CHILDREN) {
            Ok(listed) => Ok(listed),
            Err(failure) => self.ranged(element, failure),
        }
    }

    /// What an element that refused to report its children in one answer reports in parts: some applications know only that.
    fn ranged(&self, element: &Element, failure: Failure) -> Answer<Listed> {
        match failure {
            Failure::Unsupported | Failure::NoValue => Ok(Listed::default()),
            Failure::Refused(_) => {
                self.cancel.go_on()?;
                match element.range(attributes::CHILDREN, 0, MOST_ROWS) {
                    Ok(elements) => {
                        let total = element.count(attributes::CHILDREN).unwrap_or(elements.len());
                        Ok(Listed { total: total.max(elements.len()), elements })
                    }
                    Err(failure) if failure.says_no() => Ok(Listed::default()),
                    Err(failure) => Err(failure),
                }
            }
            failure => Err(failure),
        }
    }

    /// The visible rows of a list, its header before them; the rest is counted. One that does not report which are
    /// visible is read from its start.
    fn rows(&self, element: &Element, answers: &Answers, at: usize, known: Option<Listed>) -> Answer<Listed> {
        let visible = [rows::VISIBLE_ROWS, rows::VISIBLE_CHILDREN].into_iter().find_map(|position| {
            list_at(answers, at + position).ok().filter(|listed| !listed.elements.is_empty())
        });
        let total = |name| element.count(name);
        self.cancel.go_on()?;
        let total = match &known {
            Some(known) => known.total,
            None => total(attributes::ROWS).or_else(|_| total(attributes::CHILDREN)).unwrap_or_default(),
        };
        let mut elements = match (visible, known) {
            (Some(visible), _) => visible.elements,
            (None, Some(known)) => known.elements,
            (None, None) if total == 0 => Vec::new(),
            (None, None) => {
                self.cancel.go_on()?;
                element.range(attributes::CHILDREN, 0, MOST_ROWS).or_else(|failure| match failure {
                    failure if failure.says_no() => Ok(Vec::new()),
                    failure => Err(failure),
                })?
            }
        };
        elements.truncate(MOST_ROWS);
        if let Ok(Value::Element(header)) = answers.value(at + rows::HEADER)
            && !elements.contains(&header)
        {
            elements.insert(0, header);
        }
        Ok(Listed { total: total.max(elements.len()), elements })
    }
}

fn list_at(answers: &Answers, position: usize) -> Answer<Listed> {
    answers.value(position).map(listed_of)
}

/// The elements of a value; none when it is no list.
fn listed_of(value: Value) -> Listed {
    match value {
        Value::Elements(listed) => listed,
        _ => Listed::default(),
    }
}
