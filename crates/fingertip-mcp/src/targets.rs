//! The targets attached now, and which of them a call means.
//!
//! The list is live: platforms attach and detach while the server runs, and listeners are notified.

use std::sync::{Arc, PoisonError, RwLock};

use fingertip_core::id::IdPool;
use fingertip_core::{Error, NodeId, Reason, Result, Target};
use tokio::sync::watch;

use crate::attached::Attached;
use crate::policy::ToolSelection;
use crate::tool::Definition;

pub use crate::attached::FROZEN_SCREENS;

/// The targets attached now.
pub struct Targets {
    list: RwLock<Vec<Arc<Attached>>>,
    pool: Arc<IdPool>,
    changes: watch::Sender<u64>,
    settled: watch::Sender<bool>,
    advice: String,
}

impl Targets {
    /// None yet, and more may come: see [`Self::settle`]. `advice` says what to do while there is none.
    #[must_use]
    pub fn new(advice: impl Into<String>) -> Self {
        Self {
            list: RwLock::default(),
            pool: Arc::default(),
            changes: watch::Sender::new(0),
            settled: watch::Sender::new(false),
            advice: advice.into(),
        }
    }

    /// Adds a target; one of the same name is replaced.
    pub fn attach(&self, target: Arc<dyn Target>) {
        let name = target.info().name;
        let attached = Arc::new(Attached::new(target, Arc::clone(&self.pool)));
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        match list.iter_mut().find(|known| known.info().name == name) {
            Some(known) => *known = attached,
            None => list.push(attached),
        }
        drop(list);
        self.announce();
    }

    /// Removes the target of this name.
    pub fn detach(&self, name: &str) {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        list.retain(|known| known.info().name != name);
        drop(list);
        self.announce();
    }

    /// All of them, in the order they came.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Attached>> {
        self.list.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that what was there at the start is attached now. Until then calls wait, within their deadline,
    /// rather than say that nothing is there.
    pub fn settle(&self) {
        self.settled.send_replace(true);
    }

    /// Whether [`Self::settle`] was called.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        *self.settled.borrow()
    }

    /// Waits until [`Self::settle`] was called.
    pub async fn settled(&self) {
        // The sender lives as long as self, so the wait cannot fail.
        let _ = self.settled.subscribe().wait_for(|settled| *settled).await;
    }

    /// Notified whenever a target comes or goes.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The target a call means: the one named; the only one that can do it; the one whose element it names.
    ///
    /// # Errors
    /// When there is none, when the one named is not there or cannot do it, and when it is not clear which
    /// one is meant: a guess could act on the wrong device.
    pub fn choose(
        &self,
        definition: &Definition,
        selection: &ToolSelection,
        device: Option<&str>,
        element: Option<NodeId>,
    ) -> Result<Arc<Attached>> {
        let able = |known: &Arc<Attached>| able(known, definition, selection);
        let all = self.all();
        if let Some(device) = device {
            let named = all.iter().find(|known| known.info().name == device);
            let named = named.ok_or_else(|| self.not_attached(device, &all))?;
            return able(named);
        }
        if all.is_empty() {
            return Err(
                Error::new(Reason::PermissionDenied, "No device is attached.").with_guidance(&self.advice)
            );
        }
        if let [only] = all.as_slice() {
            return able(only);
        }
        if let Some(owner) = element.and_then(|id| all.iter().find(|known| known.knows(id))) {
            return able(owner);
        }
        let mut able_ones = all.iter().filter(|known| known.offers(definition, selection));
        match (able_ones.next(), able_ones.next()) {
            (Some(only), None) => Ok(Arc::clone(only)),
            _ => Err(Error::invalid(format!(
                "Missing parameter 'device': several devices are attached ({}).",
                names(&all)
            ))
            .with_guidance("Say which one with 'device'.")),
        }
    }

    fn not_attached(&self, device: &str, all: &[Arc<Attached>]) -> Error {
        let message = format!("Device '{device}' is not attached.");
        let advice = if all.is_empty() { self.advice.clone() } else { format!("Attached: {}.", names(all)) };
        Error::new(Reason::PermissionDenied, message).with_guidance(advice)
    }

    /// Notifies listeners that a target has changed, such as being ready now.
    pub fn announce(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

fn able(
    attached: &Arc<Attached>,
    definition: &Definition,
    selection: &ToolSelection,
) -> Result<Arc<Attached>> {
    if attached.offers(definition, selection) {
        return Ok(Arc::clone(attached));
    }
    let name = attached.info().name;
    let message = format!("Device '{name}' cannot do '{}'.", definition.name);
    Err(match attached.shortcoming().filter(|_| !attached.can(definition.needs)) {
        Some(why) => Error::new(Reason::Unsupported, format!("{message} {}", why.message()))
            .with_guidance(why.guidance().unwrap_or_default()),
        None => Error::new(Reason::Unsupported, message),
    })
}

fn names(all: &[Arc<Attached>]) -> String {
    all.iter().map(|known| known.info().name).collect::<Vec<_>>().join(", ")
}
