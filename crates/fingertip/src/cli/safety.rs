//! The flags that say what clients may do. Each is also a setting of the configuration file.

use std::path::PathBuf;

use clap::Args;

use crate::config::{Flags, Value};

#[derive(Debug, Args)]
#[command(next_help_heading = "Safety")]
pub(crate) struct Safety {
    /// Only look: tools that act are neither listed nor callable
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Offer only these tools and toolsets
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) tools: Option<Vec<String>>,

    /// Do not offer these tools and toolsets
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) no_tools: Option<Vec<String>>,

    /// Ask the user, through the client, before these tools and toolsets run
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) confirm: Option<Vec<String>>,

    /// How many writes a second a device gets, 1 to 1000; more are delayed [default: 10]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) writes_per_second: Option<u64>,

    /// Application that may be looked at and not acted on: its package or program, `*` for any letters; can be repeated
    #[arg(long = "block-app", value_name = "PATTERN")]
    pub(crate) block_apps: Option<Vec<String>>,

    /// Application that may be acted on although a rule blocks it; can be repeated
    #[arg(long = "allow-app", value_name = "PATTERN")]
    pub(crate) allow_apps: Option<Vec<String>>,

    /// Let open_app run programs by their path, and entries in the user's own folders
    #[arg(long)]
    pub(crate) allow_commands: bool,

    /// Without the built-in rules: password managers everywhere, terminals and system settings on desktops
    #[arg(long)]
    pub(crate) no_default_blocklist: bool,

    /// File in which writes are written down [default: audit.jsonl in fingertip's folder]
    #[arg(long, value_name = "FILE", conflicts_with = "no_audit")]
    pub(crate) audit_file: Option<PathBuf>,

    /// Write nothing down
    #[arg(long)]
    pub(crate) no_audit: bool,
}

impl Safety {
    /// What was said, and nothing else: what was not said may be set elsewhere.
    pub(crate) fn flags(&self) -> Flags {
        let list = |name, list: &Option<Vec<String>>| list.clone().map(|list| (name, Value::List(list)));
        let said = |name, said: bool, value| said.then_some((name, Value::Flag(value)));
        let file = self.audit_file.as_ref().map(|file| file.display().to_string());
        [
            said("policy.read_only", self.read_only, true),
            list("policy.tools", &self.tools),
            list("policy.no_tools", &self.no_tools),
            list("policy.confirm", &self.confirm),
            self.writes_per_second.map(|count| ("policy.writes_per_second", Value::Count(count))),
            list("policy.block_apps", &self.block_apps),
            list("policy.allow_apps", &self.allow_apps),
            said("policy.allow_commands", self.allow_commands, true),
            said("policy.default_blocklist", self.no_default_blocklist, false),
            file.map(|file| ("audit.file", Value::Text(file))),
            said("audit.enabled", self.no_audit, false),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
