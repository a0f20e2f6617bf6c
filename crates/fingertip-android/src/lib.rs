//! Android phones, driven through the adb server, or from the phone itself.
//!
//! | module | what it holds |
//! |---|---|
//! | `channel` | what a phone is reached by: commands, files, sockets |
//! | [`adb`] | the client of the adb server, and a channel through it |
//! | `local` | the channel of a program that runs on the phone itself |
//! | `parse` | pure functions from what a phone prints to values |
//! | `driver` | what a way of driving a phone must offer |
//! | `agent` | through a small program that runs on the phone, with nothing installed |
//! | `shell` | through the commands every Android has |
//! | `choose` | which of the two serves |
//! | `target` | one phone as a [`fingertip_core::Target`] |
//! | `app` | the phone as the app that started this program has it |
//! | [`watch`] | phones that come and go |
//! | [`doctor`] | what is wrong, and what to do about it |
//! | [`self_test`] | proof on a phone in hand |

mod actions;
pub mod adb;
mod agent;
mod app;
mod apps;
mod channel;
mod choose;
pub mod doctor;
mod driver;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod input;
mod keys;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod local;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[path = "no_local.rs"]
mod local;
mod notices;
mod parse;
mod quote;
mod roles;
mod screen;
pub mod self_test;
mod shell;
mod target;
#[cfg(test)]
mod test_support;
mod tree;
mod wait;
pub mod watch;

pub use adb::{Adb, ServerAddress};
pub use agent::AgentDriver;
pub use app::AppTarget;
pub use channel::{Device, Stream};
pub use choose::{Patience, Preference};
pub(crate) use fingertip_core::sync::lock;
pub use parse::devices::{Listed, State};
pub use target::AndroidTarget;
pub(crate) use wait::within;

/// What is said where there is no phone to run on.
fn no_phone_here() -> fingertip_core::Error {
    let message = "This machine is no Android phone: there is no /system/bin/sh on it.";
    fingertip_core::Error::new(fingertip_core::Reason::PermissionDenied, message).with_guidance(
        "`--target here` is for a server that runs on the phone itself, as `fingertip phone start` does it; from a computer \
         use `--target android`.",
    )
}
