//! What several tools do alike: find an element again, press it, change its text, scroll it into view.
//!
//! Each step ends in a fact that was seen, not assumed: an id is looked up in a snapshot taken for this
//! call, a text is read back, a scroll is judged by where things are afterwards.

mod choose;
mod describe;
mod element;
mod focus;
mod menu;
mod outcome;
mod picture;
mod press;
mod reveal;
mod spot;
mod text;
mod words;

pub(crate) use choose::{choose, holds_choices};
pub(crate) use describe::{element_json, element_schema, lean_candidates};
pub(crate) use element::{Found, Named, find, find_if, locate, must_be_editable, must_be_enabled};
pub(crate) use focus::{focus, owner_of};
pub(crate) use menu::{MAX_STEPS, select_menu};
pub(crate) use outcome::{ActionOutcome, Enough, any_change, changes_between, look_after, new_tooltips};
pub(crate) use picture::{MAX_BYTES, Shown, take_area, take_picture};
pub(crate) use press::{Press, Via, is_sure, press, press_found, reacting};
pub(crate) use reveal::{MAX_SCROLLS, Revealed, reveal};
pub(crate) use spot::{Aimed, Needs, Spot};
pub(crate) use text::{Submitted, Typed, fill, set_text, submit_text, type_text};
