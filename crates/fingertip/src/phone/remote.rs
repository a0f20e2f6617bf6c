//! A phone over adb, as starting and ending a server on it needs it: what it says of itself, and what runs there.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, bail};
use fingertip_android::Device;
use fingertip_android::adb::Adb;
use fingertip_core::{Deadline, visible};

use crate::status::Status;

/// All that the server has on a phone is in this folder.
pub(super) const FOLDER: &str = "/data/local/tmp/.fingertip";
/// The server's name; `pidof` finds it by that.
pub(super) const PROGRAM: &str = "fingertip";
/// How long one command on the phone may take.
const ANSWERED_WITHIN: Duration = Duration::from_secs(15);
/// How long pushing the program may take; a slow phone on USB 2 takes a second a megabyte.
const PUSHED_WITHIN: Duration = Duration::from_secs(180);
/// The most that is read of a command's output, in bytes.
const MAX_OUTPUT: usize = 256 * 1024;
/// What begins the line before each answer.
const MARK: &str = "@fingertip-";

/// The path of one of the server's files.
pub(super) fn path(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

/// A word that the phone's shell passes on as it is.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// One phone.
pub(super) struct Remote {
    device: Device,
}

/// What a phone says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) abi: String,
    pub(super) sdk: u32,
    pub(super) android: String,
    pub(super) model: String,
    pub(super) time_zone: String,
    /// Whether programs of the shell may use the network; `None` where the phone does not report it.
    pub(super) has_network: Option<bool>,
    /// How much room there is, in bytes, where the phone reports it.
    pub(super) free: Option<u64>,
    /// The SHA-256 of the program that is there.
    pub(super) program: Option<String>,
}

/// The server on a phone, there or not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Server {
    /// Its processes.
    pub(super) pids: Vec<u32>,
    /// What it said of itself last.
    pub(super) status: Option<Status>,
}

impl Remote {
    /// The phone with this serial, else the only one that is connected.
    ///
    /// # Errors
    /// When there is none, or several.
    pub(super) async fn find(serial: Option<&str>) -> anyhow::Result<Self> {
        let adb = Adb::from_environment().context("adb is set up wrongly")?;
        if let Some(serial) = serial {
            return Ok(Self { device: adb.device(serial) });
        }
        let phones = adb.devices(Deadline::after(ANSWERED_WITHIN)).await?;
        match &phones[..] {
            [] => {
                bail!("no phone is connected; plug one in and switch on USB debugging, or use `adb connect`")
            }
            [phone] => Ok(Self { device: adb.device(&phone.serial) }),
            several => {
                let serials: Vec<String> =
                    several.iter().map(|phone| visible::escape(&phone.serial).into()).collect();
                bail!("several phones are connected ({}); choose one with --serial", serials.join(", "))
            }
        }
    }

    pub(super) fn serial(&self) -> &str {
        self.device.serial()
    }

    /// What a command prints.
    ///
    /// # Errors
    /// When the phone is away or does not answer; not when the command fails.
    pub(super) async fn ask(&self, command: &str) -> anyhow::Result<String> {
        let output = self.device.run(command, MAX_OUTPUT, Deadline::after(ANSWERED_WITHIN)).await?;
        Ok(output.text())
    }

    /// Writes a file that any program of the phone may read.
    ///
    /// # Errors
    /// When the phone is away, does not take it in time, or has no room.
    pub(super) async fn write(&self, path: &str, content: &[u8]) -> anyhow::Result<()> {
        Ok(self.device.push(path, 0o644, content, Deadline::after(PUSHED_WITHIN)).await?)
    }

    /// What a command that may take a while prints, errors too.
    ///
    /// # Errors
    /// When the phone is away or does not answer; not when the command fails.
    pub(super) async fn ask_patiently(&self, command: &str) -> anyhow::Result<String> {
        let output = self.device.run(command, MAX_OUTPUT, Deadline::after(PUSHED_WITHIN)).await?;
        Ok(format!("{}{}", output.text(), output.errors()))
    }

    /// Writes the program, and makes it one.
    ///
    /// # Errors
    /// When the phone is away, does not take it in time, or has no room.
    pub(super) async fn push(&self, content: &[u8]) -> anyhow::Result<()> {
        let path = path(PROGRAM);
        self.device.push(&path, 0o755, content, Deadline::after(PUSHED_WITHIN)).await?;
        self.ask(&format!("chmod 755 {path}")).await.map(drop)
    }

    /// Asks the phone everything at once.
    ///
    /// # Errors
    /// When the phone is away or does not answer.
    pub(super) async fn facts(&self) -> anyhow::Result<Facts> {
        let questions = [
            ("abi", "getprop ro.product.cpu.abi".to_owned()),
            ("sdk", "getprop ro.build.version.sdk".to_owned()),
            ("android", "getprop ro.build.version.release".to_owned()),
            ("model", "getprop ro.product.model".to_owned()),
            ("zone", "getprop persist.sys.timezone".to_owned()),
            ("id", "id".to_owned()),
            ("df", "df -k /data/local/tmp".to_owned()),
            ("sum", format!("sha256sum {} 2>/dev/null", path(PROGRAM))),
        ];
        let line = questions.map(|(name, command)| format!("echo {MARK}{name}; {command}")).join("; ");
        Ok(parse(&self.ask(&line).await?))
    }

