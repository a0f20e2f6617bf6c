//! Keys: those of the phone itself, those that edit, and those that move the focus.

use super::Phone;
use super::apps::system::Panel;
use super::apps::{Event, Tag};
use super::input::{KeyCode, META_CTRL, META_SHIFT};
use super::provider::VOLUME_MEDIA;
use super::toolkit::editor::Editor;
use super::toolkit::view::Content;
use super::tree::NodeFlags;

/// The loudest the media volume goes.
const VOLUME_LIMIT: i32 = 15;

impl Phone {
    pub(crate) fn press(&mut self, code: KeyCode, meta: u32) {
        match code {
            KeyCode::POWER => self.set_awake(!self.awake),
            KeyCode::WAKEUP => self.set_awake(true),
            KeyCode::SLEEP => self.set_awake(false),
            _ if !self.awake => {}
            KeyCode::HOME => self.go_home(),
            KeyCode::BACK | KeyCode::ESCAPE => self.go_back(),
            KeyCode::APP_SWITCH => self.show_recents(),
            KeyCode::NOTIFICATION => self.system.panel = Panel::Notifications,
            KeyCode::VOLUME_UP | KeyCode::VOLUME_DOWN => self.change_volume(code == KeyCode::VOLUME_UP),
            _ if self.system.panel != Panel::Closed => {}
            _ if self.focused_field().is_some() && self.edit_key(code, meta) => {}
            _ => self.plain_key(code, meta),
        }
    }

    fn set_awake(&mut self, awake: bool) {
        if self.awake != awake {
            self.awake = awake;
            self.cancel_gesture();
            let message = if awake { "Waking up from Asleep" } else { "Going to sleep due to power_button" };
            self.world.log_system("PowerManagerService", message);
        }
    }

    fn change_volume(&mut self, louder: bool) {
        let volume = self.world.provider.number(VOLUME_MEDIA) + if louder { 1 } else { -1 };
        self.world.provider.set_number(VOLUME_MEDIA, volume.clamp(0, VOLUME_LIMIT));
    }

    /// The field that has the focus.
    pub(crate) fn focused_field(&mut self) -> Option<Tag> {
        let tag = *self.ui.focus.get(self.ui.front)?;
        self.tasks.get_mut(self.ui.front)?.app.editor(tag).map(|_| tag)
    }

