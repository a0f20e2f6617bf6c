//! Keys beyond the six of the first phones: arrows with Shift, combinations, characters, several at once; by both drivers.

use fingertip_core::Reason;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key, KeyPress, Modifiers};
use fingertip_sim::phone::{KeyCode, Profile};

use super::bench::{Bench, NOTES, SETTINGS, find, soon};

async fn press(bench: &Bench, press: impl Into<KeyPress>) -> fingertip_core::Result<Option<String>> {
    bench.target.press_key(press.into(), &Expected::anyone(), soon()).await
}

/// A note with this title, the cursor behind it.
async fn titled(bench: &Bench, title: &str) {
    bench.open(NOTES);
    bench.press("fab_new").await;
    let snapshot = bench.look().await;
    bench.target.set_text(&snapshot, find(&snapshot, "edit_title"), title, soon()).await.unwrap();
    // The agent sets a text without the focus.
    bench.press("edit_title").await;
    press(bench, Key::MoveEnd).await.unwrap();
}

async fn title(bench: &Bench) -> String {
    bench.text("edit_title").await.unwrap_or_default()
}

#[tokio::test]
async fn a_line_is_edited_with_arrows_combinations_and_characters() {
    for bench in [Bench::start().await, Bench::agent().await] {
        titled(&bench, "abcdef").await;
        // The last two are selected and replaced.
        press(&bench, KeyPress::from(Key::Left).with(Modifiers::SHIFT).times(2)).await.unwrap();
        press(&bench, Key::Character('X')).await.unwrap();
        assert_eq!(title(&bench).await, "abcdX");
        press(&bench, Key::MoveHome).await.unwrap();
        press(&bench, KeyPress::from(Key::ForwardDelete).times(2)).await.unwrap();
        press(&bench, KeyPress::from(Key::Character('?')).times(3)).await.unwrap();
        assert_eq!(title(&bench).await, "???cdX");
        press(&bench, KeyPress::from(Key::Character('a')).with(Modifiers::CONTROL)).await.unwrap();
        press(&bench, KeyPress::from(Key::Character('x')).with(Modifiers::CONTROL)).await.unwrap();
        assert_eq!(bench.phone.with(|phone| phone.clipboard().map(str::to_owned)).as_deref(), Some("???cdX"));
        press(&bench, KeyPress::from(Key::Character('v')).with(Modifiers::CONTROL).times(2)).await.unwrap();
        assert_eq!(title(&bench).await, "???cdX???cdX");
    }
}

#[tokio::test]
async fn a_character_that_no_key_writes_is_written_by_the_agent_and_refused_by_the_shell() {
    let bench = Bench::agent().await;
    titled(&bench, "a").await;
    press(&bench, KeyPress::from(Key::Character('ß')).times(2)).await.unwrap();
    assert_eq!(title(&bench).await, "aßß");
    let held = KeyPress::from(Key::Character('ß')).with(Modifiers::CONTROL);
    assert_eq!(press(&bench, held).await.unwrap_err().reason(), Reason::Unsupported);
    let bench = Bench::start().await;
    titled(&bench, "a").await;
    for wrong in [KeyPress::from(Key::Character('ß')), held] {
        assert_eq!(press(&bench, wrong).await.unwrap_err().reason(), Reason::Unsupported);
    }
    assert_eq!(title(&bench).await, "a");
}

#[tokio::test]
async fn keys_of_the_system_and_combinations_on_old_phones_are_refused() {
    for bench in [Bench::start().await, Bench::agent().await] {
        bench.open(NOTES);
        for (key, modifiers) in [(Key::Tab, Modifiers::ALT), (Key::Enter, Modifiers::SUPER)] {
            let error = press(&bench, KeyPress::from(key).with(modifiers)).await.unwrap_err();
            assert_eq!(error.reason(), Reason::Unsupported, "{error}");
        }
        let front = bench.look().await.app;
        assert_eq!(front.as_deref(), Some("com.fingertip.demo.notes"));
    }
    let old = Bench::of(Profile { sdk: 30, ..Profile::default() }).await;
    titled(&old, "abc").await;
    let error = press(&old, KeyPress::from(Key::Character('a')).with(Modifiers::CONTROL)).await.unwrap_err();
    assert!(error.message().contains("Android 12") && error.message().contains("ctrl+a"), "{error}");
    press(&old, KeyPress::from(Key::Left).times(2)).await.unwrap();
    press(&old, Key::Delete).await.unwrap();
    assert_eq!(title(&old).await, "bc");
}

/// The second press would go to the app that the first one opened.
#[tokio::test]
async fn the_same_key_does_not_follow_into_another_app() {
    for bench in [Bench::start().await, Bench::agent().await] {
        bench.open(SETTINGS);
        bench.phone.with(|phone| phone.key(KeyCode::HOME, 0));
        // Moves the focus until it is on an icon: Enter opens that app.
        press(&bench, Key::Tab).await.unwrap();
        let windows = bench.target.receivers(soon()).await.unwrap();
        let to = Expected::owners(windows.iter().filter(|window| window.focused));
        let enter = KeyPress::from(Key::Enter).times(5);
        let error = bench.target.press_key(enter, &to, soon()).await.unwrap_err();
        assert_eq!(error.reason(), Reason::ActionFailed, "{error}");
        assert!(error.message().starts_with("Pressed ENTER 1 of 5 times"), "{error}");
    }
}
