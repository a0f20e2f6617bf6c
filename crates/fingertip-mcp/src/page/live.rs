//! Live pictures: of each target that somebody watches, as many as it changes, ten a second at the most.
//!
//! One task makes the pictures of a target, however many watch, and ends with the last of them: a page that nobody has open costs
//! nothing. It is woken by what the target reports, and when somebody has acted on it; a target that reports nothing is looked at
//! once a second. Of a target that gives no pictures viewers are told that it changed, so that they read its tree. Viewers are told the
//! number of the newest picture and fetch it when they are ready, so that a slow one misses pictures and holds up nobody. Its
//! pictures are reads on behalf of a client of its own, which what acts overtakes wherever there is a queue.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use fingertip_core::fair::Claim;
use fingertip_core::sync::lock;
use fingertip_core::target::{Capabilities, Scope, ScreenshotRequest};
use fingertip_core::{Deadline, Error, Reason, Result, Snapshot};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::attached::Attached;
use crate::call::{Call, within};
use crate::interact::{MAX_BYTES, take_picture};
use crate::policy::audit::AuditContext;
use crate::policy::{Blocklist, Guard};

/// The least time between two pictures.
const INTERVAL: Duration = Duration::from_millis(100);
/// How often a target is looked at that does not report changes.
const POLL: Duration = Duration::from_secs(1);
/// How long after the last change one more picture is taken: what is reported may be drawn a moment later.
const AFTERGLOW: Duration = Duration::from_millis(250);
/// How long one wait for a change lasts before it is begun anew.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a picture, or a look, may take.
const WITHIN: Duration = Duration::from_secs(15);
/// How long after a failure the next picture is tried.
const REST: Duration = Duration::from_secs(1);
/// The longest side of a picture, in pixels, and its quality.
const LONGEST_SIDE: u32 = 1280;
const QUALITY: u8 = 72;
/// How long no other picture comes after the one that shows what came of an act, where changes are reported.
const QUIET: Duration = Duration::from_secs(1);
/// How long things may take to rest after an act.
const SETTLED_WITHIN: Duration = Duration::from_secs(4);
/// How long a look serves all who ask for one.
const FRESH: Duration = Duration::from_millis(150);
/// What is said of a target without pictures.
const NO_PICTURES: &str = "This device gives no pictures of its screen; the tree is all there is.";
/// The client on whose behalf the page looks.
const CLIENT: u64 = 0x7061_6765;

/// A picture.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) number: u64,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) jpeg: Bytes,
}

/// The newest picture of a target, and why there is none newer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Newest {
    pub(crate) frame: Option<Arc<Frame>>,
    pub(crate) problem: Option<String>,
}

/// A target that is watched.
pub(crate) struct Live {
    attached: Arc<Attached>,
    blocklist: Arc<Blocklist>,
    newest: watch::Sender<Newest>,
    looked: tokio::sync::Mutex<Option<(Instant, Arc<Snapshot>)>>,
    acted: Notify,
    /// When the last picture that was taken was begun, whether it showed anything new or not.
    taken: watch::Sender<Option<tokio::time::Instant>>,
    /// Counted under the lock of all that is watched.
    watchers: AtomicUsize,
    ended: CancellationToken,
}

/// The targets that are watched.
#[derive(Default)]
pub(crate) struct Lives(Mutex<HashMap<String, Arc<Live>>>);

/// Somebody who watches; what is watched by nobody ends.
pub(crate) struct Watching {
    lives: Arc<Lives>,
    name: String,
    live: Arc<Live>,
}

impl Watching {
    pub(crate) fn live(&self) -> &Live {
        &self.live
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut all = lock(&self.lives.0);
        if self.live.watchers.fetch_sub(1, Ordering::Relaxed) > 1 {
            return;
        }
        self.live.ended.cancel();
        if all.get(&self.name).is_some_and(|live| Arc::ptr_eq(live, &self.live)) {
            all.remove(&self.name);
        }
    }
}

impl Lives {
    /// Watches a target; its pictures begin with the first who does.
    pub(crate) fn watch(self: &Arc<Self>, attached: &Arc<Attached>, blocklist: &Arc<Blocklist>) -> Watching {
        let name = attached.info().name;
        let mut all = lock(&self.0);
        // A target that was detached and came back is another one under the same name.
        let known = all.get(&name).filter(|live| Arc::ptr_eq(&live.attached, attached)).cloned();
        let live = known.unwrap_or_else(|| Live::start(Arc::clone(attached), Arc::clone(blocklist)));
        live.watchers.fetch_add(1, Ordering::Relaxed);
        all.insert(name.clone(), Arc::clone(&live));
        Watching { lives: Arc::clone(self), name, live }
    }

    /// What is watched under this name.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Live>> {
        lock(&self.0).get(name).cloned()
    }

    /// The newest picture of everything that is watched.
    pub(crate) fn frames(&self) -> Vec<(String, Arc<Frame>)> {
        let all = lock(&self.0);
        all.iter().filter_map(|(name, live)| Some((name.clone(), live.newest().frame?))).collect()
    }
}

