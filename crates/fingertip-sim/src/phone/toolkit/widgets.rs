//! The usual widgets, by short names.

use super::class;
use super::editor::Editor;
use super::theme;
use super::view::{Align, Arrange, Content, Size, View};
use crate::phone::apps::Tag;
use crate::phone::scene::{Color, Icon};
use crate::phone::tree::{NodeFlags, RangeView};

/// Lines a text may have unless it says otherwise.
const TEXT_LINES: usize = 200;

/// Children from top to bottom.
pub(crate) fn column(children: Vec<View>) -> View {
    View::group(class::LINEAR_LAYOUT, Arrange::Column, children)
}

/// Children from left to right, in the middle of the row's height.
pub(crate) fn row(mut children: Vec<View>) -> View {
    for child in &mut children {
        child.align.1 = Align::Center;
    }
    View::group(class::LINEAR_LAYOUT, Arrange::Row, children)
}

/// Text.
pub(crate) fn text(text: impl Into<String>) -> View {
    let mut view = View::new(class::TEXT_VIEW);
    view.text = text.into();
    view.content = Content::Text { lines: TEXT_LINES };
    view
}

/// Small, grey text.
pub(crate) fn caption(content: impl Into<String>) -> View {
    text(content).text_size(14.0).color(theme::INK_SOFT)
}

/// A button with a text.
pub(crate) fn button(label: &str, tag: impl Into<Tag>) -> View {
    text(label)
        .class(class::BUTTON)
        .on_click(tag)
        .text_align(Align::Center)
        .lines(1)
        .pad(16.0, 12.0)
        .radius(20.0)
        .background(theme::ACCENT)
        .color(theme::ON_ACCENT)
}

/// A button that is only text, as in dialogs and toolbars.
pub(crate) fn text_button(label: &str, tag: impl Into<Tag>) -> View {
    let mut view = button(label, tag).color(theme::ACCENT).bold().text_size(14.0);
    view.style.background = None;
    view
}

/// A symbol that cannot be pressed.
pub(crate) fn icon(icon: Icon, size: f32, color: Color) -> View {
    let mut view = View::new(class::IMAGE_VIEW).color(color);
    view.content = Content::Icon { icon, size };
    view
}

/// A button that is a symbol, with the words a screen reader says.
pub(crate) fn icon_button(symbol: Icon, description: &str, tag: impl Into<Tag>) -> View {
    icon(symbol, 24.0, theme::INK)
        .class(class::IMAGE_BUTTON)
        .width(Size::Dp(48.0))
        .height(Size::Dp(48.0))
        .describe(description)
        .radius(24.0)
        .on_click(tag)
}

/// A switch of its own.
pub(crate) fn switch(on: bool) -> View {
    let mut view = View::new(class::SWITCH).flag(NodeFlags::CHECKABLE, true).flag(NodeFlags::CHECKED, on);
    view.content = Content::Switch;
    view
}

/// A check box with a text.
pub(crate) fn check_box(label: &str, on: bool, tag: impl Into<Tag>) -> View {
    let mut view = text(label)
        .class(class::CHECK_BOX)
        .on_click(tag)
        .flag(NodeFlags::CHECKABLE, true)
        .flag(NodeFlags::CHECKED, on)
        .pad(4.0, 12.0);
    view.content = Content::CheckBox;
    view
}

/// A slider over a range.
pub(crate) fn slider(range: RangeView, tag: impl Into<Tag>) -> View {
    let mut view = View::new(class::SEEK_BAR)
        .tag(tag)
        .flag(NodeFlags::FOCUSABLE, true)
        .width(Size::Fill)
        .height(Size::Dp(48.0));
    view.content = Content::Slider(range);
    view
}

/// A text field of one line.
pub(crate) fn field(editor: &Editor, hint: &str, tag: impl Into<Tag>) -> View {
    let mut view = View::new(class::EDIT_TEXT)
        .on_click(tag)
        .long_clickable()
        .flag(NodeFlags::EDITABLE, true)
        .flag(NodeFlags::PASSWORD, editor.is_secret())
        .width(Size::Fill)
        .pad(12.0, 12.0);
    view.hint = hint.to_owned();
    view.content = Content::Field { editor: Box::new(editor.clone()), multiline: false };
    view
}

/// A text field of many lines, as high as its text.
pub(crate) fn text_area(editor: &Editor, hint: &str, tag: impl Into<Tag>) -> View {
    let mut view = field(editor, hint, tag);
    view.content = Content::Field { editor: Box::new(editor.clone()), multiline: true };
    view
}

/// A viewport over one child.
pub(crate) fn scroll(child: View, tag: impl Into<Tag>) -> View {
    View::group(class::SCROLL_VIEW, Arrange::Scroll, vec![child]).tag(tag).height(Size::Fill)
}

/// A list that attaches only the visible rows.
pub(crate) fn list(rows: Vec<View>, tag: impl Into<Tag>) -> View {
    View::group(class::RECYCLER_VIEW, Arrange::List(1), rows).tag(tag).height(Size::Fill)
}

/// The bar at the top of a page: an optional way back, a title, and actions.
pub(crate) fn toolbar(back: Option<Tag>, title: &str, actions: Vec<View>) -> View {
    let mut children = Vec::new();
    if let Some(tag) = back {
        children.push(icon_button(Icon::ArrowBack, "Navigate up", tag));
    }
    let title = text(title).text_size(22.0).lines(1).margin(12.0, 0.0).weight(1.0);
    children.push(title.align(Align::Start, Align::Center));
    children.extend(actions);
    row(children)
        .class(class::VIEW_GROUP)
        .id("toolbar")
        .height(Size::Dp(64.0))
        .pad(4.0, 8.0)
        .background(theme::BACKGROUND)
}
