//! Doing something to an object itself: pressing, choosing, stepping, focusing, bringing into view.
//!
//! Rules: an object is looked at again at the moment of acting, and nothing is done to one that is gone,
//! disabled, or another one by now. What the application itself calls its action is done first; keys and the
//! wheel serve where no toolkit has an action. `Ok` means that the toolkit said yes, or that the effect was
//! seen where it can be (focus, expansion, steps); a "no" is an error, never a success.

mod effect;
mod reveal;
pub(crate) mod verb;
mod verified;

use fingertip_core::gesture::Gesture;
use fingertip_core::hit;
use fingertip_core::target::{Direction, Key, NodeAction};
use fingertip_core::{Error, Flags, Node, NodeIndex, Reason, Result, Role, Snapshot, Value, Window};
use fingertip_desktop::acting::point_of;
use fingertip_desktop::windows;

use crate::client::Client;
use crate::display::DisplayServer;
use crate::handle::Handle;
use crate::states::state;

pub(crate) use effect::shows;
pub(crate) use verified::VerifiedObject;

/// How far one notch of the wheel goes at the most, in pixels, in any toolkit.
const NOTCH_PIXELS: i32 = 100;
/// The share of a view that one scroll moves it by, so that something seen before is still there: 3/4.
const SCROLL_SHARE: (i32, i32) = (3, 4);

/// Whether [`act`] can do this to that node, as far as the snapshot shows.
pub(crate) fn can_act(snapshot: &Snapshot, index: NodeIndex, action: &NodeAction) -> bool {
    let node = snapshot.node(index);
    if node.handle.is_none() {
        return false;
    }
    let named = verb::choose(&node.actions, action, node.role).is_some();
    match action {
        NodeAction::Focus | NodeAction::Confirm | NodeAction::Cancel => named || node.is(Flags::FOCUSABLE),
        NodeAction::Scroll(_) => node.is(Flags::SCROLLABLE) && node.is(Flags::VISIBLE),
        NodeAction::ShowOnScreen => {
            snapshot.ancestors(index).any(|ancestor| reveal::scrolls(snapshot.node(ancestor)))
        }
        NodeAction::Increment | NodeAction::Decrement => {
            named || matches!(node.value, Some(Value::Number { .. }))
        }
        NodeAction::Raise => true,
        NodeAction::LongClick => named || node.is(Flags::VISIBLE),
        NodeAction::Pick => named || verb::is_choice(node.role),
        NodeAction::Click => named || is_tab_out_of_view(node),
        _ => named,
    }
}

/// The node that does this for another: a menu button and a drop-down of GTK 4 have no action of their own, the one button
/// inside of them has. Of the pointer GTK 4 loses presses there. A button of another application does nothing for it.
pub(crate) fn doer(snapshot: &Snapshot, index: NodeIndex, action: &NodeAction) -> NodeIndex {
    let node = snapshot.node(index);
    if *action != NodeAction::Click
        || !node.actions.is_empty()
        || !matches!(node.role, Role::Button | Role::ComboBox)
    {
        return index;
    }
    let owner = |node: &Node| Handle::of(node).ok().map(|handle| handle.bus_name);
    let mut inside = snapshot.children(index).filter(|child| {
        let child = snapshot.node(*child);
        child.role == Role::Button
            && owner(child) == owner(node)
            && node.bounds.intersection(child.bounds) == child.bounds
            && !child.bounds.is_empty()
            && verb::choose(&child.actions, action, child.role).is_some()
    });
    match (inside.next(), inside.next()) {
        (Some(only), None) => only,
        _ => index,
    }
}

/// Whether it is a tab that its bar has scrolled out: no pointer reaches it, but its bar can select it.
fn is_tab_out_of_view(node: &Node) -> bool {
    node.role == Role::Tab && !node.is(Flags::VISIBLE)
}

