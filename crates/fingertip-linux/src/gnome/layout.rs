//! Which windows there are and where: what applications tell of theirs, joined with the surfaces that the shell shows.
//!
//! A surface says nothing of whose it is. It is taken for a window when its size fits that window and no other one, and no
//! other surface fits the window: see [`crate::place::margin`]. What is not certain has no place, and nothing is aimed at it.
//! A surface that nobody accounts for is a popup or a window of an application without an accessibility tree.
//!
//! Which window has the keyboard is what its application says of it; only one may say so.

use fingertip_core::{Point, Rect};
use fingertip_desktop::windows::Edges;
use fingertip_desktop::{ListedWindow, TopWindow};

use super::shell::Scene;
use crate::place::{margin, shadow};
use crate::toolkit::Toolkit;

/// A window as its application tells of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub(super) id: u32,
    pub(super) pid: Option<u32>,
    pub(super) toolkit: Toolkit,
    pub(super) top: TopWindow,
}

/// What is on the screen.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) screen: Rect,
    /// The windows, the lowest first; one without a place comes before all others.
    pub(super) windows: Vec<ListedWindow>,
    /// The surfaces, the lowest first.
    surfaces: Vec<Surface>,
    scene: Scene,
}

#[derive(Debug)]
struct Surface {
    place: Rect,
    /// What surely takes the pointer: around it may be a shadow, which lets it through.
    inner: Rect,
    window: Option<u32>,
}

/// Whom a press or a key reaches.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reached<'a> {
    Window(&'a ListedWindow),
    /// The background.
    Nobody,
    /// Something else may take it.
    Unknown(&'static str),
}

impl Layout {
    /// Joins what the shell shows with what applications tell.
    pub(super) fn new(scene: Scene, told: &[Told]) -> Self {
        let fits = |surface: Rect, told: &Told| margin(told.toolkit, told.top.reported, surface).is_some();
        let sole =
            |matches: &mut dyn Iterator<Item = usize>| matches.next().filter(|_| matches.next().is_none());
        let owner = |surface: Rect| {
            let of_it = sole(&mut (0..told.len()).filter(|&position| fits(surface, &told[position])))?;
            sole(&mut (0..scene.surfaces.len()).filter(|&other| fits(scene.surfaces[other], &told[of_it])))?;
            Some(of_it)
        };
        let owners: Vec<Option<usize>> = scene.surfaces.iter().map(|&surface| owner(surface)).collect();
        let mut surfaces = Vec::new();
        for (&place, owner) in scene.surfaces.iter().zip(&owners) {
            let told = owner.map(|position| &told[position]);
            let shadow = told.and_then(|told| shadow(told.toolkit, told.top.reported, place, scene.screen));
            let inner = shadow.map_or(place, |shadow| without(place, shadow));
            surfaces.push(Surface { place, inner, window: told.map(|told| told.id) });
        }
        let mut windows = Vec::new();
        for (position, told) in told.iter().enumerate() {
            let layer = owners.iter().position(|owner| *owner == Some(position));
            let surface = layer.map(|layer| &surfaces[layer]);
            windows.push(ListedWindow {
                id: told.id,
                pid: told.pid,
                title: told.top.title.to_string(),
                bounds: surface.map_or_else(Rect::default, |surface| surface.place),
                frame: surface.map_or_else(Rect::default, |surface| surface.inner),
                active: told.top.active,
                // Where none of the surfaces could be its own, it is on none of them.
                minimized: !scene.surfaces.iter().any(|&surface| fits(surface, told)),
                layer: layer.map_or(-1, |layer| i32::try_from(layer).unwrap_or(i32::MAX)),
                kind: told.top.kind,
                modal: told.top.modal,
                ..ListedWindow::default()
            });
        }
        windows.sort_by_key(|window| window.layer);
        Self { screen: scene.screen, windows, surfaces, scene }
    }

    /// The window of this number.
    pub(super) fn window(&self, id: u32) -> Option<&ListedWindow> {
        self.windows.iter().find(|window| window.id == id)
    }

    /// Whether windows are shown as they are, rather than the overview or the lock of the screen.
    pub(super) fn shows_windows(&self) -> bool {
        self.scene.shows_windows
    }

    /// Whether nothing of the shell itself has the keyboard.
    pub(super) fn leaves_keyboard(&self) -> bool {
        self.scene.leaves_keyboard
    }

    /// Whom a key reaches.
    pub(super) fn keyboard(&self) -> Reached<'_> {
        if !self.scene.leaves_keyboard {
            return Reached::Unknown(
                "GNOME itself has the keyboard: its overview, a dialog or the lock of the screen",
            );
        }
        let mut active = self.windows.iter().filter(|window| window.active);
        match (active.next(), active.next()) {
            (Some(window), None) => Reached::Window(window),
            (None, _) => Reached::Unknown("no application says that one of its windows has the keyboard"),
            (Some(_), Some(_)) => Reached::Unknown("several windows say that they have the keyboard"),
        }
    }

    /// All whom a press at a place may reach: the topmost one, and where that has a shadow what lies below.
    pub(super) fn at(&self, at: Point) -> Vec<Reached<'_>> {
        if !self.scene.shows_windows {
            return vec![Reached::Unknown("the overview of GNOME is open, or the screen is locked")];
        }
        if !self.screen.contains(at) {
            return vec![Reached::Unknown("the place belongs to no screen")];
        }
        if self.scene.covers.iter().any(|cover| cover.contains(at)) {
            return vec![Reached::Unknown(
                "a part of GNOME itself lies there, such as its bar or a notification",
            )];
        }
        let mut reached = Vec::new();
        for surface in self.surfaces.iter().rev().filter(|surface| surface.place.contains(at)) {
            match surface.window.and_then(|id| self.window(id)) {
                Some(window) => reached.push(Reached::Window(window)),
                None => reached.push(Reached::Unknown(
                    "a menu or a window lies there of which it is not certain whose it is",
                )),
            }
            if surface.inner.contains(at) {
                return reached;
            }
        }
        reached.push(Reached::Nobody);
        reached
    }
}

