//! The flags that say what clients may do. Each is also a setting of the configuration file.

use std::path::PathBuf;

use clap::Args;

use super::{names, path};
use crate::config::Settings;

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
    #[arg(long = "block-app", value_name = "PATTERN,…", value_delimiter = ',')]
    pub(crate) block_apps: Option<Vec<String>>,

    /// Application that may be acted on although a rule blocks it; can be repeated
    #[arg(long = "allow-app", value_name = "PATTERN,…", value_delimiter = ',')]
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
    /// Sets what was said, and nothing else: what was not said may be set elsewhere.
    pub(super) fn set(&self, settings: &mut Settings) -> anyhow::Result<()> {
        settings.read_only.set_by_flag("--read-only", self.read_only.then_some(true))?;
        settings.tools.set_by_flag("--tools", self.tools.clone().map(names))?;
        settings.no_tools.set_by_flag("--no-tools", self.no_tools.clone().map(names))?;
        settings.confirm.set_by_flag("--confirm", self.confirm.clone().map(names))?;
        settings.writes_per_second.set_by_flag("--writes-per-second", self.writes_per_second)?;
        settings.block_apps.set_by_flag("--block-app", self.block_apps.clone().map(names))?;
        settings.allow_apps.set_by_flag("--allow-app", self.allow_apps.clone().map(names))?;
        settings.allow_commands.set_by_flag("--allow-commands", self.allow_commands.then_some(true))?;
        let no_blocklist = self.no_default_blocklist.then_some(false);
        settings.default_blocklist.set_by_flag("--no-default-blocklist", no_blocklist)?;
        settings.audit_file.set_by_flag("--audit-file", path(self.audit_file.as_ref()))?;
        settings.audit.set_by_flag("--no-audit", self.no_audit.then_some(false))
    }
}
