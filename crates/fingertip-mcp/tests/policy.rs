//! The policy, and attempts to get round it, on a scripted phone. One module a rule.

#[allow(dead_code, reason = "the policy uses its own part of this")]
#[path = "tools/bench.rs"]
mod bench;

mod policy {
    mod audit;
    mod blocklist;
    mod confirm;
    mod opening;
    mod rate_limit;
    mod selection;
    mod selectors;
    mod steps;
}
