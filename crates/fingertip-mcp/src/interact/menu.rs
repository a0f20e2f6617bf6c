//! Choosing an item of a menu by its path, step by step as a person does: each menu is opened, looked at, and only then is
//! the next item pressed.
//!
//! Menus differ: GTK 3 has the items of closed menus in its tree, Qt opens by an action of another name, GTK 4 puts them in
//! a popover of a button, some build their items when they open. So what counts is what can be seen after each press. A
//! menu that was opened and does not hold the item is closed again.

use std::time::Duration;

use fingertip_core::gesture::Gesture;
use fingertip_core::hit;
use fingertip_core::target::{AppRef, NodeAction, Part, Scope};
use fingertip_core::{Error, Flags, NodeId, NodeIndex, Reason, Result, Role, Snapshot, WindowKind};

use super::element::{Found, must_be_enabled};
use super::focus::owner_of;
use super::outcome::{ActionOutcome, any_change, look_after, quoted};
use super::press::{must_be_on_top, unreached};
use super::words::meant;
use super::{Via, describe};
use crate::call::Call;

/// The most steps of a path.
pub(crate) const MAX_STEPS: usize = 8;
/// How long a menu may take to open.
const OPEN_WITHIN: Duration = Duration::from_millis(1500);
/// How long an item may take to come in a menu that is open and does not have it yet.
const BUILT_WITHIN: Duration = Duration::from_millis(500);
/// How long an effect may take to show.
const EFFECT_WITHIN: Duration = Duration::from_millis(700);
/// How long a menu may take to close.
const CLOSED_WITHIN: Duration = Duration::from_millis(500);
/// How often is looked where changes are not reported.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How often an item is looked for again that was built again before it could be pressed.
const TRIES: usize = 4;
/// The most labels by which one item is called.
const MAX_LABELS: usize = 6;

/// Presses the item at this path, and says what became of it.
pub(crate) async fn select_menu(call: &Call, app: AppRef, path: &[String]) -> Result<String> {
    let scope = Scope::App { app, part: Part::Visible };
    let start = call.look_at(&scope, call.deadline()).await?;
    let mut walk = Walk { call, scope, path, open_before: open_items(&start), opened: 0, raised: false };
    match walk.go(start).await {
        Ok(done) => Ok(done),
        Err(error) if walk.opened == 0 => Err(error),
        Err(error) => Err(if walk.close().await { error } else { left_open(error) }),
    }
}

struct Walk<'a> {
    call: &'a Call,
    scope: Scope,
    path: &'a [String],
    /// The items that could be seen before anything was opened.
    open_before: Vec<NodeId>,
    opened: usize,
    /// Whether its window was looked at for being in front.
    raised: bool,
}

