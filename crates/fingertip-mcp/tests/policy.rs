//! The policy, and attempts to get round it, on a scripted phone. One module a rule.

#[path = "tools/bench.rs"]
mod bench;

mod policy {
    mod audit;
    mod blocklist;
    mod confirm;
    mod pace;
    mod selection;
}
