//! Does the ledger see mistakes? Each test makes one that a backend could make.
#![cfg(not(target_os = "macos"))]
#![allow(unsafe_code, clippy::unwrap_used, reason = "mistakes with references need it")]

use fingertip_macos_sim::{Mac, World};
use objc2_core_foundation::{CFArray, CFNumber, CFRetained, CFString};

#[test]
fn balanced_use_is_clean() {
    let mac = Mac::start(World::default());
    let text = CFString::from_str("Größe \u{1f600}");
    assert_eq!(text.to_string(), "Größe \u{1f600}");
    assert_eq!(text.length(), 8);
    let list = CFArray::from_retained_objects(&[text]);
    assert_eq!(list.get(0).unwrap().to_string(), "Größe \u{1f600}");
    drop(list);
    mac.assert_balanced();
}

#[test]
fn a_leak_is_reported() {
    let mut mac = Mac::start(World::default());
    let _ = CFRetained::into_raw(CFString::from_str("forgotten"));
    let report = mac.report();
    assert_eq!(report.leaks.len(), 1, "{report:?}");
    assert!(report.leaks[0].contains("CFString \"forgotten\" retain count 1"), "{report:?}");
    assert!(report.faults.is_empty(), "{report:?}");
}

#[test]
fn an_over_release_is_reported() {
    let mut mac = Mac::start(World::default());
    let owner = CFString::from_str("twice");
    // SAFETY: none; a second owner of one reference is the mistake.
    let thief = unsafe { CFRetained::from_raw(CFRetained::as_ptr(&owner)) };
    drop(owner);
    drop(thief);
    let report = mac.report();
    assert!(report.leaks.is_empty(), "{report:?}");
    assert_eq!(report.faults.len(), 1, "{report:?}");
    assert!(report.faults[0].contains("CFRelease: use after free of"), "{report:?}");
}

#[test]
fn a_use_after_free_is_reported() {
    let mut mac = Mac::start(World::default());
    let text = CFString::from_str("gone");
    let address = CFRetained::as_ptr(&text);
    drop(text);
    // SAFETY: none; the reference is gone.
    let _ = unsafe { address.as_ref() }.length();
    let report = mac.report();
    assert!(report.faults[0].contains("CFStringGetLength: use after free of"), "{report:?}");
}

#[test]
fn a_wrong_type_is_reported() {
    let mut mac = Mac::start(World::default());
    let number = CFNumber::new_i32(1);
    // SAFETY: none; a number is taken for a string without a look at its type.
    let text = unsafe { CFRetained::cast_unchecked::<CFString>(number) };
    assert_eq!(text.length(), 0);
    drop(text);
    let report = mac.report();
    assert!(report.faults[0].contains("CFStringGetLength: not a string but CFNumber 1"), "{report:?}");
}

#[test]
fn the_address_of_a_wrapper_is_reported() {
    let mut mac = Mac::start(World::default());
    let text = CFString::from_str("here");
    // SAFETY: none; the address of the Rust handle is taken for the object that it points to.
    let wrong = unsafe { &*(&raw const text).cast::<CFString>() };
    assert_eq!(wrong.length(), 0);
    drop(text);
    let report = mac.report();
    assert!(report.faults[0].contains("CFStringGetLength: not an object"), "{report:?}");
}
