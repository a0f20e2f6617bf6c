//! What servers of one user count together of a target they all act on: a small file under a lock.
//!
//! Rules: the lock is polled, never waited for, and not for long. A file that is not the owner's own is not
//! used. The clock is the machine's own since it was started, the same for all its programs.
//!
//! The file is a version and the moments behind it. Moments are added at its end; whatever else changes is a new version,
//! written from the start. So a server that finds version and size as it left them has nothing to read, and a write costs
//! the same however many there were before it.

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
    const RETRY_AFTER: Duration = Duration::from_secs(5);
    /// How often a file that is replaced meanwhile is opened again at once.
    const ATTEMPTS: u32 = 3;
    /// The size of a moment in the file, and of the version before them, in bytes.
    const WORD: usize = 8;
    /// The most words of a file. One that is full is rewritten without the moments that are over.
    const MOST_WORDS: usize = 2 * MOST;

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
        open: Option<Open>,
        unusable_until: Option<Instant>,
        /// Whether the owner was warned; once is enough until it works again.
        warned: bool,
        buffer: Vec<u8>,
    }

    #[derive(Debug)]
    struct Open {
        file: File,
        identity: Identity,
        /// Its size and its version, as seen when its lock was got.
        size: u64,
        version: u64,
        /// The size and version that this server knows the content of.
        known: Option<(u64, u64)>,
    }

    impl Shared {
        pub(crate) fn new(shared: SharedLimit<'_>) -> Self {
            let hash = Sha256::digest(shared.target);
            let name: String = hash.iter().take(WORD).map(|byte| format!("{byte:02x}")).collect();
            Self {
                path: shared.folder.join(format!("writes-{name}")),
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
            for _ in 0..ATTEMPTS {
                let open = match &mut state.open {
                    Some(open) => open,
                    none => none.insert(self.open()?),
                };
                match open.file.try_lock() {
                    Ok(()) => {}
                    Err(TryLockError::WouldBlock) => return Ok(false),
                    Err(TryLockError::Error(error)) => return Err(error),
                }
                let found = private_file::still_at(&open.identity, &self.path);
                if let Ok(Some(found)) = found {
                    open.size = found.len();
                    state.warned = false;
                    self.entered.store(true, Ordering::Relaxed);
                    return Ok(true);
                }
                // Removed or replaced: closing it gives its lock back.
                state.open = None;
                found?;
            }
            Ok(false)
        }

        fn open(&self) -> io::Result<Open> {
            if let Some(folder) = self.path.parent() {
                private_file::create_directory(folder)?;
                private_file::own_directory(folder)?;
            }
            let file = private_file::open_shared(&self.path)?;
            let identity = Identity::of(&file)?;
            Ok(Open { file, identity, size: 0, version: 0, known: None })
        }

        fn leave_alone(&self, error: &io::Error) {
            let mut state = self.state();
            if !std::mem::replace(&mut state.warned, true) {
                tracing::warn!(%error, "writes are counted for this server alone, not together with others");
            }
            state.unusable_until = Some(Instant::now() + RETRY_AFTER);
        }

        /// Takes over what all servers did, if the lock is held. What the file holds that makes no sense is left out.
        pub(crate) fn read(&self, schedule: &mut Schedule) -> bool {
            if !self.entered.load(Ordering::Relaxed) {
                return false;
            }
            let mut state = self.state();
            let State { open: Some(open), buffer, .. } = &mut *state else { return false };
            let mut version = [0; WORD];
            let is_empty = open.file.read_exact_at(&mut version, 0).is_err();
            open.version = u64::from_le_bytes(version);
            if open.known == Some((open.size, open.version)) {
                return true;
            }
            let size = if is_empty { 0 } else { usize::try_from(open.size).unwrap_or(usize::MAX) };
            buffer.resize(size.clamp(WORD, WORD * MOST_WORDS) - WORD, 0);
            if open.file.read_exact_at(buffer, WORD as u64).is_err() {
                buffer.clear();
            }
            let (moments, rest) = buffer.as_chunks();
            let is_whole = !is_empty && rest.is_empty() && size == WORD * (moments.len() + 1);
            schedule.replace(moments.iter().map(|moment| u64::from_le_bytes(*moment)));
            open.known = is_whole.then_some((open.size, open.version));
            true
        }

        /// Writes what the others must know, and releases the lock.
        pub(crate) fn leave(&self, schedule: &mut Schedule) {
            self.entered.store(false, Ordering::Relaxed);
            let mut state = self.state();
            let State { open: Some(open), buffer, .. } = &mut *state else { return };
            let written = open.save(schedule, buffer);
            let unlocked = open.file.unlock();
            if written.is_err() {
                open.known = None;
            }
            drop(state);
            if let Err(error) = written.and(unlocked) {
                self.leave_alone(&error);
            }
        }

        /// What is counted is no longer what the file holds.
        pub(crate) fn diverged(&self) {
            if let Some(open) = &mut self.state().open {
                open.known = None;
            }
        }

        fn state(&self) -> MutexGuard<'_, State> {
            lock(&self.state)
        }
    }

    impl Open {
        /// Writes what the file does not hold: at its end where that is all that changed, else a new version.
        fn save(&mut self, schedule: &mut Schedule, buffer: &mut Vec<u8>) -> io::Result<()> {
            buffer.clear();
            let put = |moment: u64| buffer.extend_from_slice(&moment.to_le_bytes());
            let only_grew = schedule.unsaved().map(|moments| moments.for_each(put)).is_some();
            if let Some((size, version)) = self.known.filter(|_| only_grew) {
                let grown = size + buffer.len() as u64;
                if grown <= (WORD * MOST_WORDS) as u64 {
                    self.file.write_all_at(buffer, size)?;
                    self.known = Some((grown, version));
                    schedule.saved();
                    return Ok(());
                }
            }
            buffer.clear();
            let version = self.version.wrapping_add(1);
            std::iter::once(version).chain(schedule.moments()).for_each(|word| {
                buffer.extend_from_slice(&word.to_le_bytes());
            });
            self.file.write_all_at(buffer, 0)?;
            let size = buffer.len() as u64;
            if size < self.size {
                self.file.set_len(size)?;
            }
            self.known = Some((size, version));
            schedule.saved();
            Ok(())
        }
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

        pub(crate) fn leave(&self, _schedule: &mut Schedule) {}

        pub(crate) fn diverged(&self) {}
    }
}