impl Walk<'_> {
    async fn go(&mut self, start: Snapshot) -> Result<String> {
        let mut snapshot = start;
        let mut within = None;
        for step in 0..self.path.len() {
            let is_last = step + 1 == self.path.len();
            let mut tries = 0;
            loop {
                let (seen, index) = self.find(snapshot, within, step).await?;
                let found = Found { scope: self.scope.clone(), snapshot: seen, index };
                must_be_enabled(&found.snapshot, index, &self.path[step].trim())?;
                if !is_last && is_plain_item(&found.snapshot, index) {
                    // Pressing it would do what it says.
                    return Err(self.not_a_menu(step));
                }
                if step == 0 && !self.open_before.is_empty() && in_menu_bar(&found.snapshot, index) {
                    // What is open would be closed by pressing another menu, or the same.
                    self.open_before.clear();
                    self.opened = MAX_STEPS;
                    let closed = self.close().await;
                    self.opened = 0;
                    if !closed {
                        return Err(in_the_way());
                    }
                    snapshot = self.call.look_at(&self.scope, self.call.deadline()).await?;
                    continue;
                }
                if step == 0 && self.brought_to_front(&found).await? {
                    snapshot = self.call.look_at(&self.scope, self.call.deadline()).await?;
                    continue;
                }
                let id = found.node().id;
                let activity = self.call.activity();
                match self.press(&found, is_last).await {
                    Err(error) if error.reason() == Reason::Stale && tries < TRIES => {
                        tries += 1;
                        snapshot = self.call.look_at(&self.scope, self.call.deadline()).await?;
                        continue;
                    }
                    other => other?,
                };
                if is_last {
                    return self.chosen(&found, activity).await;
                }
                self.opened += 1;
                let opened = self.await_items(id, &found).await?;
                (snapshot, within) = (opened, id);
                break;
            }
        }
        Err(Error::new(Reason::Internal, "A path without steps was followed."))
    }

    /// Brings the window of an item to the front, as a person does first: a menu that opens behind cannot be closed by a
    /// key. False when it is there already, or cannot be brought there.
    async fn brought_to_front(&mut self, found: &Found) -> Result<bool> {
        let window = &found.snapshot.windows()[found.snapshot.window_of(found.index)];
        let is_popup = window.kind == WindowKind::Popup;
        if std::mem::replace(&mut self.raised, true) || window.focused || is_popup {
            return Ok(false);
        }
        let elements = self.call.elements()?;
        match elements.act(&found.snapshot, found.index, &NodeAction::Raise, self.call.deadline()).await {
            Err(error) if error.reason() == Reason::Unsupported => Ok(false),
            other => other.map(|()| true),
        }
    }

    /// The item of this step, among those of the menu that was opened last, or of all that can be opened.
    async fn find(
        &self,
        mut snapshot: Snapshot,
        within: Option<NodeId>,
        step: usize,
    ) -> Result<(Snapshot, NodeIndex)> {
        let limit = self.call.deadline().slice(BUILT_WITHIN);
        loop {
            let items = self.items(&snapshot, within);
            let mut found = matching(&snapshot, &items, &self.path[step]);
            if found.is_empty() && within.is_none() && self.path.len() > 1 {
                found = matching(&snapshot, &buttons(&snapshot), &self.path[step]);
            }
            match found[..] {
                [only] => return Ok((snapshot, only)),
                [] if within.is_none() || limit.passed() => {
                    return Err(self.missing(&snapshot, &items, step).await);
                }
                [] => {
                    let seen = self.call.activity();
                    self.call.pause(seen, limit, LOOK_EVERY).await?;
                    snapshot = self.call.look_at(&self.scope, self.call.deadline()).await?;
                }
                ref several => return Err(self.ambiguous(&snapshot, several, step)),
            }
        }
    }

    /// The items to choose from.
    fn items(&self, snapshot: &Snapshot, within: Option<NodeId>) -> Vec<NodeIndex> {
        let visible = |index: &NodeIndex| snapshot.node(*index).is(Flags::VISIBLE);
        let Some(menu) = within else { return first_items(snapshot) };
        let own: Vec<NodeIndex> = snapshot
            .find_id(menu)
            .map(|menu| items_in(snapshot, menu).into_iter().filter(visible).collect())
            .unwrap_or_default();
        if !own.is_empty() {
            return own;
        }
        // The menu is elsewhere in the tree: what can be seen now and could not before.
        let is_new = |index: &NodeIndex| {
            snapshot.node(*index).id.is_some_and(|id| !self.open_before.contains(&id) && id != menu)
        };
        let all =
            snapshot.indices().filter(|index| is_item(snapshot, *index) && visible(index) && is_new(index));
        all.filter(|index| !in_menu_bar(snapshot, *index)).collect()
    }

    /// Presses an item: by its own means, else with the pointer.
    async fn press(&self, found: &Found, is_last: bool) -> Result<Via> {
        let (call, snapshot) = (self.call, &found.snapshot);
        let index = found.index;
        let own = snapshot.node(index).actions.iter().find(|action| !is_last && shows_menu(action));
        let action = own.map_or(NodeAction::Click, |own| NodeAction::Native(own.to_string()));
        if call.can_act(snapshot, index, &action) {
            call.elements()?.act(snapshot, index, &action, call.deadline()).await?;
            return Ok(Via::Native);
        }
        self.point_at(found).await?;
        Ok(Via::Pointer)
    }

    /// Clicks an item with the pointer.
    async fn point_at(&self, found: &Found) -> Result<()> {
        let (call, snapshot, index) = (self.call, &found.snapshot, found.index);
        let name = snapshot.node(index).summary();
        let point = hit::aim(snapshot, index).map_err(|obstacle| unreached(&name, snapshot, &obstacle))?;
        must_be_on_top(call, snapshot, index, point, &name).await?;
        call.touch()?.gesture(&Gesture::tap(point), &owner_of(found), call.deadline()).await
    }

    /// Waits until the menu of an item shows its items; with the pointer, if its own means did not open it.
    async fn await_items(&self, menu: Option<NodeId>, found: &Found) -> Result<Snapshot> {
        for way in [Via::Native, Via::Pointer] {
            // Where the item is gone it did what it says, and there is nothing to press again.
            if way == Via::Pointer && self.point_at(found).await.is_err() {
                break;
            }
            let limit = self.call.deadline().slice(OPEN_WITHIN);
            // A busy machine may not have finished one look by then, and pressing once more would close what is open.
            let shown = self
                .call
                .until_sure(&self.scope, limit, LOOK_EVERY, |snapshot| {
                    (!self.items(&snapshot, menu).is_empty()).then_some(snapshot)
                })
                .await?;
            if let Some(snapshot) = shown {
                return Ok(snapshot);
            }
        }
        let name = found.node().summary();
        Err(Error::new(Reason::ActionFailed, format!("{name} was pressed, and no menu item came into view."))
            .with_guidance(
                "Look at the screen: it may have done something by itself, or opened a popup that exposes nothing.",
            ))
    }

    /// The last item was pressed: the menu closes, and something happens.
    async fn chosen(&self, item: &Found, activity: u64) -> Result<String> {
        let after =
            look_after(self.call, &self.scope, &item.snapshot, activity, EFFECT_WITHIN, any_change).await?;
        let said = after.sentence(&item.snapshot);
        let ActionOutcome::Seen { snapshot, changes, .. } = &after else { return Ok(said) };
        // Some toolkits do what an item says and leave the menu open. A dialog that came up must not be closed for it.
        let has_dialog = !changes.windows_opened.is_empty();
        if self.opened > 0 && !has_dialog && !self.left(snapshot).is_empty() && !self.close().await {
            return Ok(format!("{said} The menu is still open."));
        }
        Ok(said)
    }

    /// The items in view that this walk brought there.
    fn left(&self, snapshot: &Snapshot) -> Vec<NodeId> {
        open_items(snapshot).into_iter().filter(|id| !self.open_before.contains(id)).collect()
    }

    /// Closes the menus that were opened; false when one stays.
    async fn close(&self) -> bool {
        for turn in 0..=self.opened + 1 {
            let limit = self.call.deadline().slice(CLOSED_WITHIN);
            // What a look lacks that the time cut short may well be there: menus come last in the tree of Qt.
            let closed = |snapshot: Snapshot| {
                (snapshot.cut.is_none() && self.left(&snapshot).is_empty()).then_some(())
            };
            match self.call.until_sure(&self.scope, limit, LOOK_EVERY, closed).await {
                Ok(Some(())) => return true,
                Ok(None) => {}
                // An application that ended has no menu open.
                Err(error) => return matches!(error.reason(), Reason::NotRunning | Reason::NotFound),
            }
            if turn > self.opened {
                break;
            }
            let Ok(snapshot) = self.call.look_at(&self.scope, self.call.deadline()).await else {
                return false;
            };
            let front = snapshot.focused_window().unwrap_or_default();
            let Some(root) = snapshot.roots_of(front).next() else { return false };
            let Ok(elements) = self.call.elements() else { return false };
            if elements.act(&snapshot, root, &NodeAction::Cancel, self.call.deadline()).await.is_err() {
                return false;
            }
        }
        false
    }

    fn not_a_menu(&self, step: usize) -> Error {
        let path = quoted(&[&self.path[..=step].join(" > ")]);
        Error::new(Reason::NotFound, format!("{path} is an item and no menu; nothing was chosen."))
            .with_guidance("End the path there to choose it.")
    }

    async fn missing(&self, snapshot: &Snapshot, items: &[NodeIndex], step: usize) -> Error {
        let wanted = quoted(&[self.path[step].trim()]);
        let blocked = |snapshot: &Snapshot| {
            snapshot.windows().iter().find_map(|window| window.blocked_by.clone()).filter(|_| step == 0)
        };
        if let Some(dialog) = blocked(snapshot) {
            return Error::new(
                Reason::Covered,
                format!("The dialog {} must be answered first; nothing was chosen.", quoted(&[&dialog])),
            )
            .with_guidance("Look at it with get_screen_state, and press one of its buttons.");
        }
        if step == 0 && self.has_hidden_bar().await {
            return Error::new(
                Reason::NotFound,
                format!("No menu {wanted} is in view: the menu bar of this application is hidden."),
            )
            .with_guidance(
                "Show it first (often the F10 or Alt key), or press the application's menu button.",
            );
        }
        let place = match step {
            0 => "There is no menu".to_owned(),
            _ => format!("The menu {:?} has no item", self.path[..step].join(" > ")),
        };
        let there: Vec<&str> = items
            .iter()
            .filter_map(|item| labels(snapshot, *item).first().map(|label| label.trim()))
            .collect();
        let there = if there.is_empty() { "none".to_owned() } else { quoted(&there) };
        Error::new(Reason::NotFound, format!("{place} {wanted}; nothing was chosen. There are: {there}."))
            .with_guidance(if items.is_empty() {
                "Look at the screen for another way."
            } else {
                "Use one of these."
            })
    }

    async fn has_hidden_bar(&self) -> bool {
        let Scope::App { app, .. } = &self.scope else { return false };
        let whole = Scope::App { app: app.clone(), part: Part::Whole };
        let Ok(snapshot) = self.call.look_at(&whole, self.call.deadline()).await else { return false };
        let bars: Vec<NodeIndex> =
            snapshot.indices().filter(|index| snapshot.node(*index).role == Role::MenuBar).collect();
        !bars.is_empty() && !bars.iter().any(|index| snapshot.node(*index).is(Flags::VISIBLE))
    }

    fn ambiguous(&self, snapshot: &Snapshot, nodes: &[NodeIndex], step: usize) -> Error {
        let path = quoted(&[&self.path[..=step].join(" > ")]);
        Error::new(Reason::Ambiguous, format!("{} items are called {path}; nothing was chosen.", nodes.len()))
            .with_guidance("Open the menu with click_element, and click the one that is meant by its id.")
            .with_candidates(describe::candidates(snapshot, nodes))
    }
}

