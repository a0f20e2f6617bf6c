//! Exclusive use of the simulated Mac, and the balance at its end.

use std::sync::{Mutex, MutexGuard};

use crate::ledger::{self, Mark, Report, lock};
use crate::world::{self, NodeId, World};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A running Mac. There is one in a process at a time; starting another waits.
pub struct Mac {
    since: Mark,
    checked: bool,
    _only: MutexGuard<'static, ()>,
}

impl Mac {
    /// Starts with this desktop.
    #[must_use]
    pub fn start(world: World) -> Self {
        let only = lock(&ONE_AT_A_TIME);
        world::install(world);
        Self { since: Mark::now(), checked: false, _only: only }
    }

    /// Looks at the desktop, or changes it. Observers are notified of what changes.
    pub fn world<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        world::with(act)
    }

    /// An application says that something happened.
    pub fn notify(&self, pid: i32, node: NodeId, name: &str) {
        world::with(|world| world.notify(pid, node, name));
    }

    /// What leaked and what was misused since the start.
    pub fn report(&mut self) -> Report {
        self.checked = true;
        self.since.report()
    }

    /// How many objects exist.
    #[must_use]
    pub fn live_objects(&self) -> usize {
        ledger::live_count()
    }

    /// Ends, and fails unless every object was released exactly as often as it was retained.
    ///
    /// # Panics
    /// When an object leaked or was misused, with the list.
    #[track_caller]
    pub fn assert_balanced(mut self) {
        let report = self.report();
        assert!(report.is_clean(), "{}", list(&report));
    }
}

fn list(report: &Report) -> String {
    format!(
        "objects out of balance ({} made):\n{}\n{}",
        report.created,
        report.leaks.join("\n"),
        report.faults.join("\n")
    )
}

impl Drop for Mac {
    fn drop(&mut self) {
        if !self.checked && !std::thread::panicking() {
            let report = self.report();
            assert!(report.is_clean(), "{}", list(&report));
        }
        self.since.forget();
    }
}
