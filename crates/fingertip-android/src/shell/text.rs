//! Typing. `input text` presses the keys of an ordinary keyboard, so it knows ASCII and nothing else.
//!
//! A text with an expected receiver is typed in pieces, and before each but the first it is checked that the receiver still
//! has the keyboard; before the first, too, where the policy knows the field and not who has the keyboard. Keys that may open
//! something else are pieces of their own, and what they open is given time to come up.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Key, KeyPress};
use fingertip_core::{Deadline, Error, Flags, NodeIndex, Reason, Result, Snapshot, hit};

use super::ShellDriver;
use super::command;
use crate::driver::Driver;
use crate::keys::{
    CONTROL, Coded, DELETE, ENTER, FORWARD_DELETE, LETTER_A, TAB, must_be_for_apps, no_such_key,
};
use crate::quote::shell_quoted;
use crate::shell::receivers::{must_have_keyboard, must_lie_at};
use crate::wait::pause;

/// The first interface level whose `input` presses keys together: Android 12.
const KEY_COMBINATION_SDK: u32 = 31;
/// The most characters one command types: an old phone takes about 20 ms for each.
const MAX_TYPED: usize = 200;
/// The most characters one command types for an expected receiver: as many may reach another that comes up meanwhile.
const MAX_HELD: usize = 64;
/// How long the phone is given, after a line end or a tab, to take the focus from the window that got it. Android does so
/// when another activity starts, long before that shows.
const SETTLING: Duration = Duration::from_millis(250);
/// The most keys one command presses.
const MAX_PRESSED: usize = 200;
/// The most keys that one command presses for an expected receiver, of those that bring up nothing else.
const PRESSED_HELD: u32 = 10;
/// The longest text that is removed key by key, on phones that cannot select it.
const MAX_REMOVED: usize = 2000;

#[async_trait]
impl Keyboard for ShellDriver {
    /// Types at the cursor.
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        self.play_pieces(&typing(text, to)?, 0, to, deadline).await
    }

    /// Presses a key, as often as asked.
    async fn press_key(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        must_be_for_apps(press)?;
        if let Key::Character(character) = press.key
            && press.modifiers.is_empty()
        {
            // `input keyevent` knows no Shift.
            let text = character.to_string().repeat(press.count as usize);
            return self.type_text(&text, to, deadline).await.map(|()| None);
        }
        let mut done = 0;
        for (command, times) in pressing(press, to, self.facts.sdk)? {
            if done > 0 {
                if press.may_leave() && !to.is_anyone() {
                    pause(SETTLING, deadline).await;
                }
                must_have_keyboard(&self.device, to, || press.progress(done), deadline).await?;
            }
            command::run(&self.device, &command, deadline).await?;
            done += times;
        }
        // Windows of a phone have no title that people know.
        Ok(None)
    }
}

#[async_trait]
impl TextFields for ShellDriver {
    /// Replaces the text of a node: focuses it, makes sure of that, selects all, and types over it.
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        let to = Expected::owners([&snapshot.windows()[snapshot.window_of(node)]]);
        let mut pieces: Vec<Piece> = clearing(snapshot, node, self.facts.sdk)?
            .into_iter()
            .map(|command| Piece { command, characters: 0, leaves: false })
            .collect();
        // One command that empties the field and the first of the text follow each other at once.
        let together = usize::from(pieces.len() == 1);
        pieces.extend(typing(text, &to)?);
        if !has_keyboard(snapshot, node) {
            self.focus(snapshot, node, &to, deadline).await?;
        }
        // That the field lies there does not tell that its window still has the keyboard: one beside it may have taken it.
        must_have_keyboard(&self.device, &to, || "Nothing was typed".to_owned(), deadline).await?;
        self.play_pieces(&pieces, together, &to, deadline).await?;
        if text.is_empty() {
            self.learn_hint(snapshot, node, deadline).await?;
        }
        Ok(())
    }
}

