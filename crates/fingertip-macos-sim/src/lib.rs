//! A simulated Mac, for running the macOS backend on other systems.
//!
//! It exports the C functions of Core Foundation, of the accessibility API and of Core Graphics that the backend calls, over a small
//! desktop with applications that can be used. A test builds a [`World`], starts a [`Mac`] with it, lets the backend loose, and
//! asks the world what became of it. At the end nothing may have leaked or been misused: the ledger says what, and by which
//! function it was made.
//!
//! - `object`, `ledger`: references, their counts, and the book that is kept of them
//! - `core_foundation`, `accessibility`, `graphics`, `services`: the exported functions
//! - `message`: the way to an application and back, with queues, costs and timeouts
//! - `world`, `input`, `draw`: the desktop itself
//! - `apps`: a text editor, a file list, settings, a browser, a calculator, an archive of 100,000 messages, an Electron application
//! - `control`: the same world over a socket, for tests in other languages
//!
//! Not a goal: looking like macOS, knowing functions that the backend does not call, or running on a Mac, where the real ones are.
#![cfg(not(target_os = "macos"))]

mod accessibility;
pub mod apps;
pub mod control;
mod core_foundation;
mod draw;
mod graphics;
mod input;
mod ledger;
mod mac;
mod message;
mod object;
mod services;
pub mod world;

pub use ledger::Report;
pub use mac::Mac;
pub use world::{
    Action, App, Attribute, Chromium, Effect, FIRST_PID, Installed, Item, Kind, LazyRows, Node, NodeId,
    Notifications, Posted, ROOT, Rect, World, ax_error,
};
