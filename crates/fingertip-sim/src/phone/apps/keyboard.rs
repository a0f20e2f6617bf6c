//! The soft keyboard: letters with a one-shot shift, and a page of digits and symbols.

use super::{Context, Event, Request};
use crate::phone::scene::Icon;
use crate::phone::toolkit::class;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Content, Size, View, frame};
use crate::phone::toolkit::widgets::{column, row, text};
use crate::phone::tree::NodeFlags;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    Write(char),
    Delete,
    Enter,
    Shift,
    Symbols,
}

/// A view of the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Tag(pub(crate) Key);

const LETTERS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const SYMBOLS: [&str; 3] = ["1234567890", "@#€&_-()=", "*\"':;!?"];

/// Height of a row of keys.
const ROW_HEIGHT: f32 = 56.0;

/// The state of the keyboard.
#[derive(Default)]
pub(crate) struct Keyboard {
    shift: bool,
    symbols: bool,
}

fn key(label: &str, key: Key) -> View {
    text(label)
        .class(class::VIEW)
        .on_click(Tag(key))
        .flag(NodeFlags::FOCUSABLE, false)
        .text_align(Align::Center)
        .lines(1)
        .text_size(20.0)
        .height(Size::Fill)
        .margin(2.0, 4.0)
        .radius(6.0)
        .background(theme::SURFACE)
        .weight(1.0)
}

fn special(icon: Icon, description: &str, what: Key) -> View {
    let mut view = key("", what).describe(description).background(theme::LINE).weight(1.5);
    view.content = Content::Icon { icon, size: 22.0 };
    view
}

impl Keyboard {
    /// Back to letters, as for a fresh field.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn view(&self) -> View {
        let pages = if self.symbols { SYMBOLS } else { LETTERS };
        let mut rows: Vec<View> = pages.iter().map(|letters| self.row(letters)).collect();
        if let Some(last) = rows.last_mut() {
            last.children.insert(0, special(Icon::Shift, "Shift", Key::Shift));
            last.children.push(special(Icon::Backspace, "Delete", Key::Delete));
        }
        let switch = if self.symbols { ("ABC", "Letters") } else { ("?123", "Symbols") };
        rows.push(
            row(vec![
                key(switch.0, Key::Symbols)
                    .describe(switch.1)
                    .text_size(15.0)
                    .background(theme::LINE)
                    .weight(1.5),
                key(",", Key::Write(',')),
                key("", Key::Write(' ')).describe("Space").weight(5.0),
                key(".", Key::Write('.')),
                special(Icon::KeyboardReturn, "Enter", Key::Enter),
            ])
            .height(Size::Dp(ROW_HEIGHT)),
        );
        let keys = column(rows).class(class::VIEW_GROUP).id("keyboard_view");
        frame(keys).pad(2.0, 6.0).background(theme::SURFACE_DIM)
    }

    fn row(&self, letters: &str) -> View {
        let keys = letters.chars().map(|letter| {
            let letter = if self.shift { letter.to_ascii_uppercase() } else { letter };
            key(&letter.to_string(), Key::Write(letter))
        });
        row(keys.collect()).height(Size::Dp(ROW_HEIGHT))
    }

    pub(crate) fn on_event(&mut self, Tag(key): Tag, event: Event, context: &mut Context<'_>) {
        if event != Event::Click {
            return;
        }
        match key {
            Key::Shift => self.shift = !self.shift,
            Key::Symbols => {
                self.symbols = !self.symbols;
                self.shift = false;
            }
            Key::Write(_) => {
                self.shift = false;
                context.request(Request::Keyboard(key));
            }
            Key::Delete | Key::Enter => context.request(Request::Keyboard(key)),
        }
    }
}
