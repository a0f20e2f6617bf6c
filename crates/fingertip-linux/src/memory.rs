//! What was read last of an application, brought up to date by what it has told since.
//!
//! For the looks right before and after an action, where most of the application is as it was. What toolkits tell is
//! taken at its word only there, only for a while, and only as long as nothing speaks against it: other windows, on
//! the bus or on the screen, events that were missed, or objects that are gone make all be read anew. What a client
//! asks to see is always read anew.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fingertip_core::target::Part;
use fingertip_core::{Deadline, Rect};

use crate::apps::Running;
use crate::bus::{Bus, CallError};
use crate::events::{Events, Following, Reach};
use crate::handle::Handle;
use crate::told::Told;
use crate::tree::Source;
use crate::tree::live::Live;
use crate::tree::renew::{self, Changed};
use crate::tree::walk::Plan;
use crate::x11::XWindow;

/// How long what was read whole is brought up to date; toolkits leave some changes untold.
const KEPT: Duration = Duration::from_secs(30);

/// What was read last of an application, if that can still be of use.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    told: Told,
    following: Following,
    /// The X windows it was read with.
    windows: Option<Vec<Shown>>,
    /// When all was read.
    read: Instant,
    /// Objects that something was done to.
    touched: Vec<Handle>,
}

/// What must be the same of an X window.
type Shown = (u32, Rect, bool);

impl Memory {
    /// Keeps what was read, to be brought up to date by what is followed since before it was.
    pub(crate) fn keep(&self, told: &Told, following: Following, windows: Option<&[&XWindow]>) {
        if told.forest.cut.is_some() {
            return;
        }
        let read = following.began();
        let kept =
            Kept { told: told.clone(), following, windows: windows.map(shown), read, touched: Vec::new() };
        *self.lock() = Some(kept);
    }

    /// Notes that something was done to an object, which is then looked at again whether it tells of it or not.
    pub(crate) fn touch(&self, handle: &Handle) {
        if let Some(kept) = self.lock().as_mut() {
            kept.touched.push(handle.clone());
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An application of which everything has arrived that it told before some moment.
pub(crate) struct Arrived<'a> {
    events: &'a Events,
    /// The windows it had at that moment.
    windows: Vec<Handle>,
}

impl<'a> Arrived<'a> {
    /// Waits for what an application has told so far. If it was asked only just now to tell, that has reached it then.
    ///
    /// # Errors
    /// When it does not answer.
    pub(crate) async fn wait(
        bus: &Arc<Bus>,
        app: &Running,
        events: &'a Events,
        deadline: Deadline,
    ) -> Result<Self, CallError> {
        let (peer, toolkit) = app.meet(bus, deadline).await?;
        let live = Live { peer, toolkit, deadline };
        let (windows, ()) =
            tokio::try_join!(live.children(&app.root), events.catch_up(&app.root.bus_name, deadline))?;
        let windows = windows.into_iter().filter(|window| !window.is_nothing()).collect();
        Ok(Self { events, windows })
    }

    /// What can be seen of the application now: what was read last, brought up to date; `None` when all must be read
    /// anew. With it what is followed from then on.
    ///
    /// # Errors
    /// When the application does not answer.
    pub(crate) async fn recall(
        &self,
        live: &Live<'_>,
        app: &Running,
        windows: Option<&[&XWindow]>,
    ) -> Result<(Option<Told>, Following), CallError> {
        let kept = app.memory.lock().take();
        let usable = kept.filter(|kept| {
            kept.read.elapsed() < KEPT
                && kept.windows == windows.map(shown)
                && kept.has_windows(&self.windows)
        });
        if let Some(mut kept) = usable
            && let Some(changed) = kept.changed(app, self.events)
            && kept.renew(live, &changed).await?
        {
            return Ok((Some(kept.told), kept.following));
        }
        Ok((None, self.events.follow()))
    }
}

impl Kept {
    fn has_windows(&self, windows: &[Handle]) -> bool {
        let forest = &self.told.forest;
        forest.windows.iter().map(|&place| &forest.objects[place].handle).eq(windows)
    }

    /// Asks again for what has changed; false when all must be read anew.
    async fn renew(&mut self, live: &Live<'_>, changed: &Changed) -> Result<bool, CallError> {
        let plan = Plan { part: Part::Visible, trusts_showing: live.toolkit.tells_showing() };
        let single = changed.single(&self.told.forest);
        for &place in &single {
            // What a cache said of it once is not what it says now.
            self.told.forest.objects[place].description = None;
        }
        // Most objects stay of the same sort, so that all can be asked of them at once.
        let asked = renew::ask(live, &self.told.forest, changed, plan);
        let (fresh, examined) = tokio::join!(asked, self.told.examined(live, &single));
        let Some(fresh) = fresh? else { return Ok(false) };
        self.told.note(&single, examined);
        let renewed = fresh.apply(&mut self.told.forest);
        let wanted = self.told.wanted(Part::Visible, live.toolkit);
        let (other, rest): (Vec<usize>, Vec<usize>) =
            wanted.into_iter().partition(|place| renewed.other.contains(place));
        self.told.examine(live, &other).await;
        if renewed.moved {
            self.told.place(live, &rest).await;
        }
        Ok(self.told.forest.cut.is_none())
    }

    /// What the application told since; `None` when that may be anything.
    fn changed(&mut self, app: &Running, events: &Events) -> Option<Changed> {
        let mut changed = Changed { objects: std::mem::take(&mut self.touched), ..Changed::default() };
        for raw in events.since(&mut self.following, &app.root.bus_name)? {
            let list = match raw.reach {
                Reach::Object => &mut changed.objects,
                Reach::Below => &mut changed.below,
                Reach::Application => return None,
            };
            if !list.contains(&raw.handle) {
                list.push(raw.handle.clone());
            }
        }
        Some(changed)
    }
}

fn shown(windows: &[&XWindow]) -> Vec<Shown> {
    windows.iter().map(|window| (window.id, window.bounds, window.minimized)).collect()
}