    /// Changes the focused field and notifies its app if the text is another one.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Editor)) {
        let Some(tag) = self.focused_field() else { return };
        self.edit_field(tag, change);
    }

    /// Changes a field of the app in front and notifies the app if the text is another one.
    pub(crate) fn edit_field(&mut self, tag: Tag, change: impl FnOnce(&mut Editor)) {
        let task = self.tasks.get_mut(self.ui.front);
        let Some(editor) = task.and_then(|task| task.app.editor(tag)) else { return };
        let before = editor.text().to_owned();
        change(editor);
        let changed = editor.text() != before;
        self.ui.edited = self.world.now;
        self.ui.reveal = true;
        if changed {
            self.dispatch(tag, Event::TextChanged);
        }
    }

    /// Writes into the focused field, or hands the characters to the app.
    pub(crate) fn write(&mut self, text: &str) {
        if self.focused_field().is_some() {
            return self.edit(|editor| editor.insert(text));
        }
        for character in text.chars() {
            self.with_app(self.ui.front, |app, context| app.on_character(character, context));
        }
    }

    /// ENTER: a line break, the action of the keyboard, or a click.
    pub(crate) fn enter(&mut self) {
        let Some(tag) = self.focused_field() else {
            match self.ui.focus.get(self.ui.front).copied() {
                Some(tag) => self.dispatch(tag, Event::Click),
                None => self.write("\n"),
            }
            return;
        };
        if self.is_multiline(tag) {
            self.edit(|editor| editor.insert("\n"));
        } else {
            self.dispatch(tag, Event::ImeAction);
        }
    }

    fn is_multiline(&self, tag: Tag) -> bool {
        let field = self.frame[0].root.find(tag).map(|placed| &placed.view.content);
        matches!(field, Some(Content::Field { multiline: true, .. }))
    }

    /// A key in a field; `false` if it does nothing there.
    fn edit_key(&mut self, code: KeyCode, meta: u32) -> bool {
        let control = meta & META_CTRL != 0;
        let extend = meta & META_SHIFT != 0;
        match code {
            KeyCode::A if control => self.edit(Editor::select_all),
            KeyCode::COPY => self.copy(false),
            KeyCode::CUT => self.copy(true),
            KeyCode::PASTE => self.paste(),
            KeyCode::C if control => self.copy(false),
            KeyCode::X if control => self.copy(true),
            KeyCode::V if control => self.paste(),
            KeyCode::DEL => self.edit(Editor::delete_backward),
            KeyCode::FORWARD_DEL => self.edit(Editor::delete_forward),
            KeyCode::DPAD_LEFT => self.edit(|editor| editor.step(false, extend)),
            KeyCode::DPAD_RIGHT => self.edit(|editor| editor.step(true, extend)),
            KeyCode::MOVE_HOME => self.edit(|editor| editor.jump(false, control, extend)),
            KeyCode::MOVE_END => self.edit(|editor| editor.jump(true, control, extend)),
            KeyCode::DPAD_UP | KeyCode::DPAD_DOWN => {
                let tag = self.focused_field();
                if !tag.is_some_and(|tag| self.is_multiline(tag)) {
                    return false;
                }
                self.edit(|editor| editor.step_line(code == KeyCode::DPAD_DOWN, extend));
            }
            _ => return false,
        }
        true
    }

    fn copy(&mut self, cut: bool) {
        let mut copied = None;
        self.edit(|editor| {
            // A secret never leaves its field.
            if !editor.selection().is_empty() && !editor.is_secret() {
                copied = Some(editor.selected().to_owned());
                if cut {
                    editor.insert("");
                }
            }
        });
        if copied.is_some() {
            self.world.clipboard = copied;
        }
    }

    fn paste(&mut self) {
        if let Some(text) = self.world.clipboard.clone() {
            self.edit(|editor| editor.insert(&text));
        }
    }

    fn plain_key(&mut self, code: KeyCode, meta: u32) {
        match code {
            _ if code.clicks() => self.enter(),
            KeyCode::TAB => self.move_focus(meta & META_SHIFT == 0),
            KeyCode::DPAD_DOWN | KeyCode::DPAD_RIGHT => self.move_focus(true),
            KeyCode::DPAD_UP | KeyCode::DPAD_LEFT => self.move_focus(false),
            _ if meta & META_CTRL != 0 => {}
            _ => {
                if let Some(character) = code.character(meta & META_SHIFT != 0) {
                    self.write(&character.to_string());
                }
            }
        }
    }

    /// Moves the focus to the next view that can take it, or the one before.
    fn move_focus(&mut self, forward: bool) {
        let takes = |flags: NodeFlags| flags.contains(NodeFlags::FOCUSABLE | NodeFlags::ENABLED);
        let views =
            self.frame[0].root.walk().filter(|placed| takes(placed.view.flags) && !placed.visible.is_empty());
        let tags: Vec<Tag> = views.filter_map(|placed| placed.view.tag).collect();
        let here =
            self.ui.focus.get(self.ui.front).and_then(|tag| tags.iter().position(|other| other == tag));
        let next = match (here, forward) {
            (None, true) => 0,
            (None, false) => tags.len().saturating_sub(1),
            (Some(here), true) => (here + 1) % tags.len(),
            (Some(here), false) => (here + tags.len() - 1) % tags.len(),
        };
        if let Some(tag) = tags.get(next) {
            self.ui.focus.insert(self.ui.front, *tag);
            self.ui.reveal = true;
        }
    }
}
