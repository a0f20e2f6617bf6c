//! The objects behind every reference that the simulated Mac hands out.
//!
//! The address of an [`Object`] is its `CFTypeRef`. Every entry point takes references apart with [`get`], which turns a null,
//! dead or foreign pointer into a fault instead of a crash.
#![allow(unsafe_code, reason = "references are raw pointers, as in Core Foundation")]

use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::accessibility::ObserverState;
use crate::core_foundation::run_loop::{LoopState, SourceState};
use crate::graphics::Event;
use crate::ledger::{self, fault};
use crate::world::NodeId;

/// A reference as it crosses the C interface.
pub(crate) type Ref = *const Object;

const LIVE: u64 = 0x4346_4c49_5645_0001;
const DEAD: u64 = 0x4346_4445_4144_0000;
/// The count of objects that need no release.
const IMMORTAL: isize = isize::MAX / 2;

/// One object with its count of references.
#[repr(C)]
pub(crate) struct Object {
    magic: AtomicU64,
    count: AtomicIsize,
    id: u64,
    pub(crate) body: Body,
}

/// What an object is.
pub(crate) enum Body {
    Null,
    Bool(bool),
    /// UTF-16, in which Core Foundation counts lengths and ranges.
    Text(Vec<u16>),
    StaticText(&'static str),
    /// A string with attributes: not a string to code that does not look at its type.
    AttributedText(Held),
    Url(Held),
    Data(Vec<u8>),
    Date(f64),
    Int(i64),
    Float(f64),
    Array {
        items: Vec<Held>,
        owned: bool,
    },
    Dictionary {
        items: Vec<(Held, Held)>,
        owned: bool,
    },
    Element {
        pid: i32,
        node: NodeId,
        timeout: Mutex<f32>,
    },
    Value {
        kind: u32,
        bytes: [u8; 32],
    },
    Observer(Arc<ObserverState>),
    RunLoop(Arc<LoopState>),
    Source(Arc<SourceState>),
    Event(Mutex<Event>),
}

/// A reference kept inside of another object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held(pub(crate) Ref);

// SAFETY: objects are immutable or locked inside, and their counts are atomic.
unsafe impl Send for Held {}
// SAFETY: as above.
unsafe impl Sync for Held {}

impl Object {
    /// A constant.
    pub(crate) const fn immortal(body: Body) -> Self {
        Self { magic: AtomicU64::new(LIVE), count: AtomicIsize::new(IMMORTAL), id: 0, body }
    }

    /// A new object with one reference, which belongs to the caller.
    pub(crate) fn make(body: Body, made_by: &'static str) -> Ref {
        let mut object =
            Box::new(Self { magic: AtomicU64::new(LIVE), count: AtomicIsize::new(1), id: 0, body });
        object.id = ledger::born(&raw const *object, made_by);
        Box::into_raw(object)
    }

    pub(crate) fn count(&self) -> isize {
        self.count.load(Ordering::Relaxed)
    }

    /// The numbers of Core Foundation where it has fixed ones, others of our own.
    pub(crate) fn type_id(&self) -> usize {
        match self.body {
            Body::Null => type_ids::NULL,
            Body::Text(_) | Body::StaticText(_) => type_ids::STRING,
            Body::AttributedText(_) => type_ids::ATTRIBUTED_STRING,
            Body::Url(_) => type_ids::URL,
            Body::Data(_) => type_ids::DATA,
            Body::Date(_) => type_ids::DATE,
            Body::Dictionary { .. } => type_ids::DICTIONARY,
            Body::Array { .. } => type_ids::ARRAY,
            Body::Bool(_) => type_ids::BOOLEAN,
            Body::Int(_) | Body::Float(_) => type_ids::NUMBER,
            Body::RunLoop(_) => type_ids::RUN_LOOP,
            Body::Source(_) => type_ids::RUN_LOOP_SOURCE,
            Body::Element { .. } => type_ids::ELEMENT,
            Body::Value { .. } => type_ids::VALUE,
            Body::Observer(_) => type_ids::OBSERVER,
            Body::Event(_) => type_ids::EVENT,
        }
    }

    pub(crate) fn describe(&self) -> String {
        match &self.body {
            Body::Null => "CFNull".into(),
            Body::Bool(value) => format!("CFBoolean {value}"),
            Body::Text(_) | Body::StaticText(_) => format!("CFString {:?}", self.text().unwrap_or_default()),
            Body::AttributedText(_) => "CFAttributedString".into(),
            Body::Url(_) => "CFURL".into(),
            Body::Data(bytes) => format!("CFData of {}", bytes.len()),
            Body::Date(_) => "CFDate".into(),
            Body::Int(number) => format!("CFNumber {number}"),
            Body::Float(number) => format!("CFNumber {number}"),
            Body::Array { items, .. } => format!("CFArray of {}", items.len()),
            Body::Dictionary { items, .. } => format!("CFDictionary of {}", items.len()),
            Body::Element { pid, node, .. } => format!("AXUIElement pid {pid} node {}", node.0),
            Body::Value { kind, .. } => format!("AXValue kind {kind}"),
            Body::Observer(_) => "AXObserver".into(),
            Body::RunLoop(_) => "CFRunLoop".into(),
            Body::Source(_) => "CFRunLoopSource".into(),
            Body::Event(_) => "CGEvent".into(),
        }
    }

    pub(crate) fn text(&self) -> Option<String> {
        match &self.body {
            Body::Text(units) => Some(String::from_utf16_lossy(units)),
            Body::StaticText(text) => Some((*text).to_owned()),
            _ => None,
        }
    }

