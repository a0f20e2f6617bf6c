//! Thousands of arbitrary steps: nothing panics, and the tree stays what a tree must be.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::phone::{KeyCode, NodeAction, NodeView, Phone, Profile, Rect, TouchAction, TouchEvent};

#[derive(Debug, Clone)]
enum Step {
    Touch(TouchAction, u32, f32, f32, u64),
    Tap(f32, f32),
    Key(u32, u32),
    Type(char),
    Wait(u64),
    Rotate(u8),
    Start(usize),
    Panel(u8),
    Node(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let action = prop_oneof![
        3 => Just(TouchAction::Down), 6 => Just(TouchAction::Move), 3 => Just(TouchAction::Up),
        1 => Just(TouchAction::Cancel)
    ];
    let keys = prop_oneof![Just(3), Just(4), Just(187), Just(66), Just(67), Just(61), Just(112), 0_u32..300];
    prop_oneof![
        8 => (action, 0_u32..3, -50_f32..2500.0, -50_f32..2500.0, 0_u64..80)
            .prop_map(|(action, pointer, x, y, wait)| Step::Touch(action, pointer, x, y, wait)),
        8 => (0_f32..1.0, 0_f32..1.0).prop_map(|(x, y)| Step::Tap(x, y)),
        3 => (keys, prop_oneof![Just(0_u32), Just(1), Just(0x1000)]).prop_map(|(code, meta)| Step::Key(code, meta)),
        2 => any::<char>().prop_map(Step::Type),
        2 => (0_u64..1500).prop_map(Step::Wait),
        1 => (0_u8..5).prop_map(Step::Rotate),
        1 => (0_usize..9).prop_map(Step::Start),
        1 => (0_u8..3).prop_map(Step::Panel),
        2 => (0_usize..500, 0_usize..8).prop_map(|(node, action)| Step::Node(node, action)),
    ]
}

fn apply(phone: &mut Phone, step: &Step) {
    let touch = |phone: &mut Phone, action, pointer, x, y| {
        let at = phone.now();
        phone.touch(TouchEvent { action, pointer, x, y, at });
    };
    match *step {
        Step::Touch(action, pointer, x, y, wait) => {
            phone.advance(phone.now() + wait);
            touch(phone, action, pointer, x, y);
        }
        Step::Tap(x, y) => {
            let (width, height) = phone.size();
            let (x, y) = (x * width as f32, y * height as f32);
            touch(phone, TouchAction::Down, 9, x, y);
            touch(phone, TouchAction::Up, 9, x, y);
        }
        Step::Key(code, meta) => phone.key(KeyCode(code), meta),
        Step::Type(character) => phone.type_char(character),
        Step::Wait(time) => phone.advance(phone.now() + time),
        Step::Rotate(4) => phone.free_rotation(),
        Step::Rotate(rotation) => phone.lock_rotation(rotation),
        Step::Start(index) => {
            let package = &phone.packages()[index];
            if let Some(activity) = package.launcher_activity {
                phone.start(&format!("{}/{activity}", package.name)).unwrap();
            }
        }
        Step::Panel(0) => phone.expand_notifications(),
        Step::Panel(1) => phone.expand_quick_settings(),
        Step::Panel(_) => phone.collapse_panels(),
        Step::Node(node, action) => {
            let keys: Vec<u64> =
                phone.windows().iter().flat_map(|window| window.root.walk()).map(|node| node.key).collect();
            let action = match action {
                0 => NodeAction::Click,
                1 => NodeAction::LongClick,
                2 => NodeAction::SetText("set 😀".into()),
                3 => NodeAction::ScrollForward,
                4 => NodeAction::ScrollBackward,
                5 => NodeAction::Focus,
                6 => NodeAction::ShowOnScreen,
                _ => NodeAction::SetSelection(1, 3),
            };
            phone.perform(keys[node % keys.len()], action);
        }
    }
}

fn check_node(node: &NodeView, clip: Rect, seen: bool) {
    if node.is_visible() {
        assert!(seen, "{} is seen in a parent that is not", node.class);
        assert!(!node.bounds.is_empty());
        assert!(clip.encloses(node.bounds), "{:?} outside {clip:?}", node.bounds);
    } else {
        assert!(node.bounds.is_empty());
    }
    for child in &node.children {
        check_node(child, node.bounds, node.is_visible());
    }
}

fn check(phone: &Phone) {
    let (width, height) = phone.size();
    let screen = Rect::new(0, 0, width as i32, height as i32);
    let mut keys = BTreeSet::new();
    let mut windows = BTreeSet::new();
    for window in phone.windows() {
        assert!(windows.insert(window.id), "window ids are unique");
        check_node(&window.root, screen, true);
        for node in window.root.walk() {
            assert!(keys.insert(node.key), "keys are unique: {node:?}");
        }
    }
    assert_eq!(phone.windows().iter().filter(|window| window.focused).count(), 1);
    for layer in phone.scene().layers {
        assert!(layer.items.iter().all(|item| !item.clip.is_empty() && screen.encloses(item.clip)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_steps_leave_a_sound_phone(steps in proptest::collection::vec(step(), 1..120)) {
        let mut phone = Phone::new(Profile::default());
        for step in &steps {
            apply(&mut phone, step);
            check(&phone);
        }
    }

    #[test]
    fn the_same_steps_make_the_same_phone(steps in proptest::collection::vec(step(), 1..40)) {
        let mut phones = [Phone::new(Profile::default()), Phone::new(Profile::default())];
        for phone in &mut phones {
            steps.iter().for_each(|step| apply(phone, step));
        }
        prop_assert_eq!(phones[0].windows(), phones[1].windows());
        prop_assert_eq!(phones[0].scene(), phones[1].scene());
        prop_assert_eq!(phones[0].logs(), phones[1].logs());
    }
}
