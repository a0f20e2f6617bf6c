//! What a running tool works with: its target, its deadline, and ways to look and wait.

mod parts;

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::{Installed, Scope, SearchPage, SearchRequest, TargetKind};
use fingertip_core::{Deadline, Error, Reason, Result, Screen, Snapshot, Target};

use crate::attached::Attached;
use crate::policy::audit::Record;
use crate::policy::{Guard, PolicyTarget};
use crate::view::View;

/// The least time between two looks while changes pour in.
const BREATH: Duration = Duration::from_millis(5);

/// One running call.
pub(crate) struct Call {
    attached: Arc<Attached>,
    target: PolicyTarget,
    deadline: Deadline,
    scope: Scope,
    view: View,
}

impl Call {
    /// A call on `attached` that ends by `deadline` and acts as far as `guard` allows, after that is in its `record`.
    #[must_use]
    pub(crate) fn new(
        attached: Arc<Attached>,
        guard: Guard,
        record: Option<Arc<Record>>,
        deadline: Deadline,
    ) -> Self {
        let target = attached.guarded(guard, record);
        Self { attached, target, deadline, scope: Scope::Screen, view: View::default() }
    }

    /// The call with its looks at this scope.
    #[must_use]
    pub(crate) fn within_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// The call with what the owner chose where it leaves that open.
    #[must_use]
    pub(crate) fn in_view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// What the owner chose where the call leaves it open.
    #[must_use]
    pub(crate) fn view(&self) -> View {
        self.view
    }

    /// What the call looks at unless it names an element: the screen, or the application it named.
    #[must_use]
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What is remembered of the target.
    #[must_use]
    pub(crate) fn attached(&self) -> &Attached {
        &self.attached
    }

    /// The target; each write passes the policy.
    #[must_use]
    pub(crate) fn target(&self) -> &dyn Target {
        &self.target
    }

    /// What sort of thing the target is.
    #[must_use]
    pub(crate) fn kind(&self) -> TargetKind {
        self.target.kind()
    }

    /// Whether a rule about applications keeps this one from being opened.
    #[must_use]
    pub(crate) fn forbids(&self, app: &Installed) -> bool {
        self.target.forbids(app)
    }

    /// When the call ends.
    #[must_use]
    pub(crate) fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Looks at what the call is about now.
    ///
    /// # Errors
    /// Those of the target, and a timeout.
    pub(crate) async fn look(&self) -> Result<Snapshot> {
        self.look_at(&self.scope, self.deadline).await
    }

    /// Looks at this scope, by a deadline of its own.
    ///
    /// # Errors
    /// Those of the target, and a timeout.
    pub(crate) async fn look_at(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.seen(scope, deadline, self.attached.look(scope, deadline)).await
    }

    /// Like [`Self::look_at`], for right before or after an action; see
    /// [`Look::incremental_look`](fingertip_core::target::Look::incremental_look).
    ///
    /// # Errors
    /// Those of the target, and a timeout.
    pub(crate) async fn incremental_look_at(&self, scope: &Scope) -> Result<Snapshot> {
        self.seen(scope, self.deadline, self.attached.incremental_look(scope, self.deadline)).await
    }

    /// Looks for nodes by a deadline of its own; see [`Survey::search`](fingertip_core::target::Survey::search).
    ///
    /// # Errors
    /// Those of the target, and a timeout.
    pub(crate) async fn search(&self, request: SearchRequest<'_>, deadline: Deadline) -> Result<SearchPage> {
        within(deadline, "searching", self.attached.search(request, deadline)).await
    }

    async fn seen(
        &self,
        scope: &Scope,
        deadline: Deadline,
        looking: impl Future<Output = Result<Snapshot>>,
    ) -> Result<Snapshot> {
        let what = match scope {
            Scope::App { app, .. } => format!("reading application '{}'", app.name),
            _ => "reading the screen".to_owned(),
        };
        let snapshot = within(deadline, &what, looking).await?;
        self.target.saw(scope, &snapshot);
        Ok(snapshot)
    }

