//! The agent served by the phone itself: its one connection, and requests in three lanes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::events::Events;
use super::failure::Failure;
use super::fields::Fields;
use super::history::{History, KEPT};
use super::wire::{self, Frame, MAX_FRAME};
use super::{AgentFault, Arguments, VERSION, act, gesture, operations, picture, secret, text};
use crate::SimPhone;
use crate::lock::lock;
use crate::shell::Sink;

/// The most requests in flight.
const MAX_IN_FLIGHT: usize = 64;
const MAX_POINTERS: u32 = 10;
/// How long a connection may take to say hello.
const HELLO_WITHIN: Duration = Duration::from_secs(5);
const USUAL_TIMEOUT: i64 = 10_000;
const MAX_TIMEOUT: i64 = 600_000;
/// The version of an agent that is to be replaced.
const OTHER_VERSION: u32 = VERSION + 1;
/// The process number it reports.
const PID: u32 = 31_337;
/// Exit code of an agent that ended as meant.
const ENDED: u8 = 0;

/// What all requests share.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) phone: Arc<SimPhone>,
    pub(super) events: Arc<Events>,
    history: Mutex<History>,
}

impl Session {
    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        lock(&self.history)
    }
}

/// Runs the agent until it ends.
pub(super) async fn run(phone: &Arc<SimPhone>, jar: &str, arguments: &Arguments, stdout: &Sink) -> u8 {
    // A name that is not its own is left alone, as the agent does.
    if jar.rsplit('/').next().is_some_and(|name| name.starts_with("fingertip-") && name.ends_with(".jar")) {
        let _ = phone.files().remove(jar, false);
    }
    let mut version = VERSION;
    if phone.faults().plan().agent == AgentFault::OtherVersion {
        version = OTHER_VERSION;
        phone.faults().change(|plan| plan.agent = AgentFault::None);
    }
    let (name, secret) = (format!("fingertip-{}", secret(1)), secret(2));
    let mut listener = phone.listeners().listen(&name);
    let line = json!({ "fingertip": VERSION, "socket": name, "secret": secret, "pid": PID });
    if stdout.write(format!("{line}\n")).await.is_err() {
        return ENDED;
    }
    let greeted = async {
        loop {
            let stream = listener.accept().await?;
            let (mut reader, writer) = tokio::io::split(stream);
            let hello = tokio::time::timeout(HELLO_WITHIN, wire::read(&mut reader)).await.ok().flatten();
            if let Some((number, object)) = hello
                && is_hello(&object, &secret)
            {
                return Some((reader, writer, number));
            }
        }
    };
    let greeted = tokio::time::timeout(arguments.connect, greeted).await.ok().flatten();
    drop(listener);
    if let Some((reader, writer, number)) = greeted {
        Connection::open(phone, arguments, writer).serve(reader, arguments, version, number).await;
    }
    ENDED
}

fn is_hello(object: &Map<String, Value>, secret: &str) -> bool {
    object.get("op") == Some(&json!("hello")) && object.get("secret") == Some(&json!(secret))
}

/// What the agent says of itself.
fn hello(phone: &SimPhone, arguments: &Arguments, version: u32) -> Value {
    json!({
        "version": version, "build": arguments.build, "sdk": phone.profile().sdk, "pid": PID,
        "model": phone.profile().model, "release": phone.profile().android,
        "limits": {
            "frame": MAX_FRAME, "pointers": MAX_POINTERS, "in_flight": MAX_IN_FLIGHT, "snapshots": KEPT,
        },
        "failed": [],
    })
}

/// One request on its way through a lane.
struct Job {
    operation: String,
    fields: Fields,
    answer: oneshot::Sender<Answer>,
    called_off: watch::Receiver<bool>,
}

enum Answer {
    Object(Value),
    Binary(Value, Vec<u8>),
    Failed(Failure),
}

impl From<Result<Value, Failure>> for Answer {
    fn from(result: Result<Value, Failure>) -> Self {
        match result {
            Ok(object) => Self::Object(object),
            Err(failure) => Self::Failed(failure),
        }
    }
}

