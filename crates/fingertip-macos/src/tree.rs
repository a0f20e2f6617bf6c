//! What an application reports of itself: its elements, with all that a snapshot needs of them.
//!
//! One message for each element gives everything, the elements in it included ([`walk`]). Of long lists only the visible rows
//! are read, and the rest is counted: rows are built when they are read. What was read a moment ago is brought up to date by
//! asking for what has changed alone ([`renew`]).
//!
//! Rules: nothing is asked after the deadline; an application that stops answering ends the reading, and what was read by then
//! is kept, with the reason why it is not all.

pub(crate) mod node;
mod object;
pub(crate) mod renew;
pub(crate) mod walk;

pub(crate) use object::{AccessibleTree, Facts, Object, WindowFacts};
