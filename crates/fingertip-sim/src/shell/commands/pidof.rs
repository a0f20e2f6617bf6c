//! `pidof`: process ids by name.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let processes =
        phone.with(|phone| phone.processes()).into_iter().map(|process| (process.pid, process.name));
    // A program is known by the last part of its path.
    let programs = phone.programs().running().into_iter();
    let programs = programs.map(|(pid, path)| (pid, path.rsplit('/').next().unwrap_or_default().to_owned()));
    let found: Vec<String> = processes
        .chain(programs)
        .filter(|(_, name)| words.contains(&name.as_str()))
        .map(|(pid, _)| pid.to_string())
        .collect();
    if found.is_empty() { Output::failure(1, "") } else { Output::success(found.join(" ") + "\n") }
}
