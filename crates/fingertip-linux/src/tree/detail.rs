//! What is asked of an object beside its place in the tree, and only of objects that can have it.
//!
//! Which questions are worth asking is decided by the interfaces of an object and by its role, so that most
//! objects cost one or two calls. A question that an object cannot answer leaves its part empty; one that the
//! application does not answer in time ends the reading.

use std::sync::{Arc, Mutex};

use fingertip_core::select::Unread;
use fingertip_core::sync::lock;
use fingertip_core::{Rect, Role};
use futures_util::{StreamExt, stream};
use rustc_hash::FxHashMap;
use tokio::sync::OnceCell;
use zbus::zvariant::OwnedObjectPath;

use super::walk::IN_FLIGHT;
use super::{AccessibleTree, Attributes, Interfaces, Object, Source};
use crate::bus::{Answer, Answered, CallError, interface};
use crate::client::{Client, MOST_ACTIONS, said};
use crate::handle::Handle;
use crate::roles;
use crate::states::States;
use crate::toolkit::Toolkit;

/// The most characters that are read of a text; what is longer is cut, and said to be.
pub(crate) const MAX_TEXT: i32 = 20_000;

/// A text that is not likely to have grown beyond that.
const SHORT_TEXT: i32 = 1_000;
/// Stands in a text for an object of its own.
const EMBEDDED: char = '\u{fffc}';
/// The relation of a control to its label, in AT-SPI's numbers.
const LABELLED_BY: u32 = 2;

/// What an object says of itself when asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Detail {
    /// What can be done to it, by name.
    pub(crate) actions: Vec<Box<str>>,
    /// Its number, and the ends of its range.
    pub(crate) number: Option<(f64, Option<f64>, Option<f64>)>,
    /// Its text.
    pub(crate) text: Option<Box<str>>,
    /// How many characters its text has.
    pub(crate) length: Option<i32>,
    /// Its description.
    pub(crate) description: Box<str>,
    /// What it shows while it is empty.
    pub(crate) hint: Option<Box<str>>,
    /// The name its programmer gave it.
    pub(crate) identifier: Option<Box<str>>,
    /// The words of the label that stands beside it, where it has no name.
    pub(crate) label: Option<Box<str>>,
    /// The option that is chosen in it, where its name does not say.
    pub(crate) choice: Option<Box<str>>,
}

/// Asks for details, and remembers what need not be asked again in the same application.
pub(crate) struct Examiner<'a> {
    client: &'a Client<'a>,
    actions: ActionNames<'a>,
}

impl<'a> Examiner<'a> {
    /// Asks this application.
    pub(crate) fn new(client: &'a Client<'a>) -> Self {
        Self { client, actions: ActionNames::new(client) }
    }

    /// Where these objects are in the application's own coordinates, in the same order.
    pub(crate) async fn places(&self, tree: &AccessibleTree, wanted: &[usize]) -> Answers<Option<Rect>> {
        each(wanted, |place| self.extents(&tree.objects[place])).await
    }

    /// The details of these objects, in the same order; `known` are those they had before, by position.
    pub(crate) async fn details(
        &self,
        tree: &AccessibleTree,
        wanted: &[usize],
        known: &[Option<Detail>],
    ) -> Answers<Detail> {
        let length = |place: usize| known.get(place)?.as_ref()?.length;
        each(wanted, |place| self.detail(&tree.objects[place], length(place))).await
    }

    /// All that one object says of itself; `length` is that of the text it had before.
    pub(crate) async fn detail(&self, object: &Object, length: Option<i32>) -> Answer<Detail> {
        let (actions, number, (text, length), description, attributes, label, choice) = tokio::try_join!(
            self.actions.of(object),
            self.number(object),
            self.text(object, length),
            self.description(object),
            self.attributes(object),
            self.label(object),
            self.choice(object),
        )?;
        let Attributes { hint, identifier } = attributes;
        Ok(Detail { actions, number, text, length, description, hint, identifier, label, choice })
    }

    async fn extents(&self, object: &Object) -> Answer<Option<Rect>> {
        if !object.interfaces.contains(Interfaces::COMPONENT) || !self.reports_place(object) {
            return Ok(None);
        }
        self.client.extents(&object.handle).await.missing_ok()
    }

    /// Whether an object says where it is.
    fn reports_place(&self, object: &Object) -> bool {
        let is_cell = matches!(roles::role(object.role), Role::Cell | Role::TreeItem | Role::Row);
        object.states.is_showing() || is_cell || !self.client.toolkit.places_only_what_shows()
    }

