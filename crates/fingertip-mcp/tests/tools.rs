//! The tools on a scripted phone, called as a transport calls them. One module a concern.

#[path = "support/contract.rs"]
mod contract;

mod tools {
    mod apps;
    pub(crate) mod bench;
    mod choosing;
    mod concurrency;
    mod desktop_actions;
    mod desktop_device_tools;
    mod desktop_observing;
    mod desktop_trees;
    mod devices;
    mod elements;
    mod forgery;
    mod keys;
    mod listing;
    mod parameters;
    mod pointer;
    mod replies;
    mod screen;
    mod secrets;
    mod seeing;
    mod selectors;
    mod steps;
    mod text;
    mod waits;
    mod windows;
}
