//! A running application, asked and commanded by a deadline: every question to an object and every command, with their answers
//! as values. It is also what reading takes its objects from ([`Source`]).

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::{Deadline, Rect};
use futures_util::future::try_join_all;
use serde::Deserialize;
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Type};

use crate::bus::{self, Answer, Answered, Body, CallError, Command, interface};
use crate::connection::AppConnection;
use crate::handle::{Handle, ROOT};
use crate::place::is_nowhere;
use crate::roles;
use crate::states::{States, state};
use crate::toolkit::Toolkit;
use crate::tree::detail::MAX_TEXT;
use crate::tree::source::{Bar, Item};
use crate::tree::{Interfaces, Object, Source};

/// Where an application has its cache.
const CACHE_PATH: &str = "/org/a11y/atspi/cache";
/// How deep inside a child of a list the object may be that lies at a point of it.
const MAX_DEPTH_IN_CHILD: usize = 16;
/// The most children of what holds scroll bars: a pane has its content and its bars.
pub(crate) const MOST_IN_PANE: i32 = 8;
/// The most actions of one object, whatever number it claims.
pub(crate) const MOST_ACTIONS: i32 = 64;
/// The most bytes that are kept of what an object says of itself, beside its text; and of its text, which is asked for in
/// characters of up to four bytes.
const MOST_SAID: usize = 20_000;
const MOST_OF_TEXT: usize = 4 * MAX_TEXT as usize;
/// The longest path of an object that is one, in bytes.
const LONGEST_PATH: usize = 1_000;
/// How long a command may keep its answer back before the application is asked whether it lives.
const ANSWER_WITHIN: Duration = Duration::from_millis(100);
/// How long it may take to answer that.
const ALIVE_WITHIN: Duration = Duration::from_millis(500);

/// An object on the wire.
type Reference<'a> = (&'a str, ObjectPath<'a>);
/// An object of a cache on the wire; Qt sends another form, which is of no use.
type CacheItem<'a> =
    (Reference<'a>, Reference<'a>, Reference<'a>, i32, i32, Vec<&'a str>, &'a str, u32, &'a str, Vec<u32>);

/// What places are counted from, in AT-SPI's numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// The corner of the screen, which is not known everywhere.
    Screen = 0,
    /// The corner of the window.
    Window = 1,
}

/// An application that is asked by a deadline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client<'a> {
    pub(crate) connection: &'a AppConnection,
    pub(crate) toolkit: Toolkit,
    pub(crate) deadline: Deadline,
}

