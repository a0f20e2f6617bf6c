//! What several tools do alike: find an element again, press it, change its text, scroll it into view.
//!
//! Each step ends in a fact that was seen, not assumed: an id is looked up in a snapshot taken for this
//! call, a text is read back, a scroll is judged by where things are afterwards.

mod describe;
mod element;
mod focus;
mod picture;
mod press;
mod reveal;
mod text;

pub(crate) use describe::{element_json, element_schema};
pub(crate) use element::{Found, find, find_if, locate, must_be_editable, must_be_enabled};
pub(crate) use focus::{focus, owner_of};
pub(crate) use picture::{Shown, take_area, take_picture};
pub(crate) use press::{Press, Via, is_sure, press, press_found, reacting};
pub(crate) use reveal::{MAX_SCROLLS, Revealed, reveal};
pub(crate) use text::{Typed, fill, set_text, submit_text, type_text};
