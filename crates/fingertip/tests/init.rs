//! `fingertip init` on the files of real clients: what it writes is what the golden files hold, and undo is to the byte.
//!
//! `tests/init/CLIENT` has a file as a user may have it, and as it is then, with `PROGRAM` for the path of this program.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fingertip");

/// Each client, and where its file is in a home folder on Linux.
const CLIENTS: [(&str, &str); 9] = [
    ("claude-code", ".claude.json"),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".config/Code/User/mcp.json"),
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
    ("windsurf", ".codeium/windsurf/mcp_config.json"),
    ("zed", ".config/zed/settings.json"),
    ("opencode", ".config/opencode/opencode.json"),
];

/// A user with nothing.
struct User(tempfile::TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("it works"))
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(PROGRAM);
        for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"] {
            command.env_remove(variable);
        }
        command.env("HOME", self.0.path()).env("FINGERTIP_HOME", self.path("kept")).stdin(Stdio::null());
        command.arg("init").args(arguments).output().expect("the program starts")
    }

    /// Runs it, and gives what it printed.
    fn does(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).expect("it works")
    }

    /// Runs it, and gives what it complained of.
    fn refuses(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        String::from_utf8(output.stderr).expect("it works")
    }

    fn write(&self, path: &str, content: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it works")).expect("it works");
        fs::write(&path, content).expect("it works");
        path
    }

    /// Every file of this user with its content.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let (mut folders, mut files) = (vec![self.0.path().to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("it works").map(|entry| entry.expect("it works").path())
            {
                if entry.is_dir() {
                    folders.push(entry);
                } else {
                    files.push((entry.clone(), fs::read(&entry).expect("it works")));
                }
            }
        }
        files.sort();
        files
    }
}

fn golden(client: &str, name: &str) -> String {
    let extension = if client == "codex" { "toml" } else { "json" };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/init/{client}/{name}.{extension}"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_client_gets_its_entry_and_keeps_the_rest_and_undo_is_to_the_byte() {
    for (client, path) in CLIENTS {
        let user = User::new();
        let before = golden(client, "before");
        let file = user.write(path, &before);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let shown = user.does(&["--yes", client]);
        let after = fs::read_to_string(&file).unwrap();
        assert_eq!(after.replace(PROGRAM, "PROGRAM"), golden(client, "after"), "{client}");
        assert!(shown.contains("+ ") && shown.contains(PROGRAM), "{client}: {shown}");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640, "{client}");
        // Once more changes nothing, and what was first is still known.
        assert!(user.does(&["--yes", client]).contains("set up already"), "{client}");
        user.does(&["--yes", client, "--", "--target", "desktop"]);
        let other = fs::read_to_string(&file).unwrap();
        assert!(other.contains("desktop") && other != after, "{client}: {other}");
        user.does(&["--yes", "--undo", client]);
        assert_eq!(fs::read(&file).unwrap(), before.as_bytes(), "{client}");
        assert_eq!(user.files().len(), 1, "{client}: nothing else is left");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640, "{client}");
    }
}

#[test]
fn a_client_without_a_file_gets_one_and_loses_it_again() {
    let user = User::new();
    for (client, path) in CLIENTS {
        user.does(&["--yes", client]);
        let written = fs::read_to_string(user.path(path)).unwrap();
        assert!(written.contains(PROGRAM) && written.ends_with('\n'), "{client}: {written}");
        assert_eq!(fs::metadata(user.path(path)).unwrap().permissions().mode() & 0o077, 0, "{client}");
        // What --print shows is what is written.
        assert!(user.does(&["--print", client]).contains(written.trim_end()), "{client}");
    }
    assert!(user.does(&["--yes", "--undo"]).contains("opencode: undone"));
    assert_eq!(user.files(), []);
    assert!(user.does(&["--undo"]).contains("nothing to undo"));
}

