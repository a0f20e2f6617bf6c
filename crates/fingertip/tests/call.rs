//! Every tool as a command: by itself, and by a server that runs; what scripts get of it.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::no_adb;

/// Longer than anything here may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn fingertip(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fingertip"));
    command.env("FINGERTIP_HOME", home).env_remove("FINGERTIP_TOKEN").stdin(Stdio::null());
    command.env("ANDROID_ADB_SERVER_PORT", no_adb().to_string());
    command.args(arguments);
    command
}

fn run(home: &Path, arguments: &[&str]) -> Output {
    fingertip(home, arguments).output().expect("the program starts")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Asserts the exit code, and that what failed is printed on standard error alone.
fn ends(home: &Path, code: i32, arguments: &[&str]) -> String {
    let output = run(home, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {} {}", out(&output), err(&output));
    if code == 0 {
        assert_eq!(err(&output), "", "{arguments:?}");
        return out(&output);
    }
    err(&output)
}

struct Server(Child);

impl Server {
    fn start(home: &Path, more: &[&str]) -> Self {
        let mut arguments = vec!["serve", "--target", "demo", "--listen", "127.0.0.1:0"];
        arguments.extend(more);
        let mut child = fingertip(home, &arguments).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        assert!(lines.any(|line| line.expect("a line").contains("Paste into a client")), "it serves");
        // What is said later must not block the program.
        std::thread::spawn(move || lines.for_each(drop));
        let server = Self(child);
        let late = Instant::now() + PATIENCE;
        while !home.join("running.json").exists() {
            assert!(Instant::now() < late, "the server is not made known");
            std::thread::sleep(Duration::from_millis(10));
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn each_way_to_end_has_its_exit_code() {
    let home = tempfile::tempdir().unwrap();
    let ends =
        |code, arguments: &[&str]| ends(home.path(), code, &[arguments, &["--target", "demo"]].concat());
    assert!(ends(0, &["see"]).contains("item \"Calculator\""));
    assert!(ends(0, &["tap", "Calculator"]).contains("button \"7\""));
    assert!(ends(0, &["call", "press_home"]).contains("Home button"));

    assert!(ends(1, &["call", "set_text", "element_id=\"Clock\"", "text=x"]).contains("not editable"));
    let unmet = r#"conditions=[{"app":"com.example.nowhere"}]"#;
    ends(1, &["call", "verify_state", unmet]);

    assert!(ends(2, &["call", "taap"]).contains("'taap'; nearest: tap"));
    assert!(ends(2, &["call", "tap", "x=here", "y=1"]).contains("'x'"));
    assert!(ends(2, &["call", "tap", "x=1"]).contains("'y'"));
    assert!(ends(2, &["call", "press_home", "z=1"]).contains("'z'"));
    assert!(ends(2, &["call", "tap", "x"]).contains("KEY=VALUE"));
    ends(2, &["call", "tap", "--no-such-flag"]);
    assert!(ends(2, &["call", "tap", "--input", "/nowhere"]).contains("/nowhere"));

    assert!(ends(3, &["call", "press_home", "--read-only"]).contains("not offered"));
    assert!(
        ends(3, &["tap", "Clock", "--block-app", "com.android.launcher3"]).contains("com.android.launcher3")
    );
    assert!(ends(3, &["call", "press_home", "--confirm", "press_home"]).contains("press_home"));

    assert!(ends(4, &["tap", "Nowhere"]).contains("Nowhere"));
    assert!(ends(4, &["call", "click_element", "element_id=node_0001"]).contains("node_0001"));

    ends(5, &["call", "wait_for_element", "by=text", "value=Nowhere", "timeout=200"]);
}

#[test]
fn a_running_server_is_asked_and_keeps_its_state() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let server = Server::start(home, &["--block-app", "com.android.calculator2"]);
    let first = ends(home, 0, &["see"]);
    let id = first.lines().find(|line| line.contains("\"Calculator\"")).expect("an app");
    let id = id.split(' ').next().expect("an id");
    // The id is one that another process gave.
    assert!(ends(home, 0, &["tap", id]).contains("button \"7\""));
    assert!(ends(home, 0, &["see"]).contains("button \"7\""));
    // The policy is the server's.
    assert!(ends(home, 3, &["tap", "7"]).contains("com.android.calculator2"));
    // What this command itself says to serve or allow is not silently left to a server that allows more.
    assert!(
        ends(home, 3, &["call", "press_home", "--read-only", "--target", "demo"]).contains("not offered")
    );
    assert!(ends(home, 0, &["see", "--target", "demo"]).contains("item \"Calculator\""));
    assert!(ends(home, 0, &["see"]).contains("button \"7\""));
    let log = fs::read_to_string(home.join("audit.jsonl")).unwrap();
    let clicks: Vec<_> = log.lines().filter(|line| line.contains("click_element")).collect();
    assert!(!clicks.is_empty() && clicks.iter().all(|line| line.contains("\"cli\"")), "{log}");
    // One that was killed is not asked, and its address is not trusted.
    drop(server);
    assert!(home.join("running.json").exists(), "killed, so that nobody cleaned up");
    assert!(ends(home, 0, &["see", "--target", "demo"]).contains("item \"Calculator\""));
    assert!(ends(home, 0, &["see"]).contains("item \"Calculator\""));
}

#[test]
fn a_server_with_a_certificate_is_known_by_it() {
    let home = tempfile::tempdir().unwrap();
    let _server = Server::start(home.path(), &["--tls"]);
    assert!(ends(home.path(), 0, &["tap", "Calculator"]).contains("button \"7\""));
    assert!(ends(home.path(), 0, &["see"]).contains("button \"7\""));
    let file = home.path().join("running.json");
    let said = fs::read_to_string(&file).unwrap();
    let (before, after) = said.split_once("certificate_sha256\":\"").expect("a fingerprint");
    fs::write(&file, format!("{before}certificate_sha256\":\"{}{}", "00", &after[2..])).unwrap();
    assert!(ends(home.path(), 1, &["see"]).contains("another certificate"));
}

#[test]
fn a_server_with_another_token_says_so() {
    let home = tempfile::tempdir().unwrap();
    let _server = Server::start(home.path(), &[]);
    let output = fingertip(home.path(), &["see"]).env("FINGERTIP_TOKEN", "another-token-0123456789").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("does not accept the token"), "{}", err(&output));
}

#[test]
fn what_a_server_does_not_offer_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let _server = Server::start(home.path(), &["--read-only"]);
    assert!(ends(home.path(), 3, &["call", "press_home"]).contains("not offered"));
    assert!(!ends(home.path(), 0, &["tools"]).contains("press_home"));
    assert!(ends(home.path(), 3, &["tools", "press_home"]).contains("not offered"));
}

#[test]
fn json_stays_json_whatever_a_text_holds() {
    let home = tempfile::tempdir().unwrap();
    let _server = Server::start(home.path(), &[]);
    let text = "é \u{1b}[2J \u{202e} \u{e0041} \\ \"";
    ends(home.path(), 0, &["call", "set_clipboard", &format!("text={text}")]);
    let shown = ends(home.path(), 0, &["call", "get_clipboard", "--json"]);
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{e0041}']) && shown.contains('é'), "{shown}");
    let result: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    let held = result["structuredContent"]["text"].as_str().expect("a text");
    assert!(held.starts_with("é \u{1b}[2J \u{202e} "), "{held:?}");
}

#[test]
fn json_is_the_whole_result_on_standard_output_errors_too() {
    let home = tempfile::tempdir().unwrap();
    let json = |arguments: &[&str]| {
        let output = run(home.path(), &[arguments, &["--json", "--target", "demo"]].concat());
        assert_eq!(err(&output), "");
        (output.status.code(), serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON"))
    };
    let (code, found) = json(&["call", "find_elements", "by=text", "value=Clock"]);
    assert_eq!((code, &found["isError"]), (Some(0), &serde_json::json!(false)));
    assert_eq!(found["structuredContent"]["elements"][0]["text"], "Clock");
    let (code, missing) = json(&["tap", "Nowhere"]);
    assert_eq!((code, &missing["isError"]), (Some(4), &serde_json::json!(true)));
    let (_, tools) = json(&["tools"]);
    assert!(tools.as_array().unwrap().iter().any(|tool| tool["name"] == "click_element"));
    let (_, tool) = json(&["tools", "tap"]);
    assert_eq!(tool["inputSchema"]["required"], serde_json::json!(["x", "y"]));
}

#[test]
fn parameters_come_from_standard_input_too() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["call", "run_steps", "--input", "-", "see=none", "--target", "demo"];
    let mut child = fingertip(home.path(), &arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let steps = r#"{"see": "screen", "steps": [
        {"tool": "click_element", "arguments": {"element_id": "\"Calculator\""}},
        {"tool": "get_screen_state", "arguments": {"format": "lean"}}
    ]}"#;
    child.stdin.take().expect("a pipe").write_all(steps.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(
        out(&output).starts_with("2 of 2 steps done") && out(&output).contains("button \"7\""),
        "{}",
        out(&output)
    );
}

#[test]
fn a_picture_goes_to_its_file_and_only_there() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("screen.jpg");
    let picture = file.to_str().unwrap();
    let shown = ends(home.path(), 0, &["see", "include_screenshot=true", "-o", picture, "--target", "demo"]);
    assert!(shown.contains("item \"Calculator\""));
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(&[0xff, 0xd8]) && bytes.ends_with(&[0xff, 0xd9]), "a JPEG");
    let output = run(home.path(), &["see", "include_screenshot=true", "--target", "demo"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(err(&output).contains("--output FILE keeps it"), "{}", err(&output));
    let error = ends(home.path(), 1, &["see", "-o", picture, "--target", "demo"]);
    assert!(error.contains("no picture"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let home = tempfile::tempdir().unwrap();
    for command in [&["see"][..], &["tools"], &["tools", "--json"]] {
        let mut child = fingertip(home.path(), &[command, &["--target", "demo"]].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let home = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ends(home.path(), 0, &["completions", shell]);
        assert!(["call", "see", "doctor", "read-only"].iter().all(|word| script.contains(word)), "{shell}");
    }
    let bash = ends(home.path(), 0, &["completions", "bash"]);
    let file = home.path().join("completions");
    fs::write(&file, bash).unwrap();
    // A shell completes with it: commands, and the tools that one takes.
    for (words, completed) in
        [("se", "serve see"), ("call press_h", "press_home"), ("tools press_h", "press_home")]
    {
        let ask = r#"source "$0"; COMP_WORDS=(fingertip $1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _fingertip fingertip "${COMP_WORDS[-1]}" fingertip; echo "${COMPREPLY[@]}""#;
        let output = Command::new("bash").arg("-c").arg(ask).arg(&file).arg(words).output().unwrap();
        assert_eq!(out(&output).trim(), completed, "{words}: {}", err(&output));
    }

    assert!(ends(home.path(), 0, &["man"]).contains(".TH fingertip 1"));
    let folder = home.path().join("man");
    ends(home.path(), 0, &["man", folder.to_str().unwrap()]);
    for page in ["fingertip.1", "fingertip-call.1", "fingertip-phone-start.1"] {
        let page = folder.join(page);
        assert!(fs::read_to_string(&page).unwrap().contains(".SH NAME"), "{}", page.display());
    }
}
