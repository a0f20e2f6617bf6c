//! The dumps of real phones, whole and damaged.
//!
//! `FINGERTIP_DUMPS` names a folder of them; a copy of the forms that matter stands here for machines without.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::id::Identities;
use fingertip_core::lean::{self, Part};
use fingertip_core::visible::clean;
use fingertip_core::{Flags, WindowKind, compact};

use super::*;

/// How many damaged dumps are read.
const DAMAGED: u64 = 10_000;
/// How long any one of them may take, on a slow and busy machine.
const EACH_WITHIN: Duration = Duration::from_secs(2);

const BUILT_IN: &str = r#"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.app" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,2400]"><node index="0" text="Hello &amp; &#10;welcome &#128512;" class="android.widget.TextView" package="com.app" clickable="true" bounds="[0,0][1080,100]" drawing-order="1" hint=""/><node index="1" text="••" class="android.widget.EditText" package="com.app" password="true" hint="PIN" bounds="[0,100][1080,200]" visible-to-user="true"/></node><node package="com.android.systemui" bounds="[0,0][1080,60]"/></hierarchy>UI hierchary dumped to: /dev/tty"#;

/// All dumps there are, by name.
fn dumps() -> Vec<(String, Vec<u8>)> {
    let mut dumps = vec![("built in".to_owned(), BUILT_IN.as_bytes().to_vec())];
    let Some(folder) = std::env::var_os("FINGERTIP_DUMPS").map(PathBuf::from) else { return dumps };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "xml"));
    assert!(!files.is_empty(), "FINGERTIP_DUMPS names a folder without dumps");
    dumps.extend(files.iter().map(|file| (file.display().to_string(), std::fs::read(file).unwrap())));
    dumps
}

/// Attribute values straight from the text of a dump, by a way that shares nothing with the parser. A value that
/// holds quotes is written between apostrophes.
fn values<'a>(dump: &'a str, name: &str) -> Vec<&'a str> {
    let value = |node: &'a str| {
        let (_, rest) = node.split_once(&format!(" {name}="))?;
        let quote = rest.chars().next()?;
        rest[1..].split(quote).next()
    };
    dump.split("<node").skip(1).filter_map(value).collect()
}

/// What a reader of XML makes of the references in real dumps.
fn resolved(raw: &str) -> String {
    let plain = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#10;", "\n"),
        ("&#128512;", "😀"),
    ];
    plain.iter().fold(raw.to_owned(), |text, (from, to)| text.replace(from, to)).replace("&amp;", "&")
}

