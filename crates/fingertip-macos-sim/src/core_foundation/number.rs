//! Numbers, with the conversions of Core Foundation.

use std::ffi::c_void;

use super::CFIndex;
use crate::ledger::fault;
use crate::object::{Body, Object, Ref, get};

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFNumberCreate(
    _allocator: *const c_void,
    kind: CFIndex,
    value: *const c_void,
) -> Ref {
    // SAFETY: the caller passes a value of the type that `kind` names.
    let body = unsafe {
        match kind {
            1 => Body::Int(i64::from(*value.cast::<i8>())),
            2 => Body::Int(i64::from(*value.cast::<i16>())),
            3 | 9 => Body::Int(i64::from(*value.cast::<i32>())),
            4 | 10 | 11 | 14 | 15 => Body::Int(*value.cast::<i64>()),
            5 | 12 => Body::Float(f64::from(*value.cast::<f32>())),
            6 | 13 | 16 => Body::Float(*value.cast::<f64>()),
            _ => return std::ptr::null(),
        }
    };
    Object::make(body, "CFNumberCreate")
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn CFNumberGetValue(object: Ref, kind: CFIndex, out: *mut c_void) -> u8 {
    let (int, float, was_float) = match get(object, "CFNumberGetValue").map(|found| &found.body) {
        Some(Body::Int(int)) => (*int, *int as f64, false),
        Some(Body::Float(float)) => (*float as i64, *float, true),
        Some(_) => {
            fault("CFNumberGetValue: not a number".into());
            return 0;
        }
        None => return 0,
    };
    // SAFETY: `out` has room for the type that `kind` names.
    unsafe {
        match kind {
            1 => *out.cast::<i8>() = int as i8,
            2 => *out.cast::<i16>() = int as i16,
            3 | 9 => *out.cast::<i32>() = int as i32,
            4 | 10 | 11 | 14 | 15 => *out.cast::<i64>() = int,
            5 | 12 => *out.cast::<f32>() = float as f32,
            6 | 13 | 16 => *out.cast::<f64>() = float,
            _ => return 0,
        }
    }
    // A value that does not fit is written all the same, but reported.
    let whole = !was_float || (float.fract() == 0.0 && (i64::MIN as f64..i64::MAX as f64).contains(&float));
    u8::from(match kind {
        // For the two small types Core Foundation also takes what fits the unsigned one.
        1 => whole && (-0x80..=0xff).contains(&int),
        2 => whole && (-0x8000..=0xffff).contains(&int),
        3 | 9 => whole && i32::try_from(int).is_ok(),
        4 | 10 | 11 | 14 | 15 => whole,
        5 | 12 if was_float => f64::from(float as f32) == float,
        5 | 12 => int as f32 as i64 == int,
        _ => was_float || float as i64 == int,
    })
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFNumberIsFloatType(object: Ref) -> u8 {
    u8::from(matches!(get(object, "CFNumberIsFloatType").map(|found| &found.body), Some(Body::Float(_))))
}
