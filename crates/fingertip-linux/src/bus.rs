//! The accessibility bus, with one connection for calls and one for events.
//!
//! Two, because a connection whose events are not read stops delivering answers as well. Nothing is cached:
//! what an application says is asked for when it is wanted, property by property, since asking for all
//! properties at once ends applications of Qt 6.4.

mod command;
mod error;
mod line;
mod open;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fingertip_core::Deadline;
use zbus::Connection;
use zbus::message::Message;
use zbus::zvariant::OwnedValue;

pub(crate) use command::{Attached, Command};
pub(crate) use error::CallError;
pub(crate) use error::{Answer, Answered};
pub(crate) use line::{Body, Line};
pub(crate) use open::{SWITCH_ON, SWITCH_ON_FOR_GOOD, session, status};

use crate::Environment;
use crate::handle::Handle;

/// The interfaces that are spoken here.
pub(crate) mod interface {
    /// Names, roles, states and relatives.
    pub(crate) const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
    /// What can be done to an object.
    pub(crate) const ACTION: &str = "org.a11y.atspi.Action";
    /// The application as a whole.
    pub(crate) const APPLICATION: &str = "org.a11y.atspi.Application";
    /// All objects of an application at once.
    pub(crate) const CACHE: &str = "org.a11y.atspi.Cache";
    /// Place and focus.
    pub(crate) const COMPONENT: &str = "org.a11y.atspi.Component";
    /// Text that can be changed.
    pub(crate) const EDITABLE_TEXT: &str = "org.a11y.atspi.EditableText";
    /// Chosen children.
    pub(crate) const SELECTION: &str = "org.a11y.atspi.Selection";
    /// Rows and columns.
    pub(crate) const TABLE: &str = "org.a11y.atspi.Table";
    /// Text.
    pub(crate) const TEXT: &str = "org.a11y.atspi.Text";
    /// A number between two ends.
    pub(crate) const VALUE: &str = "org.a11y.atspi.Value";
    /// Single properties of any of these.
    pub(crate) const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
}

/// The accessibility bus.
#[derive(Debug)]
pub(crate) struct Bus {
    calls: Line,
    events: Connection,
    round_trips: Arc<AtomicU64>,
}

impl Bus {
    /// Finds the accessibility bus through the session bus and connects to it twice.
    ///
    /// # Errors
    /// When there is no session bus or no accessibility bus, or none lets us in; says what to do.
    pub(crate) async fn connect(
        environment: &Environment,
        deadline: Deadline,
    ) -> fingertip_core::Result<Self> {
        let address = open::address(environment, deadline).await?;
        let calls = open::connection(&address, deadline).await?;
        let events = open::connection(&address, deadline).await?;
        let round_trips = Arc::new(AtomicU64::new(0));
        Ok(Self { calls: Line::new(calls, Arc::clone(&round_trips)), events, round_trips })
    }

    /// Calls a method of an object.
    ///
    /// # Errors
    /// When there is no answer by the deadline, or the answer is an error.
    pub(crate) async fn call<B: Body>(
        &self,
        handle: &Handle,
        interface: &str,
        member: &str,
        body: &B,
        deadline: Deadline,
    ) -> Result<Message, CallError> {
        self.calls.call(Some(&handle.bus_name), &handle.path, interface, member, body, deadline).await
    }

    /// The connection for events. A subscriber must read without a pause.
    pub(crate) fn events(&self) -> &Connection {
        &self.events
    }

    /// The connection for calls.
    pub(crate) fn calls(&self) -> &Line {
        &self.calls
    }

    /// How many calls were made so far.
    pub(crate) fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// The counter itself, for further connections whose calls are to be counted too.
    pub(crate) fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.round_trips)
    }

    /// Whether the bus is gone and must be connected to again.
    pub(crate) fn is_closed(&self) -> bool {
        self.calls.is_closed()
    }
}

/// The value of a property, from the answer to the question for it.
pub(crate) fn value<T>(reply: &Message) -> Result<T, CallError>
where
    T: TryFrom<OwnedValue>,
    T::Error: std::fmt::Display,
{
    let value: OwnedValue = reply.body().deserialize().map_err(CallError::malformed)?;
    T::try_from(value).map_err(CallError::malformed)
}