impl ShellDriver {
    /// Runs the commands of a text one after another; the keyboard is not looked at before the first, nor before those
    /// `together` with it.
    async fn play_pieces(
        &self,
        pieces: &[Piece],
        together: usize,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let total: usize = pieces.iter().map(|piece| piece.characters).sum();
        let mut typed = 0;
        let mut leaves = false;
        for (number, piece) in pieces.iter().enumerate() {
            if leaves && !to.is_anyone() {
                pause(SETTLING, deadline).await;
            }
            if number > together {
                let done = || format!("Typed {typed} of {total} characters");
                must_have_keyboard(&self.device, to, done, deadline).await?;
            }
            command::run(&self.device, &piece.command, deadline).await?;
            typed += piece.characters;
            leaves = piece.leaves;
        }
        Ok(())
    }

    /// Looks at a field that was just emptied: where hints are reported as text, this is when they show.
    async fn learn_hint(&self, snapshot: &Snapshot, node: NodeIndex, deadline: Deadline) -> Result<()> {
        let before = snapshot.node(node);
        let (Some(text), None) = (&before.text, &before.hint) else { return Ok(()) };
        let after = self.snapshot(deadline).await?;
        if let Some(focused) = after.focused_node()
            && after.node(focused).resource_id == before.resource_id
        {
            let app = after.windows()[after.window_of(focused)].app.as_deref();
            self.hints.learn(app, text, after.node(focused));
        }
        Ok(())
    }

    /// Taps a node and looks whether it has the focus: what follows would destroy the text of another.
    async fn focus(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let at = hit::aim(snapshot, node).map_err(|obstacle| {
            let why = obstacle.describe(snapshot);
            Error::new(Reason::Covered, format!("The field {why}; nothing was typed."))
                .with_guidance("Bring it into view, or close what lies over it.")
        })?;
        // Where it is free to touch need not be where whoever let the act pass looked.
        must_lie_at(&self.device, to, &[at], || "Nothing was typed".to_owned(), deadline).await?;
        self.gesture(&Gesture::tap(at), to, deadline).await?;
        let after = self.snapshot(deadline).await?;
        let takes_keys = |focused: NodeIndex| {
            has_keyboard(&after, focused) && is_same_field(snapshot, node, &after, focused)
        };
        if after.focused_node().is_some_and(takes_keys) {
            return Ok(());
        }
        Err(Error::new(
            Reason::ActionFailed,
            "The field was tapped but did not take the focus; nothing was typed.",
        )
        .with_guidance("Look at the screen: something else may have come up."))
    }
}

/// Whether keys go to this node. One that has the focus within its window gets none while another window has it, as in a
/// split screen or beside a dialog of another application.
fn has_keyboard(snapshot: &Snapshot, node: NodeIndex) -> bool {
    snapshot.node(node).is(Flags::FOCUSED) && snapshot.focused_window() == Some(snapshot.window_of(node))
}

/// Whether two nodes of two snapshots are one field: of one application, called the same, holding the same, and as many
/// fields of its window come before it.
fn is_same_field(before: &Snapshot, one: NodeIndex, after: &Snapshot, other: NodeIndex) -> bool {
    let fields_before = |snapshot: &Snapshot, index: NodeIndex| {
        let fields = snapshot.nodes_of(snapshot.window_of(index)).take_while(|earlier| *earlier < index);
        fields.filter(|earlier| snapshot.node(*earlier).is(Flags::EDITABLE)).count()
    };
    let app = |snapshot: &Snapshot, index| snapshot.windows()[snapshot.window_of(index)].app.clone();
    let (first, second) = (before.node(one), after.node(other));
    app(before, one) == app(after, other)
        && first.class == second.class
        && first.resource_id == second.resource_id
        && first.text == second.text
        && second.is(Flags::EDITABLE)
        && fields_before(before, one) == fields_before(after, other)
}

