//! Core Graphics: displays, the window list, and input events, function by function under its own name.
#![allow(
    unsafe_code,
    non_snake_case,
    unreachable_pub,
    clippy::missing_safety_doc,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    missing_docs,
    reason = "C functions under their own names; what they do is Apple's documentation"
)]

mod displays;
mod events;
mod windows;

pub(crate) use displays::CGRect;
pub(crate) use events::{Event, kinds};
