//! The part of Core Foundation that a client of the accessibility API needs, function by function under its own name.
#![allow(
    unsafe_code,
    non_snake_case,
    non_upper_case_globals,
    unreachable_pub,
    clippy::missing_safety_doc,
    clippy::similar_names,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    missing_docs,
    reason = "C functions under their own names; what they do is Apple's documentation"
)]

mod base;
mod collections;
mod number;
pub(crate) mod run_loop;
mod string;

pub(crate) use base::{Constant, kCFBooleanFalse, kCFBooleanTrue, kCFNull};
pub(crate) use base::{
    kCGWindowAlpha, kCGWindowBounds, kCGWindowIsOnscreen, kCGWindowLayer, kCGWindowName, kCGWindowNumber,
    kCGWindowOwnerName, kCGWindowOwnerPID,
};

/// Positions, lengths and counts.
pub(crate) type CFIndex = isize;

/// A part of a sequence.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CFRange {
    pub location: CFIndex,
    pub length: CFIndex,
}
