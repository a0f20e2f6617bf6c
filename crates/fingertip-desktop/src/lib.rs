//! What a desktop platform needs that knows neither its accessibility interface nor its window system.
//!
//! | module | what it holds |
//! |---|---|
//! | [`apps`] | which application is meant |
//! | [`windows`] | windows of the window system, and which window of the tree each of them shows |
//! | [`assemble`] | what was read of an application, as a snapshot with the windows, covers and dialogs around it |
//! | [`tree`], [`incremental`] | the objects of an application, and how they are brought up to date |
//! | [`cache`] | what was read last of an application, and when that can still be of use |
//! | [`acting`] | what is checked before something is done to an element |
//! | [`closing`] | closing an application by its windows |
//! | [`searches`] | searches that go on in a later call |

pub mod acting;
pub mod apps;
pub mod assemble;
pub mod cache;
pub mod closing;
pub mod incremental;
pub mod searches;
pub mod tree;
pub mod windows;

pub use apps::RunningApp;
pub use windows::{ListedWindow, TopWindow};
