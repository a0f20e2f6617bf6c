//! Asking between two calls: the way of protocol version 2026-07-28, which has no requests from server to client.
//!
//! The first call is answered with the question and a sealed state; the client asks, and calls again with both the
//! answer and the state. The state is bound to the call (tool, arguments, target) and to the place it would act in, ends
//! with the time to answer, and counts once: an answer cannot be forged, kept for later, or used for another call, another
//! place or a second time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use async_trait::async_trait;
use fingertip_core::sync::lock;
use rmcp::model::{
    InputRequests, InputRequiredResult, InputResponses, RequestStateCodec, RequestStateError, SealOptions,
};
use serde_json::{Value, json};

use super::confirm::{ANSWER_WITHIN, Answer, Asker, Question, Why, form};

/// Names the question among those of a result.
const KEY: &str = "consent";
/// Bytes of randomness in the key, and in what makes each state one of its own.
const RANDOM_BYTES: usize = 32;

/// The questions of one server; states of another, or of an earlier start, are not accepted.
#[derive(Default)]
pub struct PendingConsents {
    /// Made with the first question; `None` when the system gave no random numbers for it.
    codec: OnceLock<Option<RequestStateCodec>>,
    used: Mutex<HashMap<Vec<u8>, Instant>>,
}

impl PendingConsents {
    fn codec(&self) -> Option<&RequestStateCodec> {
        self.codec.get_or_init(|| RequestStateCodec::try_new(random()?.to_vec()).ok()).as_ref()
    }

    /// A state for a question that is asked now.
    fn seal(&self, question: &Question) -> Option<String> {
        let options = SealOptions::new().associated_data(&question.call).ttl(ANSWER_WITHIN);
        Some(self.codec()?.seal_with(&[random()?, question.place].concat(), &options))
    }

    /// Whether this state is of a question about this very call and place, still open, and not answered before.
    fn redeem(&self, state: &str, question: &Question) -> Result<(), Why> {
        let codec = self.codec().ok_or(Why::Unasked)?;
        let mut nonce = codec.open_with(state, &question.call).map_err(|error| match error {
            RequestStateError::Expired => Why::Silent,
            _ => Why::Unasked,
        })?;
        let place = nonce.split_off(nonce.len().min(RANDOM_BYTES));
        let mut used = lock(&self.used);
        used.retain(|_, at| at.elapsed() < ANSWER_WITHIN * 2);
        if used.insert(nonce, Instant::now()).is_some() {
            return Err(Why::Unasked);
        }
        if place == question.place { Ok(()) } else { Err(Why::Changed) }
    }
}

fn random() -> Option<[u8; RANDOM_BYTES]> {
    let mut bytes = [0; RANDOM_BYTES];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}

/// One call of a client that is asked between calls.
pub struct Round {
    rounds: Arc<PendingConsents>,
    state: Option<String>,
    responses: Option<InputResponses>,
    question: Mutex<Option<InputRequiredResult>>,
}

impl Round {
    /// A call that carries this state and these answers.
    #[must_use]
    pub fn new(
        rounds: Arc<PendingConsents>,
        state: Option<String>,
        responses: Option<InputResponses>,
    ) -> Self {
        Self { rounds, state, responses, question: Mutex::default() }
    }

    /// The question to answer the call with, once [`Answer::Later`] was given.
    #[must_use]
    pub fn question(&self) -> Option<InputRequiredResult> {
        lock(&self.question).take()
    }

    fn put(&self, question: &Question) -> Answer {
        let request = json!({
            KEY: {
                "method": "elicitation/create",
                "params": { "mode": "form", "message": question.sentence, "requestedSchema": form() },
            },
        });
        let (Ok(requests), Some(state)) =
            (serde_json::from_value::<InputRequests>(request), self.rounds.seal(question))
        else {
            return Answer::No(Why::Unable);
        };
        *lock(&self.question) = Some(InputRequiredResult::new(Some(requests), Some(state)));
        Answer::Later
    }
}

