//! What a desktop platform needs that knows neither its accessibility interface nor its window system.
//!
//! | module | what it holds |
//! |---|---|
//! | [`apps`] | which application is meant |
//! | [`windows`] | windows of the window system, and which window of the tree each of them shows |
//! | [`assemble`] | what was read of an application, as a snapshot with the windows and covers around it |
//! | `modal` | which windows wait until a dialog is answered |
//! | [`acting`] | what is checked before something is done to an element |
//! | [`searches`] | searches that go on in a later call |

pub mod acting;
pub mod apps;
pub mod assemble;
mod modal;
pub mod searches;
pub mod windows;

pub use apps::RunningApp;
pub use windows::{ListedWindow, TopWindow};
