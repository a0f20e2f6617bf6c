//! Values of the world as objects, and back.

use std::sync::Mutex;

use crate::core_foundation::{CFRange, kCFBooleanFalse, kCFBooleanTrue, kCFNull};
use crate::object::{Body, Held, Object, Ref, array, dictionary, get, string};
use crate::world::{Attribute, NodeId, Rect, ax_error};

/// The kinds of `AXValue`.
pub(crate) mod kinds {
    pub(crate) const POINT: u32 = 1;
    pub(crate) const SIZE: u32 = 2;
    pub(crate) const RECT: u32 = 3;
    pub(crate) const RANGE: u32 = 4;
    pub(crate) const ERROR: u32 = 5;
}

pub(crate) fn element(pid: i32, node: NodeId, who: &'static str) -> Ref {
    Object::make(Body::Element { pid, node, timeout: Mutex::new(0.0) }, who)
}

pub(crate) fn value<T: Copy>(kind: u32, plain: T, who: &'static str) -> Ref {
    let mut bytes = [0_u8; 32];
    // SAFETY: `T` is a plain C struct of at most 32 bytes, as all kinds are.
    unsafe {
        std::ptr::copy_nonoverlapping((&raw const plain).cast::<u8>(), bytes.as_mut_ptr(), size_of::<T>());
    }
    Object::make(Body::Value { kind, bytes }, who)
}

/// The object with one reference for the caller.
pub(crate) fn to_object(pid: i32, attribute: &Attribute, who: &'static str) -> Result<Ref, i32> {
    Ok(match attribute {
        Attribute::Text(text) => string(text, who),
        Attribute::Attributed(text) => Object::make(Body::AttributedText(Held(string(text, who))), who),
        Attribute::Url(text) => Object::make(Body::Url(Held(string(text, who))), who),
        Attribute::Data(bytes) => Object::make(Body::Data(bytes.clone()), who),
        Attribute::Date(seconds) => Object::make(Body::Date(*seconds), who),
        Attribute::Bool(true) => kCFBooleanTrue.0,
        Attribute::Bool(false) => kCFBooleanFalse.0,
        Attribute::Int(number) => Object::make(Body::Int(*number), who),
        Attribute::Float(number) => Object::make(Body::Float(*number), who),
        Attribute::Point(x, y) => value(kinds::POINT, [*x, *y], who),
        Attribute::Size(width, height) => value(kinds::SIZE, [*width, *height], who),
        Attribute::Frame(Rect { x, y, width, height }) => value(kinds::RECT, [*x, *y, *width, *height], who),
        Attribute::Range(location, length) => {
            value(kinds::RANGE, CFRange { location: *location, length: *length }, who)
        }
        Attribute::Node(node) => element(pid, *node, who),
        Attribute::Foreign(pid, node) => element(*pid, *node, who),
        Attribute::Nodes(nodes) => array(nodes.iter().map(|node| element(pid, *node, who)).collect(), who),
        Attribute::List(items) => {
            array(items.iter().map(|item| to_object(pid, item, who)).collect::<Result<_, _>>()?, who)
        }
        Attribute::Pairs(items) => dictionary(
            items
                .iter()
                .map(|(key, item)| Ok((string(key, who), to_object(pid, item, who)?)))
                .collect::<Result<_, i32>>()?,
            who,
        ),
        Attribute::Null => kCFNull.0,
        Attribute::Fails(code) => return Err(*code),
    })
}

/// What an object sent to an application holds.
pub(crate) fn from_object(reference: Ref, who: &str) -> Result<Attribute, i32> {
    let object = get(reference, who).ok_or(ax_error::ILLEGAL_ARGUMENT)?;
    Ok(match &object.body {
        Body::Text(_) | Body::StaticText(_) => Attribute::Text(object.text().unwrap_or_default()),
        Body::Bool(value) => Attribute::Bool(*value),
        Body::Int(number) => Attribute::Int(*number),
        Body::Float(number) => Attribute::Float(*number),
        Body::Value { kind, bytes } => {
            let word = |at: usize| -> [u8; 8] { std::array::from_fn(|index| bytes[at + index]) };
            let number = |at| f64::from_ne_bytes(word(at));
            match *kind {
                kinds::POINT => Attribute::Point(number(0), number(8)),
                kinds::SIZE => Attribute::Size(number(0), number(8)),
                kinds::RANGE => {
                    Attribute::Range(isize::from_ne_bytes(word(0)), isize::from_ne_bytes(word(8)))
                }
                _ => return Err(ax_error::ILLEGAL_ARGUMENT),
            }
        }
        Body::Element { node, .. } => Attribute::Node(*node),
        Body::Array { items, .. } => {
            let items: Vec<_> =
                items.iter().map(|item| from_object(item.0, who)).collect::<Result<_, _>>()?;
            let nodes: Option<Vec<NodeId>> = items
                .iter()
                .map(|item| if let Attribute::Node(node) = item { Some(*node) } else { None })
                .collect();
            nodes.map_or(Attribute::List(items), Attribute::Nodes)
        }
        _ => return Err(ax_error::ILLEGAL_ARGUMENT),
    })
}

/// The string that names an attribute, an action or a notification.
pub(crate) fn name(reference: Ref, who: &str) -> Result<String, i32> {
    get(reference, who).and_then(Object::text).ok_or(ax_error::ILLEGAL_ARGUMENT)
}

/// Stores the reference that `make` gives. Out-parameters stay untouched on failure, as on a real Mac.
///
/// # Safety
/// `out` is valid for a write.
pub(crate) unsafe fn hand_out(out: *mut Ref, make: impl FnOnce() -> Result<Ref, i32>) -> i32 {
    match make() {
        Ok(reference) => {
            // SAFETY: the caller's duty.
            unsafe { *out = reference };
            0
        }
        Err(code) => code,
    }
}

pub(crate) fn code(result: Result<(), i32>) -> i32 {
    result.err().unwrap_or(0)
}
