//! The HTTP side of the server: one address for every kind of MCP client.
//!
//! A request passes, in this order: health check, the page with a door of its own, Host and Origin, token, path. On `/mcp` a client that opens a session
//! gets one; every other client (plain `curl`, stateless clients of protocol 2026-07-28) gets one JSON answer per POST and
//! leaves nothing behind. The SDK serves the two ways with two services, and this module chooses between them:
//!
//! - a session id in the headers, or `initialize` from a client that names event streams in Accept: with sessions;
//! - all else: without. A client that cannot read event streams would not understand a session's answers.

use std::{io, pin::Pin, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes, HttpBody},
    extract::ConnectInfo,
};
use futures_util::StreamExt;
use http::{HeaderValue, Method, Request, Response, StatusCode, Version, header};
use http_body_util::Full;
use hyper::body::Incoming;
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService},
};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::{
    accept,
    activity::{Activity, Answer},
    auth::{Denied, Gate},
    body, envelope, health,
    host::AllowedHosts,
    incoming,
    limits::HttpLimits,
    reply,
    sessions::BoundedSessions,
};
use crate::page::Page;

const SESSION_ID: &str = "mcp-session-id";
const UNAUTHORIZED: &str = "send the token as 'Authorization: Bearer TOKEN'; 'fingertip token' shows it \
    on the machine that runs the server";

/// Time for a cancelled call to end, when the server shuts down.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);
/// Pause between two looks whether it has.
const RUNNING_PAUSE: Duration = Duration::from_millis(5);
/// Time for what a driver sends when a call is dropped, such as lifting a finger, to leave this process.
const DRIVER_TIME: Duration = Duration::from_millis(100);

/// What answers the requests of connections, without the type of the handler behind it.
pub(crate) trait Respond: Send + Sync {
    /// Answers one request.
    fn respond(self: Arc<Self>, activity: Arc<Activity>, request: Request<Incoming>) -> Responding;

    /// Ends all sessions, every stream still open, and every call; drivers get a moment to lift their fingers.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// A response on its way.
pub(crate) type Responding = Pin<Box<dyn Future<Output = Response<Answer>> + Send>>;

/// Everything that answers requests, shared by all connections.
pub(crate) struct Endpoint<H> {
    gate: Gate,
    hosts: AllowedHosts,
    limits: HttpLimits,
    sessions: Arc<BoundedSessions>,
    with_sessions: StreamableHttpService<H, BoundedSessions>,
    /// Never asks its manager, which has the type of the other for the SDK to be compiled once.
    without_sessions: StreamableHttpService<H, BoundedSessions>,
    more_routes: Router,
    /// The page, and the port it is reached at.
    page: Option<(Arc<Page>, u16)>,
    /// Ends streams that would otherwise stay open for ever.
    shutdown: CancellationToken,
    /// Ends what is still running when the grace of the shutdown is over.
    cut: CancellationToken,
    /// Held by every call under way, until its handler has really ended.
    running: Arc<()>,
}

impl<H: ServerHandler> Endpoint<H> {
    pub(crate) fn new(
        gate: Gate,
        hosts: AllowedHosts,
        limits: HttpLimits,
        more_routes: Router,
        page: Option<(Arc<Page>, u16)>,
        shutdown: CancellationToken,
        factory: impl Fn() -> H + Send + Sync + 'static,
    ) -> Self {
        let cut = CancellationToken::new();
        // Hosts and origins were checked before a request gets to the SDK.
        let settings = StreamableHttpServerConfig::default()
            .with_json_response(true)
            .with_max_request_body_bytes(limits.body_bytes)
            .with_cancellation_token(cut.clone())
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = Arc::new(BoundedSessions::new(limits.sessions, limits.session_idle));
        let factory: Arc<dyn Fn() -> io::Result<H> + Send + Sync> = Arc::new(move || Ok(factory()));
        let same_factory = factory.clone();
        Self {
            gate,
            hosts,
            limits,
            with_sessions: StreamableHttpService::new(move || factory(), sessions.clone(), settings.clone()),
            without_sessions: StreamableHttpService::new(
                move || same_factory(),
                sessions.clone(),
                settings.with_legacy_session_mode(false),
            ),
            sessions,
            more_routes: more_routes.fallback(not_found).method_not_allowed_fallback(wrong_method),
            page,
            shutdown,
            cut,
            running: Arc::default(),
        }
    }

    async fn close_all(&self) {
        let was_running = self.is_running();
        self.cut.cancel();
        self.sessions.close_all().await;
        if was_running {
            let ended = async {
                while self.is_running() {
                    sleep(RUNNING_PAUSE).await;
                }
            };
            if timeout(CANCEL_TIMEOUT, ended).await.is_err() {
                tracing::warn!("a call did not end when it was cancelled");
            }
            sleep(DRIVER_TIME).await;
        }
    }

    fn is_running(&self) -> bool {
        Arc::strong_count(&self.running) > 1
    }