/// Whether a pointer does this better. Toggling a button of Qt changes its mark alone, without a click and without
/// the action behind it, so that a tool button looks pressed and nothing happens. What presses an
/// item of a menu of Qt triggers it and leaves the menu open, which keeps the keyboard.
pub(crate) fn wants_pointer(snapshot: &Snapshot, index: NodeIndex, action: &NodeAction) -> bool {
    let node = snapshot.node(index);
    let chosen = verb::choose(&node.actions, action, node.role);
    let is_press = match action {
        NodeAction::Click => true,
        // A row is chosen by it as by a click.
        NodeAction::Pick => !verb::is_choice(node.role),
        _ => false,
    };
    let is_half_done = |name: &str| {
        name == verb::MARKS_ONLY || (node.role == Role::MenuItem && name == verb::LEAVES_MENU_OPEN)
    };
    is_press
        && chosen.is_some_and(|chosen| is_half_done(&node.actions[chosen]))
        && hit::aim(snapshot, index).is_ok()
}

/// Does it.
pub(crate) async fn act(
    client: Client<'_>,
    display: &dyn DisplayServer,
    snapshot: &Snapshot,
    index: NodeIndex,
    action: &NodeAction,
) -> Result<()> {
    let object = VerifiedObject::take(client, display, snapshot, index).await?;
    match action {
        _ if is_icon_of_field(snapshot, index) && has_verb(&object, action) => click(&object).await,
        NodeAction::Raise => bring_to_front(&object).await,
        NodeAction::Focus => focus(&object).await,
        NodeAction::ShowOnScreen => reveal::show(&object).await,
        NodeAction::Scroll(direction) => turn_wheel(&object, *direction).await,
        NodeAction::Increment => effect::step(&object, action, 1.0).await,
        NodeAction::Decrement => effect::step(&object, action, -1.0).await,
        NodeAction::Expand => effect::expand(&object, action, true).await,
        NodeAction::Collapse => effect::expand(&object, action, false).await,
        NodeAction::Confirm => key(&object, action, Key::Enter).await,
        NodeAction::Cancel => key(&object, action, Key::Escape).await,
        NodeAction::Click | NodeAction::Pick
            if !client.connection.accepts_commands(client.deadline).await =>
        {
            click(&object).await
        }
        NodeAction::Pick => effect::pick(&object, action).await,
        NodeAction::Click if is_tab_out_of_view(object.node()) => effect::pick(&object, action).await,
        NodeAction::LongClick => open_menu(&object, action).await,
        _ => by_name(&object, action).await,
    }
}

/// Whether it is an icon in a text field of GTK 3. Its own action hands the application an event that no device has made, and
/// that ends Thunar; the pointer makes a real one.
fn is_icon_of_field(snapshot: &Snapshot, index: NodeIndex) -> bool {
    let is_field = |parent| matches!(snapshot.node(parent).role, Role::TextField | Role::SpinButton);
    snapshot.node(index).role == Role::Icon && snapshot.parent(index).is_some_and(is_field)
}

/// Does what the application calls by a name that means this.
pub(crate) async fn by_name(object: &VerifiedObject<'_>, action: &NodeAction) -> Result<()> {
    match verb::choose(object.actions(), action, object.node().role) {
        Some(position) => object.do_action(position).await,
        None => Err(unsupported(object, action)),
    }
}

/// Whether the application has a name for this.
pub(crate) fn has_verb(object: &VerifiedObject<'_>, action: &NodeAction) -> bool {
    verb::choose(object.actions(), action, object.node().role).is_some()
}

/// Brings its window to the front and gives it the keyboard; `Ok` once it says that it has it.
pub(crate) async fn focus(object: &VerifiedObject<'_>) -> Result<()> {
    match bring_to_front(object).await {
        // Where windows cannot be raised an application may still move its own focus.
        Err(error) if error.reason() != Reason::Unsupported => return Err(error),
        _ => {}
    }
    object.grab_focus().await?;
    effect::await_focus(object).await
}

/// Enter or Escape, to the object itself. What toolkits call so by name is not always the same thing, so that
/// it serves only where there is no keyboard.
async fn key(object: &VerifiedObject<'_>, action: &NodeAction, stroke: Key) -> Result<()> {
    let node = object.node();
    match bring_to_front(object).await {
        Err(error) if error.reason() == Reason::Unsupported && has_verb(object, action) => {
            return by_name(object, action).await;
        }
        other => other?,
    }
    if node.is(Flags::FOCUSABLE) && !object.has(state::FOCUSED) {
        focus(object).await?;
    }
    object.display.press(stroke.into(), &object.owner(), object.client.deadline).await.map(drop)
}

