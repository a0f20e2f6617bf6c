//! The recent apps: one card a task, side by side, to be tapped or swiped away.

use super::Tag;
use crate::phone::apps::installed;
use crate::phone::toolkit::class;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Arrange, Axis, Size, Touch, View, frame};
use crate::phone::toolkit::widgets::{column, icon, row, text, text_button};
use crate::phone::world::World;

/// The whole screen.
pub(super) fn screen(world: &World) -> View {
    let content = if world.recents.is_empty() {
        text("No recent items")
            .id("empty_text")
            .color(theme::ON_DARK)
            .width(Size::Fill)
            .text_align(Align::Center)
            .height(Size::Fill)
            .weight(1.0)
    } else {
        let cards = world.recents.iter().map(|package| page(package));
        View::group(class::VIEW_PAGER, Arrange::Pager, cards.collect())
            .id("overview_panel")
            .tag(Tag::Recents)
            .height(Size::Fill)
            .weight(1.0)
    };
    let mut children = vec![content];
    if !world.recents.is_empty() {
        let clear = text_button("Clear all", Tag::ClearAll).id("clear_all").color(theme::ON_DARK);
        children.push(row(vec![clear]).pad(16.0, 8.0));
    }
    column(children).height(Size::Fill).background(theme::DARK)
}

fn page(package: &'static str) -> View {
    let label = installed::label_of(package);
    let (symbol, color) = installed::icon_of(package);
    let header =
        row(vec![icon(symbol, 24.0, color).id("icon"), text(label).id("title").margin(12.0, 0.0).bold()]);
    let preview = icon(symbol, 96.0, color).fill().weight(1.0);
    let card = column(vec![header.pad(16.0, 12.0), preview])
        .class(class::FRAME_LAYOUT)
        .id("task_view")
        .describe(label)
        .on_click(Tag::Card(package))
        .touch(Touch::Swipe(Axis::Vertical))
        .height(Size::Fill)
        .margin(48.0, 32.0)
        .background(theme::SURFACE)
        .radius(24.0)
        .elevation(6.0);
    // Cards keep their views when others go.
    frame(card).slot(installed::uid_of(package)).height(Size::Fill)
}
