//! Right click, double click, hover, drag and scroll, at an element or a point.

use fingertip_core::gesture::{Amount, Gesture};
use fingertip_core::target::{Direction, Drag, Pointing};
use fingertip_core::test_support::{Event, sample, tree};
use fingertip_core::{Point, Rect, Snapshot};
use serde_json::json;

use super::bench;

/// Two applications side by side, and what else there is.
fn desk(further: &str) -> Snapshot {
    let text = r#"
screen 1000x600@96
handles lasting
window "Files" files [0,0,500,600] layer=1 focused pid=7
frame "Files" role=window @f0 [0,0,500,600]
  list "names" role=list @f1 [0,100,500,500] s
    list_item "a.txt" role=list_item @f2 [0,100,500,140] c
    list_item "b.txt" role=list_item @f3 [0,140,500,180] c
  push_button "Off" role=button @f4 [0,0,100,40] c -n
window "Bin" bin [500,0,1000,600] layer=1 pid=8
frame "Bin" role=window @b0 [500,0,1000,600]
  panel "Drop here" role=group @b1 [600,100,900,300] c
"#;
    tree(&format!("{}{further}", text.trim_start()))
}

const MENU: &str = r#"window files [100,100,300,300] layer=9 popup pid=7
menu_item "Open  " role=menu_item @m0 [100,100,300,130] c
menu_item "Rename" role=menu_item @m1 [100,130,300,160] c
"#;
const OTHER: &str = r#"window "Ask" other [0,0,1000,600] layer=5 pid=9
frame "Ask" role=window @o0 [0,0,1000,600]
"#;

#[tokio::test]
async fn a_right_click_goes_to_the_element_and_reports_the_menu_that_opened() {
    let bench = bench::desktop_showing(desk(""));
    let id = bench.id("a.txt").await;
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Point(Pointing::RightClick(_))) {
            state.snapshot = desk(MENU);
        }
    });
    let said = bench.text("right_click", json!({"element_id": id})).await;
    assert_eq!(
        said,
        format!("Right click performed on element '{id}'. A menu opened: \"Open\", \"Rename\".")
    );
    assert_eq!(bench.target.writes(), [Event::Point(Pointing::RightClick(Point::new(250.0, 120.0)))]);
}

#[tokio::test]
async fn what_is_disabled_covered_or_gone_is_not_pressed() {
    let bench = bench::desktop_showing(desk(""));
    let (off, row) = (bench.id("Off").await, bench.id("a.txt").await);
    for tool in ["right_click", "double_click"] {
        assert_eq!(bench.failure(tool, json!({"element_id": off})).await.0, "disabled");
    }
    assert_eq!(
        bench.text("hover", json!({"element_id": off})).await,
        format!("Hover performed on element '{off}'. No change was seen in its elements.")
    );
    bench.target.clear_events();
    bench.target.update(|state| state.snapshot = desk(OTHER));
    for tool in ["right_click", "double_click", "hover", "scroll"] {
        let mut arguments = json!({"element_id": row});
        if tool == "scroll" {
            arguments["direction"] = json!("down");
        }
        let (kind, text) = bench.failure(tool, arguments).await;
        assert_eq!(kind, "covered", "{text}");
        assert!(text.contains("Ask"), "{text}");
    }
    bench.target.update(|state| {
        state.snapshot = tree("window \"Files\" files [0,0,500,600] focused pid=7\nframe @f0 [0,0,500,600]");
    });
    assert_eq!(bench.failure("right_click", json!({"element_id": row})).await.0, "stale");
    assert_eq!(bench.failure("hover", json!({"element_id": "node_9999"})).await.0, "element_not_found");
    let presses = |event: &Event| matches!(event, Event::Point(_) | Event::Drag(_) | Event::Gesture(_));
    assert!(!bench.target.writes().iter().any(presses), "{:?}", bench.target.writes());
}

#[tokio::test]
async fn a_drag_is_dropped_on_the_element_that_is_meant_and_on_no_other() {
    let bench = bench::desktop_showing(desk(""));
    let row = bench.id("a.txt").await;
    let found = bench.json("find_elements", json!({"by": "text", "value": "Drop here", "app": 8})).await;
    let place = found["elements"][0]["id"].as_str().unwrap();
    let said = bench.text("drag", json!({"element_id": row, "to_element_id": place})).await;
    assert!(
        said.starts_with(&format!("Drag performed from element '{row}' to element '{place}'.")),
        "{said}"
    );
    let [Event::Drag(Drag { from, to, onto })] = &bench.target.writes()[..] else {
        panic!("{:?}", bench.target.writes())
    };
    assert_eq!((*from, *to), (Point::new(250.0, 120.0), Point::new(750.0, 200.0)));
    assert_eq!(onto.apps().collect::<Vec<_>>(), ["bin"]);
    // Another application comes up while the pointer is on its way.
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Drag(_)) {
            state.snapshot = desk(OTHER);
        }
    });
    let (kind, text) = bench.failure("drag", json!({"element_id": row, "to_element_id": place})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.contains("went back") && text.contains("\"other\""), "{text}");
}