#[test]
fn only_clients_that_are_there_are_set_up_unless_named() {
    let user = User::new();
    assert!(user.refuses(1, &["--yes"]).contains("no client was found"));
    let cursor = user.write(".cursor/mcp.json", "");
    let code = user.path(".config/Code/User/mcp.json");
    fs::create_dir_all(code.parent().unwrap()).unwrap();
    user.does(&["--yes"]);
    assert!(
        fs::read_to_string(cursor).unwrap().contains(PROGRAM)
            && fs::read_to_string(code).unwrap().contains(PROGRAM)
    );
    assert!(!user.path(".gemini").exists() && !user.path(".claude.json").exists());
}

#[test]
fn nothing_is_written_without_a_yes_or_by_print() {
    let user = User::new();
    user.write(".cursor/mcp.json", &golden("cursor", "before"));
    let before = user.files();
    assert!(user.refuses(2, &[]).contains("--yes"));
    let printed = user.does(&["--print"]);
    assert!(printed.contains("# Codex: ") && printed.contains("[mcp_servers.fingertip]"), "{printed}");
    assert_eq!(user.files(), before);
}

#[test]
fn what_others_changed_since_stays_when_it_is_undone() {
    let user = User::new();
    let file = user.write(".cursor/mcp.json", &golden("cursor", "before"));
    user.does(&["--yes", "cursor"]);
    let theirs = fs::read_to_string(&file).unwrap().replace("localhost", "db.example.com");
    fs::write(&file, &theirs).unwrap();
    user.does(&["--yes", "--undo", "cursor"]);
    let left = fs::read_to_string(&file).unwrap();
    assert!(
        !left.contains("fingertip") && left.contains("db.example.com") && left.contains("// the team's"),
        "{left}"
    );
    // The same for a file that was not there before.
    user.does(&["--yes", "gemini"]);
    let file = user.path(".gemini/settings.json");
    let theirs = fs::read_to_string(&file).unwrap().replacen('{', "{\n  \"theme\": \"dark\",", 1);
    fs::write(&file, theirs).unwrap();
    user.does(&["--yes", "--undo", "gemini"]);
    let left = fs::read_to_string(&file).unwrap();
    assert!(left.contains("theme") && !left.contains("mcpServers"), "{left}");
}

#[test]
fn a_file_that_is_not_understood_is_left_alone_and_the_others_are_set_up() {
    let user = User::new();
    let broken = user.write(".cursor/mcp.json", "{ \"mcpServers\": [ ");
    let good = user.write(".gemini/settings.json", "{}");
    let said = user.refuses(1, &["--yes"]);
    assert!(said.contains("Cursor: ") && said.contains("is left alone"), "{said}");
    assert_eq!(fs::read_to_string(broken).unwrap(), "{ \"mcpServers\": [ ");
    assert!(fs::read_to_string(good).unwrap().contains(PROGRAM));
}

