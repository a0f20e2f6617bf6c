//! What a seed says: the policy, the devices, and who calls what when, gives up when, and answers how.

use std::time::Duration;

use fingertip_mcp::dispatch::TIME_LIMIT;
use fingertip_mcp::policy::confirm::{Answer, Why};
use serde_json::{Value, json};

use super::random::Random;

/// The tools that act and name their call in what they do, see [`arguments`].
const WRITES: [&str; 6] = ["tap", "long_press", "double_tap", "swipe", "set_clipboard", "custom_gesture"];
/// The tools that only look.
const READS: [&str; 2] = ["get_screen_state", "get_clipboard"];
/// The longest a swipe or a gesture takes, in milliseconds.
const LONGEST_GESTURE: u64 = 3_000;
/// How long the second finger of a gesture is down, in milliseconds.
const LAST_TOUCH: u64 = 40;
/// Where fingers that act for calls go down; the column identifies the call.
const ROW: i64 = 1_200;

/// One seed.
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) writes_per_second: u32,
    /// The tools the user is asked about.
    pub(crate) confirm: Vec<&'static str>,
    pub(crate) devices: u64,
    /// Each makes its calls one after another.
    pub(crate) callers: Vec<Vec<Planned>>,
}

/// One call.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) number: u64,
    pub(crate) tool: &'static str,
    pub(crate) acts: bool,
    pub(crate) device: String,
    pub(crate) arguments: Value,
    /// How long the tool may take from its turn on.
    pub(crate) limit: Duration,
    /// Waits so long after the call before.
    pub(crate) pause: Duration,
    pub(crate) leaves: Leaves,
    pub(crate) user: User,
}

/// Whether the client stays until the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaves {
    Never,
    /// Takes the call back after so long.
    Cancels(Duration),
    /// Is gone after so long: the call is dropped.
    Drops(Duration),
}

/// What the user does when asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct User {
    pub(crate) thinks: Duration,
    pub(crate) answer: Answer,
}

impl Plan {
    pub(crate) fn of(seed: u64) -> Self {
        let mut random = Random::new(seed, 0);
        // Now and then so many at one device that most of them run into their deadline while they wait.
        let crowded = random.percent(25);
        let devices = if crowded { 1 } else { 1 + random.below(2) };
        let confirm = WRITES.into_iter().filter(|_| random.percent(30)).collect();
        let writes_per_second = if crowded { 1 } else { random.pick(&[1, 2, 3, 10]) };
        let mut number = 0;
        let callers = (0..if crowded { 40 } else { 3 + random.below(10) })
            .map(|_| {
                (0..1 + random.below(4))
                    .map(|_| {
                        number += 1;
                        Planned::of(number, devices, &mut random)
                    })
                    .collect()
            })
            .collect();
        Self { seed, writes_per_second, confirm, devices, callers }
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &Planned> {
        self.callers.iter().flatten()
    }
}

impl Planned {
    fn of(number: u64, devices: u64, random: &mut Random) -> Self {
        let acts = random.percent(75);
        let tool = random.pick(if acts { &WRITES } else { &READS });
        let device = device(random.below(devices));
        let lasts = random.below(LONGEST_GESTURE - 200) + 200;
        let mut arguments = arguments(tool, number, lasts);
        let beside = match tool {
            "long_press" | "swipe" => lasts,
            "custom_gesture" => lasts + LAST_TOUCH,
            _ => 0,
        };
        arguments["device"] = json!(device);
        let leaves = match random.below(10) {
            0..2 => Leaves::Cancels(random.span(20_000)),
            2 => Leaves::Drops(random.span(20_000)),
            _ => Leaves::Never,
        };
        let answer = match random.below(10) {
            0..6 => Answer::Yes,
            6 => Answer::No(Why::Declined),
            7 => Answer::No(Why::Dismissed),
            8 => Answer::No(Why::Silent),
            _ => Answer::Later,
        };
        Self {
            number,
            tool,
            acts,
            device,
            arguments,
            limit: TIME_LIMIT + Duration::from_millis(beside),
            pause: random.span(3_000),
            leaves,
            user: User { thinks: random.span(40_000), answer },
        }
    }
}

pub(crate) fn device(number: u64) -> String {
    format!("phone-{number}")
}

/// Arguments that name the call: a column of the screen, or a text.
fn arguments(tool: &str, number: u64, lasts: u64) -> Value {
    match tool {
        "tap" | "double_tap" => json!({"x": number, "y": ROW}),
        "long_press" => json!({"x": number, "y": ROW, "duration": lasts}),
        "swipe" => json!({"x1": number, "y1": ROW, "x2": number, "y2": ROW + 200, "duration": lasts}),
        "custom_gesture" => json!({"paths": [
            [{"x": number, "y": ROW, "time": 0}, {"x": number, "y": ROW, "time": 40}],
            [{"x": number, "y": ROW, "time": lasts}, {"x": number, "y": ROW, "time": lasts + LAST_TOUCH}],
        ]}),
        "set_clipboard" => json!({"text": number.to_string()}),
        _ => json!({}),
    }
}
