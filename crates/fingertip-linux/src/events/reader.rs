//! What a watch reads right after an event: the node it happened to, and its application.

use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::target::AppRef;
use fingertip_core::{Deadline, Node, Rect};

use super::watching::Reader;
use crate::apps::Running;
use crate::bus::Answer;
use crate::handle::Handle;
use crate::target::Session;
use crate::tree::detail::Examiner;
use crate::tree::{Source, node};

/// Reads from a session.
pub(crate) struct SessionReader(pub(crate) Arc<Session>);

impl SessionReader {
    async fn running(&self, bus_name: &str, deadline: Deadline) -> Option<Arc<Running>> {
        let known =
            |running: &[Arc<Running>]| running.iter().find(|app| &*app.root.bus_name == bus_name).cloned();
        known(&self.0.apps.list(&self.0.bus, deadline).await.ok()?)
    }

    /// Words, value and states; where it is depends on its window and is left to snapshots.
    async fn read(&self, app: &Running, handle: &Handle, deadline: Deadline) -> Answer<Node> {
        let client = app.client(&self.0.bus, deadline).await?;
        let object = client.object(handle).await?;
        let detail = Examiner::new(&client).detail(&object, None).await?;
        let visible = object.states.is_showing();
        Ok(node::node(&object, detail, Rect::default(), visible, client.toolkit))
    }
}

#[async_trait]
impl Reader for SessionReader {
    async fn node(&self, handle: &Handle, deadline: Deadline) -> Option<Node> {
        let app = self.running(&handle.bus_name, deadline).await?;
        match self.read(&app, handle, deadline).await {
            Ok(node) => Some(node),
            Err(error) => {
                tracing::debug!(%error, "the node of an event could not be read");
                None
            }
        }
    }

    async fn app(&self, bus_name: &str, deadline: Deadline) -> Option<AppRef> {
        Some(self.running(bus_name, deadline).await?.app(false).reference())
    }

    async fn windows(&self, bus_name: &str, deadline: Deadline) -> Vec<(Handle, Box<str>)> {
        let Some(app) = self.running(bus_name, deadline).await else { return Vec::new() };
        let Ok(client) = app.client(&self.0.bus, deadline).await else { return Vec::new() };
        let mut titles = Vec::new();
        for handle in client.children(&app.root).await.unwrap_or_default() {
            if let Ok(object) = client.object(&handle).await {
                titles.push((handle, client.toolkit.name(&object.name).into()));
            }
        }
        titles
    }
}
