//! A screen as text: as a table or in lean lines, page by page in the snapshot it began with.

use std::fmt;
use std::sync::Arc;

use fingertip_core::lean::{self, Part};
use fingertip_core::{Error, NodeId, NodeIndex, Result, Snapshot, compact};

use crate::call::Call;
use crate::interact::find;
use crate::params::{
    Arguments, Choice, ElementId, Flag, Optional, OptionalElementId, OptionalInteger, OptionalText, Text,
};
use crate::reply::Reply;
use crate::view::Format;

/// How the screen is shown.
pub(super) const FORMAT: Optional<Choice<Format>> = Choice::required(
    "format",
    "lean: a line for each thing",
    &[(Format::Table.name(), Format::Table), (Format::Lean.name(), Format::Lean)],
)
.or_nothing();
/// Whether lean lines have the bounds of things.
pub(super) const BOUNDS: Flag = Flag::optional("bounds", "Lean lines with bounds", false);
/// The part that is shown.
pub(super) const WITHIN: OptionalElementId =
    ElementId::optional("within", "Lean lines of this element only, in full");
/// How much is shown.
pub(super) const MAX_TOKENS: OptionalInteger =
    OptionalInteger::between("max_tokens", "Cut lean lines by importance", 100, 20_000);
/// The next page.
pub(super) const CURSOR: OptionalText = Text::optional("cursor", "From a 'more:' line").not_empty();

/// How a screen is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// `None` where the server's owner decides.
    format: Option<Format>,
    bounds: bool,
    within: Option<NodeId>,
    max_tokens: Option<usize>,
}

impl View {
    /// What a call asks for.
    ///
    /// # Errors
    /// Names the parameter that is wrong, or does not fit the format.
    pub(super) fn read(arguments: Arguments<'_>) -> Result<Self> {
        let view = Self {
            format: FORMAT.read(arguments)?,
            bounds: BOUNDS.read(arguments)?,
            within: WITHIN.read(arguments)?,
            max_tokens: MAX_TOKENS.read(arguments)?.and_then(|most| usize::try_from(most).ok()),
        };
        let for_lean = [
            ("bounds", view.bounds),
            ("within", view.within.is_some()),
            ("max_tokens", view.max_tokens.is_some()),
        ];
        match for_lean.iter().find(|(_, asked)| *asked && view.format == Some(Format::Table)) {
            Some((name, _)) => Err(Error::invalid(format!("Parameter '{name}' needs the format lean."))),
            None => Ok(view),
        }
    }

    /// The first page of what is on the screen now, and the snapshot it was made from.
    ///
    /// # Errors
    /// Those of looking, and when the part that is asked for is not there.
    pub(super) async fn look(&self, call: &Call) -> Result<(Reply, Arc<Snapshot>)> {
        let (snapshot, root) = match self.within {
            None => (call.look().await?, None),
            Some(id) => {
                let found = find(call, id).await?;
                (found.snapshot, Some(found.index))
            }
        };
        let snapshot = Arc::new(snapshot);
        let only_lean = self.bounds || self.within.is_some() || self.max_tokens.is_some();
        let format = self.format.unwrap_or(if only_lean { Format::Lean } else { call.view().format });
        let Self { bounds, max_tokens, .. } = *self;
        let page = Page { format, bounds, root: root.map(NodeIndex::position), max_tokens, start: 0 };
        let text = page.render(&snapshot, |start| {
            let screen = call.attached().freeze(Arc::clone(&snapshot), None);
            Cursor { screen, page: Page { start, ..page } }
        });
        Ok((Reply::text(text).untrusted(), snapshot))
    }
}

/// A part of a screen's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Page {
    format: Format,
    bounds: bool,
    /// The node whose inside is shown.
    root: Option<usize>,
    max_tokens: Option<usize>,
    start: usize,
}

