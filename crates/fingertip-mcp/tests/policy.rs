//! The policy, and attempts to get round it, on a scripted phone. One module a rule.

mod tools {
    pub(crate) mod bench;
}

mod policy {
    mod audit;
    mod blocklist;
    mod confirm;
    mod pace;
    mod selection;
}
