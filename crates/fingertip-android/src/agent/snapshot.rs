//! The agent's packed lists, unpacked into a snapshot.
//!
//! Pure. Whatever the numbers say, decoding ends: an index out of its list is an absent value, a list that
//! breaks off is an error. Which bit means what stands in the protocol.

use fingertip_core::{Flags, Node, Rect, Role, Screen, Snapshot, Value, Window, WindowKind};
use serde::Deserialize;

use crate::roles;

/// A screen on which something changed so short a time ago is still changing: Android reports what moves
/// every tenth of a second.
const SETTLED_AFTER_MS: u64 = 100;
/// The density assumed when the phone reports none.
const USUAL_DENSITY: u32 = 160;
/// Numbers a node has before those its bits announce.
const FIXED_NUMBERS: usize = 7;
/// The bits of the flags that the core model has too, in the same places.
const CORE_FLAGS: u16 = 0xfff;
/// The bit of `AccessibilityWindowInfo` for the window that gets the keys.
const WINDOW_FOCUSED: i64 = 1;
/// The bit for the window the user last touched.
const WINDOW_ACTIVE: i64 = 2;
/// The flag of a node that shows its hint.
const SHOWS_HINT: i64 = 4096;

/// The bits that say which values follow.
mod bit {
    pub(super) const CLASS: u32 = 0;
    pub(super) const TEXT: u32 = 1;
    pub(super) const DESCRIPTION: u32 = 2;
    pub(super) const HINT: u32 = 3;
    pub(super) const RESOURCE_ID: u32 = 4;
    pub(super) const STATE: u32 = 6;
    pub(super) const DRAWING_ORDER: u32 = 9;
    pub(super) const RANGE: u32 = 10;
    pub(super) const ACTIONS: u32 = 11;
    pub(super) const SELECTION: u32 = 12;
    pub(super) const SECRET_LENGTH: u32 = 13;
    pub(super) const VIEW: u32 = 14;
    pub(super) const VIRTUAL: u32 = 15;
    /// How many there are.
    pub(super) const COUNT: u32 = 16;
}

/// The reply to `snapshot`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Packed {
    snapshot: u64,
    quiet_ms: Option<u64>,
    width: Option<u32>,
    height: Option<u32>,
    density: Option<u32>,
    cut: Option<Box<str>>,
    strings: Vec<Box<str>>,
    ranges: Vec<[Option<f64>; 4]>,
    actions: Vec<(i64, Box<str>)>,
    action_sets: Vec<Vec<usize>>,
    windows: Vec<[i64; 12]>,
    nodes: Vec<i64>,
}

/// Where the user is: the window that has the focus, and its package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Front {
    pub(super) window: i64,
    pub(super) package: Box<str>,
}

/// The lists break off, or hold what cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the list of nodes breaks off")]
pub(super) struct BrokenOff;

impl Packed {
    /// The window in front.
    pub(super) fn front(&self) -> Option<Front> {
        let with = |flag: i64| self.windows.iter().find(|window| window[7] & flag != 0);
        let window = with(WINDOW_FOCUSED).or_else(|| with(WINDOW_ACTIVE))?;
        let package = self.string(window[9])?.into();
        Some(Front { window: window[0], package })
    }

    /// The windows alone.
    fn windows(&self) -> Vec<Window> {
        let front = self.front();
        self.windows.iter().map(|window| self.window(window, front.as_ref())).collect()
    }

    /// The windows that take touches or keys, topmost first.
    ///
    /// A modal window, such as a dialog or a menu, takes the touches beside it too. Android does not report what lies
    /// behind it, nor whether a window is modal, so where none is reported each window of an application may be the
    /// one; without such a window each of the system. They come last, all in one layer.
    pub(super) fn receivers(&self) -> Vec<Window> {
        let mut windows = self.windows();
        windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        let screen = self.screen().bounds();
        if windows.iter().any(|window| window.bounds.intersection(screen) == screen) {
            return windows;
        }
        let layer = windows.last().map_or(0, |lowest| lowest.layer.saturating_sub(1));
        let of_kind = |kind| windows.iter().filter(move |window| window.kind == kind);
        let mut beside: Vec<Window> = of_kind(WindowKind::Application).cloned().collect();
        if beside.is_empty() {
            beside = of_kind(WindowKind::System).cloned().collect();
        }
        for window in &mut beside {
            (window.bounds, window.layer) = (screen, layer);
        }
        windows.extend(beside);
        windows
    }

    /// The ids of actions that are the application's own, by their labels.
    pub(super) fn own_actions(&self) -> impl Iterator<Item = (&str, i64)> {
        self.actions.iter().map(|(id, name)| (&**name, *id))
    }

