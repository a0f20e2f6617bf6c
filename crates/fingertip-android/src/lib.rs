//! Android phones, driven through the adb server.
//!
//! | module | what it holds |
//! |---|---|
//! | [`channel`] | what a phone is reached by: commands, files, sockets |
//! | [`adb`] | the client of the adb server, and a channel through it |
//! | [`parse`] | pure functions from what a phone prints to values |
//! | [`driver`] | what a way of driving a phone must offer |
//! | [`agent`] | through a small program that runs on the phone, with nothing installed |
//! | [`shell`] | through the commands every Android has |
//! | [`choose`] | which of the two serves |
//! | [`target`] | one phone as a [`fingertip_core::Target`] |
//! | [`watch`] | phones that come and go |
//! | [`doctor`] | what is wrong, and what to do about it |
//! | [`self_test`] | proof on a phone in hand |

mod actions;
pub mod adb;
pub mod agent;
mod apps;
pub mod channel;
pub mod choose;
pub mod doctor;
pub mod driver;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod input;
mod keys;
mod lock;
pub mod parse;
mod quote;
mod roles;
mod screen;
pub mod self_test;
pub mod shell;
pub mod target;
#[cfg(test)]
mod test_support;
mod tree;
mod wait;
pub mod watch;

pub use adb::{Adb, ServerAddress};
pub use channel::Device;
pub use choose::{Patience, Preference};
pub use driver::Driver;
pub(crate) use lock::lock;
pub use target::AndroidTarget;
pub(crate) use wait::within;
