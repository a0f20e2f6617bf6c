//! Arrays and dictionaries.

use std::ffi::c_void;

use super::CFIndex;
use crate::ledger::fault;
use crate::object::{Body, Held, Object, Ref, equal, get, retain};

/// Functions that a collection calls for its items. The simulated Mac only looks whether there are any.
#[repr(C)]
pub struct Callbacks {
    version: CFIndex,
    functions: [usize; 5],
}

const OBJECTS: Callbacks = Callbacks { version: 0, functions: [1, 1, 1, 1, 1] };

#[unsafe(no_mangle)]
pub static kCFTypeArrayCallBacks: Callbacks = OBJECTS;
#[unsafe(no_mangle)]
pub static kCFTypeDictionaryKeyCallBacks: Callbacks = OBJECTS;
#[unsafe(no_mangle)]
pub static kCFTypeDictionaryValueCallBacks: Callbacks = OBJECTS;

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFArrayCreate(
    _allocator: *const c_void,
    values: *const Ref,
    count: CFIndex,
    callbacks: *const Callbacks,
) -> Ref {
    let owned = !callbacks.is_null();
    let items = (0..count as usize)
        .map(|index| {
            // SAFETY: the caller passes `count` values.
            let value = unsafe { *values.add(index) };
            if owned {
                retain(value);
            }
            Held(value)
        })
        .collect();
    Object::make(Body::Array { items, owned }, "CFArrayCreate")
}

fn items(object: Ref, who: &str) -> Option<&'static [Held]> {
    let found = get(object, who)?;
    let Body::Array { items, .. } = &found.body else {
        fault(format!("{who}: not an array but {}", found.describe()));
        return None;
    };
    Some(items)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFArrayGetCount(object: Ref) -> CFIndex {
    items(object, "CFArrayGetCount").map_or(0, |items| items.len() as CFIndex)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFArrayGetValueAtIndex(object: Ref, index: CFIndex) -> Ref {
    let Some(items) = items(object, "CFArrayGetValueAtIndex") else { return std::ptr::null() };
    items.get(index as usize).map_or_else(
        || {
            fault(format!("CFArrayGetValueAtIndex: {index} of {}", items.len()));
            std::ptr::null()
        },
        |item| item.0,
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFDictionaryCreate(
    _allocator: *const c_void,
    keys: *const Ref,
    values: *const Ref,
    count: CFIndex,
    key_callbacks: *const Callbacks,
    value_callbacks: *const Callbacks,
) -> Ref {
    let owned = !key_callbacks.is_null() && !value_callbacks.is_null();
    let items = (0..count as usize)
        .map(|index| {
            // SAFETY: the caller passes `count` keys and values.
            let (key, value) = unsafe { (*keys.add(index), *values.add(index)) };
            if owned {
                retain(key);
                retain(value);
            }
            (Held(key), Held(value))
        })
        .collect();
    Object::make(Body::Dictionary { items, owned }, "CFDictionaryCreate")
}

fn pairs(object: Ref, who: &str) -> Option<&'static [(Held, Held)]> {
    let found = get(object, who)?;
    let Body::Dictionary { items, .. } = &found.body else {
        fault(format!("{who}: not a dictionary but {}", found.describe()));
        return None;
    };
    Some(items)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFDictionaryGetCount(object: Ref) -> CFIndex {
    pairs(object, "CFDictionaryGetCount").map_or(0, |items| items.len() as CFIndex)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFDictionaryGetValue(object: Ref, key: Ref) -> Ref {
    let who = "CFDictionaryGetValue";
    let (Some(items), Some(key)) = (pairs(object, who), get(key, who)) else { return std::ptr::null() };
    items
        .iter()
        .find(|(candidate, _)| get(candidate.0, who).is_some_and(|candidate| equal(candidate, key)))
        .map_or(std::ptr::null(), |(_, value)| value.0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFDictionaryGetValueIfPresent(object: Ref, key: Ref, out: *mut Ref) -> u8 {
    let value = CFDictionaryGetValue(object, key);
    if value.is_null() {
        return 0;
    }
    if !out.is_null() {
        // SAFETY: null or valid by the caller's duty.
        unsafe { *out = value };
    }
    1
}