#[tokio::test]
async fn the_wheel_turns_over_an_element_or_a_point() {
    let bench = bench::desktop_showing(desk(""));
    let row = bench.id("b.txt").await;
    let said = bench.text("scroll", json!({"direction": "down", "element_id": row})).await;
    assert_eq!(
        said,
        format!("Scroll down (medium) executed at element '{row}'; nothing moved, it may be at its end")
    );
    bench.target.on_event(|event, state| {
        if matches!(event, Event::Point(_)) {
            state.edit("Drop here", |node| node.bounds = Rect::new(600, 50, 900, 250));
        }
    });
    let arguments = json!({"direction": "up", "amount": "large", "x": 700, "y": 200});
    assert_eq!(bench.text("scroll", arguments).await, "Scroll up (large) executed at (700, 200)");
    let wheel =
        |x, y, direction, notches| Event::Point(Pointing::Wheel { at: Point::new(x, y), direction, notches });
    // Half of a list of 400 pixels; three quarters of a window of 600.
    let expected = [wheel(250.0, 160.0, Direction::Down, 2), wheel(700.0, 200.0, Direction::Up, 5)];
    assert_eq!(bench.target.writes(), expected);
}

#[tokio::test]
async fn a_phone_does_with_fingers_what_fingers_can() {
    let bench = bench::phone();
    let id = bench.id("Save").await;
    bench.text("double_click", json!({"element_id": id})).await;
    let [Event::Gesture(gesture)] = &bench.target.writes()[..] else { panic!("{:?}", bench.target.writes()) };
    let at = gesture.strokes()[0].start().at;
    assert_eq!(*gesture, Gesture::double_tap(at));
    let save = sample::phone();
    let node = save.node(fingertip_core::test_support::find(&save, "Save"));
    assert!(node.bounds.contains(at));
    bench.target.clear_events();
    bench.text("drag", json!({"element_id": id, "to_x": 500, "to_y": 900})).await;
    let [Event::Drag(Drag { from, to, .. })] = &bench.target.writes()[..] else { panic!() };
    assert_eq!((*from, *to), (at, Point::new(500.0, 900.0)));
    bench.target.clear_events();
    let row = bench.id("Ada Lovelace").await;
    bench.text("scroll", json!({"direction": "down", "amount": "small", "element_id": row})).await;
    let list = save.indices().find(|index| save.node(*index).is(fingertip_core::Flags::SCROLLABLE)).unwrap();
    let area = fingertip_core::hit::visible_part(&save, list);
    let expected = Gesture::scroll(area, Direction::Down, Amount::Small);
    assert_eq!(bench.target.writes(), [Event::Gesture(expected)]);
    let (kind, text) = bench.failure("scroll", json!({"direction": "down", "x": 500, "y": 10})).await;
    assert_eq!(kind, "action_failed", "{text}");
}

#[tokio::test]
async fn a_place_is_an_element_or_both_coordinates() {
    let bench = bench::desktop();
    for (tool, arguments, words) in [
        ("hover", json!({}), "Give 'element_id', or 'x' and 'y'."),
        ("hover", json!({"x": 5}), "Missing required parameter 'y'."),
        ("right_click", json!({"y": 5}), "Missing required parameter 'x'."),
        ("double_click", json!({"x": 5, "y": 5, "element_id": "node_0001"}), "not both"),
        ("drag", json!({"x": 5, "y": 5}), "Give 'to_element_id', or 'to_x' and 'to_y'."),
        ("drag", json!({"x": 5, "y": 5, "to_x": 5}), "Missing required parameter 'to_y'."),
        ("drag", json!({"x": 5, "y": 5, "to_x": 5, "to_y": 5000}), "'to_y' must be less than"),
        ("scroll", json!({"direction": "down", "x": 5}), "Missing required parameter 'y'."),
    ] {
        let (kind, text) = bench.failure(tool, arguments).await;
        assert_eq!(kind, "invalid_params", "{tool}: {text}");
        assert!(text.contains(words), "{tool}: {text}");
    }
    assert_eq!(bench.target.writes(), []);
}
