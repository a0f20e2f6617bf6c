//! The calls of [`Target`], each recorded and played on the script's state.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;

use super::super::event::{Event, name_of};
use super::super::wait::Timer;
use super::super::{effect, sample};
use super::{ScriptedTarget, opening};
use crate::gesture::Gesture;
use crate::target::{
    App, AppCloser, AppRef, Applications, Capabilities, Changes, Clipboard, ClosedApp, Drag, Elements,
    Ending, Endings, Expected, InstalledApps, KeyPress, Keyboard, LaunchPlan, LaunchRequest, Launched,
    LogPage, LogQuery, Logs, Look, NodeAction, Part, Pictures, Pointer, Pointing, Scope, Screenshot,
    ScreenshotRequest, SearchPage, SearchRequest, Survey, SystemAction, SystemKeys, TargetInfo, TargetKind,
    TextFields, Touch, Values, Watch, Watching, WindowAction, WindowManager, diverted,
};
use crate::{Deadline, Error, Flags, Node, NodeIndex, Reason, Result, Snapshot, Target, Value, Window};

/// What it was given, with no pointer on a phone.
impl Target for ScriptedTarget {
    fn kind(&self) -> TargetKind {
        self.info.kind
    }

    fn machine_name(&self) -> Option<String> {
        Some(self.info.name.clone())
    }

    fn info(&self) -> TargetInfo {
        self.info.clone()
    }

    fn shortcoming(&self) -> Option<Error> {
        None
    }

    fn survey(&self) -> &dyn Survey {
        self
    }

    fn changes(&self) -> Option<&dyn Changes> {
        self.has(Capabilities::EVENTS).then_some(self)
    }

    fn watching(&self) -> Option<&dyn Watching> {
        self.has(Capabilities::WATCH).then_some(self)
    }

    fn elements(&self) -> Option<&dyn Elements> {
        self.has(Capabilities::NODE_ACTIONS).then_some(self)
    }

    fn values(&self) -> Option<&dyn Values> {
        self.has(Capabilities::VALUES).then_some(self)
    }

    fn text_fields(&self) -> Option<&dyn TextFields> {
        self.has(Capabilities::TEXT).then_some(self)
    }

    fn keyboard(&self) -> Option<&dyn Keyboard> {
        self.has(Capabilities::KEYS).then_some(self)
    }

    fn system_keys(&self) -> Option<&dyn SystemKeys> {
        self.has(Capabilities::SYSTEM_KEYS).then_some(self)
    }

    fn touch(&self) -> Option<&dyn Touch> {
        self.has(Capabilities::TOUCH).then_some(self)
    }

    fn pointer(&self) -> Option<&dyn Pointer> {
        self.has(Capabilities::POINTER).then_some(self)
    }

    fn pictures(&self) -> Option<&dyn Pictures> {
        self.has(Capabilities::SCREENSHOT).then_some(self)
    }

    fn clipboard(&self) -> Option<&dyn Clipboard> {
        self.has(Capabilities::CLIPBOARD).then_some(self)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        self.has(Capabilities::LOGS).then_some(self)
    }

    fn endings(&self) -> Option<&dyn Endings> {
        self.has(Capabilities::LOGS).then_some(self)
    }

    fn applications(&self) -> Option<&dyn Applications> {
        self.has(Capabilities::APPS).then_some(self)
    }

    fn app_closer(&self) -> Option<&dyn AppCloser> {
        self.has(Capabilities::CLOSE_APPS).then_some(self)
    }

    fn window_manager(&self) -> Option<&dyn WindowManager> {
        self.has(Capabilities::WINDOWS).then_some(self)
    }
}

#[async_trait]
impl Look for ScriptedTarget {
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let event = Event::Snapshot(scope.clone());
        self.call(event, Capabilities::SNAPSHOT, deadline, |state| self.part(&state.snapshot, scope)).await
    }

    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        let Some(earlier) = self.state().earlier else { return self.snapshot(scope, deadline).await };
        let event = Event::IncrementalLook(scope.clone());
        let mut snapshot =
            self.call(event, Capabilities::SNAPSHOT, deadline, |_| self.part(&earlier, scope)).await?;
        snapshot.recalled = true;
        Ok(snapshot)
    }
}

