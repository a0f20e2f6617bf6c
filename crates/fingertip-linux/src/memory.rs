//! What was read last of an application, brought up to date by what it has told since.
//!
//! For the looks right before and after an action, where most of the application is as it was. What toolkits tell is
//! taken at its word only there, only for a while, and only as long as nothing speaks against it: other windows, on
//! the bus or on the screen, events that were missed, or objects that are gone make all be read anew. What a client
//! asks to see is always read anew.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fingertip_core::Rect;
use fingertip_core::target::Part;

use crate::apps::Running;
use crate::bus::CallError;
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

/// What can be seen of an application now: what was read last, brought up to date; `None` when all must be read anew.
/// With it what is followed from then on.
///
/// # Errors
/// When the application answers nothing at all.
pub(crate) async fn recall(
    live: &Live<'_>,
    app: &Running,
    events: &Events,
    windows: Option<&[&XWindow]>,
) -> Result<(Option<Told>, Following), CallError> {
    let kept = app.memory.lock().take();
    let usable = kept.filter(|kept| kept.read.elapsed() < KEPT && kept.windows == windows.map(shown));
    // Whatever it told before this moment has arrived afterwards, and that it was asked to tell has reached it.
    events.catch_up(&app.root.bus_name, live.deadline).await?;
    if let Some(mut kept) = usable
        && kept.renew(live, app, events).await?
    {
        return Ok((Some(kept.told), kept.following));
    }
    Ok((None, events.follow()))
}

impl Kept {
    /// Asks again for what has changed; false when all must be read anew.
    async fn renew(&mut self, live: &Live<'_>, app: &Running, events: &Events) -> Result<bool, CallError> {
        let Some(mut changed) = self.changed(app, events) else { return Ok(false) };
        changed.objects.append(&mut self.touched);
        let plan = Plan { part: Part::Visible, trusts_showing: live.toolkit.tells_showing() };
        let (windows, renewed) = tokio::try_join!(
            live.children(&app.root),
            renew::renew(live, &mut self.told.forest, changed, plan)
        )?;
        let known = self.told.forest.windows.iter().map(|&place| &self.told.forest.objects[place].handle);
        let same_windows = windows.iter().filter(|window| !window.is_nothing()).eq(known);
        let Some(renewed) = renewed.filter(|_| same_windows) else { return Ok(false) };
        let wanted = self.told.wanted(Part::Visible, live.toolkit);
        let (again, others): (Vec<usize>, Vec<usize>) =
            wanted.into_iter().partition(|place| renewed.places.contains(place));
        self.told.examine(live, &again).await;
        if renewed.moved {
            self.told.place(live, &others).await;
        }
        Ok(self.told.forest.cut.is_none())
    }

    /// What the application told since; `None` when that may be anything.
    fn changed(&mut self, app: &Running, events: &Events) -> Option<Changed> {
        let mut changed = Changed::default();
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
