//! The driver against real applications, in sessions of their own: an X server, a session bus, an accessibility
//! bus and a window manager are started for each test and ended with it.
//!
//! What is needed is not optional: without it the tests fail and say what to install.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test, whichever function it is in")]

mod acting;
mod apps;
mod browser;
mod dialogs;
mod display;
mod everyday;
mod faults;
mod firefox;
mod folding;
mod form;
mod frozen;
mod ground;
mod incremental;
mod keyboard;
mod long;
mod nested;
mod opening;
mod places;
mod receiver;
mod screens;
mod searching;
mod support;
mod tree_views;
mod watching;
