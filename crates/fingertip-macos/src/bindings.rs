//! One set of names for the C interfaces of macOS, on every system.
//!
//! On macOS these are the official `objc2-*` crates. They do not compile elsewhere (they ask for frameworks to be linked), so
//! other systems get [`mirror`]: the same names and signatures, declared by hand and linked with the simulated Mac in tests.
//! The backend is compiled against both, so a name or type that differs is a compile error on one side; a wrong declaration
//! of the mirror cannot reach a Mac, because the mirror is not used there.
//!
//! This layer and the wrappers right above it are the only places with `unsafe` code. What exists only in Objective-C is in
//! [`services`], behind plain Rust functions.

pub(crate) use objc2_core_foundation as cf;

#[cfg(target_os = "macos")]
pub(crate) mod ax {
    //! The accessibility API.
    pub(crate) use objc2_application_services::{
        AXCopyMultipleAttributeOptions, AXError, AXIsProcessTrusted, AXObserver, AXUIElement, AXValue,
        AXValueType,
    };
}

#[cfg(target_os = "macos")]
pub(crate) mod cg {
    //! Core Graphics: the window list and input events.
    pub(crate) use objc2_core_graphics::{
        CGDisplayBounds, CGEvent, CGEventField, CGEventFlags, CGEventTapLocation, CGEventType,
        CGMainDisplayID, CGMouseButton, CGPreflightScreenCaptureAccess, CGScrollEventUnit,
        CGWindowListCopyWindowInfo, CGWindowListOption, kCGNullWindowID, kCGWindowAlpha, kCGWindowBounds,
        kCGWindowIsOnscreen, kCGWindowLayer, kCGWindowName, kCGWindowNumber, kCGWindowOwnerPID,
    };
}

#[cfg(not(target_os = "macos"))]
mod mirror;
#[cfg(not(target_os = "macos"))]
pub(crate) use mirror::{ax, cg};

pub(crate) mod services;