/// The commands that empty the focused field.
fn clearing(snapshot: &Snapshot, node: NodeIndex, sdk: u32) -> Result<Vec<String>> {
    if sdk == 0 || sdk >= KEY_COMBINATION_SDK {
        return Ok(vec![format!("input keycombination {CONTROL} {LETTER_A} && input keyevent {DELETE}")]);
    }
    let node = snapshot.node(node);
    let text = node.text.as_deref().map_or(0, |text| text.chars().count());
    let length = text.max(node.secret_length.unwrap_or_default() as usize);
    if length > MAX_REMOVED {
        return Err(Error::new(
            Reason::Unsupported,
            format!("The field holds {length} characters, and this phone removes {MAX_REMOVED} at the most."),
        ));
    }
    // Wherever the cursor is, as many of both kinds leave nothing.
    let keys: Vec<u32> =
        [DELETE, FORWARD_DELETE].into_iter().flat_map(|key| std::iter::repeat_n(key, length)).collect();
    Ok(keys.chunks(MAX_PRESSED).map(press).collect())
}

/// The commands that press a key, each with how often it does. What may bring up something else, and has an
/// expected receiver, is pressed once a command.
fn pressing(press: KeyPress, to: &Expected, sdk: u32) -> Result<Vec<(String, u32)>> {
    let coded = Coded::of(press).ok_or_else(|| no_such_key(press))?;
    let together = coded.together();
    let at_once = match (to.is_anyone(), press.may_leave()) {
        (true, _) => press.count,
        (false, true) => 1,
        (false, false) => PRESSED_HELD,
    };
    let command = |times: u32| match together.as_slice() {
        [code] => self::press(&vec![*code; times as usize]),
        codes => {
            let codes: Vec<String> = codes.iter().map(u32::to_string).collect();
            vec![format!("input keycombination {}", codes.join(" ")); times as usize].join(" && ")
        }
    };
    if together.len() > 1 && sdk != 0 && sdk < KEY_COMBINATION_SDK {
        return Err(Error::new(
            Reason::Unsupported,
            format!("This phone cannot press keys together ('{press}'): that needs Android 12, or the agent on it."),
        )
        .with_guidance("Use the buttons and menus of the app instead."));
    }
    let mut commands = Vec::new();
    let mut left = press.count;
    while left > 0 {
        let times = left.min(at_once);
        commands.push((command(times), times));
        left -= times;
    }
    Ok(commands)
}

/// One command, and what it types.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    command: String,
    characters: usize,
    /// Whether something else may come up after it.
    leaves: bool,
}

/// The commands that type a text.
fn typing(text: &str, to: &Expected) -> Result<Vec<Piece>> {
    if let Some(character) = text.chars().find(|character| !is_typeable(*character)) {
        return Err(untypeable(character));
    }
    let (most_keys, most_typed) = if to.is_anyone() { (MAX_PRESSED, MAX_TYPED) } else { (1, MAX_HELD) };
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_key = key_for(first).is_some();
        let end = rest.find(|character| key_for(character).is_some() != is_key).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if is_key {
            let keys: Vec<u32> = run.chars().filter_map(key_for).collect();
            pieces.extend(keys.chunks(most_keys).map(|keys| Piece {
                command: press(keys),
                characters: keys.len(),
                leaves: true,
            }));
        } else {
            pieces.extend(arguments(run, most_typed).into_iter().map(|(argument, characters)| Piece {
                command: format!("input text {}", shell_quoted(&argument)),
                characters,
                leaves: false,
            }));
        }
        rest = after;
    }
    Ok(pieces)
}

/// The arguments of `input text` that type this: `%s` means a space there, so a space is written so, and the two
/// characters `%` and `s` must come in two arguments.
fn arguments(run: &str, most: usize) -> Vec<(String, usize)> {
    let mut arguments = Vec::new();
    let mut argument = String::new();
    let mut typed = 0;
    let mut after_percent = false;
    for character in run.chars() {
        if typed == most || (after_percent && character == 's') {
            arguments.push((std::mem::take(&mut argument), typed));
            typed = 0;
        }
        match character {
            ' ' => argument.push_str("%s"),
            other => argument.push(other),
        }
        typed += 1;
        after_percent = character == '%';
    }
    arguments.extend((!argument.is_empty()).then_some((argument, typed)));
    arguments
}

