//! What all objects have, and the constants.

use super::CFIndex;
use crate::ledger::fault;
use crate::object::{Body, Object, Ref, equal, get, release, retain, string, type_ids};

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRetain(object: Ref) -> Ref {
    retain(object)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRelease(object: Ref) {
    release(object);
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFGetRetainCount(object: Ref) -> CFIndex {
    get(object, "CFGetRetainCount").map_or(0, Object::count)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFGetTypeID(object: Ref) -> usize {
    get(object, "CFGetTypeID").map_or(0, Object::type_id)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFEqual(a: Ref, b: Ref) -> u8 {
    match (get(a, "CFEqual"), get(b, "CFEqual")) {
        (Some(a), Some(b)) => u8::from(equal(a, b)),
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFHash(object: Ref) -> usize {
    let Some(found) = get(object, "CFHash") else { return 0 };
    match &found.body {
        Body::Element { pid, node, .. } => ((*pid as usize) << 32) ^ node.0 as usize,
        Body::Text(_) | Body::StaticText(_) => {
            found.utf16().iter().fold(5381, |hash: usize, unit| hash.wrapping_mul(33) ^ usize::from(*unit))
        }
        Body::Int(number) => *number as usize,
        Body::Float(number) => *number as i64 as usize,
        Body::Array { items, .. } => items.len(),
        Body::Bool(value) => usize::from(*value),
        _ => object as usize,
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFCopyDescription(object: Ref) -> Ref {
    let text = get(object, "CFCopyDescription").map_or_else(|| "<gone>".to_owned(), Object::describe);
    string(&text, "CFCopyDescription")
}

macro_rules! type_id_functions {
    ($($name:ident = $id:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name() -> usize {
            type_ids::$id
        }
    )*};
}
type_id_functions! {
    CFNullGetTypeID = NULL;
    CFStringGetTypeID = STRING;
    CFAttributedStringGetTypeID = ATTRIBUTED_STRING;
    CFURLGetTypeID = URL;
    CFDataGetTypeID = DATA;
    CFDateGetTypeID = DATE;
    CFDictionaryGetTypeID = DICTIONARY;
    CFArrayGetTypeID = ARRAY;
    CFBooleanGetTypeID = BOOLEAN;
    CFNumberGetTypeID = NUMBER;
    CFRunLoopGetTypeID = RUN_LOOP;
    CFRunLoopSourceGetTypeID = RUN_LOOP_SOURCE;
    AXUIElementGetTypeID = ELEMENT;
    AXValueGetTypeID = VALUE;
    AXObserverGetTypeID = OBSERVER;
    CGEventGetTypeID = EVENT;
    CGEventSourceGetTypeID = EVENT_SOURCE;
}

/// An exported variable that holds a reference.
#[repr(transparent)]
pub struct Constant(pub(crate) Ref);
// SAFETY: it points to an immortal object.
unsafe impl Sync for Constant {}

macro_rules! constants {
    ($($name:ident = $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub static $name: Constant = {
            static OBJECT: Object = Object::immortal($body);
            Constant(&raw const OBJECT)
        };
    )*};
}
constants! {
    kCFNull = Body::Null;
    kCFBooleanTrue = Body::Bool(true);
    kCFBooleanFalse = Body::Bool(false);
    kCFAllocatorDefault = Body::Null;
    kCFAllocatorNull = Body::Null;
    kCFRunLoopDefaultMode = Body::StaticText("kCFRunLoopDefaultMode");
    kCFRunLoopCommonModes = Body::StaticText("kCFRunLoopCommonModes");
    kAXTrustedCheckOptionPrompt = Body::StaticText("AXTrustedCheckOptionPrompt");
    kCGWindowNumber = Body::StaticText("kCGWindowNumber");
    kCGWindowLayer = Body::StaticText("kCGWindowLayer");
    kCGWindowBounds = Body::StaticText("kCGWindowBounds");
    kCGWindowAlpha = Body::StaticText("kCGWindowAlpha");
    kCGWindowOwnerPID = Body::StaticText("kCGWindowOwnerPID");
    kCGWindowOwnerName = Body::StaticText("kCGWindowOwnerName");
    kCGWindowName = Body::StaticText("kCGWindowName");
    kCGWindowIsOnscreen = Body::StaticText("kCGWindowIsOnscreen");
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFBooleanGetValue(object: Ref) -> u8 {
    match get(object, "CFBooleanGetValue").map(|found| &found.body) {
        Some(Body::Bool(value)) => u8::from(*value),
        Some(_) => {
            fault("CFBooleanGetValue: not a boolean".into());
            0
        }
        None => 0,
    }
}
