//! A small view toolkit: descriptions of views, their layout, text editing, and what is seen of them.
//!
//! A surface describes its views again after each change ([`view::View`]); the layout gives every view a
//! place and a lasting key ([`layout::Placed`]). What a user can change lives beside the description: scroll
//! offsets and focus with the phone, texts with the app. So there is no second copy of anything to go stale.

mod build;
pub(crate) mod class;
pub(crate) mod editor;
pub(crate) mod export;
pub(crate) mod layout;
pub(crate) mod measure;
pub(crate) mod paint;
pub(crate) mod placed;
pub(crate) mod text;
pub(crate) mod theme;
pub(crate) mod view;
pub(crate) mod widgets;
