//! The home screen, its icons' menus, and the recent apps, which belong to the launcher on Android too.

mod recents;

use super::installed::{self, CALCULATOR, CLOCK, CONTACTS, GALLERY, LAUNCHER, NOTES, SETTINGS};
use super::{App, Context, Event, Ground, Overlay, OverlayKind, Request};
use crate::phone::log::Level;
use crate::phone::toolkit::class;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Arrange, Content, Size, View, frame};
use crate::phone::toolkit::widgets::{caption, column, list, row, text};
use crate::phone::world::World;

pub(crate) const ACTIVITY: &str = "com.android.launcher3.uioverrides.QuickstepLauncher";
pub(crate) const RECENTS_ACTIVITY: &str = "com.android.quickstep.RecentsActivity";

/// The icons of each page. The last page has none, but a card.
const PAGES: [&[&str]; 2] = [&[CALCULATOR, CLOCK], &[]];
/// The icons that stay.
const DOCK: &[&str] = &[CONTACTS, NOTES, GALLERY, SETTINGS];
/// Icons in a row.
const COLUMNS: usize = 4;

/// Where an icon is: which page (the dock comes after the last), and which place on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    page: usize,
    index: usize,
}

impl Place {
    fn package(self) -> &'static str {
        PAGES.get(self.page).unwrap_or(&DOCK)[self.index]
    }
}

/// A view of the launcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    Workspace,
    Page(usize),
    Icon(Place),
    Menu(usize),
    MenuList,
    CloseMenu,
    Recents,
    Card(&'static str),
    ClearAll,
}

/// What the open menu belongs to.
#[derive(Clone, Copy)]
enum Menu {
    Icon(Place),
    Page(usize),
}

impl Menu {
    fn entries(self) -> &'static [&'static str] {
        match self {
            Self::Icon(_) => &["Open", "App info"],
            Self::Page(_) => &["Wallpaper & style", "Home settings"],
        }
    }

    fn anchor(self) -> Tag {
        match self {
            Self::Icon(place) => Tag::Icon(place),
            Self::Page(page) => Tag::Page(page),
        }
    }
}

/// The state of the launcher.
#[derive(Default)]
pub(crate) struct Launcher {
    menu: Option<Menu>,
    recents: bool,
}

fn icon(place: Place) -> View {
    let package = place.package();
    let label = installed::label_of(package);
    let (icon, disc) = installed::icon_of(package);
    let mut view = text(label).id("icon").describe(label).text_size(13.0).color(theme::ON_DARK);
    view.content = Content::Labelled { icon, disc };
    view.on_click(Tag::Icon(place)).long_clickable().height(Size::Dp(96.0)).weight(1.0)
}

/// Icons in rows of four; an unfinished row is filled with room.
fn grid(page: usize, count: usize) -> View {
    let places: Vec<Place> = (0..count).map(|index| Place { page, index }).collect();
    let rows = places.chunks(COLUMNS).map(|places| {
        let mut icons: Vec<View> = places.iter().copied().map(icon).collect();
        let gap = (COLUMNS - icons.len()) as f32;
        if gap > 0.0 {
            icons.push(View::new(class::VIEW).weight(gap));
        }
        row(icons).class(class::VIEW_GROUP)
    });
    column(rows.collect())
}

/// What stands on the page without icons.
fn card() -> View {
    column(vec![
        text("Fingertip demo").id("widget_title").bold(),
        caption("A simulated phone: nothing here is real, and everything can be tried.").id("widget_text"),
    ])
    .class(class::CARD_VIEW)
    .pad(20.0, 16.0)
    .margin(12.0, 12.0)
    .background(theme::SURFACE)
    .radius(24.0)
}

