use super::*;

fn exception(words: &[&str]) -> String {
    match parse(words) {
        Err(Failure::Exception { text, .. }) => text,
        other => panic!("{words:?} gave {other:?}"),
    }
}

#[test]
fn gestures_are_read_with_and_without_source_and_display() {
    assert_eq!(parse(&["tap", "10", "20.5"]), Ok(Step::Tap(10.0, 20.5)));
    assert_eq!(parse(&["touchscreen", "-d", "0", "tap", "1", "2"]), Ok(Step::Tap(1.0, 2.0)));
    let swipe = |duration, hold| {
        Ok(Step::Swipe { from: (1.0, 2.0), to: (3.0, 4.0), duration: Duration::from_millis(duration), hold })
    };
    assert_eq!(parse(&["swipe", "1", "2", "3", "4"]), swipe(300, false));
    assert_eq!(parse(&["swipe", "1", "2", "3", "4", "50"]), swipe(50, false));
    assert_eq!(parse(&["draganddrop", "1", "2", "3", "4", "50"]), swipe(50, true));
    assert_eq!(parse(&["motionevent", "down", "1", "2"]), Ok(Step::Motion(TouchAction::Down, 1.0, 2.0)));
}

#[test]
fn text_knows_one_escape_and_ascii_only() {
    assert_eq!(parse(&["text", "a%sb%20%%s"]), Ok(Step::Text("a b%20% ".into())));
    let null = "java.lang.NullPointerException: Attempt to get length of null array";
    assert_eq!(exception(&["text", "é"]), null);
    assert_eq!(exception(&["text", "a\nb"]), null);
}

#[test]
fn keys_go_by_number_and_by_name() {
    let keys = |words: &[&str]| match parse(words) {
        Ok(Step::Keys { codes, .. }) => codes,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        keys(&["keyevent", "3", "KEYCODE_BACK", "ENTER"]),
        [KeyCode::HOME, KeyCode::BACK, KeyCode::ENTER]
    );
    assert!(matches!(parse(&["keyevent", "--longpress", "26"]), Ok(Step::Keys { long: true, .. })));
    assert_eq!(
        parse(&["keycombination", "113", "29"]),
        Ok(Step::Combination(vec![KeyCode(113), KeyCode::A]))
    );
}

#[test]
fn wrong_arguments_are_exceptions() {
    assert_eq!(exception(&["tap", "1"]), "java.lang.IllegalArgumentException: Argument expected after \"1\"");
    assert_eq!(exception(&["tap"]), "java.lang.IllegalArgumentException: Argument expected after \"tap\"");
    assert_eq!(exception(&["tap", "a", "1"]), "java.lang.NumberFormatException: For input string: \"a\"");
    assert_eq!(parse(&["roll", "1", "2"]), Ok(Step::Nothing));
    assert_eq!(parse(&["fly"]), Err(Failure::Unknown("fly".into())));
    assert_eq!(parse(&[]), Err(Failure::Usage));
}
