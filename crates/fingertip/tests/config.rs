//! Settings as a person gives them: in a file, in the environment, on the command line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

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
        "com.\"x*",
        "--no-default-blocklist",
        "--no-audit",
        "--listen",
        "127.0.0.1:9",
        "--target",
        "demo",
        "--v1",
    ];
    let first = run(home.path(), &flags, &[]);
    assert!(first.ok, "{}", first.err);
    assert!(first.out.contains("block_apps = [\"com.\\\"x*\"]"), "{}", first.out);
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
