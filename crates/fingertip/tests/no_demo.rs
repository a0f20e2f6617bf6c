//! A build without the demo phone: `cargo test -p fingertip --no-default-features --test no_demo`.
#![cfg(not(feature = "demo"))]

mod common;

use std::process::Command;

use common::no_adb;

/// What the program says on standard error.
fn said(arguments: &[&str]) -> String {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fingertip"));
    command.env("FINGERTIP_HOME", home.path()).env("ANDROID_ADB_SERVER_PORT", no_adb().to_string());
    String::from_utf8(command.args(arguments).output().expect("it runs").stderr).expect("text")
}

#[test]
fn asked_for_the_demo_phone_it_says_that_it_has_none() {
    for arguments in [
        &["sim"][..],
        &["devices", "--target", "demo"],
        &["doctor", "--self-test", "--target", "demo"],
        &["stdio", "--target", "android", "--target", "demo"],
    ] {
        let said = said(arguments);
        assert!(said.contains("this build has no demo phone; connect a phone"), "{arguments:?}: {said}");
    }
}

#[test]
fn without_a_phone_it_says_what_to_do() {
    let said = said(&["devices"]);
    assert!(said.contains("No device is attached. Connect an Android phone"), "{said}");
    assert!(!said.contains("demo"), "{said}");
}

#[cfg(not(feature = "desktop"))]
#[test]
fn asked_for_a_desktop_it_says_that_it_has_no_driver() {
    let said = said(&["devices", "--target", "desktop"]);
    assert!(
        said.contains("no driver for the target 'desktop'; build fingertip with the cargo feature"),
        "{said}"
    );
}