impl Page {
    fn render(self, snapshot: &Snapshot, cursor: impl FnOnce(usize) -> Cursor) -> String {
        match self.format {
            Format::Table => {
                let page = compact::page(snapshot, self.start);
                let next = page.next().map(|start| cursor(start).to_string());
                page.render(next.as_deref())
            }
            Format::Lean => {
                let root = self.root.and_then(|root| snapshot.indices().nth(root));
                let part = root.map_or(Part::Screen, Part::Within);
                let lines = lean::lines(snapshot, part, self.bounds);
                let cursor = |start| cursor(start).to_string();
                match self.max_tokens {
                    None => lean::page(snapshot, &lines, self.start, cursor),
                    Some(most) => lean::page_within(snapshot, &lines, self.start, most, cursor),
                }
            }
        }
    }
}

/// Names a kept screen and what is to be shown of it next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    screen: u64,
    page: Page,
}

impl Cursor {
    /// Reads the cursor of a 'more:' line.
    ///
    /// # Errors
    /// When it is none.
    pub(super) fn parse(text: &str) -> Result<Self> {
        read_cursor(text).ok_or_else(|| {
            Error::invalid("Parameter 'cursor' must be the cursor of a 'more:' line.")
                .with_guidance("Ask again without a cursor.")
        })
    }

    /// The page it names.
    ///
    /// # Errors
    /// When that screen is not kept any more.
    pub(super) fn show(self, call: &Call) -> Result<Reply> {
        let kept = call.attached().frozen(self.screen).ok_or_else(|| {
            Error::invalid("Parameter 'cursor' has expired: that screen is not kept any more.")
                .with_guidance("Ask again without a cursor.")
        })?;
        let next = |start| Self { page: Page { start, ..self.page }, ..self };
        Ok(Reply::text(self.page.render(&kept.snapshot, next)).untrusted())
    }
}

/// `s12-200`, `l12-300`, with bounds `b12-300`, of a part `l12-300-57`, of at most 500 tokens `l12-300-t500`.
fn read_cursor(text: &str) -> Option<Cursor> {
    let (letter, rest) = text.split_at_checked(1)?;
    let (format, bounds) = match letter {
        "s" => (Format::Table, false),
        "l" => (Format::Lean, false),
        "b" => (Format::Lean, true),
        _ => return None,
    };
    let mut numbers = rest.split('-');
    let screen = numbers.next()?.parse().ok()?;
    let start = numbers.next()?.parse().ok()?;
    let mut page = Page { format, bounds, root: None, max_tokens: None, start };
    for number in numbers {
        let (part, number) = match number.strip_prefix('t') {
            Some(number) => (&mut page.max_tokens, number),
            None if page.max_tokens.is_none() => (&mut page.root, number),
            None => return None,
        };
        if format == Format::Table || part.is_some() {
            return None;
        }
        *part = Some(number.parse().ok()?);
    }
    Some(Cursor { screen, page })
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page { format, bounds, root, max_tokens, start } = self.page;
        let letter = match (format, bounds) {
            (Format::Table, _) => 's',
            (Format::Lean, false) => 'l',
            (Format::Lean, true) => 'b',
        };
        write!(f, "{letter}{}-{start}", self.screen)?;
        if let Some(root) = root {
            write!(f, "-{root}")?;
        }
        match max_tokens {
            Some(most) => write!(f, "-t{most}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_and_nothing_else_does() {
        for (format, bounds, root, max_tokens) in [
            (Format::Table, false, None, None),
            (Format::Lean, false, None, None),
            (Format::Lean, true, None, Some(500)),
            (Format::Lean, true, Some(57), None),
            (Format::Lean, false, Some(57), Some(100)),
        ] {
            let cursor = Cursor { screen: 12, page: Page { format, bounds, root, max_tokens, start: 200 } };
            assert_eq!(read_cursor(&cursor.to_string()), Some(cursor), "{cursor}");
        }
        for text in [
            "",
            "s",
            "s1",
            "s1-",
            "x1-2",
            "s1-2-3",
            "l1-2-",
            "l1-2-3-4",
            "l1-2-x",
            "é1-2",
            "l-1-2",
            "s1-2-t9",
            "l1-2-t",
            "l1-2-t9-3",
            "l1-2-t9-t9",
            "l1-2-tx",
        ] {
            assert_eq!(read_cursor(text), None, "{text}");
        }
    }
}
