//! Live pictures: of each target that somebody watches, as many as it changes, ten a second at the most.
//!
//! One task makes the pictures of a target, however many watch, and ends with the last of them: a page that nobody has open costs
//! nothing. It is woken by what the target reports; a target that reports nothing is looked at once a second. Viewers are told the
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
use tokio::sync::watch;
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
/// How long a look serves all who ask for one.
const FRESH: Duration = Duration::from_millis(150);
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

    fn fails(&self, why: &str) {
        self.newest.send_if_modified(|newest| {
            let is_known = newest.problem.as_deref() == Some(why);
            newest.problem = Some(why.to_owned());
            !is_known
        });
    }

    /// Waits until there may be something new to see; whether that is because something changed. While things move, a picture
    /// follows the last change a moment later.
    async fn changed(&self, seen: u64, moving: bool) -> Result<bool> {
        let call = self.call();
        if call.target().changes().is_none() {
            tokio::time::sleep(POLL).await;
            return Ok(false);
        }
        if moving {
            return call.woken(seen, Deadline::after(AFTERGLOW), POLL).await;
        }
        while !call.woken(seen, Deadline::after(PATIENCE), POLL).await? {}
        Ok(true)
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
    if !live.attached.can(Capabilities::SCREENSHOT) {
        let problem = "This device gives no pictures of its screen; the tree is all there is.".to_owned();
        live.newest.send_replace(Newest { frame: None, problem: Some(problem) });
        return;
    }
    let (mut number, mut moving) = (0, true);
    loop {
        let begun = tokio::time::Instant::now();
        // Before the picture: what happens while it is taken is a change after it.
        let seen = live.call().activity();
        match live.picture().await {
            Ok((width, height, jpeg)) => {
                live.newest.send_if_modified(|newest| {
                    let same = newest.frame.as_ref().is_some_and(|frame| frame.jpeg == jpeg);
                    if same && newest.problem.is_none() {
                        return false;
                    }
                    number += 1;
                    let frame = Arc::new(Frame { number, width, height, jpeg });
                    *newest = Newest { frame: Some(frame), problem: None };
                    true
                });
            }
            Err(error) => {
                live.fails(error.message());
                tokio::time::sleep(REST).await;
            }
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