impl Client<'_> {
    /// Calls a method whose answer is of this type.
    pub(crate) async fn call<B: Body, T: for<'d> Deserialize<'d> + Type>(
        &self,
        handle: &Handle,
        interface: &str,
        member: &str,
        body: &B,
    ) -> Answer<T> {
        let reply = self.connection.call(handle, interface, member, body, self.deadline).await?;
        reply.body().deserialize().map_err(CallError::malformed)
    }

    /// Reads one property.
    pub(crate) async fn property<T>(&self, handle: &Handle, interface: &str, name: &str) -> Answer<T>
    where
        T: TryFrom<OwnedValue>,
        T::Error: std::fmt::Display,
    {
        let body = (interface, name);
        let reply = self.connection.call(handle, interface::PROPERTIES, "Get", &body, self.deadline).await?;
        bus::value(&reply)
    }

    /// Calls a method whose answer is an object.
    pub(crate) async fn reference<B: Body>(
        &self,
        handle: &Handle,
        interface: &str,
        member: &str,
        body: &B,
    ) -> Answer<Handle> {
        let reply = self.connection.call(handle, interface, member, body, self.deadline).await?;
        let body = reply.body();
        let (reference,): (Reference<'_>,) = body.deserialize().map_err(CallError::malformed)?;
        Ok(handle_of(self.connection.bus_name(), reference))
    }

    pub(crate) async fn name(&self, handle: &Handle) -> Answer<String> {
        self.property(handle, interface::ACCESSIBLE, "Name").await.map(said)
    }

    pub(crate) async fn description(&self, handle: &Handle) -> Answer<String> {
        let description = self.property(handle, interface::ACCESSIBLE, "Description").await;
        description.map(said)
    }

    /// What it is in, which may be of another application or nothing.
    pub(crate) async fn parent_anywhere(&self, handle: &Handle) -> Answer<Handle> {
        let (bus_name, path): (String, OwnedObjectPath) =
            self.property(handle, interface::ACCESSIBLE, "Parent").await?;
        Ok(handle_of(self.connection.bus_name(), (&bus_name, path.as_ref())))
    }

    /// Its place among its siblings.
    pub(crate) async fn index(&self, handle: &Handle) -> Answer<i32> {
        self.call(handle, interface::ACCESSIBLE, "GetIndexInParent", &()).await
    }

    /// Where it is.
    pub(crate) async fn place(&self, handle: &Handle, origin: Origin) -> Answer<Rect> {
        let ((left, top, width, height),): ((i32, i32, i32, i32),) =
            self.call(handle, interface::COMPONENT, "GetExtents", &(origin as u32)).await?;
        Ok(Rect::new(left, top, left.saturating_add(width), top.saturating_add(height)))
    }

    /// What lies at a point of it; it may be nothing, the object itself, or something deep in it.
    pub(crate) async fn at_point(
        &self,
        handle: &Handle,
        (x, y): (i32, i32),
        origin: Origin,
    ) -> Answer<Handle> {
        let body = (x, y, origin as u32);
        self.reference(handle, interface::COMPONENT, "GetAccessibleAtPoint", &body).await
    }

    /// How many actions it has; none for an object that cannot say.
    pub(crate) async fn action_count(&self, handle: &Handle) -> Answer<i32> {
        let count = self.property::<i32>(handle, interface::ACTION, "NActions").await.missing_ok()?;
        Ok(count.unwrap_or_default().clamp(0, MOST_ACTIONS))
    }

    /// What its action of this number is called.
    pub(crate) async fn action_name(&self, handle: &Handle, number: i32) -> Answer<String> {
        self.call(handle, interface::ACTION, "GetName", &number).await.map(said)
    }

    /// The names of its actions. They are asked for one by one: all at once ends Firefox (see
    /// [`Toolkit::lists_actions_at_once`]), and Chromium does not list them so.
    pub(crate) async fn actions(&self, handle: &Handle) -> Answer<Vec<String>> {
        let count = self.action_count(handle).await?;
        try_join_all((0..count).map(|number| self.action_name(handle, number))).await
    }

    /// How many characters its text has.
    pub(crate) async fn text_length(&self, handle: &Handle) -> Answer<i32> {
        self.property(handle, interface::TEXT, "CharacterCount").await
    }

    /// The characters of its text from one to the other.
    pub(crate) async fn text(&self, handle: &Handle, range: (i32, i32)) -> Answer<String> {
        self.call(handle, interface::TEXT, "GetText", &range).await.map(|text| kept(text, MOST_OF_TEXT))
    }

    /// A number of its Value interface.
    pub(crate) async fn number(&self, handle: &Handle, name: &str) -> Answer<f64> {
        self.property(handle, interface::VALUE, name).await
    }

    /// Sets its number. Toolkits round to their own steps and clamp to their range.
    pub(crate) async fn set_number(&self, handle: &Handle, value: f64) -> Answer<()> {
        self.command(handle, Command::SetNumber(value)).await.map(drop)
    }

    /// Tells it to do something; `false` when it said no.
    ///
    /// What opens a dialog may keep its answer back until the dialog closes. So when none comes soon the application is
    /// asked something else: if it answers that, the command is under way.
    pub(crate) async fn command(&self, handle: &Handle, command: Command<'_>) -> Answer<bool> {
        let mut done = std::pin::pin!(self.connection.command(handle, command, self.deadline));
        loop {
            let soon = self.deadline.slice(ANSWER_WITHIN);
            match tokio::time::timeout_at(soon.instant().into(), &mut done).await {
                Ok(answer) => return answer,
                Err(_) if self.deadline.passed() => return Err(CallError::Timeout),
                Err(_) => match self.goes_on(handle).await {
                    Ok(_) => return Ok(true),
                    Err(CallError::Timeout) => {}
                    Err(error) => return Err(error),
                },
            }
        }
    }

    /// Whether it answers after the command reached it. A first answer may have overtaken the command, which comes by
    /// another line; a second one cannot.
    async fn goes_on(&self, handle: &Handle) -> Answer<u32> {
        self.still_answers(handle).await?;
        self.still_answers(handle).await
    }

    /// Whether it answers at the moment. Not to have done so in this short time is no reason to give its line up.
    pub(crate) async fn still_answers(&self, handle: &Handle) -> Answer<u32> {
        let soon = self.deadline.slice(ALIVE_WITHIN).instant();
        tokio::time::timeout_at(soon.into(), self.role(handle)).await.map_err(|_| CallError::Timeout)?
    }

    /// Sees that an object is not one that its application still lists although it is gone (see
    /// [`Toolkit::lists_the_gone`]).
    ///
    /// # Errors
    /// When it is one, or the application does not answer.
    pub(crate) async fn must_be_there(&self, handle: &Handle) -> Answer<()> {
        if self.toolkit.lists_the_gone() {
            self.states_if_there(handle).await?;
        }
        Ok(())
    }

    /// The states of an object that is there. One that is listed although it is gone says that it is showing, and has no
    /// size.
    async fn states_if_there(&self, handle: &Handle) -> Answer<States> {
        let states = self.states(handle).await?;
        // Not all objects are somewhere.
        let is_nowhere = |place: Rect| place.width() == 0 && place.height() == 0;
        if states.is_showing() && self.extents(handle).await.missing_ok()?.is_some_and(is_nowhere) {
            return Err(CallError::Missing("it is shown nowhere any more".to_owned()));
        }
        Ok(states)
    }

    /// Whether an object is an item of an open menu that does not say so (see [`Toolkit::hides_open_menus`]).
    async fn is_in_an_open_menu(&self, handle: &Handle) -> Answer<bool> {
        if !self.toolkit.hides_open_menus() || !roles::is_in_menus(self.role(handle).await?) {
            return Ok(false);
        }
        let place = self.extents(handle).await.missing_ok()?.unwrap_or_default();
        Ok(!place.is_empty() && !is_nowhere(place))
    }

    /// The states and the name of an object. What is gone must not be asked for its name.
    async fn named(&self, handle: &Handle) -> Answer<(States, String)> {
        if self.toolkit.lists_the_gone() {
            let states = self.states_if_there(handle).await?;
            return Ok((states, self.name(handle).await?));
        }
        tokio::try_join!(self.states(handle), self.name(handle))
    }

    /// An object by what distinguishes most of them; it may have any interface.
    pub(crate) async fn sketch(&self, handle: &Handle) -> Answer<Object> {
        self.must_be_there(handle).await?;
        let (role, states, name, description, child_count) = tokio::try_join!(
            self.role(handle),
            self.states(handle),
            self.name(handle),
            self.description(handle),
            self.child_count(handle),
        )?;
        Ok(Object {
            handle: handle.clone(),
            name: name.into(),
            description: Some(description.into()),
            role,
            states,
            interfaces: Interfaces::all(),
            child_count,
            children: Vec::new(),
        })
    }
}

