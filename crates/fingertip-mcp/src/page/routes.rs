//! What the page can ask for, each answer as JSON, a picture or a file.

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use http::{HeaderValue, Method, Response, StatusCode, header, request::Parts};
use rmcp::model::JsonObject;
use serde::Deserialize;
use serde_json::{Value, json};

use super::door::Visitor;
use super::live::Frame;
use super::recording::{Form, Replay};
use super::screen::Words;
use super::steering::Mode;
use super::{Page, needs_control};
use crate::attached::Attached;
use crate::dispatch::Dispatcher;
use crate::policy::{Caller, caller};
use crate::transport::{accept, body, reply};

/// The largest body of a request, in bytes: arguments of one call.
const MAX_BODY: usize = 256 * 1024;
/// What calls of the page are known by.
const CLIENT: &str = "page";

/// What the browser gets, with its type.
const ASSETS: [(&str, &str, &str); 3] = [
    ("/ui/", "text/html; charset=utf-8", include_str!("page.html")),
    ("/ui/page.js", "text/javascript; charset=utf-8", include_str!("page.js")),
    ("/ui/page.css", "text/css; charset=utf-8", include_str!("page.css")),
];

#[derive(Deserialize)]
struct Called {
    tool: String,
    arguments: JsonObject,
}

#[derive(Deserialize)]
struct Steered {
    to: String,
}

#[derive(Deserialize)]
struct Answered {
    question: u64,
    yes: bool,
}

#[derive(Deserialize)]
struct Recorded {
    #[serde(rename = "do")]
    what: String,
    target: Option<String>,
}

