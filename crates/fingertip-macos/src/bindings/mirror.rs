//! The names of `objc2-application-services` and `objc2-core-graphics` that the backend uses, for systems where those crates
//! do not compile.
//!
//! Rules: names, argument types and safety are those of version 0.3.2 of the official crates, nothing is added to them. Every
//! function only hands its arguments to the C function of the same name; its caller has the duties that Apple's
//! header names, on this side as on the other.
#![allow(
    unsafe_code,
    non_snake_case,
    non_upper_case_globals,
    clippy::missing_safety_doc,
    clippy::upper_case_acronyms,
    reason = "the names and the duties are those of the official crates"
)]
#![allow(dead_code, unused_imports, reason = "the mirror follows the official crates, not one caller")]

pub(crate) mod ax;
pub(crate) mod cg;

/// A type of which only the address is known, with its runtime type.
macro_rules! opaque {
    ($name:ident, $type_id:ident) => {
        #[repr(C)]
        pub(crate) struct $name {
            inner: [u8; 0],
            _p: std::cell::UnsafeCell<
                std::marker::PhantomData<(*const std::cell::UnsafeCell<()>, std::marker::PhantomPinned)>,
            >,
        }
        objc2_core_foundation::cf_type!(
            // SAFETY: the type is opaque and only ever seen behind a pointer that the C side handed out.
            unsafe impl $name {}
        );
        // SAFETY: the C function returns the type id of exactly these objects.
        unsafe impl objc2_core_foundation::ConcreteType for $name {
            fn type_id() -> objc2_core_foundation::CFTypeID {
                unsafe extern "C-unwind" {
                    fn $type_id() -> objc2_core_foundation::CFTypeID;
                }
                // SAFETY: a getter without arguments.
                unsafe { $type_id() }
            }
        }
    };
}
pub(crate) use opaque;
