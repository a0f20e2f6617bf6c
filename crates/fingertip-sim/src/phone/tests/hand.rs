//! A hand that uses the phone: finds things in the tree, touches them there, and lets time pass.

use crate::phone::{
    KeyCode, Millis, NodeFlags, NodeView, Phone, Point, Profile, Rect, TouchAction, TouchEvent, WindowView,
};

/// A phone, and what its user can do.
pub(super) struct Hand {
    pub(super) phone: Phone,
}

impl Hand {
    pub(super) fn new() -> Self {
        Self { phone: Phone::new(Profile::default()) }
    }

    /// A phone with this activity in front.
    pub(super) fn with(component: &str) -> Self {
        let mut hand = Self::new();
        hand.phone.start(component).unwrap();
        hand
    }

    pub(super) fn calculator() -> Self {
        Self::with("com.android.calculator2/.Calculator")
    }

    pub(super) fn settings() -> Self {
        Self::with("com.android.settings/.Settings")
    }

    /// The node that satisfies `test` and can be seen, topmost window first.
    pub(super) fn find(&self, test: impl Fn(&NodeView) -> bool) -> Option<&NodeView> {
        let mut nodes = self.phone.windows().iter().flat_map(|window| window.root.walk());
        nodes.find(|node| node.is_visible() && test(node))
    }

    pub(super) fn by_text(&self, text: &str) -> &NodeView {
        let found = self.find(|node| node.text == text || node.content_desc == text);
        found.unwrap_or_else(|| panic!("no `{text}` among {:?}", self.texts()))
    }

    /// By the part of a resource id behind the slash.
    pub(super) fn by_id(&self, name: &str) -> &NodeView {
        let found = self.find(|node| node.resource_id.rsplit('/').next() == Some(name));
        found.unwrap_or_else(|| panic!("no id `{name}`"))
    }

    pub(super) fn shows(&self, text: &str) -> bool {
        self.find(|node| node.text == text || node.content_desc == text).is_some()
    }

    pub(super) fn texts(&self) -> Vec<String> {
        let nodes = self.phone.windows().iter().flat_map(|window| window.root.walk());
        let texts = nodes.filter(|node| node.is_visible()).flat_map(|node| [&node.text, &node.content_desc]);
        texts.filter(|text| !text.is_empty()).cloned().collect()
    }

    pub(super) fn window(&self, title: &str) -> Option<&WindowView> {
        self.phone.windows().iter().find(|window| window.title == title)
    }

    pub(super) fn wait(&mut self, time: Millis) {
        self.phone.advance(self.phone.now() + time);
    }

    pub(super) fn touch(&mut self, action: TouchAction, pointer: u32, point: Point) {
        let at = self.phone.now();
        self.phone.touch(TouchEvent { action, pointer, x: point.x, y: point.y, at });
    }

    pub(super) fn tap(&mut self, point: Point) {
        self.touch(TouchAction::Down, 0, point);
        self.wait(30);
        self.touch(TouchAction::Up, 0, point);
        // Far enough from the next tap that the two are not a double tap.
        self.wait(400);
    }

    pub(super) fn hold(&mut self, point: Point, time: Millis) {
        self.touch(TouchAction::Down, 0, point);
        self.wait(time);
        self.touch(TouchAction::Up, 0, point);
    }

    pub(super) fn tap_text(&mut self, text: &str) {
        self.tap(self.by_text(text).bounds.center());
    }

    pub(super) fn tap_id(&mut self, name: &str) {
        self.tap(self.by_id(name).bounds.center());
    }

    /// A drag of `time` milliseconds that stays still for `pause` before the finger leaves.
    pub(super) fn drag(&mut self, from: Point, to: Point, time: Millis, pause: Millis) {
        self.touch(TouchAction::Down, 0, from);
        let steps = (time / 10).max(1);
        for step in 1..=steps {
            self.wait(10);
            let part = step as f32 / steps as f32;
            let point = Point::new(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
            self.touch(TouchAction::Move, 0, point);
        }
        self.wait(pause);
        self.touch(TouchAction::Up, 0, to);
    }

    /// Scrolls the middle of `area` up by this many pixels, or as far as its height allows, ending still.
    pub(super) fn scroll(&mut self, area: Rect, by: f32) {
        let middle = area.center();
        let reach = area.height() as f32 * 0.9;
        let by = by.clamp(-reach, reach);
        let (from, to) = (middle.y + by / 2.0, middle.y - by / 2.0);
        self.drag(Point::new(middle.x, from), Point::new(middle.x, to), 300, 100);
    }

    /// Scrolls down in the list until a text is there.
    pub(super) fn scroll_to(&mut self, text: &str) {
        for _ in 0..40 {
            if self.shows(text) {
                return;
            }
            let area = self.find(|node| node.flags.contains(NodeFlags::SCROLLABLE)).unwrap().bounds;
            self.scroll(area, 900.0);
        }
        panic!("`{text}` is not in the list");
    }

    pub(super) fn key(&mut self, code: KeyCode) {
        self.phone.key(code, 0);
    }

    pub(super) fn type_text(&mut self, text: &str) {
        text.chars().for_each(|character| self.phone.type_char(character));
    }

    /// Two fingers move from `start` pixels apart to `end` pixels apart, about a point.
    pub(super) fn pinch(&mut self, middle: Point, start: f32, end: f32) {
        let at = |sign: f32, distance: f32| Point::new(middle.x + sign * distance / 2.0, middle.y);
        self.touch(TouchAction::Down, 0, at(-1.0, start));
        self.touch(TouchAction::Down, 1, at(1.0, start));
        for step in 1..=20 {
            self.wait(10);
            let distance = start + (end - start) * step as f32 / 20.0;
            self.touch(TouchAction::Move, 0, at(-1.0, distance));
            self.touch(TouchAction::Move, 1, at(1.0, distance));
        }
        self.touch(TouchAction::Up, 1, at(1.0, end));
        self.touch(TouchAction::Up, 0, at(-1.0, end));
    }
}
