//! A verified object: checked just now to be the one that is meant, and ready to be acted on.

use fingertip_core::target::Expected;
use fingertip_core::{Error, Node, NodeIndex, Reason, Result, Snapshot};
use fingertip_desktop::acting::{self, Current, must_be};

use crate::bus::{Answer, CallError, Command};
use crate::client::Client;
use crate::display::DisplayServer;
use crate::handle::Handle;
use crate::roles;
use crate::states::{States, state};
use crate::toolkit::Toolkit;
use crate::tree::Source;

/// An object that was there a moment ago, the same as in the snapshot, and enabled.
pub(crate) struct VerifiedObject<'a> {
    pub(crate) client: Client<'a>,
    pub(crate) display: &'a dyn DisplayServer,
    pub(crate) handle: Handle,
    /// Where it was found.
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) index: NodeIndex,
    states: States,
    actions: Vec<String>,
}

impl<'a> VerifiedObject<'a> {
    /// Looks at the object behind a node again.
    pub(crate) async fn take(
        client: Client<'a>,
        display: &'a dyn DisplayServer,
        snapshot: &'a Snapshot,
        index: NodeIndex,
    ) -> Result<Self> {
        let (node, app) = (snapshot.node(index), app_of(snapshot, index));
        let handle = Handle::of(node)?;
        let there = client.must_be_there(&handle).await;
        there.map_err(|error| error.into_error(app, "nothing was done"))?;
        let asked = tokio::try_join!(
            client.role(&handle),
            client.name(&handle),
            client.states(&handle),
            client.actions(&handle)
        );
        let (role, name, states, actions) =
            asked.map_err(|error| error.into_error(app, "looking at the element again"))?;
        let now = Current {
            class: roles::name(role),
            name: &name,
            shown_name: Toolkit::Gtk4.name_in(roles::role(role), &name),
            is_gone: states.has(state::DEFUNCT),
            is_enabled: states.is_enabled(),
        };
        must_be(node, now, app)?;
        Ok(Self { client, display, handle, snapshot, index, states, actions })
    }

    /// What the user calls the application.
    pub(crate) fn app(&self) -> &'a str {
        app_of(self.snapshot, self.index)
    }

    /// What the snapshot shows of it.
    pub(crate) fn node(&self) -> &'a Node {
        self.snapshot.node(self.index)
    }

    /// Who may get keys and presses that are meant for it.
    pub(crate) fn owner(&self) -> Expected {
        acting::owner(self.snapshot, self.index)
    }

    /// An error about it.
    pub(crate) fn error(&self, reason: Reason, message: impl Into<String>) -> Error {
        Error::new(reason, message).with_app(self.app())
    }

    /// The names of its actions, in the order of their numbers.
    pub(crate) fn actions(&self) -> &[String] {
        &self.actions
    }

    /// Whether a state was set when the object was taken.
    pub(crate) fn has(&self, state: u32) -> bool {
        self.states.has(state)
    }

    /// Its states as they are now.
    pub(crate) async fn states(&self) -> Result<States> {
        let states = self.client.states(&self.handle).await;
        states.map_err(|error| self.error_of(error, "looking at the element again"))
    }

    /// A number of its Value interface as it is now.
    pub(crate) async fn number(&self, name: &str) -> Answer<f64> {
        self.client.number(&self.handle, name).await
    }

    /// Commands it to do something; see [`Client::command`].
    pub(crate) async fn command(&self, command: Command<'_>) -> Answer<bool> {
        self.client.command(&self.handle, command).await
    }

    /// The error of a call, for the user.
    pub(crate) fn error_of(&self, error: CallError, what: &str) -> Error {
        error.into_error(self.app(), what)
    }

    /// The error of a "no".
    pub(crate) fn refused(&self, what: &str) -> Error {
        self.error(Reason::ActionFailed, format!("{} said no to {what}.", self.app()))
            .with_guidance("Look at it again; use the pointer at its bounds if it should react.")
    }

    /// Does one of its actions.
    pub(crate) async fn do_action(&self, position: usize) -> Result<()> {
        let number = i32::try_from(position).unwrap_or(i32::MAX);
        let name = self.actions.get(position).map_or("", String::as_str);
        match self.command(Command::DoAction(number)).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.refused(&format!("its action '{name}'"))),
            // What closes its own window has no one left to answer; it was there when it was asked.
            Err(CallError::Missing(_)) if self.client.still_answers(&self.handle).await.is_err() => Ok(()),
            Err(error) => Err(self.error_of(error, &format!("doing '{name}'"))),
        }
    }

    /// Asks it to take the keyboard.
    pub(crate) async fn grab_focus(&self) -> Result<()> {
        match self.command(Command::GrabFocus).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.refused("the focus")),
            Err(error) => Err(self.error_of(error, "giving it the focus")),
        }
    }
}

fn app_of(snapshot: &Snapshot, index: NodeIndex) -> &str {
    snapshot.windows()[snapshot.window_of(index)].app.as_deref().unwrap_or("the application")
}
