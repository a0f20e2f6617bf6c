//! Unpacking: the example of the protocol, every attribute, and rubbish.

use fingertip_core::WindowKind;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;

fn packed(json: Json) -> Packed {
    serde_json::from_value(json).expect("a reply")
}

fn whole() -> Json {
    json!({
        "snapshot": 17, "uptime_ms": 123_456, "quiet_ms": 840, "events": 52,
        "width": 1080, "height": 2400, "rotation": 0, "density": 420, "cut": null,
        "strings": ["android.widget.FrameLayout", "com.android.settings", "Settings", "Volume", "Loud",
            "android.widget.SeekBar", "com.android.settings:id/volume", "How loud", "of 15", "android.widget.EditText"],
        "ranges": [[0, 0.0, 15.0, 8.0]],
        "actions": [[16, "click"], [32, "long_click"], [2_131_362_000, "Archive"]],
        "action_sets": [[0], [0, 1, 2]],
        "windows": [[3, 1, 2, 0, 0, 1080, 2400, 3, 2, 1, 0, 3], [9, 3, 7, 0, 0, 1080, 63, 0, -1, -1, 3, 0]],
        "nodes": [
            1, 0, 65, 0, 0, 1080, 2400, 0,
            0b1100_1110_0101_1111, 1, 65 | 2, 0, 300, 1080, 450, 5, 3, 7, 8, 6, 4, 2, 0, 1, 1042, 7,
            0b0111_0000_0000_1001, 1, 65 | 32 | 2048 | 4096, 0, 450, 1080, 600, 9, 7, 0, 0, 4, 1043
        ]
    })
}

#[test]
fn every_attribute_of_the_core_model_is_unpacked() {
    let snapshot = packed(whole()).unpack(Some("com.android.settings.Settings")).unwrap();
    assert_eq!(snapshot.app.as_deref(), Some("com.android.settings"));
    assert_eq!(snapshot.activity.as_deref(), Some(".Settings"));
    assert_eq!(snapshot.screen, Screen { width: 1080, height: 2400, density: 420 });
    assert_eq!((snapshot.number, snapshot.settled), (Some(17), true));
    let [window, bar] = snapshot.windows() else { panic!("two windows") };
    assert_eq!(
        (window.title.as_deref(), window.kind, window.layer),
        (Some("Settings"), WindowKind::Application, 2)
    );
    assert!(window.focused && !bar.focused);
    assert_eq!((bar.kind, bar.handle.as_deref()), (WindowKind::System, Some("9")));
    let [root, slider, field] = snapshot.nodes() else { panic!("three nodes") };
    assert_eq!((root.class.as_deref(), root.handle.as_deref()), (Some("android.widget.FrameLayout"), None));
    assert_eq!(root.flags, Flags::VISIBLE | Flags::ENABLED);
    assert_eq!(slider.text.as_deref(), Some("Volume"));
    assert_eq!(slider.description.as_deref(), Some("How loud"));
    assert_eq!(slider.hint.as_deref(), Some("of 15"));
    assert_eq!(slider.resource_id.as_deref(), Some("com.android.settings:id/volume"));
    assert_eq!(slider.value, Some(Value::Number { current: 8.0, minimum: Some(0.0), maximum: Some(15.0) }));
    assert_eq!(slider.drawing_order, 2);
    assert_eq!(slider.bounds, Rect::new(0, 300, 1080, 450));
    assert!(slider.is(Flags::CLICKABLE));
    assert_eq!(
        slider.actions.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
        ["click", "long_click", "Archive"]
    );
    assert_eq!(slider.handle.as_deref(), Some("3:1042:7"));
    assert_eq!(slider.role, Role::from_android_class("android.widget.SeekBar"));
    assert!(field.is(Flags::PASSWORD | Flags::EDITABLE));
    assert_eq!((field.secret_length, field.hint.as_deref()), (Some(4), Some("How loud")));
    assert_eq!((field.text.as_deref(), field.handle.as_deref()), (None, Some("3:1043")));
}

#[test]
fn a_screen_that_has_just_changed_is_not_settled() {
    let mut reply = whole();
    reply["quiet_ms"] = json!(20);
    assert!(!packed(reply).unpack(None).unwrap().settled);
    let mut never = whole();
    never["quiet_ms"] = Json::Null;
    assert!(packed(never).unpack(None).unwrap().settled);
}

#[test]
fn a_phone_that_does_not_report_its_size_is_as_large_as_its_windows() {
    let mut reply = whole();
    reply["width"] = Json::Null;
    let screen = packed(reply).unpack(None).unwrap().screen;
    assert_eq!((screen.width, screen.height), (1080, 2400));
}

#[test]
fn a_list_that_breaks_off_is_an_error() {
    let mut reply = whole();
    reply["nodes"].as_array_mut().unwrap().pop();
    assert_eq!(packed(reply).unpack(None), Err(BrokenOff));
}

proptest! {
    #[test]
    fn rubbish_is_unpacked_or_refused_and_never_panics(
        nodes in prop::collection::vec(any::<i64>(), 0..120),
        windows in prop::collection::vec(prop::array::uniform12(any::<i64>()), 0..4),
        sets in prop::collection::vec(prop::collection::vec(any::<usize>(), 0..4), 0..3),
    ) {
        let packed = Packed { nodes, windows, action_sets: sets, strings: vec!["a".into()], ..Packed::default() };
        if let Ok(snapshot) = packed.unpack(None) {
            prop_assert!(snapshot.nodes().len() <= packed.nodes.len());
        }
    }

    #[test]
    fn small_rubbish_keeps_the_tree_whole(
        nodes in prop::collection::vec(-2_i64..9, 0..200),
        count in 0_i64..20,
    ) {
        let windows = vec![[1, 1, 1, 0, 0, 9, 9, 1, 0, 0, 0, count]];
        let packed = Packed { nodes, windows, strings: vec!["a".into()], ..Packed::default() };
        if let Ok(snapshot) = packed.unpack(Some("b")) {
            prop_assert_eq!(snapshot.nodes().len() as i64, count);
            for index in snapshot.indices() {
                prop_assert!(snapshot.parent(index).is_none_or(|parent| parent < index));
            }
        }
    }

    #[test]
    fn no_bytes_panic_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(packed) = serde_json::from_slice::<Packed>(&bytes) {
            let _ = packed.unpack(None);
        }
    }
}
