//! Pure functions from what a phone prints to values.
//!
//! Rules: no input makes them panic, loop or allocate without bound; what is cut is said; lines may end in
//! CRLF; unknown forms are `None` or an error that names what was seen, never a guess.

pub mod devices;
pub mod display;
pub mod focus;
pub mod getprop;
pub mod hierarchy;
pub mod logcat;
pub mod packages;
pub mod screencap;
pub mod windows;
