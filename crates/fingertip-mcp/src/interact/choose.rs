//! Choosing one of several by its text: an option of a combo box, a row of a list, a tab, a radio button.
//!
//! First by the option's own means, which most toolkits have for closed lists too; then as a person does, by opening what
//! is closed and pressing the option. Each way is believed only when the choice is seen afterwards.

use std::time::Duration;

use fingertip_core::target::{NodeAction, Part, Scope};
use fingertip_core::{
    Error, Flags, Node, NodeId, NodeIndex, Reason, Result, Role, Snapshot, Value, WindowKind,
};

use super::describe::candidates;
use super::element::{Found, Named, must_be_enabled};
use super::focus::owner_of;
use super::outcome::quoted;
use super::press::{Press, Via, press_found};
use super::words::{meant, plain};
use crate::call::Call;

/// How long reading an application whole may take, to find options that cannot be seen.
const WHOLE_WITHIN: Duration = Duration::from_secs(5);
/// How long a choice may take to show.
const SHOWN_WITHIN: Duration = Duration::from_millis(1500);
/// How long a list may take to drop down.
const OPEN_WITHIN: Duration = Duration::from_millis(1500);
/// How often is looked where changes are not reported.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The most nodes in an option that are looked at for its words.
const MAX_INNER: usize = 12;

/// Whether a text given to this element chooses one of what it holds.
pub(crate) fn holds_choices(snapshot: &Snapshot, index: NodeIndex) -> bool {
    let node = snapshot.node(index);
    match node.role {
        Role::ComboBox | Role::List | Role::TabList | Role::Tree | Role::Table => !node.is(Flags::EDITABLE),
        Role::Group => chosen_from(snapshot, index).is_some(),
        _ => false,
    }
}

/// Chooses the option that is called so.
pub(crate) async fn choose(call: &Call, found: &Found, name: Named<'_>, wanted: &str) -> Result<Via> {
    let choosing = Choosing { call, found, name, wanted, before: visible_ids(&found.snapshot) };
    if let Some(index) = choosing.among(&found.snapshot, found.index)? {
        if choosing.is_chosen(&found.snapshot) {
            return Ok(Via::Native);
        }
        return choosing.take(&found.scope, &found.snapshot, index).await;
    }
    // A text that is shown already needs no list to be opened.
    if choosing.is_chosen(&found.snapshot) {
        return Ok(Via::Native);
    }
    let Some((scope, whole)) = choosing.read_whole().await? else {
        return choosing.open_and_take(false).await;
    };
    let container = found.node().id.and_then(|id| whole.find_id(id));
    let option = match container {
        Some(container) => choosing.among(&whole, container)?,
        None => None,
    };
    match option {
        Some(index) => choosing.take(&scope, &whole, index).await,
        None => {
            let known = container.map(|container| options(&whole, container)).unwrap_or_default();
            // What holds options that can be read holds no others; but one alone may be what a closed one shows (Adwaita).
            if known.len() <= 1 && found.node().role == Role::ComboBox {
                return choosing.open_and_take(true).await;
            }
            Err(choosing.missing(&whole, &known))
        }
    }
}

struct Choosing<'a> {
    call: &'a Call,
    found: &'a Found,
    name: Named<'a>,
    wanted: &'a str,
    /// What could be seen before anything was opened.
    before: Vec<NodeId>,
}