/// As much as is kept of what an object says of itself: a message may bring a hundred megabytes, and objects are many.
pub(crate) fn said(text: String) -> String {
    kept(text, MOST_SAID)
}

fn kept(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most));
        text.shrink_to_fit();
    }
    text
}

/// The object a reference of the application `own` means.
fn handle_of(own: &Arc<str>, (bus_name, path): Reference<'_>) -> Handle {
    if path.len() > LONGEST_PATH {
        return Handle::new("", "");
    }
    // On its own socket an application may leave out who it is.
    if bus_name == &**own || (bus_name.is_empty() && !Handle::new(own, &path).is_nothing()) {
        return Handle { bus_name: own.clone(), path: path.as_str().into(), cell: None };
    }
    Handle::new(bus_name, &path)
}

fn item_of(own: &Arc<str>, item: CacheItem<'_>) -> Item {
    let (object, _, parent, index, child_count, interfaces, name, role, description, states) = item;
    let said = |text: &str| Box::from(&text[..text.floor_char_boundary(MOST_SAID)]);
    Item {
        object: Object {
            handle: handle_of(own, object),
            name: said(name),
            description: Some(said(description)),
            role,
            states: States::from_halves(&states),
            interfaces: Interfaces::from_names(interfaces),
            child_count,
            children: Vec::new(),
        },
        parent: handle_of(own, parent),
        index,
    }
}

