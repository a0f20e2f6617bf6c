//! Run loops: one a thread, with the sources of observers and nothing else.
//!
//! A stop that is sent while the loop does not run is lost, as with Apple's. A thread's loop lets go of its sources when the
//! thread ends. The main thread's loop never finishes for lack of sources.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use crate::accessibility::{Note, ObserverState};
use crate::ledger::{fault, lock};
use crate::object::{Body, Held, Object, Ref, get, release, retain};

pub(crate) struct SourceState {
    observer: Weak<ObserverState>,
    queue: Mutex<VecDeque<Note>>,
    valid: AtomicBool,
    loops: Mutex<Vec<Weak<LoopState>>>,
}

impl SourceState {
    pub(crate) fn new(observer: Weak<ObserverState>) -> Self {
        SourceState {
            observer,
            queue: Mutex::default(),
            valid: AtomicBool::new(true),
            loops: Mutex::default(),
        }
    }
    pub(crate) fn invalidate(&self) {
        self.valid.store(false, Ordering::Release);
        lock(&self.queue).clear();
    }
    pub(crate) fn push(&self, n: Note) {
        if !self.valid.load(Ordering::Acquire) {
            return;
        }
        lock(&self.queue).push_back(n);
        // The list is let go of first: a loop takes it while it is locked itself.
        let loops: Vec<_> = lock(&self.loops).iter().filter_map(Weak::upgrade).collect();
        loops.iter().for_each(|waiting| waiting.wake());
    }
}

#[derive(Default)]
struct Inner {
    stop: bool,
    woken: bool,
    running: u32,
    sources: Vec<(Held, Arc<SourceState>)>,
}

#[derive(Default)]
pub(crate) struct LoopState {
    inner: Mutex<Inner>,
    changed: Condvar,
}

impl LoopState {
    fn wake(&self) {
        lock(&self.inner).woken = true;
        self.changed.notify_all();
    }
}

struct ThreadLoop(Ref, Arc<LoopState>);

impl Drop for ThreadLoop {
    // A thread's run loop lets go of its sources when the thread ends.
    fn drop(&mut self) {
        for (s, _) in lock(&self.1.inner).sources.drain(..) {
            release(s.0);
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<ThreadLoop>> = const { RefCell::new(None) };
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRunLoopGetCurrent() -> Ref {
    CURRENT.with_borrow_mut(|c| {
        c.get_or_insert_with(|| {
            let s = Arc::new(LoopState::default());
            let o: &'static Object = Box::leak(Box::new(Object::immortal(Body::RunLoop(s.clone()))));
            ThreadLoop(o, s)
        })
        .0
    })
}

fn state(p: Ref, who: &str) -> Option<&'static Arc<LoopState>> {
    match get(p, who).map(|o| &o.body) {
        Some(Body::RunLoop(s)) => Some(s),
        _ => {
            fault(format!("{who}: not a run loop"));
            None
        }
    }
}

fn source(p: Ref, who: &str) -> Option<&'static Arc<SourceState>> {
    match get(p, who).map(|o| &o.body) {
        Some(Body::Source(s)) => Some(s),
        _ => {
            fault(format!("{who}: not a run loop source"));
            None
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRunLoopAddSource(rl: Ref, src: Ref, _mode: Ref) {
    let (Some(l), Some(s)) = (state(rl, "CFRunLoopAddSource"), source(src, "CFRunLoopAddSource")) else {
        return;
    };
    let mut inner = lock(&l.inner);
    if inner.sources.iter().any(|(p, _)| p.0 == src) {
        return;
    }
    retain(src);
    inner.sources.push((Held(src), s.clone()));
    lock(&s.loops).push(Arc::downgrade(l));
    inner.woken = true;
    l.changed.notify_all();
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRunLoopRemoveSource(rl: Ref, src: Ref, _mode: Ref) {
    let Some(l) = state(rl, "CFRunLoopRemoveSource") else { return };
    let mut inner = lock(&l.inner);
    if let Some(i) = inner.sources.iter().position(|(p, _)| p.0 == src) {
        inner.sources.remove(i);
        drop(inner);
        release(src);
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRunLoopWakeUp(rl: Ref) {
    if let Some(l) = state(rl, "CFRunLoopWakeUp") {
        l.wake();
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRunLoopStop(rl: Ref) {
    if let Some(l) = state(rl, "CFRunLoopStop") {
        let mut i = lock(&l.inner);
        // A stop sent while the loop does not run is lost, as in CF, where the
        // flag belongs to one run.
        if i.running > 0 {
            i.stop = true;
            l.changed.notify_all();
        }
    }
}

fn on_main_thread() -> bool {
    // SAFETY: a getter without arguments.
    unsafe { libc::gettid() == libc::getpid() }
}

const FINISHED: i32 = 1;
const STOPPED: i32 = 2;
const TIMED_OUT: i32 = 3;
const HANDLED: i32 = 4;

fn run(limit: Option<Duration>, one: bool) -> i32 {
    let rl = CFRunLoopGetCurrent();
    let l = state(rl, "CFRunLoopRun").expect("own run loop").clone();
    let until = limit.map(|d| Instant::now() + d);
    lock(&l.inner).running += 1;
    let r = turn(&l, until, one);
    let mut i = lock(&l.inner);
    i.running -= 1;
    i.stop = false;
    r
}

fn turn(l: &Arc<LoopState>, until: Option<Instant>, one: bool) -> i32 {
    loop {
        let mut inner = lock(&l.inner);
        if inner.stop {
            return STOPPED;
        }
        inner.sources.retain(|(p, s)| {
            let ok = s.valid.load(Ordering::Acquire);
            if !ok {
                release(p.0);
            }
            ok
        });
        // The main thread's loop also serves the main dispatch queue and so
        // never runs out of things to wait for.
        if inner.sources.is_empty() && !on_main_thread() {
            return FINISHED;
        }
        let next = inner.sources.iter().find_map(|(_, s)| {
            let n = lock(&s.queue).pop_front()?;
            Some((s.observer.upgrade()?, n))
        });
        if let Some((o, n)) = next {
            drop(inner);
            o.deliver(&n);
            if one {
                return HANDLED;
            }
            continue;
        }
        if inner.woken {
            inner.woken = false;
            continue;
        }
        match until {
            None => drop(l.changed.wait(inner)),
            Some(t) => {
                let now = Instant::now();
                if now >= t {
                    return TIMED_OUT;
                }
                drop(l.changed.wait_timeout(inner, t - now));
            }
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRunLoopRun() {
    run(None, false);
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CFRunLoopRunInMode(_mode: Ref, seconds: f64, one: u8) -> i32 {
    run(Some(Duration::from_secs_f64(seconds.clamp(0.0, 1e6))), one != 0)
}
