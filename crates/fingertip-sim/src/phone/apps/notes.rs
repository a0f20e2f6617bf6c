//! Notes: a list of cards and an editor. A change is stored at once; an empty note is not kept.

mod screens;

use super::installed::NOTES;
use super::{App, Context, Event, Overlay, OverlayKind, Request};
use crate::phone::log::Level;
use crate::phone::storage::Note;
use crate::phone::toolkit::editor::Editor;
use crate::phone::toolkit::view::View;
use crate::phone::world::World;

pub(crate) const LIST_ACTIVITY: &str = "com.fingertip.demo.notes.NotesActivity";
const EDIT_ACTIVITY: &str = "com.fingertip.demo.notes.EditActivity";

/// A view of the notes app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    List,
    Note(u32),
    New,
    Up,
    Delete,
    Page,
    Title,
    Body,
    Confirm,
    Cancel,
}

/// The note being edited.
struct Open {
    id: u32,
    title: Editor,
    body: Editor,
}

/// The state of the notes app.
#[derive(Default)]
pub(crate) struct Notes {
    open: Option<Open>,
    /// The note a dialog asks about.
    deleting: Option<u32>,
}

impl Notes {
    fn edit(&mut self, id: u32, context: &mut Context<'_>) {
        let Some(note) = context.world.notes.iter().find(|note| note.id == id) else { return };
        self.open = Some(Open { id, title: Editor::new(&note.title), body: Editor::new(&note.body) });
        context.request(Request::ScrollToStart(Tag::Page.into()));
        context.world.log_app(NOTES, Level::Info, "Notes", &format!("open note {id}"));
    }

    fn create(&mut self, context: &mut Context<'_>) {
        let id = context.world.notes.iter().map(|note| note.id).max().unwrap_or(0) + 1;
        context.world.notes.insert(0, Note { id, title: String::new(), body: String::new() });
        self.edit(id, context);
        context.request(Request::Focus(Tag::Title.into()));
    }

    fn store(&self, context: &mut Context<'_>) {
        let Some(open) = &self.open else { return };
        if let Some(note) = context.world.notes.iter_mut().find(|note| note.id == open.id) {
            open.title.text().clone_into(&mut note.title);
            open.body.text().clone_into(&mut note.body);
        }
    }

    fn leave(&mut self, context: &mut Context<'_>) {
        if self.open.take().is_some() {
            context.world.notes.retain(|note| !(note.title.is_empty() && note.body.is_empty()));
            context.world.log_app(NOTES, Level::Info, "Notes", "note saved");
        }
        context.request(Request::ClearFocus);
    }

    fn delete(&mut self, context: &mut Context<'_>) {
        let Some(id) = self.deleting.take() else { return };
        context.world.notes.retain(|note| note.id != id);
        self.open = None;
        context.request(Request::ClearFocus);
        context.toast("Note deleted");
        context.world.log_app(NOTES, Level::Info, "Notes", &format!("deleted note {id}"));
    }
}

impl App for Notes {
    fn activity(&self) -> &'static str {
        if self.open.is_some() { EDIT_ACTIVITY } else { LIST_ACTIVITY }
    }

    fn title(&self) -> String {
        if self.open.is_some() { "Edit note" } else { "Notes" }.into()
    }

    fn instance(&self) -> u32 {
        self.open.as_ref().map_or(0, |open| open.id)
    }

    fn screen(&self, world: &World) -> View {
        match &self.open {
            Some(open) => screens::editor(&open.title, &open.body),
            None => screens::list(&world.notes),
        }
    }

    fn overlays(&self, _world: &World) -> Vec<Overlay> {
        let Some(_) = self.deleting else { return Vec::new() };
        vec![Overlay {
            kind: OverlayKind::Dialog,
            title: "Delete note?".into(),
            view: screens::confirm(),
            dismiss: Tag::Cancel.into(),
        }]
    }

    fn on_event(&mut self, tag: super::Tag, event: Event, context: &mut Context<'_>) {
        let super::Tag::Notes(tag) = tag else { return };
        match (tag, event) {
            (Tag::Note(id), Event::Click) => self.edit(id, context),
            (Tag::Note(id), Event::LongClick) => self.deleting = Some(id),
            (Tag::New, Event::Click) => self.create(context),
            (Tag::Up, Event::Click) => self.leave(context),
            (Tag::Delete, Event::Click) => self.deleting = self.open.as_ref().map(|open| open.id),
            (Tag::Title | Tag::Body, Event::TextChanged) => self.store(context),
            (Tag::Title, Event::ImeAction) => context.request(Request::Focus(Tag::Body.into())),
            (Tag::Confirm, Event::Click) => self.delete(context),
            (Tag::Cancel, Event::Click | Event::Dismissed) => self.deleting = None,
            _ => {}
        }
    }

    fn on_back(&mut self, context: &mut Context<'_>) -> bool {
        let inside = self.open.is_some();
        if inside {
            self.leave(context);
        }
        inside
    }

    fn editor(&mut self, tag: super::Tag) -> Option<&mut Editor> {
        let open = self.open.as_mut()?;
        match tag {
            super::Tag::Notes(Tag::Title) => Some(&mut open.title),
            super::Tag::Notes(Tag::Body) => Some(&mut open.body),
            _ => None,
        }
    }
}