/// The bytes of an answer of a cache as objects in their places, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn cache_of_bytes(bytes: &[u8]) -> String {
    use zbus::zvariant::serialized::{Context, Data};
    let data = Data::new(bytes, Context::new_dbus(zbus::zvariant::LE, 0));
    let own: Arc<str> = ":1.1".into();
    let items = data.deserialize::<Vec<CacheItem<'_>>>();
    let children = data.deserialize::<Vec<Reference<'_>>>();
    let children = children.map(|(list, _)| {
        list.into_iter().filter(|child| !handle_of(&own, child.clone()).is_nothing()).count()
    });
    match items {
        Ok((items, _)) => {
            let tree =
                crate::tree::cached::planted(items.into_iter().map(|item| item_of(&own, item)).collect());
            format!("{} {children:?}", tree.objects.len())
        }
        Err(error) => format!("{error} {children:?}"),
    }
}

#[async_trait]
impl Source for Client<'_> {
    async fn items(&self) -> Answer<Vec<Item>> {
        let cache =
            Handle { bus_name: self.connection.bus_name().clone(), path: CACHE_PATH.into(), cell: None };
        let reply = self.connection.call(&cache, interface::CACHE, "GetItems", &(), self.deadline).await?;
        let body = reply.body();
        let items: Vec<CacheItem<'_>> = body.deserialize().map_err(CallError::malformed)?;
        Ok(items.into_iter().map(|item| item_of(self.connection.bus_name(), item)).collect())
    }

    async fn object(&self, handle: &Handle) -> Answer<Object> {
        // One by one: asked for all at once, Qt 6.4 ends with a fault.
        let (role, (states, name), interfaces, child_count) = tokio::try_join!(
            self.role(handle),
            self.named(handle),
            self.call::<_, Vec<String>>(handle, interface::ACCESSIBLE, "GetInterfaces", &()),
            self.child_count(handle),
        )?;
        Ok(Object {
            handle: handle.clone(),
            name: name.into(),
            description: None,
            role,
            states,
            interfaces: Interfaces::from_names(interfaces.iter().map(String::as_str)),
            child_count,
            children: Vec::new(),
        })
    }

    async fn role(&self, handle: &Handle) -> Answer<u32> {
        self.call(handle, interface::ACCESSIBLE, "GetRole", &()).await
    }

    async fn states(&self, handle: &Handle) -> Answer<States> {
        let halves: Vec<u32> = self.call(handle, interface::ACCESSIBLE, "GetState", &()).await?;
        let states = States::from_halves(&halves);
        if states.is_hidden_but_visible() && self.is_in_an_open_menu(handle).await? {
            return Ok(states.shown());
        }
        Ok(states)
    }

    async fn children(&self, handle: &Handle) -> Answer<Vec<Handle>> {
        let reply =
            self.connection.call(handle, interface::ACCESSIBLE, "GetChildren", &(), self.deadline).await?;
        let body = reply.body();
        let children: Vec<Reference<'_>> = body.deserialize().map_err(CallError::malformed)?;
        Ok(children.into_iter().map(|child| handle_of(self.connection.bus_name(), child)).collect())
    }

    async fn parent(&self, handle: &Handle) -> Answer<Option<Handle>> {
        let parent = self.parent_anywhere(handle).await?;
        Ok((!parent.is_nothing() && parent.bus_name == handle.bus_name).then_some(parent))
    }

    async fn child_count(&self, handle: &Handle) -> Answer<i32> {
        self.property(handle, interface::ACCESSIBLE, "ChildCount").await
    }

    async fn child_at(&self, handle: &Handle, index: i32) -> Answer<Handle> {
        if self.toolkit.ends_without_a_window() && *handle.path == *ROOT {
            let mut windows = self.children(handle).await?.into_iter();
            let window = usize::try_from(index).ok().and_then(|index| windows.nth(index));
            return window.ok_or_else(|| CallError::Missing(format!("no window {index}")));
        }
        self.reference(handle, interface::ACCESSIBLE, "GetChildAtIndex", &index).await
    }

    async fn extents(&self, handle: &Handle) -> Answer<Rect> {
        self.place(handle, self.toolkit.origin()).await
    }

    async fn extents_in_window(&self, handle: &Handle) -> Answer<Rect> {
        self.place(handle, Origin::Window).await
    }

    async fn scroll_bar(&self, pane: &Handle) -> Answer<Option<Bar>> {
        if !self.toolkit.searches_rows() || self.child_count(pane).await? > MOST_IN_PANE {
            return Ok(None);
        }
        for child in self.children(pane).await? {
            let (role, states) = tokio::try_join!(self.role(&child), self.states(&child))?;
            if role != roles::number::SCROLL_BAR || !states.has(state::VERTICAL) {
                continue;
            }
            let (at, minimum, maximum) = tokio::try_join!(
                self.number(&child, "CurrentValue"),
                self.number(&child, "MinimumValue"),
                self.number(&child, "MaximumValue"),
            )?;
            return Ok(Some(Bar { at: at - minimum, length: maximum - minimum }));
        }
        Ok(None)
    }

    async fn columns(&self, table: &Handle) -> Answer<i32> {
        self.property(table, interface::TABLE, "NColumns").await
    }

    async fn cell_at(&self, table: &Handle, row: i32, column: i32) -> Answer<Handle> {
        let cell = self.reference(table, interface::TABLE, "GetAccessibleAt", &(row, column)).await?;
        self.connection.cells.keep(table, row, column, &cell, Instant::now());
        Ok(cell)
    }

    fn known_cell(&self, table: &Handle, row: i32, column: i32) -> Option<Handle> {
        self.connection.cells.get(table, row, column, Instant::now())
    }

    async fn is_filled(&self, cell: &Handle) -> Answer<bool> {
        let (length, states) = tokio::try_join!(self.text_length(cell), self.states(cell))?;
        if states.is_defunct() {
            return Err(CallError::Missing(cell.to_string()));
        }
        Ok(length > 0 || states.is_focused())
    }

    fn wraps_places(&self) -> bool {
        self.toolkit.wraps_places()
    }

    async fn object_at_point(&self, window: &Handle, x: i32, y: i32) -> Answer<Option<Handle>> {
        let found = self.at_point(window, (x, y), self.toolkit.origin()).await?;
        Ok((!found.is_nothing()).then_some(found))
    }

    async fn child_at_point(&self, handle: &Handle, x: i32, y: i32) -> Answer<Option<(Handle, i32)>> {
        if !self.toolkit.finds_by_point() {
            return Ok(None);
        }
        let mut child = self.at_point(handle, (x, y), self.toolkit.origin()).await?;
        // Chromium returns the innermost object there, which may be in a child or be none of the list's.
        for _ in 0..MAX_DEPTH_IN_CHILD {
            if child.is_nothing() || child == *handle {
                return Ok(None);
            }
            match self.parent(&child).await? {
                Some(parent) if parent == *handle => {
                    let index = self.index(&child).await?;
                    return Ok(Some((child, index)));
                }
                Some(parent) => child = parent,
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_application_says_at_length_is_kept_to_a_bound() {
        assert_eq!(said("a name".to_owned()), "a name");
        let long = "é".repeat(MOST_SAID);
        let kept = said(long.clone());
        assert!(kept.len() <= MOST_SAID && kept.capacity() <= MOST_SAID && long.starts_with(&kept));
        let own: Arc<str> = ":1.1".into();
        let path = |length: usize| ObjectPath::try_from(format!("/{}", "a".repeat(length))).unwrap();
        assert!(!handle_of(&own, (":1.2", path(20))).is_nothing());
        assert!(handle_of(&own, (":1.2", path(LONGEST_PATH))).is_nothing());
        let item: CacheItem<'_> = (
            (":1.1", path(1)),
            (":1.1", path(2)),
            (":1.1", path(3)),
            0,
            0,
            Vec::new(),
            &long,
            43,
            &long,
            vec![0, 0],
        );
        let Object { name, description, .. } = item_of(&own, item).object;
        assert!(name.len() <= MOST_SAID && description.unwrap().len() <= MOST_SAID);
    }
}
