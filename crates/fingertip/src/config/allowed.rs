//! The policy of a configuration.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use fingertip_mcp::policy::blocklist::{BadPattern, Pattern};
use fingertip_mcp::policy::names::Names;
use fingertip_mcp::policy::{Audit, Blocklist, Confirm, Policy, ToolSelection, WritesPerSecond};

use super::Config;
use crate::home;

impl Config {
    /// What clients may do.
    ///
    /// # Errors
    /// A name of no tool, a pattern that is none, a log that cannot be kept; each with where it was written.
    pub(crate) fn policy(&self) -> anyhow::Result<Policy> {
        for name in ["policy.tools", "policy.no_tools"] {
            self.parse(name, |config| Names::read(config.list(name)))?;
        }
        if self.chosen_tools().is_some_and(<[_]>::is_empty) {
            tracing::warn!("no tool is offered: the list of tools is empty ({})", self.get("policy.tools").1);
        }
        Ok(Policy {
            read_only: self.flag("policy.read_only"),
            selection: ToolSelection::new(self.chosen_tools(), self.list("policy.no_tools"))?,
            blocklist: Arc::new(self.blocklist()?),
            allow_commands: self.flag("policy.allow_commands"),
            writes_per_second: self.parse("policy.writes_per_second", |config| {
                let count = u32::try_from(config.count("policy.writes_per_second")).ok();
                count.and_then(WritesPerSecond::new).ok_or("out of range")
            })?,
            shared_limits: home::runtime().map(Into::into),
            confirm: self.parse("policy.confirm", |config| Confirm::new(config.list("policy.confirm")))?,
            audit: self.audit()?.map(Arc::new),
        })
    }

    /// The tools that were chosen; `None` where no choice was made.
    fn chosen_tools(&self) -> Option<&[String]> {
        (!self.is_default("policy.tools")).then(|| self.list("policy.tools"))
    }

    fn blocklist(&self) -> anyhow::Result<Blocklist> {
        let built_in =
            if self.flag("policy.default_blocklist") { Blocklist::default() } else { Blocklist::empty() };
        let patterns = |name: &str| {
            self.parse(name, |config| {
                config
                    .list(name)
                    .iter()
                    .map(|text| Pattern::new(text))
                    .collect::<Result<Vec<_>, BadPattern>>()
            })
        };
        Ok(built_in.blocking(patterns("policy.block_apps")?).allowing(patterns("policy.allow_apps")?))
    }

    fn audit(&self) -> anyhow::Result<Option<Audit>> {
        if !self.flag("audit.enabled") {
            return Ok(None);
        }
        let audit = self.parse("audit.file", |config| Audit::open(config.audit_file()))?;
        let kept = u32::try_from(self.count("audit.kept")).context("audit.kept is out of range")?;
        Ok(Some(audit.rotated(self.count("audit.max_bytes"), kept)))
    }

    /// Where the audit log is kept.
    pub(crate) fn audit_file(&self) -> &Path {
        Path::new(self.text("audit.file").unwrap_or_default())
    }
}
