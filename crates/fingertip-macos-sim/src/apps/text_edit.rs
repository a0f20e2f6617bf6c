//! A text editor: a page, a toolbar, menus, a sheet for saving, and a second window that is minimized.

use crate::world::{App, Attribute, Item, Node, NodeId, World};

/// The editor.
#[must_use]
pub fn text_edit() -> App {
    let mut app = App::new("TextEdit", "com.apple.TextEdit");
    let other = app.window("Notes.txt", 300.0, 200.0, 400.0, 300.0);
    app.node_mut(other).attributes.insert("AXMinimized".into(), Attribute::Bool(true));
    app.add(other, Node::text_area("old notes").frame(300.0, 230.0, 400.0, 270.0));

    let window = app.window("Untitled", 100.0, 80.0, 640.0, 480.0);
    let toolbar = app.add(window, Node::new("AXToolbar").frame(100.0, 106.0, 640.0, 40.0));
    app.add(toolbar, Node::check_box("Bold", false).frame(110.0, 112.0, 60.0, 28.0));
    app.add(
        toolbar,
        Node::button("Save", move |world, pid| save_sheet(world, pid, window))
            .identifier("save-button")
            .frame(180.0, 112.0, 80.0, 28.0),
    );
    app.add(
        toolbar,
        Node::button("Share", |_, _| {})
            .frame(270.0, 112.0, 80.0, 28.0)
            .with("AXEnabled", Attribute::Bool(false))
            .with("AXHelp", Attribute::text("Nothing to share yet")),
    );
    let scroll = app.add(window, Node::new("AXScrollArea").frame(100.0, 146.0, 640.0, 414.0));
    let page = app.add(
        scroll,
        Node::text_area("hello").identifier("First Text View").frame(100.0, 146.0, 640.0, 414.0),
    );
    app.focused = Some(page);
    app.menu(
        "File",
        vec![
            Item::new("New", Some('N'), |world, pid| {
                let Some(app) = world.apps.get_mut(&pid) else { return };
                let window = app.window("Untitled 2", 160.0, 140.0, 480.0, 320.0);
                let page = app.add(window, Node::text_area("").frame(160.0, 170.0, 480.0, 290.0));
                world.show_window(pid, window);
                world.focus(pid, page);
            }),
            Item::new("Save\u{2026}", Some('S'), move |world, pid| save_sheet(world, pid, window)),
        ],
    );
    app.menu(
        "Format",
        vec![Item::new("Make Plain Text", None, |world, pid| {
            if let Some(app) = world.apps.get_mut(&pid) {
                app.notes.insert("plain".into(), true.into());
            }
        })],
    );
    app
}

fn save_sheet(world: &mut World, pid: i32, window: NodeId) {
    let Some(frame) = world.apps.get(&pid).and_then(|app| app.nodes.get(&window)?.frame) else { return };
    let (x, y) = (frame.x + 60.0, frame.y + 50.0);
    world.show_sheet(pid, window, |app, sheet| {
        app.add(sheet, Node::label("Save As:").frame(x, y, 70.0, 22.0));
        let name = app.add(
            sheet,
            Node::text_field("Untitled").with("AXDescription", Attribute::text("save as")).frame(
                x + 80.0,
                y,
                240.0,
                22.0,
            ),
        );
        app.add(
            sheet,
            Node::button("Cancel", move |world, pid| world.end_sheet(pid, window)).frame(
                x,
                y + 60.0,
                80.0,
                24.0,
            ),
        );
        app.add(
            sheet,
            Node::button("Save", move |world, pid| {
                if let Some(app) = world.apps.get_mut(&pid) {
                    let text = app.node(name).text();
                    app.notes.insert("saved as".into(), text.into());
                }
                world.end_sheet(pid, window);
            })
            .identifier("confirm-save")
            .frame(x + 100.0, y + 60.0, 80.0, 24.0),
        );
        app.focused = Some(name);
    });
}
