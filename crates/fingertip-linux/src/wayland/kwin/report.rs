//! What our script in KWin tells of its windows, read with care: titles are what applications make them.

use std::collections::HashMap;

use fingertip_core::{Point, Rect, WindowKind};
use fingertip_desktop::ListedWindow;
use fingertip_desktop::windows::Edges;
use serde::Deserialize;

use super::super::hands::{Reached, Receivers};

/// The most bytes of a report: a thousand windows with long titles.
pub(super) const LARGEST: usize = 8 << 20;
/// What lies out further than this is no place.
const FURTHEST: f64 = 1_000_000.0;

/// A report of the script.
#[derive(Debug, Deserialize)]
pub(super) struct Report {
    screen: Area,
    /// The lowest first.
    windows: Vec<Told>,
}

/// A place: left, top, width, height. KWin counts in parts of pixels.
type Area = [f64; 4];

/// A window as KWin has it.
#[derive(Debug, Deserialize)]
struct Told {
    id: String,
    pid: i64,
    title: String,
    /// With its title bar, without its shadow.
    frame: Area,
    /// All that the application draws, its shadow included.
    surface: Option<Area>,
    active: bool,
    shown: bool,
    popup: bool,
    tooltip: bool,
    /// A panel, the desktop, a notification.
    special: bool,
    dialog: bool,
    modal: bool,
    owner: Option<String>,
}

/// The numbers that KWin's windows have here; KWin names them by long words.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    known: HashMap<String, u32>,
    last: u32,
}

impl Numbers {
    /// What KWin calls the window of this number.
    pub(super) fn name(&self, number: u32) -> Option<&str> {
        self.known.iter().find(|(_, known)| **known == number).map(|(name, _)| name.as_str())
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        self.last = self.last.wrapping_add(1).max(1);
        self.known.insert(name.to_owned(), self.last);
        self.last
    }
}

/// What is on the screen.
#[derive(Debug, Clone, Default)]
pub(in crate::wayland) struct Layout {
    /// The screen; all places are told from its corner.
    pub(super) screen: Rect,
    /// That corner, as KWin counts.
    pub(super) corner: (i32, i32),
    /// The windows, the lowest first; panels, notifications and popups too.
    pub(super) windows: Vec<ListedWindow>,
    /// What would take whatever is pressed, instead of a window.
    pub(super) obstacle: Option<&'static str>,
}

impl Layout {
    /// What a report tells, once it is read.
    pub(super) fn read(text: &str, numbers: &mut Numbers) -> Result<Self, String> {
        if text.len() > LARGEST {
            return Err(format!("{} bytes of windows", text.len()));
        }
        let report: Report = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let whole = rect(report.screen, (0, 0)).filter(|screen| !screen.is_empty());
        let whole = whole.ok_or("a screen that is nowhere")?;
        let corner = (whole.left, whole.top);
        numbers.known.retain(|name, _| report.windows.iter().any(|window| window.id == *name));
        let mut layout =
            Self { screen: Rect::new(0, 0, whole.width(), whole.height()), corner, ..Self::default() };
        for told in &report.windows {
            let Some(frame) = rect(told.frame, corner) else { continue };
            let number = numbers.number(&told.id);
            let layer = i32::try_from(layout.windows.len()).unwrap_or(i32::MAX);
            let owner = told.owner.as_deref().map(|owner| numbers.number(owner));
            layout.windows.push(ListedWindow {
                id: number,
                pid: u32::try_from(told.pid).ok().filter(|pid| *pid != 0),
                title: own_title(&told.title).to_owned(),
                layer,
                transient_for: owner,
                ..told.listed(frame, corner)
            });
        }
        Ok(layout)
    }

    /// The window of this number.
    pub(super) fn window(&self, id: u32) -> Option<&ListedWindow> {
        self.windows.iter().find(|window| window.id == id)
    }
}

