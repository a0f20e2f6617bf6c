//! Fingers that move: scrolling, sliding, swiping away, pinching, and pulling the shade.

use super::Phone;
use super::apps::Event;
use super::geometry::{Point, Rect};
use super::gesture::{FASTEST_FLING, Mode, SLOWEST_FLING};
use super::motion::Motion;
use super::toolkit::placed::Placed;
use super::toolkit::view::{Arrange, Axis, Content, Touch};
use super::tree::{RangeView, WindowKind};

/// How far the shade must be pulled to open.
const PULL: f32 = 48.0;
/// The part of its length a view must be dragged to be swiped away.
const SWIPE_PART: f32 = 0.35;
/// The closest fingers may come before they count as one point.
const CLOSEST: f32 = 1.0;

fn along(axis: Axis, point: Point) -> f32 {
    match axis {
        Axis::Horizontal => point.x,
        Axis::Vertical => point.y,
    }
}

/// The value of a slider at a place.
pub(crate) fn value_at(range: RangeView, bounds: Rect, x: f32) -> f32 {
    let part = (x - bounds.left as f32) / bounds.width().max(1) as f32;
    range.min + (range.max - range.min) * part.clamp(0.0, 1.0)
}

impl Phone {
    /// The finger has left the slop: decides what the gesture is.
    pub(crate) fn begin_drag(&mut self, start: Point, point: Point, slop: f32) {
        let by = Point::new(point.x - start.x, point.y - start.y);
        let axis = if by.x.abs() > by.y.abs() { Axis::Horizontal } else { Axis::Vertical };
        // Android takes the slop off the first movement.
        let step = slop * along(axis, by).signum();
        let grabbed = match axis {
            Axis::Horizontal => Point::new(start.x + step, start.y),
            Axis::Vertical => Point::new(start.x, start.y + step),
        };
        let forward = along(axis, by) < 0.0;
        let path = self.path_at(start);
        let inner_first = || path.iter().rev().copied();
        let own = inner_first().find_map(|placed| own_drag(placed, axis));
        let scroll = || {
            let able = inner_first().find_map(|placed| scroll_drag(placed, axis, Some(forward), grabbed));
            able.or_else(|| inner_first().find_map(|placed| scroll_drag(placed, axis, None, grabbed)))
        };
        let mode =
            own.or_else(scroll).or_else(|| (axis == Axis::Vertical && self.pulls()).then_some(Mode::Pulling));
        self.change_mode(mode.unwrap_or(Mode::Spent));
        self.drag(point, (start, 0.0));
    }

    /// Whether the gesture began where the shade can be pulled.
    fn pulls(&self) -> bool {
        let window = self.gesture.as_ref().map(|gesture| gesture.window);
        let surface = self.frame.iter().find(|surface| Some(surface.id) == window);
        surface.is_some_and(|surface| {
            matches!(surface.kind, WindowKind::StatusBar | WindowKind::NotificationShade)
        })
    }

    /// Follows the finger. `before` is where all fingers were, and how far apart.
    pub(crate) fn drag(&mut self, point: Point, before: (Point, f32)) {
        let Some(gesture) = &self.gesture else { return };
        let start = gesture.fingers.get(&gesture.first).map_or(point, |finger| finger.start);
        match gesture.mode {
            Mode::Pressing | Mode::Spent => {}
            Mode::Scrolling { tag, axis, from, grabbed } => {
                let offset = from - (along(axis, point) - along(axis, grabbed));
                self.ui.offsets.insert(tag, offset);
            }
            Mode::Sliding(tag) => {
                let slider = self.frame.iter().find_map(|surface| surface.root.find(tag));
                if let Some(Placed { view, bounds, .. }) = slider
                    && let Content::Slider(range) = view.content
                {
                    let value = value_at(range, *bounds, point.x);
                    self.dispatch(tag, Event::Slide(value));
                }
            }
            Mode::Swiping { tag, axis } => {
                self.ui.dragged = Some((tag, along(axis, point) - along(axis, start)));
            }
            Mode::Transforming(tag) => {
                let (middle, distance) = gesture.spread();
                let scale = if gesture.fingers.len() > 1 && before.1 > 0.0 {
                    distance.max(CLOSEST) / before.1.max(CLOSEST)
                } else {
                    1.0
                };
                let Some(placed) = self.frame.iter().find_map(|surface| surface.root.find(tag)) else {
                    return;
                };
                let center = placed.bounds.center();
                let event = Event::Transform {
                    scale,
                    middle: (before.0.x - center.x, before.0.y - center.y),
                    moved: (middle.x - before.0.x, middle.y - before.0.y),
                    room: (placed.bounds.width() as f32, placed.bounds.height() as f32),
                };
                self.dispatch(tag, event);
            }
            Mode::Pulling => {
                let pulled = point.y - start.y;
                if pulled.abs() > PULL * self.scale().0 {
                    self.change_mode(Mode::Spent);
                    self.pull_panel(pulled > 0.0);
                }
            }
        }
    }

