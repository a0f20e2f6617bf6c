//! A verified element: checked just now to be the one that is meant, and ready to be acted on.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::Expected;
use fingertip_core::{Error, Node, NodeIndex, Point, Reason, Result, Role, Snapshot, Window};
use fingertip_desktop::acting::{self, Current, must_be, point_of};

use crate::attributes::{FRONTMOST, PARENT, WINDOW};
use crate::client::Client;
use crate::element::{Element, Setting};
use crate::failure::{Answer, Failure};
use crate::handle::Handle;
use crate::input::{self, Aim};
use crate::roles::action;
use crate::session::{Session, focused_application};
use crate::tree::Facts;
use crate::value::Value;

/// How long an application may take to come to the front.
const FRONT_WITHIN: Duration = Duration::from_secs(1);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How many elements up a hit is looked for: what is hit is often a text inside of the button.
const MOST_UP: usize = 8;

/// What is meant to be acted on, taken out of a snapshot: the job that does it outlives the caller's borrow.
#[derive(Debug, Clone)]
pub(crate) struct Meant {
    pub(crate) node: Node,
    pub(crate) window: Window,
    pub(crate) handle: Handle,
    owner: Expected,
    point: Result<Point>,
    /// Whether it is part of a web page.
    pub(crate) in_page: bool,
}

impl Meant {
    /// The node at this index of a snapshot.
    ///
    /// # Errors
    /// When the node was not read from this desktop.
    pub(crate) fn new(snapshot: &Snapshot, index: NodeIndex) -> Result<Self> {
        let (node, window) = (snapshot.node(index), &snapshot.windows()[snapshot.window_of(index)]);
        let app = window.app.as_deref().unwrap_or("the application");
        let is_page = |above: NodeIndex| snapshot.node(above).role == Role::WebView;
        Ok(Self {
            handle: Handle::of(node)?,
            owner: acting::owner(snapshot, index),
            point: point_of(snapshot, index, app),
            in_page: snapshot.ancestors(index).any(is_page),
            node: node.clone(),
            window: window.clone(),
        })
    }

    /// What the user calls the application.
    pub(crate) fn app(&self) -> &str {
        self.window.app.as_deref().unwrap_or("the application")
    }
}

/// An element that was there a moment ago, the same as in the snapshot, and enabled.
pub(crate) struct VerifiedElement<'a> {
    pub(crate) session: &'a Arc<Session>,
    pub(crate) client: &'a Client<'a>,
    pub(crate) meant: &'a Meant,
    pub(crate) element: Element,
    /// What it said of itself when it was taken.
    pub(crate) facts: Facts,
    actions: OnceCell<Vec<Box<str>>>,
}

impl<'a> VerifiedElement<'a> {
    /// Looks at the element behind a node again.
    ///
    /// # Errors
    /// When it is gone, disabled, or another one by now.
    pub(crate) fn take(session: &'a Arc<Session>, client: &'a Client<'a>, meant: &'a Meant) -> Result<Self> {
        let stale = || {
            let message = format!("{} is gone; nothing was done.", meant.node.summary());
            Error::new(Reason::Stale, message)
                .with_guidance("Read the application again and use what it shows now.")
                .with_app(meant.app())
        };
        let element = client.app.handles.element(meant.handle.number).ok_or_else(stale)?;
        let facts = match client.facts(&element) {
            Err(Failure::Gone) => return Err(stale()),
            facts => facts.map_err(|failure| client.app.error(failure, "nothing was done"))?,
        };
        let now = Current {
            class: Some(&facts.role).filter(|role| !role.is_empty()).map(|role| &**role),
            name: facts.name(),
            shown_name: facts.name(),
            is_gone: facts.role.is_empty(),
            is_enabled: facts.enabled,
        };
        // A field is not called by what it holds, nor a button of a page by its changing state alone.
        must_be(&meant.node, now, meant.app())?;
        Ok(Self { session, client, meant, element, facts, actions: OnceCell::new() })
    }

    /// What the snapshot shows of it.
    pub(crate) fn node(&self) -> &Node {
        &self.meant.node
    }

    /// An error about it.
    pub(crate) fn error(&self, reason: Reason, message: impl Into<String>) -> Error {
        Error::new(reason, message).with_app(self.meant.app())
    }

    /// The error of a question, for the user.
    pub(crate) fn error_of(&self, failure: Failure, what: &str) -> Error {
        self.client.app.error(failure, what)
    }

