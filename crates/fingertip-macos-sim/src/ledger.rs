//! The ledger: every object that exists, who made it, and what was done to objects that should not have been done.
//!
//! An object that is released for the last time stays as a tombstone for a while, so that an over-release or a use after free is a
//! sentence with a function and an object in it, and not a crash. Constants are immortal and not in the ledger.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::object::Object;

/// How many released objects are kept to be recognised. The memory of older ones is given back.
const TOMBSTONES: usize = 300_000;
/// How many faults are kept; a loop that repeats one must not fill the memory.
const MOST_FAULTS: usize = 1_000;
/// Set to any value, leaks are reported with the backtrace of their creation.
const TRACE_VARIABLE: &str = "SIMULATED_MAC_TRACE";

static NEXT: AtomicU64 = AtomicU64::new(1);
static LIVE: Mutex<Option<HashMap<u64, Entry, BuildHasherDefault<Number>>>> = Mutex::new(None);
static DEAD: Mutex<VecDeque<usize>> = Mutex::new(VecDeque::new());
static FAULTS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static TRACE: AtomicBool = AtomicBool::new(false);

/// Keys are numbers given out in turn, which need no mixing beyond this.
#[derive(Default)]
struct Number(u64);

impl Hasher for Number {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

struct Entry {
    address: usize,
    made_by: &'static str,
    trace: Option<String>,
}

/// Locks, whatever happened to the thread that held the lock before: a failed test must not fail all others.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new object. Its number.
pub(crate) fn born(object: *const Object, made_by: &'static str) -> u64 {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let trace = TRACE.load(Ordering::Relaxed).then(|| std::backtrace::Backtrace::force_capture().to_string());
    let entry = Entry { address: object as usize, made_by, trace };
    lock(&LIVE).get_or_insert_default().insert(id, entry);
    id
}

/// An object was released for the last time. It is freed once enough others have died after it.
pub(crate) fn died(object: *const Object, id: u64) {
    if let Some(live) = lock(&LIVE).as_mut() {
        live.remove(&id);
    }
    let oldest = {
        let mut dead = lock(&DEAD);
        dead.push_back(object as usize);
        if dead.len() > TOMBSTONES { dead.pop_front() } else { None }
    };
    if let Some(oldest) = oldest {
        crate::object::free(oldest);
    }
}

/// Something was done that would be undefined behaviour, or the end of the process, on a real Mac.
pub(crate) fn fault(text: String) {
    let mut faults = lock(&FAULTS);
    if faults.len() < MOST_FAULTS {
        faults.push(text);
    }
}

/// What was wrong with the objects since some moment; empty when everything balanced.
#[derive(Debug, Default, Clone)]
pub struct Report {
    /// Objects that still exist.
    pub leaks: Vec<String>,
    /// What was done to objects that were gone, never were, or are of another type.
    pub faults: Vec<String>,
    /// How many objects were made.
    pub created: u64,
}

impl Report {
    /// Nothing leaked and nothing was misused.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.leaks.is_empty() && self.faults.is_empty()
    }
}

/// A moment from which on objects are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(u64);

impl Mark {
    /// From now on; faults before are forgotten.
    pub(crate) fn now() -> Self {
        TRACE.store(std::env::var_os(TRACE_VARIABLE).is_some(), Ordering::Relaxed);
        lock(&FAULTS).clear();
        Self(NEXT.load(Ordering::Relaxed))
    }

    /// Since the process began; nothing is forgotten.
    pub(crate) const fn everything() -> Self {
        Self(0)
    }

    /// Leaks and faults since.
    pub(crate) fn report(self) -> Report {
        let live = lock(&LIVE);
        let mut leaks: Vec<_> =
            live.iter().flatten().filter(|(id, _)| **id >= self.0).map(|(id, entry)| (*id, entry)).collect();
        leaks.sort_unstable_by_key(|(id, _)| *id);
        Report {
            leaks: leaks.into_iter().map(|(id, entry)| described(id, entry)).collect(),
            faults: lock(&FAULTS).clone(),
            created: NEXT.load(Ordering::Relaxed) - self.0,
        }
    }

    /// Forgets the objects made since: what one test leaked is not charged to the next.
    pub(crate) fn forget(self) {
        if let Some(live) = lock(&LIVE).as_mut() {
            live.retain(|id, _| *id < self.0);
        }
    }
}

fn described(id: u64, entry: &Entry) -> String {
    let object = crate::object::live_description(entry.address);
    let trace = entry.trace.as_deref().map(|trace| format!("\n{trace}")).unwrap_or_default();
    format!("leaked #{id} {object} made by {}{trace}", entry.made_by)
}

/// How many objects exist now.
pub(crate) fn live_count() -> usize {
    lock(&LIVE).as_ref().map_or(0, HashMap::len)
}
