//! The accessibility API, function by function under its own name.
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

mod convert;
mod element;
mod observer;
mod value;

pub(crate) use observer::{Note, ObserverState, deliver_all};
