//! How much of this computer's memory one phone's clients can hold together.
//!
//! Anybody on this machine may connect to a phone that has a port, so everything that waits for more to come is counted:
//! open services, bytes of files whose end has not come, bytes a service has not read yet.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::files::MAX_FILE;

/// The most services open at once; an adb server with a few tools opens a dozen.
const MAX_SERVICES: usize = 64;
/// The most bytes of unfinished files: one of the largest.
pub(crate) const MAX_UNFINISHED: usize = MAX_FILE + 1;
/// The most bytes that peers sent and services have not read.
const MAX_UNREAD: usize = 32 * 1024 * 1024;

/// What is left of each.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    services: Arc<Semaphore>,
    unfinished: Arc<Semaphore>,
    unread: Arc<Semaphore>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            services: Arc::new(Semaphore::new(MAX_SERVICES)),
            unfinished: Arc::new(Semaphore::new(MAX_UNFINISHED)),
            unread: Arc::new(Semaphore::new(MAX_UNREAD)),
        }
    }
}

/// A share that is given back when dropped.
pub(crate) type Share = OwnedSemaphorePermit;

impl Bounds {
    /// Room for one more service, if there is.
    pub(crate) fn service(&self) -> Option<Share> {
        Arc::clone(&self.services).try_acquire_owned().ok()
    }

    /// Room for so many more bytes of an unfinished file, if there is.
    pub(crate) fn unfinished(&self, bytes: usize) -> Option<Share> {
        take(&self.unfinished, bytes)
    }

    /// Room for so many bytes that a service has yet to read, if there is.
    pub(crate) fn unread(&self, bytes: usize) -> Option<Share> {
        take(&self.unread, bytes)
    }
}

fn take(of: &Arc<Semaphore>, bytes: usize) -> Option<Share> {
    Arc::clone(of).try_acquire_many_owned(u32::try_from(bytes).ok()?).ok()
}
