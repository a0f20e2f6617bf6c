//! What the fakes of the Android framework ask of the phone: lines of JSON over TCP, as `agent/BRIDGE.md` says.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::AgentFault;
use super::automation::Lease;
use super::nodes::{self, Extra};
use super::observe::Observer;
use super::operations::{display, perform_global};
use crate::draw::draw;
use crate::listeners::Listener;
use crate::lock::lock;
use crate::phone::{KeyCode, NodeView, Phone, TouchAction, TouchEvent, reported};
use crate::{SimPhone, shell};

/// `KeyEvent.FLAG_LONG_PRESS`.
const LONG_PRESS: i64 = 128;
/// The longest request taken.
const MAX_LINE: u64 = 16 * 1024 * 1024;
/// How much is piped at a time.
const CHUNK: usize = 64 * 1024;

/// The phone's end of the bridge to one JVM.
#[derive(Debug)]
pub(super) struct Bridge {
    phone: Arc<SimPhone>,
    secret: String,
    /// The agent's file on the phone, and the real copy of it.
    jar: String,
    copy: PathBuf,
    lease: Mutex<Option<Lease>>,
    connected: watch::Sender<bool>,
    listening: Mutex<HashMap<String, AbortHandle>>,
    /// The connections that were made; they outlive the name they were made by.
    pipes: Mutex<Vec<AbortHandle>>,
}

/// An answer: an object, and bytes that follow it.
type Answer = Result<(Value, Vec<u8>), String>;

impl Bridge {
    pub(super) fn new(phone: Arc<SimPhone>, secret: String, jar: String, copy: PathBuf) -> Arc<Self> {
        Arc::new(Self {
            phone,
            secret,
            jar,
            copy,
            lease: Mutex::default(),
            connected: watch::Sender::new(false),
            listening: Mutex::default(),
            pipes: Mutex::default(),
        })
    }

    /// Serves connections until aborted.
    pub(super) async fn serve(self: Arc<Self>, listener: TcpListener) {
        while let Ok((stream, _)) = listener.accept().await {
            let bridge = Arc::clone(&self);
            tokio::spawn(async move {
                if let Err(error) = bridge.converse(stream).await {
                    tracing::debug!(%error, "a bridge connection ended");
                }
            });
        }
    }

    /// The program has ended: what it held is free.
    pub(super) fn end(&self) {
        self.disconnect();
        for (_, accepting) in lock(&self.listening).drain() {
            accepting.abort();
        }
        for pipe in lock(&self.pipes).drain(..) {
            pipe.abort();
        }
    }

    async fn converse(self: Arc<Self>, stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        let Some(greeting) = next(&mut reader).await? else { return Ok(()) };
        if greeting["secret"] != self.secret.as_str() {
            return Ok(());
        }
        if greeting["channel"] == "events" {
            return self.report(&mut writer).await;
        }
        while let Some(request) = next(&mut reader).await? {
            let (object, bytes) = match self.answer(&request).await {
                Ok(answer) => answer,
                Err(words) => (json!({ "error": words }), Vec::new()),
            };
            let mut reply = format!("{object}\n").into_bytes();
            reply.extend(bytes);
            writer.write_all(&reply).await?;
        }
        Ok(())
    }

    /// Reports events while UiAutomation is connected.
    async fn report(&self, writer: &mut (impl AsyncWrite + Unpin)) -> std::io::Result<()> {
        writer.write_all(b"{\"ok\":true}\n").await?;
        let (mut changes, mut connected) = (self.phone.changes(), self.connected.subscribe());
        loop {
            if connected.wait_for(|connected| *connected).await.is_err() {
                return Ok(());
            }
            let mut observer = self.phone.with(|phone| Observer::new(phone));
            while *connected.borrow() {
                let (now, events) = self.phone.with(|phone| (phone.now(), observer.look(phone)));
                for event in events {
                    let text: Vec<String> = event.text.into_iter().collect();
                    let line = json!({
                        "type": event.kind, "package": event.package, "class": event.class,
                        "window": event.window, "event_ms": now, "text": text,
                    });
                    writer.write_all(format!("{line}\n").as_bytes()).await?;
                }
                tokio::select! {
                    changed = changes.changed() => if changed.is_err() { return Ok(()) },
                    changed = connected.changed() => if changed.is_err() { return Ok(()) },
                }
            }
        }
    }

