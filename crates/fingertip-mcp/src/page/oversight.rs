//! What a person at the page sees of all calls, and decides about them: the part of the page that the dispatcher knows.
//!
//! A dispatcher without it, as over stdio or with `--no-ui`, does nothing of this. With it and no page open, a call leaves a row
//! in the log and asks whether agents are held back; nothing is looked at, drawn or sent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Instant;

use fingertip_core::{Error, lean};
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast;

use super::history::{Ended, History, Row, hides_any, masked};
use super::live::{Frame, Lives};
use super::questions::{AskPage, Questions};
use super::recording::Recorder;
use super::steering::{Mode, Steering};
use crate::policy::Caller;
use crate::policy::audit::{AuditContext, Outcome};
use crate::policy::confirm::Why;
use crate::reply::Reply;
use crate::secrets::{Said, Secrets};
use crate::tool::Definition;

/// News that wait for a slow page before it must ask for everything anew.
const NEWS: usize = 256;

/// What news of the recording are about.
pub(crate) const RECORDING: &str = "recording";

/// One piece of news for all pages: what it is about, and what there is to say.
#[derive(Debug, Clone)]
pub(crate) struct News {
    pub(crate) about: &'static str,
    pub(crate) value: Arc<Value>,
}

/// What a person sees and decides.
pub struct Oversight {
    pub(crate) steering: Steering,
    pub(crate) history: History,
    pub(crate) questions: Questions,
    pub(crate) recorder: Recorder,
    pub(crate) lives: Arc<Lives>,
    news: broadcast::Sender<News>,
    controllers: AtomicUsize,
    this: Weak<Self>,
}

impl Oversight {
    /// Nothing has happened yet; `keeps_history` says whether calls are kept for pages that are opened later.
    #[must_use]
    pub fn new(keeps_history: bool) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            steering: Steering::default(),
            history: History::new(keeps_history),
            questions: Questions::default(),
            recorder: Recorder::default(),
            lives: Arc::default(),
            news: broadcast::Sender::new(NEWS),
            controllers: AtomicUsize::new(0),
            this: this.clone(),
        })
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    fn tell(&self, about: &'static str, value: impl FnOnce() -> Value) {
        if self.news.receiver_count() > 0 {
            // Nobody listening any more is no failure.
            let _ = self.news.send(News { about, value: Arc::new(value()) });
        }
    }

    fn tell_row(&self, row: &Row) {
        self.tell("call", || json!(row));
    }

    pub(crate) fn tell_questions(&self) {
        self.tell("questions", || self.questions.list());
    }

    /// Each page that hears of it is told the recording as it is then: a slow one must not keep many of them in memory.
    pub(crate) fn tell_recording(&self) {
        self.tell(RECORDING, || Value::Null);
    }

    pub(crate) fn steer(&self, mode: Mode) {
        self.steering.set(mode);
        self.tell("mode", || json!(mode.name()));
    }

    /// Somebody with control has the page open, until the guard is dropped.
    pub(crate) fn controls(&self) -> Option<Controlling> {
        let oversight = self.this.upgrade()?;
        self.controllers.fetch_add(1, Ordering::Relaxed);
        Some(Controlling(oversight))
    }

    /// The caller with the page as the way to ask, where its client has none and somebody is there to answer.
    pub(crate) fn askable(&self, mut caller: Caller) -> Caller {
        let cannot_ask = caller.asker.hindrance() == Some(Why::Unable);
        if cannot_ask && self.controllers.load(Ordering::Relaxed) > 0 {
            caller.asker = Arc::new(AskPage(self.this.clone()));
        }
        caller
    }

    /// A call begins.
    pub(crate) fn begin<'a>(
        &'a self,
        definition: &'a Definition,
        arguments: &'a JsonObject,
        caller: &Caller,
        step_of: Option<u64>,
    ) -> Watched<'a> {
        let row = self.history.begin(definition, arguments, caller, step_of);
        self.tell_row(&row);
        let before = if row.acts { self.lives.frames() } else { Vec::new() };
        Watched { oversight: self, definition, arguments, row: Some(row), began: Instant::now(), before }
    }

    /// Keeps what was seen before and after a call that acted, once the pictures show it.
    fn keep_pictures(&self, row: &Row, before: Option<Arc<Frame>>) {
        let (Some(target), Some(oversight)) = (row.target.clone(), self.this.upgrade()) else { return };
        let Some(live) = self.lives.get(&target) else { return };
        let number = row.number;
        tokio::spawn(async move {
            let after = live.acted().await;
            if let Some(row) = oversight.history.picture(number, before, after) {
                oversight.tell_row(&row);
            }
        });
    }
}

/// Somebody with control has the page open.
pub(crate) struct Controlling(Arc<Oversight>);

impl Drop for Controlling {
    fn drop(&mut self) {
        self.0.controllers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A call under way. Dropped without an end, it was taken back.
pub(crate) struct Watched<'a> {
    oversight: &'a Oversight,
    definition: &'a Definition,
    arguments: &'a JsonObject,
    row: Option<Row>,
    began: Instant,
    /// What the page showed when it began, by target.
    before: Vec<(String, Arc<Frame>)>,
}

impl Watched<'_> {
    /// Its number, for its steps.
    pub(crate) fn number(&self) -> Option<u64> {
        self.row.as_ref().map(|row| row.number)
    }

    /// How it ended.
    pub(crate) fn end(
        mut self,
        context: &AuditContext,
        outcome: &Outcome,
        answer: std::result::Result<&Reply, Option<&Error>>,
        secrets: &Secrets,
    ) {
        let (tokens, effect) = match answer {
            Ok(reply) => (
                reply.tokens(),
                reply.seen.as_ref().map(|seen| secrets.redact(seen.summary(), &Said::default())),
            ),
            Err(Some(error)) => {
                // What is said of an argument that is not kept may quote it, and what matches a selector is on the screen.
                let quotes = hides_any(self.definition, self.arguments);
                let told = (!quotes).then(|| secrets.redact(error.message().to_owned(), &Said::default()));
                (lean::tokens(error.message()), told)
            }
            Err(None) => (0, None),
        };
        let word = json!(outcome).as_str().unwrap_or_default().to_owned();
        self.finish(Ended { context, outcome: word, tokens, effect });
    }

    fn finish(&mut self, ended: Ended<'_>) {
        let Some(mut row) = self.row.take() else { return };
        let open: Map<String, Value> = masked(self.definition, self.arguments, true);
        self.oversight.history.end(&mut row, self.began, open, ended);
        self.oversight.tell_row(&row);
        if row.acts {
            let target = row.target.as_deref();
            let before = self.before.drain(..).find(|(name, _)| Some(name.as_str()) == target);
            self.oversight.keep_pictures(&row, before.map(|(_, frame)| frame));
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let context = AuditContext::default();
        self.finish(Ended { context: &context, outcome: "cancelled".to_owned(), tokens: 0, effect: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_for_a_slow_page_holds_no_recording() {
        let oversight = Oversight::new(true);
        let mut news = oversight.subscribe();
        oversight.recorder.start("phone");
        oversight.tell_recording();
        let waiting = news.try_recv().expect("news");
        assert_eq!((waiting.about, &*waiting.value), (RECORDING, &Value::Null));
        assert_eq!(oversight.recorder.state()["on"], true);
    }
}
