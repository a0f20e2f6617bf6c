//! Asking the user before a tool runs.
//!
//! The question is one sentence: who wants to do what, where; what it leaves out of a value it says. The yes is for these
//! arguments in this place: both are looked at again before anything is done. Only a clear yes lets the call go on; no, no answer, and a
//! client that cannot ask are refusals, and nothing has happened by then. How a client is asked depends on its protocol:
//! [`super::session`] while the call waits, [`super::pending_consents`] between two calls.

use std::fmt::Write;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::{Error, Reason};
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::guard::Agreed;
use super::names::{Names, UnknownName};
use super::shown::{grouped, plain, quoted};
use crate::params::{Meaning, is_text};
use crate::tool::Definition;

/// How long a user may take to answer.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(60);
/// The longest list of arguments that is shown, in characters; each of them is cut before.
const MAX_ARGUMENTS: usize = 2000;

/// Which tools the user is asked about first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confirm(Names);

impl Confirm {
    /// These tools and toolsets.
    ///
    /// # Errors
    /// A name that no tool and no toolset has.
    pub fn new<T: AsRef<str>>(names: &[T]) -> Result<Self, UnknownName> {
        Names::read(names).map(Self)
    }

    /// Whether the user is asked before this tool runs.
    #[must_use]
    pub fn asks(&self, definition: &Definition) -> bool {
        self.0.contain(definition)
    }
}

/// What the user is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The sentence the user reads.
    pub sentence: String,
    /// Identifies the call: an answer to one call does not count for another.
    pub call: [u8; 32],
    /// Identifies where it would act: an answer for one place does not count for another.
    pub place: [u8; 32],
}

/// Where a call would act, as far as that is known.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The target's name.
    pub target: String,
    /// The application it would happen in.
    pub app: Option<String>,
    /// Whether that is in front.
    pub in_front: bool,
    /// The applications under the points it touches, where it names points.
    pub reached: Vec<String>,
    /// The element named or touched, in words.
    pub element: Option<String>,
    /// What the selectors of the call were resolved to, by their parameters.
    pub resolved: Vec<(&'static str, String)>,
    /// What it would start, in words.
    pub starts: Option<String>,
    /// The text would, or might, go into a password field.
    pub secret: bool,
    /// Stands for the applications, windows and elements found: what a yes is bound to.
    pub bound: [u8; 32],
    /// Who would receive what: what a yes allows.
    pub agreed: Agreed,
}

impl Question {
    /// The question about this call.
    #[must_use]
    pub fn about(
        definition: &Definition,
        arguments: &JsonObject,
        client: Option<&str>,
        place: &Place,
    ) -> Self {
        let mut sentence = match client {
            Some(client) => format!("The agent {} wants to use", quoted(client)),
            None => "An agent wants to use".to_owned(),
        };
        let _ = write!(sentence, " {}", definition.name);
        if !arguments.is_empty() {
            let _ = write!(sentence, " ({})", listed(definition, arguments, place));
        }
        if let Some(element) = &place.element {
            let _ = write!(sentence, " on {element}");
        }
        let _ = write!(sentence, " on the device {}", quoted(&place.target));
        let other = place.reached.iter().any(|app| Some(app) != place.app.as_ref());
        if other {
            let reached: Vec<String> = place.reached.iter().map(|app| quoted(app)).collect();
            let _ = write!(sentence, ", in {}", reached.join(" and "));
        }
        if let Some(starts) = &place.starts {
            let _ = write!(sentence, ", which starts {starts}");
        }
        match &place.app {
            Some(app) if place.in_front => _ = write!(sentence, ", where {} is in front.", quoted(app)),
            Some(app) => _ = write!(sentence, ", in {}, which is not in front.", quoted(app)),
            None => sentence.push('.'),
        }
        sentence.push_str(" Allow it?");
        let call = fingerprint(definition.name, arguments, place);
        Self { sentence, call, place: place.bound }
    }
}

/// The arguments with their names; when there are too many, those that are left out are counted.
fn listed(definition: &Definition, arguments: &JsonObject, place: &Place) -> String {
    let mut listed = String::new();
    for (position, (name, value)) in arguments.iter().enumerate() {
        let mut argument =
            format!("{}: {}", plain(name), shown(definition.meaning(name), value, place.secret));
        if let Some((_, element)) = place.resolved.iter().find(|(parameter, _)| parameter == name) {
            let _ = write!(argument, ", which is {element}");
        }
        if listed.chars().count() + argument.chars().count() > MAX_ARGUMENTS {
            let _ = write!(listed, "…and {} more arguments, which are not shown", arguments.len() - position);
            break;
        }
        if position > 0 {
            listed.push_str(", ");
        }
        listed.push_str(&argument);
    }
    listed
}

