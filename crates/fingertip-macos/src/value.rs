//! What an attribute holds, taken out of its Core Foundation object.
//!
//! Rules: nothing is believed of a value but its type id, which is looked at before each use: an attributed string or a null
//! taken for a string ends the process. Nothing is copied beyond a bound, whatever length the object claims. What is of no
//! use is [`Value::Other`], never a guess.
#![allow(unsafe_code, reason = "reads AXValue structs and arrays of untyped objects")]

use std::fmt::{self, Write as _};
use std::ptr::NonNull;

use fingertip_core::Rect;

use crate::bindings::ax::{AXError, AXUIElement, AXValue, AXValueType};
use crate::bindings::cf::{
    CFArray, CFAttributedString, CFBoolean, CFNumber, CFRange, CFString, CFType, CFURL, CGPoint, CGRect,
    CGSize,
};
use crate::element::Element;
use crate::failure::{Answer, Failure, check};

/// The most bytes of a text that are taken over.
pub(crate) const MOST_TEXT: usize = 20_000;
/// The most elements of a list that are taken over; the rest is counted.
pub(crate) const MOST_LISTED: usize = 5_000;

/// What an attribute holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(Box<str>),
    Bool(bool),
    Number(f64),
    Point(f64, f64),
    Size(f64, f64),
    Rect(Rect),
    /// A part of a text: where it begins, and its length.
    Range(isize, isize),
    Element(Element),
    Elements(Listed),
    /// Something of no use here.
    Other,
}

/// The elements of a list, as far as they were taken over.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Listed {
    /// The first of them.
    pub(crate) elements: Vec<Element>,
    /// How many there are.
    pub(crate) total: usize,
}

/// Reads an object of an answer. Errors stand in answers too, in the place of the value.
pub(crate) fn read(object: &CFType) -> Answer<Value> {
    if let Some(text) = text(object) {
        return Ok(Value::Text(text));
    }
    if let Some(flag) = object.downcast_ref::<CFBoolean>() {
        return Ok(Value::Bool(flag.as_bool()));
    }
    if let Some(number) = object.downcast_ref::<CFNumber>() {
        return Ok(number.as_f64().filter(|number| number.is_finite()).map_or(Value::Other, Value::Number));
    }
    if let Some(element) = object.downcast_ref::<AXUIElement>() {
        return Ok(Value::Element(Element::of(element)));
    }
    if let Some(list) = object.downcast_ref::<CFArray>() {
        return Ok(Value::Elements(listed(list)));
    }
    match object.downcast_ref::<AXValue>() {
        Some(value) => structure(value),
        // CFNull, or a type that no attribute we ask for should have.
        None => Err(Failure::NoValue),
    }
}

/// The text of a string, of an attributed string, or of an address.
fn text(object: &CFType) -> Option<Box<str>> {
    if let Some(text) = object.downcast_ref::<CFString>() {
        return Some(bounded(text));
    }
    if let Some(text) = object.downcast_ref::<CFAttributedString>() {
        return text.string().map(|text| bounded(&text));
    }
    object.downcast_ref::<CFURL>().map(|address| bounded(&address.string()))
}

/// How many characters a string holds, without a look at them.
pub(crate) fn length(object: &CFType) -> Option<u32> {
    let text = object.downcast_ref::<CFString>()?;
    u32::try_from(text.length()).ok()
}

/// The beginning of a text.
pub(crate) fn bounded(text: &CFString) -> Box<str> {
    let mut taken = Bounded(String::new());
    // It ends early when there is enough, which is no error.
    let _ = write!(taken, "{text}");
    taken.0.into_boxed_str()
}

/// A text that takes no more than its bound.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = MOST_TEXT - self.0.len();
        if part.len() <= room {
            self.0.push_str(part);
            return Ok(());
        }
        let end = (0..=room).rev().find(|end| part.is_char_boundary(*end)).unwrap_or_default();
        self.0.push_str(&part[..end]);
        Err(fmt::Error)
    }
}

