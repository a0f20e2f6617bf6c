//! What tests need in place of a real device: a target that follows a script, and trees that read like text.
//!
//! Only for tests and examples, behind the feature `test-support`: helpers here panic with a clear message
//! where the product would return an error. [`tree::tree`] writes a snapshot, [`sample`] has ready ones,
//! [`edit`] changes them, [`ScriptedTarget`] serves them.

pub mod clock;
pub mod edit;
mod effect;
mod event;
pub mod sample;
mod scripted;
pub mod tree;
mod wait;

pub use event::{Event, name_of};
pub use scripted::{ScriptedTarget, State};
pub use tree::{find, tree};
pub use wait::block_on;
