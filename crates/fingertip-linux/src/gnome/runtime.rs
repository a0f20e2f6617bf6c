//! The thread on which messages of the session bus are read, whoever waits for one.

use std::sync::Mutex;

use fingertip_core::sync::lock;
use fingertip_core::{Error, Reason, Result};
use tokio::runtime::{Builder, Handle, Runtime};

/// A runtime that ends without waiting for what still goes on in it.
#[derive(Debug)]
pub(super) struct Background {
    handle: Handle,
    runtime: Mutex<Option<Runtime>>,
}

impl Background {
    pub(super) fn start() -> Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("gnome").enable_all().build();
        let runtime = runtime
            .map_err(|error| Error::new(Reason::Internal, format!("No thread could be started: {error}.")))?;
        Ok(Self { handle: runtime.handle().clone(), runtime: Mutex::new(Some(runtime)) })
    }

    /// Waits, on a thread that may block, for something to be done.
    pub(super) fn wait_for<T>(&self, done: impl Future<Output = T>) -> T {
        self.handle.block_on(done)
    }

    /// What is done on it.
    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = lock(&self.runtime).take() {
            runtime.shutdown_background();
        }
    }
}
