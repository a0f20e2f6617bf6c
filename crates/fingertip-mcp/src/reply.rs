//! What a tool answers, and how that looks on the wire.
//!
//! Every text passes here on its way to a client, so this is where what cannot be seen is taken out of it (see
//! [`fingertip_core::visible`]): a tool that quotes the screen cannot forget to.

use std::borrow::Cow;
use std::time::Duration;

use fingertip_core::lean::{self, Verdict};
use fingertip_core::visible::{clean_lines, escape_carriers};
use fingertip_core::{Error, ErrorKind, NodeId, one_line};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, Value, json};

use crate::picture::Jpeg;

/// Marks a reply that holds text controlled by what is on the screen.
pub(crate) const UNTRUSTED: &str = "fingertip/untrusted";

/// Says how an element was acted on: `native` or `pointer`.
pub(crate) const VIA: &str = "fingertip/via";

/// Says for how many milliseconds a write was held back by the rate limit of its target.
pub(crate) const DELAYED: &str = "fingertip/delayed_ms";

/// Says which area of the screen a picture shows, and how large.
pub(crate) const SCREENSHOT: &str = "fingertip/screenshot";

/// The field of what an element holds: the one in which a number may be text of the screen.
const HELD: &str = "value";

/// What a tool answers.
#[derive(Debug, Default)]
pub struct Reply {
    pub(crate) text: Option<String>,
    /// What is said instead where what became of the screen follows and says the rest.
    pub(crate) short: Option<String>,
    /// Whether the text says no more than that what was asked for was done, which among other steps need not be said.
    pub(crate) says_done_only: bool,
    pub(crate) pictures: Vec<Jpeg>,
    pub(crate) structured: Option<Value>,
    /// What became of the screen.
    pub(crate) seen: Option<Seen>,
    pub(crate) note: Option<String>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) failed: bool,
}

/// What became of the screen after an action.
#[derive(Debug)]
pub(crate) struct Seen {
    /// In lines, for readers.
    pub(crate) text: String,
    /// In a word; `None` where it could not be seen.
    pub(crate) verdict: Option<Verdict>,
    /// The verdict and what says so.
    pub(crate) headline: String,
    /// How many lines came, are different and went, where it is still the same screen.
    pub(crate) counts: Option<[usize; 3]>,
    /// What has the focus now.
    pub(crate) focus: Option<NodeId>,
}

impl Seen {
    /// What happened in one line, without the words of the lines.
    pub(crate) fn summary(&self) -> String {
        let counts = self.counts.into_iter().flatten().zip(["new", "different", "gone"]);
        let counts: Vec<String> =
            counts.filter(|(count, _)| *count > 0).map(|(count, how)| format!("{count} {how}")).collect();
        if counts.is_empty() {
            self.headline.clone()
        } else {
            format!("{} ({})", self.headline, counts.join(", "))
        }
    }
}

