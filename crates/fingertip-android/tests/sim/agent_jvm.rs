//! The real agent, on a JVM, behind `app_process` of the simulated phone: held to the same answers as the one
//! the phone serves itself, and through the same trouble.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use fingertip_android::{Device, Stream};
use fingertip_core::Deadline;
use fingertip_core::prelude::*;
use fingertip_core::target::NodeAction;
use fingertip_sim::AgentFault;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use super::agent_faults::until_driven_by;
use super::agent_text::every_text_survives;
use super::bench::{Bench, CALCULATOR, CONTACT, NOTES, SETTINGS, find, soon};

/// The class path of the agent with its fakes: the one named, else one built here; `None` without a JDK.
static CLASS_PATH: LazyLock<Option<String>> = LazyLock::new(|| {
    if let Ok(named) = std::env::var("FINGERTIP_AGENT_JVM") {
        return Some(named);
    }
    Command::new("javac").arg("-version").output().ok()?;
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agent/build.sh");
    let built = Command::new("bash").arg(script).arg("--jvm").arg(&folder).status();
    assert!(built.expect("bash").success(), "the agent does not build");
    Some(folder.join("fingertip-agent-jvm.jar").to_string_lossy().into_owned())
});

/// The class path, or nothing on a developer's machine without a JDK. In CI it must be there.
async fn class_path() -> Option<String> {
    let path = tokio::task::spawn_blocking(|| CLASS_PATH.clone()).await.expect("a build");
    assert!(
        path.is_some() || std::env::var_os("CI").is_none(),
        "this test needs a JDK (default-jdk-headless)"
    );
    path
}

async fn jvm_bench() -> Option<Bench> {
    let path = class_path().await?;
    let bench = Bench::agent().await;
    bench.phone.run_agents_on(Some(path));
    Some(bench)
}

/// A client of nothing but the protocol.
struct Raw {
    stream: Box<dyn Stream>,
    number: u32,
    snapshot: Value,
}

impl Raw {
    async fn start(device: Device) -> Self {
        let jar = "/data/local/tmp/fingertip-0123456789abcdef.jar";
        device.push(jar, 0o644, b"whatever", soon()).await.unwrap();
        let command =
            format!("CLASSPATH={jar} exec app_process / dev.fingertip.agent.Main --build 0123456789abcdef");
        let (sender, mut output) = mpsc::unbounded_channel();
        let shell = device.clone();
        tokio::spawn(async move {
            let take = |bytes: &[u8]| {
                let _ = sender.send(bytes.to_vec());
                ControlFlow::Continue(())
            };
            shell.stream(&command, take, Deadline::after(Duration::from_secs(300))).await
        });
        let mut line = Vec::new();
        while !line.ends_with(b"\n") {
            line.extend(output.recv().await.unwrap());
        }
        let hello: Value = serde_json::from_slice(&line).unwrap();
        let stream = device.connect(hello["socket"].as_str().unwrap(), soon()).await.unwrap();
        let mut raw = Self { stream, number: 0, snapshot: Value::Null };
        let greeting = json!({ "op": "hello", "version": 1, "secret": hello["secret"] });
        let (kind, mut answer) = raw.ask(greeting).await;
        assert_eq!(kind, 2, "{answer}");
        answer["pid"] = Value::Null;
        raw.snapshot = answer;
        raw
    }

    /// Sends a request and waits for its answer; events are passed over.
    async fn ask(&mut self, request: Value) -> (u8, Value) {
        self.number += 1;
        let payload = request.to_string().into_bytes();
        self.stream.write_u32(payload.len() as u32 + 5).await.unwrap();
        self.stream.write_u8(1).await.unwrap();
        self.stream.write_u32(self.number).await.unwrap();
        self.stream.write_all(&payload).await.unwrap();
        loop {
            let length = self.stream.read_u32().await.unwrap() as usize;
            let kind = self.stream.read_u8().await.unwrap();
            let number = self.stream.read_u32().await.unwrap();
            let mut payload = vec![0; length - 5];
            self.stream.read_exact(&mut payload).await.unwrap();
            if number != self.number {
                continue;
            }
            if kind == 5 {
                let head = u32::from_be_bytes(payload[..4].try_into().unwrap()) as usize;
                payload = payload[4..4 + head].to_vec();
            }
            return (kind, serde_json::from_slice(&payload).unwrap());
        }
    }