#[async_trait]
impl Survey for ScriptedTarget {
    async fn search(&self, request: SearchRequest<'_>, deadline: Deadline) -> Result<SearchPage> {
        let scope = match request.scope {
            Scope::App { app, .. } => Scope::App { app: app.clone(), part: Part::Whole },
            Scope::Screen => Scope::Screen,
        };
        let request = SearchRequest { scope: &scope, ..request };
        let event = Event::Snapshot(scope.clone());
        self.call(event, Capabilities::SNAPSHOT, deadline, |state| match state.search_step {
            Some(step) => self.found(&state.snapshot, request, step),
            None if request.from.is_some() => Err(Error::new(Reason::Stale, "No search goes on.")),
            None => Ok(SearchPage { snapshot: self.part(&state.snapshot, &scope)?, next: None }),
        })
        .await
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.call(Event::Windows, Capabilities::SNAPSHOT, deadline, |state| {
            let mut windows = state.snapshot.windows().to_vec();
            windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
            Ok(windows)
        })
        .await
    }

    async fn owner(&self, node: &Node, _deadline: Deadline) -> Result<Option<App>> {
        let embedded = self.state().embedded;
        Ok(embedded.into_iter().find(|(label, _)| node.label() == Some(label)).map(|(_, owner)| owner))
    }
}

#[async_trait]
impl Changes for ScriptedTarget {
    fn activity(&self) -> u64 {
        self.lock().activity
    }

