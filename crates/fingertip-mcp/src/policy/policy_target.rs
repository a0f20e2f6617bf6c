//! A target whose every write passes the guard. Tools get no other, so none can go round the policy.
//!
//! What passed is written down before it is done: a call that a rule refuses leaves no line of an act, and an act
//! without a line cannot be. What only reads is passed on as it is. The guard finds the receivers of a write;
//! of keys, text and touches the caller may mean fewer, and others of those found are then not reached.

use std::sync::Arc;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    AppRef, Capabilities, ClosedApp, Drag, Expected, Installed, InstalledApps, KeyPress, LaunchPlan,
    LaunchRequest, Launched, NodeAction, Pointing, Scope, SystemAction, TargetInfo, TargetKind, WindowAction,
    diverted,
};
use fingertip_core::{Deadline, Error, NodeIndex, Point, Rect, Result, Snapshot, Value, Window};

use super::audit::Record;
use super::guard::Guard;
use super::receiver::Aim;

/// How far a press, and a text, came that was not made.
const NOTHING_PRESSED: &str = "Nothing was pressed";
const NOTHING_TYPED: &str = "Nothing was typed";

/// A target whose every write passes the guard.
pub struct PolicyTarget {
    inner: Arc<dyn Target>,
    guard: Guard,
    record: Option<Arc<Record>>,
}

impl PolicyTarget {
    /// The target, as far as this guard allows; what is done is written down first where there is a record of the call.
    #[must_use]
    pub fn new(inner: Arc<dyn Target>, guard: Guard, record: Option<Arc<Record>>) -> Self {
        Self { inner, guard, record }
    }

    /// Notes a look that did not come through [`Look::snapshot`] of this value.
    pub fn saw(&self, scope: &Scope, snapshot: &Snapshot) {
        self.guard.saw_focus(snapshot);
        if *scope == Scope::Screen {
            self.guard.saw(self.inner.kind(), snapshot);
        }
    }

    async fn pass(&self, aim: Aim<'_>, deadline: Deadline) -> Result<Expected> {
        self.pass_to(aim, &Expected::anyone(), "", deadline).await
    }

    /// Lets a write pass to the receivers that both the rules found and the caller means; else says how far it came, as in `done`.
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
        let found = self.guard.pass(&*self.inner, aim, deadline).await?;
        found.narrowed(meant).ok_or_else(|| diverted(done, found.apps().next()))
    }

    /// Has it written down that something is done now.
    async fn acts(&self) -> Result<()> {
        match &self.record {
            Some(record) => record.acts().await,
            None => Ok(()),
        }
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
        self.guard.rule_against(self.inner.kind(), &plan).is_some()
    }

    /// The receivers at a point, if a write may pass there and they are meant.
    async fn reached(&self, at: Point, meant: &Expected, deadline: Deadline) -> Result<Expected> {
        self.judged(Aim::Points { downs: vec![at], ups: Vec::new() }, meant, NOTHING_PRESSED, deadline).await
    }

    /// What goes into a password field is a secret, which the log must not hold.
    fn note_secret(&self, snapshot: &Snapshot, node: NodeIndex) {
        self.guard.writes_to(snapshot.node(node).flags);
    }

    /// Where fingers go down, and where they come up: what is dragged is dropped there.
    fn touched(gesture: &Gesture) -> Aim<'static> {
        let strokes = gesture.strokes().iter();
        let (downs, ups) = strokes.map(|stroke| (stroke.start().at, stroke.end().at)).unzip();
        Aim::Points { downs, ups }
    }
}

fn owner(snapshot: &Snapshot, node: NodeIndex) -> Aim<'_> {
    Aim::Node { window: &snapshot.windows()[snapshot.window_of(node)], node: snapshot.node(node) }
}

impl Target for PolicyTarget {
    fn kind(&self) -> TargetKind {
        self.inner.kind()
    }

    fn info(&self) -> TargetInfo {
        self.inner.info()
    }

    fn machine_name(&self) -> Option<String> {
        self.inner.machine_name()
    }

    fn shortcoming(&self) -> Option<Error> {
        self.inner.shortcoming()
    }

    fn survey(&self) -> &dyn Survey {
        self.inner.survey()
    }