impl Told {
    /// What it is, in this frame.
    fn listed(&self, frame: Rect, corner: (i32, i32)) -> ListedWindow {
        let surface = self.surface.and_then(|surface| rect(surface, corner));
        let bounds = surface.filter(|surface| !surface.is_empty()).unwrap_or(frame);
        let shadow = Edges {
            left: (frame.left - bounds.left).max(0),
            right: (bounds.right - frame.right).max(0),
            top: (frame.top - bounds.top).max(0),
            bottom: (bounds.bottom - frame.bottom).max(0),
        };
        let kind = match self {
            Self { popup: true, .. } | Self { tooltip: true, .. } => WindowKind::Popup,
            Self { special: true, .. } => WindowKind::System,
            Self { dialog: true, .. } | Self { modal: true, .. } => WindowKind::Dialog,
            _ => WindowKind::Application,
        };
        ListedWindow {
            bounds,
            frame,
            shadow,
            kind,
            active: self.active && self.shown,
            minimized: !self.shown,
            modal: self.modal,
            unmanaged: self.popup || self.tooltip || self.special,
            tooltip: self.tooltip,
            ..ListedWindow::default()
        }
    }
}

impl Receivers for Layout {
    fn screen(&self) -> Rect {
        self.screen
    }

    fn at(&self, at: Point) -> Reached<'_> {
        if let Some(obstacle) = self.obstacle {
            return Reached::Unknown(obstacle);
        }
        for window in self.windows.iter().rev().filter(|window| !window.minimized) {
            if window.frame.contains(at) {
                return Reached::Window(window);
            }
            if window.bounds.contains(at) {
                return Reached::Unknown("the edge of a window lies there, by which it is resized");
            }
        }
        Reached::Nobody
    }

    fn keyboard(&self) -> Reached<'_> {
        match (self.obstacle, self.windows.iter().find(|window| window.active)) {
            (Some(obstacle), _) => Reached::Unknown(obstacle),
            (None, Some(window)) => Reached::Window(window),
            (None, None) => Reached::Nobody,
        }
    }
}

/// The title that the application gave: KWin tells two windows of one title apart by a number behind it.
fn own_title(title: &str) -> &str {
    let numbered = title.strip_suffix('>').and_then(|title| title.rsplit_once(" <"));
    match numbered {
        Some((own, number)) if number.parse::<u16>().is_ok() => own.trim_end_matches('\u{200e}'),
        _ => title,
    }
}

/// A place, counted from this corner in whole pixels; `None` for what is nowhere.
fn rect([x, y, width, height]: Area, corner: (i32, i32)) -> Option<Rect> {
    let is_somewhere = [x, y, x + width, y + height].iter().all(|side| side.abs() <= FURTHEST);
    if !is_somewhere || width < 0.0 || height < 0.0 {
        return None;
    }
    let [left, top, right, bottom] = [x, y, x + width, y + height].map(|side| side.round() as i32);
    let (across, down) = corner;
    Some(Rect::new(left - across, top - down, right - across, bottom - down))
}

