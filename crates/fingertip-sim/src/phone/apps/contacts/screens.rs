//! What the contacts app shows.

use super::form::{Form, KINDS};
use super::{Field, Tag};
use crate::phone::apps::dialog;
use crate::phone::scene::Icon;
use crate::phone::storage::Contact;
use crate::phone::toolkit::class;
use crate::phone::toolkit::editor::Editor;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Arrange, Size, View};
use crate::phone::toolkit::widgets::{
    button, caption, check_box, column, field, icon, icon_button, list as list_of, row, scroll, switch, text,
    text_button, toolbar,
};

pub(super) fn list(contacts: &[Contact]) -> View {
    let rows = contacts.iter().enumerate().map(|(index, contact)| entry(index, contact));
    let people = list_of(rows.collect(), Tag::List).id("list").weight(1.0);
    let page = column(vec![toolbar(None, "Contacts", vec![]), people]).height(Size::Fill);
    let new = icon_button(Icon::Add, "Create contact", Tag::New)
        .id("floating_action_button")
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

fn entry(index: usize, contact: &Contact) -> View {
    let star = if contact.favourite { " ★" } else { "" };
    let words = column(vec![
        text(format!("{}{star}", contact.name)).id("cliv_name_textview").lines(1),
        caption(format!("{} · {}", contact.kind, contact.phone)).id("cliv_data_view").lines(1),
    ]);
    row(vec![
        icon(Icon::Person, 40.0, theme::ACCENT).id("contact_photo"),
        words.margin(16.0, 0.0).weight(1.0),
    ])
    .class(class::VIEW_GROUP)
    .on_click(Tag::Contact(index))
    .pad(16.0, 12.0)
}

pub(super) fn form(form: &Form) -> View {
    let input = |editor: &Editor, hint: &str, which: Field, id: &'static str| {
        field(editor, hint, Tag::Field(which)).id(id).margin(16.0, 8.0).outline(theme::LINE).radius(8.0)
    };
    let kind = row(vec![
        text(form.kind).id("android:id/text1").weight(1.0),
        icon(Icon::ArrowDropDown, 24.0, theme::INK),
    ])
    .class(class::SPINNER)
    .id("type_spinner")
    .describe("Type")
    .on_click(Tag::Kind)
    .pad(12.0, 12.0)
    .margin(16.0, 8.0)
    .outline(theme::LINE)
    .radius(8.0);
    let favourite = row(vec![
        text("Favourite").weight(1.0),
        switch(form.favourite).id("favourite_switch").describe("Favourite").on_click(Tag::Favourite),
    ]);
    let fields = column(vec![
        input(&form.first_name, "First name", Field::FirstName, "first_name"),
        input(&form.last_name, "Last name", Field::LastName, "last_name"),
        input(&form.phone, "Phone", Field::Phone, "phone"),
        kind,
        input(&form.email, "E-mail", Field::Email, "email"),
        input(&form.password, "Password", Field::Password, "password"),
        favourite.margin(16.0, 8.0).pad(12.0, 4.0),
        check_box("Sync this contact", form.sync, Tag::Sync).id("sync").margin(16.0, 8.0).pad(12.0, 8.0),
    ]);
    let save = button("Save", Tag::Save).id("save_button").width(Size::Fill);
    column(vec![
        toolbar(Some(Tag::Up.into()), "Create contact", vec![]),
        scroll(fields, Tag::Form).id("editor_scroll").weight(1.0),
        row(vec![save]).id("button_bar").pad(16.0, 8.0),
    ])
    .height(Size::Fill)
    .background(theme::SURFACE)
}

pub(super) fn kinds() -> View {
    let rows = KINDS.iter().enumerate().map(|(index, kind)| {
        text(*kind).id("android:id/text1").on_click(Tag::KindChoice(index)).width(Size::Fill).pad(16.0, 14.0)
    });
    list_of(rows.collect(), Tag::KindList)
        .class(class::LIST_VIEW)
        .width(Size::Dp(240.0))
        .height(Size::Wrap)
        .background(theme::SURFACE)
        .radius(8.0)
        .elevation(8.0)
}

pub(super) fn alert(problem: &str) -> View {
    let ok = text_button("OK", Tag::CloseAlert).id("android:id/button1");
    dialog("Check the form", problem, vec![ok])
}
