//! The audit log of the whole program where things go wrong: no room, a lock that is held, signals.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the program may take for what takes it a few seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program over stdio, with the demo phone.
struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    home: tempfile::TempDir,
    last: u64,
}

impl Server {
    /// Starts it with SIGHUP as usual, even where the tests themselves run under nohup.
    fn start() -> Self {
        let mut usual = Command::new("env");
        usual.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_fingertip")]);
        Self::start_by(usual)
    }

    /// Starts it by a shell that runs these commands first.
    fn start_after(commands: &str) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{commands}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_fingertip")]);
        Self::start_by(shell)
    }

    fn start_by(mut command: Command) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        command.env("FINGERTIP_HOME", home.path()).args(["stdio", "--target", "demo"]);
        command.args(["--writes-per-second", "1000"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("the program starts");
        let (input, output) =
            (process.stdin.take().expect("an input"), process.stdout.take().expect("an output"));
        let mut server = Self { process, input, output: BufReader::new(output), home, last: 0 };
        let client = json!({"name": "test", "version": "1"});
        let opening = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let id = server.send("initialize", &opening);
        server.answer(id);
        server
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        writeln!(self.input, "{message}").expect("the server reads");
        self.last
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("a line"), 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.send("tools/call", &json!({"name": tool, "arguments": arguments}));
        self.answer(id)
    }

    /// Writes to the clipboard of the phone; true when it says it did.
    fn copy(&mut self, text: &str) -> bool {
        let result = self.call("set_clipboard", &json!({"text": text}));
        if result["isError"] == true {
            assert_eq!(result["structuredContent"]["error_type"], "refused", "{result}");
            return false;
        }
        true
    }

    fn copied(&mut self) -> String {
        self.call("get_clipboard", &json!({}))["structuredContent"]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("audit.jsonl")
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.process.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    fn ends(&mut self) {
        let until = Instant::now() + PATIENCE;
        while self.process.try_wait().expect("its state").is_none() {
            assert!(Instant::now() < until, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The lines of the log, every one of which is whole.
fn lines(log: &Path) -> Vec<Value> {
    let text = fs::read_to_string(log).expect("a log");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is torn: {text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("torn: {line}"))).collect()
}

fn with_outcome(lines: &[Value], outcome: &str) -> usize {
    lines.iter().filter(|line| line["outcome"] == outcome).count()
}

#[test]
fn without_room_for_a_line_nothing_is_done_and_with_room_again_no_line_is_torn() {
    // A limit on the size of files does to a write what a full disk does: a part of it may succeed.
    let mut server = Server::start_after("trap '' XFSZ; ulimit -S -f 8");
    let mut done = Vec::new();
    for number in 0..60 {
        let text = format!("copy {number}");
        if server.copy(&text) {
            done.push(text);
        }
        assert_eq!(Some(&server.copied()), done.last(), "what is there is what was said to be done");
    }
    assert!((1..60).contains(&done.len()), "{} of 60 done", done.len());
    let full = lines(&server.log());
    assert_eq!(with_outcome(&full, "begun"), done.len(), "a line for each that was done, and for no other");
    // The owner makes room.
    File::options().write(true).open(server.log()).unwrap().set_len(0).unwrap();
    assert!(server.copy("again"));
    assert_eq!(server.copied(), "again");
    let ends = with_outcome(&full, "ok") + with_outcome(&lines(&server.log()), "ok");
    assert_eq!(ends, done.len() + 1, "no end of a call is lost");
}

#[test]
fn a_hangup_during_a_write_leaves_its_lines() {
    let mut server = Server::start();
    let path = json!([{"x": 500, "y": 900, "time": 0}, {"x": 500, "y": 500, "time": 50_000}]);
    server.send("tools/call", &json!({"name": "custom_gesture", "arguments": {"paths": [path]}}));
    let until = Instant::now() + PATIENCE;
    while lines(&server.log()).is_empty() {
        assert!(Instant::now() < until, "a line comes before the act ends");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.signal("HUP");
    server.ends();
    let lines = lines(&server.log());
    let outcomes: Vec<&Value> = lines.iter().map(|line| &line["outcome"]).collect();
    assert_eq!(outcomes, ["begun", "cancelled"]);
    assert_eq!(lines[0]["call"], lines[1]["call"]);
}

#[test]
fn a_program_that_is_to_outlive_its_terminal_does() {
    let mut server = Server::start_after("trap '' HUP");
    server.signal("HUP");
    assert!(server.copy("still there"));
}

#[test]
fn a_lock_held_by_another_process_keeps_neither_reads_nor_a_signal() {
    let mut server = Server::start();
    assert!(server.copy("before"));
    let other = File::open(server.log()).unwrap();
    other.lock().unwrap();
    let write = server.send("tools/call", &json!({"name": "set_clipboard", "arguments": {"text": "after"}}));
    assert_eq!(server.copied(), "before");
    let result = server.answer(write);
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(server.copied(), "before");
    server.send("tools/call", &json!({"name": "press_home", "arguments": {}}));
    server.signal("TERM");
    server.ends();
}
