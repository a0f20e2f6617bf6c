//! Opening an application: what its entry would run, running it, and waiting for its window.
//!
//! What is opened is the user's from then on: it gets a session of its own and our environment without our settings, and lives on when this program ends. While we live its end is waited for, so that it leaves no zombie.

mod opened;
mod plan;
mod run;
mod wait;

pub(crate) use opened::Opened;
pub(crate) use plan::plan;
pub(crate) use run::start;
pub(crate) use wait::{Before, Known, wait};