    async fn respond_to(&self, activity: &Arc<Activity>, request: Request<Incoming>) -> Response<Answer> {
        let busy = activity.begin();
        let is_http2 = request.version() >= Version::HTTP_2;
        let mut response = self.answer(activity, request).await;
        if !activity.is_authenticated() {
            activity.refused();
            if !is_http2 {
                // One answer for a stranger: else it could ask on and on, and read none of them.
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
        }
        response.map(|body| Answer::new(body, busy))
    }

    async fn answer(&self, activity: &Arc<Activity>, request: Request<Incoming>) -> Response<Body> {
        if health::is_asked(&request) {
            return health::answer();
        }
        if let Some((page, port)) = self.page.as_ref().filter(|_| Page::is_asked(&request)) {
            return self.show(page, *port, activity, request).await;
        }
        if let Some(refused) = self.refuse(activity, &request).await {
            body::discard(request.into_body(), &self.limits);
            return refused;
        }
        match (request.uri().path(), request.method()) {
            ("/mcp" | "/mcp/", &Method::POST) => self.post(request).await,
            ("/mcp" | "/mcp/", &Method::GET | &Method::DELETE) => self.stream_or_end(request).await,
            ("/mcp" | "/mcp/", _) => {
                let mut refused = wrong_method().await;
                refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, POST, DELETE"));
                refused
            }
            _ => {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(ConnectInfo(activity.peer));
                self.more_routes.clone().oneshot(request).await.unwrap_or_else(|never| match never {})
            }
        }
    }

    /// The page has a door of its own: its cookie stands for no token, and the token for no cookie.
    async fn show(
        &self,
        page: &Page,
        port: u16,
        activity: &Arc<Activity>,
        request: Request<Incoming>,
    ) -> Response<Body> {
        if let Err(forbidden) = self.hosts.check(request.uri(), request.headers()) {
            body::discard(request.into_body(), &self.limits);
            return reply::problem(StatusCode::FORBIDDEN, "forbidden", forbidden.message());
        }
        // Until it is answered it is a call like those of clients.
        let _running = self.running.clone();
        let answer = Box::pin(page.respond(port, request, || activity.authenticate()));
        let Some(response) = self.cut.run_until_cancelled(answer).await else {
            return reply::problem(StatusCode::SERVICE_UNAVAILABLE, "ending", "the server is shutting down");
        };
        let is_stream = response.body().size_hint().exact().is_none();
        if is_stream { self.until_shutdown(response) } else { response }
    }

    async fn refuse(&self, activity: &Arc<Activity>, request: &Request<Incoming>) -> Option<Response<Body>> {
        if let Err(forbidden) = self.hosts.check(request.uri(), request.headers()) {
            return Some(reply::problem(StatusCode::FORBIDDEN, "forbidden", forbidden.message()));
        }
        match self.gate.admit(request.headers(), activity).await {
            Ok(()) => None,
            Err(Denied::Unauthorized) => {
                let mut refused = reply::problem(StatusCode::UNAUTHORIZED, "unauthorized", UNAUTHORIZED);
                refused.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                Some(refused)
            }
            Err(Denied::Overloaded) => {
                let message = "too many requests with a wrong token; try again later";
                let mut refused = reply::problem(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message);
                let seconds = self.limits.throttle.max_delay.as_secs().max(1);
                refused.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
                Some(refused)
            }
        }
    }

    async fn post(&self, request: Request<Incoming>) -> Response<Body> {
        let (mut parts, body) = request.into_parts();
        let bytes = match incoming::message(&parts, body, &self.limits).await {
            Ok(bytes) => bytes,
            Err(refused) => return *refused,
        };
        let envelope = match envelope::inspect(&bytes) {
            Ok(envelope) => envelope,
            Err(refusal) => return incoming::refused(&refusal),
        };
        let accepts = accept::read(&parts.headers);
        accept::normalise(&mut parts.headers, accepts);
        let opens_session = envelope.method == "initialize" && accepts == accept::Accepts::Streams;
        let in_session = opens_session || parts.headers.contains_key(SESSION_ID);
        // The SDK hands the head of a request to its handler, which thus holds this until it ends.
        parts.extensions.insert(self.running.clone());
        let request = Request::from_parts(parts, Full::new(bytes.clone()));
        let response = reply::in_json(self.hand_over(request, in_session).await, envelope.id).await;
        if envelope.method == "subscriptions/listen" { self.until_shutdown(response) } else { response }
    }

    /// GET opens the stream of a session, DELETE ends the session; without a session id the SDK refuses both.
    async fn stream_or_end(&self, request: Request<Incoming>) -> Response<Body> {
        let (mut parts, body) = request.into_parts();
        body::discard(body, &self.limits);
        accept::normalise_for_stream(&mut parts.headers);
        let in_session = parts.headers.contains_key(SESSION_ID);
        let ends = parts.method == Method::DELETE;
        let request = Request::from_parts(parts, Full::default());
        let mut response = reply::in_json(self.hand_over(request, in_session).await, None).await;
        if ends && response.status() == StatusCode::ACCEPTED {
            // The session has ended; nothing is still to be done, as the SDK's status would say.
            response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        self.until_shutdown(response)
    }

    async fn hand_over(
        &self,
        request: Request<Full<Bytes>>,
        in_session: bool,
    ) -> Response<impl HttpBody<Data = Bytes, Error = std::convert::Infallible> + Send + Unpin + 'static>
    {
        // Boxed: on its way to the connection a request is moved several times, with all that it may ever hold.
        if in_session {
            Box::pin(self.with_sessions.handle(request)).await
        } else {
            Box::pin(self.without_sessions.handle(request)).await
        }
    }

    /// Lets a stream end with the server instead of holding its shutdown up.
    fn until_shutdown(&self, response: Response<Body>) -> Response<Body> {
        let shutdown = self.shutdown.clone().cancelled_owned();
        response.map(|body| Body::from_stream(body.into_data_stream().take_until(shutdown)))
    }
}

impl<H: ServerHandler> Respond for Endpoint<H> {
    fn respond(self: Arc<Self>, activity: Arc<Activity>, request: Request<Incoming>) -> Responding {
        Box::pin(async move { self.respond_to(&activity, request).await })
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.close_all())
    }
}

async fn not_found() -> Response<Body> {
    reply::problem(
        StatusCode::NOT_FOUND,
        "not_found",
        "there is nothing at this path; the server answers at /mcp",
    )
}

async fn wrong_method() -> Response<Body> {
    reply::problem(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "this path does not answer to that method",
    )
}
