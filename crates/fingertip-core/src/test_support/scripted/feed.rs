//! Changes reported one by one, to each observer from the moment it began.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

use async_trait::async_trait;

use super::super::wait::Timer;
use crate::sync::lock;
use crate::target::{UiEvent, Watch};
use crate::{Deadline, Error, Reason, Result};

/// All that was reported so far.
#[derive(Default)]
pub(super) struct Feed(Arc<Mutex<Events>>);

#[derive(Default)]
struct Events {
    all: Vec<UiEvent>,
    waiting: Vec<Waker>,
}

impl Feed {
    pub(super) fn report(&self, event: UiEvent) {
        let mut events = lock(&self.0);
        events.all.push(event);
        let waiting = std::mem::take(&mut events.waiting);
        drop(events);
        waiting.into_iter().for_each(Waker::wake);
    }

    pub(super) fn follow(&self) -> Follower {
        Follower { events: Arc::clone(&self.0), next: lock(&self.0).all.len() }
    }
}

/// One observer.
pub(super) struct Follower {
    events: Arc<Mutex<Events>>,
    next: usize,
}

#[async_trait]
impl Watch for Follower {
    async fn next(&mut self, deadline: Deadline) -> Result<UiEvent> {
        let mut timer = Timer::new(deadline.instant());
        poll_fn(|context| {
            let mut events = lock(&self.events);
            if let Some(event) = events.all.get(self.next) {
                self.next += 1;
                return Poll::Ready(Ok(event.clone()));
            }
            if Pin::new(&mut timer).poll(context).is_ready() {
                return Poll::Ready(Err(Error::new(Reason::Timeout, "Nothing was reported in time.")));
            }
            events.waiting.push(context.waker().clone());
            Poll::Pending
        })
        .await
    }
}
