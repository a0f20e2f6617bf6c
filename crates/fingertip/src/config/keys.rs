//! Every setting: its name in the file, its variable, its flag, what it may be, and its default.

use fingertip_mcp::policy::audit;
use fingertip_mcp::policy::rate_limit::{DEFAULT_WRITES_PER_SECOND, MAX_WRITES_PER_SECOND};

use super::value::{Kind, Value};
use crate::cli::DEFAULT_LISTEN;
use crate::home::Home;

/// Lists that restrict what clients may do by what they name; an empty one restricts nothing.
const RESTRICTING: [&str; 3] = ["policy.no_tools", "policy.confirm", "policy.block_apps"];

/// What the command line sets: names of keys and their values.
pub(crate) type Flags = Vec<(&'static str, Value)>;

/// The most files of the audit log that can be kept.
const MAX_KEPT: u64 = 100;
/// The smallest and the largest size of one, in bytes.
const AUDIT_BYTES: Kind = Kind::Count { least: 64 * 1024, most: 1024 * 1024 * 1024 };

/// One setting.
#[derive(Debug)]
pub(super) struct Key {
    /// Its name, with its section.
    pub(super) name: &'static str,
    pub(super) variable: &'static str,
    pub(super) flag: Option<&'static str>,
    pub(super) kind: Kind,
    pub(super) default: fn(&Home) -> Value,
}

impl Key {
    /// Refuses a variable or flag that looks like a protection and is none, as from an unset variable of a script.
    pub(super) fn check_purpose(&self, value: &Value) -> Result<(), String> {
        let is_empty = matches!(value, Value::List(list) if list.is_empty());
        if is_empty && RESTRICTING.contains(&self.name) {
            return Err(format!(
                "is empty and would protect nothing; name something, leave it out, or write {} = [] in the file",
                self.name
            ));
        }
        Ok(())
    }
}

const fn key(
    name: &'static str,
    variable: &'static str,
    flag: &'static str,
    kind: Kind,
    default: fn(&Home) -> Value,
) -> Key {
    Key { name, variable, flag: Some(flag), kind, default }
}

const fn without_flag(
    name: &'static str,
    variable: &'static str,
    kind: Kind,
    default: fn(&Home) -> Value,
) -> Key {
    Key { name, variable, flag: None, kind, default }
}

fn no(_: &Home) -> Value {
    Value::Flag(false)
}

fn yes(_: &Home) -> Value {
    Value::Flag(true)
}

fn none(_: &Home) -> Value {
    Value::List(Vec::new())
}

fn unset(_: &Home) -> Value {
    Value::Text(String::new())
}

/// All settings, in the order they are shown.
pub(super) const KEYS: &[Key] = &[
    key("server.targets", "FINGERTIP_TARGETS", "--target", Kind::List, none),
    key("server.driver", "FINGERTIP_DRIVER", "--driver", Kind::Text, unset),
    key("server.listen", "FINGERTIP_LISTEN", "--listen", Kind::Text, |_| {
        Value::Text(DEFAULT_LISTEN.to_owned())
    }),
    key("server.tls", "FINGERTIP_TLS", "--tls", Kind::Flag, no),
    key("server.tls_cert", "FINGERTIP_TLS_CERT", "--tls-cert", Kind::Text, unset),
    key("server.tls_key", "FINGERTIP_TLS_KEY", "--tls-key", Kind::Text, unset),
    key("server.allow_hosts", "FINGERTIP_ALLOW_HOSTS", "--allow-host", Kind::List, none),
    key("server.timeouts", "FINGERTIP_TIMEOUTS", "--timeout", Kind::List, none),
    key("server.v1", "FINGERTIP_V1", "--v1", Kind::Flag, no),
    key("policy.read_only", "FINGERTIP_READ_ONLY", "--read-only", Kind::Flag, no),
    key("policy.tools", "FINGERTIP_TOOLS", "--tools", Kind::List, none),
    key("policy.no_tools", "FINGERTIP_NO_TOOLS", "--no-tools", Kind::List, none),
    key("policy.confirm", "FINGERTIP_CONFIRM", "--confirm", Kind::List, none),
    key(
        "policy.writes_per_second",
        "FINGERTIP_WRITES_PER_SECOND",
        "--writes-per-second",
        Kind::Count { least: 1, most: MAX_WRITES_PER_SECOND as u64 },
        |_| Value::Count(u64::from(DEFAULT_WRITES_PER_SECOND)),
    ),
    key("policy.default_blocklist", "FINGERTIP_DEFAULT_BLOCKLIST", "--no-default-blocklist", Kind::Flag, yes),
    key("policy.block_apps", "FINGERTIP_BLOCK_APPS", "--block-app", Kind::List, none),
    key("policy.allow_apps", "FINGERTIP_ALLOW_APPS", "--allow-app", Kind::List, none),
    key("policy.allow_commands", "FINGERTIP_ALLOW_COMMANDS", "--allow-commands", Kind::Flag, no),
    key("audit.enabled", "FINGERTIP_AUDIT", "--no-audit", Kind::Flag, yes),
    key("audit.file", "FINGERTIP_AUDIT_FILE", "--audit-file", Kind::Text, |home| {
        Value::Text(home.audit().display().to_string())
    }),
    without_flag("audit.max_bytes", "FINGERTIP_AUDIT_MAX_BYTES", AUDIT_BYTES, |_| {
        Value::Count(audit::MAX_BYTES)
    }),
    without_flag("audit.kept", "FINGERTIP_AUDIT_KEPT", Kind::Count { least: 0, most: MAX_KEPT }, |_| {
        Value::Count(u64::from(audit::KEPT))
    }),
];

/// The setting of this name.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The names of the sections, each once.
pub(super) fn sections() -> Vec<&'static str> {
    let mut sections: Vec<&str> =
        KEYS.iter().filter_map(|key| key.name.split_once('.')).map(|(section, _)| section).collect();
    sections.dedup();
    sections
}
