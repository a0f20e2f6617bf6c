//! The policy of a configuration.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use fingertip_mcp::policy::blocklist::{BadPattern, Pattern};
use fingertip_mcp::policy::names::Names;
use fingertip_mcp::policy::{Audit, Blocklist, Confirm, Policy, ToolSelection, WritesPerSecond};

use super::Config;
use super::setting::Setting;
use crate::home;

impl Config {
    /// What clients may do.
    ///
    /// # Errors
    /// An unknown tool, an invalid pattern, a log that cannot be kept; each with where it was written.
    pub(crate) fn policy(&self) -> anyhow::Result<Policy> {
        let settings = &self.settings;
        for list in [&settings.tools, &settings.no_tools] {
            list.parse(|names| Names::read(names))?;
        }
        let tools = settings.tools.chosen().map(Vec::as_slice);
        if tools.is_some_and(<[_]>::is_empty) {
            tracing::warn!("no tool is offered: the list of tools is empty ({})", settings.tools.source);
        }
        Ok(Policy {
            read_only: settings.read_only.value,
            selection: ToolSelection::new(tools, &settings.no_tools.value)?,
            blocklist: Arc::new(self.blocklist()?),
            allow_commands: settings.allow_commands.value,
            writes_per_second: settings.writes_per_second.parse(|count| {
                u32::try_from(*count).ok().and_then(WritesPerSecond::new).ok_or("out of range")
            })?,
            shared_limits: home::runtime().map(Into::into),
            confirm: settings.confirm.parse(|names| Confirm::new(names))?,
            audit: self.audit()?.map(Arc::new),
        })
    }

    fn blocklist(&self) -> anyhow::Result<Blocklist> {
        let settings = &self.settings;
        let built_in =
            if settings.default_blocklist.value { Blocklist::default() } else { Blocklist::empty() };
        let patterns = |list: &Setting<Vec<String>>| {
            list.parse(|list| {
                list.iter().map(|text| Pattern::new(text)).collect::<Result<Vec<_>, BadPattern>>()
            })
        };
        Ok(built_in.blocking(patterns(&settings.block_apps)?).allowing(patterns(&settings.allow_apps)?))
    }

    fn audit(&self) -> anyhow::Result<Option<Audit>> {
        let settings = &self.settings;
        if !settings.audit.value {
            return Ok(None);
        }
        let audit = settings.audit_file.parse(|file| Audit::open(Path::new(file)))?;
        let kept = u32::try_from(settings.audit_kept.value).context("audit.kept is out of range")?;
        Ok(Some(audit.rotated(settings.audit_max_bytes.value, kept)))
    }
}