    /// One step of a script: names of nodes become handles, and what differs from run to run is taken out.
    async fn step(&mut self, mut request: Value) -> Value {
        if let Some(name) = request["handle"].as_str().and_then(|handle| handle.strip_prefix('@')) {
            request["handle"] = json!(self.handle(name));
        }
        let (kind, mut answer) = self.ask(request.clone()).await;
        if request["op"] == "snapshot" {
            self.snapshot = answer.clone();
        }
        let object = answer.as_object_mut().unwrap();
        for varying in ["uptime_ms", "quiet_ms", "events", "late_ms", "message"] {
            object.remove(varying);
        }
        json!({ "kind": kind, "answer": answer })
    }

    /// The handle of the node whose resource id ends so.
    fn handle(&self, name: &str) -> String {
        let numbers = |value: &Value| {
            value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect::<Vec<_>>()
        };
        let strings = &self.snapshot["strings"];
        let nodes = numbers(&self.snapshot["nodes"]);
        let mut place = 0;
        for window in self.snapshot["windows"].as_array().unwrap() {
            let window = numbers(window);
            for _ in 0..window[11] {
                let present = nodes[place];
                place += 7;
                let (mut id, mut view, mut part) = ("", 0, -1);
                for bit in (0..16).filter(|bit| present >> bit & 1 == 1) {
                    match bit {
                        4 => id = strings[nodes[place] as usize].as_str().unwrap(),
                        12 => place += 1,
                        14 => view = nodes[place],
                        15 => part = nodes[place],
                        _ => {}
                    }
                    place += 1;
                }
                if id.ends_with(&format!(":id/{name}")) {
                    return format!("{}:{view}:{part}", window[0]);
                }
            }
        }
        panic!("no {name} in the last snapshot")
    }
}

/// What is done, and in which app.
fn script() -> Vec<(Option<&'static str>, Value)> {
    let snapshot = || json!({ "op": "snapshot" });
    let act = |handle: &str, action: &str| json!({ "op": "act", "handle": handle, "action": action });
    let text = |handle: &str, text: &str, mode: &str| json!({ "op": "text", "handle": handle, "text": text, "mode": mode });
    let tap = json!({ "op": "gesture", "strokes": [[[0, 540.0, 1200.0], [40, 540.0, 1200.0]]] });
    let pinch = json!({ "op": "gesture", "strokes": [
        [[0, 500.0, 1200.0], [100, 300.0, 1200.0]], [[0, 580.0, 1200.0], [100, 780.0, 1200.0]],
    ] });
    let mut steps = vec![
        (None, json!({ "op": "screen" })),
        (Some(CALCULATOR), snapshot()),
        (None, act("@digit_7", "click")),
        (None, act("@digit_8", "long_click")),
        (None, act("@digit_8", "nonsense")),
        (None, act("1:2:3", "click")),
        (None, act("broken", "click")),
        (None, json!({ "op": "act", "handle": "@digit_9", "action": "click", "surplus": 1 })),
        (None, snapshot()),
        (None, json!({ "op": "foreground" })),
        (None, json!({ "op": "key", "code": 67 })),
        (None, json!({ "op": "key", "code": 5000 })),
        (None, json!({ "op": "text", "text": "12", "mode": "insert" })),
        (None, snapshot()),
        (None, tap),
        (None, pinch),
        (None, json!({ "op": "gesture", "strokes": [] })),
        (None, json!({ "op": "gesture", "strokes": [[[5, 1.0, 1.0], [5, 2.0, 2.0]]] })),
        (Some(SETTINGS), snapshot()),
        (None, act("@digit_7_of_the_calculator", "click")),
        (None, json!({ "op": "snapshot", "invisible": true })),
        (None, json!({ "op": "snapshot", "windows_only": true })),
        (Some(CONTACT), snapshot()),
        (None, text("@first_name", "שלום 👋", "replace")),
        (None, text("@first_name", " e\u{301}", "append")),
        (None, snapshot()),
        (None, json!({ "op": "text", "text": "中", "mode": "insert" })),
        (None, text("@first_name", "שלום 👋 e\u{301}中", "replace")),
        (None, snapshot()),
        (None, text("@password", "geheim", "replace")),
        (None, snapshot()),
        (None, json!({ "op": "text", "text": "x", "mode": "sideways" })),
        (None, json!({ "op": "clipboard_set", "text": "copied 漢字" })),
        (None, json!({ "op": "clipboard_get" })),
        (None, json!({ "op": "clipboard_set", "text": null })),
        (None, json!({ "op": "clipboard_get" })),
        (None, json!({ "op": "clipboard_set" })),
        (None, json!({ "op": "screenshot", "longest_side": 200 })),
        (
            None,
            json!({ "op": "screenshot", "left": 100, "top": 300, "right": 500, "bottom": 90000, "longest_side": 200 }),
        ),
        (None, json!({ "op": "screenshot", "left": 30000 })),
        (None, json!({ "op": "screenshot", "top": -1 })),
        (None, json!({ "op": "screenshot", "format": "gif" })),
        (None, json!({ "op": "secure_windows" })),
        (None, json!({ "op": "global", "action": "notifications" })),
        (None, snapshot()),
        (None, json!({ "op": "foreground" })),
        (None, json!({ "op": "global", "action": "dismiss_notifications" })),
        (None, json!({ "op": "global", "action": "fly" })),
        (None, json!({ "op": "global", "action": "home" })),
        (None, snapshot()),
        (None, json!({ "op": "nonsense" })),
        (None, json!({ "op": "cancel", "request": 999 })),
        (None, json!({ "op": "release" })),
        (None, json!({ "op": "release" })),
        (Some(NOTES), snapshot()),
    ];
    steps.retain(|(_, request)| request["handle"] != "@digit_7_of_the_calculator");
    steps
}

