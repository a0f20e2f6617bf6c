//! Observers: who asked for which notification, and the way it takes through a run loop.
//!
//! The arguments of a callback are lent and released afterwards, so a callback that takes them over is found by the ledger. An
//! element's own name, a window's and the application's all get what happens below the application.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use super::convert::{code, element, name};
use crate::core_foundation::run_loop::SourceState;
use crate::ledger::lock;
use crate::message::send;
use crate::object::{Body, Object, Ref, get, release, string};
use crate::world::{self, NodeId, Notification, ROOT, ax_error};

pub(crate) type Callback = unsafe extern "C-unwind" fn(Ref, Ref, Ref, *mut c_void);

struct Registration {
    node: NodeId,
    name: String,
    context: usize,
}

/// What an observer is behind its reference.
pub(crate) struct ObserverState {
    pid: i32,
    callback: Callback,
    registrations: Mutex<Vec<Registration>>,
    /// The observer itself, lent to its callback; null once it is gone.
    own: AtomicPtr<Object>,
    source_object: AtomicPtr<Object>,
    source: Arc<SourceState>,
}

static OBSERVERS: Mutex<Vec<Weak<ObserverState>>> = Mutex::new(Vec::new());

/// A notification on its way to one callback.
#[derive(Clone)]
pub(crate) struct Note {
    node: NodeId,
    name: String,
    context: usize,
}

impl ObserverState {
    /// The last reference is gone.
    pub(crate) fn end(&self) {
        self.source.invalidate();
        self.own.store(std::ptr::null_mut(), Ordering::Release);
        let source = self.source_object.swap(std::ptr::null_mut(), Ordering::AcqRel);
        release(source);
    }

    /// Runs the callback, on the thread whose run loop has the source.
    pub(crate) fn deliver(&self, note: &Note) {
        let own = self.own.load(Ordering::Acquire);
        if own.is_null() {
            return;
        }
        let about = element(self.pid, note.node, "AXObserver callback");
        let name = string(&note.name, "AXObserver callback");
        // SAFETY: the caller of AXObserverCreate gave a function of this type, and its context outlives the observer.
        unsafe { (self.callback)(own, about, name, note.context as *mut c_void) };
        release(name);
        release(about);
    }
}

/// Delivers a notification to every observer that asked for it, now or later, once or more often.
pub(crate) fn deliver_all(note: &Notification, copies: usize, delay: Duration) {
    if !delay.is_zero() {
        let note = note.clone();
        std::thread::spawn(move || {
            std::thread::sleep(delay);
            deliver_all(&note, copies, Duration::ZERO);
        });
        return;
    }
    let observers: Vec<_> = {
        let mut all = lock(&OBSERVERS);
        all.retain(|observer| observer.strong_count() > 0);
        all.iter().filter_map(Weak::upgrade).collect()
    };
    for observer in observers.iter().filter(|observer| observer.pid == note.pid) {
        let contexts: Vec<usize> = lock(&observer.registrations)
            .iter()
            .filter(|asked| asked.name == note.name && (asked.node == note.node || asked.node == ROOT))
            .map(|asked| asked.context)
            .collect();
        for context in contexts {
            for _ in 0..copies {
                observer.source.push(Note { node: note.node, name: note.name.clone(), context });
            }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXObserverCreate(pid: i32, callback: Option<Callback>, out: *mut Ref) -> i32 {
    let Some(callback) = callback else { return ax_error::ILLEGAL_ARGUMENT };
    if !world::with(|world| world.apps.contains_key(&pid)) {
        return ax_error::FAILURE;
    }
    let state = Arc::new_cyclic(|weak: &Weak<ObserverState>| ObserverState {
        pid,
        callback,
        registrations: Mutex::new(Vec::new()),
        own: AtomicPtr::new(std::ptr::null_mut()),
        source_object: AtomicPtr::new(std::ptr::null_mut()),
        source: Arc::new(SourceState::new(weak.clone())),
    });
    let source = Object::make(Body::Source(Arc::clone(&state.source)), "AXObserverCreate source");
    state.source_object.store(source.cast_mut(), Ordering::Release);
    lock(&OBSERVERS).push(Arc::downgrade(&state));
    let observer = Object::make(Body::Observer(Arc::clone(&state)), "AXObserverCreate");
    state.own.store(observer.cast_mut(), Ordering::Release);
    // SAFETY: valid by the caller's duty.
    unsafe { *out = observer };
    0
}

fn state(reference: Ref, who: &str) -> Result<&'static Arc<ObserverState>, i32> {
    match get(reference, who).map(|object| &object.body) {
        Some(Body::Observer(state)) => Ok(state),
        _ => Err(ax_error::INVALID_OBSERVER),
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXObserverAddNotification(
    observer: Ref,
    about: Ref,
    notification: Ref,
    context: *mut c_void,
) -> i32 {
    let who = "AXObserverAddNotification";
    code(state(observer, who).and_then(|observer| {
        let name = name(notification, who)?;
        send(about, who, |_, to| {
            if to.pid != observer.pid {
                return Err(ax_error::ILLEGAL_ARGUMENT);
            }
            let mut registrations = lock(&observer.registrations);
            if registrations.iter().any(|asked| asked.node == to.node && asked.name == name) {
                return Err(ax_error::NOTIFICATION_ALREADY_REGISTERED);
            }
            registrations.push(Registration { node: to.node, name, context: context as usize });
            Ok(())
        })
    }))
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXObserverRemoveNotification(observer: Ref, about: Ref, notification: Ref) -> i32 {
    let who = "AXObserverRemoveNotification";
    code(state(observer, who).and_then(|observer| {
        let name = name(notification, who)?;
        send(about, who, |_, to| {
            let mut registrations = lock(&observer.registrations);
            let at = registrations
                .iter()
                .position(|asked| asked.node == to.node && asked.name == name)
                .ok_or(ax_error::NOTIFICATION_NOT_REGISTERED)?;
            registrations.remove(at);
            Ok(())
        })
    }))
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXObserverGetRunLoopSource(observer: Ref) -> Ref {
    state(observer, "AXObserverGetRunLoopSource")
        .map_or(std::ptr::null(), |observer| observer.source_object.load(Ordering::Acquire))
}
