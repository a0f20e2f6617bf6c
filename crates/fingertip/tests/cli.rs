//! The program as a person runs it.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::no_adb;

fn fingertip(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fingertip"));
    command.env("FINGERTIP_HOME", home).env_remove("FINGERTIP_TOKEN");
    command.env("ANDROID_ADB_SERVER_PORT", no_adb().to_string());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

#[test]
fn the_token_is_made_once_and_kept_private() {
    let home = tempfile::tempdir().unwrap();
    let first = text(&run(fingertip(home.path()).arg("token")).stdout);
    assert_eq!(first.len(), 64);
    assert_eq!(text(&run(fingertip(home.path()).arg("token")).stdout), first);
    let mode = fs::metadata(home.path().join("token")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn many_first_starts_at_once_give_one_token() {
    for _ in 0..10 {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("new");
        let start = || fingertip(&folder).arg("token").stdout(Stdio::piped()).spawn().expect("it starts");
        let children: Vec<_> = (0..6).map(|_| start()).collect();
        let tokens: BTreeSet<String> =
            children.into_iter().map(|child| text(&child.wait_with_output().unwrap().stdout)).collect();
        assert_eq!(tokens.len(), 1, "{tokens:?}");
        assert_eq!(tokens.first().map(String::len), Some(64));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing but the token stays");
    }
}

#[test]
fn a_pipe_as_token_file_is_refused_and_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    assert!(Command::new("mkfifo").arg(home.path().join("token")).status().unwrap().success());
    let output = run(fingertip(home.path()).arg("token"));
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("not a regular file"), "{}", text(&output.stderr));
}

#[test]
fn a_token_file_others_can_read_is_refused_with_the_fix() {
    let home = tempfile::tempdir().unwrap();
    run(fingertip(home.path()).arg("token"));
    let file = home.path().join("token");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let output = run(fingertip(home.path()).arg("token"));
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    assert!(text(&output.stderr).contains("chmod 600"), "{}", text(&output.stderr));
}

#[test]
fn an_unknown_tool_name_is_refused_with_the_nearest() {
    let home = tempfile::tempdir().unwrap();
    let output =
        run(fingertip(home.path()).args(["stdio", "--target", "demo", "--no-tools", "tap,get_ui_tre"]));
    assert!(!output.status.success());
    let said = text(&output.stderr);
    assert!(said.contains("no tool or toolset 'get_ui_tre'") && said.contains("get_ui_tree"), "{said}");
}

#[test]
fn an_empty_token_never_means_open() {
    let home = tempfile::tempdir().unwrap();
    for empty in ["", "  ", "short"] {
        let output = run(fingertip(home.path()).arg("serve").env("FINGERTIP_TOKEN", empty));
        assert!(!output.status.success(), "{empty:?}");
        assert!(text(&output.stderr).contains("FINGERTIP_TOKEN"), "{}", text(&output.stderr));
    }
}

/// Starts a server on stdio and calls one tool; gives its result and makes sure that it ends with its input.
fn call(home: &Path, target: &[&str], tool: &str) -> serde_json::Value {
    let mut child = fingertip(home)
        .arg("stdio")
        .args(target)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let call = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"{tool}"}}}}"#);
    writeln!(input, "{initialize}\n{initialized}\n{call}").expect("it reads");
    // Each line must be a protocol message; a notification that the tool list changed may come in between.
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let message = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("a message");
    let mut messages = lines.map(|line| message(&line.expect("a line")));
    let replies: Vec<_> = messages.by_ref().filter(|message| message.get("id").is_some()).take(2).collect();
    assert_eq!(replies[0]["result"]["serverInfo"]["name"], "fingertip");
    drop(input);
    assert!(child.wait().expect("it ends").success());
    assert!(messages.all(|message| message["method"] == "notifications/tools/list_changed"));
    replies[1]["result"].clone()
}

#[test]
fn without_a_phone_the_demo_phone_is_served() {
    let home = tempfile::tempdir().unwrap();
    for target in [&[][..], &["--target", "demo"][..]] {
        let result = call(home.path(), target, "get_screen_state");
        let screen = result["content"][0]["text"].as_str().unwrap();
        assert!(screen.contains("app:com.android.launcher3") && screen.contains("Calculator"), "{screen}");
    }
    assert!(text(&run(fingertip(home.path()).arg("devices")).stdout).starts_with("demo\tready"));
}

#[test]
fn without_adb_a_phone_that_was_asked_for_is_said_to_be_missing() {
    let home = tempfile::tempdir().unwrap();
    let result = call(home.path(), &["--target", "android"], "press_back");
    assert_eq!(result["structuredContent"]["error_type"], "permission_denied");
    assert!(result["structuredContent"]["guidance"].as_str().unwrap().contains("fingertip doctor"));
}

#[test]
fn serve_prints_where_it_listens_and_what_to_paste() {
    let home = tempfile::tempdir().unwrap();
    let mut child = fingertip(home.path())
        .args(["serve", "--listen", "127.0.0.1:0", "--tls"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        said.push_str(&line.unwrap());
        said.push('\n');
        if said.contains("JSON, stdio") {
            break;
        }
    }
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.stdout.is_empty(), "standard output belongs to the protocol");
    for expected in
        ["listening on https://127.0.0.1:", "token", "SHA-256", "claude mcp add", "\"mcpServers\""]
    {
        assert!(said.contains(expected), "{expected} is missing in: {said}");
    }
    let token = text(&run(fingertip(home.path()).arg("token")).stdout);
    assert!(!said.contains(&token), "the token itself is not shown unasked");
}

#[test]
#[cfg(all(feature = "desktop", target_os = "linux"))]
fn the_desktop_is_served_only_when_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let listed =
        |target: &str| text(&run(fingertip(home.path()).args(["devices", "--target", target])).stdout);
    assert!(listed("desktop").contains("desktop"), "{}", listed("desktop"));
    assert!(!listed("demo").contains("desktop"), "{}", listed("demo"));
}

#[test]
fn an_unknown_target_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let output = run(fingertip(home.path()).args(["stdio", "--target", "toaster"]));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_doctor_is_content_with_the_demo_phone_and_knows_the_server_that_runs() {
    let home = tempfile::tempdir().unwrap();
    let mut child = fingertip(home.path())
        .args(["serve", "--listen", "127.0.0.1:0", "--target", "demo"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        let line = line.unwrap();
        let rest = line.split_once("http://")?.1;
        Some(rest.split('/').next()?.to_owned())
    });
    let output = run(fingertip(home.path()).args(["doctor", "--listen", &address.expect("its address")]));
    child.kill().unwrap();
    child.wait().unwrap();
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("a fingertip server listens on"), "{said}");
    assert!(said.contains("\nnote ") && !said.contains("FAIL"), "{said}");
}