#[test]
fn every_real_dump_keeps_every_text_and_every_clickable_node() {
    for (name, bytes) in dumps() {
        let dump = String::from_utf8(bytes).unwrap();
        let hierarchy = parse(dump.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(hierarchy.cut, None, "{name}");
        let nodes: Vec<_> =
            hierarchy.windows.iter().flat_map(|window| &window.nodes).map(|(_, node)| node).collect();
        assert_eq!(nodes.len(), dump.matches("<node").count(), "{name}");
        let clickable = values(&dump, "clickable").iter().filter(|value| **value == "true").count();
        assert_eq!(nodes.iter().filter(|node| node.is(Flags::CLICKABLE)).count(), clickable, "{name}");
        for (node, text) in nodes.iter().zip(values(&dump, "text")) {
            let text = resolved(text);
            let shown = node.text.as_deref().unwrap_or_default();
            let is_hint = node.is(Flags::EDITABLE) && node.hint.as_deref() == Some(text.as_str());
            assert!(shown == text || (shown.is_empty() && is_hint), "{name}: {text:?} became {shown:?}");
        }
        for (node, description) in nodes.iter().zip(values(&dump, "content-desc")) {
            assert_eq!(node.description.as_deref().unwrap_or_default(), resolved(description), "{name}");
        }
    }
}

#[test]
fn every_node_of_a_real_dump_gets_an_id_of_its_own() {
    for (name, dump) in dumps() {
        let mut snapshot = crate::tree::snapshot(parse(&dump).unwrap(), None, None);
        Identities::new(Arc::default()).assign(&mut snapshot);
        let ids: HashSet<_> = snapshot.nodes().iter().filter_map(|node| node.id).collect();
        assert_eq!(ids.len(), snapshot.nodes().len(), "{name}");
    }
}

#[test]
fn the_lean_lines_of_a_real_dump_hold_whatever_acts_and_every_visible_text() {
    let acting = Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::EDITABLE | Flags::SCROLLABLE;
    for (name, dump) in dumps() {
        let snapshot = crate::tree::snapshot(parse(&dump).unwrap(), None, None);
        let mut lines = lean::lines(&snapshot, Part::Screen, false);
        // A keyboard and a bar are a line each, and show the rest by their id.
        for window in snapshot
            .windows()
            .iter()
            .enumerate()
            .filter(|(_, window)| matches!(window.kind, WindowKind::InputMethod | WindowKind::System))
        {
            for root in snapshot.roots_of(window.0) {
                lines.extend(lean::lines(&snapshot, Part::Within(root), false));
            }
        }
        let said: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
        let shown: HashSet<_> = lines.iter().filter_map(|line| line.node).collect();
        for index in snapshot.indices() {
            let node = snapshot.node(index);
            assert!(!node.flags.intersects(acting) || shown.contains(&index), "{name}: {node:?}\n{said}");
            let words = [&node.text, &node.description].into_iter().flatten();
            for word in words.filter(|_| node.is(Flags::VISIBLE)) {
                let shown: String = clean(word).replace(['\n', '\t', '\r'], " ").replace('"', "'");
                let start: String = shown.trim().chars().take(90).collect();
                assert!(said.contains(&start), "{name}: {start:?} is not in\n{said}");
            }
        }
        let table = compact::whole(&snapshot).len();
        assert!(said.len() * 2 < table || table < 2000, "{name}: {} of {table} bytes", said.len());
    }
}

/// Numbers from a seed: the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

fn inserted(bytes: &[u8], at: usize, piece: &[u8]) -> Vec<u8> {
    [&bytes[..at], piece, &bytes[at..]].concat()
}

fn damage(dump: &[u8], dice: &mut Dice) -> Vec<u8> {
    const PIECES: [&[u8]; 12] = [
        b"<node>",
        b"</node>",
        b"<node text=\"",
        b"&#55357;",
        b"&lol;",
        b"]]>",
        b"<!--",
        b"<![CDATA[",
        b"<!DOCTYPE x [<!ENTITY a \"aaaa\">]>",
        b"\xff\xfe\x00",
        b"bounds=\"[-9999999999,1][2,3]\"",
        b"</hierarchy>",
    ];
    let mut bytes = dump.to_vec();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len());
        match dice.roll(6) {
            0 => bytes.truncate(at),
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << dice.roll(8);
                }
            }
            2 => bytes = inserted(&bytes, at, PIECES[dice.roll(PIECES.len())]),
            3 => bytes = inserted(&bytes, at, &PIECES[dice.roll(3)].repeat(dice.roll(600))),
            4 => {
                let end = (at + dice.roll(200)).min(bytes.len());
                bytes = [&bytes[..at], &bytes[end..]].concat();
            }
            _ => {
                let end = (at + dice.roll(500)).min(bytes.len());
                bytes = inserted(&bytes, at, &bytes[at..end]);
            }
        }
    }
    bytes
}

#[test]
fn ten_thousand_damaged_dumps_give_a_tree_or_an_error() {
    let dumps = dumps();
    let (mut trees, mut errors) = (0, 0);
    for seed in 1..=DAMAGED {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (name, dump) = &dumps[dice.roll(dumps.len())];
        let damaged = damage(dump, &mut dice);
        let start = Instant::now();
        match parse(&damaged) {
            Ok(hierarchy) => {
                trees += 1;
                let deepest =
                    hierarchy.windows.iter().flat_map(|window| &window.nodes).map(|(depth, _)| *depth).max();
                assert!(deepest < Some(MAX_DEPTH), "{name}, seed {seed}");
            }
            Err(error) => {
                errors += 1;
                assert!(error.to_string().len() < 1000, "{name}, seed {seed}");
            }
        }
        assert!(start.elapsed() < EACH_WITHIN, "{name}, seed {seed} took {:?}", start.elapsed());
    }
    assert!(trees > 500 && errors > 500, "{trees} trees, {errors} errors");
}