    async fn number(&self, object: &Object) -> Answer<Option<(f64, Option<f64>, Option<f64>)>> {
        if !asks_for_number(object) {
            return Ok(None);
        }
        let property = async |name: &str| self.client.number(&object.handle, name).await.missing_ok();
        let (current, minimum, maximum) =
            tokio::try_join!(property("CurrentValue"), property("MinimumValue"), property("MaximumValue"))?;
        Ok(current.map(|current| (current, minimum, maximum)))
    }

    /// The text of an object and how long it is. Where that was not much before, both are asked at once.
    async fn text(&self, object: &Object, before: Option<i32>) -> Answer<(Option<Box<str>>, Option<i32>)> {
        if !asks_for_text(object, self.client.toolkit) {
            return Ok((None, None));
        }
        let count = async || self.client.text_length(&object.handle).await.missing_ok();
        let words = async |range| self.client.text(&object.handle, range).await.missing_ok();
        // What a password field holds is never asked for: some toolkits would answer.
        let is_secret = object.role == roles::number::PASSWORD_TEXT;
        let before = before.filter(|before| *before <= SHORT_TEXT && !is_secret);
        // As long as it was: all of it, whatever that is by now, may be a document that was opened meanwhile.
        let (length, text) = match before {
            Some(before) => tokio::try_join!(count(), words((0, before)))?,
            None => (count().await?, None),
        };
        let Some(length) = length else { return Ok((None, None)) };
        if length <= 0 || is_secret {
            return Ok((None, Some(length)));
        }
        // It may be longer or shorter by now; beyond their end some toolkits give nothing.
        let is_whole = |text: &String| i32::try_from(text.chars().count()) == Ok(length.min(MAX_TEXT));
        let text = match text.filter(is_whole) {
            Some(text) => Some(text),
            None => words((0, length.min(MAX_TEXT))).await?,
        };
        // What stands in a text as an object of its own is one character of it, and has a row of its own.
        let text = text.map(|text| text.replace(EMBEDDED, ""));
        Ok((text.map(Into::into), Some(length)))
    }

    /// The words of the label that belongs to a nameless control.
    async fn label(&self, object: &Object) -> Answer<Option<Box<str>>> {
        if !asks_for_label(object, self.client.toolkit) {
            return Ok(None);
        }
        type Relations = Vec<(u32, Vec<(String, OwnedObjectPath)>)>;
        let asked =
            self.client.call::<_, Relations>(&object.handle, interface::ACCESSIBLE, "GetRelationSet", &());
        let relations = asked.await.missing_ok()?.unwrap_or_default();
        let labels = relations.into_iter().find(|(relation, _)| *relation == LABELLED_BY);
        let Some((bus_name, path)) = labels.and_then(|(_, labels)| labels.into_iter().next()) else {
            return Ok(None);
        };
        self.name_of(&Handle::new(&bus_name, &path)).await
    }

    /// The option chosen in a list that can drop down; its toolkit may report it for the list alone.
    async fn choice(&self, object: &Object) -> Answer<Option<Box<str>>> {
        if object.role != roles::number::COMBO_BOX || object.states.is_editable() || object.child_count < 1 {
            return Ok(None);
        }
        let list = if object.interfaces.contains(Interfaces::SELECTION) {
            object.handle.clone()
        } else {
            match self.client.child_at(&object.handle, 0).await.missing_ok()? {
                Some(list) if !list.is_nothing() => list,
                _ => return Ok(None),
            }
        };
        let asked = self.client.reference(&list, interface::SELECTION, "GetSelectedChild", &0);
        let chosen = asked.await.missing_ok()?.filter(|chosen| !chosen.is_nothing());
        let Some(chosen) = chosen else { return Ok(None) };
        Ok(self.name_of(&chosen).await?.filter(|chosen| *chosen != object.name))
    }

    async fn name_of(&self, handle: &Handle) -> Answer<Option<Box<str>>> {
        let name = self.client.name(handle).await.missing_ok()?.unwrap_or_default();
        let name = self.client.toolkit.name(name.trim());
        Ok((!name.is_empty()).then(|| name.into()))
    }

    async fn description(&self, object: &Object) -> Answer<Box<str>> {
        if let Some(description) = &object.description {
            return Ok(description.clone());
        }
        let description = self.client.description(&object.handle).await.missing_ok()?;
        Ok(description.unwrap_or_default().into())
    }

