//! A target with what the server remembers of it: ids given out, pages still to be fetched, whose turn it is.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fingertip_core::fair::{Claim, Gate, Pass};
use fingertip_core::id::{IdPool, Identities, Located, ScrollHint};
use fingertip_core::sync::lock;
use fingertip_core::target::{
    App, AppRef, Capabilities, LaunchPlan, LaunchRequest, Scope, SearchPage, SearchRequest, Survey,
    TargetInfo, TargetKind,
};
use fingertip_core::{Deadline, Error, NodeId, Result, Screen, Snapshot, Target, clock};

use crate::policy::audit::Record;
use crate::policy::rate_limit::RateLimiter;
use crate::policy::{Guard, PolicyTarget, ToolSelection};
use crate::tool::Definition;

/// How many cut screens are kept for their next page.
pub const FROZEN_SCREENS: usize = 8;

/// How long a screen size that was read is good enough to check whether a point is on the screen.
const SCREEN_KEPT: Duration = Duration::from_secs(2);

/// A target and what is remembered of it. It can be looked at; acting on it takes a guard.
pub struct Attached {
    target: Arc<dyn Target>,
    rate_limiter: RateLimiter,
    identities: Mutex<Identities>,
    frozen: Mutex<Frozen>,
    turn: Gate,
    screen: Mutex<Option<(Instant, Screen)>>,
}

#[derive(Default)]
struct Frozen {
    screens: Vec<(u64, Kept)>,
    last: u64,
}

/// A snapshot kept for its next pages.
#[derive(Clone)]
pub struct Kept {
    /// The snapshot.
    pub snapshot: Arc<Snapshot>,
    /// The application that was asked for, if one was.
    pub app: Option<App>,
}

impl Attached {
    /// Remembers nothing yet of `target`; ids come from the pool all targets share.
    #[must_use]
    pub fn new(target: Arc<dyn Target>, pool: Arc<IdPool>) -> Self {
        Self {
            target,
            rate_limiter: RateLimiter::default(),
            identities: Mutex::new(Identities::new(pool)),
            frozen: Mutex::default(),
            turn: Gate::new(1),
            screen: Mutex::default(),
        }
    }

    /// Who the target is, now.
    #[must_use]
    pub fn info(&self) -> TargetInfo {
        self.target.info()
    }

    /// What sort of thing the target is.
    #[must_use]
    pub fn kind(&self) -> TargetKind {
        self.target.kind()
    }

    /// See [`Target::machine_name`].
    #[must_use]
    pub fn machine_name(&self) -> Option<String> {
        self.target.machine_name()
    }

    /// See [`Target::shortcoming`].
    #[must_use]
    pub fn shortcoming(&self) -> Option<Error> {
        self.target.shortcoming()
    }

    /// What is there, without all of its nodes.
    #[must_use]
    pub fn survey(&self) -> &dyn Survey {
        self.target.survey()
    }

    /// What would be started; see [`Applications::plan_launch`](fingertip_core::target::Applications::plan_launch).
    ///
    /// # Errors
    /// Those of the target, and when it starts nothing.
    pub async fn plan_launch(&self, request: &LaunchRequest, deadline: Deadline) -> Result<LaunchPlan> {
        Capabilities::APPS.require(self.target.applications())?.plan_launch(request, deadline).await
    }

    /// The target with all that it can do, as far as this guard allows; what is done is written down first where there is
    /// a record of the call.
    #[must_use]
    pub fn guarded(&self, guard: Guard, record: Option<Arc<Record>>) -> PolicyTarget {
        PolicyTarget::new(Arc::clone(&self.target), guard, record)
    }

    /// How fast it is acted on.
    #[must_use]
    pub fn rate_limiter(&self) -> &RateLimiter {
        &self.rate_limiter
    }

    /// Whether the target can ever do all of this.
    #[must_use]
    pub fn can(&self, needs: Capabilities) -> bool {
        self.target.capabilities().contains(needs)
    }

    /// Whether this tool is offered here: chosen for such targets, and within what this one can ever do.
    #[must_use]
    pub fn offers(&self, definition: &Definition, selection: &ToolSelection) -> bool {
        self.can(definition.needs) && selection.allows(definition, self.target.kind())
    }

