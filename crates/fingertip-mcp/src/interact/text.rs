//! Changing text, and reading it back: a driver's word that it typed is not proof that the field took it.

use std::time::Duration;

use fingertip_core::target::{Expected, Key, Scope};
use fingertip_core::{Error, Flags, Node, NodeId, NodeIndex, Reason, Result, Role, Snapshot, Window};

use super::element::{Found, find, focused_editable, must_be_editable};
use super::focus::{await_focus, focus_found, has_keyboard, owner_of, still_focused};
use super::outcome::{any_change, look_after};
use super::press::{Press, press_at};
use crate::call::Call;

/// How long a field may take to show what it was given.
const SHOWN_WITHIN: Duration = Duration::from_secs(3);
/// How often it is looked at meanwhile, where the target does not report changes.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// For how long nothing may change before Enter is pressed in a field that was filled, and how long that is waited for.
const QUIET_FOR: Duration = Duration::from_millis(150);
const SETTLED_WITHIN: Duration = Duration::from_millis(600);
/// How long what Enter does may take to show.
const SUBMITTED_WITHIN: Duration = Duration::from_millis(1000);
/// How much of what a field holds instead an error shows, in characters.
const SHOWN_CHARACTERS: usize = 60;

/// What a field holds: its text, or of a password only how long it is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Text(String),
    Secret(Option<u32>),
}

impl Content {
    fn of(snapshot: &Snapshot, index: NodeIndex) -> Self {
        let node = snapshot.node(index);
        if node.is(Flags::PASSWORD) {
            Self::Secret(node.secret_length)
        } else {
            Self::Text(node.text.as_deref().unwrap_or_default().to_owned())
        }
    }
}

/// Replaces the text of an element, named or focused, and makes sure that it holds it. On a desktop it is focused first, so
/// that the next key goes there; false where that could not be.
pub(crate) async fn set_text(call: &Call, id: Option<NodeId>, text: &str) -> Result<bool> {
    let field = field(call, id).await?;
    let name = name_of(&field);
    if !call.kind().keys_follow_window() {
        fill(call, &field, text).await?;
        return Ok(true);
    }
    let before = Found { scope: field.scope.clone(), snapshot: field.snapshot.clone(), index: field.index };
    match focus_found(call, field, &name).await {
        Ok(field) => fill(call, &field, text).await.map(|()| true),
        Err(error) if matches!(error.reason(), Reason::Timeout | Reason::Refused) => Err(error),
        // A text can be set without the focus.
        Err(_) => fill(call, &before, text).await.map(|()| false),
    }
}

/// What came of submitting a text.
pub(crate) struct Submitted {
    /// The title of the window that got the key, where windows have one.
    pub(crate) window: Option<String>,
    /// Whether anything on the screen was seen to change.
    pub(crate) had_effect: bool,
}

/// Replaces the text of an element, and presses Enter in it once it holds the text and has the focus.
pub(crate) async fn submit_text(call: &Call, id: NodeId, text: &str) -> Result<Submitted> {
    let field = field(call, Some(id)).await?;
    let field = focus_found(call, field, &id).await?;
    fill(call, &field, text).await?;
    settled(call).await?;
    let before = call.look_at(&field.scope, call.deadline()).await?;
    if !still_focused(call, &before, &field) {
        return Err(Error::new(
            Reason::ActionFailed,
            format!("The text was set on element '{id}', which then lost the focus; ENTER was not pressed."),
        )
        .with_guidance("Look at the screen: something else may have come up."));
    }
    let seen = call.activity();
    let window = call.keyboard()?.press_key(Key::Enter.into(), &owner_of(&field), call.deadline()).await?;
    let after = look_after(call, &field.scope, &before, seen, SUBMITTED_WITHIN, any_change).await?;
    Ok(Submitted { window, had_effect: !after.is_unchanged() })
}

/// Waits until nothing is reported to change any more. Fields work on their text for a moment after they hold it: the file
/// chooser of GTK 3 reads the folder, and drops an Enter that comes before.
async fn settled(call: &Call) -> Result<()> {
    let limit = call.deadline().slice(SETTLED_WITHIN);
    while call.woken(call.activity(), limit.slice(QUIET_FOR), QUIET_FOR).await? && !limit.passed() {}
    Ok(())
}