#[async_trait]
impl Asker for Round {
    async fn ask(&self, question: &Question) -> Answer {
        let Some(state) = &self.state else { return self.put(question) };
        if let Err(why) = self.rounds.redeem(state, question) {
            return Answer::No(why);
        }
        let answer = self.responses.as_ref().and_then(|responses| responses.get(KEY));
        match answer.and_then(|answer| answer.get("action")).and_then(Value::as_str) {
            Some("accept") => Answer::Yes,
            Some("decline") => Answer::No(Why::Declined),
            Some(_) => Answer::No(Why::Dismissed),
            None => Answer::No(Why::Unasked),
        }
    }

    fn hindrance(&self) -> Option<Why> {
        Some(Why::OnlyBetweenCalls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(call: u8) -> Question {
        Question { sentence: "May I?".to_owned(), call: [call; 32], place: [0; 32] }
    }

    fn answered(rounds: &Arc<PendingConsents>, state: &str, action: &str) -> Round {
        let responses = serde_json::from_value(json!({ KEY: { "action": action } })).expect("responses");
        Round::new(Arc::clone(rounds), Some(state.to_owned()), Some(responses))
    }

    async fn asked(rounds: &Arc<PendingConsents>, question: &Question) -> String {
        let round = Round::new(Arc::clone(rounds), None, None);
        assert_eq!(round.ask(question).await, Answer::Later);
        let wire = serde_json::to_value(round.question().expect("a question")).expect("serializes");
        assert_eq!(wire["inputRequests"][KEY]["params"]["message"], "May I?");
        wire["requestState"].as_str().expect("a state").to_owned()
    }

    #[tokio::test]
    async fn a_yes_to_the_question_asked_counts_once() {
        let rounds = Arc::new(PendingConsents::default());
        let state = asked(&rounds, &question(1)).await;
        assert_eq!(answered(&rounds, &state, "accept").ask(&question(1)).await, Answer::Yes);
        assert_eq!(answered(&rounds, &state, "accept").ask(&question(1)).await, Answer::No(Why::Unasked));
    }

    #[tokio::test]
    async fn a_yes_to_another_question_or_of_another_server_is_none() {
        let rounds = Arc::new(PendingConsents::default());
        let state = asked(&rounds, &question(1)).await;
        assert_eq!(answered(&rounds, &state, "accept").ask(&question(2)).await, Answer::No(Why::Unasked));
        let others = Arc::new(PendingConsents::default());
        assert_eq!(answered(&others, &state, "accept").ask(&question(1)).await, Answer::No(Why::Unasked));
        assert_eq!(answered(&rounds, "made up", "accept").ask(&question(1)).await, Answer::No(Why::Unasked));
    }

    #[tokio::test]
    async fn a_yes_for_another_place_is_none() {
        let rounds = Arc::new(PendingConsents::default());
        let state = asked(&rounds, &question(1)).await;
        let elsewhere = Question { place: [1; 32], ..question(1) };
        assert_eq!(answered(&rounds, &state, "accept").ask(&elsewhere).await, Answer::No(Why::Changed));
        assert_eq!(answered(&rounds, &state, "accept").ask(&question(1)).await, Answer::No(Why::Unasked));
    }

    #[tokio::test]
    async fn anything_but_a_yes_is_a_no() {
        let rounds = Arc::new(PendingConsents::default());
        for (action, why) in [("decline", Why::Declined), ("cancel", Why::Dismissed), ("yes", Why::Dismissed)]
        {
            let state = asked(&rounds, &question(1)).await;
            assert_eq!(answered(&rounds, &state, action).ask(&question(1)).await, Answer::No(why));
        }
        let state = asked(&rounds, &question(1)).await;
        let silent = Round::new(rounds, Some(state), None);
        assert_eq!(silent.ask(&question(1)).await, Answer::No(Why::Unasked));
    }
}
