//! A target that writes down that it is acted on before it is: the last step of every write, behind the guard.
//!
//! So a call that is refused by a rule leaves no line of an act, and an act without a line cannot be. Each method of
//! [`Target`] is forwarded here by hand; a test compares the two lists, because a method that is forgotten would fall
//! back to the trait's own answer.

use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{
    App, AppRef, Capabilities, Expected, Key, LogPage, LogQuery, NodeAction, Scope, Screenshot,
    ScreenshotRequest, SearchPage, SearchRequest, SystemAction, TargetInfo, Watch,
};
use fingertip_core::{Deadline, Error, NodeIndex, Result, Screen, Snapshot, Target, Value, Window};

use super::audit::Record;

/// A target on which every write of one call is written down first.
pub struct Recorded {
    inner: Arc<dyn Target>,
    record: Arc<Record>,
}

impl Recorded {
    /// The target, with what is written down of the call.
    #[must_use]
    pub fn new(inner: Arc<dyn Target>, record: Arc<Record>) -> Self {
        Self { inner, record }
    }
}

#[async_trait]
impl Target for Recorded {
    fn info(&self) -> TargetInfo {
        self.inner.info()
    }

    fn machine_name(&self) -> Option<String> {
        self.inner.machine_name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn shortcoming(&self) -> Option<Error> {
        self.inner.shortcoming()
    }

    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.inner.snapshot(scope, deadline).await
    }

    async fn glance(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.inner.glance(scope, deadline).await
    }

    async fn search(&self, request: SearchRequest<'_>, deadline: Deadline) -> Result<SearchPage> {
        self.inner.search(request, deadline).await
    }

    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        self.inner.screen(deadline).await
    }

    async fn apps(&self, deadline: Deadline) -> Result<Vec<App>> {
        self.inner.apps(deadline).await
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.inner.windows(deadline).await
    }

    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.inner.receivers(deadline).await
    }

    async fn watch(&self, app: Option<&AppRef>, deadline: Deadline) -> Result<Box<dyn Watch>> {
        self.inner.watch(app, deadline).await
    }

    fn activity(&self) -> u64 {
        self.inner.activity()
    }

    async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        self.inner.changed(seen, deadline).await
    }

    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        self.inner.can_act(snapshot, node, action)
    }

    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        deadline: Deadline,
    ) -> Result<()> {
        self.record.acts().await?;
        self.inner.act(snapshot, node, action, deadline).await
    }

    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        self.record.acts().await?;
        self.inner.set_text(snapshot, node, text, deadline).await
    }

    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        self.record.acts().await?;
        self.inner.set_value(snapshot, node, value, deadline).await
    }

    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        self.record.acts().await?;
        self.inner.type_text(text, to, deadline).await
    }

    async fn press_key(&self, key: Key, to: &Expected, deadline: Deadline) -> Result<()> {
        self.record.acts().await?;
        self.inner.press_key(key, to, deadline).await
    }

    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        self.record.acts().await?;
        self.inner.system(action, deadline).await
    }

    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        self.record.acts().await?;
        self.inner.gesture(gesture, to, deadline).await
    }

    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        self.inner.screenshot(request, deadline).await
    }

    async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.inner.clipboard(deadline).await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.record.acts().await?;
        self.inner.set_clipboard(text, deadline).await
    }

    async fn logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
        self.inner.logs(query, deadline).await
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// The methods declared between these two lines of a source file.
    fn methods(source: &str, from: &str, to: &str) -> BTreeSet<String> {
        let body = source.split_once(from).expect("its beginning").1;
        let body = body.split_once(to).map_or(body, |(body, _)| body);
        let names = body.split("fn ").skip(1).filter_map(|rest| rest.split_once('(')).map(|(name, _)| name);
        names
            .filter(|name| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn every_method_of_a_target_is_forwarded() {
        let declared = include_str!("../../../fingertip-core/src/target.rs");
        let forwarded = include_str!("recorded.rs");
        let declared = methods(declared, "pub trait Target", "\n}\n");
        assert!(declared.contains("set_value") && declared.contains("gesture"), "{declared:?}");
        assert_eq!(methods(forwarded, "impl Target for Recorded {", "\n}\n"), declared);
    }
}
