//! The windows on the screen, as the window server lists them, and the size of the screen.
//!
//! The list knows every window of every process, without a message to any of them; titles only with the permission to see the
//! screen. Which of them is which window of an accessibility tree is reported by title and place ([`fingertip_desktop::windows`]).
#![allow(unsafe_code, reason = "reads the untyped dictionaries of the window list")]

use fingertip_core::{Rect, Screen, WindowKind};
use fingertip_desktop::ListedWindow;

use crate::bindings::cf::{CFArray, CFBoolean, CFDictionary, CFNumber, CFRetained, CFString, CFType};
use crate::bindings::cg::{
    CGDisplayBounds, CGMainDisplayID, CGWindowListCopyWindowInfo, CGWindowListOption, kCGNullWindowID,
    kCGWindowAlpha, kCGWindowBounds, kCGWindowIsOnscreen, kCGWindowLayer, kCGWindowName, kCGWindowNumber,
    kCGWindowOwnerPID,
};
use crate::value;

/// The most windows that are read.
const MOST_WINDOWS: usize = 2_000;
/// Dots per inch of a screen whose places are reported in points.
const DENSITY: u32 = 72;
/// Windows on this level and above are menus, panels of the system and the like: no window manager moves them.
const PANELS: i64 = 20;
/// The level of the menu bar.
const MENU_BAR: i64 = 24;
/// What is smaller than this on both sides is no window of interest, off the screen.
const SMALL: i32 = 40;

/// A window as the window server lists it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScreenWindow {
    pub(crate) id: u32,
    pub(crate) pid: i32,
    /// Its title; `None` without the permission to see the screen.
    pub(crate) title: Option<Box<str>>,
    pub(crate) bounds: Rect,
    /// The level it lies on: zero for ordinary windows.
    pub(crate) level: i64,
    pub(crate) on_screen: bool,
    /// Whether it is drawn at all.
    pub(crate) is_drawn: bool,
}

impl ScreenWindow {
    /// Whether it is the menu bar, which the window server draws for the application in front.
    fn is_menu_bar(&self) -> bool {
        self.level == MENU_BAR
    }
}

/// All windows, those on the screen first, from front to back.
pub(crate) fn windows() -> Vec<ScreenWindow> {
    let mut all = copied(CGWindowListOption::OptionOnScreenOnly | CGWindowListOption::ExcludeDesktopElements);
    // Only the list of what is on the screen is in order; the other one adds what is minimized or on another desktop.
    let hidden = copied(CGWindowListOption::OptionAll | CGWindowListOption::ExcludeDesktopElements);
    let is_new = |window: &ScreenWindow| !window.on_screen && window.level == 0 && !is_small(window.bounds);
    let shown: std::collections::HashSet<u32> = all.iter().map(|window| window.id).collect();
    all.extend(hidden.into_iter().filter(|window| is_new(window) && !shown.contains(&window.id)));
    all.truncate(MOST_WINDOWS);
    all
}

/// The size of the main display.
pub(crate) fn screen() -> Screen {
    let area = main_display();
    let side = |length: i32| u32::try_from(length).unwrap_or_default();
    Screen { width: side(area.width()), height: side(area.height()), density: DENSITY }
}

/// The place of the main display.
pub(crate) fn main_display() -> Rect {
    let bounds = CGDisplayBounds(CGMainDisplayID());
    value::rect((bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height))
}

/// The owner of the topmost ordinary window.
pub(crate) fn topmost_owner(windows: &[ScreenWindow]) -> Option<i32> {
    windows
        .iter()
        .find(|window| window.on_screen && window.level == 0 && window.is_drawn)
        .map(|window| window.pid)
}

/// The windows as all desktops know them. `front` is the application in front: its topmost ordinary window has the keyboard,
/// and the menu bar is its own.
pub(crate) fn listed(windows: &[ScreenWindow], front: Option<i32>, display: Rect) -> Vec<ListedWindow> {
    let active = windows
        .iter()
        .find(|window| {
            Some(window.pid) == front && window.on_screen && window.level < PANELS && window.is_drawn
        })
        .map(|window| window.id);
    let count = windows.len();
    let shown = windows.iter().enumerate().filter(|(_, window)| window.is_drawn && !is_veil(window, display));
    shown
        .map(|(position, window)| {
            let owner = if window.is_menu_bar() { front.unwrap_or(window.pid) } else { window.pid };
            ListedWindow {
                id: window.id,
                pid: u32::try_from(owner).ok(),
                title: window.title.as_deref().unwrap_or_default().to_owned(),
                bounds: window.bounds,
                frame: window.bounds,
                active: Some(window.id) == active,
                minimized: !window.on_screen,
                layer: i32::try_from(count - position).unwrap_or(i32::MAX),
                kind: kind(window),
                unmanaged: window.level >= PANELS,
                ..ListedWindow::default()
            }
        })
        .collect()
}