impl Live {
    fn start(attached: Arc<Attached>, blocklist: Arc<Blocklist>) -> Arc<Self> {
        let live = Arc::new(Self {
            attached,
            blocklist,
            newest: watch::Sender::default(),
            looked: tokio::sync::Mutex::default(),
            acted: Notify::new(),
            taken: watch::Sender::default(),
            watchers: AtomicUsize::new(0),
            ended: CancellationToken::new(),
        });
        let ended = live.ended.clone();
        tokio::spawn(ended.run_until_cancelled_owned(follow(Arc::clone(&live))));
        live
    }

    pub(crate) fn newest(&self) -> Newest {
        self.newest.borrow().clone()
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<Newest> {
        self.newest.subscribe()
    }

    pub(crate) fn attached(&self) -> &Arc<Attached> {
        &self.attached
    }

    /// A call of the page's own, which only looks.
    pub(crate) fn call(&self) -> Call {
        let guard = Guard::new(Arc::clone(&self.blocklist), Arc::new(AuditContext::default()));
        Call::new(Arc::clone(&self.attached), guard, None, deadline())
    }

    /// The screen as it is now; a look a moment ago is good for all who ask.
    ///
    /// # Errors
    /// Those of the target, and a timeout.
    pub(crate) async fn look(&self) -> Result<Arc<Snapshot>> {
        let mut looked = self.looked.lock().await;
        if let Some((at, snapshot)) = &*looked
            && at.elapsed() < FRESH
        {
            return Ok(Arc::clone(snapshot));
        }
        let call = self.call();
        let snapshot = Arc::new(call.look_at(&Scope::Screen, call.deadline()).await?);
        *looked = Some((Instant::now(), Arc::clone(&snapshot)));
        Ok(snapshot)
    }

    /// The last look, whenever it was.
    pub(crate) async fn last_look(&self) -> Option<Arc<Snapshot>> {
        self.looked.lock().await.as_ref().map(|(_, snapshot)| Arc::clone(snapshot))
    }

    /// There is no newer picture; viewers are told each time, since the tree may be another one.
    fn fails(&self, why: &str) {
        self.newest.send_modify(|newest| newest.problem = Some(why.to_owned()));
    }

    /// Somebody has acted on it: what came of that, once things rest. None where no picture could be taken since: an older one
    /// would show something else.
    pub(crate) async fn acted(&self) -> Option<Arc<Frame>> {
        let (ended, mut taken, mut pictures) =
            (tokio::time::Instant::now(), self.taken.subscribe(), self.newest.subscribe());
        self.acted.notify_one();
        let is_after = |begun: &Option<tokio::time::Instant>| begun.is_some_and(|begun| begun >= ended);
        let since = tokio::time::timeout(WITHIN * 2, taken.wait_for(is_after));
        self.ended.run_until_cancelled(since).await?.ok()?.ok()?;
        let quiet = if self.call().target().changes().is_some() { QUIET } else { POLL * 2 };
        let resting =
            async { while let Ok(Ok(())) = tokio::time::timeout(quiet, pictures.changed()).await {} };
        // What never rests is kept as it is then.
        let _ = tokio::time::timeout(SETTLED_WITHIN, resting).await;
        self.newest().frame
    }

    /// Waits until there may be something new to see; whether that is because something changed. While things move, a picture
    /// follows the last change a moment later.
    async fn changed(&self, seen: u64, moving: bool) -> Result<bool> {
        let call = self.call();
        if call.target().changes().is_none() {
            let _ = tokio::time::timeout(POLL, self.acted.notified()).await;
            return Ok(false);
        }
        if moving {
            return call.woken(seen, Deadline::after(AFTERGLOW), POLL).await;
        }
        let reported = async {
            while !call.woken(seen, Deadline::after(PATIENCE), POLL).await? {}
            Ok(true)
        };
        tokio::select! {
            reported = reported => reported,
            () = self.acted.notified() => Ok(true),
        }
    }

    /// Takes a picture, which is the next of this number if it shows anything new.
    async fn show(&self, number: &mut u64) {
        let begun = tokio::time::Instant::now();
        match self.picture().await {
            Ok((width, height, jpeg)) => {
                self.newest.send_if_modified(|newest| {
                    let same = newest.frame.as_ref().is_some_and(|frame| frame.jpeg == jpeg);
                    if same && newest.problem.is_none() {
                        return false;
                    }
                    *number += 1;
                    let frame = Arc::new(Frame { number: *number, width, height, jpeg });
                    *newest = Newest { frame: Some(frame), problem: None };
                    true
                });
                self.taken.send_replace(Some(begun));
            }
            Err(error) => {
                self.fails(error.message());
                tokio::time::sleep(REST).await;
            }
        }
    }

    async fn picture(&self) -> Result<(u32, u32, Bytes)> {
        let call = self.call();
        let request = ScreenshotRequest { region: None, longest_side: Some(LONGEST_SIDE), quality: QUALITY };
        let jpeg = within(call.deadline(), "taking a picture", take_picture(&call, request)).await?;
        // Many are kept, and a phone that makes its own pictures makes them of any size.
        if jpeg.bytes.len() > MAX_BYTES {
            return Err(Error::new(
                Reason::ActionFailed,
                "The picture of the screen is too large to be shown.",
            ));
        }
        Ok((jpeg.width, jpeg.height, jpeg.bytes.into()))
    }
}

fn deadline() -> Deadline {
    Deadline::after(WITHIN).on_behalf(Claim { client: CLIENT, acts: false })
}

/// Makes the pictures of a target, for ever.
async fn follow(live: Arc<Live>) {
    let (mut number, mut moving) = (0, true);
    loop {
        let begun = tokio::time::Instant::now();
        // Before the picture: what happens while it is taken is a change after it.
        let seen = live.call().activity();
        if live.attached.can(Capabilities::SCREENSHOT) {
            live.show(&mut number).await;
        } else {
            let why = live.attached.shortcoming();
            live.fails(why.as_ref().map_or(NO_PICTURES, |why| why.message()));
        }
        tokio::time::sleep_until(begun + INTERVAL).await;
        moving = match live.changed(seen, moving).await {
            Ok(moving) => moving,
            Err(error) => {
                live.fails(error.message());
                tokio::time::sleep(REST).await;
                true
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use fingertip_core::target::Screenshot;
    use fingertip_core::test_support::{ScriptedTarget, sample};

    use super::*;

    /// A phone with only these abilities, which is watched, and what its viewers are told.
    fn watched(capabilities: Capabilities) -> (Arc<ScriptedTarget>, Watching, watch::Receiver<Newest>) {
        let target = Arc::new(ScriptedTarget::new("phone", sample::phone()).with_capabilities(capabilities));
        draw(&target, 54);
        let attached = Arc::new(Attached::new(Arc::clone(&target) as Arc<_>, Arc::default()));
        let lives = Arc::new(Lives::default());
        let watching = lives.watch(&attached, &Arc::new(Blocklist::default()));
        let told = watching.live().subscribe();
        (target, watching, told)
    }

    fn draw(target: &ScriptedTarget, width: u32) {
        target.update(|state| state.screenshot = Some(Screenshot::Raw(sample::pixels(width, 120))));
    }

    fn is_wide(newest: &Newest, width: u32) -> bool {
        newest.frame.as_ref().is_some_and(|frame| frame.width == width)
    }

    #[tokio::test]
    async fn what_came_of_an_act_is_pictured_after_it_however_slowly() {
        for capabilities in [Capabilities::all(), Capabilities::all().difference(Capabilities::EVENTS)] {
            let (target, watching, mut told) = watched(capabilities);
            told.wait_for(|newest| is_wide(newest, 54)).await.unwrap();
            // Longer than it rests between two pictures.
            target.delay(QUIET + QUIET / 4);
            draw(&target, 30);
            let came = watching.live().acted().await;
            assert_eq!(came.map(|frame| frame.width), Some(30), "{capabilities:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_act_is_seen_at_once_on_a_device_that_reports_nothing() {
        let (target, watching, mut told) = watched(Capabilities::all().difference(Capabilities::EVENTS));
        told.wait_for(|newest| is_wide(newest, 54)).await.unwrap();
        tokio::time::sleep(INTERVAL * 2).await;
        draw(&target, 30);
        let begun = tokio::time::Instant::now();
        let seen = async {
            told.wait_for(|newest| is_wide(newest, 30)).await.unwrap();
            begun.elapsed()
        };
        let (seen, _) = tokio::join!(seen, watching.live().acted());
        assert!(seen < POLL / 4, "{seen:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_picture_from_before_an_act_is_not_kept_for_what_came_of_it() {
        let (target, watching, mut told) = watched(Capabilities::all());
        told.wait_for(|newest| is_wide(newest, 54)).await.unwrap();
        target.hang();
        // The clock stands still: what was taken so far is to be older.
        tokio::time::sleep(INTERVAL).await;
        assert!(watching.live().acted().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn viewers_are_told_of_changes_on_a_device_without_pictures() {
        let (target, _watching, mut told) = watched(Capabilities::all().difference(Capabilities::SCREENSHOT));
        let newest = told.wait_for(|newest| newest.problem.is_some()).await.unwrap().clone();
        assert!(newest.frame.is_none() && newest.problem.unwrap().contains("no pictures"));
        // At rest, after what came before.
        while tokio::time::timeout(POLL * 4, told.changed()).await.is_ok() {}
        draw(&target, 30);
        tokio::time::timeout(POLL, told.changed()).await.expect("told in time").unwrap();
    }
}
