//! The calculator: a keypad, the formula, and the result as it is typed.

mod arithmetic;

use super::{App, Context, Event};
use crate::phone::apps::installed::CALCULATOR;
use crate::phone::log::Level;
use crate::phone::scene::Icon;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Size, View};
use crate::phone::toolkit::widgets::{button, column, icon_button, row, text};
use crate::phone::world::World;

pub(crate) const ACTIVITY: &str = "com.android.calculator2.Calculator";

/// How many characters a formula may have.
const FORMULA_LIMIT: usize = 100;

/// A view of the calculator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    /// A key that writes this character.
    Write(char),
    Delete,
    Clear,
    Equals,
}

/// The state of the calculator.
#[derive(Default)]
pub(crate) struct Calculator {
    formula: String,
    result: String,
    /// Whether `=` was the last key, so that a digit starts a new formula.
    done: bool,
}

/// The keys by row: resource name, what they say, what they write.
const KEYS: [[(&str, &str, char); 4]; 4] = [
    [("digit_7", "", '7'), ("digit_8", "", '8'), ("digit_9", "", '9'), ("op_div", "divide", '÷')],
    [("digit_4", "", '4'), ("digit_5", "", '5'), ("digit_6", "", '6'), ("op_mul", "times", '×')],
    [("digit_1", "", '1'), ("digit_2", "", '2'), ("digit_3", "", '3'), ("op_sub", "minus", '−')],
    [
        ("dec_point", "point", '.'),
        ("digit_0", "", '0'),
        ("lparen", "left parenthesis", '('),
        ("op_add", "plus", '+'),
    ],
];

impl Calculator {
    fn write(&mut self, character: char) {
        let operator = "+−×÷".contains(character);
        if self.done {
            // An operator goes on with the result, anything else starts a new formula.
            self.formula = if operator && self.result.parse::<f64>().is_ok() {
                self.result.replace('-', "−")
            } else {
                String::new()
            };
            self.done = false;
        }
        if operator && character != '−' && self.formula.ends_with(['+', '−', '×', '÷']) {
            self.formula.pop();
        }
        if self.formula.chars().count() < FORMULA_LIMIT {
            self.formula.push(character);
        }
        self.preview();
    }

    /// While typing, only a result that exists is shown.
    fn preview(&mut self) {
        self.done = false;
        self.result = match arithmetic::evaluate(&self.formula) {
            Ok(value) if self.formula.contains(['+', '−', '×', '÷']) => arithmetic::format(value),
            _ => String::new(),
        };
    }

    fn equals(&mut self, context: &mut Context<'_>) {
        if self.formula.is_empty() {
            return;
        }
        let outcome = arithmetic::evaluate(&self.formula);
        self.result = match outcome {
            Ok(value) => arithmetic::format(value),
            Err(problem) => problem.to_string(),
        };
        self.done = true;
        let message = format!("evaluated {} characters", self.formula.chars().count());
        context.world.log_app(CALCULATOR, Level::Debug, "Calculator", &message);
    }
}

fn key(id: &'static str, description: &str, character: char) -> View {
    let ground =
        if character.is_ascii_digit() || character == '.' { theme::SURFACE } else { theme::ACCENT_SOFT };
    button(&character.to_string(), Tag::Write(character))
        .id(id)
        .describe(description)
        .text_size(28.0)
        .pad(0.0, 0.0)
        .color(theme::INK)
        .background(ground)
        .height(Size::Fill)
        .margin(4.0, 4.0)
        .weight(1.0)
}

fn last_row() -> View {
    let close = key("rparen", "right parenthesis", ')');
    let clear = key("clr", "clear", 'C').tag(Tag::Clear);
    let delete = icon_button(Icon::Backspace, "delete", Tag::Delete)
        .id("del")
        .background(theme::ACCENT_SOFT)
        .width(Size::Fill)
        .height(Size::Fill)
        .margin(4.0, 4.0)
        .weight(1.0);
    let equals = key("eq", "equals", '=').tag(Tag::Equals).background(theme::ACCENT).color(theme::ON_ACCENT);
    row(vec![clear, close, delete, equals]).weight(1.0).height(Size::Fill)
}

impl App for Calculator {
    fn activity(&self) -> &'static str {
        ACTIVITY
    }

    fn title(&self) -> String {
        "Calculator".into()
    }

    fn screen(&self, _world: &World) -> View {
        let display = column(vec![
            text(self.formula.clone())
                .id("formula")
                .text_size(36.0)
                .lines(2)
                .width(Size::Fill)
                .text_align(Align::End)
                .weight(3.0),
            text(self.result.clone())
                .id("result")
                .text_size(24.0)
                .lines(1)
                .color(theme::INK_SOFT)
                .width(Size::Fill)
                .text_align(Align::End)
                .weight(2.0),
        ]);
        let mut rows: Vec<View> = KEYS
            .iter()
            .map(|keys| {
                let keys = keys.iter().map(|(id, description, character)| key(id, description, *character));
                row(keys.collect()).weight(1.0).height(Size::Fill)
            })
            .collect();
        rows.push(last_row());
        column(vec![
            display.id("display").pad(16.0, 8.0).height(Size::Fill).weight(1.0),
            column(rows).id("pad_numeric").pad(4.0, 4.0).height(Size::Fill).weight(2.5),
        ])
        .height(Size::Fill)
        .background(theme::BACKGROUND)
    }

    fn on_event(&mut self, tag: super::Tag, event: Event, context: &mut Context<'_>) {
        let (super::Tag::Calculator(tag), Event::Click) = (tag, event) else { return };
        match tag {
            Tag::Write(character) => self.write(character),
            Tag::Delete => {
                self.formula.pop();
                self.preview();
            }
            Tag::Clear => *self = Self::default(),
            Tag::Equals => self.equals(context),
        }
    }

    fn on_character(&mut self, character: char, context: &mut Context<'_>) -> bool {
        match character {
            '0'..='9' | '.' | '+' | '(' | ')' => self.write(character),
            '-' => self.write('−'),
            '*' => self.write('×'),
            '/' => self.write('÷'),
            '=' | '\n' => self.equals(context),
            _ => return false,
        }
        true
    }
}
