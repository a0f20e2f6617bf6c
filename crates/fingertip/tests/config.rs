//! Settings as a person gives them: in a file, in the environment, on the command line.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

struct Ran {
    ok: bool,
    out: String,
    err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { ok: output.status.success(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

fn run(home: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fingertip"));
    command.env("FINGERTIP_HOME", home).env_remove("FINGERTIP_TOKEN").args(arguments);
    command.envs(environment.iter().copied());
    command.output().expect("the program starts").into()
}

fn write(home: &Path, text: &str) {
    let file = home.join("config.toml");
    fs::write(&file, text).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("permissions");
}

/// The line that shows this setting.
fn shown(ran: &Ran, name: &str) -> String {
    assert!(ran.ok, "{}", ran.err);
    let line = ran.out.lines().find(|line| line.starts_with(&format!("{name} = ")));
    line.unwrap_or_else(|| panic!("no {name} in {}", ran.out))
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_flag_wins_over_the_environment_that_over_the_file_that_over_the_default() {
    let home = tempfile::tempdir().unwrap();
    let show = |flags: &[&str], environment: &[(&str, &str)]| {
        let arguments = [&["config", "--show"], flags].concat();
        shown(&run(home.path(), &arguments, environment), "writes_per_second")
    };
    let variable = [("FINGERTIP_WRITES_PER_SECOND", "3")];
    let flag = ["--writes-per-second", "4"];
    assert_eq!(show(&[], &[]), "writes_per_second = 10 # default");
    write(home.path(), "[policy]\n\nwrites_per_second = 2\n");
    let file = home.path().join("config.toml");
    assert_eq!(show(&[], &[]), format!("writes_per_second = 2 # {}:3", file.display()));
    assert_eq!(show(&[], &variable), "writes_per_second = 3 # FINGERTIP_WRITES_PER_SECOND");
    assert_eq!(show(&flag, &variable), "writes_per_second = 4 # --writes-per-second");
}

#[test]
fn what_is_shown_is_a_file_that_says_the_same() {
    let home = tempfile::tempdir().unwrap();
    let flags = [
        "config",
        "--show",
        "--read-only",
        "--no-tools",
        "tap,swipe",
        "--confirm",
        "set_text",
        "--block-app",
        "com.x*,org.y",
        "--no-default-blocklist",
        "--audit-file",
        "/tmp/a \"quoted\" name",
        "--listen",
        "127.0.0.1:9",
        "--target",
        "demo",
        "--v1",
    ];
    let first = run(home.path(), &flags, &[]);
    assert!(first.ok, "{}", first.err);
    assert!(first.out.contains("block_apps = [\"com.x*\", \"org.y\"]"), "{}", first.out);
    assert!(first.out.contains("\"/tmp/a \\\"quoted\\\" name\""), "{}", first.out);
    assert!(first.out.contains("no_tools = [\"tap\", \"swipe\"]"), "{}", first.out);
    write(home.path(), &first.out);
    let second = run(home.path(), &["config", "--show"], &[]);
    let values = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.contains(" = "))
            .map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned())
            .collect()
    };
    assert_eq!(values(&first.out), values(&second.out));
    assert!(values(&first.out).len() > 15);
}

#[test]
fn a_wrong_file_stops_every_command_with_its_line() {
    let home = tempfile::tempdir().unwrap();
    for (text, line, said) in [
        ("[policy]\nread_onyl = true\n", 2, "did you mean 'policy.read_only'?"),
        ("\n\n[polcy]\n", 3, "did you mean 'policy'?"),
        ("[policy]\nwrites_per_second = 0\n", 2, "from 1 to 1000"),
        ("[policy]\nread_only = \"yes\"\n", 2, "true or false"),
        ("[policy]\nread_only = \n", 2, ""),
    ] {
        write(home.path(), text);
        for command in ["serve", "stdio", "config", "devices", "audit", "doctor"] {
            let ran = run(home.path(), &[command], &[]);
            assert!(!ran.ok, "{command} starts with {text:?}");
            assert!(ran.err.contains(&format!("config.toml:{line}: ")), "{}", ran.err);
            assert!(ran.err.contains(said), "{}", ran.err);
        }
    }
}

#[test]
fn names_and_patterns_are_checked_wherever_they_come_from() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "[policy]\nread_only = true\nconfirm = [\"tapp\"]\n");
    let ran = run(home.path(), &["stdio"], &[]);
    assert!(
        !ran.ok && ran.err.contains("config.toml:3: policy.confirm: ") && ran.err.contains("'tap'"),
        "{}",
        ran.err
    );
    write(home.path(), "");
    for (arguments, said) in [
        (
            ["stdio", "--tools", "swpie"],
            "--tools: policy.tools: there is no tool or toolset 'swpie'; did you mean 'swipe'?",
        ),
        (["stdio", "--no-tools", "Device"], "did you mean 'device'?"),
        (["stdio", "--block-app", " "], "--block-app: "),
        (["stdio", "--writes-per-second", "0"], "--writes-per-second: "),
    ] {
        let ran = run(home.path(), &arguments, &[]);
        assert!(!ran.ok && ran.err.contains(said), "{arguments:?}: {}", ran.err);
    }
    let ran = run(home.path(), &["stdio"], &[("FINGERTIP_READ_ONLY", "maybe")]);
    assert!(!ran.ok && ran.err.contains("FINGERTIP_READ_ONLY: must be true or false"), "{}", ran.err);
}

