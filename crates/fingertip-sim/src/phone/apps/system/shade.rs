//! The shade: tiles above, notifications below; pulled further down, all tiles and the brightness.

use super::{Panel, TILES, Tag, clock};
use crate::phone::apps::installed;
use crate::phone::provider::BRIGHTNESS;
use crate::phone::scene::Icon;
use crate::phone::storage::Notification;
use crate::phone::surface::{NAVIGATION_BAR, STATUS_BAR};
use crate::phone::toolkit::class;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Axis, Edges, Size, Touch, View};
use crate::phone::toolkit::widgets::{
    caption, column, icon, icon_button, list, row, slider, text, text_button,
};
use crate::phone::tree::{NodeFlags, RangeView};
use crate::phone::world::World;

/// Tiles in a row on a high screen.
const COLUMNS: usize = 2;
/// Tiles in a row on a wide screen.
const COLUMNS_WIDE: usize = 4;
/// Tiles shown above the notifications.
const FEW: usize = 4;

pub(super) fn view(panel: Panel, wide: bool, world: &World) -> View {
    let all = panel == Panel::QuickSettings;
    let shown = if all { TILES.len() } else { FEW };
    let mut children = vec![header(world)];
    if all {
        children.push(brightness(world));
    }
    let columns = if wide { COLUMNS_WIDE } else { COLUMNS };
    let indices: Vec<usize> = (0..shown).collect();
    let tiles = indices.chunks(columns).map(|indices| {
        let mut tiles: Vec<View> = indices.iter().map(|index| tile(*index, world)).collect();
        let gap = (columns - tiles.len()) as f32;
        if gap > 0.0 {
            tiles.push(View::new(class::VIEW).weight(gap));
        }
        row(tiles)
    });
    children.push(column(tiles.collect()).id("quick_settings_panel").pad(12.0, 4.0));
    if !all {
        children.push(notifications(world));
    }
    let outside =
        View::new(class::VIEW).id("scrim_behind").on_click(Tag::Outside).flag(NodeFlags::FOCUSABLE, false);
    children.push(outside.fill().weight(1.0));
    let mut panel = column(children).class(class::FRAME_LAYOUT).id("notification_panel").height(Size::Fill);
    panel.padding = Edges { top: STATUS_BAR, bottom: NAVIGATION_BAR, ..Edges::default() };
    panel.background(theme::DARK)
}

fn header(world: &World) -> View {
    row(vec![
        text(clock(world)).id("clock").text_size(24.0).color(theme::ON_DARK).weight(1.0),
        icon_button(Icon::Settings, "Open settings.", Tag::OpenSettings)
            .id("settings_button")
            .color(theme::ON_DARK),
    ])
    .id("header")
    .pad(24.0, 8.0)
}

fn brightness(world: &World) -> View {
    let current = world.provider.number(BRIGHTNESS).clamp(0, 255) as f32;
    let range = RangeView { min: 0.0, max: 255.0, current };
    row(vec![slider(range, Tag::Brightness).id("slider").describe("Display brightness")]).pad(24.0, 8.0)
}

fn tile(index: usize, world: &World) -> View {
    let tile = &TILES[index];
    let on = world.provider.is_on(tile.name);
    let (ground, ink) = if on { (theme::ACCENT_SOFT, theme::INK) } else { (theme::INK_SOFT, theme::ON_DARK) };
    let state = if on { "On" } else { "Off" };
    let words = column(vec![
        text(tile.label).id("tile_label").text_size(14.0).color(ink).lines(1),
        caption(state).color(ink).lines(1),
    ]);
    row(vec![icon(tile.icon, 24.0, ink).id("android:id/icon"), words.margin(12.0, 0.0).weight(1.0)])
        .class(class::SWITCH)
        .describe(format!("{}, {state}", tile.label))
        .on_click(Tag::Tile(index))
        .flag(NodeFlags::CHECKABLE, true)
        .flag(NodeFlags::CHECKED, on)
        .long_clickable()
        .pad(16.0, 12.0)
        .margin(4.0, 4.0)
        .height(Size::Dp(64.0))
        .radius(24.0)
        .background(ground)
        .weight(1.0)
}

fn notifications(world: &World) -> View {
    if world.notifications.is_empty() {
        return text("No notifications").id("no_notifications").color(theme::ON_DARK).pad(24.0, 24.0);
    }
    let clear = text_button("Clear all", Tag::ClearAll).id("dismiss_text").color(theme::ON_DARK);
    let footer = row(vec![View::new(class::VIEW).weight(1.0), clear]).pad(16.0, 4.0);
    let rows = world.notifications.iter().map(card).chain([footer]).collect();
    list(rows, Tag::Notifications).id("notification_stack_scroller").height(Size::Wrap)
}

fn card(notification: &Notification) -> View {
    let (symbol, color) = installed::icon_of(notification.package);
    let words = column(vec![
        caption(installed::label_of(notification.package)).id("android:id/app_name_text").text_size(12.0),
        text(notification.title.clone()).id("android:id/title").lines(1).bold(),
        caption(notification.text.clone()).id("android:id/text").lines(1),
    ]);
    row(vec![icon(symbol, 24.0, color).id("android:id/icon"), words.margin(16.0, 0.0).weight(1.0)])
        .class(class::FRAME_LAYOUT)
        .id("expandableNotificationRow")
        .slot(notification.id)
        .on_click(Tag::Notification(notification.id))
        .touch(Touch::Swipe(Axis::Horizontal))
        .pad(16.0, 12.0)
        .margin(12.0, 3.0)
        .radius(20.0)
        .background(theme::SURFACE)
}
