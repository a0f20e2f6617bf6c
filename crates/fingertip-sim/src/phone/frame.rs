//! Building all windows from the state, and noticing what changed.

use super::Phone;
use super::apps::installed::{KEYBOARD, SYSTEM, SYSTEM_UI};
use super::apps::system::{Panel, System};
use super::apps::{Ground, Tag};
use super::geometry::Rect;
use super::provider::BRIGHTNESS;
use super::scene::{Layer, Scene};
use super::surface::{NAVIGATION_BAR, Plan, STATUS_BAR, Surface, decorated};
use super::toolkit::export::export;
use super::toolkit::layout::{Environment, child_key};
use super::toolkit::measure::{Scale, measure};
use super::toolkit::paint::Brush;
use super::toolkit::theme;
use super::toolkit::view::{Align, Edges, Size, View, frame};
use super::toolkit::widgets::text;
use super::tree::{WindowKind, WindowView};

/// How long a caret shows, and hides.
const CARET_BLINK: u64 = 500;
/// Distance of a short message from the bottom.
const TOAST_MARGIN: f32 = 72.0;

impl Phone {
    pub(crate) fn scale(&self) -> Scale {
        Scale(self.density() as f32 / 160.0)
    }

    /// Whether the keyboard is on the screen: a panel, dialog or menu takes its place.
    pub(crate) fn keyboard_visible(&self) -> bool {
        self.ui.keyboard
            && self.system.panel == Panel::Closed
            && self.system.stopped.is_none()
            && self.front().overlays(&self.world).is_empty()
    }

    /// Rebuilds everything after a change; counts it if it can be seen.
    pub(crate) fn refresh(&mut self) {
        self.rescale_pages();
        if !self.keyboard_visible() || self.front().resizes() {
            self.ui.pan = 0.0;
        }
        self.frame = self.build();
        if self.forget_lost_focus() | self.reveal_caret() {
            self.frame = self.build();
        }
        self.remember_offsets();
        let focused = self.focused_window();
        let count = self.frame.len();
        let views: Vec<WindowView> =
            (0..count).rev().map(|index| self.view_of(index, Some(index) == focused)).collect();
        if views != self.views {
            self.views = views;
            self.generation += 1;
            self.last_change = self.world.now;
        }
    }

    fn view_of(&self, index: usize, focused: bool) -> WindowView {
        let surface = &self.frame[index];
        WindowView {
            id: surface.id,
            title: surface.title.clone(),
            name: surface.name.clone(),
            package: surface.package.to_owned(),
            kind: surface.kind,
            layer: index as i32,
            bounds: surface.bounds,
            focused,
            secure: false,
            root: export(&surface.root, surface.package, self.focus_in(surface)),
        }
    }

    /// The focused view, if this window may have it.
    pub(crate) fn focus_in(&self, surface: &Surface) -> Option<Tag> {
        (surface.kind == WindowKind::Application)
            .then(|| self.ui.focus.get(surface.package).copied())
            .flatten()
    }

    /// The place in the frame of the window that has the focus.
    pub(crate) fn focused_window(&self) -> Option<usize> {
        self.frame.iter().rposition(|surface| match surface.kind {
            WindowKind::NotificationShade
            | WindowKind::SystemAlert
            | WindowKind::Dialog
            | WindowKind::Popup
            | WindowKind::Application => true,
            WindowKind::InputMethod
            | WindowKind::StatusBar
            | WindowKind::NavigationBar
            | WindowKind::Toast => false,
        })
    }