/// Replaces the text of a field that was found for this call, and makes sure that it holds it.
pub(crate) async fn fill(call: &Call, field: &Found, text: &str) -> Result<()> {
    call.text_fields()?.set_text(&field.snapshot, field.index, text, call.deadline()).await?;
    let wanted = text.to_owned();
    let right = move |content: &Content| match content {
        Content::Text(held) => *held == wanted,
        Content::Secret(length) => same_length(*length, wanted.chars().count()),
    };
    confirm(call, field, right, |_| None).await
}

/// What is known of a text that was typed.
pub(crate) enum Typed {
    /// The field holds it.
    Confirmed,
    /// It went to the window of this title, which exposes none of its content.
    Unread(String),
    /// It went to a terminal, in the window of this title.
    Sent(String),
}

/// Types into an element, named (and then focused first) or focused, and makes sure that it took it. On a desktop, where
/// programs without a tree have the keyboard too, it is typed into the window in front when no element has the focus. What
/// a terminal does with it is up to the program that runs there: not all of them show it.
pub(crate) async fn type_text(call: &Call, id: Option<NodeId>, text: &str) -> Result<Typed> {
    let mut field = match id {
        Some(id) => {
            let found = field_of(find(call, id).await?);
            if !is_terminal(found.node()) {
                must_be_editable(&found.snapshot, found.index, &id)?;
            }
            found
        }
        None => {
            let (scope, snapshot) = (call.scope().clone(), call.look().await?);
            if let Some(window) = mute_window(call, &snapshot) {
                let to = Expected::owners([window]);
                call.keyboard()?.type_text(text, &to, call.deadline()).await?;
                return Ok(Typed::Unread(window.title.as_deref().unwrap_or_default().to_owned()));
            }
            match snapshot.focused_node().filter(|index| is_terminal(snapshot.node(*index))) {
                Some(index) => Found { scope, snapshot, index },
                None => focused_field(scope, snapshot)?,
            }
        }
    };
    // A field may have the focus of its window while the keys go to another one.
    if !has_keyboard(call, &field.snapshot, field.index) {
        field = click_to_focus(call, field).await?;
    }
    let before = Content::of(&field.snapshot, field.index);
    call.keyboard()?.type_text(text, &owner_of(&field), call.deadline()).await?;
    if is_terminal(field.node()) {
        let window = &field.snapshot.windows()[field.snapshot.window_of(field.index)];
        return Ok(Typed::Sent(window.title.as_deref().unwrap_or_default().to_owned()));
    }
    let typed = text.to_owned();
    let right = move |after: &Content| match (&before, after) {
        (Content::Text(before), Content::Text(after)) => {
            // A line end at the end is a key to many fields, and stays in few of them.
            [typed.as_str(), typed.trim_end_matches(['\n', '\r'])]
                .iter()
                .any(|typed| !typed.is_empty() && is_typed_into(before, typed, after))
        }
        (Content::Secret(Some(before)), Content::Secret(after)) => {
            same_length(*after, *before as usize + typed.chars().count())
        }
        _ => true,
    };
    let confirmed = confirm(call, &field, right, |snapshot| editor_of(snapshot, &field)).await;
    confirmed.map_err(|error| if text.ends_with('\n') { perhaps_accepted(error) } else { error })?;
    Ok(Typed::Confirmed)
}

/// The window with the keyboard, when it is one of a desktop and nothing says where in it the keyboard is; or what has it
/// is an area that exposes no elements, as the cells of Gnumeric are, or an item that is edited where no tree tells.
fn mute_window<'a>(call: &Call, snapshot: &'a Snapshot) -> Option<&'a Window> {
    let is_mute = |focused| is_mute_area(snapshot, focused) || is_mute_item(snapshot.node(focused));
    let has_focus = snapshot.focused_node().is_some_and(|focused| !is_mute(focused));
    if !call.kind().keys_follow_window() || has_focus {
        return None;
    }
    snapshot.windows().iter().find(|window| window.focused)
}

/// Says of a text that is not there that its line end may have been what took it away.
fn perhaps_accepted(error: Error) -> Error {
    match error.reason() {
        Reason::ActionFailed => error.with_guidance(
            "Look at the screen before trying again: the line end at the end of the text may have been taken as ENTER, and \
             the text accepted.",
        ),
        _ => error,
    }
}

