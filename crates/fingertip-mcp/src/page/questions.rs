//! Questions of `--confirm` for the person at the page: asked there when the client of a call cannot ask anybody.
//!
//! They are put only while a page for control is open. The first answer counts; none in time is no consent.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::sync::lock;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::oversight::Oversight;
use crate::policy::confirm::{ANSWER_WITHIN, Answer, Asker, Question, Why};

/// The most questions that wait for an answer; what asks beyond that is refused.
const MOST: usize = 16;
/// When a question is taken back: before the client's own limit, so that the refusal says why.
const WITHIN: Duration = ANSWER_WITHIN;

/// The questions without an answer yet.
#[derive(Debug, Default)]
pub(crate) struct Questions(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    last: u64,
    all: Vec<(u64, String, oneshot::Sender<bool>)>,
}

impl Questions {
    fn put(&self, sentence: &str) -> Option<(u64, oneshot::Receiver<bool>)> {
        let mut waiting = lock(&self.0);
        if waiting.all.len() >= MOST {
            return None;
        }
        waiting.last += 1;
        let number = waiting.last;
        let (answer, answered) = oneshot::channel();
        waiting.all.push((number, sentence.to_owned(), answer));
        Some((number, answered))
    }

    fn take(&self, number: u64) -> Option<oneshot::Sender<bool>> {
        let mut waiting = lock(&self.0);
        let position = waiting.all.iter().position(|(known, ..)| *known == number)?;
        Some(waiting.all.remove(position).2)
    }

    /// Answers one; false where it does not wait any more.
    pub(crate) fn answer(&self, number: u64, yes: bool) -> bool {
        self.take(number).is_some_and(|answer| answer.send(yes).is_ok())
    }

    /// What waits, the oldest first.
    pub(crate) fn list(&self) -> Value {
        lock(&self.0)
            .all
            .iter()
            .map(|(number, sentence, _)| json!({"number": number, "text": sentence}))
            .collect()
    }
}

/// Asks the person at the page.
pub(crate) struct AskPage(pub(crate) Weak<Oversight>);

#[async_trait]
impl Asker for AskPage {
    async fn ask(&self, question: &Question) -> Answer {
        let Some(oversight) = self.0.upgrade() else { return Answer::No(Why::Unable) };
        let Some((number, answered)) = oversight.questions.put(&question.sentence) else {
            return Answer::No(Why::Silent);
        };
        // However the wait ends, a call that was taken back included.
        let _taken_back = TakenBack { oversight: Arc::clone(&oversight), number };
        oversight.tell_questions();
        match tokio::time::timeout(WITHIN, answered).await {
            Ok(Ok(true)) => Answer::Yes,
            Ok(Ok(false)) => Answer::No(Why::Declined),
            Ok(Err(_)) | Err(_) => Answer::No(Why::Silent),
        }
    }
}

struct TakenBack {
    oversight: Arc<Oversight>,
    number: u64,
}

impl Drop for TakenBack {
    fn drop(&mut self) {
        self.oversight.questions.take(self.number);
        self.oversight.tell_questions();
    }
}
