//! Answers that are kept and returned again, to measure what reading costs without the work of making them.
//!
//! Nothing notices that a kept answer is no longer true: this is for one backend over a desktop that does not change.

use std::collections::HashMap;

use super::{NodeId, World};
use crate::object::{Held, Ref, release, retain};

/// The process and node that were asked, and the array of names that they were asked for, by its address.
pub(crate) type Question = (i32, NodeId, usize);

/// The answers so far, once they are to be kept.
#[derive(Default)]
pub(super) struct Answers(Option<HashMap<Question, Held>>);

impl World {
    /// From now on each batch of attributes is made once, or no longer; what was kept by then is released.
    pub fn keep_answers(&mut self, keep: bool) {
        let answers = std::mem::replace(&mut self.kept.0, keep.then(HashMap::new));
        answers.into_iter().flatten().for_each(|(_, answer)| release(answer.0));
    }

    /// A kept answer, with a reference for the caller.
    pub(crate) fn kept_answer(&self, question: Question) -> Option<Ref> {
        self.kept.0.as_ref()?.get(&question).map(|answer| retain(answer.0))
    }

    /// Keeps an answer where answers are kept.
    pub(crate) fn keep_answer(&mut self, question: Question, answer: Ref) {
        if let Some(answers) = &mut self.kept.0
            && let Some(earlier) = answers.insert(question, Held(retain(answer)))
        {
            release(earlier.0);
        }
    }
}
