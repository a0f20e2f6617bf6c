//! The screen format keeps its shape, whatever the screen says.

use fingertip_core::compact::{MAX_ROWS, MAX_TEXT, TRUNCATED, page, whole};
use fingertip_core::{Flags, Node, Snapshot};
use proptest::prelude::*;

use crate::trees::{plan, text};

const HEAD_LINES: usize = 4;

fn is_kept(node: &Node) -> bool {
    let says = |field: &Option<Box<str>>| field.as_ref().is_some_and(|text| !text.is_empty());
    let does = Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::SCROLLABLE | Flags::EDITABLE;
    says(&node.text)
        || says(&node.description)
        || says(&node.resource_id)
        || node.flags.intersects(does)
        || node.secret_length.is_some_and(|length| length > 0)
}

fn notes(snapshot: &Snapshot) -> usize {
    usize::from(snapshot.cut.is_some()) + usize::from(!snapshot.settled)
}

fn is_row(line: &str) -> bool {
    line.starts_with("node_")
}

/// Puts the pages of a snapshot together again, checking what each page adds to its rows.
fn joined(snapshot: &Snapshot) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut start = Some(0);
    while let Some(position) = start {
        let page = page(snapshot, position);
        let text = page.render(Some("next"));
        let mut page_lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        assert!(page_lines.iter().filter(|line| is_row(line)).count() <= MAX_ROWS);
        let end = page_lines.split_off(page_lines.len() - notes(snapshot));
        if page.next().is_some() {
            assert_eq!(page_lines.pop(), Some(format!("more:{} cursor:next", page.remaining())));
        }
        if position > 0 {
            page_lines.remove(0);
            let open_window = lines.iter().rfind(|line| !is_row(line));
            if page_lines.first() == open_window {
                page_lines.remove(0);
            }
        }
        lines.append(&mut page_lines);
        if page.next().is_none() {
            lines.extend(end);
        }
        start = page.next();
    }
    lines
}

/// What the details say with a space for each line end and tab.
fn spaced(exact: &str) -> String {
    let mut out = String::new();
    let mut characters = exact.chars();
    while let Some(character) = characters.next() {
        out.push(match character {
            '\\' if characters.next() == Some('\\') => '\\',
            '\\' => ' ',
            other => other,
        });
    }
    out
}

proptest! {
    #[test]
    fn every_row_is_one_line_of_seven_columns(plan in plan(40)) {
        let snapshot = plan.build();
        let rows = snapshot.nodes().iter().filter(|node| is_kept(node)).count();
        let windows = (0..snapshot.windows().len())
            .filter(|window| Some(*window) != snapshot.focused_window())
            .filter(|window| snapshot.nodes_of(*window).any(|index| is_kept(snapshot.node(index))))
            .count();
        let output = whole(&snapshot);
        let lines: Vec<&str> = output.split('\n').collect();
        prop_assert_eq!(lines.len(), HEAD_LINES + rows + windows + notes(&snapshot));
        let body = &lines[HEAD_LINES..lines.len() - notes(&snapshot)];
        for line in body {
            if is_row(line) {
                prop_assert_eq!(line.split('\t').count(), 7, "{:?}", line);
            } else {
                prop_assert!(line.starts_with("window:") && !line.contains('\t'), "{:?}", line);
            }
        }
        prop_assert_eq!(body.iter().filter(|line| is_row(line)).count(), rows);
    }

    #[test]
    fn nothing_unseen_gets_through(plan in plan(20)) {
        for character in whole(&plan.build()).chars().filter(|character| !matches!(character, '\t' | '\n')) {
            let commands = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}'];
            prop_assert!(!character.is_control() && !commands.contains(&character), "{:?}", character);
            prop_assert!(!('\u{202a}'..='\u{202e}').contains(&character), "{:?}", character);
            prop_assert!(!('\u{2066}'..='\u{2069}').contains(&character), "{:?}", character);
            prop_assert!(!('\u{e0000}'..='\u{e00ff}').contains(&character), "{:?}", character);
        }
    }

    #[test]
    fn a_cut_text_is_the_beginning_of_the_whole(start in text(), repeated in text(), times in 1..40_usize) {
        let full = start + &repeated.repeat(times);
        let mut builder = Snapshot::builder(fingertip_core::Screen::default());
        builder.leaf(Node::new("View").resource_id("x").text(&full));
        let snapshot = builder.finish();
        let output = whole(&snapshot);
        let cell = output.split('\n').next_back().and_then(|row| row.split('\t').nth(2)).unwrap();
        let asked = [("x".to_owned(), snapshot.nodes().first())];
        let details = fingertip_core::compact::details(&asked);
        let all = details.split('\t').nth(3).unwrap();
        // A row has spaces where the details have line ends and tabs.
        let all = spaced(all);
        if all.chars().count() <= MAX_TEXT {
            prop_assert_eq!(cell, &all);
        } else {
            let shown = cell.strip_suffix(TRUNCATED).unwrap();
            prop_assert!(all.starts_with(shown));
            prop_assert!((1..=MAX_TEXT).contains(&shown.chars().count()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pages_together_are_the_whole(plan in plan(3 * MAX_ROWS)) {
        let snapshot = plan.build();
        let whole = whole(&snapshot);
        let whole: Vec<&str> = whole.split('\n').collect();
        prop_assert_eq!(joined(&snapshot), whole);
    }
}
