//! The screen format: what is on the screen as flat, tab-separated text, made to be read by a model.
//!
//! ```text
//! note:structural-only nodes are omitted from the tree
//! app:com.example.notes activity:.Main
//! screen:1080x2400 density:420 orientation:portrait
//! id<TAB>class<TAB>text<TAB>desc<TAB>res_id<TAB>bounds<TAB>flags
//! node_00a1<TAB>Button<TAB>OK<TAB>-<TAB>com.example:id/ok<TAB>0,0,100,50<TAB>vcn
//! window:Keyboard app:com.example.keys type:input_method
//! node_00b2<TAB>…
//! more:17 cursor:…
//! note:the screen is still changing
//! ```
//!
//! Rules: one row is one line of seven columns, and no text of the screen can start a line or add a column
//! (see `text`). The focused window comes first, the others from the topmost down. A window that a modal
//! dialog blocks has no rows, only a note. Rows beyond
//! [`MAX_ROWS`] follow on further pages, which have no head and repeat the `window:` line they start in.
//! In a `window:` line the title comes first and may hold anything, so read the rest from the right.
//! Non-goals: structure (see [`crate::outline`]) and giving ids.

#[cfg(test)]
mod page_tests;
mod row;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::ops::Range;

pub use row::MAX_TEXT;
pub(crate) use row::{description, is_kept as has_row};
pub use text::TRUNCATED;
pub(crate) use text::unescaped;

use crate::{Node, NodeIndex, Orientation, Rect, Snapshot, WindowKind};

/// A page has this many rows at the most.
pub const MAX_ROWS: usize = 200;

const NOTE: &str = "note:structural-only nodes are omitted from the tree";
const HEADER: &str = "id\tclass\ttext\tdesc\tres_id\tbounds\tflags";
const DETAILS_HEADER: &str = "id\ttext\tdesc";
const NOT_FOUND: &str = "not_found\tnot_found";
const STILL_CHANGING: &str = "note:the screen is still changing";

/// The most disabled elements that a note names.
const MOST_NAMED: usize = 50;

/// Stands for an application or activity without a name.
const UNKNOWN: &str = "unknown";

/// Room for a row of usual length, so that a page is written into one allocation.
const USUAL_ROW_BYTES: usize = 112;

/// Room for everything that is not a row.
const USUAL_HEAD_BYTES: usize = 512;

/// A part of the rows of a snapshot.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    snapshot: &'a Snapshot,
    rows: Vec<NodeIndex>,
    range: Range<usize>,
}

/// The page whose first row is the one at `start`, counted over all windows.
#[must_use]
pub fn page(snapshot: &Snapshot, start: usize) -> Page<'_> {
    part(snapshot, start, MAX_ROWS)
}

/// All rows at once, for readers without a limit.
#[must_use]
pub fn whole(snapshot: &Snapshot) -> String {
    part(snapshot, 0, usize::MAX).render(None)
}

/// The full text and description of nodes, one line each in the order asked; `None` is one not found. Line ends and tabs
/// are written as `\n` and `\t`, and a backslash as two.
#[must_use]
pub fn details(asked: &[(String, Option<&Node>)]) -> String {
    let mut out = String::from(DETAILS_HEADER);
    for (id, node) in asked {
        out.push('\n');
        row::push_whole(&mut out, Some(id));
        out.push('\t');
        match node {
            Some(node) => {
                row::push_exact(&mut out, node.text.as_deref());
                out.push('\t');
                row::push_exact(&mut out, description(node));
            }
            None => out.push_str(NOT_FOUND),
        }
    }
    out
}

