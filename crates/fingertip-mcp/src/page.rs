//! The page at `/ui`: a person watches what agents do to a target, and steers.
//!
//! - `door`, `headers`: who may open it, and what a request must say;
//! - `live`, `screen`: the picture, the tree, and what a model would read;
//! - `history`, `steering`, `questions`, `recording`: the log of calls, who may act, what is asked, what can be done again;
//! - `oversight`: those of them that the dispatcher knows;
//! - `page.html`, `page.js`, `page.css`, `closed.html`: what the browser gets, as it is in this folder.
//!
//! Rules: nothing is answered without the cookie but the link that brings it. What acts goes through the dispatcher like every
//! call, as the client "page", and only in a session for control. Whatever is on the screen is data: it reaches the browser as JSON,
//! and the script makes text nodes of it.
//!
//! Non-goals: accounts, pages of other servers, video.

mod door;
mod events;
mod headers;
mod history;
mod live;
mod oversight;
mod questions;
mod recording;
mod routes;
mod screen;
mod steering;

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};

pub use door::{Access, LINK_LIFE, LinkKey};
pub use oversight::Oversight;
pub(crate) use oversight::Watched;
pub(crate) use recording::Did;
pub(crate) use steering::Mode;

use crate::dispatch::Dispatcher;
use crate::transport::{HttpLimits, body, reply};
use door::{Door, Visitor};

/// Where the page is.
pub const PATH: &str = "/ui/";
/// Where a link leads.
pub(crate) const ENTER_PATH: &str = "/ui/enter";

const CLOSED: &str = "this page is opened by a link that works once; 'fingertip ui' prints one on the machine that runs the server";
const USED: &str = "this link was used before, or has ended; 'fingertip ui' prints another one";
const FOREIGN: &str = "this page answers only requests that it made itself";

/// The page of one server.
pub struct Page {
    dispatcher: Arc<Dispatcher>,
    oversight: Arc<Oversight>,
    door: Arc<Door>,
    streams: Arc<events::Streams>,
    limits: HttpLimits,
    tls: bool,
}

impl Page {
    /// The page over this dispatcher, which must have the same oversight; links are signed with this key.
    #[must_use]
    pub fn new(
        dispatcher: Arc<Dispatcher>,
        oversight: Arc<Oversight>,
        key: LinkKey,
        limits: HttpLimits,
        tls: bool,
    ) -> Self {
        let door = Arc::new(Door::new(key));
        Self { dispatcher, oversight, door, streams: Arc::default(), limits, tls }
    }

    /// Whether a request is for the page.
    pub(crate) fn is_asked<B>(request: &Request<B>) -> bool {
        let path = request.uri().path();
        path == "/ui" || path.starts_with(PATH)
    }

    /// Answers a request whose Host was checked; `known` is called once its cookie was found to be one of ours.
    pub(crate) async fn respond<B>(
        &self,
        port: u16,
        request: Request<B>,
        known: impl FnOnce(),
    ) -> Response<Body>
    where
        B: HttpBody<Data = axum::body::Bytes> + Send + Unpin + 'static,
    {
        headers::harden(self.answer(port, request, known).await)
    }

    async fn answer<B>(&self, port: u16, request: Request<B>, known: impl FnOnce()) -> Response<Body>
    where
        B: HttpBody<Data = axum::body::Bytes> + Send + Unpin + 'static,
    {
        let (parts, body) = request.into_parts();
        // A cookie is sent to every port of a host.
        let name = format!("fingertip_page_{port}");
        if !headers::is_ours(&parts.method, &parts.uri, &parts.headers) {
            body::discard(body, &self.limits);
            return reply::problem(StatusCode::FORBIDDEN, "forbidden", FOREIGN);
        }
        if parts.uri.path() == ENTER_PATH && parts.method == Method::GET {
            body::discard(body, &self.limits);
            return self.enter(&name, &parts);
        }
        let visitor = headers::cookie(&parts.headers, &name).and_then(|cookie| self.door.visitor(cookie));
        let Some(visitor) = visitor else {
            body::discard(body, &self.limits);
            return closed(&parts.headers, CLOSED);
        };
        known();
        self.route(visitor, &parts, body).await
    }

    /// Turns a link into a cookie.
    fn enter(&self, name: &str, parts: &Parts) -> Response<Body> {
        let link = parts.uri.query().and_then(|query| query.strip_prefix("key="));
        let Some(cookie) = link.and_then(|link| self.door.enter(link)) else {
            return closed(&parts.headers, USED);
        };
        let secure = if self.tls { "; Secure" } else { "" };
        let cookie = format!("{name}={cookie}; Path=/ui; HttpOnly; SameSite=Strict{secure}");
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(PATH));
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// Why nothing is shown: to a person as text to read, to programs as JSON.
fn closed(headers: &HeaderMap, why: &'static str) -> Response<Body> {
    let mut accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    if !accepted.any(|kinds| kinds.contains("text/html")) {
        return reply::problem(StatusCode::UNAUTHORIZED, "unauthorized", why);
    }
    let mut response = Response::new(Body::from(include_str!("page/closed.html").replace("{{why}}", why)));
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// What a session without control is told when it asks for more.
fn needs_control() -> Response<Body> {
    let message = "this page was opened to look; 'fingertip ui --control' prints a link that can act";
    reply::problem(StatusCode::FORBIDDEN, "forbidden", message)
}

impl Visitor {
    fn controls(self) -> bool {
        self.access == Access::Control
    }
}
