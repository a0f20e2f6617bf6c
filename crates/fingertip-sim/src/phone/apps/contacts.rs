//! Contacts: a list, and a form that says what is wrong with it in a dialog.

mod form;
mod screens;

use super::installed::CONTACTS;
use super::{App, Context, Event, Overlay, OverlayKind, Request};
use crate::phone::log::Level;
use crate::phone::toolkit::editor::Editor;
use crate::phone::toolkit::view::View;
use crate::phone::world::World;
use form::Form;

pub(crate) const LIST_ACTIVITY: &str = "com.android.contacts.activities.PeopleActivity";
pub(crate) const EDIT_ACTIVITY: &str = "com.android.contacts.activities.ContactEditorActivity";

/// A text field of the form, in the order of the IME's "next".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Field {
    FirstName,
    LastName,
    Phone,
    Email,
    Password,
}

impl Field {
    fn next(self) -> Option<Self> {
        match self {
            Self::FirstName => Some(Self::LastName),
            Self::LastName => Some(Self::Phone),
            Self::Phone => Some(Self::Email),
            Self::Email => Some(Self::Password),
            Self::Password => None,
        }
    }
}

/// A view of the contacts app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    List,
    Contact(usize),
    New,
    Up,
    Form,
    Field(Field),
    Kind,
    KindList,
    KindChoice(usize),
    CloseKinds,
    Favourite,
    Sync,
    Save,
    CloseAlert,
}

/// The state of the contacts app.
#[derive(Default)]
pub(crate) struct Contacts {
    form: Option<Form>,
    /// How many forms were opened; each has views of its own.
    forms: u32,
    choosing_kind: bool,
    alert: Option<String>,
}

impl Contacts {
    fn create(&mut self) {
        self.form = Some(Form::new());
        self.forms += 1;
    }

    fn save(&mut self, context: &mut Context<'_>) {
        let Some(form) = &self.form else { return };
        match form.check() {
            Ok(contact) => {
                context.world.log_app(CONTACTS, Level::Info, "ContactSaveService", "contact saved");
                context.toast(&format!("{} saved", contact.name));
                context.world.contacts.push(contact);
                self.leave(context);
            }
            Err(problem) => {
                context.world.log_app(CONTACTS, Level::Warn, "ContactEditor", "the form is not valid");
                self.alert = Some(problem);
                context.request(Request::HideKeyboard);
            }
        }
    }

    fn leave(&mut self, context: &mut Context<'_>) {
        self.form = None;
        self.choosing_kind = false;
        context.request(Request::ClearFocus);
    }

    fn on_form(&mut self, tag: Tag, event: Event, context: &mut Context<'_>) {
        let Some(form) = &mut self.form else { return };
        match (tag, event) {
            (Tag::Field(field), Event::ImeAction) => match field.next() {
                Some(next) => context.request(Request::Focus(Tag::Field(next).into())),
                None => context.request(Request::HideKeyboard),
            },
            (Tag::Kind, Event::Click) => {
                self.choosing_kind = true;
                context.request(Request::HideKeyboard);
            }
            (Tag::KindChoice(index), Event::Click) => {
                form.kind = form::KINDS[index];
                self.choosing_kind = false;
            }
            (Tag::CloseKinds, Event::Dismissed) => self.choosing_kind = false,
            (Tag::Favourite, Event::Click) => form.favourite = !form.favourite,
            (Tag::Sync, Event::Click) => form.sync = !form.sync,
            (Tag::Save, Event::Click) => self.save(context),
            (Tag::Up, Event::Click) => self.leave(context),
            _ => {}
        }
    }
}

impl App for Contacts {
    fn activity(&self) -> &'static str {
        if self.form.is_some() { EDIT_ACTIVITY } else { LIST_ACTIVITY }
    }

    fn open(&mut self, activity: &str) {
        if activity == EDIT_ACTIVITY && self.form.is_none() {
            self.create();
        }
    }

    fn title(&self) -> String {
        if self.form.is_some() { "Create contact" } else { "Contacts" }.into()
    }

    fn instance(&self) -> u32 {
        self.forms
    }

    fn screen(&self, world: &World) -> View {
        match &self.form {
            Some(form) => screens::form(form),
            None => screens::list(&world.contacts),
        }
    }

    fn overlays(&self, _world: &World) -> Vec<Overlay> {
        let kinds = self.choosing_kind.then(|| Overlay {
            kind: OverlayKind::Popup(Tag::Kind.into()),
            title: "Type".into(),
            view: screens::kinds(),
            dismiss: Tag::CloseKinds.into(),
        });
        let alert = self.alert.as_ref().map(|problem| Overlay {
            kind: OverlayKind::Dialog,
            title: "Check the form".into(),
            view: screens::alert(problem),
            dismiss: Tag::CloseAlert.into(),
        });
        kinds.into_iter().chain(alert).collect()
    }

    fn on_event(&mut self, tag: super::Tag, event: Event, context: &mut Context<'_>) {
        let super::Tag::Contacts(tag) = tag else { return };
        match (tag, event) {
            (Tag::New, Event::Click) => {
                self.create();
                context.request(Request::ScrollToStart(Tag::Form.into()));
            }
            (Tag::Contact(index), Event::Click) => {
                let name = context.world.contacts.get(index).map(|contact| contact.name.clone());
                context.toast(&format!("Calling {}…", name.unwrap_or_default()));
            }
            (Tag::CloseAlert, Event::Click | Event::Dismissed) => self.alert = None,
            _ => self.on_form(tag, event, context),
        }
    }

    fn resizes(&self) -> bool {
        self.form.is_none()
    }

    fn on_back(&mut self, context: &mut Context<'_>) -> bool {
        let inside = self.form.is_some();
        if inside {
            self.leave(context);
        }
        inside
    }

    fn editor(&mut self, tag: super::Tag) -> Option<&mut Editor> {
        let super::Tag::Contacts(Tag::Field(field)) = tag else { return None };
        self.form.as_mut().map(|form| form.editor(field))
    }
}
