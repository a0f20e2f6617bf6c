//! A browser: an address field, a page with links, a field that ignores a new value, and a button that ignores its action.

use std::sync::Arc;

use crate::world::{Action, App, Attribute, Kind, Node};

/// The browser, under any name.
#[must_use]
pub fn safari(name: &str) -> App {
    let mut app = App::new(name, &format!("com.apple.{}", name.replace(' ', "")));
    let window = app.window("Example Domain", 60.0, 60.0, 900.0, 640.0);
    let toolbar = app.add(window, Node::new("AXToolbar").frame(60.0, 86.0, 900.0, 40.0));
    let mut address = Node::text_field("https://example.com/")
        .with("AXDescription", Attribute::text("smart search field"))
        .identifier("WEB_BROWSER_ADDRESS_AND_SEARCH_FIELD")
        .frame(260.0, 94.0, 400.0, 24.0);
    address.kind = Kind::Text {
        multiline: false,
        confirm: Some(Arc::new(|world, pid| {
            let Some(app) = world.apps.get_mut(&pid) else { return };
            let Some(field) = app.find("WEB_BROWSER_ADDRESS_AND_SEARCH_FIELD") else { return };
            let text = app.node(field).text();
            app.notes.insert("address".into(), text.into());
        })),
    };
    app.add(toolbar, address);
    let area = app.add(
        window,
        Node::new("AXWebArea")
            .title("Example Domain")
            .with("AXURL", Attribute::Url("https://example.com/".into()))
            .frame(60.0, 126.0, 900.0, 574.0),
    );
    let heading = app.add(
        area,
        Node::new("AXHeading")
            .title("Example Domain")
            .with("AXValue", Attribute::Int(1))
            .frame(80.0, 140.0, 400.0, 30.0),
    );
    app.add(heading, Node::label("Example Domain").frame(80.0, 140.0, 400.0, 30.0));
    app.add(area, Node::label("This domain is for use in examples.").frame(80.0, 180.0, 500.0, 20.0));
    app.add(
        area,
        Node::link("More information", "https://iana.org/", |world, pid| {
            if let Some(app) = world.apps.get_mut(&pid) {
                app.notes.insert("followed".into(), "More information".into());
            }
        })
        .frame(80.0, 210.0, 140.0, 20.0),
    );
    let mut name = Node::text_field("")
        .with("AXDescription", Attribute::text("Your name"))
        .frame(80.0, 250.0, 240.0, 24.0);
    name.ignores_value = true;
    app.add(area, name);
    let mut send = Node::button("Send", |world, pid| {
        if let Some(app) = world.apps.get_mut(&pid) {
            let count = app.notes.get("sent").and_then(serde_json::Value::as_u64).unwrap_or_default();
            app.notes.insert("sent".into(), (count + 1).into());
        }
        if let Some(status) = world.apps.get(&pid).and_then(|app| app.find("status")) {
            world.set(pid, status, "AXValue", Attribute::text("sent"));
        }
    })
    .frame(80.0, 290.0, 80.0, 24.0);
    send.answer = Action::Ignored;
    app.add(area, send);
    app.add(area, Node::label("not sent").identifier("status").frame(180.0, 290.0, 100.0, 24.0));
    app
}
