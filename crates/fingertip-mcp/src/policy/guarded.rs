//! A target whose every write passes the guard. Tools get no other, so none can go round the policy.
//!
//! Without a guard it is closed: it can be looked at, and refuses to be acted on. That is how targets are kept between
//! calls. What passed is written down before it is done: a call that a rule refuses leaves no line of an act, and an act
//! without a line cannot be. Each method of [`Target`] is forwarded here by hand; a test compares the two lists, because
//! a method that is forgotten would fall back to the trait's own answer. Who is to receive a write is what the guard
//! finds; of keys, text and touches the caller may mean fewer, and others of those found are then not reached.

use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{
    App, AppRef, Capabilities, ClosedApp, Expected, Installed, InstalledApps, KeyPress, LaunchPlan,
    LaunchRequest, Launched, LogPage, LogQuery, NodeAction, Pointing, Scope, Screenshot, ScreenshotRequest,
    SearchPage, SearchRequest, SystemAction, TargetInfo, Watch, WindowAction, diverted,
};
use fingertip_core::{
    Deadline, Error, NodeIndex, Point, Reason, Rect, Result, Screen, Snapshot, Target, Value, Window,
};

use super::audit::Record;
use super::guard::Guard;
use super::receiver::Aim;

/// How far a press, and a text, came that was not made.
const NOTHING_PRESSED: &str = "Nothing was pressed";
const NOTHING_TYPED: &str = "Nothing was typed";

/// A target whose every write passes the guard.
pub struct Guarded {
    inner: Arc<dyn Target>,
    guard: Option<Guard>,
    record: Option<Arc<Record>>,
}

impl Guarded {
    /// Can be looked at only.
    #[must_use]
    pub fn closed(inner: Arc<dyn Target>) -> Self {
        Self { inner, guard: None, record: None }
    }

    /// The same target, to be acted on as far as this guard allows; what is done is written down first where there is a
    /// record of the call.
    #[must_use]
    pub fn opened(&self, guard: Guard, record: Option<Arc<Record>>) -> Self {
        Self { inner: Arc::clone(&self.inner), guard: Some(guard), record }
    }

    /// Notes a look that did not come through [`Target::snapshot`] of this value.
    pub fn saw(&self, scope: &Scope, snapshot: &Snapshot) {
        let Some(guard) = &self.guard else { return };
        guard.saw_focus(snapshot);
        if *scope == Scope::Screen {
            guard.saw(self.inner.info().kind, snapshot);
        }
    }

    async fn pass(&self, aim: Aim<'_>, deadline: Deadline) -> Result<Expected> {
        self.pass_to(aim, &Expected::anyone(), "", deadline).await
    }

    /// Lets a write pass to those found by the rules whom the caller means too; else says how far it came, as in `done`.
    async fn pass_to(
        &self,
        aim: Aim<'_>,
        meant: &Expected,
        done: &str,
        deadline: Deadline,
    ) -> Result<Expected> {
        let to = self.judged(aim, meant, done, deadline).await?;
        self.acts().await?;
        Ok(to)
    }

    /// The same before it is known whether all of an act may pass.
    async fn judged(
        &self,
        aim: Aim<'_>,
        meant: &Expected,
        done: &str,
        deadline: Deadline,
    ) -> Result<Expected> {
        let found = self.guard()?.pass(&*self.inner, aim, deadline).await?;
        found.narrowed(meant).ok_or_else(|| diverted(done, found.apps().next()))
    }

    /// Has it written down that something is done now.
    async fn acts(&self) -> Result<()> {
        match &self.record {
            Some(record) => record.acts().await,
            None => Ok(()),
        }
    }

    fn guard(&self) -> Result<&Guard> {
        self.guard
            .as_ref()
            .ok_or_else(|| Error::new(Reason::Internal, "A write went round the policy and was refused."))
    }

    /// Whether opening this application would be refused by a rule about applications.
    #[must_use]
    pub fn forbids(&self, app: &Installed) -> bool {
        let plan = LaunchPlan {
            id: app.id.clone(),
            name: app.name.clone(),
            programs: app.programs.clone(),
            ..LaunchPlan::default()
        };
        self.guard.as_ref().is_some_and(|guard| guard.rule_against(self.inner.info().kind, &plan).is_some())
    }

    /// Who lies at a point, if a write may pass there and it is who is meant.
    async fn reached(&self, at: Point, meant: &Expected, deadline: Deadline) -> Result<Expected> {
        self.judged(Aim::Points { downs: vec![at], ups: Vec::new() }, meant, NOTHING_PRESSED, deadline).await
    }

    /// What goes into a password field is a secret, whoever reads the log.
    fn note_secret(&self, snapshot: &Snapshot, node: NodeIndex) {
        if let Some(guard) = &self.guard {
            guard.writes_to(snapshot.node(node).flags);
        }
    }

    /// Where fingers go down, and where they come up: what is dragged is dropped there.
    fn touched(gesture: &Gesture) -> Aim<'static> {
        let strokes = gesture.strokes().iter();
        let (downs, ups) = strokes.map(|stroke| (stroke.start().at, stroke.end().at)).unzip();
        Aim::Points { downs, ups }
    }
}

