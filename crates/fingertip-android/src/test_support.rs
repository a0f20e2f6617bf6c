//! A scripted adb server for tests.

mod fake_adb;

pub(crate) use fake_adb::{FakeAdb, Reply};
