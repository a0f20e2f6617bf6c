//! Phones on adb: attached as they come, detached as they go.

use std::sync::Arc;
use std::time::Duration;

use fingertip_android::adb::Adb;
use fingertip_android::watch::{Watcher, watch};
use fingertip_android::{AndroidTarget, Preference};
use fingertip_core::{Deadline, Target};
use fingertip_mcp::targets::Targets;

use super::demo;

/// How long the adb server may take to list its phones at the start; a server that must be started takes
/// about three seconds.
const LISTED_WITHIN: Duration = Duration::from_secs(5);
/// How long phones that are listed may take to introduce themselves.
const ARRIVED_WITHIN: Duration = Duration::from_secs(3);

/// Which phones are wanted.
pub(super) enum Choice {
    /// Every phone.
    All,
    /// Every phone; the first one replaces the demo phone permanently.
    AllInsteadOfDemo,
    /// Those with these serials.
    Only(Vec<String>),
}

/// How many phones are connected now, in whatever state. None, too, when there is no adb.
pub(super) async fn connected(adb: &Adb) -> usize {
    match adb.devices(Deadline::after(LISTED_WITHIN)).await {
        Ok(phones) => phones.len(),
        Err(error) => {
            tracing::debug!(%error, "no phones");
            0
        }
    }
}

/// Attaches and detaches phones from now on.
pub(super) fn follow(adb: Adb, driver: Preference, targets: &Arc<Targets>, choice: Choice) {
    tokio::spawn(watch(adb, driver, Follower { targets: Arc::clone(targets), choice }));
}

/// Waits, for a bounded time, until so many targets are attached.
pub(super) async fn arrived(targets: &Targets, count: usize) {
    let mut changes = targets.subscribe();
    let all_there = async { while targets.all().len() < count && changes.changed().await.is_ok() {} };
    let _ = tokio::time::timeout(ARRIVED_WITHIN, all_there).await;
}

struct Follower {
    targets: Arc<Targets>,
    choice: Choice,
}

impl Watcher for Follower {
    fn wants(&self, serial: &str) -> bool {
        match &self.choice {
            Choice::All | Choice::AllInsteadOfDemo => true,
            Choice::Only(serials) => serials.iter().any(|wanted| wanted == serial),
        }
    }

    fn attached(&mut self, target: &Arc<AndroidTarget>) {
        if matches!(self.choice, Choice::AllInsteadOfDemo) {
            self.targets.detach(demo::NAME);
        }
        self.targets.attach(Arc::clone(target) as Arc<dyn Target>);
    }

    fn changed(&mut self, _: &Arc<AndroidTarget>) {
        self.targets.announce();
    }

    fn detached(&mut self, target: &Arc<AndroidTarget>) {
        self.targets.detach(&target.info().name);
    }
}
