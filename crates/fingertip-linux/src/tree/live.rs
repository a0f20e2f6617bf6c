//! A running application as a source of objects.

use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::{Deadline, Rect};
use zbus::zvariant::{ObjectPath, OwnedObjectPath};

use super::source::{Bar, Item};
use super::{Interfaces, Object, Source};
use crate::bus::{CallError, interface};
use crate::handle::Handle;
use crate::peer::Peer;
use crate::roles;
use crate::states::States;
use crate::toolkit::Toolkit;

/// Where an application has its cache.
const CACHE_PATH: &str = "/org/a11y/atspi/cache";
/// How deep inside a child of a list the object may be that lies at a point of it.
const MAX_DEPTH_IN_CHILD: usize = 16;
/// The most children of what holds scroll bars: a pane has its content and its bars.
const MOST_IN_PANE: i32 = 8;
/// Coordinates of the screen, in AT-SPI's words.
const ON_SCREEN: u32 = 0;

/// An object on the wire.
type Reference<'a> = (&'a str, ObjectPath<'a>);
/// An object of a cache on the wire; Qt sends another form, which is none of use.
type CacheItem<'a> =
    (Reference<'a>, Reference<'a>, Reference<'a>, i32, i32, Vec<&'a str>, &'a str, u32, &'a str, Vec<u32>);

/// An application that is asked by a deadline.
pub(crate) struct Live<'a> {
    pub(crate) peer: &'a Peer,
    pub(crate) toolkit: Toolkit,
    pub(crate) deadline: Deadline,
}