    pub(crate) fn utf16(&self) -> Vec<u16> {
        match &self.body {
            Body::Text(units) => units.clone(),
            Body::StaticText(text) => text.encode_utf16().collect(),
            _ => Vec::new(),
        }
    }
}

/// Runtime types.
pub(crate) mod type_ids {
    pub(crate) const NULL: usize = 1;
    pub(crate) const STRING: usize = 7;
    pub(crate) const DICTIONARY: usize = 18;
    pub(crate) const ARRAY: usize = 19;
    pub(crate) const DATA: usize = 20;
    pub(crate) const BOOLEAN: usize = 21;
    pub(crate) const NUMBER: usize = 22;
    pub(crate) const URL: usize = 29;
    pub(crate) const DATE: usize = 42;
    pub(crate) const RUN_LOOP: usize = 43;
    pub(crate) const RUN_LOOP_SOURCE: usize = 44;
    pub(crate) const ELEMENT: usize = 60;
    pub(crate) const VALUE: usize = 61;
    pub(crate) const OBSERVER: usize = 62;
    pub(crate) const EVENT: usize = 63;
    pub(crate) const ATTRIBUTED_STRING: usize = 64;
    pub(crate) const EVENT_SOURCE: usize = 65;
}

/// The object behind a reference, or `None` with a fault when it is null, was released, or never was one of ours.
pub(crate) fn get(reference: Ref, who: &str) -> Option<&'static Object> {
    if reference.is_null() {
        fault(format!("{who}: NULL"));
        return None;
    }
    if !reference.is_aligned() {
        fault(format!("{who}: not an object at {reference:?}"));
        return None;
    }
    // SAFETY: a reference of ours is mapped while it lives and for many objects longer; the header of anything else is
    // read as numbers only.
    let object = unsafe { &*reference };
    match object.magic.load(Ordering::Acquire) {
        LIVE => Some(object),
        DEAD => {
            fault(format!("{who}: use after free of #{} {}", object.id, object.describe()));
            None
        }
        _ => {
            fault(format!("{who}: not an object at {reference:?}"));
            None
        }
    }
}

pub(crate) fn retain(reference: Ref) -> Ref {
    if let Some(object) = get(reference, "CFRetain")
        && object.count() < IMMORTAL
    {
        object.count.fetch_add(1, Ordering::Relaxed);
    }
    reference
}

pub(crate) fn release(reference: Ref) {
    let Some(object) = get(reference, "CFRelease") else { return };
    if object.count() >= IMMORTAL || object.count.fetch_sub(1, Ordering::AcqRel) != 1 {
        return;
    }
    object.magic.store(DEAD, Ordering::Release);
    match &object.body {
        Body::Array { items, owned: true } => items.iter().for_each(|item| release(item.0)),
        Body::Dictionary { items, owned: true } => items.iter().for_each(|(key, value)| {
            release(key.0);
            release(value.0);
        }),
        Body::AttributedText(text) | Body::Url(text) => release(text.0),
        Body::Observer(state) => state.end(),
        _ => {}
    }
    ledger::died(reference, object.id);
}

/// Gives back the memory of an object that died long ago.
pub(crate) fn free(address: usize) {
    let object = address as *mut Object;
    // SAFETY: made by `Box::into_raw` in `make`, dead, and handed here once.
    unsafe {
        (*object).magic.store(0, Ordering::Release);
        drop(Box::from_raw(object));
    }
}

/// Type and count of an object in the ledger.
pub(crate) fn live_description(address: usize) -> String {
    // SAFETY: what is in the ledger has not been freed.
    let object = unsafe { &*(address as Ref) };
    format!("{} retain count {}", object.describe(), object.count())
}

pub(crate) fn string(text: &str, who: &'static str) -> Ref {
    Object::make(Body::Text(text.encode_utf16().collect()), who)
}

/// An array that takes over the references in `items`.
pub(crate) fn array(items: Vec<Ref>, who: &'static str) -> Ref {
    Object::make(Body::Array { items: items.into_iter().map(Held).collect(), owned: true }, who)
}

/// A dictionary that takes over keys and values.
pub(crate) fn dictionary(items: Vec<(Ref, Ref)>, who: &'static str) -> Ref {
    let items = items.into_iter().map(|(key, value)| (Held(key), Held(value))).collect();
    Object::make(Body::Dictionary { items, owned: true }, who)
}

/// Equality as `CFEqual` has it: elements are equal when they name the same thing.
#[allow(clippy::cast_precision_loss, reason = "Core Foundation compares mixed numbers so")]
pub(crate) fn equal(a: &Object, b: &Object) -> bool {
    match (&a.body, &b.body) {
        (Body::Text(_) | Body::StaticText(_), Body::Text(_) | Body::StaticText(_)) => a.utf16() == b.utf16(),
        (Body::Bool(x), Body::Bool(y)) => x == y,
        (Body::Null, Body::Null) => true,
        (Body::Int(x), Body::Int(y)) => x == y,
        (Body::Float(x), Body::Float(y)) => x == y,
        (Body::Int(x), Body::Float(y)) | (Body::Float(y), Body::Int(x)) => *x as f64 == *y,
        (Body::Element { pid: p, node: n, .. }, Body::Element { pid: q, node: m, .. }) => p == q && n == m,
        (Body::Value { kind: k, bytes: x }, Body::Value { kind: l, bytes: y }) => k == l && x == y,
        (Body::Array { items: x, .. }, Body::Array { items: y, .. }) => {
            x.len() == y.len()
                && x.iter().zip(y).all(|(x, y)| match (get(x.0, "CFEqual"), get(y.0, "CFEqual")) {
                    (Some(x), Some(y)) => equal(x, y),
                    _ => false,
                })
        }
        _ => std::ptr::eq(a, b),
    }
}