    /// Whether a server runs: of the processes with its name, those whose program is in its folder.
    ///
    /// # Errors
    /// When the phone is away or does not answer.
    pub(super) async fn server(&self) -> anyhow::Result<Server> {
        let question = format!(
            "echo {MARK}pids; pidof {PROGRAM}; echo {MARK}status; cat {} 2>/dev/null",
            path("status")
        );
        let Server { pids, status } = parse_server(&self.ask(&question).await?);
        if pids.is_empty() {
            return Ok(Server { pids, status });
        }
        let questions = pids.iter().map(|pid| format!("echo {MARK}{pid}; readlink /proc/{pid}/exe"));
        let answers = self.ask(&questions.collect::<Vec<_>>().join("; ")).await?;
        let answers = sections(&answers);
        let is_ours =
            |pid: &u32| answers.get(pid.to_string().as_str()).is_some_and(|exe| exe.starts_with(FOLDER));
        Ok(Server { pids: pids.into_iter().filter(is_ours).collect(), status })
    }
}

/// The answers by their names.
fn sections(text: &str) -> HashMap<&str, &str> {
    let parts = text.split(MARK).skip(1);
    parts
        .filter_map(|part| part.split_once('\n'))
        .map(|(name, answer)| (name.trim(), answer.trim()))
        .collect()
}

fn parse(text: &str) -> Facts {
    let sections = sections(text);
    let answer = |name: &str| sections.get(name).copied().unwrap_or_default();
    let groups = answer("id");
    Facts {
        abi: answer("abi").to_owned(),
        sdk: answer("sdk").parse().unwrap_or_default(),
        android: answer("android").to_owned(),
        model: answer("model").to_owned(),
        time_zone: answer("zone").to_owned(),
        has_network: groups
            .contains("groups=")
            .then(|| groups.contains("(inet)") || groups.contains("uid=0(")),
        free: free(answer("df")),
        program: answer("sum").split_whitespace().next().map(str::to_owned),
    }
}

fn parse_server(text: &str) -> Server {
    let sections = sections(text);
    let answer = |name: &str| sections.get(name).copied().unwrap_or_default();
    Server {
        pids: answer("pids").split_whitespace().filter_map(|pid| pid.parse().ok()).collect(),
        status: serde_json::from_str(answer("status")).ok(),
    }
}

/// What `df -k` says is available. A long name of a device may take a line of its own.
fn free(table: &str) -> Option<u64> {
    let words: Vec<&str> = table.lines().skip(1).flat_map(str::split_whitespace).collect();
    let percent = words.iter().position(|word| word.ends_with('%'))?;
    let kilobytes: u64 = words.get(percent.checked_sub(1)?)?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phones_answers_are_read() {
        let text = "@fingertip-abi\narm64-v8a\n@fingertip-sdk\n34\n@fingertip-android\n14\n@fingertip-model\nPixel 7\n\
            @fingertip-zone\nEurope/Berlin\n@fingertip-id\nuid=2000(shell) gid=2000(shell) groups=2000(shell),3003(inet)\n\
            @fingertip-df\nFilesystem 1K-blocks Used Available Use% Mounted on\n/dev/block/dm-5 100 60 40 60% /data\n\
            @fingertip-sum\nab12  /data/local/tmp/.fingertip/fingertip\n";
        let server = "@fingertip-pids\n41 42\n@fingertip-status\n\
            {\"version\":\"0.1.0\",\"pid\":41,\"port\":8080,\"urls\":[\"u\"],\"certificate_sha256\":null}\n";
        let facts = parse(text);
        assert_eq!((facts.abi.as_str(), facts.sdk, facts.model.as_str()), ("arm64-v8a", 34, "Pixel 7"));
        assert_eq!((facts.has_network, facts.free), (Some(true), Some(40 * 1024)));
        assert_eq!(facts.program.as_deref(), Some("ab12"));
        let server = parse_server(server);
        assert_eq!((server.pids, server.status.map(|status| status.port)), (vec![41, 42], Some(8080)));
    }

    #[test]
    fn a_phone_that_says_little_or_rubbish_is_read_as_far_as_it_goes() {
        assert_eq!(parse(""), Facts::default());
        let facts = parse("@fingertip-abi\n\n@fingertip-id\nuid=2000 groups=2000(shell)\n");
        assert_eq!(facts.has_network, Some(false));
        let server = parse_server("@fingertip-status\n{\"version\":1}\n@fingertip-pids\nx y");
        assert_eq!((server.pids, server.status), (vec![], None));
        for table in ["", "Filesystem\n", "x\n%", "a b\n1%", "f\nx 9999999999999999999999 1%"] {
            assert_eq!(free(table), None, "{table}");
        }
        assert_eq!(free("Filesystem ...\n/a/very/long/name\n 100 60 40 60% /data"), Some(40 * 1024));
    }

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(quoted("a'b $(c)"), r"'a'\''b $(c)'");
    }
}