fn shown(meaning: Meaning, value: &Value, secret: bool) -> String {
    match (meaning, value) {
        (Meaning::Text, Value::String(text)) if secret => {
            format!("({} characters)", grouped(text.chars().count()))
        }
        (Meaning::Key, Value::String(key)) if secret && is_text(key) => "(1 character)".to_owned(),
        (_, Value::String(text)) => quoted(text),
        (_, other) => plain(&other.to_string()),
    }
}

/// The same for the same call, in whatever order its arguments are written.
fn fingerprint(tool: &str, arguments: &JsonObject, place: &Place) -> [u8; 32] {
    let mut sorted: Vec<(&String, &Value)> = arguments.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    Sha256::digest(json!([tool, sorted, place.target, place.resolved]).to_string()).into()
}

/// What came of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The user agreed.
    Yes,
    /// The user did not.
    No(Why),
    /// The client has the question now and will call again with the answer.
    Later,
}

/// Why there was no yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The user said no.
    Declined,
    /// The user closed the question.
    Dismissed,
    /// There was no answer in time.
    Silent,
    /// The client cannot ask.
    Unable,
    /// The answer is to no question that was asked, or was used before.
    Unasked,
    /// The user agreed to something else than what would happen now.
    Changed,
    /// The client asks between two calls, and a run of steps is one.
    OnlyBetweenCalls,
}

impl Why {
    /// The refusal of a call of this tool.
    #[must_use]
    pub fn refusal(self, tool: &str) -> Error {
        let (what, advice) = match self {
            Self::Declined => {
                ("the user was asked and said no", "Do not try again unless the user asks for it.")
            }
            Self::Dismissed => ("the user was asked and gave no answer", "Tell the user why it is needed."),
            Self::Silent => {
                ("the user was asked and did not answer in time", "Try again when the user is there.")
            }
            Self::Unable => (
                "the user must be asked first, and this client cannot ask",
                "Use a client with MCP elicitation, or let the owner of this server change --confirm.",
            ),
            Self::Unasked => {
                ("the answer belongs to no open question", "Call again without it, to ask anew.")
            }
            Self::Changed => (
                "the screen changed since the user agreed",
                "Look at the screen, and call again without the answer if it is still wanted, to ask anew.",
            ),
            Self::OnlyBetweenCalls => (
                "this client asks its user between two calls only",
                "Call it by itself instead of as a step.",
            ),
        };
        Error::new(
            Reason::Refused,
            format!("Nothing was done: '{tool}' needs the user's consent, and {what}."),
        )
        .with_guidance(advice)
    }
}

/// A way to ask the user of a client.
#[async_trait]
pub trait Asker: Send + Sync {
    /// Asks, and waits for [`ANSWER_WITHIN`] at the most.
    async fn ask(&self, question: &Question) -> Answer;

    /// Why the user cannot be asked while a call runs, where that is so.
    fn hindrance(&self) -> Option<Why> {
        None
    }
}

/// A client that cannot be asked.
pub struct Unaskable;

#[async_trait]
impl Asker for Unaskable {
    async fn ask(&self, _question: &Question) -> Answer {
        Answer::No(Why::Unable)
    }

    fn hindrance(&self) -> Option<Why> {
        Some(Why::Unable)
    }
}