    /// The hint of a text field and the identifier, from the attributes.
    async fn attributes(&self, object: &Object) -> Answer<Attributes> {
        if !asks_for_attributes(object, self.client.toolkit) {
            return Ok(Attributes::default());
        }
        let asked = self.client.call(&object.handle, interface::ACCESSIBLE, "GetAttributes", &());
        Ok(asked.await.missing_ok()?.map(Attributes::from_map).unwrap_or_default())
    }

    /// What may be in the details of an object that is not known without them.
    pub(crate) fn unread(object: &Object, toolkit: Toolkit) -> Unread {
        let role = roles::role(object.role);
        let is_field = roles::holds_text(role) || object.states.is_editable();
        let mut unread = Unread::empty();
        unread.set(Unread::TEXT, asks_for_text(object, toolkit) || asks_for_label(object, toolkit));
        // A slider or a list has its value there, and an empty field its hint.
        let reports_value = matches!(role, Role::ComboBox | Role::Slider | Role::ProgressBar);
        let is_unknown = object.description.is_none() || is_field || reports_value;
        unread.set(Unread::DESCRIPTION, is_unknown || asks_for_label(object, toolkit));
        let is_choice = object.role == roles::number::COMBO_BOX;
        unread.set(Unread::VALUE, is_choice || asks_for_number(object));
        unread.set(Unread::RESOURCE_ID, asks_for_attributes(object, toolkit));
        unread
    }
}

/// Whether an object may have a number. LibreOffice says so of its buttons, menus and cells, which have none.
fn asks_for_number(object: &Object) -> bool {
    let role = roles::role(object.role);
    let has_none = roles::reacts(role) && !matches!(role, Role::Slider | Role::SpinButton | Role::ComboBox);
    let is_menu = object.role == roles::number::MENU;
    object.interfaces.contains(Interfaces::VALUE) && !has_none && !is_menu
}

/// Whether a control may have a label beside it that names it: it has no name itself.
fn asks_for_label(object: &Object, toolkit: Toolkit) -> bool {
    let role = roles::role(object.role);
    let is_labelled = roles::reacts(role) || roles::holds_text(role) || object.states.is_editable();
    // Cells and menu items are many, and have no labels.
    let is_one_of_many = matches!(role, Role::Cell | Role::ListItem | Role::TreeItem | Role::MenuItem);
    toolkit.name(&object.name).trim().is_empty() && is_labelled && !is_one_of_many
}

/// Whether an object's attributes are worth a call: for the hint of a field, and for the identifiers of what
/// a user works with in a web page.
fn asks_for_attributes(object: &Object, toolkit: Toolkit) -> bool {
    let role = roles::role(object.role);
    let is_control = roles::reacts(role) || matches!(role, Role::List | Role::ProgressBar);
    let has_identifier = toolkit.has_identifiers() && is_control;
    roles::holds_text(role) || object.states.is_editable() || has_identifier
}

/// Whether an object may have words beside its name. Words between links are exposed by what holds both.
fn asks_for_text(object: &Object, toolkit: Toolkit) -> bool {
    let role = roles::role(object.role);
    let holds_text = roles::holds_text(role) || object.states.is_editable();
    let is_nameless = object.name.is_empty() && (object.child_count == 0 || !toolkit.splits_text());
    // The words of a box with a name of its own stand nowhere else; of most others the name is made of them.
    let is_named_box = role == Role::Group && !object.name.is_empty() && toolkit.keeps_words_in_boxes();
    object.interfaces.contains(Interfaces::TEXT) && (holds_text || is_nameless || is_named_box)
}

/// What objects answered. Once the application does not answer, the rest stay empty.
pub(crate) struct Answers<T> {
    answers: Vec<T>,
    failure: Option<CallError>,
}

impl<T> Answers<T> {
    /// The answers; the tree says why some are missing.
    pub(crate) fn noted(self, tree: &mut AccessibleTree) -> Vec<T> {
        if let Some(error) = self.failure {
            tree.cut(format!("details are missing: {error}"));
        }
        self.answers
    }
}

/// Says in the tree when a text was longer than what is read of it.
pub(crate) fn note_longest<'d>(tree: &mut AccessibleTree, details: impl Iterator<Item = &'d Detail>) {
    let longest = details.filter_map(|detail| detail.length).max().unwrap_or_default();
    if longest > MAX_TEXT {
        tree.cut(format!("of a text of {longest} characters the first {MAX_TEXT} were read"));
    }
}