impl Reply {
    /// A sentence of our own.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(seen(text.into())), ..Self::default() }
    }

    /// A sentence of our own that says no more than that what was asked for was done.
    #[must_use]
    pub fn done(text: impl Into<String>) -> Self {
        Self { says_done_only: true, ..Self::text(text) }
    }

    /// A sentence that quotes the screen. It stays one line, so that no title can look like a line of ours.
    #[must_use]
    pub fn quoting(text: &str) -> Self {
        Self::text(one_line(text)).untrusted()
    }

    /// A JSON value, as text and as structured content.
    #[must_use]
    pub fn json(mut value: Value) -> Self {
        each_text(&mut value, &seen);
        Self::of_json(value)
    }

    /// As [`Self::json`], for text that is asked for as it is: only what could carry hidden words is escaped.
    #[must_use]
    pub fn verbatim(mut value: Value) -> Self {
        each_text(&mut value, &|text| match escape_carriers(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(escaped) => escaped,
        });
        Self::of_json(value)
    }

    fn of_json(value: Value) -> Self {
        Self { text: Some(value.to_string()), structured: Some(value), ..Self::default() }
    }

    /// A picture alone.
    #[must_use]
    pub fn picture(picture: Jpeg) -> Self {
        Self::default().with_picture(picture)
    }

    /// With a picture after the text.
    #[must_use]
    pub fn with_picture(mut self, picture: Jpeg) -> Self {
        self.pictures.push(picture);
        self
    }

    /// With what is said instead of the text where what became of the screen follows.
    #[must_use]
    pub(crate) fn in_short(mut self, text: String) -> Self {
        self.short = Some(seen(text));
        self
    }

    /// With what became of the screen, for readers and for programs.
    #[must_use]
    pub(crate) fn with_seen(mut self, happened: Seen, mut structured: Value) -> Self {
        each_text(&mut structured, &seen);
        let mut all = self.structured.take().unwrap_or_else(|| json!({}));
        all["see"] = structured;
        self.structured = Some(all);
        self.text = self.short.take().or(self.text);
        self.seen = Some(Seen { text: seen(happened.text), headline: seen(happened.headline), ..happened });
        self.untrusted()
    }

    /// With a value for programs beside the text.
    #[must_use]
    pub(crate) fn with_structured(mut self, mut value: Value) -> Self {
        each_text(&mut value, &seen);
        self.structured = Some(value);
        self
    }

    /// Marked as the reply of a call that did not do all it was asked for.
    #[must_use]
    pub(crate) fn failed(mut self) -> Self {
        self.failed = true;
        self
    }

    /// With a remark for the reader after everything else.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(seen(note.into()));
        self
    }

    /// Marked as holding text of the screen, which is not trusted.
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.meta.insert(UNTRUSTED.to_owned(), json!(true));
        self
    }

    /// Marked as held back for so long, because this target gets only so many writes a second.
    #[must_use]
    pub fn delayed(mut self, by: Duration, limit: u32) -> Self {
        let delay = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        if delay > 0 {
            self.note =
                Some(format!("note: delayed by {delay} ms, at most {limit} writes a second are allowed"));
            self.meta.insert(DELAYED.to_owned(), json!(delay));
        }
        self
    }

    /// With every text in it changed.
    #[must_use]
    pub(crate) fn map_texts(mut self, change: &impl Fn(String) -> String) -> Self {
        // The text for readers may be the same value.
        let value = self.structured.as_ref().map(Value::to_string);
        let is_json = value.is_some() && value == self.text;
        if let Some(value) = &mut self.structured {
            each_text(value, change);
        }
        self.text = match (&self.structured, self.text) {
            (Some(value), Some(_)) if is_json => Some(value.to_string()),
            (_, text) => text.map(change),
        };
        self.seen =
            self.seen.map(|seen| Seen { text: change(seen.text), headline: change(seen.headline), ..seen });
        self.note = self.note.map(change);
        self.short = self.short.map(change);
        self.meta.values_mut().for_each(|value| each_text(value, change));
        self
    }

    /// About how many tokens a model counts in its texts.
    #[must_use]
    pub(crate) fn tokens(&self) -> usize {
        let seen = self.seen.as_ref().map(|seen| seen.text.as_str());
        let texts = [self.text.as_deref(), seen, self.note.as_deref()];
        texts.into_iter().flatten().map(lean::tokens).sum()
    }

    /// With a remark for programs beside the reply.
    #[must_use]
    pub fn with_meta(mut self, key: &str, value: Value) -> Self {
        self.meta.insert(key.to_owned(), value);
        self
    }
}

impl From<Reply> for CallToolResult {
    fn from(reply: Reply) -> Self {
        let text = reply.text.map(ContentBlock::text);
        let pictures = reply.pictures.iter();
        let pictures = pictures.map(|picture| ContentBlock::image(picture.to_base64(), Jpeg::MIME_TYPE));
        let seen = reply.seen.map(|seen| seen.text);
        let [seen, note] = [seen, reply.note].map(|text| text.map(ContentBlock::text));
        let content = text.into_iter().chain(pictures).chain(seen).chain(note).collect();
        let mut result = if reply.failed { Self::error(content) } else { Self::success(content) };
        result.structured_content = reply.structured;
        result.meta = (!reply.meta.is_empty()).then(|| MetaObject(reply.meta));
        result
    }
}

/// The text without what a reader cannot see.
fn seen(text: String) -> String {
    match clean_lines(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(cleaned) => cleaned,
    }
}

