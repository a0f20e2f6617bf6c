//! The macOS desktop, read and driven through the accessibility API, with windows and input through Core Graphics.
//!
//! | module | what it holds |
//! |---|---|
//! | `bindings` | the C and Objective-C interfaces of macOS, and their mirror elsewhere |
//! | `element`, `value`, `attributes`, `failure` | one element, what it answers, what is asked, why it does not answer |
//! | `worker`, `client`, `session` | where calls block, how an application is asked, what all share |
//! | `permissions` | what the user must allow, and for which program |
//! | `apps`, `handle`, `window_list` | which applications run, how elements are named, what the window server shows |
//! | `tree`, `read`, `seen_tree`, `chromium` | the elements of an application, and the nodes they become |
//! | `snapshot_cache`, `events` | what was read last, and what has happened since |
//! | `actions`, `text`, `input` | what is done to elements, what they are made to hold, pointer and keys |
//! | `screen` | pictures |
//! | [`doctor`] | what is wrong, and what to do about it |
//! | [`self_test`] | proof on a Mac in hand |
//! | [`target`] | this Mac as a [`fingertip_core::Target`] |

mod actions;
mod apps;
mod attributes;
mod bindings;
mod chromium;
mod client;
pub mod doctor;
mod element;
mod events;
mod failure;
mod handle;
mod input;
mod permissions;
mod read;
mod roles;
mod screen;
mod seen_tree;
pub mod self_test;
mod session;
mod snapshot_cache;
pub mod target;
mod text;
mod tree;
mod value;
mod window_list;
mod worker;

#[cfg(all(test, not(target_os = "macos")))]
use fingertip_macos_sim as _;

pub use target::Desktop;