    async fn answer(self: &Arc<Self>, request: &Value) -> Answer {
        let operation = request["op"].as_str().unwrap_or_default();
        if !matches!(operation, "boot" | "listen" | "connect" | "disconnect") {
            self.phone.faults().until(|plan| !plan.frozen_screen).await;
        }
        let text = |name: &str| request[name].as_str().unwrap_or_default();
        let number = |name: &str| request[name].as_i64().unwrap_or_default();
        let ok = match operation {
            "boot" => {
                let profile = self.phone.profile();
                let (model, release) = (profile.model, profile.android);
                json!({ "sdk": profile.sdk, "model": model, "release": release, "uptime_ms": self.phone.now() })
            }
            "listen" => self.listen(text("name"), u16::try_from(number("port")).unwrap_or_default()),
            "connect" => self.connect(request["service"] == true)?,
            "disconnect" => self.disconnect(),
            "windows" => self.windows(number("generation")),
            "perform" => {
                let arguments = extra(&request["arguments"]);
                let key = number("node") as u64;
                json!(self.phone.with(|phone| nodes::perform(phone, key, number("action"), arguments)))
            }
            "motion" => json!(self.phone.with(|phone| motion(phone, request))),
            "key" => {
                self.phone.with(|phone| key(phone, request));
                json!(true)
            }
            "clipboard_get" => json!(self.phone.with(|phone| phone.clipboard().map(str::to_owned))),
            "clipboard_set" => {
                let text = request["text"].as_str().map(str::to_owned);
                self.phone.with(|phone| phone.set_clipboard(text));
                json!(true)
            }
            "screenshot" => return self.picture().await,
            "global" => json!(self.phone.with(|phone| perform_global(phone, number("action")))),
            "display" => self.phone.with(|phone| display(phone)),
            "shell" => {
                let output = shell::run(&self.phone, text("command"), Vec::new()).await;
                json!(String::from_utf8_lossy(&output.stdout))
            }
            _ => return Err(format!("no such operation: {operation}")),
        };
        Ok((json!({ "ok": ok }), Vec::new()))
    }

    /// An accessibility service gets events too, and takes nothing from others.
    fn connect(&self, as_service: bool) -> Result<Value, String> {
        let mut lease = lock(&self.lease);
        if lease.is_none() && !as_service {
            let taken_by_others = self.phone.faults().plan().automation_taken;
            *lease = Some(self.phone.automation().take(taken_by_others)?);
        }
        self.connected.send_replace(true);
        Ok(json!(true))
    }

    fn disconnect(&self) -> Value {
        lock(&self.lease).take();
        self.connected.send_replace(false);
        json!(true)
    }

    /// From now on `localabstract:NAME` leads to the program's port.
    fn listen(self: &Arc<Self>, name: &str, port: u16) -> Value {
        if !self.copy.exists() {
            let _ = self.phone.files().remove(&self.jar, false);
        }
        let listener = self.phone.listeners().listen(name);
        let accepting = tokio::spawn(accept_all(Arc::clone(self), listener, port)).abort_handle();
        if let Some(before) = lock(&self.listening).insert(name.to_owned(), accepting) {
            before.abort();
        }
        json!(true)
    }

    fn windows(&self, known: i64) -> Value {
        let rootless = self.phone.faults().plan().null_root;
        self.phone.with(|phone| {
            // A missing root is a change too.
            let generation = (phone.generation() * 2 + u64::from(rootless)) as i64;
            if generation == known {
                return json!({ "generation": generation });
            }
            let windows = reported(phone.windows()).map(|window| {
                let bounds = window.bounds;
                let mut list = Vec::new();
                node(&window.root, &mut list);
                json!({
                    "id": window.id, "type": window.kind.number(), "layer": window.layer,
                    "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
                    "focused": window.focused, "active": window.focused, "title": window.title,
                    "nodes": (!rootless).then_some(list),
                })
            });
            json!({ "generation": generation, "windows": windows.collect::<Vec<_>>() })
        })
    }

    async fn picture(&self) -> Answer {
        if self.phone.faults().plan().screencap_fails {
            return Err("no picture".to_owned());
        }
        let scene = self.phone.with(|phone| phone.scene());
        let bitmap =
            tokio::task::spawn_blocking(move || draw(&scene)).await.map_err(|error| error.to_string())?;
        let object = json!({ "bytes": bitmap.rgba.len(), "width": bitmap.width, "height": bitmap.height });
        Ok((object, bitmap.rgba))
    }
}

