//! The system's own surfaces: status bar, navigation bar, and the shade with notifications and tiles.

mod shade;

use std::collections::BTreeMap;

use super::installed::SYSTEM_UI;
use super::{Context, Event, Request};
use crate::phone::log::Level;
use crate::phone::profile::Millis;
use crate::phone::provider::{
    AIRPLANE, AUTO_ROTATE, BLUETOOTH, BRIGHTNESS, DO_NOT_DISTURB, FLASHLIGHT, LOCATION, Name, WIFI,
};
use crate::phone::scene::{Color, Icon};
use crate::phone::toolkit::class;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Size, View, frame};
use crate::phone::toolkit::widgets::{icon, icon_button, row, text};
use crate::phone::tree::NodeFlags;
use crate::phone::world::World;

/// A view of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    Back,
    Home,
    Recents,
    Tile(usize),
    Brightness,
    Notifications,
    Notification(u32),
    ClearAll,
    OpenSettings,
    Outside,
    AppInfo,
    CloseApp,
}

/// How far the shade is pulled down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Panel {
    #[default]
    Closed,
    Notifications,
    QuickSettings,
}

/// A tile: its label, symbol, and what it turns over.
pub(crate) struct Tile {
    label: &'static str,
    icon: Icon,
    name: Name,
}

const fn tile(label: &'static str, icon: Icon, name: Name) -> Tile {
    Tile { label, icon, name }
}

const TILES: [Tile; 7] = [
    tile("Internet", Icon::Wifi, WIFI),
    tile("Bluetooth", Icon::Bluetooth, BLUETOOTH),
    tile("Flashlight", Icon::Flashlight, FLASHLIGHT),
    tile("Do Not Disturb", Icon::DoNotDisturb, DO_NOT_DISTURB),
    tile("Airplane mode", Icon::Airplane, AIRPLANE),
    tile("Auto-rotate", Icon::Rotate, AUTO_ROTATE),
    tile("Location", Icon::Location, LOCATION),
];

/// The state of the system's surfaces.
#[derive(Default)]
pub(crate) struct System {
    pub(crate) panel: Panel,
    /// When apps crashed last.
    pub(crate) crashes: BTreeMap<&'static str, Millis>,
    /// The app that the dialog on the screen is about, which keeps crashing.
    pub(crate) stopped: Option<&'static str>,
}

/// The clock of the status bar.
fn clock(world: &World) -> String {
    let (hours, minutes, ..) = world.time_of_day();
    format!("{hours:02}:{minutes:02}")
}

impl System {
    pub(crate) fn status_bar(world: &World, dark: bool) -> View {
        let color = ink(dark);
        let mut children = vec![
            text(clock(world)).id("clock").text_size(14.0).color(color),
            View::new(class::VIEW).weight(1.0),
        ];
        if world.provider.is_on(AIRPLANE) {
            children.push(icon(Icon::Airplane, 16.0, color).id("airplane").describe("Airplane mode."));
        } else {
            if world.provider.is_on(WIFI) {
                children.push(icon(Icon::Wifi, 16.0, color).id("wifi_signal").describe("Wi-Fi signal full."));
            }
            children.push(icon(Icon::Signal, 16.0, color).id("mobile_signal").describe("Phone signal full."));
        }
        children.push(icon(Icon::Battery, 16.0, color).id("battery").describe("Battery 87 percent."));
        frame(row(children).id("status_bar_contents").height(Size::Fill).pad(24.0, 0.0))
            .id("status_bar")
            .height(Size::Fill)
    }

    pub(crate) fn navigation_bar(dark: bool) -> View {
        let button = |symbol, description: &str, id, tag: Tag| {
            icon_button(symbol, description, tag)
                .class(class::IMAGE_VIEW)
                .id(id)
                .color(ink(dark))
                .flag(NodeFlags::FOCUSABLE, false)
                .width(Size::Fill)
                .height(Size::Fill)
                .weight(1.0)
        };
        let buttons = row(vec![
            button(Icon::NavigationBack, "Back", "back", Tag::Back),
            button(Icon::NavigationHome, "Home", "home", Tag::Home),
            button(Icon::NavigationRecents, "Overview", "recent_apps", Tag::Recents),
        ]);
        frame(buttons.id("nav_buttons").height(Size::Fill)).id("navigation_bar_frame").height(Size::Fill)
    }

    /// The shade, for a wide screen or a high one.
    pub(crate) fn shade(&self, wide: bool, world: &World) -> View {
        shade::view(self.panel, wide, world)
    }

    pub(crate) fn on_event(&mut self, tag: Tag, event: Event, context: &mut Context<'_>) {
        match (tag, event) {
            (Tag::Back, Event::Click) => context.request(Request::Back),
            (Tag::Home, Event::Click) => context.request(Request::Home),
            (Tag::Recents, Event::Click) => context.request(Request::Recents),
            (Tag::Tile(index), Event::Click) => {
                let on = context.world.provider.toggle(TILES[index].name);
                let message = format!("{} {}", TILES[index].label, if on { "on" } else { "off" });
                context.world.log_app(SYSTEM_UI, Level::Info, "QSTileHost", &message);
            }
            (Tag::Brightness, Event::Slide(value)) => {
                context.world.provider.set_number(BRIGHTNESS, value.round() as i32);
            }
            (Tag::Notification(id), Event::Click) => {
                let all = &context.world.notifications;
                if let Some(package) = all.iter().find(|shown| shown.id == id).map(|shown| shown.package) {
                    remove(id, context);
                    context.request(Request::CollapsePanels);
                    context.request(Request::Start(package));
                }
            }
            (Tag::Notification(id), Event::SwipedAway) => remove(id, context),
            (Tag::ClearAll, Event::Click) => {
                context.world.notifications.clear();
                context.world.log_app(SYSTEM_UI, Level::Info, "NotifCollection", "all dismissed");
                context.request(Request::CollapsePanels);
            }
            (Tag::OpenSettings, Event::Click) | (Tag::Tile(_), Event::LongClick) => {
                context.request(Request::CollapsePanels);
                context.request(Request::Start(super::installed::SETTINGS));
            }
            (Tag::CloseApp, Event::Click | Event::Dismissed) => self.stopped = None,
            (Tag::AppInfo, Event::Click) => {
                self.stopped = None;
                context.request(Request::Start(super::installed::SETTINGS));
            }
            (Tag::Outside, Event::Click) => context.request(Request::CollapsePanels),
            _ => {}
        }
    }
}

fn remove(id: u32, context: &mut Context<'_>) {
    context.world.notifications.retain(|notification| notification.id != id);
    context.world.log_app(SYSTEM_UI, Level::Debug, "NotifCollection", &format!("dismissed {id}"));
}

fn ink(dark: bool) -> Color {
    if dark { theme::ON_DARK } else { theme::INK }
}