/// What is made of a report, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn layout_of_bytes(bytes: &[u8]) -> String {
    let layout = Layout::read(&String::from_utf8_lossy(bytes), &mut Numbers::default());
    let reached = layout.as_ref().map(|layout| format!("{:?}", layout.at(Point::new(5.0, 5.0))));
    format!("{layout:?} {reached:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As KWin 5.27 tells it: a window with its title bar, one that decorates itself, a menu over it, one put away.
    const REPORT: &str = r#"{"screen":[-100,0,1280,800],"windows":[
      {"id":"{a}","pid":70,"title":"Form","frame":[330,214,420,371],"surface":[330,251,420,334],"active":false,"shown":true,
       "order":0,"popup":false,"tooltip":false,"special":false,"dialog":false,"modal":false,"owner":null},
      {"id":"{b}","pid":71,"title":"Calculator <2>","frame":[460,169,360,490],"surface":[399,114,482,612],"active":true,
       "shown":true,"order":1,"popup":false,"tooltip":false,"special":false,"dialog":false,"modal":false,"owner":null},
      {"id":"{c}","pid":71,"title":"","frame":[500.4,200.6,100,50],"surface":null,"active":false,"shown":true,"order":2,
       "popup":true,"tooltip":false,"special":false,"dialog":false,"modal":false,"owner":"{b}"},
      {"id":"{d}","pid":0,"title":"Away","frame":[330,214,420,371],"surface":[330,251,420,334],"active":false,"shown":false,
       "order":3,"popup":false,"tooltip":false,"special":true,"dialog":false,"modal":false,"owner":null}]}"#;

    fn layout() -> (Layout, Numbers) {
        let mut numbers = Numbers::default();
        (Layout::read(REPORT, &mut numbers).unwrap(), numbers)
    }

    fn id(reached: &Reached<'_>) -> Option<u32> {
        if let Reached::Window(window) = reached { Some(window.id) } else { None }
    }

    #[test]
    fn windows_are_told_with_frame_and_surface_from_the_corner_of_the_screen() {
        let (layout, numbers) = layout();
        assert_eq!(layout.screen, Rect::new(0, 0, 1280, 800));
        let [form, calculator, menu, away] = &layout.windows[..] else { panic!("{layout:?}") };
        assert_eq!(form.frame, Rect::new(430, 214, 850, 585));
        assert_eq!((form.bounds, form.shadow), (Rect::new(430, 251, 850, 585), Edges::default()));
        assert_eq!(calculator.shadow, Edges { left: 61, right: 61, top: 55, bottom: 67 });
        assert_eq!(calculator.title, "Calculator");
        assert_eq!((menu.unmanaged, menu.kind, menu.transient_for), (true, WindowKind::Popup, Some(2)));
        assert_eq!(menu.frame, Rect::new(600, 201, 700, 251));
        assert_eq!((away.minimized, away.pid, away.kind), (true, None, WindowKind::System));
        assert_eq!(numbers.name(form.id), Some("{a}"));
    }

    #[test]
    fn a_window_keeps_its_number_and_one_that_is_gone_leaves_none() {
        let (first, mut numbers) = layout();
        let without = REPORT.replace("{a}", "{z}");
        let second = Layout::read(&without, &mut numbers).unwrap();
        assert_eq!(second.windows[1].id, first.windows[1].id);
        assert_ne!(second.windows[0].id, first.windows[0].id);
        assert_eq!(numbers.name(first.windows[0].id), None);
    }

    #[test]
    fn a_press_reaches_the_topmost_window_and_no_edge_of_one() {
        let (mut layout, _) = layout();
        let at = |layout: &Layout, x, y| id(&layout.at(Point::new(x, y)));
        assert_eq!(at(&layout, 610.0, 210.0), Some(3), "the menu");
        assert_eq!(at(&layout, 565.0, 300.0), Some(2));
        assert_eq!(at(&layout, 440.0, 220.0), Some(1), "its title");
        assert!(matches!(layout.at(Point::new(505.0, 300.0)), Reached::Unknown(_)), "the shadow above it");
        assert_eq!(layout.at(Point::new(5.0, 5.0)), Reached::Nobody);
        assert_eq!(id(&layout.keyboard()), Some(2));
        layout.obstacle = Some("the screen is locked");
        assert!(matches!(layout.at(Point::new(610.0, 210.0)), Reached::Unknown(_)));
        assert!(matches!(layout.keyboard(), Reached::Unknown(_)));
    }

    #[test]
    fn a_number_behind_a_title_is_kwins() {
        for (told, own) in [
            ("Note <2>", "Note"),
            ("Note\u{200e} <12>", "Note"),
            ("Note <b>", "Note <b>"),
            ("Note <2> more", "Note <2> more"),
            ("<3>", "<3>"),
        ] {
            assert_eq!(own_title(told), own, "{told}");
        }
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for text in [
            "",
            "\"gone\"",
            "{}",
            r#"{"screen":[0,0,0,0],"windows":[]}"#,
            r#"{"screen":[1e300,0,9,9],"windows":[]}"#,
        ] {
            assert!(Layout::read(text, &mut Numbers::default()).is_err(), "{text}");
        }
    }
}
