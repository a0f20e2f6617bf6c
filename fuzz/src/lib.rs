//! Every parser of foreign bytes, as a target that any bytes are given to.
//!
//! Property: it returns. It does not panic, does not hang, and needs no more memory than a small multiple of its input
//! (`bench/fuzz.sh` runs under a limit of address space). `cargo test -p fingertip-fuzz` gives each target its corpus and
//! a second of mutations; the program runs for as long as it is asked to.
//!
//! A mutator of its own, because only stable Rust is used here: cargo-fuzz needs nightly. It is guided by outcome instead
//! of by coverage: an input whose result is of a new form is kept and mutated further.

pub mod engine;
mod mutate;

use fingertip_core::{NodeId, Selector, path::ElementPath, select::By};

/// A parser.
#[derive(Debug, Clone, Copy)]
pub struct FuzzTarget {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// What it makes of the bytes, as text.
    pub run: fn(&[u8]) -> String,
}

/// All of them.
pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "dump", run: fingertip_android::fuzzing::dump },
    FuzzTarget { name: "window_list", run: fingertip_android::fuzzing::window_list },
    FuzzTarget { name: "surroundings", run: fingertip_android::fuzzing::surroundings },
    FuzzTarget { name: "lists", run: fingertip_android::fuzzing::lists },
    FuzzTarget { name: "log", run: fingertip_android::fuzzing::log },
    FuzzTarget { name: "picture", run: fingertip_android::fuzzing::picture },
    FuzzTarget { name: "adb", run: fingertip_android::fuzzing::adb },
    FuzzTarget { name: "agent", run: fingertip_android::fuzzing::agent },
    FuzzTarget { name: "agent_screen", run: fingertip_android::fuzzing::agent_screen },
    FuzzTarget { name: "dbus_reply", run: fingertip_linux::fuzzing::reply },
    FuzzTarget { name: "dbus_event", run: fingertip_linux::fuzzing::event },
    FuzzTarget { name: "window_edges", run: fingertip_linux::fuzzing::window_edges },
    FuzzTarget { name: "desktop_entry", run: fingertip_linux::fuzzing::entry },
    FuzzTarget { name: "kwin_report", run: fingertip_linux::fuzzing::kwin_report },
    FuzzTarget { name: "keymap", run: fingertip_linux::fuzzing::keymap },
    FuzzTarget { name: "message", run: fingertip_mcp::fuzzing::message },
    FuzzTarget { name: "lines", run: fingertip_mcp::fuzzing::lines },
    FuzzTarget { name: "arguments", run: fingertip_mcp::fuzzing::arguments },
    FuzzTarget { name: "secrets", run: fingertip_mcp::fuzzing::secrets },
    FuzzTarget { name: "names", run: names },
    FuzzTarget { name: "selector", run: selector },
    FuzzTarget { name: "configuration", run: fingertip::fuzzing::configuration },
];

/// Element paths, ids and ways to search.
fn names(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let path = text.parse::<ElementPath>().map(|path| {
        let again = path.to_string().parse::<ElementPath>();
        assert_eq!(again.as_ref().ok(), Some(&path), "a path reads back as itself");
        path.to_string()
    });
    format!("{path:?} {:?} {:?}", text.parse::<NodeId>(), By::parse(&text))
}

/// A selector.
fn selector(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match Selector::parse(&text) {
        Ok(selector) => {
            let written = selector.to_string();
            // What cannot be seen takes more letters written out.
            if written.chars().count() <= fingertip_core::selector::MAX_CHARACTERS {
                assert_eq!(
                    Selector::parse(&written).as_ref(),
                    Ok(&selector),
                    "a selector reads back as itself"
                );
            }
            written
        }
        Err(error) => format!("{} {error}", Selector::is_meant(&text)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// How long each target is tried with every test run.
    const EACH: Duration = Duration::from_millis(700);
    /// The same mutations every time, so that a failure is one of the change at hand.
    const SEED: u64 = 1;

    #[test]
    fn every_parser_survives_its_corpus_and_what_is_made_of_it() {
        for target in TARGETS {
            let corpus = engine::corpus(target.name);
            assert!(!corpus.is_empty(), "{} has no corpus", target.name);
            let report = engine::fuzz(*target, &corpus, EACH, SEED);
            if let Err(find) = report {
                panic!("{}: {:?} {}", target.name, String::from_utf8_lossy(&find.input), find.why);
            }
        }
    }
}