    /// The snapshot; `activity` is that of the window in front.
    pub(super) fn unpack(&self, activity: Option<&str>) -> Result<Snapshot, BrokenOff> {
        let screen = self.screen();
        let mut builder = Snapshot::builder(screen);
        builder.number(self.snapshot);
        if self.quiet_ms.is_some_and(|quiet| quiet < SETTLED_AFTER_MS) {
            builder.unsettled();
        }
        if let Some(why) = &self.cut {
            builder.cut(why);
        }
        let front = self.front();
        if let Some(front) = &front {
            builder.app(&front.package, activity.unwrap_or_default());
        }
        let mut numbers = Numbers(&self.nodes);
        for window in &self.windows {
            builder.window(self.window(window, front.as_ref()));
            let mut open = 0;
            for _ in 0..window[11] {
                let (depth, node) = self.node(window[0], &mut numbers)?;
                // A depth that leaps is a child all the same.
                while open > depth.max(0) {
                    builder.close();
                    open -= 1;
                }
                builder.open(node);
                open += 1;
            }
        }
        Ok(builder.finish())
    }

    fn screen(&self) -> Screen {
        let density = self.density.unwrap_or(USUAL_DENSITY);
        if let (Some(width), Some(height)) = (self.width, self.height) {
            return Screen { width, height, density };
        }
        let reach = |edge: usize| self.windows.iter().map(|window| window[edge]).max().unwrap_or_default();
        let side = |length: i64| u32::try_from(length).unwrap_or_default();
        Screen { width: side(reach(5)), height: side(reach(6)), density }
    }

    fn window(&self, numbers: &[i64; 12], front: Option<&Front>) -> Window {
        let mut window = Window::default();
        if let Some(kind) = roles::window_kind(&numbers[1].to_string()) {
            window.kind = kind;
        }
        window.layer = edge(numbers[2]);
        window.bounds = Rect::new(edge(numbers[3]), edge(numbers[4]), edge(numbers[5]), edge(numbers[6]));
        window.title = self.string(numbers[8]).map(Into::into);
        window.app = self.string(numbers[9]).map(Into::into);
        window.focused = front.is_some_and(|front| front.window == numbers[0]);
        window.handle = Some(numbers[0].to_string().into());
        window
    }

    fn node(&self, window: i64, numbers: &mut Numbers<'_>) -> Result<(i64, Node), BrokenOff> {
        let [present, depth, flags, left, top, right, bottom] = numbers.take::<FIXED_NUMBERS>()?;
        let mut node = Node::default().bounds(edge(left), edge(top), edge(right), edge(bottom));
        node.flags = Flags::from_bits_truncate(flags as u16 & CORE_FLAGS);
        let (mut view, mut part) = (None, None);
        for bit in (0..bit::COUNT).filter(|bit| present >> bit & 1 == 1) {
            let [value] = numbers.take()?;
            let text = || self.string(value).map(Into::into);
            match bit {
                bit::CLASS => node.class = text(),
                bit::TEXT => node.text = text(),
                bit::DESCRIPTION => node.description = text(),
                bit::HINT => node.hint = text(),
                bit::RESOURCE_ID => node.resource_id = text(),
                bit::STATE => node.value = text().map(Value::Text),
                bit::DRAWING_ORDER => node.drawing_order = edge(value),
                bit::RANGE => node.value = self.range(value).or(node.value),
                bit::ACTIONS => node.actions = self.action_names(value),
                bit::SELECTION => drop(numbers.take::<1>()?),
                bit::SECRET_LENGTH => node.secret_length = u32::try_from(value).ok(),
                bit::VIEW => view = Some(value),
                bit::VIRTUAL => part = Some(value),
                // The package of a node of another application, its pane, its error: the core model has no such.
                _ => {}
            }
        }
        if flags & SHOWS_HINT != 0 {
            node.text = None;
        }
        node.role = Role::from_android_class(node.class.as_deref().unwrap_or_default());
        node.handle = view.map(|view| match part {
            Some(part) => format!("{window}:{view}:{part}").into(),
            None => format!("{window}:{view}").into(),
        });
        Ok((depth, node))
    }

    fn string(&self, index: i64) -> Option<&str> {
        self.strings.get(usize::try_from(index).ok()?).map(AsRef::as_ref)
    }

    fn range(&self, index: i64) -> Option<Value> {
        let [_, minimum, maximum, current] = *self.ranges.get(usize::try_from(index).ok()?)?;
        Some(Value::Number { current: current?, minimum, maximum })
    }

    fn action_names(&self, set: i64) -> Box<[Box<str>]> {
        let set = usize::try_from(set).ok().and_then(|set| self.action_sets.get(set));
        set.into_iter().flatten().filter_map(|action| Some(self.actions.get(*action)?.1.clone())).collect()
    }
}

/// A coordinate, or another small number; what is beyond is as far as it goes.
fn edge(number: i64) -> i32 {
    number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// What is left of the flat list.
struct Numbers<'a>(&'a [i64]);

impl Numbers<'_> {
    fn take<const COUNT: usize>(&mut self) -> Result<[i64; COUNT], BrokenOff> {
        let (taken, rest) = self.0.split_first_chunk::<COUNT>().ok_or(BrokenOff)?;
        self.0 = rest;
        Ok(*taken)
    }
}

#[cfg(test)]
mod tests;
