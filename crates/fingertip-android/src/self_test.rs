//! Proof on a phone in hand: every operation against its own Settings app, each effect seen by a second look.
//!
//! Rules: nothing is changed but the search field, which is left, the clipboard, which is put back, and the app
//! in front, which ends as the home screen; a step that fails does not stop the others; the report holds no
//! text of the screen, so that it can be attached to an issue as it is. An app opens Settings before, and cannot put the
//! clipboard back, which is left alone then.

mod steps;

use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Error, Result, Target};

use crate::agent::Hello;
use crate::app::AppTarget;
use crate::target::AndroidTarget;
use steps::Opener;

/// How long one step may take.
const STEP_WITHIN: Duration = Duration::from_secs(30);

/// One step of the test, done.
#[derive(Debug, Clone)]
pub struct Step {
    /// What was tried.
    pub name: &'static str,
    /// How long it took.
    pub took: Duration,
    /// What was seen, or what went wrong.
    pub outcome: std::result::Result<String, Error>,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let took = self.took.as_millis();
        match &self.outcome {
            Ok(seen) => write!(f, "ok   {:>6} ms  {}: {seen}", took, self.name),
            Err(error) => write!(f, "FAIL {:>6} ms  {}: {error:?}", took, self.name),
        }
    }
}

/// Who is tested, in one line.
///
/// # Errors
/// When the phone is away or does not let us in.
pub async fn describe(target: &AndroidTarget) -> Result<String> {
    target.prepare(Deadline::after(STEP_WITHIN)).await?;
    let (info, facts) = (target.info(), target.facts().unwrap_or_default());
    let mut words = format!("{} by {}, level {}, driver {}", info.label, facts.maker, facts.sdk, info.driver);
    if let Some(agent) = target.agent() {
        words.push_str(&format!(", agent {}, {}", agent.hello().build, missing(agent.hello())));
    }
    if let Some(why) = target.why_no_agent() {
        words.push_str(&format!(", no agent: {why}"));
    }
    Ok(words)
}

/// Who is tested through its app, in one line.
#[must_use]
pub fn describe_app(target: &AppTarget) -> String {
    let (info, hello) = (target.info(), target.hello());
    format!("{}, level {}, driver {}, {}", info.label, hello.sdk, info.driver, missing(hello))
}

fn missing(hello: &Hello) -> String {
    let missing: Vec<&str> = hello.failed.iter().map(|failed| failed.wrapper.as_str()).collect();
    format!("missing interfaces: [{}]", missing.join(", "))
}

/// Tries everything; `report` gets each step as it ends. Returns how many failed.
pub async fn run(target: &AndroidTarget, report: impl FnMut(&Step)) -> usize {
    all(steps::Test::new(target, Opener::Shell(target.device())), report).await
}

/// The same through the app, which has Settings in front by then.
pub async fn run_in_app(target: &AppTarget, report: impl FnMut(&Step)) -> usize {
    all(steps::Test::new(target, Opener::App), report).await
}

async fn all(mut test: steps::Test<'_>, mut report: impl FnMut(&Step)) -> usize {
    let mut failed = 0;
    for name in steps::NAMES {
        let start = Instant::now();
        let outcome = test.step(name, Deadline::after(STEP_WITHIN)).await;
        let step = Step { name, took: start.elapsed(), outcome };
        failed += usize::from(step.outcome.is_err());
        report(&step);
    }
    failed
}
