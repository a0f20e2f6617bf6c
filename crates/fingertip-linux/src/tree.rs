//! What an application exposes: its objects, with all that a snapshot needs of them.
//!
//! Reading goes in two steps. First the structure, with name, role and state of every object: in one call
//! where the toolkit keeps a cache ([`cached`]), and by asking object for object, many at a time, where it
//! does not or where its cache has gaps ([`walk`]). Then the details of those objects that are wanted
//! ([`detail`]): place, actions, value, text.
//!
//! What was read a moment ago is brought up to date by asking for what has changed alone ([`renew`]).
//!
//! A few objects of an application too large to be read whole are looked for one by one ([`search`]).
//!
//! Rules: every call has a timeout; an application that stops answering ends the reading, and what was read
//! by then is kept, with the reason why it is not all.

pub(crate) mod astray;
pub(crate) mod cached;
pub(crate) mod detail;
pub(crate) mod grid;
pub(crate) mod known_cells;
pub(crate) mod node;
pub(crate) mod object;
pub(crate) mod pages;
pub(crate) mod read_strategy;
pub(crate) mod renew;
pub(crate) mod search;
pub(crate) mod source;
pub(crate) mod visible;
pub(crate) mod walk;

pub(crate) use object::{AccessibleTree, Attributes, Interfaces, Object};
pub(crate) use source::Source;
