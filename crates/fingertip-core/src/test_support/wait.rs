//! Waiting without an async runtime, which this crate does not have.

use crate::sync::lock;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

/// Ready from `at` on; a thread of its own wakes the task then.
#[derive(Debug)]
pub(super) struct Timer {
    at: Instant,
    waker: Option<Arc<Mutex<Waker>>>,
}

impl Timer {
    pub(super) const fn new(at: Instant) -> Self {
        Self { at, waker: None }
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let left = self.at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Poll::Ready(());
        }
        if let Some(waker) = &self.waker {
            lock(waker).clone_from(context.waker());
        } else {
            let waker = Arc::new(Mutex::new(context.waker().clone()));
            self.waker = Some(Arc::clone(&waker));
            thread::spawn(move || {
                thread::sleep(left);
                lock(&waker).wake_by_ref();
            });
        }
        Poll::Pending
    }
}

/// Runs a future to its end on this thread.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_timer_ends_at_its_moment_not_before() {
        let at = Instant::now() + Duration::from_millis(20);
        block_on(Timer::new(at));
        assert!(Instant::now() >= at);
    }
}
