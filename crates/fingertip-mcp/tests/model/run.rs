//! One seed, run on a simulated clock.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::test_support::clock as simulated;
use fingertip_core::{Target, clock};
use fingertip_mcp::dispatch::Interface;
use fingertip_mcp::dispatch::{CallError, Dispatcher};
use fingertip_mcp::policy::confirm::{ANSWER_WITHIN, Answer, Asker, Question};
use fingertip_mcp::policy::{Audit, Caller, Confirm, Policy, WritesPerSecond};
use fingertip_mcp::targets::Targets;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::plan::{Leaves, Plan, Planned, device};
use super::random::Random;
use super::target::{Modelled, Record, Write};

/// Tokio lets no time pass by itself while something blocks.
fn stand_still() -> simulated::Held {
    let (released, wait) = std::sync::mpsc::channel::<()>();
    tokio::task::spawn_blocking(move || wait.recv());
    Some(Box::new(released))
}

/// Longer than any call can take: one that has no answer by then gets none.
const PATIENCE: Duration = Duration::from_secs(600);

/// What came of a seed.
pub(crate) struct History {
    pub(crate) plan: Plan,
    pub(crate) calls: Vec<Made>,
    pub(crate) writes: Vec<Write>,
    /// The lines of the audit log.
    pub(crate) log: Vec<Value>,
    /// Whether each device could be acted on when all was over.
    pub(crate) usable: bool,
}

/// A call that was made.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) planned: Planned,
    pub(crate) begun: Instant,
    pub(crate) ended: Option<Instant>,
    pub(crate) end: End,
    /// When the client took it back or left, if it did before the answer.
    pub(crate) left: Option<Instant>,
    /// What the user said, and when.
    pub(crate) answered: Option<(Instant, Answer)>,
}

/// How a call ended for its client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    /// With the word the audit log has for it.
    Failed(String),
    Cancelled,
    Panicked,
    Asked,
    /// The client was gone.
    Dropped,
    CallError,
}

/// Runs one seed to its end.
pub(crate) fn run(seed: u64) -> History {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(async {
        let _clock = simulated::simulate(|| tokio::time::Instant::now().into_std(), stand_still);
        history(Plan::of(seed)).await
    })
}

async fn history(plan: Plan) -> History {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    let record = Record::default();
    let targets = Arc::new(Targets::new("Attach one."));
    let phones: Vec<Arc<Modelled>> = (0..plan.devices)
        .map(|number| {
            let random = Random::new(plan.seed, 1 + number);
            Arc::new(Modelled::new(&device(number), random, Arc::clone(&record)))
        })
        .collect();
    for phone in &phones {
        targets.attach(Arc::clone(phone) as Arc<dyn Target>);
    }
    targets.settle();
    let policy = Policy {
        writes_per_second: WritesPerSecond::new(plan.writes_per_second).expect("a limit"),
        confirm: Confirm::new(&plan.confirm).expect("tools"),
        audit: Some(Arc::new(Audit::open(&path).expect("a log"))),
        ..Policy::default()
    };
    let dispatcher = Arc::new(Dispatcher::new(targets, policy));

    let callers = plan.callers.iter().map(|calls| {
        let (dispatcher, calls) = (Arc::clone(&dispatcher), calls.clone());
        tokio::spawn(async move {
            let mut made = Vec::new();
            for planned in calls {
                tokio::time::sleep(planned.pause).await;
                made.push(make(&dispatcher, planned, plan.devices).await);
            }
            made
        })
    });
    let mut calls = Vec::new();
    for caller in callers.collect::<Vec<_>>() {
        calls.extend(caller.await.expect("callers do not panic"));
    }

    let writes = record.lock().expect("a lock").clone();
    phones.iter().for_each(|phone| phone.calm_down());
    let mut usable = true;
    for number in 0..plan.devices {
        let arguments = json!({"text": "0", "device": device(number)});
        let caller = Caller { asker: Arc::new(Agrees), ..Caller::over("stdio") };
        let arguments = arguments.as_object().expect("an object");
        let tried = dispatcher.call("set_clipboard", arguments, caller).await;
        usable &= tried.is_ok_and(|result| result.is_error != Some(true));
    }
    // With its last owner the log writes what it has only counted.
    drop(dispatcher);
    let log = lines(&path);
    History { plan, calls, writes, log, usable }
}