impl Choosing<'_> {
    /// The option that is meant among those in a node; `None` when none is.
    fn among(&self, snapshot: &Snapshot, container: NodeIndex) -> Result<Option<NodeIndex>> {
        self.only(snapshot, &options(snapshot, container))
    }

    fn only(&self, snapshot: &Snapshot, options: &[NodeIndex]) -> Result<Option<NodeIndex>> {
        let called: Vec<Vec<&str>> = options.iter().map(|option| labels(snapshot, *option)).collect();
        match meant(self.wanted, &called)[..] {
            [] => Ok(None),
            [only] => Ok(Some(options[only])),
            ref several => {
                let nodes: Vec<NodeIndex> = several.iter().map(|place| options[*place]).collect();
                Err(Error::new(
                    Reason::Ambiguous,
                    format!(
                        "{} options of element '{}' are called {:?}; nothing was done.",
                        nodes.len(),
                        self.name,
                        self.wanted
                    ),
                )
                .with_guidance("Click the one that is meant by its id.")
                .with_candidates(candidates(snapshot, &nodes)))
            }
        }
    }

    /// The whole application; `None` where it could not be read completely in time.
    async fn read_whole(&self) -> Result<Option<(Scope, Snapshot)>> {
        let Scope::App { app, part } = &self.found.scope else { return Ok(None) };
        if *part == Part::Whole {
            return Ok(Some((self.found.scope.clone(), self.found.snapshot.clone())));
        }
        let scope = Scope::App { app: app.clone(), part: Part::Whole };
        match self.call.look_at(&scope, self.call.deadline().slice(WHOLE_WITHIN)).await {
            Ok(snapshot) if snapshot.cut.is_none() => Ok(Some((scope, snapshot))),
            Ok(_) => Ok(None),
            Err(error) if error.reason() == Reason::Timeout => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Chooses an option that was found: by its own means, else by pressing it.
    async fn take(&self, scope: &Scope, snapshot: &Snapshot, index: NodeIndex) -> Result<Via> {
        let option = Found { scope: scope.clone(), snapshot: snapshot.clone(), index };
        must_be_enabled(snapshot, index, &self.wanted)?;
        if !only_toggles(snapshot.node(index)) && self.call.can_act(snapshot, index, &NodeAction::Pick) {
            match self.call.elements()?.act(snapshot, index, &NodeAction::Pick, self.call.deadline()).await {
                Ok(()) if self.shows().await? => return Ok(Via::Native),
                Ok(()) => {}
                Err(error) if matches!(error.reason(), Reason::Unsupported | Reason::ActionFailed) => {}
                Err(error) => return Err(error),
            }
        }
        if self.found.node().role == Role::ComboBox {
            return self.open_and_take(true).await;
        }
        if !snapshot.node(index).is(Flags::VISIBLE)
            && self.call.can_act(snapshot, index, &NodeAction::ShowOnScreen)
        {
            self.call
                .elements()?
                .act(snapshot, index, &NodeAction::ShowOnScreen, self.call.deadline())
                .await?;
        }
        self.bring_to_front().await?;
        self.press(option).await
    }

    /// Brings the window of the element to the front, where what is pressed with the pointer must be.
    async fn bring_to_front(&self) -> Result<()> {
        let (snapshot, index) = (&self.found.snapshot, self.found.index);
        if self.call.kind().reads_whole_screen() || snapshot.windows()[snapshot.window_of(index)].focused {
            return Ok(());
        }
        match self.call.elements()?.act(snapshot, index, &NodeAction::Raise, self.call.deadline()).await {
            Err(error) if error.reason() == Reason::Unsupported => Ok(()),
            other => other,
        }
    }

    /// Presses an option as it is on the screen by now.
    async fn press(&self, option: Found) -> Result<Via> {
        let id = option.node().id;
        let snapshot = self.call.look_at(&visible(&option.scope), self.call.deadline()).await?;
        let index = id.and_then(|id| snapshot.find_id(id));
        let option = match index {
            Some(index) => Found { scope: visible(&option.scope), snapshot, index },
            None => option,
        };
        let name = option.node().summary();
        let option = Found { index: reacting_in(&option.snapshot, option.index), ..option };
        let via = press_found(self.call, &option, &name, Press::Short).await?;
        if self.shows().await? { Ok(via) } else { Err(self.unconfirmed()) }
    }

    /// Drops the list down, presses the option in it, and puts the list away when it is not there. What is out of view is
    /// looked for where all `is_readable`.
    async fn open_and_take(&self, is_readable: bool) -> Result<Via> {
        let found = self.found;
        self.bring_to_front().await?;
        let scope = visible(&found.scope);
        let snapshot = self.call.look_at(&scope, self.call.deadline()).await?;
        let index = found.node().id.and_then(|id| snapshot.find_id(id)).ok_or_else(|| self.gone())?;
        let closed = Found { scope: scope.clone(), index: opener(&snapshot, index), snapshot };
        press_found(self.call, &closed, self.name, Press::Short).await?;
        let limit = self.call.deadline().slice(OPEN_WITHIN);
        let mut last = None;
        let shown = self
            .call
            .until(&scope, limit, LOOK_EVERY, |snapshot| {
                let options = self.opened(&snapshot);
                let is_there = !matches!(self.only(&snapshot, &options), Ok(None));
                last = Some(snapshot.clone());
                is_there.then_some(snapshot)
            })
            .await?;
        let option = match shown {
            Some(snapshot) => match self.only(&snapshot, &self.opened(&snapshot)) {
                Ok(Some(index)) => Ok(Found { scope, snapshot, index }),
                Ok(None) => Err(self.unconfirmed()),
                Err(error) => Err(error),
            },
            None if is_readable => self.scrolled_to(last.as_ref().unwrap_or(&found.snapshot)).await,
            None => Err(self.out_of_view(last.as_ref().unwrap_or(&found.snapshot))),
        };
        let pressed = match option {
            Ok(option) => self.press(option).await,
            Err(error) => Err(error),
        };
        if pressed.is_err() {
            self.put_away().await;
        }
        pressed
    }

    /// Brings an option into view that is further down a list that is open and shows only these.
    async fn scrolled_to(&self, shown: &Snapshot) -> Result<Found> {
        let (scope, whole) = self.read_whole().await?.ok_or_else(|| self.out_of_view(shown))?;
        let container = self.found.node().id.and_then(|id| whole.find_id(id));
        let mut all = container.map(|container| options(&whole, container)).unwrap_or_default();
        if all.len() <= 1 {
            let popups = (0..whole.windows().len())
                .filter(|window| whole.windows()[*window].kind == WindowKind::Popup);
            let in_popups: Vec<NodeIndex> = popups
                .flat_map(|window| whole.roots_of(window))
                .flat_map(|root| options(&whole, root))
                .collect();
            if !in_popups.is_empty() {
                all = in_popups;
            }
        }
        let Some(index) = self.only(&whole, &all)? else {
            return Err(if all.is_empty() { self.out_of_view(shown) } else { self.missing(&whole, &all) });
        };
        let action = NodeAction::ShowOnScreen;
        if self.call.can_act(&whole, index, &action) {
            self.call.elements()?.act(&whole, index, &action, self.call.deadline()).await?;
            return Ok(Found { scope, snapshot: whole, index });
        }
        let node = whole.node(index);
        // Menus go by single letters, and what is typed must be words that do nothing else.
        let can_be_typed = node.role == Role::ListItem && shown.focused_window().is_some();
        match node.label().filter(|label| can_be_typed && !label.chars().any(char::is_control)) {
            Some(called) => self.typed_to(called).await?.ok_or_else(|| self.out_of_view(shown)),
            None => Err(self.out_of_view(shown)),
        }
    }

    /// Brings an option into view by typing its name, as lists that drop down go to what is typed. `None` when it does not
    /// come.
    async fn typed_to(&self, called: &str) -> Result<Option<Found>> {
        self.call.keyboard()?.type_text(called, &owner_of(self.found), self.call.deadline()).await?;
        let scope = visible(&self.found.scope);
        let limit = self.call.deadline().slice(OPEN_WITHIN);
        let shown = |snapshot: Snapshot| {
            let index = self.only(&snapshot, &self.opened(&snapshot)).ok().flatten()?;
            Some(Found { scope: scope.clone(), snapshot, index })
        };
        self.call.until(&scope, limit, LOOK_EVERY, shown).await
    }

    /// The options that came into view: in the element, or in a popup of its own.
    fn opened(&self, snapshot: &Snapshot) -> Vec<NodeIndex> {
        let is_visible = |index: &NodeIndex| snapshot.node(*index).is(Flags::VISIBLE);
        let container = self.found.node().id.and_then(|id| snapshot.find_id(id));
        let own: Vec<NodeIndex> = container
            .map(|container| options(snapshot, container).into_iter().filter(is_visible).collect())
            .unwrap_or_default();
        let is_new =
            |index: &NodeIndex| snapshot.node(*index).id.is_some_and(|id| !self.before.contains(&id));
        if own.iter().any(is_new) {
            return own;
        }
        let has_words =
            |index: &NodeIndex| is_option(snapshot.node(*index)) && !labels(snapshot, *index).is_empty();
        let all = snapshot.indices().filter(|index| is_visible(index) && is_new(index));
        let new: Vec<NodeIndex> = all.filter(has_words).collect();
        if new.is_empty() { own } else { new }
    }

    async fn put_away(&self) {
        let Ok(snapshot) = self.call.look_at(&visible(&self.found.scope), self.call.deadline()).await else {
            return;
        };
        if self.opened(&snapshot).is_empty() && popups(&snapshot) <= popups(&self.found.snapshot) {
            return;
        }
        let front = snapshot.focused_window().unwrap_or_default();
        if let (Some(root), Ok(elements)) = (snapshot.roots_of(front).next(), self.call.elements()) {
            // The error that follows says what is to be said; an open list is seen by the next look.
            let _ = elements.act(&snapshot, root, &NodeAction::Cancel, self.call.deadline()).await;
        }
    }

    /// Waits until the choice is seen.
    async fn shows(&self) -> Result<bool> {
        let limit = self.call.deadline().slice(SHOWN_WITHIN);
        let scope = visible(&self.found.scope);
        let chosen = |snapshot: Snapshot| self.is_chosen(&snapshot).then_some(());
        Ok(self.call.until(&scope, limit, LOOK_EVERY, chosen).await?.is_some())
    }

    /// Whether the element says that this is chosen: by itself, or by the state of the option.
    fn is_chosen(&self, snapshot: &Snapshot) -> bool {
        let id = self.found.node().id;
        let Some(container) = id.and_then(|id| snapshot.find_id(id)) else { return false };
        let wanted = plain(self.wanted).to_lowercase();
        let says = |label: &str| plain(label).to_lowercase() == wanted;
        let node = snapshot.node(container);
        if matches!(node.role, Role::ComboBox | Role::TabList) {
            let value = match &node.value {
                Some(Value::Text(value)) => Some(&**value),
                _ => None,
            };
            let own = [node.text.as_deref(), node.description.as_deref(), value];
            let inner = shown_in(snapshot, container);
            if own.into_iter().flatten().chain(inner).any(says) {
                return true;
            }
        }
        let options = options(snapshot, container);
        let is_called = |option: NodeIndex| labels(snapshot, option).into_iter().any(says);
        // All that a closed one of Adwaita has is the option that it shows.
        if let (Role::ComboBox, [only]) = (node.role, &options[..])
            && snapshot.node(*only).is(Flags::VISIBLE)
            && is_called(*only)
        {
            return true;
        }
        let mut called = options.iter().filter(|option| is_called(**option));
        called.any(|option| {
            let is_on = |index| snapshot.node(index).flags.intersects(Flags::SELECTED | Flags::CHECKED);
            is_on(*option) || snapshot.ancestors(*option).take_while(|up| *up != container).any(is_on)
        })
    }

    fn missing(&self, snapshot: &Snapshot, known: &[NodeIndex]) -> Error {
        let there: Vec<&str> = known
            .iter()
            .filter_map(|option| labels(snapshot, *option).first().map(|label| label.trim()))
            .collect();
        let there = if there.is_empty() { "none could be read".to_owned() } else { quoted(&there) };
        Error::new(
            Reason::NotFound,
            format!(
                "Element '{}' has no option {:?}; nothing was chosen. Options: {there}.",
                self.name, self.wanted
            ),
        )
        .with_guidance("Give one of these as 'value'.")
    }

    /// The option is not among those in view, and the others could not be reached.
    fn out_of_view(&self, shown: &Snapshot) -> Error {
        let there: Vec<&str> =
            self.opened(shown).iter().filter_map(|option| labels(shown, *option).first().copied()).collect();
        let there = if there.is_empty() { "none".to_owned() } else { quoted(&there) };
        Error::new(
            Reason::NotFound,
            format!(
                "{:?} is not among the options of element '{}' that can be seen, and those out of view could not be \
                 reached; nothing was chosen. In view: {there}.",
                self.wanted, self.name
            ),
        )
        .with_guidance("Open it with click_element, scroll to the option, and click it.")
    }

    fn gone(&self) -> Error {
        Error::new(Reason::Stale, format!("Element '{}' is no longer on the screen.", self.name))
            .with_guidance("Look again, and use an id from there.")
    }

    fn unconfirmed(&self) -> Error {
        Error::new(
            Reason::ActionFailed,
            format!("{:?} was chosen in element '{}', but is not seen to be.", self.wanted, self.name),
        )
        .with_guidance("Look at the element; it may have refused the choice, or not report it.")
    }
}

fn visible(scope: &Scope) -> Scope {
    match scope {
        Scope::App { app, .. } => Scope::App { app: app.clone(), part: Part::Visible },
        other => other.clone(),
    }
}

/// How many windows hang off others, those that expose no tree included.
fn popups(snapshot: &Snapshot) -> usize {
    let popups = snapshot.windows().iter().filter(|window| window.kind == WindowKind::Popup);
    popups.count() + snapshot.blank.len()
}

fn visible_ids(snapshot: &Snapshot) -> Vec<NodeId> {
    let shown = snapshot.indices().map(|index| snapshot.node(index)).filter(|node| node.is(Flags::VISIBLE));
    shown.filter_map(|node| node.id).collect()
}

/// What of a group is chosen from: its radio buttons, else its check boxes where no two are on. GTK 4 reports radio
/// buttons as check boxes, and nothing of their belonging together.
fn chosen_from(snapshot: &Snapshot, group: NodeIndex) -> Option<Role> {
    let of = |role: Role| {
        snapshot.subtree(group).map(|index| snapshot.node(index)).filter(move |node| node.role == role)
    };
    if of(Role::RadioButton).next().is_some() {
        return Some(Role::RadioButton);
    }
    let is_on = |node: &&Node| node.is(Flags::CHECKED);
    let is_one_of_several = of(Role::CheckBox).count() > 1 && of(Role::CheckBox).filter(is_on).count() < 2;
    is_one_of_several.then_some(Role::CheckBox)
}

/// Whether this is one of several to choose from.
fn is_option(node: &Node) -> bool {
    matches!(
        node.role,
        Role::ListItem
            | Role::MenuItem
            | Role::Tab
            | Role::RadioButton
            | Role::TreeItem
            | Role::Cell
            | Role::Row
    )
}

/// The options in a node: what can be chosen and has words, the outermost of each.
fn options(snapshot: &Snapshot, container: NodeIndex) -> Vec<NodeIndex> {
    let is_group = snapshot.node(container).role == Role::Group;
    let chosen_from = chosen_from(snapshot, container).filter(|_| is_group);
    let fits = |index: NodeIndex| {
        let node = snapshot.node(index);
        if is_group { Some(node.role) == chosen_from } else { is_option(node) }
    };
    let mut found: Vec<NodeIndex> = Vec::new();
    for index in snapshot.subtree(container).skip(1) {
        let in_last = found.last().is_some_and(|last| snapshot.is_within(index, *last));
        if !in_last && fits(index) && !labels(snapshot, index).is_empty() {
            found.push(index);
        }
    }
    found
}

/// What an option is called: by itself, and by the words in it.
fn labels(snapshot: &Snapshot, index: NodeIndex) -> Vec<&str> {
    let own = snapshot.node(index).label();
    let inner = snapshot.subtree(index).skip(1).take(MAX_INNER);
    let is_tab = snapshot.node(index).role == Role::Tab;
    // The page of a tab may be in it: only its first words are its own.
    let words = inner.filter(|inner| snapshot.node(*inner).role == Role::Label);
    let words = words.filter_map(|inner| snapshot.node(inner).text.as_deref());
    let words = words.take(if is_tab { 1 } else { MAX_INNER });
    own.into_iter().chain(words).filter(|label| !label.trim().is_empty()).collect()
}

/// The words that a closed list shows beside its options: those of the one that is chosen.
fn shown_in(snapshot: &Snapshot, container: NodeIndex) -> impl Iterator<Item = &str> {
    let in_option = move |index: NodeIndex| {
        let mut up =
            std::iter::once(index).chain(snapshot.ancestors(index)).take_while(move |up| *up != container);
        up.any(|up| is_option(snapshot.node(up)))
    };
    let shown = snapshot.subtree(container).skip(1).filter(move |index| {
        let node = snapshot.node(*index);
        node.is(Flags::VISIBLE) && node.role == Role::Label && !in_option(*index)
    });
    shown.filter_map(|index| snapshot.node(index).text.as_deref())
}

/// What is pressed to open a combo box: the button in it where it has one, else itself.
fn opener(snapshot: &Snapshot, combo: NodeIndex) -> NodeIndex {
    let is_button = |index: &NodeIndex| {
        let node = snapshot.node(*index);
        matches!(node.role, Role::Button | Role::ToggleButton) && node.is(Flags::ENABLED | Flags::VISIBLE)
    };
    snapshot.subtree(combo).find(is_button).unwrap_or(combo)
}

/// What is pressed of an option: itself where it reacts, else the first thing in it that does, else itself.
fn reacting_in(snapshot: &Snapshot, index: NodeIndex) -> NodeIndex {
    let reacts =
        |index: &NodeIndex| snapshot.node(*index).is(Flags::CLICKABLE | Flags::ENABLED | Flags::VISIBLE);
    snapshot.subtree(index).find(reacts).unwrap_or(index)
}

/// Whether all a row can do is to be toggled: Qt then selects it without making it the current one, which programs go by.
fn only_toggles(node: &Node) -> bool {
    let is_row = matches!(node.role, Role::ListItem | Role::TreeItem | Role::Cell | Role::Row);
    is_row && node.actions.iter().any(|action| action.eq_ignore_ascii_case("toggle"))
}