    /// The size of the screen now.
    ///
    /// # Errors
    /// Those of the target, and a timeout.
    pub(crate) async fn screen(&self) -> Result<Screen> {
        within(self.deadline, "reading the screen size", self.attached.screen(self.deadline)).await
    }

    /// Looks again and again until `test` finds what it wants or `limit` passes; `None` when it passed.
    ///
    /// Woken by the target's events where it has them, else every `interval`.
    ///
    /// # Errors
    /// Those of the target but timeouts: a look that runs into `limit` is a wait that ran out.
    pub(crate) async fn until<T>(
        &self,
        scope: &Scope,
        limit: Deadline,
        interval: Duration,
        mut test: impl FnMut(Snapshot) -> Option<T>,
    ) -> Result<Option<T>> {
        loop {
            let seen = self.activity();
            match self.look_at(scope, limit).await {
                Ok(snapshot) => {
                    if let Some(found) = test(snapshot) {
                        return Ok(Some(found));
                    }
                }
                Err(error) if error.reason() == Reason::Timeout => {}
                Err(error) => return Err(error),
            }
            if limit.passed() || !self.pause(seen, limit, interval).await? {
                return Ok(None);
            }
        }
    }

    /// Like [`Self::until`], but judged by one whole look more when the time is up: the last one before may have been cut
    /// short by it, and what it lacks may well be there.
    ///
    /// # Errors
    /// Those of the target.
    pub(crate) async fn until_sure<T>(
        &self,
        scope: &Scope,
        limit: Deadline,
        interval: Duration,
        mut test: impl FnMut(Snapshot) -> Option<T>,
    ) -> Result<Option<T>> {
        match self.until(scope, limit, interval, &mut test).await? {
            None => Ok(test(self.look_at(scope, self.deadline()).await?)),
            found => Ok(found),
        }
    }

    /// Waits until something changed since `seen`, or for `interval` where changes are not reported; and a moment more
    /// while changes pour in. False once `limit` has passed.
    ///
    /// # Errors
    /// Those of the target but timeouts.
    pub(crate) async fn pause(&self, seen: u64, limit: Deadline, interval: Duration) -> Result<bool> {
        let waited = limit.slice(BREATH);
        let woken = self.woken(seen, limit, interval).await?;
        // A call that has waited longer looks at once.
        sleep_until(waited).await;
        Ok(woken && !limit.passed())
    }

    /// Like [`Self::pause`], for callers that look at the first change at once.
    ///
    /// # Errors
    /// Those of the target but timeouts.
    pub(crate) async fn woken(&self, seen: u64, limit: Deadline, interval: Duration) -> Result<bool> {
        let Some(changes) = self.target().changes() else {
            sleep_until(limit.slice(interval)).await;
            return Ok(!limit.passed());
        };
        match within(limit, "waiting for a change", changes.changed(seen, limit)).await {
            Err(error) if error.reason() == Reason::Timeout => Ok(false),
            other => other.map(|_| !limit.passed()),
        }
    }
}

/// Ends `work` at the deadline, whether it minds the deadline itself or not.
///
/// # Errors
/// Those of `work`, and a timeout that names `what`.
pub(crate) async fn within<T>(
    deadline: Deadline,
    what: &str,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    match tokio::time::timeout_at(deadline.instant().into(), work).await {
        Ok(result) => result,
        Err(_) => Err(Error::new(Reason::Timeout, format!("Timed out {what}."))
            .with_guidance("The device or the application in front may hang; try again or look at it.")),
    }
}

/// Sleeps until the deadline; not at all once it has passed, for which the runtime would take a millisecond.
pub(crate) async fn sleep_until(deadline: Deadline) {
    if deadline.passed() {
        return;
    }
    tokio::time::sleep_until(deadline.instant().into()).await;
}
