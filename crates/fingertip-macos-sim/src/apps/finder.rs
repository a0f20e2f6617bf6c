//! A list of files: rows that are selected and opened, a sidebar, a search field, a menu on a secondary click.

use std::sync::Arc;

use crate::world::{App, Attribute, Item, Kind, LazyRows, Node};

/// The file manager.
#[must_use]
pub fn finder() -> App {
    let mut app = App::new("Finder", "com.apple.finder");
    let window = app.window("Documents", 420.0, 120.0, 600.0, 420.0);
    app.add(
        window,
        Node::text_field("")
            .with("AXSubrole", Attribute::text("AXSearchField"))
            .with("AXPlaceholderValue", Attribute::text("Search"))
            .frame(840.0, 124.0, 170.0, 20.0),
    );
    let sidebar = app.add(
        window,
        Node::new("AXOutline")
            .with("AXDescription", Attribute::text("sidebar"))
            .frame(420.0, 146.0, 140.0, 394.0),
    );
    for (place, name) in (0_u32..).zip(["Favorites", "Applications", "Documents", "Downloads"]) {
        let y = 146.0 + 24.0 * f64::from(place);
        let row = app.add(
            sidebar,
            Node::new("AXRow")
                .with("AXSubrole", Attribute::text("AXOutlineRow"))
                .with("AXSelected", Attribute::Bool(name == "Documents"))
                .settable("AXSelected")
                .frame(420.0, y, 140.0, 24.0)
                .kind(Kind::Row { open: None }),
        );
        app.add(row, Node::label(name).frame(424.0, y, 130.0, 24.0));
    }
    let rows = LazyRows {
        columns: 2,
        row_height: 22.0,
        open: Some(Arc::new(|world, pid| {
            let Some(app) = world.apps.get_mut(&pid) else { return };
            let row = app.notes.get("opened row").and_then(serde_json::Value::as_u64).unwrap_or_default();
            let window = app.window(&format!("File {row}.txt"), 460.0, 160.0, 300.0, 200.0);
            world.show_window(pid, window);
        })),
        ..LazyRows::new(40, |index| vec![format!("File {index}.txt"), format!("{} KB", index * 3 + 1)])
    };
    let area = app.add(window, Node::new("AXScrollArea").frame(560.0, 146.0, 460.0, 394.0));
    let list = app.add(
        area,
        Node::new("AXTable")
            .with("AXDescription", Attribute::text("list view"))
            .frame(560.0, 146.0, 450.0, 394.0)
            .kind(Kind::Rows(rows)),
    );
    app.menu_below(
        list,
        vec![
            Item::new("Open", None, |_, _| {}),
            Item::new("Get Info", None, |world, pid| {
                if let Some(app) = world.apps.get_mut(&pid) {
                    app.notes.insert("info".into(), true.into());
                }
            }),
        ],
    );
    app.add(
        area,
        Node::new("AXScrollBar")
            .with("AXOrientation", Attribute::text("AXVerticalOrientation"))
            .frame(1010.0, 146.0, 10.0, 394.0)
            .kind(Kind::ScrollBar { list }),
    );
    app.menu("File", vec![Item::new("New Finder Window", Some('N'), |_, _| {})]);
    app
}