#[test]
fn a_file_that_others_can_change_and_one_that_is_missing_are_refused() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "[policy]\nread_only = true\n");
    fs::set_permissions(home.path().join("config.toml"), fs::Permissions::from_mode(0o666)).unwrap();
    let ran = run(home.path(), &["config"], &[]);
    assert!(!ran.ok && ran.err.contains("chmod go-w"), "{}", ran.err);
    let missing = home.path().join("other.toml");
    let ran = run(home.path(), &["config", "--config", missing.to_str().unwrap()], &[]);
    assert!(!ran.ok && ran.err.contains("other.toml"), "{}", ran.err);
}

#[test]
fn half_a_certificate_never_serves_without_encryption() {
    let home = tempfile::tempdir().unwrap();
    write(
        home.path(),
        "[server]\nlisten = \"127.0.0.1:0\"\ntls_cert = \"cert.pem\"\ntls_key = \"key.pem\"\n",
    );
    let ran = run(home.path(), &["serve"], &[]);
    assert!(!ran.ok && ran.err.contains("--tls"), "{}", ran.err);
}

#[test]
fn an_audit_log_that_others_can_read_stops_the_server() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("audit.jsonl");
    fs::write(&log, "").unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o644)).unwrap();
    let ran = run(home.path(), &["stdio"], &[]);
    assert!(!ran.ok && ran.err.contains("chmod 600"), "{}", ran.err);
}

#[test]
fn a_misspelt_variable_stops_every_command_with_the_nearest() {
    let home = tempfile::tempdir().unwrap();
    for (name, meant) in [
        ("FINGERTIP_READ_ONYL", "FINGERTIP_READ_ONLY"),
        ("FINGERTIP_READONLY", "FINGERTIP_READ_ONLY"),
        ("FINGERTIP_BLOCK_APP", "FINGERTIP_BLOCK_APPS"),
        ("fingertip_read_only", "FINGERTIP_READ_ONLY"),
    ] {
        for command in ["serve", "stdio", "token", "config", "devices", "audit", "doctor", "sim"] {
            let ran = run(home.path(), &[command], &[(name, "true")]);
            assert!(!ran.ok && ran.out.is_empty(), "{command} runs with {name}");
            assert!(ran.err.contains(name) && ran.err.contains(&format!("'{meant}'")), "{}", ran.err);
        }
    }
    assert!(!home.path().join("token").exists(), "nothing is touched before");
    let inherited = [("FINGERTIP_DUMPS", "x"), ("FINGERTIP_ANDROID_API", "x"), ("FINGERTIP_TRANSCRIPT", "x")];
    assert!(run(home.path(), &["config"], &inherited).ok);
}

