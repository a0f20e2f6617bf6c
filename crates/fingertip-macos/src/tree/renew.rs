//! How an application is asked again for some of its elements; see [`fingertip_desktop::incremental`].
//!
//! The methods block: they run in the turn of their application, where nothing else waits for them.

use async_trait::async_trait;
use fingertip_desktop::incremental::TreeSource;

use super::walk::branch;
use super::{AccessibleTree, Object};
use crate::attributes;
use crate::client::{Ask, Client};
use crate::element::Element;
use crate::failure::{Answer, Failure};
use crate::roles;
use crate::value::Value;

/// An application that is asked again, and what was read of it.
pub(crate) struct Again<'a> {
    pub(crate) client: &'a Client<'a>,
    pub(crate) tree: &'a AccessibleTree,
}

impl Again<'_> {
    /// How an element was asked the first time.
    fn ask(&self, element: &Element) -> Ask {
        let Some(place) = self.tree.find(element) else { return Ask::Inside };
        if self.tree.objects[place].window.is_some() {
            return Ask::Window;
        }
        let role = &*self.tree.objects[place].facts.role;
        let may_be_list = roles::is_list(role) || role == roles::SCROLL_BAR;
        if may_be_list { Ask::MaybeList } else { Ask::Inside }
    }
}

#[async_trait]
impl TreeSource<Object> for Again<'_> {
    type Error = Failure;

    async fn parent(&self, handle: &Element) -> Answer<Option<Element>> {
        self.client.cancel.go_on()?;
        Ok(match none_if_no(handle.get(attributes::PARENT))? {
            Some(Value::Element(parent)) => Some(parent),
            _ => None,
        })
    }

    async fn object(&self, handle: &Element) -> Answer<Option<Object>> {
        none_if_no(self.client.object(handle, self.ask(handle)))
    }

    async fn branch(&self, handle: &Element) -> Answer<Option<AccessibleTree>> {
        let tree = none_if_no(branch(self.client, handle, self.ask(handle), None))?;
        Ok(tree.filter(|tree| tree.cut.is_none() && tree.windows.len() == 1))
    }
}

/// What is gone, or does not know the answer, is `None`.
fn none_if_no<T>(answer: Answer<T>) -> Answer<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(failure) if failure == Failure::Gone || failure.says_no() => Ok(None),
        Err(failure) => Err(failure),
    }
}