    async fn changed(&self, seen: u64, deadline: Deadline) -> Result<u64> {
        self.require(Capabilities::EVENTS)?;
        let mut timer = Timer::new(deadline.instant());
        poll_fn(|context| {
            let mut inner = self.lock();
            if inner.activity > seen {
                return Poll::Ready(Ok(inner.activity));
            }
            if Pin::new(&mut timer).poll(context).is_ready() {
                return Poll::Ready(Err(Error::new(Reason::Timeout, "Nothing changed in time.")));
            }
            if !inner.waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                inner.waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await
    }
}

#[async_trait]
impl Watching for ScriptedTarget {
    async fn watch(&self, app: Option<&AppRef>, deadline: Deadline) -> Result<Box<dyn Watch>> {
        let watch: Box<dyn Watch> = Box::new(self.feed.follow());
        self.call(Event::Watch(app.cloned()), Capabilities::WATCH, deadline, |_| Ok(watch)).await
    }
}

#[async_trait]
impl Elements for ScriptedTarget {
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        let node = snapshot.node(node);
        let fit = match action {
            NodeAction::Native(name) => node.actions.iter().any(|action| **action == **name),
            _ if !self.actions.contains(action) => false,
            NodeAction::Click => node.is(Flags::CLICKABLE),
            NodeAction::LongClick => node.is(Flags::LONG_CLICKABLE),
            NodeAction::Focus => node.is(Flags::FOCUSABLE),
            NodeAction::Scroll(_) => node.is(Flags::SCROLLABLE),
            NodeAction::Expand | NodeAction::Collapse | NodeAction::Increment | NodeAction::Decrement => {
                node.is(Flags::ENABLED)
            }
            NodeAction::ShowOnScreen | NodeAction::Raise => true,
            NodeAction::Confirm | NodeAction::Cancel | NodeAction::Pick => node.is(Flags::CLICKABLE),
        };
        fit && self.capabilities.contains(Capabilities::NODE_ACTIONS)
    }

    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        deadline: Deadline,
    ) -> Result<()> {
        let event = Event::Act { node: name_of(snapshot.node(node)), action: action.clone() };
        self.call(event, Capabilities::NODE_ACTIONS, deadline, |state| {
            if !self.can_act(snapshot, node, action) {
                return Err(Error::new(Reason::Unsupported, "The element cannot do that."));
            }
            let node = effect::resolve(state, snapshot, node)?;
            effect::act(state, node, action);
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl Values for ScriptedTarget {
    async fn set_value(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        value: &Value,
        deadline: Deadline,
    ) -> Result<()> {
        let event = Event::SetValue { node: name_of(snapshot.node(node)), value: value.clone() };
        self.call(event, Capabilities::VALUES, deadline, |state| {
            let node = effect::resolve(state, snapshot, node)?;
            effect::set_value(state, node, value)
        })
        .await
    }
}

#[async_trait]
impl TextFields for ScriptedTarget {
    async fn set_text(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        text: &str,
        deadline: Deadline,
    ) -> Result<()> {
        let event = Event::SetText { node: name_of(snapshot.node(node)), text: text.to_owned() };
        self.call(event, Capabilities::TEXT, deadline, |state| {
            let node = effect::resolve(state, snapshot, node)?;
            effect::set_text(state, node, text)
        })
        .await
    }
}

#[async_trait]
impl Keyboard for ScriptedTarget {
    /// Line by line: what comes after a line end goes to the window that the script has given the keyboard meanwhile.
    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let mut typed = 0;
        for line in text.split_inclusive('\n') {
            let state = self.state();
            let focused = state.snapshot.focused_window().map(|window| &state.snapshot.windows()[window]);
            if typed > 0 && focused.is_some_and(|window| !to.accepts(window)) {
                let done = format!("Typed {typed} of {} characters", text.chars().count());
                return Err(diverted(&done, focused.and_then(|window| window.app.as_deref())));
            }
            let event = Event::TypeText(line.to_owned());
            self.call(event, Capabilities::TEXT, deadline, |state| effect::type_text(state, line)).await?;
            typed += line.chars().count();
        }
        Ok(())
    }

    /// A desktop returns the title of the window with the focus.
    async fn press_key(&self, press: KeyPress, _to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        let event = Event::PressKey(press);
        let is_desktop = self.info.kind.addresses_processes();
        self.call(event, Capabilities::KEYS, deadline, |state| {
            let snapshot = &state.snapshot;
            let window = snapshot.windows().iter().find(|window| window.focused && is_desktop);
            let title = window.map(|window| window.title.as_deref().unwrap_or_default().to_owned());
            effect::press_key(state, press).map(|()| title)
        })
        .await
    }
}

#[async_trait]
impl SystemKeys for ScriptedTarget {
    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        self.call(Event::System(action), Capabilities::SYSTEM_KEYS, deadline, |_| Ok(())).await
    }
}

#[async_trait]
impl Touch for ScriptedTarget {
    fn multi_touch(&self) -> bool {
        self.has(Capabilities::MULTI_TOUCH)
    }

    /// The fingers at the start first; the script reacts, and only then do the later ones come down.
    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        let needed = match gesture.fingers() {
            0 | 1 => Capabilities::TOUCH,
            _ => Capabilities::TOUCH | Capabilities::MULTI_TOUCH,
        };
        self.call(Event::Gesture(gesture.clone()), needed, deadline, |state| {
            effect::touch(state, gesture.strokes().iter().filter(|stroke| stroke.start().time.is_zero()));
            Ok(())
        })
        .await?;
        let mut state = self.lock();
        for stroke in gesture.strokes().iter().filter(|stroke| !stroke.start().time.is_zero()) {
            let snapshot = &state.state.snapshot;
            let found = crate::hit::receiver(snapshot, stroke.start().at).map(|found| found.window);
            if let Some(window) = found.map(|window| &snapshot.windows()[window])
                && !to.accepts(window)
            {
                return Err(diverted("Played a part of the gesture", window.app.as_deref()));
            }
            effect::touch(&mut state.state, std::iter::once(stroke));
        }
        Ok(())
    }

    /// The script reacts while the pointer is on its way; only then is it decided who gets what is dropped.
    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()> {
        self.must_lie(drag.from, to, "Pressed nothing")?;
        self.call(Event::Drag(drag.clone()), Capabilities::TOUCH, deadline, |_| Ok(())).await?;
        self.must_lie(drag.to, &drag.onto, "Dragged and went back")
    }
}

#[async_trait]
impl Pointer for ScriptedTarget {
    async fn point(&self, act: &Pointing, to: &Expected, deadline: Deadline) -> Result<()> {
        self.must_lie(act.place(), to, "Pressed nothing")?;
        self.call(Event::Point(act.clone()), Capabilities::POINTER, deadline, |_| Ok(())).await
    }
}

#[async_trait]
impl Pictures for ScriptedTarget {
    async fn screenshot(&self, request: ScreenshotRequest, deadline: Deadline) -> Result<Screenshot> {
        self.call(Event::Screenshot(request), Capabilities::SCREENSHOT, deadline, |state| {
            let screen = state.snapshot.screen;
            let plain = || Screenshot::Raw(sample::pixels(screen.width, screen.height));
            match (state.screenshot.clone().unwrap_or_else(plain), request.region) {
                (Screenshot::Raw(pixels), Some(region)) => {
                    let part = pixels.part(region).map(Screenshot::Raw);
                    part.ok_or_else(|| Error::new(Reason::ActionFailed, "There is no such part."))
                }
                (whole, _) => Ok(whole),
            }
        })
        .await
    }
}

#[async_trait]
impl Clipboard for ScriptedTarget {
    fn is_readable(&self) -> bool {
        self.has(Capabilities::CLIPBOARD_READ)
    }

    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.call(Event::ReadClipboard, Capabilities::CLIPBOARD_READ, deadline, |state| {
            Ok(state.clipboard.clone())
        })
        .await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        let event = Event::WriteClipboard(text.to_owned());
        self.call(event, Capabilities::CLIPBOARD, deadline, |state| {
            state.clipboard = Some(text.to_owned());
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl Logs for ScriptedTarget {
    async fn read_logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
        self.call(Event::Logs(query.clone()), Capabilities::LOGS, deadline, |state| {
            let mut page = state.logs.clone();
            let surplus = page.lines.len().saturating_sub(query.limit);
            page.lines.drain(..surplus);
            page.truncated |= surplus > 0;
            Ok(page)
        })
        .await
    }
}

#[async_trait]
impl Endings for ScriptedTarget {
    async fn ending(&self, app: &AppRef, _within: Duration, deadline: Deadline) -> Result<Option<Ending>> {
        let event = Event::Ending(app.clone());
        self.call(event, Capabilities::LOGS, deadline, |state| Ok(state.ending.clone())).await
    }
}

#[async_trait]
impl Applications for ScriptedTarget {
    async fn installed(&self, deadline: Deadline) -> Result<InstalledApps> {
        self.call(Event::Installed, Capabilities::APPS, deadline, |state| Ok(opening::list(state))).await
    }

    async fn plan_launch(&self, request: &LaunchRequest, deadline: Deadline) -> Result<LaunchPlan> {
        let event = Event::PlanLaunch(request.clone());
        self.call(event, Capabilities::APPS, deadline, |state| opening::plan(state, request)).await
    }

    async fn launch(&self, plan: &LaunchPlan, deadline: Deadline) -> Result<Launched> {
        let event = Event::Launch(plan.clone());
        self.call(event, Capabilities::APPS, deadline, |state| Ok(opening::launch(state, plan))).await
    }
}

#[async_trait]
impl AppCloser for ScriptedTarget {
    async fn close_app(&self, app: &AppRef, deadline: Deadline) -> Result<ClosedApp> {
        let event = Event::CloseApp(app.clone());
        self.call(event, Capabilities::CLOSE_APPS, deadline, |state| Ok(opening::close(state, app))).await
    }
}

#[async_trait]
impl WindowManager for ScriptedTarget {
    async fn act_on_window(
        &self,
        window: &Window,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<Window>> {
        let title = window.title.as_deref().unwrap_or_default().to_owned();
        let event = Event::ActOnWindow { title, action };
        self.call(event, Capabilities::WINDOWS, deadline, |state| opening::act_on(state, window, action))
            .await
    }
}
