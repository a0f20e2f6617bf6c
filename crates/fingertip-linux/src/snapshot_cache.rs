//! What was read last of an application, brought up to date by what it has reported since.
//!
//! For the looks right before and after an action, where most of the application is as it was. What toolkits tell is
//! taken at its word only there, only for a while, and only as long as nothing speaks against it: other windows, on
//! the bus or on the screen, events that were missed, or objects that are gone make all be read anew. What a client
//! asks to see is always read anew.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fingertip_core::Rect;
use fingertip_core::target::Part;
use fingertip_desktop::ListedWindow;

use crate::apps::Running;
use crate::bus::CallError;
use crate::client::Client;
use crate::events::{Events, Following, Reach};
use crate::handle::Handle;
use crate::raw_tree::RawTree;
use crate::tree::renew::{self, Changed};
use crate::tree::walk::{self, MAX_OBJECTS, Plan};

/// How long what was read whole is brought up to date; toolkits leave some changes untold.
const KEPT: Duration = Duration::from_secs(30);

/// What was read last of an application, if that can still be of use.
#[derive(Debug, Default)]
pub(crate) struct SnapshotCache(Mutex<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    raw: RawTree,
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

impl SnapshotCache {
    /// Keeps what was read, to be brought up to date by what is followed since before it was. What was not read whole
    /// is not kept, nor what has parts of another application in it: those tell of changes under a name of their own.
    pub(crate) fn keep(&self, raw: &RawTree, following: Following, windows: Option<&[&ListedWindow]>) {
        if raw.tree.cut.is_some() || !raw.tree.is_of_one() {
            return;
        }
        let read = following.began();
        let kept =
            Kept { raw: raw.clone(), following, windows: windows.map(shown), read, touched: Vec::new() };
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

/// What is remembered of an application.
pub(crate) struct Recalled {
    /// What was read of it before, as it is now, and the X windows it was read with.
    kept: Option<(RawTree, Option<Vec<Shown>>)>,
    /// What is followed since then.
    pub(crate) following: Following,
}

impl Recalled {
    /// What was read before, if the application still has the same X windows.
    pub(crate) fn raw(&mut self, windows: Option<&[&ListedWindow]>) -> Option<RawTree> {
        self.kept.take().filter(|(_, seen)| *seen == windows.map(shown)).map(|(raw, _)| raw)
    }
}

/// Brings what was read last of an application up to date.
///
/// # Errors
/// When the application does not answer.
pub(crate) async fn recall(
    client: &Client<'_>,
    app: &Running,
    events: &Events,
) -> Result<Recalled, CallError> {
    let kept = app.cache.lock().take().filter(|kept| kept.read.elapsed() < KEPT);
    // All that it has reported so far arrives meanwhile; and if it was asked only just now to tell, that reaches it.
    let caught_up = events.catch_up(&app.root.bus_name, client.deadline);
    let Some(mut kept) = kept else {
        caught_up.await?;
        return Ok(Recalled { kept: None, following: events.follow() });
    };
    // One that is busy answers late, so what it has reported is asked without waiting for the rest.
    let early =
        async { if kept.following.has_news() { kept.renew(client, app, events).await } else { Ok(true) } };
    let (windows, (), mut is_current) = tokio::try_join!(walk::windows(client, &app.root), caught_up, early)?;
    is_current = is_current && kept.has_windows(&windows) && kept.renew(client, app, events).await?;
    if is_current {
        let Kept { raw, following, windows, .. } = kept;
        return Ok(Recalled { kept: Some((raw, windows)), following });
    }
    Ok(Recalled { kept: None, following: events.follow() })
}

impl Kept {
    fn has_windows(&self, windows: &[Handle]) -> bool {
        let tree = &self.raw.tree;
        let known = tree.windows.iter().map(|&place| &tree.objects[place].handle);
        known.eq(windows.iter().filter(|window| !window.is_nothing()))
    }

    /// Asks again for what has changed by what has arrived; false when all must be read anew.
    async fn renew(
        &mut self,
        client: &Client<'_>,
        app: &Running,
        events: &Events,
    ) -> Result<bool, CallError> {
        let Some(changed) = self.changed(app, events) else { return Ok(false) };
        if changed.is_empty() {
            return Ok(true);
        }
        let trusts_showing = client.toolkit.tells_showing();
        let plan = Plan { part: Part::Visible, trusts_showing, most: MAX_OBJECTS };
        let single = changed.single(&self.raw.tree);
        for &place in &single {
            // What a cache said of it once is not what it says now.
            self.raw.tree.objects[place].description = None;
        }
        // Most objects stay of the same sort, so that all can be asked of them at once.
        let asked = renew::ask(client, &self.raw.tree, &changed, plan);
        let (fresh, examined) = tokio::join!(asked, self.raw.examined(client, &single));
        let Some(fresh) = fresh? else { return Ok(false) };
        self.raw.note(&single, examined);
        let renewed = fresh.apply(&mut self.raw.tree);
        let wanted = self.raw.wanted(Part::Visible, client.toolkit);
        let (other, rest): (Vec<usize>, Vec<usize>) =
            wanted.into_iter().partition(|place| renewed.other.contains(place));
        self.raw.examine(client, &other).await;
        if renewed.moved {
            self.raw.place(client, &rest).await;
        }
        Ok(self.raw.tree.cut.is_none())
    }

    /// What the application reported since; `None` when that may be anything.
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

fn shown(windows: &[&ListedWindow]) -> Vec<Shown> {
    windows.iter().map(|window| (window.id, window.bounds, window.minimized)).collect()
}
