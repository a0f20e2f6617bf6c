//! Reading the phone's log.

use std::ops::ControlFlow;

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{LogPage, LogQuery};
use fingertip_core::{Deadline, Error, Reason, Result};
use jiff::tz::Offset;

use super::ShellDriver;
use crate::apps::{MAX_PROCESSES, PROCESSES, processes};
use crate::parse::logcat::{Collector, absolute, offset};
use crate::quote::quoted;
use crate::quote::shell_quoted;

const DIVIDER: &str = "@fingertip: next";

#[async_trait]
impl Logs for ShellDriver {
    /// Reads the newest lines that match. Times without a zone are taken by the phone's clock as it is set now.
    async fn read_logs(&self, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
        let (offset, own) = self.clock_and_processes(query.package.as_deref(), deadline).await?;
        if let (Some(package), Some(own)) = (&query.package, &own)
            && own.is_empty()
        {
            let note =
                format!("'{package}' is not running; only running apps can be matched with log lines.");
            return Ok(LogPage { note: Some(note), ..LogPage::default() });
        }
        let mut collector = Collector::new(query, offset, own);
        let mut command = format!("logcat -d -v threadtime -v epoch '*:{}'", query.level.letter());
        if let Some(since) = query.since {
            let since = absolute(since, offset).max(0);
            command.push_str(&format!(" -t '{}.{:03}'", since / 1000, since % 1000));
        }
        let take = |bytes: &[u8]| {
            collector.push(bytes);
            ControlFlow::Continue(())
        };
        let output = self.device.stream(&command, take, deadline).await?;
        let page = collector.finish();
        if page.lines.is_empty() && output.exit.unwrap_or_default() != 0 {
            let why = quoted(&output.errors());
            return Err(Error::new(Reason::ActionFailed, format!("The log could not be read: {why}.")));
        }
        Ok(page)
    }
}

impl ShellDriver {
    async fn clock_and_processes(
        &self,
        package: Option<&str>,
        deadline: Deadline,
    ) -> Result<(Offset, Option<std::collections::BTreeSet<u32>>)> {
        let mut command = "date +%z".to_owned();
        if let Some(package) = package {
            let name = shell_quoted(package);
            command.push_str(&format!("; echo '{DIVIDER}'; pidof {name}; echo '{DIVIDER}'; {PROCESSES}"));
        }
        let text = self.device.run(&command, MAX_PROCESSES, deadline).await?.text();
        let mut parts = text.split(DIVIDER);
        let mut part = || parts.next().unwrap_or_default();
        let offset = offset(part()).unwrap_or(Offset::UTC);
        Ok((offset, package.map(|package| processes(package, part(), part()))))
    }
}
