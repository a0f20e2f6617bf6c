//! Strings, attributed strings, URLs and data.

use std::ffi::{c_char, c_void};

use super::{CFIndex, CFRange};
use crate::ledger::fault;
use crate::object::{Body, Object, Ref, get, string};

const UTF8: u32 = 0x0800_0100;

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFStringCreateWithBytes(
    _allocator: *const c_void,
    bytes: *const u8,
    length: CFIndex,
    encoding: u32,
    _external: u8,
) -> Ref {
    assert_eq!(encoding, UTF8, "the simulated Mac reads UTF-8 only");
    // SAFETY: the caller passes `length` readable bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, length as usize) };
    match std::str::from_utf8(bytes) {
        Ok(text) => string(text, "CFStringCreateWithBytes"),
        Err(_) => std::ptr::null(),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFStringCreateWithBytesNoCopy(
    allocator: *const c_void,
    bytes: *const u8,
    length: CFIndex,
    encoding: u32,
    external: u8,
    _deallocator: *const c_void,
) -> Ref {
    // SAFETY: the caller's duty, as above.
    unsafe { CFStringCreateWithBytes(allocator, bytes, length, encoding, external) }
}

/// A real Mac would send the object a message it does not understand, and the process would end with an exception that Rust
/// cannot catch.
fn string_only(object: Ref, who: &str) -> Option<&'static Object> {
    let found = get(object, who)?;
    if !matches!(found.body, Body::Text(_) | Body::StaticText(_)) {
        fault(format!("{who}: not a string but {}", found.describe()));
        return None;
    }
    Some(found)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFStringGetLength(object: Ref) -> CFIndex {
    string_only(object, "CFStringGetLength").map_or(0, |found| found.utf16().len() as CFIndex)
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFStringGetBytes(
    object: Ref,
    range: CFRange,
    encoding: u32,
    loss: u8,
    _external: u8,
    buffer: *mut u8,
    capacity: CFIndex,
    used: *mut CFIndex,
) -> CFIndex {
    assert_eq!(encoding, UTF8, "the simulated Mac writes UTF-8 only");
    let Some(found) = string_only(object, "CFStringGetBytes") else { return 0 };
    let units = found.utf16();
    let end = range.location.saturating_add(range.length);
    let Some(slice) = units.get(range.location as usize..end as usize) else {
        fault(format!("CFStringGetBytes: range {}..{end} of {}", range.location, units.len()));
        return 0;
    };
    let mut out = Vec::new();
    let mut converted = 0;
    for character in char::decode_utf16(slice.iter().copied()) {
        let (character, width) = match character {
            Ok(character) => (character, character.len_utf16()),
            // A lone surrogate cannot be written as UTF-8; Core Foundation stops there unless it has a replacement.
            Err(_) if loss == 0 => break,
            Err(_) => (char::from(loss), 1),
        };
        if !buffer.is_null() && out.len() + character.len_utf8() > capacity as usize {
            break;
        }
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        converted += width;
    }
    // SAFETY: the buffer has `capacity` bytes and no more were collected; `used` is null or valid.
    unsafe {
        if !buffer.is_null() {
            std::ptr::copy_nonoverlapping(out.as_ptr(), buffer, out.len());
        }
        if !used.is_null() {
            *used = out.len() as CFIndex;
        }
    }
    converted as CFIndex
}

/// Core Foundation may always answer NULL here, so callers have to cope with it.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFStringGetCStringPtr(_object: Ref, _encoding: u32) -> *const c_char {
    std::ptr::null()
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFAttributedStringGetString(object: Ref) -> Ref {
    match get(object, "CFAttributedStringGetString").map(|found| &found.body) {
        Some(Body::AttributedText(text)) => text.0,
        Some(_) => {
            fault("CFAttributedStringGetString: not an attributed string".into());
            std::ptr::null()
        }
        None => std::ptr::null(),
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFURLGetString(object: Ref) -> Ref {
    match get(object, "CFURLGetString").map(|found| &found.body) {
        Some(Body::Url(text)) => text.0,
        Some(_) => {
            fault("CFURLGetString: not a URL".into());
            std::ptr::null()
        }
        None => std::ptr::null(),
    }
}

fn data(object: Ref, who: &str) -> Option<&'static [u8]> {
    match get(object, who).map(|found| &found.body) {
        Some(Body::Data(bytes)) => Some(bytes),
        Some(_) => {
            fault(format!("{who}: not data"));
            None
        }
        None => None,
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFDataGetLength(object: Ref) -> CFIndex {
    data(object, "CFDataGetLength").map_or(0, |bytes| bytes.len() as CFIndex)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFDataGetBytePtr(object: Ref) -> *const u8 {
    data(object, "CFDataGetBytePtr").map_or(std::ptr::null(), <[u8]>::as_ptr)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFDateGetAbsoluteTime(object: Ref) -> f64 {
    match get(object, "CFDateGetAbsoluteTime").map(|found| &found.body) {
        Some(Body::Date(seconds)) => *seconds,
        _ => {
            fault("CFDateGetAbsoluteTime: not a date".into());
            0.0
        }
    }
}
