//! What the notes app shows.

use super::Tag;
use crate::phone::apps::dialog;
use crate::phone::scene::Icon;
use crate::phone::storage::Note;
use crate::phone::toolkit::class;
use crate::phone::toolkit::editor::Editor;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Arrange, Size, View};
use crate::phone::toolkit::widgets::{
    caption, column, field, icon_button, list as list_of, scroll, text, text_area, text_button, toolbar,
};

/// How many characters of a note its card shows.
const PREVIEW: usize = 80;

pub(super) fn list(notes: &[Note]) -> View {
    let cards = notes.iter().map(card);
    let content = if notes.is_empty() {
        text("No notes yet").id("empty").fill().text_align(Align::Center).weight(1.0)
    } else {
        list_of(cards.collect(), Tag::List).id("notes_list").weight(1.0)
    };
    let page = column(vec![toolbar(None, "Notes", vec![]), content]).height(Size::Fill);
    let new = icon_button(Icon::Add, "New note", Tag::New)
        .id("fab_new")
        .width(Size::Dp(56.0))
        .height(Size::Dp(56.0))
        .radius(16.0)
        .background(theme::ACCENT_SOFT)
        .elevation(6.0)
        .margin(24.0, 24.0)
        .align(Align::End, Align::End);
    View::group(class::FRAME_LAYOUT, Arrange::Frame, vec![page, new])
        .height(Size::Fill)
        .background(theme::BACKGROUND)
}

fn card(note: &Note) -> View {
    let title = if note.title.is_empty() { "Untitled" } else { &note.title };
    let preview: String = note.body.chars().take(PREVIEW).collect();
    column(vec![text(title).id("note_title").lines(1).bold(), caption(preview).id("note_preview").lines(2)])
        .class(class::CARD_VIEW)
        .id("note_card")
        .on_click(Tag::Note(note.id))
        .long_clickable()
        .pad(16.0, 12.0)
        .margin(12.0, 6.0)
        .background(theme::SURFACE)
        .radius(12.0)
        .elevation(1.0)
}

pub(super) fn editor(title: &Editor, body: &Editor) -> View {
    let delete = icon_button(Icon::Delete, "Delete note", Tag::Delete).id("action_delete");
    let page = column(vec![
        field(title, "Title", Tag::Title).id("edit_title").text_size(22.0),
        text_area(body, "Write something", Tag::Body).id("edit_body"),
    ]);
    column(vec![
        toolbar(Some(Tag::Up.into()), "Edit note", vec![delete]),
        scroll(page.pad(8.0, 0.0), Tag::Page).id("edit_scroll").weight(1.0),
    ])
    .height(Size::Fill)
    .background(theme::SURFACE)
}

pub(super) fn confirm() -> View {
    let buttons = vec![
        text_button("Cancel", Tag::Cancel).id("android:id/button2"),
        text_button("Delete", Tag::Confirm).id("android:id/button1").color(theme::DANGER),
    ];
    dialog("Delete note?", "This cannot be undone.", buttons)
}
