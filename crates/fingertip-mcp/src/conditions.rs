//! What a caller says must be so, and whether it is.
//!
//! Each condition is judged by one look and has one of three answers: satisfied, unsatisfied with what was seen instead, or
//! unknown with why. What was not read cannot be called absent. An element is what its line of the lean screen says of it: a
//! row with a switch in it is on or off.

use fingertip_core::id::Located;
use fingertip_core::selector::Selector;
use fingertip_core::{Error, Flags, NodeId, NodeIndex, Result, Snapshot, Value as Held, Window, lean};
use serde_json::{Value, json};

use crate::attached::Attached;
use crate::params::{Arguments, Choice, Optional, OptionalText, Param, Text};

/// The most conditions of one call.
pub(crate) const MAX_CONDITIONS: usize = 20;

const ELEMENT: OptionalText = Text::optional("element", "Id or selector").not_empty();
const IS: Optional<Choice<State>> = Choice::required(
    "is",
    "State",
    &[
        ("present", State::Present),
        ("absent", State::Absent),
        ("checked", State::Checked(true)),
        ("unchecked", State::Checked(false)),
        ("enabled", State::Has(Flags::ENABLED)),
        ("disabled", State::Lacks(Flags::ENABLED)),
        ("focused", State::Has(Flags::FOCUSED)),
        ("selected", State::Has(Flags::SELECTED)),
    ],
)
.or_nothing();
const TEXT: OptionalText = Text::optional("text", "Its whole text");
const CONTAINS: OptionalText = Text::optional("contains", "Part of its text").not_empty();
const APP: OptionalText = Text::optional("app", "App in front").not_empty();
const FIELDS: [&dyn Param; 5] = [&ELEMENT, &IS, &TEXT, &CONTAINS, &APP];

/// What an element must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Present,
    Absent,
    Checked(bool),
    Has(Flags),
    Lacks(Flags),
}

/// One thing that must be so.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    /// As it was asked, for the answer.
    asked: Value,
    about: About,
}

#[derive(Debug, Clone)]
enum About {
    App(String),
    Element { which: Which, must: Must },
}

#[derive(Debug, Clone)]
enum Which {
    Id(NodeId),
    Selector(Selector),
}

#[derive(Debug, Clone)]
enum Must {
    Be(State),
    Show(String),
    Contain(String),
}

/// Whether a condition holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It does.
    Satisfied,
    /// It does not; this was seen.
    Unsatisfied(String),
    /// That cannot be said, for this reason.
    Unknown(String),
}

impl Verdict {
    fn name(&self) -> &'static str {
        match self {
            Self::Satisfied => "satisfied",
            Self::Unsatisfied(_) => "unsatisfied",
            Self::Unknown(_) => "unknown",
        }
    }

    /// What was seen instead, or why nothing can be said.
    fn why(&self) -> Option<&str> {
        match self {
            Self::Satisfied => None,
            Self::Unsatisfied(why) | Self::Unknown(why) => Some(why),
        }
    }
}

/// The schema of one condition.
#[must_use]
pub(crate) fn schema() -> Value {
    let properties: serde_json::Map<String, Value> =
        FIELDS.iter().map(|field| (field.name().to_owned(), field.schema())).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// Reads the conditions of a parameter or field of this name.
///
/// # Errors
/// Says which of them is wrong, and how.
pub(crate) fn read(name: &str, items: &[Value]) -> Result<Vec<Condition>> {
    let read = items.iter().enumerate().map(|(index, item)| {
        Condition::read(item).map_err(|error| {
            Error::invalid(format!("Parameter '{name}' is wrong at {name}[{index}]: {}", error.message()))
        })
    });
    read.collect()
}

impl Condition {
    fn read(value: &Value) -> Result<Self> {
        let object = value.as_object().ok_or_else(|| Error::invalid("it must be an object."))?;
        let fields = Arguments::new(object, &FIELDS)?;
        let about = match (ELEMENT.read(fields)?, APP.read(fields)?) {
            (None, Some(app)) if object.len() == 1 => About::App(app),
            (Some(element), None) => {
                let which = match element.parse() {
                    Ok(id) => Which::Id(id),
                    Err(_) => Which::Selector(Selector::parse(&element).map_err(|error| {
                        Error::invalid(format!("'element' is neither an id nor a selector: {error}."))
                    })?),
                };
                About::Element { which, must: Must::read(fields)? }
            }
            _ => return Err(Error::invalid("it must have either 'element' or only 'app'.")),
        };
        Ok(Self { asked: value.clone(), about })
    }

    /// Whether it holds in this snapshot of the target.
    fn judge(&self, attached: &Attached, snapshot: &Snapshot) -> Verdict {
        match &self.about {
            About::App(app) => front(app, snapshot),
            About::Element { which, must } => judge(which, must, attached, snapshot),
        }
    }
}

impl Must {
    fn read(fields: Arguments<'_>) -> Result<Self> {
        match (IS.read(fields)?, TEXT.read(fields)?, CONTAINS.read(fields)?) {
            (None, None, None) => Ok(Self::Be(State::Present)),
            (Some(state), None, None) => Ok(Self::Be(state)),
            (None, Some(text), None) => Ok(Self::Show(text)),
            (None, None, Some(part)) => Ok(Self::Contain(part.to_lowercase())),
            _ => Err(Error::invalid("it must have one of 'is', 'text' and 'contains'.")),
        }
    }
}

/// All conditions judged by one look.
pub(crate) struct Judged<'a>(Vec<(&'a Condition, Verdict)>);

impl<'a> Judged<'a> {
    /// Judges them.
    pub(crate) fn by(conditions: &'a [Condition], attached: &Attached, snapshot: &Snapshot) -> Self {
        let judge = |condition: &'a Condition| (condition, condition.judge(attached, snapshot));
        Self(conditions.iter().map(judge).collect())
    }