    fn changes(&self) -> Option<&dyn Changes> {
        self.inner.changes()
    }

    fn watching(&self) -> Option<&dyn Watching> {
        self.inner.watching()
    }

    fn elements(&self) -> Option<&dyn Elements> {
        self.inner.elements().map(|_| self as &dyn Elements)
    }

    fn values(&self) -> Option<&dyn Values> {
        self.inner.values().map(|_| self as &dyn Values)
    }

    fn text_fields(&self) -> Option<&dyn TextFields> {
        self.inner.text_fields().map(|_| self as &dyn TextFields)
    }

    fn keyboard(&self) -> Option<&dyn Keyboard> {
        self.inner.keyboard().map(|_| self as &dyn Keyboard)
    }

    fn system_keys(&self) -> Option<&dyn SystemKeys> {
        self.inner.system_keys().map(|_| self as &dyn SystemKeys)
    }

    fn touch(&self) -> Option<&dyn Touch> {
        self.inner.touch().map(|_| self as &dyn Touch)
    }

    fn pointer(&self) -> Option<&dyn Pointer> {
        self.inner.pointer().map(|_| self as &dyn Pointer)
    }

    fn pictures(&self) -> Option<&dyn Pictures> {
        self.inner.pictures()
    }

    fn clipboard(&self) -> Option<&dyn Clipboard> {
        self.inner.clipboard().map(|_| self as &dyn Clipboard)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        self.inner.logs()
    }

    fn endings(&self) -> Option<&dyn Endings> {
        self.inner.endings()
    }

    fn applications(&self) -> Option<&dyn Applications> {
        self.inner.applications().map(|_| self as &dyn Applications)
    }

    fn app_closer(&self) -> Option<&dyn AppCloser> {
        self.inner.app_closer().map(|_| self as &dyn AppCloser)
    }

    fn window_manager(&self) -> Option<&dyn WindowManager> {
        self.inner.window_manager().map(|_| self as &dyn WindowManager)
    }
}

#[async_trait]
impl Look for PolicyTarget {
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let snapshot = self.inner.snapshot(scope, deadline).await?;
        self.saw(scope, &snapshot);
        Ok(snapshot)
    }

    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let snapshot = self.inner.incremental_look(scope, deadline).await?;
        self.saw(scope, &snapshot);
        Ok(snapshot)
    }
}

#[async_trait]
impl Elements for PolicyTarget {
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        self.inner.elements().is_some_and(|elements| elements.can_act(snapshot, node, action))
    }

    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        deadline: Deadline,
    ) -> Result<()> {
        self.pass(owner(snapshot, node), deadline).await?;
        Capabilities::NODE_ACTIONS.require(self.inner.elements())?.act(snapshot, node, action, deadline).await
    }
}

#[async_trait]
impl Values for PolicyTarget {
    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        self.note_secret(snapshot, node);
        self.pass(owner(snapshot, node), deadline).await?;
        Capabilities::VALUES.require(self.inner.values())?.set_value(snapshot, node, value, deadline).await
    }
}

#[async_trait]
impl TextFields for PolicyTarget {
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        self.note_secret(snapshot, node);
        self.pass(owner(snapshot, node), deadline).await?;
        Capabilities::TEXT.require(self.inner.text_fields())?.set_text(snapshot, node, text, deadline).await
    }
}

#[async_trait]
impl Keyboard for PolicyTarget {
    /// A text that is meant for the field a call found reaches no other.
    async fn type_text(&self, text: &str, meant: &Expected, deadline: Deadline) -> Result<()> {
        self.guard.types(text);
        let to = self.pass_to(Aim::Focus, meant, NOTHING_TYPED, deadline).await?;
        Capabilities::KEYS.require(self.inner.keyboard())?.type_text(text, &to, deadline).await
    }

    /// A key that is meant for the element a call named, or filled, reaches no other.
    async fn press_key(
        &self,
        press: KeyPress,
        meant: &Expected,
        deadline: Deadline,
    ) -> Result<Option<String>> {
        let to = self.pass_to(Aim::Focus, meant, &press.progress(0), deadline).await?;
        Capabilities::KEYS.require(self.inner.keyboard())?.press_key(press, &to, deadline).await
    }
}

