//! `wait_for_idle`: two looks half a second apart that show the same.
//!
//! The structure is compared, not the event stream: an animation that reports changes for ever without
//! changing what an agent sees does not keep the screen from being idle. Events only bring the next look
//! forward. On a desktop the application in front or the one named is compared, and where things stand does not
//! count: many applications move something about for ever.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{Deadline, Reason, Result, fingerprint};
use serde_json::{Value, json};

use super::BASE;
use super::shared::{APP, TIMEOUT, limit_for_wait};
use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// How long the screen must stay the same.
pub(crate) const QUIET: Duration = Duration::from_millis(500);

/// The tool.
pub(crate) struct WaitForIdle;

#[async_trait]
impl Tool for WaitForIdle {
    type Input = Duration;

    const DEFINITION: &'static Definition = &Definition {
        name: "wait_for_idle",
        title: "Wait for idle",
        description: "Waits until the screen has stopped changing for half a second, as after an animation or \
            while something loads. When the time runs out the reply says so; that is no error.",
        effect: Effect::Read,
        needs: Capabilities::SNAPSHOT,
        params: &[&TIMEOUT, &APP],
        output: Some(output),
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Duration> {
        Ok(Duration::from_millis(TIMEOUT.read(arguments)?.into()))
    }

    fn time_limit(timeout: &Duration) -> Duration {
        limit_for_wait(*timeout)
    }

    async fn run(timeout: Duration, call: &Call) -> Result<Reply> {
        let start = Instant::now();
        let idle = wait(call, Deadline::at(start + timeout)).await?;
        let message = if idle { "UI is idle" } else { "UI did not become idle within the timeout" };
        Ok(Reply::json(json!({ "message": message, "elapsedMs": start.elapsed().as_millis() as u64 })))
    }
}

async fn wait(call: &Call, limit: Deadline) -> Result<bool> {
    let Some(mut last) = look(call, limit).await? else { return Ok(false) };
    let mut since = Instant::now();
    loop {
        let quiet = Deadline::at(since + QUIET);
        let seen = call.activity();
        let woken = call.pause(seen, quiet.min(limit), QUIET).await?;
        if limit.passed() {
            return Ok(false);
        }
        let Some(now) = look(call, limit).await? else { return Ok(false) };
        if now != last {
            (last, since) = (now, Instant::now());
        } else if !woken || quiet.passed() {
            return Ok(true);
        }
    }
}

/// What the screen looks like; `None` when the time ran out.
async fn look(call: &Call, limit: Deadline) -> Result<Option<u64>> {
    // A window that is moved shows the same.
    let fingerprint = if call.kind().reads_whole_screen() { fingerprint::of } else { fingerprint::wherever };
    match call.look_at(call.scope(), limit).await {
        Ok(snapshot) => Ok(Some(fingerprint(&snapshot))),
        Err(error) if error.reason() == Reason::Timeout => Ok(None),
        Err(error) => Err(error),
    }
}

fn output() -> Value {
    json!({
        "type": "object",
        "properties": { "message": { "type": "string" }, "elapsedMs": { "type": "integer" } },
        "required": ["message", "elapsedMs"],
    })
}
