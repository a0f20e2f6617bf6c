//! What the settings app shows.
//!
//! The page about the phone is built as Compose builds: no resource ids, plain views that take the click,
//! and their texts in children that do not.

use super::rows::{Action, ROWS};
use super::{Page, Tag};
use crate::phone::provider::{
    AIRPLANE, AUTO_ROTATE, BRIGHTNESS, DARK_THEME, MOBILE_DATA, Name, VIBRATE, VOLUME_MEDIA, VOLUME_RING,
    WIFI,
};
use crate::phone::scene::Icon;
use crate::phone::toolkit::class;
use crate::phone::toolkit::editor::Editor;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Size, View, frame};
use crate::phone::toolkit::widgets::{
    caption, column, field, icon, icon_button, list, row, scroll, slider, switch, text, toolbar,
};
use crate::phone::tree::RangeView;
use crate::phone::world::World;

/// The entries of the page about the phone.
pub(super) const ABOUT: &[&str] =
    &["Device name", "Model", "Android version", BUILD_NUMBER, "Serial number", "SIM status", "Up time"];
pub(super) const BUILD_NUMBER: &str = "Build number";
/// Networks in the neighbourhood.
pub(super) const NETWORKS: &[&str] = &["Demo network", "Café", "Library", "Neighbour 5G"];

pub(super) fn title(page: Page) -> &'static str {
    match page {
        Page::Network => "Network & internet",
        Page::Display => "Display",
        Page::Sound => "Sound & vibration",
        Page::About => "About phone",
        Page::Detail(index) => ROWS[index].title,
    }
}

/// A row of title and summary, with a switch where it has one.
fn preference(title: &str, summary: &str, checked: Option<bool>, tag: Tag) -> View {
    let mut words = vec![text(title).id("android:id/title").lines(1)];
    if !summary.is_empty() {
        words.push(caption(summary).id("android:id/summary").lines(2));
    }
    let words = column(words).class(class::RELATIVE_LAYOUT).weight(1.0);
    let mut children = vec![words];
    if let Some(on) = checked {
        children.push(
            row(vec![switch(on).id("android:id/switch_widget")])
                .id("android:id/widget_frame")
                .width(Size::Wrap),
        );
    }
    row(children).on_click(tag).pad(24.0, 14.0)
}

pub(super) fn main(query: &Editor, found: &[usize], world: &World) -> View {
    let mut search = vec![
        icon(Icon::Search, 24.0, theme::INK_SOFT),
        field(query, "Search settings", Tag::Search).id("search_src_text").weight(1.0),
    ];
    if !query.text().is_empty() {
        search.push(icon_button(Icon::Close, "Clear query", Tag::ClearSearch).id("search_close_btn"));
    }
    let search = row(search).id("search_bar").pad(16.0, 4.0).margin(16.0, 8.0).height(Size::Dp(56.0));
    let rows = found.iter().map(|index| {
        let row = &ROWS[*index];
        let checked = match row.action {
            Action::Switch(name) => Some(world.provider.is_on(name)),
            Action::Open(_) | Action::Detail => None,
        };
        preference(row.title, row.summary, checked, Tag::Row(*index))
    });
    let content = if found.is_empty() {
        text("No results").id("empty_state").fill().text_align(Align::Center).weight(1.0)
    } else {
        list(rows.collect(), Tag::List).id("recycler_view").weight(1.0)
    };
    let bar = toolbar(None, "Settings", vec![]);
    column(vec![bar, search.background(theme::SURFACE_DIM).radius(28.0), content])
        .height(Size::Fill)
        .background(theme::BACKGROUND)
}

pub(super) fn page(page: Page, world: &World) -> View {
    let content = match page {
        Page::Network => network(world),
        Page::Display => display(world),
        Page::Sound => sound(world),
        Page::About => about(world),
        Page::Detail(index) => column(vec![
            text(ROWS[index].summary).id("android:id/summary").pad(24.0, 16.0),
            caption("There is nothing to set here on the demo phone.").id("footer").pad(24.0, 0.0),
        ]),
    };
    let content = frame(content).id("content_frame").height(Size::Fill).weight(1.0);
    column(vec![toolbar(Some(Tag::Up.into()), title(page), vec![]), content])
        .height(Size::Fill)
        .background(theme::BACKGROUND)
}

fn toggle(title: &str, summary: &str, name: Name, world: &World) -> View {
    preference(title, summary, Some(world.provider.is_on(name)), Tag::Switch(name))
}

fn level(title: &str, id: &'static str, max: i32, name: Name, world: &World) -> View {
    let range =
        RangeView { min: 0.0, max: max as f32, current: world.provider.number(name).clamp(0, max) as f32 };
    let heading = text(title).id("android:id/title");
    let bar = slider(range, Tag::Slider(name)).id(id).describe(title);
    column(vec![heading, bar]).pad(24.0, 12.0)
}

fn network(world: &World) -> View {
    let mut rows = vec![
        toggle("Wi-Fi", "", WIFI, world),
        toggle("Mobile data", "Demo carrier", MOBILE_DATA, world),
        toggle("Airplane mode", "", AIRPLANE, world),
    ];
    if world.provider.is_on(WIFI) && !world.provider.is_on(AIRPLANE) {
        let near = NETWORKS.iter().enumerate();
        rows.extend(near.map(|(index, name)| {
            let summary = if index == 0 { "Connected" } else { "Saved" };
            preference(name, summary, None, Tag::Network(index))
        }));
    }
    list(rows, Tag::PageList).id("recycler_view")
}

fn display(world: &World) -> View {
    let percent = world.provider.number(BRIGHTNESS).clamp(0, 255) * 100 / 255;
    let rows = vec![
        level("Brightness level", "brightness_slider", 255, BRIGHTNESS, world),
        caption(format!("{percent} %")).id("brightness_summary").pad(24.0, 0.0),
        toggle("Auto-rotate screen", "Turn with the device", AUTO_ROTATE, world),
        toggle("Dark theme", "Will never turn on automatically", DARK_THEME, world),
    ];
    list(rows, Tag::PageList).id("recycler_view")
}

fn sound(world: &World) -> View {
    let rows = vec![
        level("Media volume", "media_volume", 15, VOLUME_MEDIA, world),
        level("Ring volume", "ring_volume", 7, VOLUME_RING, world),
        toggle("Vibrate for calls", "", VIBRATE, world),
    ];
    list(rows, Tag::PageList).id("recycler_view")
}

fn about(world: &World) -> View {
    let profile = &world.profile;
    let values = [
        profile.model.clone(),
        profile.model.clone(),
        profile.android.clone(),
        profile.build.clone(),
        profile.serial.clone(),
        "Demo carrier".to_owned(),
        format!("{} min", world.now / 60_000),
    ];
    let rows = ABOUT.iter().zip(values).enumerate().map(|(index, (name, value))| {
        let mut entry = column(vec![text(*name), caption(value)]).class(class::VIEW);
        entry = entry.on_click(Tag::About(index)).pad(24.0, 14.0);
        entry
    });
    let page = column(rows.collect()).class(class::VIEW);
    frame(scroll(page, Tag::PageList).class(class::VIEW)).class(class::COMPOSE_VIEW).height(Size::Fill)
}