async fn make(dispatcher: &Arc<Dispatcher>, planned: Planned, devices: u64) -> Made {
    let user = Arc::new(Asked { planned: planned.clone(), answered: Mutex::default() });
    let gone = CancellationToken::new();
    let caller = Caller {
        client: Some(client(planned.number)),
        cancelled: gone.clone(),
        asker: Arc::clone(&user) as Arc<dyn Asker>,
        ..Caller::over("stdio")
    };
    let mut arguments = planned.arguments.as_object().expect("an object").clone();
    if devices == 1 && planned.number.is_multiple_of(2) {
        arguments.remove("device");
    }
    let begun = clock::now();
    let (server, tool) = (Arc::clone(dispatcher), planned.tool);
    let mut call =
        tokio::spawn(
            async move { server.answer(Interface::Current, tool, &arguments, caller).await.map(drop) },
        );
    let mut left = None;
    let answer = match planned.leaves {
        Leaves::Never => tokio::time::timeout(PATIENCE, &mut call).await.ok(),
        Leaves::Cancels(after) => match tokio::time::timeout(after, &mut call).await {
            Ok(answer) => Some(answer),
            Err(_) => {
                gone.cancel();
                left = Some(clock::now());
                tokio::time::timeout(PATIENCE, &mut call).await.ok()
            }
        },
        Leaves::Drops(after) => match tokio::time::timeout(after, &mut call).await {
            Ok(answer) => Some(answer),
            Err(_) => {
                call.abort();
                left = Some(clock::now());
                Some(call.await)
            }
        },
    };
    let end = match answer {
        None => End::CallError,
        Some(Ok(Ok(()))) => End::Done,
        Some(Ok(Err(CallError::Failed(error)))) => End::Failed(error.reason().name().to_owned()),
        Some(Ok(Err(CallError::Cancelled))) => End::Cancelled,
        Some(Ok(Err(CallError::Asked))) => End::Asked,
        Some(Ok(Err(CallError::Panicked))) => End::Panicked,
        Some(Ok(Err(CallError::UnknownTool))) => panic!("no tool is called {}", planned.tool),
        Some(Err(error)) if error.is_cancelled() => End::Dropped,
        Some(Err(error)) => panic!("a panic left the dispatcher: {error}"),
    };
    let ended = (end != End::CallError).then(clock::now);
    let answered = *user.answered.lock().expect("a lock");
    Made { planned, begun, ended, end, left, answered }
}

/// What a call's client calls itself, so that its line in the log is known.
pub(crate) fn client(number: u64) -> String {
    format!("call-{number}")
}

/// A user who always agrees.
struct Agrees;

#[async_trait]
impl Asker for Agrees {
    async fn ask(&self, _question: &Question) -> Answer {
        Answer::Yes
    }
}

/// A user who thinks, and answers as planned.
struct Asked {
    planned: Planned,
    answered: Mutex<Option<(Instant, Answer)>>,
}

#[async_trait]
impl Asker for Asked {
    async fn ask(&self, _question: &Question) -> Answer {
        let user = self.planned.user;
        let silent = matches!(user.answer, Answer::No(fingertip_mcp::policy::confirm::Why::Silent));
        let thinks = match user.answer {
            Answer::Later => Duration::ZERO,
            _ if silent => ANSWER_WITHIN,
            _ => user.thinks,
        };
        tokio::time::sleep(thinks).await;
        *self.answered.lock().expect("a lock") = Some((clock::now(), user.answer));
        user.answer
    }
}

fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}
