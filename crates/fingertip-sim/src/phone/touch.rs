//! From fingers to events: who is under them, and what they do there.

use super::Phone;
use super::apps::system::Panel;
use super::apps::{Event, Tag};
use super::drag::value_at;
use super::geometry::Point;
use super::gesture::{DOUBLE_TAP, DOUBLE_TAP_SLOP, Finger, Gesture, LastTap, Mode, TOUCH_SLOP, Target};
use super::input::{TouchAction, TouchEvent};
use super::profile::Millis;
use super::toolkit::placed::Placed;
use super::toolkit::text::to_real;
use super::toolkit::view::{Content, Touch};
use super::tree::{NodeFlags, WindowKind};

/// How far outside the screen a finger can be, in pixels.
const FARTHEST: f32 = 100_000.0;

impl Phone {
    pub(crate) fn touched(&mut self, event: TouchEvent) {
        if !self.awake || !event.x.is_finite() || !event.y.is_finite() {
            return;
        }
        let reach = |coordinate: f32| coordinate.clamp(-FARTHEST, FARTHEST);
        let point = Point::new(reach(event.x), reach(event.y));
        match event.action {
            TouchAction::Down => self.finger_down(event.pointer, point),
            TouchAction::Move => self.finger_move(event.pointer, point, event.at),
            TouchAction::Up => self.finger_up(event.pointer, point, event.at),
            TouchAction::Cancel => self.cancel_gesture(),
        }
    }

    /// Forgets the gesture without an effect.
    pub(crate) fn cancel_gesture(&mut self) {
        self.gesture = None;
        self.ui.pressed = None;
        self.ui.dragged = None;
    }

    fn finger_down(&mut self, pointer: u32, point: Point) {
        let now = self.world.now;
        // A finger that lands twice has left unseen: its gesture is over.
        if self.gesture.as_ref().is_some_and(|gesture| gesture.fingers.contains_key(&pointer)) {
            self.cancel_gesture();
        }
        if let Some(gesture) = &mut self.gesture {
            gesture.fingers.insert(pointer, Finger::new(now, point));
            if gesture.mode == Mode::Pressing {
                let first = gesture.fingers[&gesture.first].start;
                let picture = self.path_at(first).iter().find_map(|placed| transforms(placed));
                self.change_mode(picture.map_or(Mode::Spent, Mode::Transforming));
            }
            return;
        }
        let Some((window, dismiss)) = self.window_at(point) else { return };
        let mut gesture = Gesture {
            window,
            first: pointer,
            fingers: [(pointer, Finger::new(now, point))].into(),
            started: now,
            mode: Mode::Pressing,
            target: None,
        };
        if let Some(dismiss) = dismiss {
            gesture.mode = Mode::Spent;
            self.gesture = Some(gesture);
            return self.dispatch(dismiss, Event::Dismissed);
        }
        self.gesture = Some(gesture);
        let stopped = self.stop_motion_at(point);
        let target = self.path_at(point).iter().rev().find_map(|placed| target(placed));
        // A touch that stops a fling is no press.
        let target = target.filter(|_| !stopped);
        self.ui.pressed = target.map(|target| target.key);
        if let Some(gesture) = &mut self.gesture {
            gesture.target = target;
        }
    }

    /// The topmost window under a point; or, if the point is outside a modal one, what to notify.
    fn window_at(&self, point: Point) -> Option<(u32, Option<Tag>)> {
        for surface in self.frame.iter().rev().filter(|surface| surface.kind != WindowKind::Toast) {
            if surface.bounds.contains(point) {
                return Some((surface.id, None));
            }
            if surface.dismiss.is_some() {
                return Some((surface.id, surface.dismiss));
            }
        }
        None
    }

    /// The views under a point in the window the gesture began in.
    pub(crate) fn path_at(&self, point: Point) -> Vec<&Placed> {
        let window = self.gesture.as_ref().map(|gesture| gesture.window);
        let surface = self.frame.iter().find(|surface| Some(surface.id) == window);
        surface.map(|surface| surface.root.path_at(point)).unwrap_or_default()
    }

    fn stop_motion_at(&mut self, point: Point) -> bool {
        let tags: Vec<Tag> = self.path_at(point).iter().filter_map(|placed| placed.view.tag).collect();
        tags.iter().filter_map(|tag| self.ui.motions.remove(tag)).count() > 0
    }

    pub(crate) fn change_mode(&mut self, mode: Mode) {
        self.ui.pressed = None;
        if let Some(gesture) = &mut self.gesture {
            gesture.mode = mode;
        }
    }

    /// Speed follows the time an event was made for, as on Android, not the time at which it was dealt with.
    fn finger_move(&mut self, pointer: u32, point: Point, at: Millis) {
        let slop = TOUCH_SLOP * self.scale().0;
        let Some(gesture) = &mut self.gesture else { return };
        let before = gesture.spread();
        let Some(finger) = gesture.fingers.get_mut(&pointer) else { return };
        finger.go(at, point);
        let strayed = finger.start.distance(point) > slop;
        if gesture.mode == Mode::Pressing && strayed {
            let start = finger.start;
            self.begin_drag(start, point, slop);
        } else if pointer == gesture.first || matches!(gesture.mode, Mode::Transforming(_)) {
            self.drag(point, before);
        }
    }