type InFlight = Arc<Mutex<HashMap<u32, oneshot::Sender<()>>>>;

struct Connection {
    session: Arc<Session>,
    outbox: mpsc::UnboundedSender<Frame>,
    in_flight: InFlight,
    lanes: [mpsc::UnboundedSender<Job>; 3],
    writing: tokio::task::JoinHandle<()>,
}

impl Connection {
    fn open(phone: &Arc<SimPhone>, arguments: &Arguments, mut writer: WriteHalf<DuplexStream>) -> Self {
        let (outbox, mut frames) = mpsc::unbounded_channel::<Frame>();
        let writing = tokio::spawn(async move {
            while let Some(frame) = frames.recv().await {
                if writer.write_all(&frame.encode()).await.is_err() {
                    return;
                }
            }
            let _ = writer.shutdown().await;
        });
        let events = Events::new(Arc::clone(phone), outbox.clone(), arguments.release);
        let session = Arc::new(Session { phone: Arc::clone(phone), events, history: Mutex::default() });
        let lane = || {
            let (sender, jobs) = mpsc::unbounded_channel();
            tokio::spawn(work(Arc::clone(&session), jobs));
            sender
        };
        let lanes = [lane(), lane(), lane()];
        Self { session, outbox, in_flight: InFlight::default(), lanes, writing }
    }

    async fn serve(
        self,
        mut reader: ReadHalf<DuplexStream>,
        arguments: &Arguments,
        version: u32,
        greeting: u32,
    ) {
        self.send(Frame::Reply(greeting, hello(&self.session.phone, arguments, version)));
        while let Ok(Some((number, object))) =
            tokio::time::timeout(arguments.idle, wire::read(&mut reader)).await
        {
            self.session.phone.faults().until(|plan| plan.agent != AgentFault::Hung).await;
            if self.take(number, object).is_none() {
                break;
            }
        }
        self.session.events.release();
        // Requests in flight are called off: their fingers are lifted before the connection closes.
        self.flights().clear();
        let Self { outbox, writing, .. } = self;
        drop(outbox);
        let _ = tokio::time::timeout(Duration::from_millis(100), writing).await;
    }

    /// Takes a request; `None` when the connection is to be closed.
    fn take(&self, number: u32, object: Map<String, Value>) -> Option<()> {
        let mut fields = Fields::new(object);
        let (Ok(operation), Ok(timeout)) =
            (fields.text("op"), fields.optional_number("timeout_ms", 1, MAX_TIMEOUT))
        else {
            self.send(Frame::Error(number, Failure::invalid("op", "a text").to_json()));
            return Some(());
        };
        let at_once = match operation.as_str() {
            "ping" => Some(json!({ "uptime_ms": self.session.phone.now() })),
            "cancel" => {
                let request = fields.number("request", 1, i64::from(u32::MAX)).ok()? as u32;
                Some(json!({ "cancelled": self.flights().remove(&request).is_some() }))
            }
            "quit" => {
                self.send(Frame::Reply(number, json!({})));
                return None;
            }
            _ => None,
        };
        if let Some(reply) = at_once {
            self.send(Frame::Reply(number, reply));
            return Some(());
        }
        let mut flights = self.flights();
        if flights.contains_key(&number) {
            return None;
        }
        if flights.len() >= MAX_IN_FLIGHT {
            drop(flights);
            let failure =
                Failure::new("overloaded", format!("{MAX_IN_FLIGHT} requests are in flight already"));
            self.send(Frame::Error(number, failure.to_json()));
            return Some(());
        }
        let (cancel, cancelled) = oneshot::channel();
        flights.insert(number, cancel);
        drop(flights);
        let span = Duration::from_millis(timeout.unwrap_or(USUAL_TIMEOUT).unsigned_abs());
        self.dispatch(number, operation, fields, Instant::now() + span, cancelled);
        Some(())
    }

