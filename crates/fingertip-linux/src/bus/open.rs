//! Finding the accessibility bus, and getting in.

use std::time::Duration;

use fingertip_core::{Deadline, Error, Reason, Result};
use zbus::Connection;
use zbus::connection::Builder;
use zbus::zvariant::OwnedValue;

use crate::environment::Environment;

/// How long the bus may take to let us in.
const ENTER_WITHIN: Duration = Duration::from_secs(3);
/// The service on the session bus that knows the accessibility bus.
const LAUNCHER: &str = "org.a11y.Bus";
const LAUNCHER_PATH: &str = "/org/a11y/bus";
/// What switches accessibility on, for applications started afterwards and most that run.
pub(crate) const SWITCH_ON: &str = "dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus \
    org.freedesktop.DBus.Properties.Set string:org.a11y.Status string:IsEnabled variant:boolean:true";
/// What switches it on permanently, where the desktop keeps settings.
pub(crate) const SWITCH_ON_FOR_GOOD: &str =
    "gsettings set org.gnome.desktop.interface toolkit-accessibility true";

/// Whether applications are asked to expose their trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Status {
    /// Accessibility is switched on.
    pub(crate) enabled: bool,
    /// A screen reader is said to run.
    pub(crate) screen_reader: bool,
}

/// The session bus.
pub(crate) async fn session(environment: &Environment, deadline: Deadline) -> Result<Connection> {
    let Some(address) = &environment.session_bus else {
        return Err(no_session("DBUS_SESSION_BUS_ADDRESS is not set and the runtime directory has none"));
    };
    let builder = Builder::address(address.as_str()).map_err(no_session)?;
    entered(builder, deadline).await.map_err(no_session)
}

/// Where the accessibility bus is.
pub(super) async fn address(environment: &Environment, deadline: Deadline) -> Result<String> {
    if let Some(address) = &environment.accessibility_bus {
        return Ok(address.clone());
    }
    let session = session(environment, deadline).await?;
    let asked = session.call_method(Some(LAUNCHER), LAUNCHER_PATH, Some(LAUNCHER), "GetAddress", &());
    let reply = tokio::time::timeout_at(deadline.instant().into(), asked)
        .await
        .map_err(|_| no_launcher("it did not answer in time"))?
        .map_err(no_launcher)?;
    reply.body().deserialize().map_err(no_launcher)
}

/// Whether accessibility is switched on.
pub(crate) async fn status(session: &Connection, deadline: Deadline) -> Result<Status> {
    let property = async |name: &str| -> Result<bool> {
        let body = ("org.a11y.Status", name);
        let interface = Some(super::interface::PROPERTIES);
        let asked = session.call_method(Some(LAUNCHER), LAUNCHER_PATH, interface, "Get", &body);
        let reply = tokio::time::timeout_at(deadline.instant().into(), asked)
            .await
            .map_err(|_| no_launcher("it did not answer in time"))?
            .map_err(no_launcher)?;
        let value: OwnedValue = reply.body().deserialize().map_err(no_launcher)?;
        bool::try_from(value).map_err(no_launcher)
    };
    Ok(Status {
        enabled: property("IsEnabled").await?,
        screen_reader: property("ScreenReaderEnabled").await?,
    })
}

/// A connection to the accessibility bus.
pub(super) async fn connection(address: &str, deadline: Deadline) -> Result<Connection> {
    let builder = Builder::address(address).map_err(not_let_in)?;
    entered(builder, deadline).await.map_err(not_let_in)
}

/// Builds a connection within the time there is.
pub(super) async fn entered(
    builder: Builder<'_>,
    deadline: Deadline,
) -> std::result::Result<Connection, String> {
    tokio::time::timeout_at(deadline.slice(ENTER_WITHIN).instant().into(), builder.build())
        .await
        .map_err(|_| "it did not answer in time".to_owned())?
        .map_err(|error| error.to_string())
}

fn no_session(detail: impl std::fmt::Display) -> Error {
    let message = format!("There is no session bus to find applications on ({detail}).");
    Error::new(Reason::PermissionDenied, message).with_guidance(
        "Run the server inside the desktop session, or set DBUS_SESSION_BUS_ADDRESS to that session's bus.",
    )
}

fn no_launcher(detail: impl std::fmt::Display) -> Error {
    let message = format!("The session has no accessibility bus ({detail}).");
    Error::new(Reason::PermissionDenied, message)
        .with_guidance(format!("Install at-spi2-core, then switch accessibility on: {SWITCH_ON}"))
}

fn not_let_in(detail: impl std::fmt::Display) -> Error {
    let message = format!("The accessibility bus does not let this program in ({detail}).");
    Error::new(Reason::PermissionDenied, message)
        .with_guidance("Run the server as the user of the desktop session, then try again.")
}