fn press(keys: &[u32]) -> String {
    let keys: Vec<String> = keys.iter().map(u32::to_string).collect();
    format!("input keyevent {}", keys.join(" "))
}

fn key_for(character: char) -> Option<u32> {
    match character {
        '\n' => Some(ENTER),
        '\t' => Some(TAB),
        _ => None,
    }
}

fn is_typeable(character: char) -> bool {
    key_for(character).is_some() || (' '..='~').contains(&character)
}

fn untypeable(character: char) -> Error {
    Error::new(
        Reason::Unsupported,
        format!(
            "The character U+{:04X} cannot be typed: adb types plain ASCII only. Nothing was typed.",
            u32::from(character)
        ),
    )
    .with_guidance("Write it with ASCII letters; typing other characters needs the agent on the phone.")
}

#[cfg(test)]
mod tests {
    use fingertip_core::{Node, Screen};

    use super::*;

    fn commands(text: &str) -> Vec<String> {
        let pieces = typing(text, &Expected::anyone()).unwrap();
        assert_eq!(pieces.iter().map(|piece| piece.characters).sum::<usize>(), text.chars().count());
        pieces.into_iter().map(|piece| piece.command).collect()
    }

    #[test]
    fn a_text_with_an_expected_receiver_comes_in_small_pieces() {
        let window = fingertip_core::Window::new("com.notes", fingertip_core::Rect::default());
        let pieces =
            typing(&format!("\n\n{}", "x".repeat(MAX_HELD + 1)), &Expected::owners([&window])).unwrap();
        let sizes: Vec<(usize, bool)> = pieces.iter().map(|piece| (piece.characters, piece.leaves)).collect();
        assert_eq!(sizes, [(1, true), (1, true), (MAX_HELD, false), (1, false)]);
    }

    #[test]
    fn spaces_quotes_and_shell_characters_are_typed_as_they_are() {
        for (text, command) in [
            ("hello world", "input text hello%sworld"),
            ("it's", r"input text 'it'\''s'"),
            ("a&b|c;d>e<f", "input text 'a&b|c;d>e<f'"),
            ("$HOME `id` \"q\" \\ * ? (x)", "input text '$HOME%s`id`%s\"q\"%s\\%s*%s?%s(x)'"),
            ("100% sure", "input text 100%%ssure"),
            ("-5", "input text -5"),
        ] {
            assert_eq!(commands(text), [command], "{text}");
        }
    }

    #[test]
    fn a_percent_before_an_s_is_typed_apart() {
        assert_eq!(commands("5%s!"), ["input text 5%", "input text 's!'"]);
        assert_eq!(commands("% s"), ["input text %%ss"]);
    }

    #[test]
    fn keys_are_pressed_together_and_in_small_numbers_for_an_expected_receiver() {
        use fingertip_core::target::Modifiers;
        let window = fingertip_core::Window::new("com.notes", fingertip_core::Rect::default());
        let meant = Expected::owners([&window]);
        let down = KeyPress::from(Key::Down).times(12);
        let commands = |press, to: &Expected, sdk| pressing(press, to, sdk).unwrap();
        assert_eq!(commands(down, &Expected::anyone(), 28), [(press(&[20; 12]), 12)]);
        assert_eq!(commands(down, &meant, 28), [(press(&[20; 10]), 10), (press(&[20; 2]), 2)]);
        let select = KeyPress::from(Key::Character('A')).with(Modifiers::CONTROL).times(2);
        let both = "input keycombination 113 59 29".to_owned();
        assert_eq!(commands(select, &meant, 34), [(both.clone(), 1), (both, 1)]);
        let error = pressing(select, &meant, 30).unwrap_err();
        assert!(error.message().contains("Android 12"), "{error}");
    }