fn without(place: Rect, edges: Edges) -> Rect {
    let Edges { left, right, top, bottom } = edges;
    Rect::new(place.left + left, place.top + top, place.right - right, place.bottom - bottom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Rect = Rect::new(0, 0, 1920, 1080);
    const BAR: Rect = Rect::new(0, 0, 1920, 32);

    fn told(id: u32, toolkit: Toolkit, size: (i32, i32)) -> Told {
        let top = TopWindow {
            title: format!("Window {id}").into(),
            reported: Rect::new(0, 0, size.0, size.1),
            ..TopWindow::default()
        };
        Told { id, pid: Some(id * 10), toolkit, top }
    }

    fn scene(surfaces: &[Rect]) -> Scene {
        Scene {
            screen: SCREEN,
            shows_windows: true,
            leaves_keyboard: true,
            surfaces: surfaces.to_vec(),
            covers: vec![BAR],
        }
    }

    fn ids(reached: &[Reached<'_>]) -> Vec<Option<u32>> {
        let id = |reached: &Reached<'_>| {
            if let Reached::Window(window) = reached { Some(window.id) } else { None }
        };
        reached.iter().map(id).collect()
    }

    /// As seen on GNOME 43: GTK 3 below, GTK 4 above it, a popup of 432 by 110 on top.
    fn usual() -> Layout {
        let surfaces =
            [Rect::new(92, 426, 564, 809), Rect::new(300, 368, 748, 768), Rect::new(1000, 600, 1432, 710)];
        let mut four = told(2, Toolkit::Gtk4, (420, 371));
        four.top.active = true;
        Layout::new(
            scene(&surfaces),
            &[four, told(1, Toolkit::Gtk3, (472, 383)), told(3, Toolkit::Qt, (90, 90))],
        )
    }

    #[test]
    fn a_surface_is_the_window_that_alone_fits_it() {
        let layout = usual();
        let order: Vec<u32> = layout.windows.iter().map(|window| window.id).collect();
        assert_eq!(order, [3, 1, 2]);
        let three = layout.window(1).unwrap();
        assert_eq!(
            (three.bounds, three.frame),
            (Rect::new(92, 426, 564, 809), Rect::new(118, 449, 538, 780))
        );
        let four = layout.window(2).unwrap();
        assert_eq!((four.frame.left, four.frame.top), (314, 380));
        let away = layout.window(3).unwrap();
        assert!(away.minimized && away.bounds.is_empty());
    }

    #[test]
    fn what_could_be_another_has_no_place() {
        let surfaces = [Rect::new(0, 100, 472, 483), Rect::new(500, 100, 972, 483)];
        let both = [told(1, Toolkit::Gtk3, (472, 383)), told(2, Toolkit::Gtk3, (472, 383))];
        let layout = Layout::new(scene(&surfaces), &both);
        assert!(layout.windows.iter().all(|window| window.bounds.is_empty() && !window.minimized));
        assert!(matches!(layout.at(Point::new(100.0, 200.0))[..], [Reached::Unknown(_)]));
        // One of them may be minimized; then too.
        let layout = Layout::new(scene(&surfaces[..1]), &both);
        assert!(layout.windows.iter().all(|window| window.bounds.is_empty()));
        // A second surface of the size of the only window.
        let layout = Layout::new(scene(&surfaces), &both[..1]);
        assert!(layout.windows[0].bounds.is_empty());
    }

    #[test]
    fn a_press_in_a_shadow_may_reach_what_lies_below() {
        let layout = usual();
        assert_eq!(ids(&layout.at(Point::new(200.0, 600.0))), [Some(1)]);
        assert_eq!(ids(&layout.at(Point::new(400.0, 600.0))), [Some(2)]);
        assert_eq!(ids(&layout.at(Point::new(305.0, 600.0))), [Some(2), Some(1)]);
        assert_eq!(layout.at(Point::new(100.0, 430.0))[1], Reached::Nobody);
        assert_eq!(layout.at(Point::new(1800.0, 900.0)), [Reached::Nobody]);
    }

    #[test]
    fn what_is_of_the_shell_or_of_nobody_known_gets_nothing() {
        let mut layout = usual();
        for at in [Point::new(900.0, 10.0), Point::new(1100.0, 650.0), Point::new(5000.0, 10.0)] {
            assert!(matches!(layout.at(at)[..], [Reached::Unknown(_)]), "{at:?}");
        }
        layout.scene.shows_windows = false;
        assert!(matches!(layout.at(Point::new(200.0, 600.0))[..], [Reached::Unknown(_)]));
    }

    #[test]
    fn keys_reach_the_one_window_that_says_so() {
        let mut layout = usual();
        assert!(matches!(layout.keyboard(), Reached::Window(window) if window.id == 2));
        layout.windows[0].active = true;
        assert!(matches!(layout.keyboard(), Reached::Unknown(_)));
        layout.windows.iter_mut().for_each(|window| window.active = false);
        assert!(matches!(layout.keyboard(), Reached::Unknown(_)));
        let mut layout = usual();
        layout.scene.leaves_keyboard = false;
        assert!(matches!(layout.keyboard(), Reached::Unknown(_)));
    }
}
