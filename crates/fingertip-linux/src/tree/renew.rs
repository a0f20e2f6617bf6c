//! How an application is asked again for what has changed in it; see [`fingertip_desktop::incremental`].

use async_trait::async_trait;
use fingertip_desktop::incremental::TreeSource;

use super::walk::{self, Plan};
use super::{AccessibleTree, Object, Source};
use crate::bus::{Answer, Answered, CallError};
use crate::handle::Handle;

/// An application, and how much of it is read.
pub(crate) struct Again<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) plan: Plan,
}

#[async_trait]
impl TreeSource<Object> for Again<'_> {
    type Error = CallError;

    async fn parent(&self, handle: &Handle) -> Answer<Option<Handle>> {
        Ok(self.source.parent(handle).await.missing_ok()?.flatten())
    }

    async fn object(&self, handle: &Handle) -> Answer<Option<Object>> {
        let object = self.source.object(handle).await.missing_ok()?;
        Ok(object.filter(|object| !object.states.is_defunct()))
    }

    async fn branch(&self, handle: &Handle) -> Answer<Option<AccessibleTree>> {
        let mut tree = AccessibleTree::default();
        walk::fill(self.source, &mut tree, vec![handle.clone()], self.plan).await?;
        Ok((tree.windows.len() == 1 && tree.cut.is_none()).then_some(tree))
    }
}

#[cfg(test)]
mod tests;