/// The elements in an array; whatever else is in it is left out, and counted.
pub(crate) fn listed(list: &CFArray) -> Listed {
    let total = list.len();
    // SAFETY: the arrays of the accessibility API hold Core Foundation objects and nothing else; each is asked for its type
    // before it is used as an element.
    let objects = unsafe { &*(&raw const *list).cast::<CFArray<CFType>>() };
    let taken = objects.iter().take(MOST_LISTED);
    let elements = taken.filter_map(|object| object.downcast_ref::<AXUIElement>().map(Element::of)).collect();
    Listed { elements, total }
}

/// The texts in an array.
pub(crate) fn texts(list: &CFArray, most: usize) -> Vec<Box<str>> {
    // SAFETY: as in `listed`.
    let objects = unsafe { &*(&raw const *list).cast::<CFArray<CFType>>() };
    objects.iter().take(most).filter_map(|object| text(&object)).collect()
}

fn structure(value: &AXValue) -> Answer<Value> {
    // SAFETY: a plain getter.
    let kind = unsafe { value.r#type() };
    // SAFETY: each pointer is to a struct of the kind that the value said it holds.
    let read = |kind, place: NonNull<std::ffi::c_void>| unsafe { value.value(kind, place) };
    let (mut point, mut size) = (CGPoint { x: 0.0, y: 0.0 }, CGSize { width: 0.0, height: 0.0 });
    Ok(match kind {
        AXValueType::CGPoint if read(kind, NonNull::from(&mut point).cast()) => {
            Value::Point(point.x, point.y)
        }
        AXValueType::CGSize if read(kind, NonNull::from(&mut size).cast()) => {
            Value::Size(size.width, size.height)
        }
        AXValueType::CGRect => {
            let mut area = CGRect { origin: point, size };
            let is_read = read(kind, NonNull::from(&mut area).cast());
            let CGRect { origin, size } = area;
            let corners = (origin.x, origin.y, size.width, size.height);
            if is_read { Value::Rect(rect(corners)) } else { Value::Other }
        }
        AXValueType::CFRange => {
            let mut range = CFRange::new(0, 0);
            let is_read = read(kind, NonNull::from(&mut range).cast());
            if is_read { Value::Range(range.location, range.length) } else { Value::Other }
        }
        AXValueType::AXError => {
            let mut code = AXError::Failure.0;
            read(kind, NonNull::from(&mut code).cast());
            check(AXError(code))?;
            Value::Other
        }
        _ => Value::Other,
    })
}

/// The rectangle of a corner and a size, in whole points; empty where an application reports nonsense.
pub(crate) fn rect((x, y, width, height): (f64, f64, f64, f64)) -> Rect {
    if ![x, y, width, height].iter().all(|number| number.is_finite()) || width < 0.0 || height < 0.0 {
        return Rect::default();
    }
    // Casts of floats end at the ends of the range.
    let whole = |number: f64| number.round() as i32;
    Rect::new(whole(x), whole(y), whole(x + width), whole(y + height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        let mut taken = Bounded("a".repeat(MOST_TEXT - 3));
        assert!(taken.write_str("é😀").is_err());
        assert_eq!(taken.0.len(), MOST_TEXT - 1);
        assert!(taken.0.ends_with('é'));
    }

    #[test]
    fn nonsense_has_no_place() {
        assert_eq!(rect((1.0, 2.0, 3.0, 4.0)), Rect::new(1, 2, 4, 6));
        assert_eq!(rect((f64::NAN, 0.0, 1.0, 1.0)), Rect::default());
        assert_eq!(rect((0.0, 0.0, -1.0, 1.0)), Rect::default());
        assert_eq!(rect((0.0, 0.0, f64::INFINITY, 1.0)), Rect::default());
        assert_eq!(rect((0.0, 0.0, 1e30, 1.0)).right, i32::MAX);
    }
}
