//! The tools on a scripted phone, called as a transport calls them. One module a concern.

mod tools {
    pub(crate) mod bench;
    mod concurrency;
    mod devices;
    mod elements;
    mod forgery;
    mod listing;
    mod parameters;
    mod replies;
    mod screen;
    mod text;
    mod waits;
}
