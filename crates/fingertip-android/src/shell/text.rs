//! Typing. `input text` presses the keys of an ordinary keyboard, so it knows ASCII and nothing else.

use fingertip_core::gesture::Gesture;
use fingertip_core::{Deadline, Error, Flags, NodeIndex, Reason, Result, Snapshot, hit};

use super::ShellDriver;
use super::command;
use crate::actions::{CONTROL, DELETE, ENTER, FORWARD_DELETE, LETTER_A, TAB};
use crate::adb::service::shell_quoted;

/// The first interface level whose `input` presses keys together: Android 12.
const KEY_COMBINATION_SDK: u32 = 31;
/// The most characters one command types: an old phone takes about 20 ms for each.
const MAX_TYPED: usize = 200;
/// The most keys one command presses.
const MAX_PRESSED: usize = 200;
/// The longest text that is removed key by key, on phones that cannot select it.
const MAX_REMOVED: usize = 2000;

impl ShellDriver {
    /// Types at the cursor.
    pub(super) async fn type_at_cursor(&self, text: &str, deadline: Deadline) -> Result<()> {
        for command in typing(text)? {
            command::run(&self.device, &command, deadline).await?;
        }
        Ok(())
    }

    /// Replaces the text of a node: focuses it, makes sure of that, selects all, and types over it.
    pub(super) async fn replace_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        let typed = typing(text)?;
        let cleared = clearing(snapshot, node, self.facts.sdk)?;
        if !snapshot.node(node).is(Flags::FOCUSED) {
            self.focus(snapshot, node, deadline).await?;
        }
        for command in cleared.iter().chain(&typed) {
            command::run(&self.device, command, deadline).await?;
        }
        if text.is_empty() {
            self.learn_hint(snapshot, node, deadline).await?;
        }
        Ok(())
    }

    /// Looks at a field that was just emptied: where hints are reported as text, this is when they show.
    async fn learn_hint(&self, snapshot: &Snapshot, node: NodeIndex, deadline: Deadline) -> Result<()> {
        let before = snapshot.node(node);
        let (Some(text), None) = (&before.text, &before.hint) else { return Ok(()) };
        let after = self.read(deadline).await?;
        if let Some(focused) = after.focused_node()
            && after.node(focused).resource_id == before.resource_id
        {
            let app = after.windows()[after.window_of(focused)].app.as_deref();
            self.hints.learn(app, text, after.node(focused));
        }
        Ok(())
    }

    /// Taps a node and looks whether it has the focus: what follows would destroy the text of another.
    async fn focus(&self, snapshot: &Snapshot, node: NodeIndex, deadline: Deadline) -> Result<()> {
        let at = hit::aim(snapshot, node).map_err(|obstacle| {
            let why = obstacle.describe(snapshot);
            Error::new(Reason::Covered, format!("The field {why}; nothing was typed."))
                .with_guidance("Bring it into view, or close what lies over it.")
        })?;
        self.play(&Gesture::tap(at), deadline).await?;
        let after = self.read(deadline).await?;
        if after.focused_node().is_some_and(|focused| is_same_field(snapshot, node, &after, focused)) {
            return Ok(());
        }
        Err(Error::new(
            Reason::ActionFailed,
            "The field was tapped but did not take the focus; nothing was typed.",
        )
        .with_guidance("Look at the screen: something else may have come up."))
    }
}

/// Whether two nodes of two snapshots are one field: called the same, holding the same, and as many fields of
/// its window come before it.
fn is_same_field(before: &Snapshot, one: NodeIndex, after: &Snapshot, other: NodeIndex) -> bool {
    let fields_before = |snapshot: &Snapshot, index: NodeIndex| {
        let fields = snapshot.nodes_of(snapshot.window_of(index)).take_while(|earlier| *earlier < index);
        fields.filter(|earlier| snapshot.node(*earlier).is(Flags::EDITABLE)).count()
    };
    let (first, second) = (before.node(one), after.node(other));
    first.class == second.class
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

/// The commands that type a text.
fn typing(text: &str) -> Result<Vec<String>> {
    if let Some(character) = text.chars().find(|character| !is_typeable(*character)) {
        return Err(untypeable(character));
    }
    let mut commands = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_key = key_for(first).is_some();
        let end = rest.find(|character| key_for(character).is_some() != is_key).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if is_key {
            let keys: Vec<u32> = run.chars().filter_map(key_for).collect();
            commands.extend(keys.chunks(MAX_PRESSED).map(press));
        } else {
            commands.extend(
                arguments(run).iter().map(|argument| format!("input text {}", shell_quoted(argument))),
            );
        }
        rest = after;
    }
    Ok(commands)
}

/// The arguments of `input text` that type this: `%s` means a space there, so a space is written so, and the two
/// characters `%` and `s` must come in two arguments.
fn arguments(run: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut argument = String::new();
    let mut typed = 0;
    let mut after_percent = false;
    for character in run.chars() {
        if typed == MAX_TYPED || (after_percent && character == 's') {
            arguments.push(std::mem::take(&mut argument));
            typed = 0;
        }
        match character {
            ' ' => argument.push_str("%s"),
            other => argument.push(other),
        }
        typed += 1;
        after_percent = character == '%';
    }
    arguments.extend((!argument.is_empty()).then_some(argument));
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
            assert_eq!(typing(text).unwrap(), [command], "{text}");
        }
    }

    #[test]
    fn a_percent_before_an_s_is_typed_apart() {
        assert_eq!(typing("5%s!").unwrap(), ["input text 5%", "input text 's!'"]);
        assert_eq!(typing("% s").unwrap(), ["input text %%ss"]);
    }

    #[test]
    fn lines_and_tabs_are_keys() {
        assert_eq!(
            typing("a\n\nb\tc").unwrap(),
            ["input text a", "input keyevent 66 66", "input text b", "input keyevent 61", "input text c"]
        );
        assert!(typing("").unwrap().is_empty());
    }

    #[test]
    fn a_long_text_is_typed_in_parts() {
        let commands = typing(&"x".repeat(MAX_TYPED * 2 + 1)).unwrap();
        assert_eq!(commands.len(), 3);
        assert_eq!(commands[2], "input text x");
    }

    #[test]
    fn what_is_not_ascii_is_refused_before_anything_is_typed() {
        for text in ["naïve", "日本", "a\u{1f600}", "bell\u{7}"] {
            let error = typing(text).unwrap_err();
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

    /// What Android's `input text` types for an argument.
    fn as_typed(argument: &str) -> String {
        argument.replace("%s", " ")
    }

    proptest::proptest! {
        #[test]
        fn every_ascii_text_is_typed_exactly(text in "[ -~]{0,60}") {
            let typed: String = arguments(&text).iter().map(|argument| as_typed(argument)).collect();
            proptest::prop_assert_eq!(typed, text);
        }
    }
}
