//! The program as a process: its files, its signals, its pipes.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const TOKEN: &str = "a-token-for-tests-0123456789";
/// Longer than anything here may take on a busy machine, shorter than a test that hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A command run by a shell that first sets limits.
fn fingertip(home: &Path, limits: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!(r#"{limits} exec "$0" "$@""#)).arg(env!("CARGO_BIN_EXE_fingertip"));
    command.env("FINGERTIP_HOME", home).env("FINGERTIP_TOKEN", TOKEN);
    command
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(home: &Path, limits: &str, listen: &str) -> Self {
        let mut command = fingertip(home, limits);
        command.args(["serve", "--target", "demo", "--listen", listen]).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let line = lines.find_map(|line| {
            let line = line.expect("a line");
            let (_, rest) = line.split_once("listening on http://")?;
            rest.split_once('/').map(|(address, _)| address.to_owned())
        });
        // What is said later must not block the program.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: line.expect("it listens") }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server accepts");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Calls a tool on a new connection, which stays open.
    fn call(&self, tool: &str) -> (TcpStream, String) {
        let mut stream = self.connect();
        let reply = Self::call_on(&mut stream, tool);
        (stream, reply)
    }

    fn call_on(stream: &mut TcpStream, tool: &str) -> String {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{}}}}}}"#
        );
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("it is sent");
        let mut reply = Vec::new();
        while !String::from_utf8_lossy(&reply).contains("\"jsonrpc\"") {
            let mut piece = [0; 4096];
            let count = stream.read(&mut piece).expect("an answer in time");
            assert_ne!(count, 0, "no answer but {}", String::from_utf8_lossy(&reply));
            reply.extend(&piece[..count]);
        }
        String::from_utf8_lossy(&reply).into_owned()
    }

    fn proc(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).expect("the process lives")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn terminate(child: &Child) {
    let status = Command::new("kill").arg(child.id().to_string()).status().expect("kill runs");
    assert!(status.success());
}

/// Waits for the end of a process, and says how long that took.
fn ended(child: &mut Child) -> (ExitStatus, Duration) {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child") {
            return (status, begun.elapsed());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    panic!("the program did not end in {PATIENCE:?}");
}

#[test]
fn the_limit_on_open_files_is_raised() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(home.path(), "ulimit -Sn 256;", "127.0.0.1:0");
    let limits = server.proc("limits");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let soft: u64 = line.split_whitespace().nth(3).unwrap().parse().unwrap();
    assert!(soft > 256, "{line}");
}

#[test]
fn silent_strangers_leave_files_for_the_audit_log_under_a_low_limit() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(home.path(), "ulimit -n 256;", "127.0.0.1:0");
    // Looking is not logged, so that the log is not open yet.
    let (mut client, _) = server.call("get_screen_state");
    let strangers: Vec<TcpStream> = (0..400).map(|_| server.connect()).collect();
    std::thread::sleep(Duration::from_millis(500));
    let kept = Server::call_on(&mut client, "press_home");
    for reply in [kept, server.call("press_home").1, server.call("press_home").1] {
        assert!(reply.contains("\"isError\":false") || !reply.contains("isError"), "{reply}");
    }
    let log = fs::read_to_string(home.path().join("audit.jsonl")).unwrap_or_else(|_| {
        let names: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        panic!("no audit log among {names:?}")
    });
    assert!(log.lines().filter(|line| line.contains("press_home")).count() >= 3, "{log}");
    drop(strangers);
}

#[test]
fn sigterm_ends_at_once_when_nothing_runs() {
    let home = tempfile::tempdir().unwrap();
    let mut server = Server::start(home.path(), "", "127.0.0.1:0");
    let kept = server.call("press_home").0;
    let mut half = server.connect();
    half.write_all(b"POST /mcp HTTP/1.1\r\nho").unwrap();
    terminate(&server.child);
    let (status, took) = ended(&mut server.child);
    assert!(status.success());
    // A fifth of a second on a machine that is not busy.
    assert!(took < Duration::from_secs(3), "took {took:?}");
    drop((kept, half));
}

#[test]
fn a_port_and_a_name_are_enough_to_listen_on_this_machine() {
    let home = tempfile::tempdir().unwrap();
    for listen in ["0", "localhost:0"] {
        let server = Server::start(home.path(), "", listen);
        assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    }
}

#[test]
fn stdio_ends_when_its_output_is_not_read() {
    let home = tempfile::tempdir().unwrap();
    let mut command = fingertip(home.path(), "");
    command.args(["stdio", "--target", "demo"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, r#"{{"jsonrpc":"2.0","id":4,"method":"ping"}}"#).unwrap();
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("\"id\":4"), "{line}");
    // Nothing is being written: only the system knows that the other end is gone.
    drop(output);
    let (status, _) = ended(&mut child);
    assert!(status.success());
    drop(input);
}