fn is_mute_area(snapshot: &Snapshot, index: NodeIndex) -> bool {
    let node = snapshot.node(index);
    let is_leaf = snapshot.subtree(index).len() == 1 && node.child_count.is_none_or(|count| count == 0);
    let reacts = node.flags.intersects(Flags::EDITABLE | Flags::CLICKABLE | Flags::PASSWORD);
    matches!(node.role, Role::Group | Role::Canvas | Role::Unknown)
        && is_leaf
        && !reacts
        && node.text.is_none()
}

/// Whether it is an item of a table, tree or list that holds no text for its user: Qt edits it, as to rename a file, in a
/// field that is in no tree, and leaves the focus with the item. Without such a field a view looks for what is typed.
fn is_mute_item(node: &Node) -> bool {
    let is_item = matches!(node.role, Role::Cell | Role::TreeItem | Role::ListItem);
    is_item && node.is(Flags::ENABLED) && !node.is(Flags::EDITABLE)
}

/// Whether it takes what is typed, though its text is not its user's to change: AT-SPI's word for a terminal.
fn is_terminal(node: &Node) -> bool {
    node.class.as_deref() == Some("terminal") && node.is(Flags::ENABLED) && !node.is(Flags::EDITABLE)
}

/// The field with the focus.
fn focused_field(scope: Scope, snapshot: Snapshot) -> Result<Found> {
    let index = focused_editable(&snapshot)?;
    let field = Found { scope, snapshot, index };
    must_be_editable(&field.snapshot, field.index, &name_of(&field))?;
    Ok(field)
}

async fn field(call: &Call, id: Option<NodeId>) -> Result<Found> {
    let Some(id) = id else {
        let (scope, snapshot) = (call.scope().clone(), call.look().await?);
        return focused_field(scope, snapshot);
    };
    let field = field_of(find(call, id).await?);
    must_be_editable(&field.snapshot, field.index, &name_of(&field))?;
    Ok(field)
}

/// The field that takes the text of an element.
fn field_of(mut found: Found) -> Found {
    found.index = field_in(&found.snapshot, found.index);
    found
}

/// The field in a combo box, which has no name of its own; any other element itself, and a box with none or several.
fn field_in(snapshot: &Snapshot, index: NodeIndex) -> NodeIndex {
    let is_field = |part: &NodeIndex| snapshot.node(*part).is(Flags::EDITABLE);
    if snapshot.node(index).role != Role::ComboBox || is_field(&index) {
        return index;
    }
    let mut fields = snapshot.subtree(index).filter(is_field);
    match (fields.next(), fields.next()) {
        (Some(field), None) => field,
        _ => index,
    }
}

/// Clicks a field and waits until it has the focus, so that nothing is typed into another one.
async fn click_to_focus(call: &Call, field: Found) -> Result<Found> {
    let name = name_of(&field);
    press_at(call, &field.snapshot, field.index, field.index, &name, Press::Short).await?;
    await_focus(call, field, &name).await
}

/// Looks until the field holds what it should, or what stands in for it does.
async fn confirm(
    call: &Call,
    field: &Found,
    right: impl Fn(&Content) -> bool,
    substitute: impl Fn(&Snapshot) -> Option<NodeIndex>,
) -> Result<()> {
    let limit = call.deadline().slice(SHOWN_WITHIN);
    let mut last = None;
    let confirmed = call
        .until_sure(&field.scope, limit, LOOK_EVERY, |snapshot| {
            last = same_field(&snapshot, field.node()).map(|index| Content::of(&snapshot, index));
            let other = substitute(&snapshot).map(|index| Content::of(&snapshot, index));
            last.iter().chain(&other).any(&right).then_some(())
        })
        .await?;
    if confirmed.is_some() {
        return Ok(());
    }
    let seen = match last {
        Some(Content::Text(held)) if held.is_empty() => "the field is empty".to_owned(),
        Some(Content::Text(held)) => {
            format!("the field holds {:?}", held.chars().take(SHOWN_CHARACTERS).collect::<String>())
        }
        Some(Content::Secret(_)) => "the password field holds another number of characters".to_owned(),
        None => "the field is not on the screen any more".to_owned(),
    };
    Err(Error::new(Reason::ActionFailed, format!("The text could not be confirmed: {seen}.")).with_guidance(
        "Look at the screen before trying again; the field may limit or rewrite what it is given.",
    ))
}