    fn finger_up(&mut self, pointer: u32, point: Point, at: Millis) {
        let Some(gesture) = &mut self.gesture else { return };
        let Some(finger) = gesture.fingers.get(&pointer).cloned() else { return };
        let first = pointer == gesture.first;
        if gesture.mode == Mode::Pressing {
            let slop = TOUCH_SLOP * self.density() as f32 / 160.0;
            if finger.start.distance(point) <= slop {
                self.tap(point);
            }
        } else if first {
            self.end_drag(finger.velocity(at));
        }
        let Some(gesture) = &mut self.gesture else { return };
        gesture.fingers.remove(&pointer);
        if gesture.fingers.is_empty() {
            self.cancel_gesture();
        } else if first && !matches!(gesture.mode, Mode::Transforming(_)) {
            self.change_mode(Mode::Spent);
        }
    }

    fn tap(&mut self, point: Point) {
        let now = self.world.now;
        self.ui.pressed = None;
        let Some(Target { key, tag, .. }) = self.gesture.as_ref().and_then(|gesture| gesture.target) else {
            return;
        };
        let again = self.last_tap.take().is_some_and(|last| {
            last.tag == tag
                && now.saturating_sub(last.at) <= DOUBLE_TAP
                && last.point.distance(point) <= DOUBLE_TAP_SLOP * self.scale().0
        });
        self.click(key, Some(point));
        if again {
            self.double_tap(tag);
        } else {
            self.last_tap = Some(LastTap { tag, at: now, point });
        }
    }

    fn double_tap(&mut self, tag: Tag) {
        self.edit_field(tag, |editor| editor.select_word(editor.cursor()));
        self.dispatch(tag, Event::DoubleTap);
    }

    /// Clicks a view: a field takes the cursor to the point, a slider its value, others notify their app.
    pub(crate) fn click(&mut self, key: u64, point: Option<Point>) {
        let Some(placed) = self.find_key(key) else { return };
        let Some(tag) = placed.view.tag else { return };
        match (&placed.view.content, point) {
            (Content::Field { editor, .. }, _) => {
                let at =
                    point.zip(placed.text.as_ref()).map(|(point, text)| to_real(editor, text.byte_at(point)));
                let at = at.unwrap_or_else(|| editor.cursor());
                self.focus_view(tag);
                self.edit_field(tag, |editor| editor.place(at, false));
            }
            (Content::Slider(range), Some(point)) => {
                let value = value_at(*range, placed.bounds, point.x);
                self.dispatch(tag, Event::Slide(value));
            }
            _ if placed.view.flags.contains(NodeFlags::CLICKABLE) => self.dispatch(tag, Event::Click),
            _ => {}
        }
    }

    /// The press has lasted long enough.
    pub(crate) fn long_press(&mut self) {
        let Some(gesture) = &self.gesture else { return };
        let Some(target) = gesture.target else { return };
        let point = gesture.fingers.get(&gesture.first).map(|finger| finger.start);
        self.change_mode(Mode::Spent);
        self.long_click(target.key, point);
    }

    /// Long-clicks a view: a field selects the word, others notify their app.
    pub(crate) fn long_click(&mut self, key: u64, point: Option<Point>) {
        let Some(placed) = self.find_key(key) else { return };
        let Some(tag) = placed.view.tag else { return };
        if matches!(placed.view.content, Content::Field { .. }) {
            self.click(key, point);
            self.edit_field(tag, |editor| editor.select_word(editor.cursor()));
        } else {
            self.dispatch(tag, Event::LongClick);
        }
    }

    /// The view with this key, in whichever window.
    pub(crate) fn find_key(&self, key: u64) -> Option<&Placed> {
        self.frame.iter().flat_map(|surface| surface.root.walk()).find(|placed| placed.key == key)
    }

    /// The shade goes one step further down, or up.
    pub(crate) fn pull_panel(&mut self, down: bool) {
        self.system.panel = match (self.system.panel, down) {
            (Panel::Closed, true) => Panel::Notifications,
            (_, true) => Panel::QuickSettings,
            (_, false) => Panel::Closed,
        };
    }
}

/// What a press on this view would be for.
fn target(placed: &Placed) -> Option<Target> {
    let flags = placed.view.flags;
    let slider = matches!(placed.view.content, Content::Slider(_));
    let reacts = slider || flags.intersects(NodeFlags::CLICKABLE | NodeFlags::LONG_CLICKABLE);
    if !reacts || !flags.contains(NodeFlags::ENABLED) {
        return None;
    }
    let long_clickable = flags.contains(NodeFlags::LONG_CLICKABLE);
    placed.view.tag.map(|tag| Target { key: placed.key, tag, long_clickable })
}

fn transforms(placed: &Placed) -> Option<Tag> {
    (placed.view.touch == Touch::Transform).then_some(placed.view.tag).flatten()
}