fn kind(window: &ScreenWindow) -> WindowKind {
    match window.level {
        MENU_BAR => WindowKind::System,
        level if level >= PANELS => WindowKind::Popup,
        _ => WindowKind::Application,
    }
}

/// Whether it lies over the whole screen without being a window: the Dock and the notification center have such, through
/// which clicks fall.
fn is_veil(window: &ScreenWindow, display: Rect) -> bool {
    window.level >= PANELS && !display.is_empty() && window.bounds.intersection(display) == display
}

fn is_small(area: Rect) -> bool {
    area.width() < SMALL && area.height() < SMALL
}

fn copied(option: CGWindowListOption) -> Vec<ScreenWindow> {
    let Some(list) = CGWindowListCopyWindowInfo(option, kCGNullWindowID) else { return Vec::new() };
    // SAFETY: documented to be an array of dictionaries with strings as keys; each value is asked for its type.
    let list = unsafe { CFRetained::cast_unchecked::<CFArray<CFDictionary<CFString, CFType>>>(list) };
    list.iter().take(MOST_WINDOWS).filter_map(|entry| window(&entry)).collect()
}

type Entry = CFDictionary<CFString, CFType>;

fn window(entry: &Entry) -> Option<ScreenWindow> {
    // SAFETY: the statics are strings that live as long as the process.
    let [number, owner, name, layer, bounds, on_screen, alpha] = unsafe {
        [
            kCGWindowNumber,
            kCGWindowOwnerPID,
            kCGWindowName,
            kCGWindowLayer,
            kCGWindowBounds,
            kCGWindowIsOnscreen,
            kCGWindowAlpha,
        ]
    };
    let place = entry.get(bounds)?.downcast::<CFDictionary>().ok()?;
    // SAFETY: a dictionary of strings and numbers, by its documentation; each value is asked for its type.
    let place = unsafe { CFRetained::cast_unchecked::<Entry>(place) };
    let side = |key: &'static str| real(&place, &CFString::from_static_str(key));
    let title = entry.get(name).and_then(|title| title.downcast::<CFString>().ok());
    let shown = entry.get(on_screen).and_then(|shown| shown.downcast::<CFBoolean>().ok());
    Some(ScreenWindow {
        id: u32::try_from(whole(entry, number)?).ok()?,
        pid: i32::try_from(whole(entry, owner)?).ok()?,
        title: title.map(|title| value::bounded(&title)),
        bounds: value::rect((side("X")?, side("Y")?, side("Width")?, side("Height")?)),
        level: whole(entry, layer).unwrap_or_default(),
        on_screen: shown.is_some_and(|shown| shown.as_bool()),
        is_drawn: real(entry, alpha).is_none_or(|alpha| alpha > 0.0),
    })
}

fn whole(entry: &Entry, key: &CFString) -> Option<i64> {
    entry.get(key)?.downcast::<CFNumber>().ok()?.as_i64()
}

fn real(entry: &Entry, key: &CFString) -> Option<f64> {
    entry.get(key)?.downcast::<CFNumber>().ok()?.as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISPLAY: Rect = Rect::new(0, 0, 1440, 900);

    fn at(id: u32, pid: i32, level: i64, bounds: Rect) -> ScreenWindow {
        ScreenWindow { id, pid, title: None, bounds, level, on_screen: true, is_drawn: true }
    }

    #[test]
    fn the_topmost_ordinary_window_of_the_application_in_front_is_active() {
        let windows = [
            at(9, 1, MENU_BAR, Rect::new(0, 0, 1440, 24)),
            at(1, 20, 0, Rect::new(0, 50, 400, 400)),
            at(2, 30, 0, Rect::new(10, 60, 500, 500)),
            at(3, 30, 0, Rect::new(20, 70, 500, 500)),
        ];
        let listed = listed(&windows, Some(30), DISPLAY);
        let active: Vec<u32> = listed.iter().filter(|window| window.active).map(|window| window.id).collect();
        assert_eq!(active, [2]);
        assert_eq!(
            (listed[0].pid, listed[0].kind),
            (Some(30), WindowKind::System),
            "the menu bar is its own"
        );
        assert!(listed[1].layer > listed[2].layer);
    }

    #[test]
    fn what_is_not_drawn_or_lies_over_all_takes_no_click() {
        let mut clear = at(2, 20, 0, DISPLAY);
        clear.is_drawn = false;
        let windows = [at(1, 10, 25, DISPLAY), clear, at(3, 30, 0, DISPLAY)];
        let ids: Vec<u32> = listed(&windows, None, DISPLAY).iter().map(|window| window.id).collect();
        assert_eq!(ids, [3], "an ordinary window that fills the screen is one");
        assert_eq!(topmost_owner(&windows), Some(30));
    }
}
