//! The observers of the accessibility API, and the thread whose run loop serves them.
//!
//! An observer is made and its notifications are registered in the turn of its application, since that is a message for
//! each notification and must not delay other applications. Its callbacks come on one thread of ours for all applications. There, and only there, an
//! observer ends: its source is taken off the run loop first, then it is released, then what its callback looks at is freed,
//! so that no callback can come in between.
#![allow(unsafe_code, reason = "the callback of AXObserver and its context")]

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use fingertip_core::sync::lock;

use super::{NOTIFICATIONS, Sink};
use crate::bindings::ax::{AXError, AXObserver, AXUIElement};
use crate::bindings::cf::{CFRetained, CFRunLoop, CFRunLoopRunResult, CFString, kCFRunLoopDefaultMode};
use crate::client::Client;
use crate::element::Element;
use crate::failure::{Answer, Failure, check};
use crate::value;

/// How long the run loop runs before it looks whether it shall stop: a stop that comes too early is lost.
const ROUND: Duration = Duration::from_millis(200);

/// The number of the next observation.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// One application that is observed.
pub(super) struct Observer {
    observer: CFRetained<AXObserver>,
    /// What the callback looks at; it must outlive the observer.
    context: Box<Context>,
    number: u64,
}

// SAFETY: the observer is used by one thread at a time: by the one that makes it, then by the thread of the run loop. Core
// Foundation counts references atomically.
unsafe impl Send for Observer {}

struct Context {
    pid: i32,
    sink: Arc<Sink>,
}

/// Called on the thread of the run loop.
unsafe extern "C-unwind" fn on_notification(
    _observer: NonNull<AXObserver>,
    element: NonNull<AXUIElement>,
    name: NonNull<CFString>,
    context: *mut c_void,
) {
    // SAFETY: the context outlives the observer, see the module; element and name are lent for the call, so that the first is
    // retained and the second copied.
    let (context, element, name) = unsafe {
        (&*context.cast::<Context>(), Element::of(element.as_ref()), value::bounded(name.as_ref()))
    };
    context.sink.put(context.pid, element, &name);
}

impl Observer {
    /// Asks an application to report what happens in it. What it does not know is left out.
    ///
    /// # Errors
    /// When it does not answer, or reports nothing at all.
    pub(super) fn new(client: &Client<'_>, sink: &Arc<Sink>) -> Answer<Self> {
        let pid = client.app.pid;
        let context = Box::new(Context { pid, sink: Arc::clone(sink) });
        let mut slot: *mut AXObserver = std::ptr::null_mut();
        // SAFETY: the slot is valid for the call.
        check(unsafe { AXObserver::create(pid, Some(on_notification), NonNull::from(&mut slot)) })?;
        let slot = NonNull::new(slot).ok_or(Failure::NoValue)?;
        // SAFETY: a Create function that succeeded stored a reference for us.
        let observer = unsafe { CFRetained::from_raw(slot) };
        let made = Self { observer, context, number: NEXT.fetch_add(1, Ordering::Relaxed) };
        let mut observed = 0;
        for notification in &NOTIFICATIONS {
            client.cancel.go_on()?;
            match made.add(client.app.root.reference(), notification.name) {
                Ok(()) => observed += 1,
                Err(failure) if failure.says_no() => {}
                Err(failure) => return Err(failure),
            }
        }
        if observed == 0 { Err(Failure::Unsupported) } else { Ok(made) }
    }

    /// Which observation it is.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn add(&self, element: &AXUIElement, name: &'static str) -> Answer<()> {
        let context: *const Context = &raw const *self.context;
        // SAFETY: the context lives until after the observer is released.
        let added = unsafe {
            self.observer.add_notification(
                element,
                &CFString::from_static_str(name),
                context.cast_mut().cast::<c_void>(),
            )
        };
        if added == AXError::NotificationAlreadyRegistered { Ok(()) } else { check(added) }
    }
}

/// The run loop of the thread.
#[derive(Clone)]
struct Loop(CFRetained<CFRunLoop>);

// SAFETY: adding and removing sources, waking and stopping may be done from any thread, by their documentation.
unsafe impl Send for Loop {}

/// The thread on which notifications come; started by the first observer.
#[derive(Default)]
pub(super) struct ObserverThread(Mutex<Option<Running>>);

struct Running {
    run_loop: Loop,
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    /// Observers to end.
    ended: Mutex<Vec<Observer>>,
}

impl ObserverThread {
    /// Lets an observer call back from now on.
    pub(super) fn start(&self, observer: &Observer) {
        let mut running = lock(&self.0);
        if running.is_none() {
            *running = spawn();
        }
        let Some(Running { run_loop, thread, .. }) = running.as_ref() else { return };
        // SAFETY: a plain getter; the mode is a string that lives as long as the process.
        unsafe {
            let source = observer.observer.run_loop_source();
            run_loop.0.add_source(Some(&source), kCFRunLoopDefaultMode);
        }
        run_loop.0.wake_up();
        thread.thread().unpark();
    }

    /// Ends an observer, on the thread that its callbacks come on.
    pub(super) fn end(&self, observer: Observer) {
        let running = lock(&self.0);
        let Some(Running { run_loop, shared, thread }) = running.as_ref() else { return };
        lock(&shared.ended).push(observer);
        run_loop.0.stop();
        thread.thread().unpark();
    }

    /// Ends the thread, and the observers that were ended.
    pub(super) fn stop(&self) {
        let Some(Running { run_loop, shared, thread }) = lock(&self.0).take() else { return };
        shared.stop.store(true, Ordering::Release);
        run_loop.0.stop();
        run_loop.0.wake_up();
        thread.thread().unpark();
        if thread.join().is_err() {
            tracing::warn!("the thread of the observers ended by a panic");
        }
    }
}

fn spawn() -> Option<Running> {
    let shared = Arc::new(Shared::default());
    let (ready, is_ready) = mpsc::channel();
    let own = Arc::clone(&shared);
    let thread = std::thread::Builder::new().name("ax-observers".to_owned()).spawn(move || {
        if let Some(run_loop) = CFRunLoop::current() {
            let _ = ready.send(Loop(run_loop.clone()));
            serve(&run_loop, &own);
        }
    });
    let thread = thread.inspect_err(|error| tracing::warn!(%error, "no thread for observers")).ok()?;
    let run_loop = is_ready.recv().ok()?;
    Some(Running { run_loop, shared, thread })
}

fn serve(run_loop: &CFRunLoop, shared: &Shared) {
    // SAFETY: a string that lives as long as the process.
    let mode = unsafe { kCFRunLoopDefaultMode };
    loop {
        let ran = CFRunLoop::run_in_mode(mode, ROUND.as_secs_f64(), false);
        for observer in std::mem::take(&mut *lock(&shared.ended)) {
            // SAFETY: a plain getter.
            let source = unsafe { observer.observer.run_loop_source() };
            run_loop.remove_source(Some(&source), mode);
            let Observer { observer, context, .. } = observer;
            drop(observer);
            drop(context);
        }
        if shared.stop.load(Ordering::Acquire) {
            return;
        }
        if ran == CFRunLoopRunResult::Finished {
            // It has no source yet.
            std::thread::park_timeout(ROUND);
        }
    }
}
