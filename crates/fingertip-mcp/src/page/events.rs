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
use crate::attached::Attached;
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
    news: broadcast::Receiver<News>,
    targets: watch::Receiver<u64>,
    picture: Option<watch::Receiver<Newest>>,
    page: Listened,
    visitor: Visitor,
    _watching: Option<Watching>,
    _controlling: Option<Controlling>,
    _place: Place,
}

struct Listened {
    door: Arc<Door>,
    oversight: Arc<Oversight>,
    list: Box<dyn Fn() -> Value + Send>,
}

impl Page {
    pub(super) fn events(&self, visitor: Visitor, target: Option<String>) -> Response<Body> {
        let Some(place) = self.streams.enter() else {
            return reply::problem(StatusCode::SERVICE_UNAVAILABLE, "too_many", "too many pages are open");
        };
        let all = self.dispatcher.targets().all();
        let attached = target.and_then(|name| all.into_iter().find(|known| known.info().name == name));
        let blocklist = &self.dispatcher.policy().blocklist;
        let watching =
            attached.map(|attached: Arc<Attached>| self.oversight.lives.watch(&attached, blocklist));
        let mut picture = watching.as_ref().map(|watching| watching.live().subscribe());
        if let Some(picture) = &mut picture {
            // What is there already is news to this page.
            let newest = picture.borrow().clone();
            if newest.frame.is_some() || newest.problem.is_some() {
                picture.mark_changed();
            }
        }
        let dispatcher = Arc::clone(&self.dispatcher);
        let list = move || super::routes::targets(&dispatcher);
        let listening = Listening {
            news: self.oversight.subscribe(),
            targets: self.dispatcher.targets().subscribe(),
            picture,
            page: Listened {
                door: Arc::clone(&self.door),
                oversight: Arc::clone(&self.oversight),
                list: Box::new(list),
            },
            visitor,
            _watching: watching,
            _controlling: visitor.controls().then(|| self.oversight.controls()).flatten(),
            _place: place,
        };
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
    async fn next(&mut self) -> Option<Bytes> {
        let pictures = async {
            if let Some(picture) = &mut self.picture
                && picture.changed().await.is_ok()
            {
                return picture.borrow_and_update().clone();
            }
            // Without its sender there is nothing more to be seen.
            std::future::pending().await
        };
        let event = tokio::select! {
            news = self.news.recv() => match news {
                Ok(News { about: RECORDING, .. }) => event(RECORDING, &self.page.oversight.recorder.state()),
                Ok(News { about, value }) => event(about, &value),
                Err(RecvError::Lagged(_)) => event("reload", &Value::Null),
                Err(RecvError::Closed) => return None,
            },
            changed = self.targets.changed() => {
                changed.ok()?;
                event("targets", &(self.page.list)())
            }
            Newest { frame, problem } = pictures => {
                let frame = frame.map(|frame| json!([frame.number, frame.width, frame.height]));
                event("frame", &json!({ "frame": frame, "problem": problem }))
            }
            () = tokio::time::sleep(BEAT) => Bytes::from_static(b": still here\n\n"),
        };
        // At each event: on a screen that never rests no beat comes between two of them.
        self.page.door.is_open(self.visitor).then_some(event)
    }
}

fn event(about: &str, value: &Value) -> Bytes {
    // JSON is one line, so that nothing in it can end the event.
    format!("event: {about}\ndata: {value}\n\n").into()
}