fn owner(snapshot: &Snapshot, node: NodeIndex) -> Aim<'_> {
    let bounds = snapshot.node(node).bounds;
    let middle =
        Point::new(f64::from(bounds.left + bounds.right) / 2.0, f64::from(bounds.top + bounds.bottom) / 2.0);
    Aim::Node { window: &snapshot.windows()[snapshot.window_of(node)], middle }
}

#[async_trait]
impl Target for Guarded {
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
        let snapshot = self.inner.snapshot(scope, deadline).await?;
        self.saw(scope, &snapshot);
        Ok(snapshot)
    }

    async fn glance(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let snapshot = self.inner.glance(scope, deadline).await?;
        self.saw(scope, &snapshot);
        Ok(snapshot)
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
        self.pass(owner(snapshot, node), deadline).await?;
        self.inner.act(snapshot, node, action, deadline).await
    }

    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        self.note_secret(snapshot, node);
        self.pass(owner(snapshot, node), deadline).await?;
        self.inner.set_text(snapshot, node, text, deadline).await
    }

    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        self.note_secret(snapshot, node);
        self.pass(owner(snapshot, node), deadline).await?;
        self.inner.set_value(snapshot, node, value, deadline).await
    }

    /// A text that is meant for the field a call found reaches nobody else.
    async fn type_text(&self, text: &str, meant: &Expected, deadline: Deadline) -> Result<()> {
        if let Some(guard) = &self.guard {
            guard.types(text);
        }
        let to = self.pass_to(Aim::Focus, meant, NOTHING_TYPED, deadline).await?;
        self.inner.type_text(text, &to, deadline).await
    }

    /// A key that is meant for the element a call named, or filled, reaches nobody else.
    async fn press_key(
        &self,
        press: KeyPress,
        meant: &Expected,
        deadline: Deadline,
    ) -> Result<Option<String>> {
        let to = self.pass_to(Aim::Focus, meant, &press.progress(0), deadline).await?;
        self.inner.press_key(press, &to, deadline).await
    }

    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        // Back is for the application in front; the others are for the system, and the way out of a blocked one.
        let aim = if action == SystemAction::Back { Aim::Focus } else { Aim::Nobody };
        self.pass(aim, deadline).await?;
        self.inner.system(action, deadline).await
    }

    async fn gesture(&self, gesture: &Gesture, meant: &Expected, deadline: Deadline) -> Result<()> {
        let to = self.pass_to(Self::touched(gesture), meant, NOTHING_PRESSED, deadline).await?;
        self.inner.gesture(gesture, &to, deadline).await
    }

    /// Judged at both ends of a drag. Whoever the caller means is held to beside what the rules found.
    async fn point(&self, act: &Pointing, meant: &Expected, deadline: Deadline) -> Result<()> {
        let mut act = act.clone();
        if let Pointing::Drag { to: end, onto, .. } = &mut act {
            *onto = self.reached(*end, onto, deadline).await?;
        }
        let to = self.reached(act.start(), meant, deadline).await?;
        self.acts().await?;
        self.inner.point(&act, &to, deadline).await
    }

    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        self.inner.screenshot(request, deadline).await
    }

    async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.inner.clipboard(deadline).await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        if let Some(guard) = &self.guard {
            guard.writes_to_no_field();
        }
        self.pass(Aim::Nobody, deadline).await?;
        self.inner.set_clipboard(text, deadline).await
    }

    async fn logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
        self.inner.logs(query, deadline).await
    }

    async fn installed(&self, deadline: Deadline) -> Result<InstalledApps> {
        self.inner.installed(deadline).await
    }

    /// Whether unvetted programs count is the owner's choice, whatever the caller says.
    async fn plan_launch(&self, request: &LaunchRequest, deadline: Deadline) -> Result<LaunchPlan> {
        let unvetted = self.guard.as_ref().map_or(request.unvetted, Guard::lets_commands_run);
        self.inner.plan_launch(&LaunchRequest { unvetted, ..request.clone() }, deadline).await
    }

    async fn launch(&self, plan: &LaunchPlan, deadline: Deadline) -> Result<Launched> {
        let guard = self.guard()?;
        guard.pass_launch(self.inner.info().kind, plan)?;
        self.acts().await?;
        let launched = self.inner.launch(plan, deadline).await?;
        if let Some(window) = &launched.window {
            guard.judge_launched(&*self.inner, plan, window, deadline).await?;
        }
        Ok(launched)
    }

    async fn close_app(&self, app: &AppRef, deadline: Deadline) -> Result<ClosedApp> {
        let mut window = Window::new(&app.name, Rect::default());
        window.pid = app.pid;
        self.pass(Aim::Window(&window), deadline).await?;
        self.inner.close_app(app, deadline).await
    }

    async fn act_on_window(
        &self,
        window: &Window,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<Window>> {
        self.pass(Aim::Window(window), deadline).await?;
        self.inner.act_on_window(window, action, deadline).await
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
        let forwarded = include_str!("guarded.rs");
        let declared = methods(declared, "pub trait Target", "\n}\n");
        assert!(declared.contains("set_value") && declared.contains("gesture"), "{declared:?}");
        assert_eq!(methods(forwarded, "impl Target for Guarded {", "\n}\n"), declared);
    }
}
