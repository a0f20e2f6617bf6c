//! A calculator that calculates.

use crate::world::{App, Attribute, Node, NodeId, World};

/// Where its numbers stand.
const DISPLAY: &str = "display";

/// The calculator.
#[must_use]
pub fn calculator() -> App {
    let mut app = App::new("Calculator", "com.apple.calculator");
    let window = app.window("Calculator", 900.0, 300.0, 240.0, 320.0);
    app.add(
        window,
        Node::label("0")
            .identifier(DISPLAY)
            .with("AXDescription", Attribute::text("main display"))
            .frame(900.0, 330.0, 240.0, 50.0),
    );
    let keys = ["7", "8", "9", "/", "4", "5", "6", "*", "1", "2", "3", "-", "0", "C", "=", "+"];
    for (place, key) in (0_u32..).zip(keys) {
        let (row, column) = (f64::from(place / 4), f64::from(place % 4));
        let label = match key {
            "/" => "divide",
            "*" => "multiply",
            "-" => "subtract",
            "+" => "add",
            "=" => "equals",
            "C" => "clear",
            digit => digit,
        };
        app.add(
            window,
            Node::button(label, move |world, pid| press(world, pid, key)).frame(
                900.0 + 60.0 * column,
                390.0 + 55.0 * row,
                58.0,
                53.0,
            ),
        );
    }
    app
}

fn note(app: &App, name: &str) -> String {
    app.notes.get(name).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}

fn press(world: &mut World, pid: i32, key: &str) {
    let Some(app) = world.apps.get_mut(&pid) else { return };
    let Some(display) = app.find(DISPLAY) else { return };
    let mut entry = note(app, "entry");
    let mut result = None;
    match key {
        "C" => app.notes.clear(),
        "=" | "+" | "-" | "*" | "/" => {
            let number: f64 = entry.parse().unwrap_or(0.0);
            let before: f64 = note(app, "before").parse().unwrap_or(0.0);
            let total = match note(app, "operator").as_str() {
                "+" => before + number,
                "-" => before - number,
                "*" => before * number,
                "/" => before / number,
                _ => number,
            };
            app.notes.insert("before".into(), total.to_string().into());
            app.notes.insert("operator".into(), if key == "=" { "" } else { key }.into());
            app.notes
                .insert("entry".into(), if key == "=" { total.to_string() } else { String::new() }.into());
            result = Some(total.to_string());
        }
        digit => {
            entry.push_str(digit);
            app.notes.insert("entry".into(), entry.clone().into());
            result = Some(entry);
        }
    }
    show(world, pid, display, &result.unwrap_or_else(|| "0".to_owned()));
}

fn show(world: &mut World, pid: i32, display: NodeId, text: &str) {
    world.set(pid, display, "AXValue", Attribute::text(text));
}