    /// The error of an action that it does not have.
    pub(crate) fn unsupported(&self, name: &str) -> Error {
        super::unsupported(self, name)
    }

    /// The names of its actions; none where it does not say.
    pub(crate) fn actions(&self) -> &[Box<str>] {
        self.actions.get_or_init(|| self.element.actions().unwrap_or_default())
    }

    /// Whether it has this action.
    pub(crate) fn has_action(&self, name: &str) -> bool {
        self.actions().iter().any(|own| **own == *name)
    }

    /// What it says of itself now.
    pub(crate) fn now(&self) -> Answer<Facts> {
        self.client.facts(&self.element)
    }

    /// What it is in.
    pub(crate) fn parent(&self) -> Option<Element> {
        match self.element.get(PARENT) {
            Ok(Value::Element(parent)) => Some(parent),
            _ => None,
        }
    }

    /// Where the pointer reaches it.
    ///
    /// # Errors
    /// When it is covered or not on the screen.
    pub(crate) fn point(&self) -> Result<Point> {
        self.meant.point.clone()
    }

    /// Does something with pointer or keyboard, which only its application may get.
    pub(crate) fn pointer<T>(&self, act: impl FnOnce(&Aim<'_>) -> Result<T>) -> Result<T> {
        let _turn = self.session.input.take();
        act(&Aim { session: self.session, to: &self.meant.owner, cancel: &self.client.cancel })
    }

    /// A click on it with the pointer, with its window in front, at a point where the system says that it is hit.
    pub(crate) fn click(&self) -> Result<()> {
        let at = self.point()?;
        self.bring_to_front()?;
        if !self.is_hit(at) {
            let message = format!(
                "{} is covered by something else at ({:.0}, {:.0}); nothing was clicked.",
                self.node().summary(),
                at.x,
                at.y
            );
            return Err(self
                .error(Reason::Covered, message)
                .with_guidance("Look at the screen again; close or move what lies over it."));
        }
        self.pointer(|aim| input::click(aim, at))
    }

    /// Whether a hit test at this point finds it, or something in it.
    fn is_hit(&self, at: Point) -> bool {
        let Ok(mut hit) = self.client.app.root.at(at) else { return false };
        for _ in 0..MOST_UP {
            if hit == self.element {
                return true;
            }
            if self.client.cancel.is_over() {
                return false;
            }
            match hit.get(PARENT) {
                Ok(Value::Element(parent)) => hit = parent,
                _ => return false,
            }
        }
        false
    }

    /// Brings its window and application to the front.
    ///
    /// # Errors
    /// When they do not come.
    pub(crate) fn bring_to_front(&self) -> Result<()> {
        // A menu lies above everything, and closes when another window comes to the front.
        if matches!(self.node().role, Role::MenuItem | Role::Menu | Role::MenuBar) {
            return Ok(());
        }
        let window = match self.element.get(WINDOW) {
            Ok(Value::Element(window)) => Some(window),
            // A window is in no other.
            _ => matches!(self.node().role, Role::Window | Role::Dialog).then(|| self.element.clone()),
        };
        bring_to_front(self.client, window.as_ref(), self.meant.app())
    }
}

/// Brings an application to the front, and this window of it.
///
/// # Errors
/// When it does not come.
pub(crate) fn bring_to_front(client: &Client<'_>, window: Option<&Element>, app: &str) -> Result<()> {
    let pid = client.app.pid;
    // Not every window can be raised by itself; whether the application came is seen below.
    if let Some(window) = window
        && let Err(failure @ Failure::NotTrusted) = window.perform(action::RAISE)
    {
        return Err(client.app.error(failure, "bringing its window to the front"));
    }
    if focused_application() == Some(pid) {
        return Ok(());
    }
    let asked = client.app.root.set(FRONTMOST, Setting::Bool(true));
    asked.map_err(|failure| client.app.error(failure, "bringing it to the front"))?;
    let cancel = client.cancel.slice(FRONT_WITHIN);
    while focused_application().is_some_and(|front| front != pid) {
        if cancel.pause(LOOK_EVERY).is_err() {
            return Err(Error::new(Reason::ActionFailed, format!("'{app}' did not come to the front."))
                .with_guidance("Another application keeps the focus; look at the screen.")
                .with_app(app));
        }
    }
    Ok(())
}