#[async_trait]
impl SystemKeys for PolicyTarget {
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        // Back is for the application in front; the others are for the system, and the way out of a blocked one.
        let aim = if action == SystemAction::Back { Aim::Focus } else { Aim::Nobody };
        self.pass(aim, deadline).await?;
        Capabilities::SYSTEM_KEYS.require(self.inner.system_keys())?.system(action, deadline).await
    }
}

#[async_trait]
impl Touch for PolicyTarget {
    fn multi_touch(&self) -> bool {
        self.inner.touch().is_some_and(Touch::multi_touch)
    }

    async fn gesture(&self, gesture: &Gesture, meant: &Expected, deadline: Deadline) -> Result<()> {
        let to = self.pass_to(Self::touched(gesture), meant, NOTHING_PRESSED, deadline).await?;
        Capabilities::TOUCH.require(self.inner.touch())?.gesture(gesture, &to, deadline).await
    }

    /// Judged at both ends. The receivers that the caller means must hold beside those that the rules found.
    async fn drag(&self, drag: &Drag, meant: &Expected, deadline: Deadline) -> Result<()> {
        let onto = self.reached(drag.to, &drag.onto, deadline).await?;
        let to = self.reached(drag.from, meant, deadline).await?;
        self.acts().await?;
        let touch = Capabilities::TOUCH.require(self.inner.touch())?;
        touch.drag(&Drag { onto, ..drag.clone() }, &to, deadline).await
    }
}

#[async_trait]
impl Pointer for PolicyTarget {
    async fn point(&self, act: &Pointing, meant: &Expected, deadline: Deadline) -> Result<()> {
        let to = self.reached(act.place(), meant, deadline).await?;
        self.acts().await?;
        Capabilities::POINTER.require(self.inner.pointer())?.point(act, &to, deadline).await
    }
}

#[async_trait]
impl Clipboard for PolicyTarget {
    fn is_readable(&self) -> bool {
        self.inner.clipboard().is_some_and(Clipboard::is_readable)
    }

    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        Capabilities::CLIPBOARD.require(self.inner.clipboard())?.get_clipboard(deadline).await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.guard.writes_to_no_field();
        self.pass(Aim::Nobody, deadline).await?;
        Capabilities::CLIPBOARD.require(self.inner.clipboard())?.set_clipboard(text, deadline).await
    }
}

#[async_trait]
impl Applications for PolicyTarget {
    async fn installed(&self, deadline: Deadline) -> Result<InstalledApps> {
        Capabilities::APPS.require(self.inner.applications())?.installed(deadline).await
    }

    /// Whether unvetted programs count is the owner's choice, whatever the caller says.
    async fn plan_launch(&self, request: &LaunchRequest, deadline: Deadline) -> Result<LaunchPlan> {
        let unvetted = self.guard.lets_commands_run();
        Capabilities::APPS
            .require(self.inner.applications())?
            .plan_launch(&LaunchRequest { unvetted, ..request.clone() }, deadline)
            .await
    }

    async fn launch(&self, plan: &LaunchPlan, deadline: Deadline) -> Result<Launched> {
        self.guard.pass_launch(self.inner.kind(), plan)?;
        self.acts().await?;
        let launched = Capabilities::APPS.require(self.inner.applications())?.launch(plan, deadline).await?;
        if let Some(window) = &launched.window {
            self.guard.judge_launched(&*self.inner, plan, window, deadline).await?;
        }
        Ok(launched)
    }
}

#[async_trait]
impl AppCloser for PolicyTarget {
    async fn close_app(&self, app: &AppRef, deadline: Deadline) -> Result<ClosedApp> {
        let mut window = Window::new(&app.name, Rect::default());
        window.pid = app.pid;
        self.pass(Aim::Window(&window), deadline).await?;
        Capabilities::CLOSE_APPS.require(self.inner.app_closer())?.close_app(app, deadline).await
    }
}

#[async_trait]
impl WindowManager for PolicyTarget {
    async fn act_on_window(
        &self,
        window: &Window,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<Window>> {
        self.pass(Aim::Window(window), deadline).await?;
        Capabilities::WINDOWS
            .require(self.inner.window_manager())?
            .act_on_window(window, action, deadline)
            .await
    }
}