/// Opens its context menu: by its own action, else with the right button, since most toolkits have none.
async fn open_menu(object: &VerifiedObject<'_>, action: &NodeAction) -> Result<()> {
    if has_verb(object, action) {
        return by_name(object, action).await;
    }
    let at = point_of(object.snapshot, object.index, object.app())?;
    bring_to_front(object).await?;
    object.display.open_menu(at, &object.owner(), object.client.deadline).await
}

/// A click on it with the pointer, with its window in front.
pub(crate) async fn click(object: &VerifiedObject<'_>) -> Result<()> {
    let at = point_of(object.snapshot, object.index, object.app())?;
    bring_to_front(object).await?;
    object.display.play(&Gesture::tap(at), &object.owner(), object.client.deadline).await
}

/// Brings the window of a node to the front. One that is there already is left as it is, and so is a popup,
/// which lies above everything and closes when another window is activated.
async fn bring_to_front(object: &VerifiedObject<'_>) -> Result<()> {
    let VerifiedObject { client, display, snapshot, .. } = object;
    let window = &snapshot.windows()[snapshot.window_of(object.index)];
    let shown = display.windows(client.deadline).await?;
    let id = windows::id(window).ok_or_else(|| not_there(window))?;
    let found = shown.iter().find(|shown| shown.id == id).ok_or_else(|| not_there(window))?;
    if found.active || found.unmanaged {
        return Ok(());
    }
    display.activate(id, client.deadline).await
}

fn not_there(window: &Window) -> Error {
    let title = window.title.as_deref().unwrap_or("without a title");
    Error::new(Reason::Stale, format!("The window '{title}' is not on the display any more."))
        .with_guidance("Read the windows again.")
}

async fn turn_wheel(object: &VerifiedObject<'_>, direction: Direction) -> Result<()> {
    let area = object.node().bounds.intersection(object.snapshot.screen.bounds());
    if area.is_empty() {
        return Err(object
            .error(Reason::ActionFailed, "The element to scroll is not on the screen.")
            .with_guidance("Bring it into view first."));
    }
    bring_to_front(object).await?;
    let length = match direction {
        Direction::Up | Direction::Down => area.height(),
        Direction::Left | Direction::Right => area.width(),
    };
    let to = object.owner();
    object.display.scroll(area.center(), direction, notches(length), &to, object.client.deadline).await
}

/// How often the wheel clicks to move a view of that length by its share.
fn notches(length: i32) -> u32 {
    let pixels = length / SCROLL_SHARE.1 * SCROLL_SHARE.0;
    (pixels / NOTCH_PIXELS).max(1).unsigned_abs()
}

/// The error that says what can be done instead.
fn unsupported(object: &VerifiedObject<'_>, action: &NodeAction) -> Error {
    let node = object.node();
    let supported = verb::supported(object.actions(), node);
    let can = if supported.is_empty() { "nothing by itself".to_owned() } else { supported.join(", ") };
    let message = format!("{} cannot do '{}'; it can do: {can}.", node.summary(), verb::word(action));
    let guidance = "Choose one of these, or use the pointer at its bounds.";
    object.error(Reason::Unsupported, message).with_guidance(guidance)
}

#[cfg(test)]
mod tests {
    use fingertip_core::{Rect, Screen, Window};

    use super::*;

    fn snapshot(node: Node) -> Snapshot {
        let mut builder = Snapshot::builder(Screen { width: 800, height: 600, density: 96 });
        builder.window(Window::new("app", Rect::new(0, 0, 800, 600)));
        builder.leaf(node);
        builder.finish()
    }

    fn can(node: Node, action: &NodeAction) -> bool {
        let snapshot = snapshot(node);
        let index = snapshot.indices().next().expect("a node");
        can_act(&snapshot, index, action)
    }

    fn node(role: Role, actions: &[&str]) -> Node {
        let mut node = Node::new("thing").role(role);
        node.actions = actions.iter().map(|action| (*action).into()).collect();
        node.handle = Some(":1.5/a".into());
        node
    }