/// The field as it is now: by its id; else, since a text that fills and scrolls its screen can cost a field its id,
/// by the name the driver wrote to it by.
fn same_field(snapshot: &Snapshot, field: &Node) -> Option<NodeIndex> {
    let by_handle = || {
        field.handle.as_ref()?;
        snapshot.indices().find(|index| {
            let node = snapshot.node(*index);
            node.handle == field.handle && node.class == field.class && node.is(Flags::EDITABLE)
        })
    };
    field.id.and_then(|id| snapshot.find_id(id)).or_else(by_handle)
}

/// The editor that came up over a field when it was typed into, as over the cell of a sheet or a table: it has the focus,
/// and lies over the field or was not there before. The field itself holds the text only once the editor is closed; in
/// LibreOffice a number that is typed lies at the right end of the sheet, and the cell keeps the focus too.
fn editor_of(snapshot: &Snapshot, field: &Found) -> Option<NodeIndex> {
    let own = same_field(snapshot, field.node());
    let is_left = !own.is_some_and(|own| snapshot.node(own).is(Flags::FOCUSED));
    let is_editor = |index: &NodeIndex| {
        let node = snapshot.node(*index);
        let lies_over = is_left && field.node().bounds.overlaps(node.bounds);
        let is_new = node.id.is_some_and(|id| field.snapshot.find_id(id).is_none());
        let is_of_cell = field.node().role == Role::Cell && is_new;
        let is_plain = !node.is(Flags::PASSWORD) && !field.node().is(Flags::PASSWORD);
        Some(*index) != own && is_plain && (lies_over || is_of_cell)
    };
    let has_keyboard = |index: &NodeIndex| snapshot.node(*index).is(Flags::EDITABLE | Flags::FOCUSED);
    snapshot.indices().filter(has_keyboard).find(is_editor)
}

/// Whether `after` is `before` with `typed` put in at one place, a selection there replaced.
fn is_typed_into(before: &str, typed: &str, after: &str) -> bool {
    after.match_indices(typed).any(|(start, _)| {
        let (head, tail) = (&after[..start], &after[start + typed.len()..]);
        head.len() + tail.len() <= before.len() && before.starts_with(head) && before.ends_with(tail)
    })
}

/// A length that the platform does not report cannot contradict.
fn same_length(held: Option<u32>, wanted: usize) -> bool {
    held.is_none_or(|held| held as usize == wanted)
}

fn name_of(field: &Found) -> String {
    field.node().id.map_or_else(|| "focused".to_owned(), |id| id.to_string())
}

#[cfg(test)]
mod tests {
    use fingertip_core::test_support::{find, tree};

    use super::{field_in, is_typed_into};

    #[test]
    fn the_text_of_a_combo_box_goes_to_the_one_field_in_it() {
        let form = tree(
            r#"screen 100x100@96
window "Form" form [0,0,100,100] layer=1 focused pid=7
combo_box "Find" role=combo_box @find [0,0,50,20] c
  text "word" role=text_field @word [0,0,40,20] ce
combo_box "Colour" role=combo_box @colour [0,20,50,40] c
  menu_item "red" role=menu_item @red [0,40,50,60] c
group "Pair" role=group @pair [0,60,50,80]
  text "one" role=text_field @one [0,60,40,80] ce"#,
        );
        assert_eq!(field_in(&form, find(&form, "Find")), find(&form, "word"));
        for label in ["Colour", "Pair", "one"] {
            assert_eq!(field_in(&form, find(&form, label)), find(&form, label), "{label}");
        }
    }

    #[test]
    fn typed_text_may_stand_anywhere_and_replace_a_selection() {
        assert!(is_typed_into("", "ab", "ab"));
        assert!(is_typed_into("12", "ab", "12ab"));
        assert!(is_typed_into("12", "ab", "1ab2"));
        assert!(is_typed_into("1xx2", "ab", "1ab2"));
        assert!(is_typed_into("aa", "a", "aaa"));
    }

    #[test]
    fn anything_else_is_not_what_was_typed() {
        assert!(!is_typed_into("12", "ab", "12"));
        assert!(!is_typed_into("12", "ab", "12a"));
        assert!(!is_typed_into("12", "ab", "99ab"));
        assert!(!is_typed_into("12", "ab", "12abab"));
    }
}
