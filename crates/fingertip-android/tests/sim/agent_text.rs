//! Text of every script, set, typed, appended and cleared; and the clipboard left as it was.

use fingertip_core::Flags;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, NodeAction};

use super::bench::{Bench, CONTACT, NOTES, find, soon};

/// Emoji with skin tones and joiners, right to left, wide characters, combining marks, and all at once.
const TEXTS: [&str; 6] = [
    "👋🏽 👩‍👩‍👧‍👦 🇮🇱 ✌️",
    "שלום עולם, מה שלומך?",
    "你好，世界。漢字かな交じり文",
    "e\u{301} n\u{303} o\u{302}\u{323} Z\u{361}a",
    "It's 100% \"quoted\" & $HOME `id` \\ ; | %s *",
    "mixed שלום 你好 👋 e\u{301} end",
];

async fn set(bench: &Bench, name: &str, text: &str) {
    let snapshot = bench.look().await;
    bench.target.set_text(&snapshot, find(&snapshot, name), text, soon()).await.unwrap();
}

pub(crate) async fn every_text_survives(bench: &Bench) {
    let kept = "what was copied before: שלום 👋";
    bench.target.set_clipboard(kept, soon()).await.unwrap();
    bench.open(NOTES);
    bench.press("fab_new").await;
    let long: String = TEXTS.join(" ").chars().cycle().take(5000).collect();
    assert_eq!(long.chars().count(), 5000);
    for text in TEXTS.into_iter().chain([long.as_str()]) {
        set(bench, "edit_body", text).await;
        assert_eq!(bench.text("edit_body").await.as_deref(), Some(text), "set");
        set(bench, "edit_body", "").await;
        assert_eq!(bench.text("edit_body").await, None, "cleared");
        let snapshot = bench.look().await;
        let field = find(&snapshot, "edit_body");
        bench.target.act(&snapshot, field, &NodeAction::Click, soon()).await.unwrap();
        bench.target.type_text("a", &Expected::anyone(), soon()).await.unwrap();
        bench.target.type_text(text, &Expected::anyone(), soon()).await.unwrap();
        assert_eq!(bench.text("edit_body").await, Some(format!("a{text}")), "appended");
        bench.target.type_text(text, &Expected::anyone(), soon()).await.unwrap();
        assert_eq!(bench.text("edit_body").await, Some(format!("a{text}{text}")), "appended again");
        set(bench, "edit_body", "").await;
    }
    assert_eq!(bench.target.get_clipboard(soon()).await.unwrap().as_deref(), Some(kept));
}

#[tokio::test]
async fn every_text_survives_and_so_does_the_clipboard() {
    every_text_survives(&Bench::agent().await).await;
}

#[tokio::test]
async fn of_a_password_only_the_length_is_seen() {
    let bench = Bench::agent().await;
    bench.target.set_clipboard("kept", soon()).await.unwrap();
    bench.open(CONTACT);
    set(&bench, "password", "hunter2").await;
    bench.press("password").await;
    bench.target.type_text("שלום", &Expected::anyone(), soon()).await.unwrap();
    let snapshot = bench.look().await;
    let field = snapshot.node(find(&snapshot, "password"));
    assert!(field.is(Flags::PASSWORD));
    assert_eq!((field.text.as_deref(), field.secret_length), (None, Some(11)));
    assert!(!format!("{snapshot:?}").contains("hunter2"));
    assert_eq!(bench.target.get_clipboard(soon()).await.unwrap().as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_hint_is_not_text() {
    let bench = Bench::agent().await;
    bench.open(CONTACT);
    let snapshot = bench.look().await;
    let field = snapshot.node(find(&snapshot, "first_name"));
    assert_eq!((field.text.as_deref(), field.hint.as_deref()), (None, Some("First name")));
}

#[tokio::test]
async fn the_clipboard_is_read_and_written() {
    let bench = Bench::agent().await;
    assert_eq!(bench.target.get_clipboard(soon()).await.unwrap(), None);
    for text in TEXTS {
        bench.target.set_clipboard(text, soon()).await.unwrap();
        assert_eq!(bench.phone.with(|phone| phone.clipboard().map(str::to_owned)).as_deref(), Some(text));
        assert_eq!(bench.target.get_clipboard(soon()).await.unwrap().as_deref(), Some(text));
    }
}
