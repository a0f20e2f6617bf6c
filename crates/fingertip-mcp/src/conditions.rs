//! What a caller says must be so, and whether it is.
//!
//! Each condition is judged by one look and has one of three answers: satisfied, unsatisfied with what was seen instead, or
//! unknown with why. What was not read cannot be called absent.

use fingertip_core::id::Located;
use fingertip_core::selector::Selector;
use fingertip_core::{Error, Flags, NodeId, NodeIndex, Result, Snapshot, Value as Held, lean};
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
        ("checked", State::Has(Flags::CHECKED)),
        ("unchecked", State::Lacks(Flags::CHECKED)),
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
    match snapshot.app.as_deref() {
        Some(front) if front.eq_ignore_ascii_case(app) => Verdict::Satisfied,
        Some(front) => Verdict::Unsatisfied(format!("{front} is in front")),
        None => Verdict::Unknown("no app is known to be in front".to_owned()),
    }
}

fn judge(which: &Which, must: &Must, attached: &Attached, snapshot: &Snapshot) -> Verdict {
    let matches = match which {
        Which::Id(id) => match attached.locate(snapshot, *id) {
            Located::Found(index) => vec![index],
            Located::Gone { .. } => Vec::new(),
            Located::Ambiguous { .. } => {
                return Verdict::Unknown("it cannot be told apart from others like it any more".to_owned());
            }
            Located::Unknown { .. } => return Verdict::Unknown("no such id was ever given".to_owned()),
        },
        Which::Selector(selector) => selector.find(snapshot),
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

/// What is so of the one element that is meant; nothing where it only is not.
fn held(must: &Must, snapshot: &Snapshot, index: NodeIndex) -> Option<Verdict> {
    let node = snapshot.node(index);
    let holds = match must {
        Must::Be(State::Has(flag)) => node.is(*flag),
        Must::Be(State::Lacks(flag)) => !node.is(*flag),
        Must::Be(State::Present | State::Absent) => true,
        Must::Show(_) | Must::Contain(_) if node.is(Flags::PASSWORD) => {
            return Some(Verdict::Unknown("it is a password field, which is not read".to_owned()));
        }
        Must::Show(text) => texts(snapshot, index).any(|shown| shown == *text),
        Must::Contain(part) => texts(snapshot, index).any(|shown| shown.to_lowercase().contains(part)),
    };
    holds.then_some(Verdict::Satisfied)
}

/// What an element shows: of itself, or where it says nothing, by what is in it.
fn texts(snapshot: &Snapshot, index: NodeIndex) -> impl Iterator<Item = String> {
    let own = |index: NodeIndex| {
        let node = snapshot.node(index);
        let value = match &node.value {
            Some(Held::Text(text)) => Some(text.to_string()),
            Some(Held::Number { current, .. }) => Some(current.to_string()),
            _ => None,
        };
        let said = [&node.text, &node.description];
        said.into_iter().flatten().map(ToString::to_string).chain(value)
    };
    let says = own(index).next().is_some();
    let inside = snapshot.subtree(index).skip(1).filter(move |_| !says);
    own(index).chain(inside.flat_map(own))
}