#[tokio::test(flavor = "multi_thread")]
async fn both_agents_give_the_same_answers() {
    let Some(jvm) = jvm_bench().await else { return };
    let own = Bench::agent().await;
    let device = |bench: &Bench| bench.adb.device("fingertip-demo");
    let (mut real, mut served) = (Raw::start(device(&jvm)).await, Raw::start(device(&own)).await);
    assert_eq!(real.snapshot, served.snapshot, "hello");
    for (number, (app, request)) in script().into_iter().enumerate() {
        if let Some(app) = app {
            jvm.open(app);
            own.open(app);
        }
        let (one, other) = (real.step(request.clone()).await, served.step(request.clone()).await);
        assert_eq!(one, other, "step {number}: {request}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_agent_drives_the_phone() {
    let Some(bench) = jvm_bench().await else { return };
    bench.open(CALCULATOR);
    for key in ["digit_7", "op_add", "digit_3", "eq"] {
        let snapshot = bench.look().await;
        bench.target.act(&snapshot, find(&snapshot, key), &NodeAction::Click, soon()).await.unwrap();
    }
    assert_eq!(bench.target.info().driver, "agent");
    let snapshot = bench.look().await;
    assert!(snapshot.nodes().iter().any(|node| node.text.as_deref() == Some("10")));
    let seen = bench.target.activity();
    let phone = bench.phone.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        phone.with(|phone| phone.start(SETTINGS).map(drop)).unwrap();
    });
    bench.target.changed(seen, soon()).await.unwrap();
    assert_eq!(bench.phone.files().list("/data/local/tmp").unwrap().len(), 0, "the agent removed its file");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_text_survives_on_the_real_agent() {
    let Some(bench) = jvm_bench().await else { return };
    every_text_survives(&bench).await;
    assert_eq!(bench.target.info().driver, "agent");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_agent_killed_hung_or_locked_out_comes_back() {
    let Some(bench) = jvm_bench().await else { return };
    bench.open(CALCULATOR);
    bench.look().await;
    bench.phone.automation().kill_agents();
    tokio::time::sleep(Duration::from_millis(200)).await;
    bench.look().await;
    until_driven_by(&bench, "agent").await;
    bench.target.agent().unwrap().release(soon()).await.unwrap();
    bench.phone.faults().change(|plan| plan.automation_taken = true);
    assert!(!bench.look().await.nodes().is_empty());
    assert!(bench.target.why_no_agent().unwrap().to_string().contains("Another tool"));
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
    bench.phone.faults().change(|plan| plan.agent = AgentFault::Hung);
    assert!(!bench.look().await.nodes().is_empty());
    bench.phone.faults().clear();
    until_driven_by(&bench, "agent").await;
}
