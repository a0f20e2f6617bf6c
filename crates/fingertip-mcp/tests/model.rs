//! A model check of the dispatcher: callers, users and a target that follow a seed, on a simulated clock.
//!
//! Turns, deadlines, cancellation, consent and the rate limit meet in orders that no test written by hand would think of;
//! [`check`] says what must hold in all of them. A failure names its seed: `FINGERTIP_MODEL_SEED=17` runs that one again
//! (several times, for the runtime's own choice between two things that are ready is not seeded), and
//! `FINGERTIP_MODEL_SEEDS=20000` runs more of them.

mod model {
    pub(crate) mod check;
    pub(crate) mod plan;
    pub(crate) mod random;
    pub(crate) mod run;
    pub(crate) mod target;
}

use std::panic::{self, AssertUnwindSafe};

/// How many seeds run by default.
const SEEDS: u64 = 300;
/// How often a seed asked for by name runs.
const REPEATS: u64 = 50;

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

#[test]
fn every_interleaving_keeps_the_promises() {
    let one = number("FINGERTIP_MODEL_SEED");
    let seeds: Vec<u64> = match one {
        Some(seed) => vec![seed; usize::try_from(REPEATS).expect("small")],
        None => (0..number("FINGERTIP_MODEL_SEEDS").unwrap_or(SEEDS)).collect(),
    };
    let mut total = model::check::Totals::default();
    for seed in seeds {
        let checked = panic::catch_unwind(AssertUnwindSafe(|| model::check::hold(&model::run::run(seed))));
        match checked {
            Ok(counted) => total.add(&counted),
            Err(_) => panic!("seed {seed} breaks a promise, see above; again: FINGERTIP_MODEL_SEED={seed}"),
        }
    }
    // A model in which nothing happens would hold whatever the dispatcher does.
    if one.is_none() {
        total.must_be_worth_something();
    }
}
