//! Pure functions from what a phone prints to values.
//!
//! Rules: no input makes them panic, loop or allocate without bound; what is cut is said; lines may end in
//! CRLF; unknown forms are `None` or an error that names what was seen, never a guess.

pub(crate) mod crash;
pub(crate) mod devices;
pub(crate) mod display;
pub(crate) mod focus;
pub(crate) mod getprop;
pub(crate) mod hierarchy;
pub(crate) mod logcat;
pub(crate) mod packages;
pub(crate) mod screencap;
pub(crate) mod windows;