    /// Whether all of them hold.
    pub(crate) fn all_satisfied(&self) -> bool {
        self.0.iter().all(|(_, verdict)| *verdict == Verdict::Satisfied)
    }

    /// Each with its answer.
    pub(crate) fn json(&self) -> Vec<Value> {
        let one = |(condition, verdict): &(&Condition, Verdict)| {
            let mut answer = json!({ "condition": condition.asked, "result": verdict.name() });
            if let Some(why) = verdict.why() {
                answer["seen"] = json!(why);
            }
            answer
        };
        self.0.iter().map(one).collect()
    }

    /// Those that do not hold, in a sentence.
    pub(crate) fn unmet(&self) -> String {
        let unmet = self.0.iter().filter_map(|(condition, verdict)| {
            Some(format!("{} is {}: {}", condition.asked, verdict.name(), verdict.why()?))
        });
        unmet.collect::<Vec<_>>().join("; ")
    }
}

fn front(app: &str, snapshot: &Snapshot) -> Verdict {
    match front_app(snapshot) {
        Some(front) if front.eq_ignore_ascii_case(app) => Verdict::Satisfied,
        Some(front) => Verdict::Unsatisfied(format!("{front} is in front")),
        None => Verdict::Unknown("no app is known to be in front".to_owned()),
    }
}

fn judge(which: &Which, must: &Must, attached: &Attached, snapshot: &Snapshot) -> Verdict {
    let matches = match which {
        Which::Id(id) => match attached.locate(snapshot, *id) {
            Located::Found(index) => vec![index],
            Located::Gone { .. } => match unread_app(*id, attached, snapshot) {
                Some(app) => return Verdict::Unknown(format!("it is of {app}, which was not looked at")),
                None => Vec::new(),
            },
            Located::Ambiguous { .. } => {
                return Verdict::Unknown("it cannot be told apart from others like it any more".to_owned());
            }
            Located::Unknown { .. } => return Verdict::Unknown("no such id was ever given".to_owned()),
        },
        Which::Selector(selector) => selector.find_in(snapshot, |window| counts(window, attached, snapshot)),
    };
    let words = |index: NodeIndex| {
        let line = lean::line(snapshot, index);
        snapshot.node(index).id.map_or_else(|| line.clone(), |id| format!("{id} {line}"))
    };
    match (must, matches.as_slice()) {
        (_, []) if snapshot.cut.is_some() => {
            Verdict::Unknown("not all of the screen could be read".to_owned())
        }
        (Must::Be(State::Absent), []) => Verdict::Satisfied,
        (Must::Be(State::Absent), [first, ..]) => Verdict::Unsatisfied(words(*first)),
        (_, []) => Verdict::Unsatisfied("no such element".to_owned()),
        (Must::Be(State::Present), _) => Verdict::Satisfied,
        (must, [only]) => held(must, snapshot, *only).unwrap_or_else(|| Verdict::Unsatisfied(words(*only))),
        (_, several) => Verdict::Unknown(format!("{} elements match", several.len())),
    }
}

/// Whether what is in a window counts: on a desktop only what the application does that was looked at, as for tools that act.
fn counts(window: &Window, attached: &Attached, snapshot: &Snapshot) -> bool {
    attached.kind().reads_whole_screen()
        || window.app.is_none()
        || window.app.as_deref() == front_app(snapshot)
}

/// The application that was looked at.
fn front_app(snapshot: &Snapshot) -> Option<&str> {
    let focused = || snapshot.focused_window().and_then(|window| snapshot.windows()[window].app.as_deref());
    snapshot.app.as_deref().or_else(focused)
}

/// The application of an element, where that is another than the one that was looked at.
fn unread_app(id: NodeId, attached: &Attached, snapshot: &Snapshot) -> Option<Box<str>> {
    let app = attached.app_of(id).filter(|_| !attached.kind().reads_whole_screen())?;
    (front_app(snapshot) != Some(&*app.name)).then_some(app.name)
}

/// What is so of the one element that is meant; nothing where it only is not.
fn held(must: &Must, snapshot: &Snapshot, index: NodeIndex) -> Option<Verdict> {
    let node = snapshot.node(index);
    let unknown = |why: &str| Some(Verdict::Unknown(why.to_owned()));
    let holds = match must {
        Must::Be(State::Checked(wanted)) => match lean::checked(snapshot, index) {
            Some(checked) => checked == *wanted,
            None => return unknown("it is neither on nor off"),
        },
        Must::Be(State::Has(flag)) => node.is(*flag),
        Must::Be(State::Lacks(flag)) => !node.is(*flag),
        Must::Be(State::Present | State::Absent) => true,
        Must::Show(_) | Must::Contain(_) if node.is(Flags::PASSWORD) => {
            return unknown("it is a password field, which is not read");
        }
        Must::Show(text) => texts(snapshot, index).iter().any(|shown| shown == text),
        Must::Contain(part) => texts(snapshot, index).iter().any(|shown| shown.to_lowercase().contains(part)),
    };
    holds.then_some(Verdict::Satisfied)
}

/// What the line of an element says: each text, all of them as the line joins them, and the value.
fn texts(snapshot: &Snapshot, index: NodeIndex) -> Vec<String> {
    let words = lean::words(snapshot, index);
    let mut texts = vec![words.join(", ")];
    texts.extend(words.into_iter().map(str::to_owned));
    match &snapshot.node(index).value {
        Some(Held::Text(text)) => texts.push(text.to_string()),
        Some(Held::Number { current, .. }) => texts.push(current.to_string()),
        _ => {}
    }
    texts
}
