//! What must hold whatever a seed says.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use fingertip_mcp::policy::confirm::{ANSWER_WITHIN, Answer};
use serde_json::Value;

use super::plan::Leaves;
use super::run::{End, History, Made, client};
use super::target::Write;

/// What a simulated clock rounds by.
const SLACK: Duration = Duration::from_millis(20);
/// How long finding out where a call would act may take before its user is asked.
const PLACE_WITHIN: Duration = Duration::from_secs(3);
const SECOND: Duration = Duration::from_secs(1);

/// How often what is checked happened, over all seeds.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    done: usize,
    timed_out: usize,
    cancelled: usize,
    dropped: usize,
    declined: usize,
    panicked: usize,
    /// Calls that another one made wait.
    queued: usize,
    /// Writes that were under way when their client left.
    interrupted: usize,
}

impl Totals {
    pub(crate) fn add(&mut self, other: &Self) {
        self.done += other.done;
        self.timed_out += other.timed_out;
        self.cancelled += other.cancelled;
        self.dropped += other.dropped;
        self.declined += other.declined;
        self.panicked += other.panicked;
        self.queued += other.queued;
        self.interrupted += other.interrupted;
    }

    pub(crate) fn must_be_worth_something(&self) {
        let least = [
            self.done,
            self.timed_out,
            self.cancelled,
            self.dropped,
            self.declined,
            self.panicked,
            self.queued,
            self.interrupted,
        ];
        assert!(least.iter().all(|count| *count >= 10), "too little happens in this model: {self:?}");
    }
}

/// Checks all promises.
pub(crate) fn hold(history: &History) -> Totals {
    assert!(history.usable, "a device is of no use when all is over");
    for made in &history.calls {
        answered_in_time(made);
    }
    for write in &history.writes {
        on_behalf_of_a_call(history, write);
    }
    one_at_a_time(history);
    within_the_rate(history);
    logged_as_it_was(history);
    totals(history)
}

/// No call without an answer, and none later than its deadline; a client that takes a call back waits for nothing.
fn answered_in_time(made: &Made) {
    let Some(ended) = made.ended else { panic!("no answer: {made:#?}") };
    let latest = match (made.left, made.planned.leaves) {
        (Some(left), _) => left,
        (None, _) => made.answered.map_or(made.begun, |(at, _)| at) + made.planned.limit,
    };
    assert!(ended <= latest + SLACK, "{:?} late: {made:#?}", ended - latest);
    if let Some((at, _)) = made.answered {
        assert!(at <= made.begun + PLACE_WITHIN + ANSWER_WITHIN + SLACK, "asked too long: {made:#?}");
    }
    let fits = match made.planned.leaves {
        Leaves::Never => !matches!(made.end, End::Cancelled | End::Dropped),
        Leaves::Cancels(_) => made.end != End::Dropped,
        Leaves::Drops(_) => made.end != End::Cancelled,
    };
    assert!(fits, "an end that was not planned: {made:#?}");
}

/// A write belongs to a call of this device that may act: asked for, agreed to, not over, not taken back.
fn on_behalf_of_a_call(history: &History, write: &Write) {
    let made = history.calls.iter().find(|made| made.planned.number == write.call);
    let made = made.unwrap_or_else(|| panic!("a write of no call: {write:?}"));
    let why = |what: &str| format!("{what}: {write:#?} of {made:#?}");
    assert!(made.planned.acts, "{}", why("a read writes"));
    assert_eq!(made.planned.device, write.device, "{}", why("another device"));
    assert!(write.begun >= made.begun, "{}", why("before its call"));
    assert!(write.begun < write.deadline, "{}", why("begun after its deadline"));
    let ended = write.ended.unwrap_or_else(|| panic!("{}", why("still under way")));
    assert!(ended <= write.deadline + SLACK, "{}", why("goes on after its deadline"));
    let ready = made.answered.map_or(made.begun, |(at, _)| at);
    assert!(write.begun < ready + made.planned.limit, "{}", why("later than its tool may take"));
    if let Some(over) = made.left.or(made.ended) {
        assert!(write.begun <= over && ended <= over + SLACK, "{}", why("after its call was over"));
    }
    if history.plan.confirm.contains(&made.planned.tool) {
        let agreed = made.answered.filter(|(_, answer)| *answer == Answer::Yes);
        assert!(agreed.is_some_and(|(at, _)| at <= write.begun), "{}", why("without consent"));
    } else {
        assert_eq!(made.answered, None, "{}", why("asked for nothing"));
    }
}

