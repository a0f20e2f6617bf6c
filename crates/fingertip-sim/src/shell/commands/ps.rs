//! `ps`: running processes.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    if let Some(at) = words.iter().position(|word| *word == "-o") {
        return columns(phone, words.get(at + 1).copied().unwrap_or_default());
    }
    let mut text =
        "USER           PID  PPID        VSZ    RSS WCHAN            ADDR S NAME                       \n"
            .to_owned();
    let everything = words.iter().any(|word| word.starts_with('-'));
    for process in phone.with(|phone| phone.processes()) {
        // Without a flag only the shell's own processes are listed, and it has none that last.
        if everything {
            let line = (user(process.uid), process.pid, process.name);
            text.push_str(&format!(
                "{:<12} {:>5} {:>5} {:>10} {:>6} {:<16} {:>4} S {:<27}\n",
                line.0, line.1, 1, 14_000_000, 96_000, "0", "0", line.2
            ));
        }
    }
    Output::success(text)
}

/// Only these columns, the numbers aligned to the right.
fn columns(phone: &Arc<SimPhone>, names: &str) -> Output {
    let names: Vec<&str> = names.split(',').collect();
    if let Some(wrong) = names.iter().find(|name| !["USER", "PID", "NAME"].contains(name)) {
        return Output::failure(1, format!("ps: bad -o '{wrong}'\n"));
    }
    let line = |cell: &dyn Fn(&str) -> String| {
        let cells: Vec<String> = names.iter().map(|name| cell(name)).collect();
        format!("{}\n", cells.join(" "))
    };
    let mut text = line(&|name| if name == "PID" { format!("{name:>5}") } else { name.to_owned() });
    for process in phone.with(|phone| phone.processes()) {
        text.push_str(&line(&|name| match name {
            "PID" => format!("{:>5}", process.pid),
            "USER" => user(process.uid),
            _ => process.name.clone(),
        }));
    }
    Output::success(text)
}

/// The name of a user id.
fn user(uid: u32) -> String {
    match uid {
        0 => "root".to_owned(),
        1000 => "system".to_owned(),
        1001 => "radio".to_owned(),
        2000 => "shell".to_owned(),
        10_000.. => format!("u0_a{}", uid - 10_000),
        _ => uid.to_string(),
    }
}