    fn dispatch(
        &self,
        number: u32,
        operation: String,
        fields: Fields,
        deadline: Instant,
        cancelled: oneshot::Receiver<()>,
    ) {
        let (sender, answer) = oneshot::channel();
        let (call_off, called_off) = watch::channel(false);
        let lane = match operation.as_str() {
            "snapshot" | "screen" | "foreground" | "secure_windows" | "clipboard_get" | "subscribe"
            | "release" => Some(0),
            "screenshot" => Some(1),
            "act" | "gesture" | "key" | "text" | "global" | "clipboard_set" => Some(2),
            _ => None,
        };
        match lane {
            Some(lane) => {
                let _ = self.lanes[lane].send(Job { operation, fields, answer: sender, called_off });
            }
            None if operation == "wait_idle" => {
                let session = Arc::clone(&self.session);
                tokio::spawn(async move {
                    let _ = sender.send(operations::wait_idle(&session, fields, deadline).await.into());
                });
            }
            None => {
                let failure = Failure::new("unknown_operation", format!("no such operation: {operation}"));
                let _ = sender.send(Answer::Failed(failure));
            }
        }
        // Waiting for idleness ends by its own deadline with an answer.
        let deadline = deadline + Duration::from_millis(5);
        let (outbox, in_flight) = (self.outbox.clone(), Arc::clone(&self.in_flight));
        tokio::spawn(async move {
            let answer = tokio::select! {
                answer = answer => answer.unwrap_or_else(|_| cancelled_answer()),
                _ = cancelled => cancelled_answer(),
                () = tokio::time::sleep_until(deadline) => {
                    Answer::Failed(Failure::new("timeout", "the time for this request ran out"))
                }
            };
            let _ = call_off.send(true);
            lock(&in_flight).remove(&number);
            let _ = outbox.send(match answer {
                Answer::Object(object) => Frame::Reply(number, object),
                Answer::Binary(object, bytes) => Frame::Binary(number, object, bytes),
                Answer::Failed(failure) => Frame::Error(number, failure.to_json()),
            });
        });
    }

    fn send(&self, frame: Frame) {
        // A writer that is gone is noticed by the reader.
        let _ = self.outbox.send(frame);
    }

    fn flights(&self) -> MutexGuard<'_, HashMap<u32, oneshot::Sender<()>>> {
        lock(&self.in_flight)
    }
}

fn cancelled_answer() -> Answer {
    Answer::Failed(Failure::new("cancelled", "the request was cancelled"))
}

/// One lane: its requests one after another.
async fn work(session: Arc<Session>, mut jobs: mpsc::UnboundedReceiver<Job>) {
    while let Some(Job { operation, fields, answer, mut called_off }) = jobs.recv().await {
        if *called_off.borrow() {
            continue;
        }
        tokio::select! {
            result = perform(&session, &operation, fields) => { let _ = answer.send(result); }
            _ = called_off.changed() => {}
        }
    }
}

async fn perform(session: &Session, operation: &str, fields: Fields) -> Answer {
    session.phone.faults().until(|plan| !plan.frozen_screen).await;
    match operation {
        "snapshot" => operations::snapshot(session, fields).await.into(),
        "screen" => operations::screen(session, fields).into(),
        "foreground" => operations::foreground(session, fields).into(),
        "secure_windows" => operations::secure_windows(session, fields).into(),
        "clipboard_get" => operations::clipboard_get(session, fields).into(),
        "clipboard_set" => operations::clipboard_set(session, fields).into(),
        "subscribe" => operations::subscribe(session, fields).into(),
        "release" => {
            let released = fields.end().map(|()| json!({ "released": session.events.release() }));
            released.into()
        }
        "screenshot" => match picture::run(session, fields).await {
            Ok((object, bytes)) => Answer::Binary(object, bytes),
            Err(failure) => Answer::Failed(failure),
        },
        "act" => act::run(session, fields).into(),
        "gesture" => gesture::run(session, fields).await.into(),
        "key" => operations::key(session, fields).await.into(),
        "text" => text::run(session, fields).await.into(),
        _ => operations::global(session, fields).into(),
    }
}