impl Page<'_> {
    /// Where the next page starts; `None` when this is the last.
    #[must_use]
    pub fn next(&self) -> Option<usize> {
        (self.remaining() > 0).then_some(self.range.end)
    }

    /// How many rows follow this page.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.rows.len() - self.range.end
    }

    /// The page as text, without a newline at its end. `cursor` is what asks for the next page, where there
    /// is one.
    #[must_use]
    pub fn render(&self, cursor: Option<&str>) -> String {
        let mut out = String::with_capacity(USUAL_HEAD_BYTES + self.range.len() * USUAL_ROW_BYTES);
        if self.range.start == 0 {
            self.push_head(&mut out);
        }
        out.push_str(HEADER);
        let mut window = self.snapshot.focused_window();
        for &index in &self.rows[self.range.clone()] {
            let own = self.snapshot.window_of(index);
            if window != Some(own) {
                self.push_window(&mut out, own);
                window = Some(own);
            }
            out.push('\n');
            row::push(&mut out, self.snapshot.node(index));
        }
        self.push_end(&mut out, cursor);
        out
    }

    fn push_head(&self, out: &mut String) {
        out.push_str(NOTE);
        out.push_str("\napp:");
        push_name(out, self.snapshot.app.as_deref());
        out.push_str(" activity:");
        push_name(out, self.snapshot.activity.as_deref());
        let screen = self.snapshot.screen;
        let orientation = match screen.orientation() {
            Orientation::Portrait => "portrait",
            Orientation::Landscape => "landscape",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "\nscreen:{}x{} density:{} orientation:{orientation}",
            screen.width, screen.height, screen.density
        );
    }

    fn push_window(&self, out: &mut String, position: usize) {
        let window = &self.snapshot.windows()[position];
        out.push_str("\nwindow:");
        row::push_short(out, window.title.as_deref());
        out.push_str(" app:");
        push_name(out, window.app.as_deref());
        out.push_str(" type:");
        out.push_str(window.kind.name());
    }

    fn push_end(&self, out: &mut String, cursor: Option<&str>) {
        if self.remaining() > 0 {
            let _ = write!(out, "\nmore:{}", self.remaining());
            if let Some(cursor) = cursor {
                let _ = write!(out, " cursor:{cursor}");
            }
        }
        push_notes(out, self.snapshot);
    }
}

/// Appends the notes on a snapshot, each on a line of its own.
pub(crate) fn push_notes(out: &mut String, snapshot: &Snapshot) {
    push_windows_without_rows(out, snapshot);
    push_disabled(out, snapshot);
    for Rect { left, top, right, bottom } in &snapshot.blank {
        let _ = write!(
            out,
            "\nnote:the area {left},{top},{right},{bottom} exposes no elements; look at a screenshot"
        );
    }
    if let Some(why) = snapshot.cut.as_deref() {
        out.push_str("\nnote:");
        row::push_whole(out, Some(why));
    }
    if !snapshot.settled {
        out.push('\n');
        out.push_str(STILL_CHANGING);
    }
}

/// Says which windows have no rows though they are on the screen: those behind a modal dialog, and popups of which
/// only the pixels are known.
fn push_windows_without_rows(out: &mut String, snapshot: &Snapshot) {
    for (position, window) in snapshot.windows().iter().enumerate() {
        if let Some(dialog) = window.blocked_by.as_deref() {
            out.push_str("\nnote:window '");
            row::push_short(out, window.title.as_deref());
            out.push_str("' is left out: it is blocked by the dialog '");
            row::push_short(out, Some(dialog));
            out.push('\'');
        } else if window.kind == WindowKind::Popup
            && !window.minimized
            && snapshot.nodes_of(position).len() == 0
        {
            let Rect { left, top, right, bottom } = window.bounds;
            out.push_str("\nnote:a popup of ");
            push_name(out, window.app.as_deref());
            let _ = write!(
                out,
                " at {left},{top},{right},{bottom} exposes no elements; look at a screenshot and tap there"
            );
        }
    }
}

/// Names the controls that have no row because they do not react now.
fn push_disabled(out: &mut String, snapshot: &Snapshot) {
    let all = &snapshot.disabled;
    if all.is_empty() {
        return;
    }
    let _ = write!(out, "\nnote:{} disabled elements are left out: ", all.len());
    for (position, name) in all.iter().take(MOST_NAMED).enumerate() {
        if position > 0 {
            out.push_str(", ");
        }
        row::push_short(out, Some(name));
    }
    if all.len() > MOST_NAMED {
        out.push_str(", …");
    }
}

fn part(snapshot: &Snapshot, start: usize, limit: usize) -> Page<'_> {
    let rows = rows(snapshot);
    let start = start.min(rows.len());
    let end = start.saturating_add(limit).min(rows.len());
    Page { snapshot, rows, range: start..end }
}

/// The nodes worth a row, in the order of the format.
fn rows(snapshot: &Snapshot) -> Vec<NodeIndex> {
    let focused = snapshot.focused_window();
    let mut windows: Vec<usize> = (0..snapshot.windows().len()).collect();
    windows.sort_by_key(|&position| (Some(position) != focused, Reverse(snapshot.windows()[position].layer)));
    windows.retain(|&position| snapshot.windows()[position].blocked_by.is_none());
    let nodes = windows.into_iter().flat_map(|position| snapshot.nodes_of(position));
    nodes.filter(|&index| row::is_kept(snapshot.node(index))).collect()
}

fn push_name(out: &mut String, name: Option<&str>) {
    if !name.is_some_and(|name| text::push(out, name)) {
        out.push_str(UNKNOWN);
    }
}
