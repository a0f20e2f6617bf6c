//! `pidof`: process ids by name.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let processes = phone.with(|phone| phone.processes());
    let found: Vec<String> = processes
        .iter()
        .filter(|process| words.contains(&process.name.as_str()))
        .map(|process| process.pid.to_string())
        .collect();
    if found.is_empty() { Output::failure(1, "") } else { Output::success(found.join(" ") + "\n") }
}