    /// The windows, bottom first.
    fn build(&self) -> Vec<Surface> {
        let scale = self.scale();
        let environment = Environment { scale, offsets: &self.ui.offsets, dragged: self.ui.dragged };
        let (width, height) = self.size();
        let screen = Rect::new(0, 0, width as i32, height as i32);
        let status = scale.px(STATUS_BAR);
        let bottom = screen.bottom - scale.px(NAVIGATION_BAR);
        let keyboard = self.keyboard_visible().then(|| {
            let view = self.keyboard.view();
            let (_, tall) = measure(&view, (screen.right, bottom), scale);
            (view, Rect::new(0, bottom - tall, screen.right, bottom))
        });
        let app = self.front();
        let dark = app.ground() != Ground::Light || self.system.panel != Panel::Closed;
        let free = keyboard.as_ref().filter(|_| app.resizes()).map_or(bottom, |(_, bounds)| bounds.top);
        let pan = self.ui.pan / scale.0;
        let covered = (screen.bottom - free) as f32 / scale.0;
        let insets = Edges { top: STATUS_BAR - pan, bottom: covered + pan, ..Edges::default() };
        let main = decorated(app.screen(&self.world), app.ground(), insets);
        let mut frame = vec![Surface::new(self.plan(app.title()), main, screen, &environment)];
        let room = Rect::new(0, status, screen.right, bottom);
        for (index, overlay) in app.overlays(&self.world).into_iter().enumerate() {
            let mut plan = self.plan(app.title());
            plan.identity = child_key(plan.identity, index as u64, "overlay");
            frame.push(Surface::overlay(plan, overlay, &frame[0], room, &environment));
        }
        let system = |kind, name: &str, title: &str, package| Plan {
            kind,
            title: title.into(),
            name: name.into(),
            package,
            identity: 0,
        };
        if let Some((view, bounds)) = keyboard {
            let plan = system(WindowKind::InputMethod, "InputMethod", "Keyboard", KEYBOARD);
            frame.push(Surface::new(plan, view, bounds, &environment));
        }
        if let Some((overlay, name)) = self.stopped_dialog() {
            let plan = system(WindowKind::SystemAlert, &name, "", SYSTEM);
            let mut surface = Surface::overlay(plan, overlay, &frame[0], room, &environment);
            surface.kind = WindowKind::SystemAlert;
            frame.push(surface);
        }
        if let Some(toast) = &self.toast {
            let plan = system(WindowKind::Toast, "Toast", "Toast", SYSTEM_UI);
            frame.push(toast_surface(plan, &toast.text, screen, &environment));
        }
        let plan = system(WindowKind::StatusBar, "StatusBar", "Status bar", SYSTEM_UI);
        let bar = Rect { bottom: status, ..screen };
        frame.push(Surface::new(plan, System::status_bar(&self.world, dark), bar, &environment));
        if self.system.panel != Panel::Closed {
            let plan =
                system(WindowKind::NotificationShade, "NotificationShade", "Notification shade.", SYSTEM_UI);
            frame.push(Surface::new(
                plan,
                self.system.shade(width > height, &self.world),
                screen,
                &environment,
            ));
        }
        let plan = system(WindowKind::NavigationBar, "NavigationBar0", "Navigation bar", SYSTEM_UI);
        let bar = Rect { top: bottom, ..screen };
        frame.push(Surface::new(plan, System::navigation_bar(dark), bar, &environment));
        frame
    }

    fn plan(&self, title: String) -> Plan {
        let package = self.ui.front;
        let activity = self.front().activity();
        let pid = self.world.pid_of(package).unwrap_or(0);
        let identity = child_key(u64::from(pid), u64::from(self.front().instance()), activity);
        Plan {
            kind: WindowKind::Application,
            title,
            name: format!("{package}/{activity}"),
            package,
            identity,
        }
    }

    /// What to draw now.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let (width, height) = self.size();
        let layers = self.frame.iter().map(|surface| {
            let blink = self.world.now.saturating_sub(self.ui.edited) / CARET_BLINK;
            let brush = Brush {
                scale: self.scale(),
                focus: self.focus_in(surface),
                pressed: self.ui.pressed,
                caret: blink.is_multiple_of(2),
            };
            let mut items = Vec::new();
            brush.paint(&surface.root, &mut items);
            Layer { kind: surface.kind, bounds: surface.bounds, secure: false, scrim: surface.scrim, items }
        });
        let brightness = self.world.provider.number(BRIGHTNESS).clamp(0, 255) as u8;
        Scene { width, height, awake: self.awake, brightness, layers: layers.collect() }
    }
}

fn toast_surface(plan: Plan, message: &str, screen: Rect, environment: &Environment<'_>) -> Surface {
    let scale = environment.scale;
    let label: View = text(message).id("android:id/message").color(theme::ON_DARK).text_align(Align::Center);
    let view = frame(label.pad(20.0, 12.0)).background(theme::DARK).radius(24.0).width(Size::Wrap);
    let (width, height) = measure(&view, (screen.width() * 3 / 4, screen.height()), scale);
    let left = (screen.width() - width) / 2;
    let top = screen.bottom - scale.px(TOAST_MARGIN) - height;
    Surface::new(plan, view, Rect::sized(left, top, width, height), environment)
}
