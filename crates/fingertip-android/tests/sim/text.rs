//! Typing.

use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key};
use fingertip_core::{Flags, Reason};
use fingertip_sim::phone::Profile;

use super::bench::{Bench, CONTACT, NOTES, find, soon};

async fn set(bench: &Bench, name: &str, text: &str) -> fingertip_core::Result<()> {
    let snapshot = bench.look().await;
    bench.target.set_text(&snapshot, find(&snapshot, name), text, soon()).await
}

#[tokio::test]
async fn a_note_is_written_edited_and_cleared() {
    let bench = Bench::start().await;
    bench.open(NOTES);
    bench.press("fab_new").await;
    set(&bench, "edit_title", "It's 100% \"quoted\" & $HOME `id` \\ ; | %s *").await.unwrap();
    let written = bench.text("edit_title").await;
    assert_eq!(written.as_deref(), Some("It's 100% \"quoted\" & $HOME `id` \\ ; | %s *"));
    set(&bench, "edit_title", "Short").await.unwrap();
    assert_eq!(bench.text("edit_title").await.as_deref(), Some("Short"));
    bench.target.type_text(" and longer", &Expected::anyone(), soon()).await.unwrap();
    bench.target.press_key(Key::Delete.into(), &Expected::anyone(), soon()).await.unwrap();
    assert_eq!(bench.text("edit_title").await.as_deref(), Some("Short and longe"));
    set(&bench, "edit_body", "one\ntwo").await.unwrap();
    assert_eq!(bench.text("edit_body").await.as_deref(), Some("one\ntwo"));
    assert_eq!(bench.text("edit_title").await.as_deref(), Some("Short and longe"));
}

#[tokio::test]
async fn an_emptied_field_is_empty_on_old_and_new_phones() {
    for sdk in [30, 34, 35] {
        let bench = Bench::of(Profile { sdk, ..Profile::default() }).await;
        bench.open(CONTACT);
        set(&bench, "first_name", "Bob").await.unwrap();
        assert_eq!(bench.text("first_name").await.as_deref(), Some("Bob"), "level {sdk}");
        set(&bench, "first_name", "").await.unwrap();
        let snapshot = bench.look().await;
        let field = snapshot.node(find(&snapshot, "first_name"));
        assert_eq!((field.text.as_deref(), field.hint.as_deref()), (None, Some("First name")), "level {sdk}");
    }
}

#[tokio::test]
async fn of_a_password_only_the_length_is_seen() {
    let bench = Bench::start().await;
    bench.open(CONTACT);
    set(&bench, "password", "hunter2").await.unwrap();
    let snapshot = bench.look().await;
    let field = snapshot.node(find(&snapshot, "password"));
    assert!(field.is(Flags::PASSWORD));
    assert_eq!((field.text.as_deref(), field.secret_length), (None, Some(7)));
    assert!(!format!("{snapshot:?}").contains("hunter2"));
}

#[tokio::test]
async fn what_is_not_ascii_is_refused_and_changes_nothing() {
    let bench = Bench::start().await;
    bench.open(CONTACT);
    set(&bench, "first_name", "Bob").await.unwrap();
    let error = set(&bench, "first_name", "Zoë").await.unwrap_err();
    assert_eq!(error.reason(), Reason::Unsupported);
    assert!(error.guidance().unwrap().contains("agent"));
    assert_eq!(bench.text("first_name").await.as_deref(), Some("Bob"));
}