async fn next(reader: &mut (impl AsyncBufReadExt + Unpin)) -> std::io::Result<Option<Value>> {
    let mut line = String::new();
    if reader.take(MAX_LINE).read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    serde_json::from_str(&line).map(Some).map_err(std::io::Error::other)
}

fn node(view: &NodeView, list: &mut Vec<Value>) {
    let bounds = view.bounds;
    list.push(json!([
        view.key as i64,
        view.class,
        view.text,
        view.content_desc,
        view.hint,
        view.resource_id,
        view.package,
        bounds.left,
        bounds.top,
        bounds.right,
        bounds.bottom,
        view.flags.bits(),
        view.drawing_order,
        view.range.map(|range| [range.min, range.max, range.current]),
        view.selection.map(|(start, end)| [start, end]),
        nodes::actions(view),
        view.children.len(),
    ]));
    for child in &view.children {
        node(child, list);
    }
}

fn extra(arguments: &Value) -> Extra {
    let position = |name: &str| arguments[name].as_u64().map(|number| number as usize);
    let selection =
        position("ACTION_ARGUMENT_SELECTION_START_INT").zip(position("ACTION_ARGUMENT_SELECTION_END_INT"));
    let progress = arguments["android.view.accessibility.action.ARGUMENT_PROGRESS_VALUE"].as_f64();
    Extra {
        text: arguments["ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE"].as_str().map(str::to_owned),
        selection,
        progress: progress.map(|value| value as f32),
    }
}

/// `MotionEvent`, as `getAction` has it: what, and in the next byte to which finger of the list.
fn motion(phone: &mut Phone, request: &Value) -> bool {
    let action = request["action"].as_u64().unwrap_or_default();
    let at = request["event_ms"].as_u64().unwrap_or_default();
    let none = Vec::new();
    let pointers = request["pointers"].as_array().unwrap_or(&none);
    let mut touch = |action: TouchAction, pointer: &Value| {
        let place = |index: usize| pointer[index].as_f64().unwrap_or_default() as f32;
        let number = pointer[0].as_u64().unwrap_or_default() as u32;
        phone.touch(TouchEvent { action, pointer: number, x: place(1), y: place(2), at });
    };
    let changed = pointers.get((action >> 8 & 0xff) as usize);
    match (action & 0xff, changed) {
        (0 | 5, Some(pointer)) => touch(TouchAction::Down, pointer),
        (1 | 6, Some(pointer)) => touch(TouchAction::Up, pointer),
        (2, _) => pointers.iter().for_each(|pointer| touch(TouchAction::Move, pointer)),
        (3, _) => touch(TouchAction::Cancel, &Value::Null),
        _ => return false,
    }
    true
}

fn key(phone: &mut Phone, request: &Value) {
    let number = |name: &str| request[name].as_i64().unwrap_or_default();
    let code = KeyCode(number("code") as u32);
    let down = number("action") == 0;
    match number("repeat") {
        0 if down => phone.key(code, number("meta") as u32),
        1.. if down && number("flags") & LONG_PRESS != 0 => phone.long_key(code),
        _ => {}
    }
}

async fn accept_all(bridge: Arc<Bridge>, mut listener: Listener, port: u16) {
    while let Some(client) = listener.accept().await {
        if let Ok(program) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await
            && program.set_nodelay(true).is_ok()
        {
            let phone = Arc::clone(&bridge.phone);
            let piping = tokio::spawn(async move {
                let (from_client, to_client) = tokio::io::split(client);
                let (from_program, to_program) = program.into_split();
                // Either end closes both: a socket of a phone has no half that lives on.
                tokio::select! {
                    () = pipe(&phone, from_client, to_program) => {}
                    () = pipe(&phone, from_program, to_client) => {}
                }
            });
            lock(&bridge.pipes).push(piping.abort_handle());
        }
    }
}

/// Hands on what comes; nothing while the agent is to hang.
async fn pipe(
    phone: &SimPhone,
    mut from: impl tokio::io::AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(read @ 1..) = from.read(&mut chunk).await {
        phone.faults().until(|plan| plan.agent != AgentFault::Hung).await;
        if to.write_all(&chunk[..read]).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
}
