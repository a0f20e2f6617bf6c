//! The names of actions. Some toolkits tell them one call a name, so what is the same for many objects is asked once.

use std::sync::{Arc, Mutex};

use fingertip_core::sync::lock;
use rustc_hash::FxHashMap;
use tokio::sync::OnceCell;

use crate::bus::{Answer, Answered, interface};
use crate::client::Client;
use crate::roles;
use crate::states::States;
use crate::tree::{Interfaces, Object};

/// A sort of control.
type Sort = (u32, States, Interfaces);
/// A role, and a number of actions.
type Kind = (u32, usize);
/// Names of actions.
type Names = Vec<Box<str>>;

/// Asks for the names of actions.
pub(super) struct ActionNames<'a> {
    client: &'a Client<'a>,
    /// The names of all actions, for toolkits where those of one sort of control are the same.
    regular: Mutex<FxHashMap<Sort, Arc<OnceCell<Names>>>>,
    /// The names of further actions, for toolkits that do not name all at once, by role and number of actions.
    further: Mutex<FxHashMap<Kind, Names>>,
}

impl<'a> ActionNames<'a> {
    pub(super) fn new(client: &'a Client<'a>) -> Self {
        Self { client, regular: Mutex::default(), further: Mutex::default() }
    }

    /// The names of an object's actions, in their order.
    pub(super) async fn of(&self, object: &Object) -> Answer<Names> {
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
        let mut names = if self.client.toolkit.tells_actions_at_once() {
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

    /// The names as a list of all tells them; empty where they must be asked for.
    async fn ask_at_once(&self, object: &Object) -> Answer<Names> {
        let asked = self.client.call(&object.handle, interface::ACTION, "GetActions", &());
        let actions: Vec<(String, String, String)> = asked.await.missing_ok()?.unwrap_or_default();
        Ok(actions.into_iter().map(|(name, _, _)| name.into()).collect())
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
