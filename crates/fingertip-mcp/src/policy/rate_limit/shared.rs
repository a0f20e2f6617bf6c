//! What servers of one user count together of a target they all act on: a small file under a lock.
//!
//! Rules: nobody waits for the lock but by asking again, and not for long. A file that is not the owner's own is not
//! used. The clock is the machine's own since it was started, the same for all its programs.

pub(super) use platform::{Shared, now};

#[cfg(unix)]
mod platform {
    use std::fs::{File, TryLockError};
    use std::io;
    use std::os::unix::fs::FileExt;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, MutexGuard};
    use std::time::{Duration, Instant};

    use fingertip_core::sync::lock;
    use sha2::{Digest, Sha256};

    use crate::policy::rate_limit::SharedLimit;
    use crate::policy::rate_limit::schedule::{MOST, Schedule};
    use crate::transport::private_file::{self, Identity};

    /// How long a lock is asked for that another server holds; it does so for microseconds.
    const ENTER_WITHIN: Duration = Duration::from_millis(200);
    /// How often it is asked for.
    const ASK_EVERY: Duration = Duration::from_millis(2);
    /// How long a file that could not be used is left alone.
    const REST: Duration = Duration::from_secs(5);
    /// The size of a moment in the file, and of their count before them, in bytes.
    const WORD: usize = 8;

    /// Nanoseconds since this machine was started.
    pub(crate) fn now() -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
    }

    /// The file in which a target's writes are counted.
    #[derive(Debug)]
    pub(crate) struct Shared {
        path: PathBuf,
        state: Mutex<State>,
        /// Whether the lock is held. Writes on a target take turns, so by one call at a time.
        entered: AtomicBool,
    }

    #[derive(Debug, Default)]
    struct State {
        open: Option<(File, Identity)>,
        unusable_until: Option<Instant>,
        /// Whether the owner was told; once is enough until it works again.
        warned: bool,
        buffer: Vec<u8>,
    }

    impl Shared {
        pub(crate) fn new(shared: SharedLimit<'_>) -> Self {
            let hash = Sha256::digest(shared.target);
            let name: String = hash.iter().take(WORD).map(|byte| format!("{byte:02x}")).collect();
            Self {
                path: shared.folder.join(format!("pace-{name}")),
                state: Mutex::default(),
                entered: AtomicBool::new(false),
            }
        }

        /// Gets the lock, if that is possible soon.
        pub(crate) async fn enter(&self) {
            if self.is_unusable() {
                return;
            }
            let until = Instant::now() + ENTER_WITHIN;
            loop {
                match self.attempt() {
                    Ok(true) => return,
                    Ok(false) if Instant::now() < until => tokio::time::sleep(ASK_EVERY).await,
                    Ok(false) => {
                        return self.leave_alone(&io::Error::other("another process holds its lock"));
                    }
                    Err(error) => return self.leave_alone(&error),
                }
            }
        }

        /// Gets the lock if it is to be had at once.
        pub(crate) fn try_enter(&self) -> bool {
            !self.is_unusable() && self.attempt().unwrap_or(false)
        }

        fn is_unusable(&self) -> bool {
            self.state().unusable_until.is_some_and(|until| Instant::now() < until)
        }

        fn attempt(&self) -> io::Result<bool> {
            let mut state = self.state();
            if let Some((_, identity)) = &state.open
                && private_file::still_at(identity, &self.path)?.is_none()
            {
                state.open = None;
            }
            let (file, _) = match &mut state.open {
                Some(open) => open,
                none => none.insert(self.open()?),
            };
            match file.try_lock() {
                Ok(()) => {
                    state.warned = false;
                    self.entered.store(true, Ordering::Relaxed);
                    Ok(true)
                }
                Err(TryLockError::WouldBlock) => Ok(false),
                Err(TryLockError::Error(error)) => Err(error),
            }
        }

        fn open(&self) -> io::Result<(File, Identity)> {
            if let Some(folder) = self.path.parent() {
                private_file::create_directory(folder)?;
                private_file::own_directory(folder)?;
            }
            let file = private_file::open_shared(&self.path)?;
            let identity = Identity::of(&file)?;
            Ok((file, identity))
        }

        fn leave_alone(&self, error: &io::Error) {
            let mut state = self.state();
            if !std::mem::replace(&mut state.warned, true) {
                tracing::warn!(%error, "writes are counted for this server alone, not together with others");
            }
            state.unusable_until = Some(Instant::now() + REST);
        }

        /// Takes over what all servers did, if the lock is held. What the file holds that makes no sense is left out.
        pub(crate) fn read(&self, schedule: &mut Schedule) -> bool {
            if !self.entered.load(Ordering::Relaxed) {
                return false;
            }
            let mut state = self.state();
            let State { open: Some((file, _)), buffer, .. } = &mut *state else { return false };
            if buffer.is_empty() {
                buffer.resize(WORD * (MOST + 1), 0);
            }
            buffer[..WORD].fill(0);
            let mut length = 0;
            while let Ok(more @ 1..) = file.read_at(&mut buffer[length..], length as u64) {
                length += more;
                // The count says how much of it holds.
                let count = word(buffer).and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
                if length >= WORD * (count.min(MOST) + 1) {
                    length = WORD * (count.min(MOST) + 1);
                    break;
                }
            }
            let moments = buffer[..length].get(WORD..).unwrap_or_default().chunks_exact(WORD);
            schedule.replace(moments.filter_map(word));
            true
        }

        /// Tells the others, and lets them in.
        pub(crate) fn leave(&self, schedule: &Schedule) {
            self.entered.store(false, Ordering::Relaxed);
            let mut state = self.state();
            let State { open: Some((file, _)), buffer, .. } = &mut *state else { return };
            let moments = schedule.moments();
            let moments = &moments[moments.len().saturating_sub(MOST)..];
            let words = std::iter::once(moments.len() as u64).chain(moments.iter().copied());
            for (place, word) in buffer.chunks_exact_mut(WORD).zip(words) {
                place.copy_from_slice(&word.to_le_bytes());
            }
            let written = file.write_all_at(&buffer[..WORD * (moments.len() + 1)], 0);
            let unlocked = file.unlock();
            drop(state);
            if let Err(error) = written.and(unlocked) {
                self.leave_alone(&error);
            }
        }

        fn state(&self) -> MutexGuard<'_, State> {
            lock(&self.state)
        }
    }

    fn word(bytes: &[u8]) -> Option<u64> {
        Some(u64::from_le_bytes(*bytes.first_chunk()?))
    }
}

#[cfg(not(unix))]
mod platform {
    use std::sync::OnceLock;
    use std::time::Instant;

    use crate::policy::rate_limit::SharedLimit;
    use crate::policy::rate_limit::schedule::Schedule;

    /// Nanoseconds since this was first asked.
    pub(crate) fn now() -> u64 {
        static START: OnceLock<Instant> = OnceLock::new();
        u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Nothing is shared here.
    #[derive(Debug)]
    pub(crate) struct Shared;

    impl Shared {
        pub(crate) fn new(_meeting: SharedLimit<'_>) -> Self {
            Self
        }

        #[allow(clippy::unused_async, reason = "as on Unix")]
        pub(crate) async fn enter(&self) {}

        pub(crate) fn try_enter(&self) -> bool {
            false
        }

        pub(crate) fn read(&self, _schedule: &mut Schedule) -> bool {
            false
        }

        pub(crate) fn leave(&self, _schedule: &Schedule) {}
    }
}