/// Asks of each object, many at a time; the answers in the same order.
async fn each<T, F, A>(wanted: &[usize], ask: F) -> Answers<T>
where
    T: Default + Clone,
    F: Fn(usize) -> A,
    A: Future<Output = Answer<T>>,
{
    let mut answers = vec![T::default(); wanted.len()];
    let asked = wanted.iter().copied().enumerate().map(|(slot, place)| {
        let answer = ask(place);
        async move { (slot, answer.await) }
    });
    let mut running = stream::iter(asked).buffer_unordered(IN_FLIGHT);
    while let Some((slot, answer)) = running.next().await {
        match answer {
            Ok(answer) => answers[slot] = answer,
            Err(error) => return Answers { answers, failure: Some(error) },
        }
    }
    Answers { answers, failure: None }
}

/// A sort of control.
type Sort = (u32, States, Interfaces);
/// A role, and a number of actions.
type Kind = (u32, usize);
/// Names of actions.
type Names = Vec<Box<str>>;

/// Asks for the names of actions. Some toolkits take one call for each name, so what is the same for many objects is asked once.
struct ActionNames<'a> {
    client: &'a Client<'a>,
    /// The names of all actions, for toolkits where those of one sort of control are the same.
    regular: Mutex<FxHashMap<Sort, Arc<OnceCell<Names>>>>,
    /// The names of further actions, for toolkits that do not name all at once, by role and number of actions.
    further: Mutex<FxHashMap<Kind, Names>>,
}

impl<'a> ActionNames<'a> {
    fn new(client: &'a Client<'a>) -> Self {
        Self { client, regular: Mutex::default(), further: Mutex::default() }
    }

    /// The names of an object's actions, in their order.
    async fn of(&self, object: &Object) -> Answer<Names> {
        if !object.interfaces.contains(Interfaces::ACTION) {
            return Ok(Vec::new());
        }
        let is_regular = self.client.toolkit.has_regular_actions() && roles::reacts(roles::role(object.role));
        if !is_regular {
            return self.ask(object).await;
        }
        let sort = (object.role, object.states, object.interfaces);
        let names = Arc::clone(lock(&self.regular).entry(sort).or_default());
        // Many of a sort are asked at the same time: the first one asks, the others wait for it.
        names.get_or_try_init(|| self.ask(object)).await.cloned()
    }

    async fn ask(&self, object: &Object) -> Answer<Names> {
        let mut names = if self.client.toolkit.lists_actions_at_once() {
            self.ask_at_once(object).await?
        } else {
            let count = self.client.action_count(&object.handle).await?;
            (0..count).map(|_| Box::default()).collect()
        };
        if names.first().is_some_and(|name| name.is_empty()) {
            self.name_each(object, &mut names).await?;
        }
        Ok(names)
    }

    /// The names from the list of all; empty where they must be asked for.
    async fn ask_at_once(&self, object: &Object) -> Answer<Names> {
        let asked = self.client.call(&object.handle, interface::ACTION, "GetActions", &());
        let actions: Vec<(String, String, String)> = asked.await.missing_ok()?.unwrap_or_default();
        let most = usize::try_from(MOST_ACTIONS).unwrap_or_default();
        Ok(actions.into_iter().take(most).map(|(name, _, _)| said(name).into()).collect())
    }

    /// Asks for the names one by one. The first one differs from object to object, as it says what a click
    /// does; the further ones are the same for all objects of a role that have as many, and are asked once.
    async fn name_each(&self, object: &Object, names: &mut [Box<str>]) -> Answer<()> {
        let kind = (object.role, names.len());
        names[0] = self.name(object, 0).await?;
        let known = lock(&self.further).get(&kind).cloned();
        let further = match known {
            Some(further) => further,
            None => {
                let mut further = Vec::with_capacity(names.len());
                for index in 1..names.len() {
                    further.push(self.name(object, index).await?);
                }
                let mut table = lock(&self.further);
                table.insert(kind, further.clone());
                further
            }
        };
        names[1..].clone_from_slice(&further);
        Ok(())
    }

    async fn name(&self, object: &Object, index: usize) -> Answer<Box<str>> {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        let name = self.client.action_name(&object.handle, index).await.missing_ok()?;
        Ok(name.unwrap_or_default().into())
    }
}
