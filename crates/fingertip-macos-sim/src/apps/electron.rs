//! An Electron application: its page has no tree until it is asked for, and then some time later.

use std::time::Duration;

use crate::world::{App, Attribute, Chromium, Node};

/// How long the tree takes after it was asked for.
const DELAY: Duration = Duration::from_millis(1500);

/// The application.
#[must_use]
pub fn electron() -> App {
    let mut app = App::new("Code", "com.example.code");
    let window = app.window("main.rs", 120.0, 100.0, 800.0, 560.0);
    let group = app.add(window, Node::new("AXGroup").frame(120.0, 128.0, 800.0, 532.0));
    let area = app.add(
        group,
        Node::new("AXWebArea")
            .title("main.rs")
            .with("AXDOMIdentifier", Attribute::text(""))
            .frame(120.0, 128.0, 800.0, 532.0),
    );
    app.add(
        area,
        Node::button("Run", |world, pid| {
            if let Some(app) = world.apps.get_mut(&pid) {
                app.notes.insert("ran".into(), true.into());
            }
        })
        .frame(140.0, 140.0, 60.0, 24.0),
    );
    app.add(
        area,
        Node::text_area("fn main() {}")
            .with("AXDescription", Attribute::text("editor"))
            .frame(140.0, 180.0, 600.0, 400.0),
    );
    app.chromium = Some(Chromium {
        wake_attribute: "AXManualAccessibility",
        delay: DELAY,
        denies: false,
        web_area: area,
        woken: None,
        times_woken: 0,
    });
    app
}
