//! `content query`: the settings provider, which is the only one the phone has.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let option =
        |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1)).copied();
    let Some(uri) = option("--uri") else {
        return Output::failure(
            0,
            "[ERROR] Content provider URI not specified. Did you specify --uri argument?\n",
        );
    };
    let path = uri.strip_prefix("content://").unwrap_or(uri);
    let Some(namespace) = path.strip_prefix("settings/") else {
        let provider = path.split('/').next().unwrap_or_default();
        return Output::failure(
            0,
            format!(
                "Error while accessing provider:{provider}\n\
                    java.lang.IllegalStateException: Could not find provider: {provider}\n"
            ),
        );
    };
    let wanted =
        option("--where").and_then(|clause| clause.strip_prefix("name=")).map(|name| name.trim_matches('\''));
    match words.first() {
        Some(&"query") => Output::success(phone.with(|phone| {
            let settings = phone
                .settings(namespace)
                .into_iter()
                .filter(|(name, _)| wanted.is_none_or(|wanted| wanted == *name));
            let row = |(row, (name, value)): (usize, (&str, &str))| {
                format!("Row: {row} _id={}, name={name}, value={value}\n", row + 1)
            };
            let rows: String = settings.enumerate().map(row).collect();
            if rows.is_empty() { "No result found.\n".to_owned() } else { rows }
        })),
        _ => Output::failure(0, "[ERROR] Unsupported operation\n"),
    }
}