    #[test]
    fn a_press_needs_an_action_that_means_it() {
        assert!(can(node(Role::Button, &["click"]), &NodeAction::Click));
        assert!(can(node(Role::CheckBox, &["Toggle", "SetFocus"]), &NodeAction::Click));
        assert!(!can(node(Role::CheckBox, &[]), &NodeAction::Click));
    }

    #[test]
    fn what_only_marks_is_left_to_the_pointer_where_that_reaches_it() {
        let wants = |node: Node| {
            let snapshot = snapshot(node);
            let index = snapshot.indices().next().expect("a node");
            wants_pointer(&snapshot, index, &NodeAction::Click)
        };
        let mut toggle = node(Role::CheckBox, &["Toggle", "SetFocus"]);
        assert!(!wants(toggle.clone()), "it has no place");
        toggle.bounds = Rect::new(10, 10, 90, 30);
        toggle.flags = Flags::VISIBLE | Flags::ENABLED;
        assert!(wants(toggle.clone()));
        toggle.actions = ["click".into()].into();
        assert!(!wants(toggle));
        let mut item = node(Role::MenuItem, &["Press"]);
        assert!(!wants(item.clone()), "its menu is closed");
        item.bounds = Rect::new(10, 10, 90, 30);
        item.flags = Flags::VISIBLE | Flags::ENABLED;
        assert!(wants(item.clone()));
        item.role = Role::Button;
        assert!(!wants(item));
    }

    #[test]
    fn a_menu_button_is_pressed_by_the_one_button_in_it() {
        let place = |mut node: Node, bounds| {
            node.bounds = bounds;
            node
        };
        let pressed = |outer: Node, inner: &[Node]| {
            let mut builder = Snapshot::builder(Screen { width: 800, height: 600, density: 96 });
            builder.window(Window::new("app", Rect::new(0, 0, 800, 600)));
            builder.open(outer);
            for node in inner {
                builder.leaf(node.clone());
            }
            builder.close();
            let snapshot = builder.finish();
            let outer = snapshot.indices().next().expect("a node");
            doer(&snapshot, outer, &NodeAction::Click) != outer
        };
        let (around, within) = (Rect::new(0, 0, 40, 40), Rect::new(5, 5, 35, 35));
        let outer = place(node(Role::Button, &[]), around);
        let inner = place(node(Role::Button, &["click"]), within);
        assert!(pressed(outer.clone(), &[inner.clone(), node(Role::Menu, &[])]));
        assert!(!pressed(outer.clone(), &[inner.clone(), inner.clone()]), "either could be meant");
        assert!(!pressed(outer, &[place(inner.clone(), Rect::new(30, 5, 60, 35))]), "it lies elsewhere");
        let own = place(node(Role::Button, &["click"]), around);
        assert!(!pressed(own, std::slice::from_ref(&inner)));
        assert!(!pressed(place(node(Role::Group, &[]), around), &[inner]));
    }

    #[test]
    fn activating_a_field_is_not_a_click_on_it() {
        assert!(!can(node(Role::TextField, &["activate"]), &NodeAction::Click));
        assert!(can(node(Role::TextField, &["activate"]), &NodeAction::Confirm));
    }

    #[test]
    fn a_tab_without_an_action_is_selected_by_its_bar_where_no_pointer_reaches_it() {
        let clicks = |role, flags| {
            let mut node = node(role, &[]);
            node.flags = flags;
            can(node, &NodeAction::Click)
        };
        assert!(clicks(Role::Tab, Flags::ENABLED));
        assert!(!clicks(Role::Tab, Flags::ENABLED | Flags::VISIBLE));
        assert!(!clicks(Role::ListItem, Flags::ENABLED));
    }

    #[test]
    fn a_node_of_another_driver_can_do_nothing() {
        let mut node = node(Role::Button, &["click"]);
        node.handle = None;
        assert!(!can(node, &NodeAction::Click));
    }

    #[test]
    fn a_scroll_leaves_something_of_the_view() {
        assert_eq!(notches(50), 1);
        assert_eq!(notches(400), 3);
        assert_eq!(notches(1000), 7);
    }
}