    /// Looks at the screen or at one application now, and names every node.
    ///
    /// # Errors
    /// Those of the target.
    pub async fn look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        Ok(self.named(self.target.snapshot(scope, deadline).await?))
    }

    /// Like [`Self::look`], for right before or after an action; see
    /// [`Look::incremental_look`](fingertip_core::target::Look::incremental_look).
    ///
    /// # Errors
    /// Those of the target.
    pub async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        Ok(self.named(self.target.incremental_look(scope, deadline).await?))
    }

    /// Looks for nodes, and names every node of what is found; see [`Survey::search`](fingertip_core::target::Survey::search).
    ///
    /// # Errors
    /// Those of the target.
    pub async fn search(&self, request: SearchRequest<'_>, deadline: Deadline) -> Result<SearchPage> {
        let SearchPage { snapshot, next } = self.target.survey().search(request, deadline).await?;
        Ok(SearchPage { snapshot: self.named(snapshot), next })
    }

    fn named(&self, mut snapshot: Snapshot) -> Snapshot {
        self.identities().assign(&mut snapshot);
        self.keep_screen(snapshot.screen);
        snapshot
    }

    /// The size of the screen now.
    ///
    /// # Errors
    /// Those of the target.
    pub async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        let screen = self.target.survey().screen(deadline).await?;
        self.keep_screen(screen);
        Ok(screen)
    }

    /// The size of the screen, if it was read a moment ago.
    #[must_use]
    pub fn recent_screen(&self) -> Option<Screen> {
        let kept = *lock(&self.screen);
        kept.filter(|(read, _)| clock::now().saturating_duration_since(*read) < SCREEN_KEPT)
            .map(|(_, screen)| screen)
    }

    /// A screen of no size is one that is not known: a call that needs it asks the target, which says why.
    fn keep_screen(&self, screen: Screen) {
        if screen.bounds().is_empty() {
            return;
        }
        *lock(&self.screen) = Some((clock::now(), screen));
    }

    /// Where the node with this id is in a snapshot that [`Self::look`] gave.
    #[must_use]
    pub fn locate(&self, snapshot: &Snapshot, id: NodeId) -> Located {
        self.identities().locate(snapshot, id)
    }

    /// Where an element that was seen in a list and left it can be looked for.
    #[must_use]
    pub fn scroll_hint(&self, snapshot: &Snapshot, id: NodeId) -> Option<ScrollHint> {
        self.identities().scroll_hint(snapshot, id)
    }

    /// The application that showed the element with this id, where that is remembered.
    #[must_use]
    pub fn app_of(&self, id: NodeId) -> Option<AppRef> {
        self.identities().app_of(id).cloned()
    }

    /// The id of the element the driver calls so, where ids follow handles.
    #[must_use]
    pub fn id_of_handle(&self, handle: &str) -> Option<NodeId> {
        self.identities().id_of_handle(handle)
    }

    /// Whether this id was given out for this target.
    #[must_use]
    pub fn knows(&self, id: NodeId) -> bool {
        self.identities().knows(id)
    }

    /// Keeps a snapshot for its next pages; the oldest kept one is forgotten. Returns its number.
    #[must_use]
    pub fn freeze(&self, snapshot: Arc<Snapshot>, app: Option<App>) -> u64 {
        let mut frozen = lock(&self.frozen);
        frozen.last += 1;
        let number = frozen.last;
        if frozen.screens.len() == FROZEN_SCREENS {
            frozen.screens.remove(0);
        }
        frozen.screens.push((number, Kept { snapshot, app }));
        number
    }

    /// What was kept by [`Self::freeze`], if it is still there.
    #[must_use]
    pub fn frozen(&self, number: u64) -> Option<Kept> {
        let frozen = lock(&self.frozen);
        frozen.screens.iter().find(|(kept, _)| *kept == number).map(|(_, kept)| kept.clone())
    }

    /// Waits for the turn to act: actions on one target run one after another, those of each client in its turn.
    pub async fn turn(&self, claim: Claim) -> Pass {
        self.turn.enter(claim).await
    }

    /// A panic in one call must not take the ids of all others with it.
    fn identities(&self) -> std::sync::MutexGuard<'_, Identities> {
        lock(&self.identities)
    }
}
