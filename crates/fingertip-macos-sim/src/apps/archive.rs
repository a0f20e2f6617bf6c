//! An archive of messages: a table of any length whose rows take long to make out of view.

use std::time::Duration;

use crate::world::{App, Attribute, Kind, LazyRows, Node};

/// What making a row costs where it can be seen, and where it cannot, as measured on a real table.
const COSTS: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(60));

/// The archive.
#[must_use]
pub fn archive(rows: u32) -> App {
    let mut app = App::new("Archive", "com.example.archive");
    let window = app.window("All Messages", 240.0, 100.0, 800.0, 600.0);
    let area = app.add(window, Node::new("AXScrollArea").frame(240.0, 130.0, 800.0, 570.0));
    let list = app.add(
        area,
        Node::new("AXTable")
            .with("AXDescription", Attribute::text("messages"))
            .frame(240.0, 130.0, 785.0, 570.0)
            .kind(Kind::Rows(LazyRows {
                columns: 2,
                visible_cost: COSTS.0,
                hidden_cost: COSTS.1,
                ..LazyRows::new(rows, |index| {
                    vec![format!("Message {index}"), format!("sender{}", index % 7)]
                })
            })),
    );
    app.add(
        area,
        Node::new("AXScrollBar")
            .with("AXOrientation", Attribute::text("AXVerticalOrientation"))
            .frame(1025.0, 130.0, 15.0, 570.0)
            .kind(Kind::ScrollBar { list }),
    );
    app
}