/// The form of the question: nothing to fill in, only yes or no.
#[must_use]
pub(super) fn form() -> Value {
    json!({ "type": "object", "properties": {} })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Tool;
    use crate::tools::device::press_key::PressKey;
    use crate::tools::device::set_text::SetText;

    fn arguments(value: Value) -> JsonObject {
        let Value::Object(object) = value else { panic!("an object") };
        object
    }

    fn place() -> Place {
        Place {
            target: "demo".to_owned(),
            app: Some("com.example".to_owned()),
            in_front: true,
            element: Some("EditText \"Name\"".to_owned()),
            ..Place::default()
        }
    }

    #[test]
    fn the_sentence_says_who_what_and_where() {
        let call = arguments(json!({"element_id": "node_1", "text": "a\nb"}));
        let question = Question::about(SetText::DEFINITION, &call, Some("tester"), &place());
        assert_eq!(
            question.sentence,
            "The agent \"tester\" wants to use set_text (element_id: \"node_1\", text: \"a\\nb\") on EditText \
             \"Name\" on the device \"demo\", where \"com.example\" is in front. Allow it?"
        );
    }

    #[test]
    fn a_secret_is_not_in_it() {
        let call = arguments(json!({"text": "hunter2"}));
        let question = Question::about(SetText::DEFINITION, &call, None, &Place { secret: true, ..place() });
        assert!(question.sentence.contains("text: (7 characters)"), "{}", question.sentence);
        assert!(!question.sentence.contains("hunter2"));
    }

    #[test]
    fn a_character_of_a_secret_is_not_in_it_and_a_key_is() {
        let secret = Place { secret: true, ..place() };
        let sentence = |key: &str, place: &Place| {
            Question::about(PressKey::DEFINITION, &arguments(json!({ "key": key })), None, place).sentence
        };
        for key in ["h", "shift+h", "SPACE"] {
            let asked = sentence(key, &secret);
            assert!(
                asked.contains("key: (1 character)") && !asked.contains(&format!("\"{key}\"")),
                "{asked}"
            );
        }
        assert!(sentence("ctrl+a", &secret).contains("key: \"ctrl+a\""));
        assert!(sentence("h", &place()).contains("key: \"h\""));
    }

    #[test]
    fn a_long_value_cannot_hide_its_end_nor_many_points_theirs() {
        let text = format!("hello{}; rm -rf ~", " ".repeat(8_000));
        let paths: Vec<Value> = (0..40).map(|x| json!({"x": x, "y": 5, "time": x})).collect();
        let call = arguments(json!({"text": text, "paths": [paths]}));
        let sentence = Question::about(SetText::DEFINITION, &call, Some("\u{202e}tester"), &place()).sentence;
        assert!(
            sentence.contains("…(8,015 characters in all)…") && sentence.contains("; rm -rf ~\""),
            "{sentence}"
        );
        assert!(
            sentence.contains("characters in all)…") && sentence.contains("\"time\":39}]]"),
            "{sentence}"
        );
        assert!(!sentence.contains('\u{202e}'), "{sentence}");
    }

    #[test]
    fn arguments_that_are_not_shown_are_counted() {
        let many: Vec<(String, Value)> =
            (0..100).map(|number| (format!("a{number}"), "\u{e0001}".repeat(80).into())).collect();
        let call: JsonObject = many.into_iter().collect();
        let sentence = Question::about(SetText::DEFINITION, &call, None, &place()).sentence;
        assert!(sentence.contains("more arguments, which are not shown"), "{sentence}");
        assert!(sentence.chars().count() < MAX_ARGUMENTS + 500);
    }

    #[test]
    fn another_application_under_the_point_is_named() {
        let place = Place { element: None, reached: vec!["com.bank".to_owned()], ..place() };
        let sentence =
            Question::about(SetText::DEFINITION, &arguments(json!({"x": 1})), None, &place).sentence;
        assert!(
            sentence.ends_with(
                "on the device \"demo\", in \"com.bank\", where \"com.example\" is in front. Allow it?"
            ),
            "{sentence}"
        );
    }

    #[test]
    fn only_the_same_call_has_the_same_fingerprint() {
        let at = |target: &str| Place { target: target.to_owned(), ..Place::default() };
        let of = |value: Value, target: &str| fingerprint("tap", &arguments(value), &at(target));
        assert_eq!(of(json!({"x": 1, "y": 2}), "demo"), of(json!({"y": 2, "x": 1}), "demo"));
        assert_ne!(of(json!({"x": 1, "y": 2}), "demo"), of(json!({"x": 1, "y": 3}), "demo"));
        assert_ne!(of(json!({"x": 1}), "demo"), of(json!({"x": 1}), "other"));
        assert_ne!(
            of(json!({"x": 1}), "demo"),
            fingerprint("swipe", &arguments(json!({"x": 1})), &at("demo"))
        );
        let resolved = Place { resolved: vec![("element_id", "node_0001".to_owned())], ..at("demo") };
        assert_ne!(of(json!({"x": 1}), "demo"), fingerprint("tap", &arguments(json!({"x": 1})), &resolved));
    }
}