impl Live<'_> {
    fn handle(&self, reference: Reference<'_>) -> Handle {
        handle_of(self.peer.bus_name(), reference)
    }

    /// Asks with a body and reads one value of the answer.
    pub(crate) async fn ask<B, T>(
        &self,
        handle: &Handle,
        interface: &str,
        member: &str,
        body: &B,
    ) -> Result<T, CallError>
    where
        B: serde::Serialize + zbus::zvariant::DynamicType + Sync,
        T: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        let reply = self.peer.call(handle, interface, member, body, self.deadline).await?;
        reply.body().deserialize().map_err(CallError::malformed)
    }

    /// Sees that an object is not one that its application still lists although it is gone (see
    /// [`Toolkit::lists_the_gone`]).
    ///
    /// # Errors
    /// When it is one, or the application does not answer.
    pub(crate) async fn must_be_there(&self, handle: &Handle) -> Result<(), CallError> {
        if self.toolkit.lists_the_gone() {
            self.states_if_there(handle).await?;
        }
        Ok(())
    }

    /// The states of an object that is there. One that is listed although it is gone says that it is showing, and has no
    /// size.
    async fn states_if_there(&self, handle: &Handle) -> Result<States, CallError> {
        let states = self.states(handle).await?;
        if !states.is_showing() {
            return Ok(states);
        }
        match self.extents(handle).await {
            Ok(place) if place.width() == 0 && place.height() == 0 => {
                Err(CallError::Missing("it is shown nowhere any more".to_owned()))
            }
            // Not all objects are somewhere.
            Ok(_) | Err(CallError::Missing(_) | CallError::Refused(_) | CallError::Malformed(_)) => {
                Ok(states)
            }
            Err(error) => Err(error),
        }
    }

    /// The states and the name of an object. What is gone must not be asked for its name.
    async fn named(&self, handle: &Handle) -> Result<(States, String), CallError> {
        let name = self.peer.property::<String>(handle, interface::ACCESSIBLE, "Name", self.deadline);
        if self.toolkit.lists_the_gone() {
            let states = self.states_if_there(handle).await?;
            return Ok((states, name.await?));
        }
        tokio::try_join!(self.states(handle), name)
    }

    /// An object by what tells most of them apart; it may have any interface.
    pub(super) async fn sketch(&self, handle: &Handle) -> Result<Object, CallError> {
        self.must_be_there(handle).await?;
        let (role, states, name, description, child_count) = tokio::try_join!(
            self.role(handle),
            self.states(handle),
            self.peer.property::<String>(handle, interface::ACCESSIBLE, "Name", self.deadline),
            self.peer.property::<String>(handle, interface::ACCESSIBLE, "Description", self.deadline),
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

    async fn reference<B>(
        &self,
        handle: &Handle,
        interface: &str,
        member: &str,
        body: &B,
    ) -> Result<Handle, CallError>
    where
        B: serde::Serialize + zbus::zvariant::DynamicType + Sync,
    {
        let reply = self.peer.call(handle, interface, member, body, self.deadline).await?;
        let body = reply.body();
        let (reference,): (Reference<'_>,) = body.deserialize().map_err(CallError::malformed)?;
        Ok(self.handle(reference))
    }
}

/// The object a reference of the application `own` means.
fn handle_of(own: &Arc<str>, (bus_name, path): Reference<'_>) -> Handle {
    // On its own socket an application may leave out who it is.
    if bus_name == &**own || (bus_name.is_empty() && !Handle::new(own, &path).is_nothing()) {
        return Handle { bus_name: own.clone(), path: path.as_str().into(), cell: None };
    }
    Handle::new(bus_name, &path)
}

fn item_of(own: &Arc<str>, item: CacheItem<'_>) -> Item {
    let (object, _, parent, index, child_count, interfaces, name, role, description, states) = item;
    Item {
        object: Object {
            handle: handle_of(own, object),
            name: name.into(),
            description: Some(description.into()),
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
            let forest = super::cached::planted(items.into_iter().map(|item| item_of(&own, item)).collect());
            format!("{} {children:?}", forest.objects.len())
        }
        Err(error) => format!("{error} {children:?}"),
    }
}

#[async_trait]
impl Source for Live<'_> {
    async fn items(&self) -> Result<Vec<Item>, CallError> {
        let cache = Handle { bus_name: self.peer.bus_name().clone(), path: CACHE_PATH.into(), cell: None };
        let reply = self.peer.call(&cache, interface::CACHE, "GetItems", &(), self.deadline).await?;
        let body = reply.body();
        let items: Vec<CacheItem<'_>> = body.deserialize().map_err(CallError::malformed)?;
        Ok(items.into_iter().map(|item| item_of(self.peer.bus_name(), item)).collect())
    }

    async fn object(&self, handle: &Handle) -> Result<Object, CallError> {
        // One by one: asked for all at once, Qt 6.4 ends with a fault.
        let (role, (states, name), interfaces, child_count) = tokio::try_join!(
            self.ask::<_, u32>(handle, interface::ACCESSIBLE, "GetRole", &()),
            self.named(handle),
            self.ask::<_, Vec<String>>(handle, interface::ACCESSIBLE, "GetInterfaces", &()),
            self.peer.property::<i32>(handle, interface::ACCESSIBLE, "ChildCount", self.deadline),
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

    async fn role(&self, handle: &Handle) -> Result<u32, CallError> {
        self.ask(handle, interface::ACCESSIBLE, "GetRole", &()).await
    }

    async fn states(&self, handle: &Handle) -> Result<States, CallError> {
        let halves: Vec<u32> = self.ask(handle, interface::ACCESSIBLE, "GetState", &()).await?;
        Ok(States::from_halves(&halves))
    }

    async fn children(&self, handle: &Handle) -> Result<Vec<Handle>, CallError> {
        let reply = self.peer.call(handle, interface::ACCESSIBLE, "GetChildren", &(), self.deadline).await?;
        let body = reply.body();
        let children: Vec<Reference<'_>> = body.deserialize().map_err(CallError::malformed)?;
        Ok(children.into_iter().map(|child| self.handle(child)).collect())
    }

    async fn parent(&self, handle: &Handle) -> Result<Option<Handle>, CallError> {
        let asked = self.peer.property(handle, interface::ACCESSIBLE, "Parent", self.deadline);
        let (bus_name, path): (String, OwnedObjectPath) = asked.await?;
        let parent = self.handle((&bus_name, path.as_ref()));
        Ok((!parent.is_nothing() && parent.bus_name == handle.bus_name).then_some(parent))
    }

    async fn child_count(&self, handle: &Handle) -> Result<i32, CallError> {
        self.peer.property(handle, interface::ACCESSIBLE, "ChildCount", self.deadline).await
    }

    async fn child_at(&self, handle: &Handle, index: i32) -> Result<Handle, CallError> {
        self.reference(handle, interface::ACCESSIBLE, "GetChildAtIndex", &index).await
    }

    async fn extents(&self, handle: &Handle) -> Result<Rect, CallError> {
        let answer = self.ask(handle, interface::COMPONENT, "GetExtents", &ON_SCREEN).await?;
        let ((left, top, width, height),): ((i32, i32, i32, i32),) = answer;
        Ok(Rect::new(left, top, left.saturating_add(width), top.saturating_add(height)))
    }

    async fn scroll_bar(&self, pane: &Handle) -> Result<Option<Bar>, CallError> {
        if !self.toolkit.searches_rows() || self.child_count(pane).await? > MOST_IN_PANE {
            return Ok(None);
        }
        let number = |bar, name| self.peer.property::<f64>(bar, interface::VALUE, name, self.deadline);
        for child in self.children(pane).await? {
            let told: (u32, Vec<u32>) = tokio::try_join!(
                self.ask(&child, interface::ACCESSIBLE, "GetRole", &()),
                self.ask(&child, interface::ACCESSIBLE, "GetState", &()),
            )?;
            if told.0 != roles::number::SCROLL_BAR || !States::from_halves(&told.1).is_vertical() {
                continue;
            }
            let (at, minimum, maximum) = tokio::try_join!(
                number(&child, "CurrentValue"),
                number(&child, "MinimumValue"),
                number(&child, "MaximumValue"),
            )?;
            return Ok(Some(Bar { at: at - minimum, length: maximum - minimum }));
        }
        Ok(None)
    }

    async fn columns(&self, table: &Handle) -> Result<i32, CallError> {
        self.peer.property(table, interface::TABLE, "NColumns", self.deadline).await
    }

    async fn cell_at(&self, table: &Handle, row: i32, column: i32) -> Result<Handle, CallError> {
        self.reference(table, interface::TABLE, "GetAccessibleAt", &(row, column)).await
    }

    async fn is_filled(&self, cell: &Handle) -> Result<bool, CallError> {
        let length = self.peer.property::<i32>(cell, interface::TEXT, "CharacterCount", self.deadline);
        let (length, states) = tokio::try_join!(length, self.states(cell))?;
        Ok(length > 0 || states.is_focused())
    }

    fn wraps_places(&self) -> bool {
        self.toolkit.wraps_places()
    }

    async fn child_at_point(
        &self,
        handle: &Handle,
        x: i32,
        y: i32,
    ) -> Result<Option<(Handle, i32)>, CallError> {
        if !self.toolkit.finds_by_point() {
            return Ok(None);
        }
        let body = (x, y, ON_SCREEN);
        let mut child = self.reference(handle, interface::COMPONENT, "GetAccessibleAtPoint", &body).await?;
        // Chromium tells the innermost object there, which may be in a child or be none of the list's.
        for _ in 0..MAX_DEPTH_IN_CHILD {
            if child.is_nothing() || child == *handle {
                return Ok(None);
            }
            match self.parent(&child).await? {
                Some(parent) if parent == *handle => {
                    let index = self.ask(&child, interface::ACCESSIBLE, "GetIndexInParent", &()).await?;
                    return Ok(Some((child, index)));
                }
                Some(parent) => child = parent,
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}