fn in_the_way() -> Error {
    Error::new(
        Reason::Covered,
        "Another menu of the application is open and does not close; nothing was chosen.",
    )
    .with_guidance("Look at the screen and close it first.")
}

fn left_open(error: Error) -> Error {
    let guidance = error.guidance().unwrap_or_default().to_owned();
    error.with_guidance(format!("{guidance} A menu that was opened could not be closed; look at the screen."))
}

/// Whether this is something in a menu that can be chosen.
fn is_item(snapshot: &Snapshot, index: NodeIndex) -> bool {
    matches!(snapshot.node(index).role, Role::MenuItem | Role::Menu) && !labels(snapshot, index).is_empty()
}

/// Whether this is an item that opens nothing, as far as can be seen. One of GTK 4 has parts, as a menu has.
fn is_plain_item(snapshot: &Snapshot, index: NodeIndex) -> bool {
    let node = snapshot.node(index);
    let has_parts = snapshot.subtree(index).len() > 1 || node.child_count.is_some_and(|count| count > 0);
    node.role == Role::MenuItem && !has_parts && !node.actions.iter().any(|action| shows_menu(action))
}

/// Whether this action of an item opens its menu.
fn shows_menu(action: &str) -> bool {
    matches!(action.to_ascii_lowercase().as_str(), "showmenu" | "show menu")
}