impl Launcher {
    fn home() -> View {
        let pages = PAGES.iter().enumerate().map(|(page, icons)| {
            frame(if icons.is_empty() { card() } else { grid(page, icons.len()) })
                .class(class::VIEW_GROUP)
                .describe(format!("Home screen {} of {}", page + 1, PAGES.len()))
                .tag(Tag::Page(page))
                .long_clickable()
                .pad(8.0, 16.0)
                .height(Size::Fill)
        });
        let workspace = View::group(class::SCROLL_VIEW, Arrange::Pager, pages.collect())
            .class(class::VIEW_PAGER)
            .id("workspace")
            .tag(Tag::Workspace)
            .height(Size::Fill)
            .weight(1.0);
        let dock = grid(PAGES.len(), DOCK.len()).id("hotseat").pad(8.0, 8.0);
        frame(column(vec![workspace, dock]).height(Size::Fill)).id("drag_layer").height(Size::Fill)
    }

    fn choose(&mut self, entry: usize, context: &mut Context<'_>) {
        match (self.menu.take(), entry) {
            (Some(Menu::Icon(place)), 0) => context.request(Request::Start(place.package())),
            (Some(_), 1) => context.request(Request::Start(SETTINGS)),
            _ => context.toast("Nothing to choose on the demo phone"),
        }
    }
}

impl App for Launcher {
    fn activity(&self) -> &'static str {
        if self.recents { RECENTS_ACTIVITY } else { ACTIVITY }
    }

    fn open(&mut self, activity: &str) {
        self.recents = activity == RECENTS_ACTIVITY;
        self.menu = None;
    }

    fn title(&self) -> String {
        if self.recents { "Recent apps" } else { "Home" }.into()
    }

    fn screen(&self, world: &World) -> View {
        if self.recents { recents::screen(world) } else { Self::home() }
    }

    fn overlays(&self, _world: &World) -> Vec<Overlay> {
        let Some(menu) = self.menu else { return Vec::new() };
        let entries = menu.entries().iter().enumerate().map(|(index, entry)| {
            frame(text(*entry).id("bubble_text").align(Align::Start, Align::Center))
                .id("deep_shortcut")
                .on_click(Tag::Menu(index))
                .pad(16.0, 0.0)
                .height(Size::Dp(52.0))
        });
        let view = list(entries.collect(), Tag::MenuList)
            .class(class::LIST_VIEW)
            .width(Size::Dp(220.0))
            .height(Size::Wrap)
            .background(theme::SURFACE)
            .radius(20.0)
            .elevation(8.0);
        vec![Overlay {
            kind: OverlayKind::Popup(menu.anchor().into()),
            title: "Shortcuts".into(),
            view,
            dismiss: Tag::CloseMenu.into(),
        }]
    }

    fn on_event(&mut self, tag: super::Tag, event: Event, context: &mut Context<'_>) {
        let super::Tag::Launcher(tag) = tag else { return };
        match (tag, event) {
            (Tag::Icon(place), Event::Click) => context.request(Request::Start(place.package())),
            (Tag::Icon(place), Event::LongClick) => self.menu = Some(Menu::Icon(place)),
            (Tag::Page(page), Event::LongClick) => self.menu = Some(Menu::Page(page)),
            (Tag::Menu(entry), Event::Click) => self.choose(entry, context),
            (Tag::CloseMenu, Event::Dismissed) => self.menu = None,
            (Tag::Card(package), Event::Click) => context.request(Request::Start(package)),
            (Tag::Card(package), Event::SwipedAway) => context.request(Request::RemoveTask(package)),
            (Tag::ClearAll, Event::Click) => {
                let packages = context.world.recents.clone();
                packages.into_iter().for_each(|package| context.request(Request::RemoveTask(package)));
                context.request(Request::Home);
            }
            _ => return,
        }
        context.world.log_app(LAUNCHER, Level::Debug, "Launcher", &format!("{event:?} on {tag:?}"));
    }

    fn on_back(&mut self, context: &mut Context<'_>) -> bool {
        if self.recents {
            context.request(Request::Home);
        }
        true
    }

    fn ground(&self) -> Ground {
        if self.recents { Ground::Dark } else { Ground::Wallpaper }
    }
}