/// The tools a server on stdio lists.
fn listed(home: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fingertip"))
        .env("FINGERTIP_HOME", home)
        .envs(environment.iter().copied())
        .args([&["stdio", "--target", "demo"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{initialize}\n{list}").expect("it reads");
    let answer = BufReader::new(child.stdout.take().expect("a pipe"))
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(&line.expect("a line")).expect("a message"))
        .find(|message| message["id"] == 2)
        .expect("a list");
    drop(input);
    child.wait().expect("it ends");
    let tools = answer["result"]["tools"].as_array().expect("tools");
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn an_empty_list_of_tools_offers_none() {
    let home = tempfile::tempdir().unwrap();
    assert!(listed(home.path(), &[], &[]).len() > 20);
    assert_eq!(listed(home.path(), &["--tools", ""], &[]), [""; 0]);
    assert_eq!(listed(home.path(), &[], &[("FINGERTIP_TOOLS", "")]), [""; 0]);
    assert_eq!(listed(home.path(), &[], &[("FINGERTIP_TOOLS", " ,")]), [""; 0]);
    assert_eq!(listed(home.path(), &["--tools", "tap"], &[("FINGERTIP_TOOLS", "")]), ["tap"]);
    write(home.path(), "[policy]\ntools = []\n");
    assert_eq!(listed(home.path(), &[], &[]), [""; 0]);
    let show = run(home.path(), &["config", "--show"], &[]);
    assert!(shown(&show, "tools").starts_with("tools = [] #"));
}

#[test]
fn a_protection_that_names_nothing_is_refused_unless_the_file_says_so() {
    let home = tempfile::tempdir().unwrap();
    for (flag, variable, name) in [
        ("--confirm", "FINGERTIP_CONFIRM", "policy.confirm"),
        ("--no-tools", "FINGERTIP_NO_TOOLS", "policy.no_tools"),
        ("--block-app", "FINGERTIP_BLOCK_APPS", "policy.block_apps"),
    ] {
        for ran in
            [run(home.path(), &["config", flag, ""], &[]), run(home.path(), &["config"], &[(variable, "")])]
        {
            let by = |source: &str| ran.err.contains(&format!("{source}: is empty"));
            assert!(!ran.ok && (by(flag) || by(variable)) && ran.err.contains(name), "{}", ran.err);
        }
    }
    write(home.path(), "[policy]\nconfirm = []\nno_tools = []\nblock_apps = []\n");
    assert!(run(home.path(), &["config"], &[]).ok);
}

#[test]
fn what_is_no_file_is_refused_as_configuration_and_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    let ran = run(home.path(), &["config"], &[]);
    assert!(!ran.ok && ran.err.contains("not a regular file"), "{}", ran.err);
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let ran = run(home.path(), &["config"], &[]);
    assert!(!ran.ok && ran.err.contains("not a regular file"), "{}", ran.err);
    let ran = run(home.path(), &["config", "--config", "/dev/zero"], &[]);
    assert!(!ran.ok && ran.err.contains("not a regular file"), "{}", ran.err);
}

#[test]
fn a_link_to_an_own_configuration_is_followed() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "[policy]\nread_only = true\n");
    let link = home.path().join("link.toml");
    std::os::unix::fs::symlink(home.path().join("config.toml"), &link).unwrap();
    let ran = run(home.path(), &["config", "--show", "--config", link.to_str().unwrap()], &[]);
    assert!(shown(&ran, "read_only").starts_with("read_only = true"));
}

#[test]
fn a_folder_that_everybody_can_change_is_refused() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o777)).unwrap();
    for command in ["config", "token", "stdio"] {
        let ran = run(home.path(), &[command], &[]);
        assert!(!ran.ok && ran.err.contains("chmod o-w"), "{command}: {}", ran.err);
    }
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    assert!(run(home.path(), &["config"], &[]).ok);
}

/// Only root can give files away; for others the rule itself is tested beside its code, in `private_file`.
#[test]
fn files_of_another_user_are_refused_with_the_fix() {
    let home = tempfile::tempdir().unwrap();
    assert!(run(home.path(), &["token"], &[]).ok);
    write(home.path(), "[audit]\nenabled = true\n");
    let log = home.path().join("audit.jsonl");
    fs::write(&log, "").unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o600)).unwrap();
    for (name, command) in [("config.toml", "config"), ("token", "token"), ("audit.jsonl", "config")] {
        let file = home.path().join(name);
        match std::os::unix::fs::chown(&file, Some(54_321), None) {
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return,
            given => given.unwrap(),
        }
        let ran = run(home.path(), &[command], &[]);
        assert!(
            !ran.ok && ran.err.contains("user 54321") && ran.err.contains("chown"),
            "{name}: {}",
            ran.err
        );
        std::os::unix::fs::chown(&file, Some(0), None).unwrap();
    }
    assert!(run(home.path(), &["config"], &[]).ok);
}

#[test]
fn what_a_terminal_would_obey_is_shown_escaped() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("audit.jsonl");
    fs::write(&log, "forged \u{202e}line\u{2028}\u{1b}[2J \u{e0041}\n").unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o600)).unwrap();
    let ran = run(home.path(), &["audit"], &[]);
    assert_eq!(ran.out, "forged \\u{202e}line\\u{2028}\\u{1b}[2J \\u{e0041}\n");
    let ran = run(home.path(), &["config", "--show", "--audit-file", "/tmp/a\u{202e}\u{2028}b"], &[]);
    assert!(ran.out.contains("a\\u202e\\u2028b"), "{}", ran.out);
    write(home.path(), "[policy]\n\"a\u{202e}\" = 1\n");
    let ran = run(home.path(), &["config"], &[]);
    assert!(!ran.ok && !ran.err.contains('\u{202e}') && ran.err.contains("\\u{202e}"), "{}", ran.err);
}
