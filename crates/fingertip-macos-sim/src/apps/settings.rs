//! Settings: switches, a slider, a choice, a pop-up button, a password, and values of kinds that are no strings.

use crate::world::{App, Attribute, Item, Kind, Node};

/// The settings of the system.
#[must_use]
pub fn settings() -> App {
    let mut app = App::new("System Settings", "com.apple.systempreferences");
    let window = app.window("Appearance", 200.0, 160.0, 520.0, 400.0);
    app.add(
        window,
        Node::check_box("Wi-Fi", true)
            .with("AXSubrole", Attribute::text("AXSwitch"))
            .frame(220.0, 200.0, 120.0, 24.0),
    );
    app.add(
        window,
        Node::check_box("Bluetooth", false)
            .with("AXSubrole", Attribute::text("AXSwitch"))
            .frame(220.0, 230.0, 120.0, 24.0),
    );
    app.add(window, Node::slider("Brightness", 0.5, 0.0, 1.0).frame(220.0, 260.0, 200.0, 20.0));
    let group = app.add(
        window,
        Node::new("AXRadioGroup")
            .with("AXDescription", Attribute::text("Appearance"))
            .frame(220.0, 290.0, 300.0, 24.0),
    );
    for (place, (name, on)) in (0_u32..).zip([("Light", true), ("Dark", false), ("Auto", false)]) {
        app.add(
            group,
            Node::new("AXRadioButton")
                .title(name)
                .with("AXValue", Attribute::Int(i64::from(on)))
                .kind(Kind::Radio)
                .frame(220.0 + 100.0 * f64::from(place), 290.0, 90.0, 24.0),
        );
    }
    let accent = app.add(
        window,
        Node::new("AXPopUpButton")
            .value("Blue")
            .with("AXDescription", Attribute::text("Accent color"))
            .kind(Kind::MenuOpener)
            .frame(220.0, 320.0, 120.0, 24.0),
    );
    let colours = ["Blue", "Green", "Red"];
    app.menu_below(
        accent,
        colours
            .into_iter()
            .map(|colour| {
                Item::new(colour, None, move |world, pid| {
                    world.set(pid, accent, "AXValue", Attribute::text(colour));
                })
            })
            .collect(),
    );
    app.add(
        window,
        Node::text_field("Mac")
            .with("AXDescription", Attribute::text("Computer name"))
            .frame(220.0, 350.0, 200.0, 22.0),
    );
    app.add(
        window,
        Node::secure_field("hunter2")
            .with("AXDescription", Attribute::text("Password"))
            .frame(220.0, 380.0, 200.0, 22.0),
    );
    app.add(
        window,
        Node::new("AXStaticText")
            .with("AXValue", Attribute::Attributed("Styled words".into()))
            .identifier("styled")
            .frame(220.0, 410.0, 200.0, 20.0),
    );
    app.add(
        window,
        Node::new("AXProgressIndicator")
            .with("AXValue", Attribute::Float(0.25))
            .with("AXDescription", Attribute::text("Storage"))
            .frame(220.0, 440.0, 200.0, 12.0),
    );
    app.add(
        window,
        Node::new("AXImage")
            .with("AXDescription", Attribute::text("Odd values"))
            .identifier("odd")
            .with("AXValue", Attribute::Data(vec![1, 2, 3]))
            .with("AXHelp", Attribute::Null)
            .with("AXTitle", Attribute::Fails(crate::ax_error::CANNOT_COMPLETE))
            .with("AXSelected", Attribute::text("not a boolean"))
            .with("AXURL", Attribute::Url("file:///odd".into()))
            .frame(220.0, 460.0, 32.0, 32.0),
    );
    app
}