    #[test]
    fn lines_and_tabs_are_keys() {
        assert_eq!(
            commands("a\n\nb\tc"),
            ["input text a", "input keyevent 66 66", "input text b", "input keyevent 61", "input text c"]
        );
        assert!(commands("").is_empty());
    }

    #[test]
    fn a_long_text_is_typed_in_parts() {
        let commands = commands(&"x".repeat(MAX_TYPED * 2 + 1));
        assert_eq!(commands.len(), 3);
        assert_eq!(commands[2], "input text x");
    }

    #[test]
    fn what_is_not_ascii_is_refused_before_anything_is_typed() {
        for text in ["naïve", "日本", "a\u{1f600}", "bell\u{7}"] {
            let error = typing(text, &Expected::anyone()).unwrap_err();
            assert_eq!(error.reason(), Reason::Unsupported);
            assert!(error.to_string().contains("Nothing was typed") && error.guidance().is_some());
        }
    }

    #[test]
    fn old_phones_remove_text_key_by_key() {
        let mut builder = Snapshot::builder(Screen::default());
        builder.leaf(Node::new("EditText").text("abc"));
        let snapshot = builder.finish();
        let node = snapshot.indices().next().unwrap();
        assert_eq!(clearing(&snapshot, node, 28).unwrap(), ["input keyevent 67 67 67 112 112 112"]);
        assert_eq!(
            clearing(&snapshot, node, 34).unwrap(),
            ["input keycombination 113 29 && input keyevent 67"]
        );
    }

    #[test]
    fn identical_fields_are_told_apart_by_their_place() {
        let mut builder = Snapshot::builder(Screen::default());
        builder
            .leaf(Node::new("EditText").with(Flags::EDITABLE))
            .leaf(Node::new("EditText").with(Flags::EDITABLE));
        let snapshot = builder.finish();
        let [one, other] = [0, 1].map(|at| snapshot.indices().nth(at).unwrap());
        assert!(is_same_field(&snapshot, one, &snapshot, one));
        assert!(!is_same_field(&snapshot, one, &snapshot, other));
    }

    /// Two windows, each with a field that has no name; the second has the keyboard, and its field says so if asked to.
    fn beside(apps: [&str; 2], focused: bool) -> Snapshot {
        let mut builder = Snapshot::builder(Screen::default());
        for (position, app) in apps.into_iter().enumerate() {
            let mut window = fingertip_core::Window::new(app, fingertip_core::Rect::default());
            window.focused = position == 1;
            let field = Node::new("EditText").with(Flags::EDITABLE);
            builder.window(window);
            builder.leaf(if position == 0 || focused { field.with(Flags::FOCUSED) } else { field });
        }
        builder.finish()
    }

    #[test]
    fn a_field_of_another_application_is_another_one() {
        let (one, other) = (beside(["notes", "notes"], true), beside(["notes", "bank"], true));
        let last = |snapshot: &Snapshot| snapshot.indices().last().unwrap();
        assert!(is_same_field(&one, last(&one), &one, last(&one)));
        assert!(!is_same_field(&one, last(&one), &other, last(&other)));
    }

    #[test]
    fn a_field_has_the_keyboard_only_with_its_window() {
        for focused in [true, false] {
            let snapshot = beside(["notes", "bank"], focused);
            let [notes, bank] = [0, 1].map(|at| snapshot.indices().nth(at).unwrap());
            assert!(!has_keyboard(&snapshot, notes));
            assert_eq!(has_keyboard(&snapshot, bank), focused);
        }
    }

    /// What Android's `input text` types for an argument.
    fn as_typed(argument: &str) -> String {
        argument.replace("%s", " ")
    }

    proptest::proptest! {
        #[test]
        fn every_ascii_text_is_typed_exactly(text in "[ -~]{0,60}") {
            let typed: String = arguments(&text, MAX_TYPED).iter().map(|(argument, _)| as_typed(argument)).collect();
            proptest::prop_assert_eq!(typed, text);
        }
    }
}
