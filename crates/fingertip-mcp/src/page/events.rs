//! The stream that tells an open page what happens: server-sent events, one stream for each page.
//!
//! A page that watches a target has its pictures made for as long as its stream is open. News are told as they come; a page that is
//! too slow for them is told to ask for everything anew. Streams are few, and end with their session and with the server.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream;
use http::{HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

use super::Page;
use super::door::{Door, Visitor};
use super::live::{Newest, Watching};
use super::oversight::{Controlling, News, Oversight, RECORDING};
use crate::dispatch::Dispatcher;
use crate::transport::reply;

/// The most streams open at once.
const MOST: usize = 16;
/// How often something is sent, if only to see whether the page is still there and its session open.
const BEAT: Duration = Duration::from_secs(10);

/// How many streams are open.
#[derive(Debug, Default)]
pub(super) struct Streams(AtomicUsize);

struct Place(Arc<Streams>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Streams {
    fn enter(self: &Arc<Self>) -> Option<Place> {
        let place = Place(Arc::clone(self));
        (self.0.fetch_add(1, Ordering::Relaxed) < MOST).then_some(place)
    }
}

/// What one stream listens to.
struct Listening {
    dispatcher: Arc<Dispatcher>,
    oversight: Arc<Oversight>,
    door: Arc<Door>,
    visitor: Visitor,
    news: broadcast::Receiver<News>,
    targets: watch::Receiver<u64>,
    /// The target whose pictures the page shows.
    name: Option<String>,
    /// That target, while it is attached.
    shown: Option<Shown>,
    _controlling: Option<Controlling>,
    _place: Place,
}

struct Shown {
    watching: Watching,
    picture: watch::Receiver<Newest>,
}

impl Page {
    pub(super) fn events(&self, visitor: Visitor, target: Option<String>) -> Response<Body> {
        let Some(place) = self.streams.enter() else {
            return reply::problem(StatusCode::SERVICE_UNAVAILABLE, "too_many", "too many pages are open");
        };
        let mut listening = Listening {
            dispatcher: Arc::clone(&self.dispatcher),
            oversight: Arc::clone(&self.oversight),
            door: Arc::clone(&self.door),
            visitor,
            news: self.oversight.subscribe(),
            targets: self.dispatcher.targets().subscribe(),
            name: target,
            shown: None,
            _controlling: visitor.controls().then(|| self.oversight.controls()).flatten(),
            _place: place,
        };
        listening.watch();
        let begun = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"retry: 1000\n\n"))]);
        let events = stream::unfold(listening, |mut listening| async move {
            let event = listening.next().await?;
            Some((Ok(event), listening))
        });
        let mut response = Response::new(Body::from_stream(futures_util::StreamExt::chain(begun, events)));
        let kind = HeaderValue::from_static("text/event-stream");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

impl Listening {
    /// Watches what has the name of its target now: one that was unplugged and came back is another one.
    fn watch(&mut self) {
        let all = self.dispatcher.targets().all();
        let attached = all.iter().find(|known| Some(&known.info().name) == self.name.as_ref());
        let watched = self.shown.as_ref().map(|shown| shown.watching.live().attached());
        if watched.map(Arc::as_ptr) == attached.map(Arc::as_ptr) {
            return;
        }
        let blocklist = &self.dispatcher.policy().blocklist;
        self.shown = attached.map(|attached| {
            let watching = self.oversight.lives.watch(attached, blocklist);
            let mut picture = watching.live().subscribe();
            // What is there already is news to this page.
            let Newest { frame, problem } = watching.live().newest();
            if frame.is_some() || problem.is_some() {
                picture.mark_changed();
            }
            Shown { watching, picture }
        });
    }

    async fn next(&mut self) -> Option<Bytes> {
        let pictures = async {
            if let Some(Shown { picture, .. }) = &mut self.shown
                && picture.changed().await.is_ok()
            {
                return picture.borrow_and_update().clone();
            }
            // Without its sender there is nothing more to be seen.
            std::future::pending().await
        };
        let event = tokio::select! {
            news = self.news.recv() => match news {
                Ok(News { about: RECORDING, .. }) => event(RECORDING, &self.oversight.recorder.state()),
                Ok(News { about, value }) => event(about, &value),
                Err(RecvError::Lagged(_)) => event("reload", &Value::Null),
                Err(RecvError::Closed) => return None,
            },
            changed = self.targets.changed() => {
                changed.ok()?;
                self.watch();
                event("targets", &super::routes::targets(&self.dispatcher))
            }
            Newest { frame, problem } = pictures => {
                let frame = frame.map(|frame| json!([frame.number, frame.width, frame.height]));
                event("frame", &json!({ "frame": frame, "problem": problem }))
            }
            () = tokio::time::sleep(BEAT) => Bytes::from_static(b": still here\n\n"),
        };
        // At each event: on a screen that never rests no beat comes between two of them.
        self.door.is_open(self.visitor).then_some(event)
    }
}

fn event(about: &str, value: &Value) -> Bytes {
    // JSON is one line, so that nothing in it can end the event.
    format!("event: {about}\ndata: {value}\n\n").into()
}