impl Page {
    pub(super) async fn route<B>(&self, visitor: Visitor, parts: &Parts, sent: B) -> Response<Body>
    where
        B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    {
        let path = parts.uri.path();
        if parts.method != Method::POST {
            body::discard(sent, &self.limits);
            return match parts.method {
                Method::GET => self.get(visitor, path, parts.uri.query().unwrap_or_default()).await,
                _ => {
                    problem(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "GET and POST are answered")
                }
            };
        }
        if !accept::sends_json(&parts.headers) {
            body::discard(sent, &self.limits);
            return invalid("Content-Type must be application/json");
        }
        match body::read(sent, MAX_BODY, self.limits.body_timeout).await {
            Ok(bytes) => self.post(visitor, path, &bytes).await,
            Err(body::Unread::TooLarge(rest)) => {
                body::discard(rest, &self.limits);
                problem(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the body is too large")
            }
            Err(_) => invalid("the body did not arrive"),
        }
    }

    async fn get(&self, visitor: Visitor, path: &str, query: &str) -> Response<Body> {
        if let Some((_, kind, text)) = ASSETS.iter().find(|(known, ..)| *known == path) {
            return typed(kind, Body::from(*text));
        }
        match path {
            "/ui" => moved(),
            "/ui/api/state" => ok(&self.state(visitor)),
            "/ui/api/events" => self.events(visitor, argument(query, "target")),
            "/ui/api/log" => ok(&self.oversight.history.list()),
            "/ui/api/tools" => {
                self.dispatcher.settled().await;
                ok(&json!(self.dispatcher.tools()))
            }
            "/ui/api/frame" => match self.live(query).and_then(|live| live.newest().frame) {
                Some(frame) => picture(&frame),
                None => not_found("there is no picture"),
            },
            "/ui/api/picture" => {
                let number = argument(query, "call").and_then(|number| number.parse().ok());
                let after = argument(query, "when").as_deref() == Some("after");
                match number.and_then(|number| self.oversight.history.frame(number, after)) {
                    Some(frame) => picture(&frame),
                    None => not_found("that picture is not kept"),
                }
            }
            "/ui/api/screen" => self.screen(query).await,
            "/ui/api/element" => self.element(query).await,
            "/ui/api/recording" => self.recording(query),
            _ => not_found("there is nothing at this path"),
        }
    }

    async fn post(&self, visitor: Visitor, path: &str, bytes: &[u8]) -> Response<Body> {
        match path {
            "/ui/api/steer" => self.steer(visitor, bytes),
            "/ui/api/leave" => {
                self.door.leave(visitor);
                ok(&json!({}))
            }
            "/ui/api/call" | "/ui/api/answer" | "/ui/api/record" if !visitor.controls() => needs_control(),
            "/ui/api/call" => self.call(visitor, bytes).await,
            "/ui/api/answer" => match serde_json::from_slice(bytes) {
                Ok(Answered { question, yes }) if self.oversight.questions.answer(question, yes) => {
                    ok(&json!({}))
                }
                Ok(_) => not_found("that question does not wait for an answer any more"),
                Err(_) => invalid("send {question, yes}"),
            },
            "/ui/api/record" => self.record(visitor, bytes).await,
            _ => not_found("there is nothing at this path"),
        }
    }

    fn state(&self, visitor: Visitor) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "control": visitor.controls(),
            "read_only": self.dispatcher.policy().read_only,
            "targets": targets(&self.dispatcher),
            "mode": self.oversight.steering.mode().name(),
            "questions": self.oversight.questions.list(),
            "recording": self.oversight.recorder.state(),
        })
    }

    /// What is watched under the name in a query. Only an open stream watches.
    fn live(&self, query: &str) -> Option<Arc<super::live::Live>> {
        self.oversight.lives.get(&argument(query, "target")?)
    }

    async fn screen(&self, query: &str) -> Response<Body> {
        let Some(live) = self.live(query) else { return not_found("that device is not watched") };
        let number = live.newest().frame.map(|frame| frame.number);
        match live.look().await {
            Ok(snapshot) => {
                let mut screen = Words(self.dispatcher.secrets()).screen(&snapshot);
                screen["frame"] = json!(number);
                ok(&screen)
            }
            Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, error.reason().name(), error.message()),
        }
    }

    async fn element(&self, query: &str) -> Response<Body> {
        let Some(live) = self.live(query) else { return not_found("that device is not watched") };
        let Some(id) = argument(query, "id").and_then(|id| id.parse().ok()) else {
            return invalid("'id' must be the id of an element");
        };
        // What was shown last, so that the answer is about what was clicked.
        let snapshot = match live.last_look().await {
            Some(snapshot) => Ok(snapshot),
            None => live.look().await,
        };
        match snapshot {
            Ok(snapshot) => match snapshot.find_id(id) {
                Some(index) => {
                    let (words, kind) = (Words(self.dispatcher.secrets()), live.attached().kind());
                    ok(&words.element(&snapshot, index, kind, self.dispatcher.policy()))
                }
                None => not_found("that element is not on the screen any more"),
            },
            Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, error.reason().name(), error.message()),
        }
    }

    fn steer(&self, visitor: Visitor, bytes: &[u8]) -> Response<Body> {
        let to = serde_json::from_slice::<Steered>(bytes).ok().and_then(|asked| Mode::named(&asked.to));
        let Some(to) = to else { return invalid("send {to: running, paused, taken over or stopped}") };
        // The brake is for everybody who watches; letting go is not.
        if !visitor.controls() && !to.is_tighter_than(self.oversight.steering.mode()) {
            return needs_control();
        }
        self.oversight.steer(to);
        ok(&json!({ "mode": to.name() }))
    }

    fn caller(visitor: Visitor) -> Caller {
        Caller {
            client: Some(CLIENT.to_owned()),
            session: Some(visitor.session.to_string()),
            ..Caller::over(caller::PAGE)
        }
    }

    async fn call(&self, visitor: Visitor, bytes: &[u8]) -> Response<Body> {
        let Ok(Called { tool, arguments }) = serde_json::from_slice(bytes) else {
            return invalid("send {tool, arguments}");
        };
        // A page that goes away drops the connection, and the call with it.
        match self.dispatcher.call(&tool, &arguments, Self::caller(visitor)).await {
            Ok(result) => ok(&json!(result)),
            Err(error) => invalid(&error.message),
        }
    }

    async fn record(&self, visitor: Visitor, bytes: &[u8]) -> Response<Body> {
        let Ok(Recorded { what, target }) = serde_json::from_slice(bytes) else {
            return invalid("send {do}");
        };
        let recorder = &self.oversight.recorder;
        match (what.as_str(), target) {
            ("start", Some(target)) => recorder.start(&target),
            ("stop", _) => {
                let live = recorder.target().and_then(|target| self.oversight.lives.get(&target));
                let after = match live {
                    Some(live) => live.look().await.ok(),
                    None => None,
                };
                recorder.stop(after.as_deref(), self.dispatcher.secrets());
            }
            ("clear", _) => recorder.clear(),
            ("replay", _) => self.replay(visitor).await,
            _ => return invalid("'do' must be start with a target, stop, replay or clear"),
        }
        self.oversight.tell_recording();
        ok(&recorder.state())
    }

    /// Does all recorded steps again, like any client would.
    async fn replay(&self, visitor: Visitor) {
        let recorder = &self.oversight.recorder;
        recorder.stop(None, self.dispatcher.secrets());
        let device = recorder.target();
        let mut replay = Replay::Stopped("nothing was recorded".to_owned());
        for call in recorder.calls() {
            let Value::Object(mut arguments) = call else { continue };
            arguments.insert("device".to_owned(), json!(device));
            replay = match self.dispatcher.call("run_steps", &arguments, Self::caller(visitor)).await {
                Ok(result) if result.is_error != Some(true) => Replay::Done,
                Ok(result) => {
                    let text = result.content.first().and_then(|part| part.as_text());
                    Replay::Stopped(text.map(|text| text.text.clone()).unwrap_or_default())
                }
                Err(error) => Replay::Stopped(error.message.into_owned()),
            };
            if replay != Replay::Done {
                break;
            }
        }
        recorder.replayed(replay);
    }

    fn recording(&self, query: &str) -> Response<Body> {
        let form = argument(query, "as");
        let form = form.and_then(|name| Form::ALL.into_iter().find(|form| form.name() == name));
        let Some(form) = form else { return invalid("'as' must be steps, maestro, python or typescript") };
        let Some(text) = self.oversight.recorder.export(form) else {
            return problem(StatusCode::CONFLICT, "not_replayed", "replay the recording first");
        };
        let mut file = typed("text/plain; charset=utf-8", Body::from(text));
        let name = format!("attachment; filename=\"{}\"", form.file());
        if let Ok(name) = HeaderValue::from_str(&name) {
            file.headers_mut().insert(header::CONTENT_DISPOSITION, name);
        }
        file
    }
}