/// On one device no two writes at a time, and the writes of one call are not mixed with those of another.
fn one_at_a_time(history: &History) {
    for of_device in by_device(history).values() {
        for pair in of_device.windows(2) {
            let free = pair[0].ended.expect("checked before");
            assert!(free <= pair[1].begun, "two writes at a time: {pair:#?}");
        }
        let mut order: Vec<u64> = of_device.iter().map(|write| write.call).collect();
        order.dedup();
        let turns = order.len();
        order.sort_unstable();
        order.dedup();
        assert_eq!(turns, order.len(), "a call was interrupted by another: {of_device:#?}");
    }
}

/// No second holds the first write of more calls than the limit, and one more: that of a call that was let go before and
/// has looked at the screen since.
fn within_the_rate(history: &History) {
    let most = history.plan.writes_per_second as usize + 1;
    for of_device in by_device(history).values() {
        let mut calls: Vec<&Write> = of_device.clone();
        calls.dedup_by_key(|write| write.call);
        for window in calls.windows(most + 1) {
            let span = window[most].begun - window[0].begun;
            assert!(span + SLACK >= SECOND, "{} calls write within {span:?}: {window:#?}", most + 1);
        }
    }
}

fn by_device(history: &History) -> HashMap<&str, Vec<&Write>> {
    let mut devices: HashMap<&str, Vec<&Write>> = HashMap::new();
    for write in &history.writes {
        devices.entry(&write.device).or_default().push(write);
    }
    for writes in devices.values_mut() {
        writes.sort_by_key(|write| write.begun);
    }
    devices
}

/// Whether this line of the log says how a call ended, not that it begins.
pub(crate) fn is_end(line: &Value) -> bool {
    line["outcome"].as_str().is_some_and(|outcome| outcome != "begun")
}

/// The log reports each call that acted once, and how it really ended; of looking it reports nothing. Calls that were to
/// act and did not may be counted together, and all of them are.
fn logged_as_it_was(history: &History) {
    let ends = history.log.iter().filter(|line| is_end(line));
    let counted: u64 = ends.map(|line| line["repeated"].as_u64().unwrap_or(1)).sum();
    let acting = history.plan.calls().filter(|call| call.acts).count();
    assert_eq!(counted, acting as u64 + history.plan.devices, "calls in the log");
    for made in &history.calls {
        let name = client(made.planned.number);
        let is_own = |line: &&Value| line["client"] == name.as_str() && line.get("repeated").is_none();
        let own = history.log.iter().filter(|line| is_end(line)).filter(is_own);
        let own: Vec<&Value> = own.collect();
        if !made.planned.acts {
            assert!(own.is_empty(), "looking is logged: {own:?}");
            continue;
        }
        if own.is_empty() && history.writes.iter().all(|write| write.call != made.planned.number) {
            continue;
        }
        let [line] = own.as_slice() else { panic!("{} lines of {made:#?}: {own:?}", own.len()) };
        let expected = match &made.end {
            End::Done => "ok",
            End::Failed(reason) => reason,
            End::Cancelled | End::Dropped => "cancelled",
            End::Panicked => "panicked",
            End::Asked => "asked",
            End::CallError => unreachable!("checked before"),
        };
        assert_eq!(line["outcome"], expected, "{made:#?}");
        assert_eq!(line["tool"], made.planned.tool);
    }
}

fn totals(history: &History) -> Totals {
    let count = |test: &dyn Fn(&Made) -> bool| history.calls.iter().filter(|made| test(made)).count();
    let begun = |number: u64| -> Option<Instant> {
        history.writes.iter().find(|write| write.call == number).map(|write| write.begun)
    };
    Totals {
        done: count(&|made| made.end == End::Done),
        timed_out: count(&|made| made.end == End::Failed("timeout".to_owned())),
        cancelled: count(&|made| made.end == End::Cancelled),
        dropped: count(&|made| made.end == End::Dropped),
        declined: count(&|made| made.answered.is_some_and(|(_, answer)| answer != Answer::Yes)),
        panicked: count(&|made| made.end == End::Panicked),
        queued: count(&|made| begun(made.planned.number).is_some_and(|at| at > made.begun + SECOND * 2)),
        interrupted: count(&|made| made.left.is_some() && begun(made.planned.number).is_some()),
    }
}