/// What an item is called: by itself, or by the words in it that belong to no other item.
fn labels(snapshot: &Snapshot, index: NodeIndex) -> Vec<&str> {
    let own = snapshot.node(index).text.as_deref().or(snapshot.node(index).description.as_deref());
    let is_blank = |label: &&str| label.trim().is_empty();
    if let Some(own) = own.filter(|own| !is_blank(own)) {
        return vec![own];
    }
    let inner = snapshot.subtree(index).skip(1).take(MAX_LABELS);
    let words = inner.filter(|inner| snapshot.node(*inner).role == Role::Label);
    words.filter_map(|inner| snapshot.node(inner).text.as_deref()).filter(|label| !is_blank(label)).collect()
}

/// The items right in a menu, not those of menus in it.
fn items_in(snapshot: &Snapshot, menu: NodeIndex) -> Vec<NodeIndex> {
    let is_nearest = |index: NodeIndex| {
        let between = snapshot.ancestors(index).take_while(|ancestor| *ancestor != menu);
        between.into_iter().all(|ancestor| !is_item(snapshot, ancestor))
    };
    let inner = snapshot.subtree(menu).filter(|index| *index != menu && is_item(snapshot, *index));
    inner.filter(|index| is_nearest(*index)).collect()
}

fn in_menu_bar(snapshot: &Snapshot, index: NodeIndex) -> bool {
    let parent = snapshot.ancestors(index).find(|ancestor| {
        let node = snapshot.node(*ancestor);
        node.role == Role::MenuBar || is_item(snapshot, *ancestor)
    });
    parent.is_some_and(|parent| snapshot.node(parent).role == Role::MenuBar)
}