/// The devices that can be watched.
pub(super) fn targets(dispatcher: &Dispatcher) -> Value {
    let target = |known: &Arc<Attached>| {
        let info = known.info();
        json!({ "name": info.name, "label": info.label, "state": info.state, "driver": info.driver })
    };
    dispatcher.targets().all().iter().map(target).collect()
}

/// The value of a name in a query, decoded.
pub(super) fn argument(query: &str, name: &str) -> Option<String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.into_iter().find(|(known, _)| *known == name)?;
    let mut decoded = Vec::with_capacity(value.len());
    let mut bytes = value.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            b'+' => b' ',
            other => other,
        });
    }
    String::from_utf8(decoded).ok()
}

fn ok(value: &Value) -> Response<Body> {
    reply::json(StatusCode::OK, value)
}

fn problem(status: StatusCode, error: &str, message: &str) -> Response<Body> {
    reply::problem(status, error, message)
}

fn invalid(message: &str) -> Response<Body> {
    problem(StatusCode::BAD_REQUEST, "invalid", message)
}

fn not_found(message: &str) -> Response<Body> {
    problem(StatusCode::NOT_FOUND, "not_found", message)
}

fn moved() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(super::PATH));
    response
}

fn typed(kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn picture(frame: &Frame) -> Response<Body> {
    let mut response = typed("image/jpeg", Body::from(frame.jpeg.clone()));
    response.headers_mut().insert("x-frame", HeaderValue::from(frame.number));
    response
}

#[cfg(test)]
mod tests {
    use super::argument;

    #[test]
    fn queries_are_decoded() {
        assert_eq!(
            argument("a=1&target=android%3A127.0.0.1%3A5555", "target").unwrap(),
            "android:127.0.0.1:5555"
        );
        assert_eq!(argument("target=a+b", "target").unwrap(), "a b");
        for wrong in ["", "target", "target=%", "target=%4", "target=%zz", "target=%ff", "atarget=1"] {
            assert_eq!(argument(wrong, "target"), None, "{wrong}");
        }
    }
}