    /// The finger has left: what moves may go on, what was dragged aside goes or comes back.
    pub(crate) fn end_drag(&mut self, velocity: Point) {
        let Some(gesture) = &self.gesture else { return };
        let scale = self.scale().0;
        let fast = |speed: f32| speed.abs() >= SLOWEST_FLING * scale;
        match gesture.mode {
            Mode::Scrolling { tag, axis, from, .. } => {
                let limit = FASTEST_FLING * scale;
                let speed = -along(axis, velocity).clamp(-limit, limit);
                let Some(placed) = self.frame.iter().find_map(|surface| surface.root.find(tag)) else {
                    return;
                };
                let Some(scrolled) = placed.scrolled else { return };
                let now = self.world.now;
                if placed.view.arrange == Arrange::Pager {
                    let to = page_after(from, scrolled.offset, fast(speed).then_some(speed), scrolled.page);
                    self.ui.motions.insert(tag, Motion::settle(scrolled.offset, to.min(scrolled.most), now));
                } else if fast(speed) {
                    let density = self.density() as f32;
                    let motion = Motion::fling(scrolled.offset, speed, scrolled.most, density, now);
                    self.ui.motions.insert(tag, motion);
                }
            }
            Mode::Swiping { tag, axis } => {
                let Some((_, by)) = self.ui.dragged.take() else { return };
                let Some(placed) = self.frame.iter().find_map(|surface| surface.root.find(tag)) else {
                    return;
                };
                let length = match axis {
                    Axis::Horizontal => placed.bounds.width(),
                    Axis::Vertical => placed.bounds.height(),
                };
                // Cards leave upwards only; notifications to either side.
                let allowed = axis == Axis::Horizontal || by < 0.0;
                let speed = along(axis, velocity);
                let thrown = fast(speed) && speed.signum() == by.signum();
                if allowed && (by.abs() > length as f32 * SWIPE_PART || thrown) {
                    self.dispatch(tag, Event::SwipedAway);
                }
            }
            _ => {}
        }
    }
}

/// A drag that is the view's own affair.
fn own_drag(placed: &Placed, axis: Axis) -> Option<Mode> {
    let tag = placed.view.tag?;
    match (&placed.view.content, placed.view.touch) {
        (Content::Slider(_), _) if axis == Axis::Horizontal => Some(Mode::Sliding(tag)),
        (_, Touch::Swipe(own)) if own == axis => Some(Mode::Swiping { tag, axis }),
        (_, Touch::Transform) => Some(Mode::Transforming(tag)),
        _ => None,
    }
}

/// A drag that scrolls this view: if it can go that way now, or (without a direction) if it can at all.
fn scroll_drag(placed: &Placed, axis: Axis, forward: Option<bool>, grabbed: Point) -> Option<Mode> {
    let scrolled = placed.scrolled.filter(|scrolled| scrolled.axis == axis)?;
    let able = match forward {
        Some(true) => scrolled.offset < scrolled.most,
        Some(false) => scrolled.offset > 0.0,
        None => scrolled.most > 0.0,
    };
    let tag = placed.view.tag.filter(|_| able)?;
    Some(Mode::Scrolling { tag, axis, from: scrolled.offset, grabbed })
}

/// The offset of the page a pager settles on.
fn page_after(from: f32, offset: f32, speed: Option<f32>, page: f32) -> f32 {
    let start = (from / page).round();
    let target = match speed {
        Some(speed) => start + speed.signum(),
        None => (offset / page).round(),
    };
    target.max(0.0) * page
}