/// Those of these items that are called so. Of several those in the window in front, or in the uppermost where that has
/// none, as a palette has; of these the ones that react to a click: LibreOffice exposes its menu bar twice.
fn matching(snapshot: &Snapshot, items: &[NodeIndex], wanted: &str) -> Vec<NodeIndex> {
    let called: Vec<Vec<&str>> = items.iter().map(|item| labels(snapshot, *item)).collect();
    let mut found: Vec<NodeIndex> = meant(wanted, &called).into_iter().map(|place| items[place]).collect();
    let height = |index: &NodeIndex| {
        let window = snapshot.window_of(*index);
        (Some(window) == snapshot.focused_window(), snapshot.windows()[window].layer)
    };
    let highest = found.iter().map(height).max();
    found.retain(|index| Some(height(index)) == highest);
    let reacts = |index: &NodeIndex| snapshot.node(*index).is(Flags::CLICKABLE);
    if found.iter().any(reacts) {
        found.retain(reacts);
    }
    found
}

/// Whether it can be seen, and its window does not wait for a dialog.
fn is_free(snapshot: &Snapshot, index: NodeIndex) -> bool {
    let window = &snapshot.windows()[snapshot.window_of(index)];
    snapshot.node(index).is(Flags::VISIBLE) && window.blocked_by.is_none()
}

/// Where a path can begin: the items of menu bars and of menus that are open.
fn first_items(snapshot: &Snapshot) -> Vec<NodeIndex> {
    let in_choice = |index: &NodeIndex| {
        snapshot.ancestors(*index).any(|ancestor| snapshot.node(ancestor).role == Role::ComboBox)
    };
    let items = snapshot.indices().filter(|index| is_item(snapshot, *index) && is_free(snapshot, *index));
    items.filter(|index| !in_choice(index)).collect()
}

/// The buttons that may open a menu. A button in a button is one, and the inner one reacts.
fn buttons(snapshot: &Snapshot) -> Vec<NodeIndex> {
    let is_button = |index: NodeIndex| {
        matches!(snapshot.node(index).role, Role::MenuButton | Role::Button | Role::ToggleButton)
    };
    let all = snapshot.indices().filter(|index| is_button(*index) && is_free(snapshot, *index));
    let innermost = all.filter(|index| !snapshot.subtree(*index).skip(1).any(is_button));
    innermost.filter(|index| !labels(snapshot, *index).is_empty()).collect()
}

/// The items of open menus that can be seen; those of menu bars always can.
fn open_items(snapshot: &Snapshot) -> Vec<NodeId> {
    let shown = |index: &NodeIndex| is_item(snapshot, *index) && snapshot.node(*index).is(Flags::VISIBLE);
    let open = snapshot.indices().filter(|index| shown(index) && !in_menu_bar(snapshot, *index));
    open.filter_map(|index| snapshot.node(index).id).collect()
}