#[test]
fn a_read_only_file_is_left_alone_also_when_it_is_undone() {
    let user = User::new();
    let file = user.write(".cursor/mcp.json", "{}");
    let set_mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o444);
    assert!(user.refuses(1, &["--yes", "cursor"]).contains("read-only"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    set_mode(0o644);
    user.does(&["--yes", "cursor"]);
    let written = fs::read_to_string(&file).unwrap();
    set_mode(0o444);
    assert!(user.refuses(1, &["--yes", "--undo", "cursor"]).contains("read-only"));
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
    // What is refused is still known, and can be undone later.
    set_mode(0o644);
    user.does(&["--yes", "--undo", "cursor"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn a_link_is_followed_within_the_home_folder_and_not_out_of_it() {
    let user = User::new();
    let real = user.write("dotfiles/cursor.json", "{}");
    fs::create_dir_all(user.path(".cursor")).unwrap();
    symlink(&real, user.path(".cursor/mcp.json")).unwrap();
    user.does(&["--yes", "cursor"]);
    assert!(fs::symlink_metadata(user.path(".cursor/mcp.json")).unwrap().is_symlink(), "the link stays");
    assert!(fs::read_to_string(&real).unwrap().contains(PROGRAM));
    user.does(&["--yes", "--undo"]);
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}");

    let elsewhere = tempfile::tempdir().unwrap();
    let outside = elsewhere.path().join("settings.json");
    fs::write(&outside, "{}").unwrap();
    fs::create_dir_all(user.path(".gemini")).unwrap();
    symlink(&outside, user.path(".gemini/settings.json")).unwrap();
    assert!(user.refuses(1, &["--yes", "gemini"]).contains("out of the folders of this user"));
    // Neither by a folder, nor to where nothing is yet.
    symlink(elsewhere.path(), user.path(".codex")).unwrap();
    assert!(user.refuses(1, &["--yes", "codex"]).contains("out of the folders of this user"));
    fs::create_dir_all(user.path(".config/zed")).unwrap();
    symlink(elsewhere.path().join("new"), user.path(".config/zed/settings.json")).unwrap();
    assert!(user.refuses(1, &["--yes", "zed"]).contains("leads nowhere"));
    assert_eq!(fs::read_to_string(&outside).unwrap(), "{}");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[test]
fn arguments_that_no_server_would_start_with_are_refused() {
    let user = User::new();
    assert!(user.refuses(2, &["--yes", "cursor", "--", "--target", "toaster"]).contains("toaster"));
    assert_eq!(user.files(), []);
}

#[test]
fn what_is_kept_for_undo_is_private() {
    let user = User::new();
    user.write(".claude.json", &golden("claude-code", "before"));
    user.does(&["--yes", "claude-code"]);
    let kept = user.path("kept/init/claude-code.json");
    assert!(fs::read_to_string(&kept).unwrap().contains("Bearer abc"));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o077, 0);
}

/// Where Plasma finds what its user grants.
const KDE: &str = ".local/share/applications/fingertip-kde.desktop";

fn kde_entry() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/init/kde/after.desktop");
    fs::read_to_string(path).expect("it is there")
}

#[test]
fn kde_is_granted_by_an_entry_that_is_shown_and_can_be_taken_back() {
    let user = User::new();
    assert!(user.does(&["--kde", "--print"]).contains(&kde_entry().replace("PROGRAM", PROGRAM)));
    assert!(user.refuses(2, &["--kde"]).contains("--yes"), "nobody agreed");
    assert_eq!(user.files(), []);
    let shown = user.does(&["--kde", "--yes"]);
    let written = fs::read_to_string(user.path(KDE)).unwrap();
    assert_eq!(written.replace(PROGRAM, "PROGRAM"), kde_entry());
    assert!(shown.contains("+ X-KDE-Wayland-Interfaces=org_kde_kwin_fake_input"), "{shown}");
    assert!(user.does(&["--kde", "--yes"]).contains("granted already"));
    // Setting clients up and back has nothing to do with it.
    user.does(&["--yes", "cursor"]);
    user.does(&["--yes", "--undo"]);
    assert_eq!(fs::read_to_string(user.path(KDE)).unwrap(), written);
    assert!(user.does(&["--kde", "--yes", "--undo"]).contains("undone"));
    assert_eq!(user.files(), []);
    assert!(user.refuses(1, &["--kde", "--undo"]).contains("nothing to undo"));
}

#[test]
fn a_kde_entry_that_was_there_is_restored_and_one_changed_since_is_left_alone() {
    let user = User::new();
    let theirs = "[Desktop Entry]\nType=Application\nName=Mine\nExec=/bin/true\n";
    let file = user.write(KDE, theirs);
    user.does(&["--kde", "--yes"]);
    user.does(&["--kde", "--yes", "--undo"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    user.does(&["--kde", "--yes"]);
    let changed = fs::read_to_string(&file).unwrap() + "Icon=hand\n";
    fs::write(&file, &changed).unwrap();
    assert!(user.refuses(1, &["--kde", "--yes", "--undo"]).contains("by hand"));
    assert_eq!(fs::read_to_string(&file).unwrap(), changed);
}

#[test]
fn kde_is_granted_by_itself() {
    let user = User::new();
    for arguments in [&["--kde", "cursor"][..], &["--kde", "--", "--target", "desktop"]] {
        assert!(user.refuses(2, arguments).contains("--kde"), "{arguments:?}");
    }
}