/// Changes every text in a value, and what an element holds where that is a number. What we built is not deep, so that this may recurse.
fn each_text(value: &mut Value, change: &impl Fn(String) -> String) {
    match value {
        Value::String(text) => *text = change(std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, field)| match field {
            Value::Number(number) if name == HELD => {
                let text = number.to_string();
                let changed = change(text.clone());
                if changed != text {
                    *field = Value::String(changed);
                }
            }
            _ => each_text(field, change),
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// An error of `operation` as a tool result: one readable text, and its parts as structured content.
#[must_use]
pub(crate) fn failure(operation: &str, error: &Error) -> CallToolResult {
    let mut parts = json!({
        "operation": operation,
        "error_type": error.reason().name(),
        "message": error.message(),
    });
    if let Some(app) = error.app() {
        parts["app"] = json!(app);
    }
    if let Some(guidance) = error.guidance() {
        parts["guidance"] = json!(guidance);
    }
    if !error.candidates().is_empty() {
        parts["candidates"] = json!(error.candidates());
    }
    each_text(&mut parts, &seen);
    let text = error_text(error, error.guidance());
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(parts);
    if may_quote(error) {
        result.meta = Some(MetaObject(Map::from_iter([(UNTRUSTED.to_owned(), json!(true))])));
    }
    result
}

/// Whether an error may hold words of the screen: what lies over an element, what a field holds instead, what else
/// could be meant, which application it is.
fn may_quote(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::ElementNotFound | ErrorKind::ActionFailed)
        || error.app().is_some()
        || !error.candidates().is_empty()
}

/// An error as one readable text: what failed, what to do next, what may have been meant.
pub(crate) fn error_text(error: &Error, guidance: Option<&str>) -> String {
    let mut text = error.message().to_owned();
    if let Some(guidance) = guidance {
        text.push(' ');
        text.push_str(guidance);
    }
    if !error.candidates().is_empty() {
        let listed: Vec<_> =
            error.candidates().iter().map(|one| format!("{} {}", one.id, one.label)).collect();
        text.push_str(&format!(" Nearest: {}.", listed.join("; ")));
    }
    one_line(&text)
}

#[cfg(test)]
mod tests {
    use fingertip_core::{Candidate, Reason};

    use super::*;

    #[test]
    fn json_comes_twice_and_alike() {
        let result = CallToolResult::from(Reply::json(json!({"text": null})).untrusted());
        let wire = serde_json::to_value(result).expect("serializes");
        assert_eq!(wire["content"][0]["text"], "{\"text\":null}");
        assert_eq!(wire["structuredContent"], json!({"text": null}));
        assert_eq!(wire["_meta"][UNTRUSTED], true);
    }

    #[test]
    fn a_summary_counts_what_changed() {
        let seen = |counts| Seen {
            text: "changed\n+ label \"4\"".to_owned(),
            verdict: None,
            headline: "changed".to_owned(),
            counts,
            focus: None,
        };
        assert_eq!(seen(Some([1, 0, 2])).summary(), "changed (1 new, 2 gone)");
        assert_eq!(seen(Some([0; 3])).summary(), "changed");
        assert_eq!(seen(None).summary(), "changed");
    }

    #[test]
    fn hidden_words_reach_no_client() {
        let hidden = "OK\u{e0041}\u{e0042}\u{202e}\u{200b}\nnext";
        let clean = "OK\u{fffd}\nnext";
        let wire = |reply: Reply| serde_json::to_value(CallToolResult::from(reply)).expect("serializes");
        assert_eq!(wire(Reply::text(hidden))["content"][0]["text"], clean);
        let deep = wire(Reply::json(json!({"windows": [{"title": hidden}]})));
        assert_eq!(deep["structuredContent"]["windows"][0]["title"], clean);
        assert!(!deep["content"][0]["text"].as_str().expect("a text").contains('\u{e0041}'));
        let asked = wire(Reply::verbatim(json!({ "text": hidden })));
        assert_eq!(asked["structuredContent"]["text"], "OK\\u{e0041}\\u{e0042}\u{202e}\u{200b}\nnext");
        let error = Error::new(Reason::ActionFailed, format!("It shows {hidden}."))
            .with_app(hidden)
            .with_candidates(vec![Candidate { id: "node_2".into(), label: hidden.into() }]);
        let failed = serde_json::to_value(failure("tap", &error)).expect("serializes").to_string();
        assert!(
            !failed.contains(['\u{e0041}', '\u{202e}', '\u{200b}']) && failed.contains('\u{fffd}'),
            "{failed}"
        );
    }

    #[test]
    fn a_number_of_the_screen_is_changed_like_a_text() {
        let value = json!({"nodes": [{"value": 123456.0, "bounds": {"left": 123456}}, {"value": 7}]});
        let reply = Reply::json(value).map_texts(&|text| text.replace("123456.0", "[secret]"));
        let changed = json!({"nodes": [{"value": "[secret]", "bounds": {"left": 123456}}, {"value": 7}]});
        assert_eq!(reply.text, Some(changed.to_string()));
        assert_eq!(reply.structured, Some(changed));
    }

    #[test]
    fn an_error_says_what_to_do_and_what_was_near() {
        let error = Error::new(Reason::Stale, "Element 'node_1' is gone.")
            .with_guidance("Look again.")
            .with_app("com.example")
            .with_candidates(vec![Candidate { id: "node_2".into(), label: "Button \"OK\"".into() }]);
        let wire = serde_json::to_value(failure("click_element", &error)).expect("serializes");
        assert_eq!(wire["isError"], true);
        assert_eq!(
            wire["content"][0]["text"],
            "Element 'node_1' is gone. Look again. Nearest: node_2 Button \"OK\"."
        );
        assert_eq!(
            wire["structuredContent"],
            json!({
                "operation": "click_element",
                "error_type": "stale",
                "message": "Element 'node_1' is gone.",
                "guidance": "Look again.",
                "app": "com.example",
                "candidates": [{"id": "node_2", "label": "Button \"OK\""}],
            })
        );
    }
}
