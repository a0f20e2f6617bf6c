//! `settings get|put|delete|list`.

use std::sync::Arc;

use super::Output;
use crate::{ServiceFault, SimPhone};

const NAMESPACES: [&str; 3] = ["system", "secure", "global"];
/// Which accessibility services are on.
const SERVICES: &str = "enabled_accessibility_services";

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let words: Vec<&str> = match words {
        [verb, "--user", _, rest @ ..] => std::iter::once(*verb).chain(rest.iter().copied()).collect(),
        words => words.to_vec(),
    };
    let Some(namespace) = words.get(1) else {
        return Output::failure(255, "Invalid command\n");
    };
    if !NAMESPACES.contains(namespace) {
        return Output::failure(255, format!("Invalid namespace '{namespace}'\n"));
    }
    match words.as_slice() {
        ["get", _, name] => {
            let value = phone.with(|phone| phone.setting(namespace, name).unwrap_or("null").to_owned());
            Output::success(format!("{value}\n"))
        }
        // What restricts it says nothing.
        ["put", "secure", SERVICES, ..] if phone.faults().plan().services == ServiceFault::Locked => {
            Output::default()
        }
        ["put", _, name, value, ..] => {
            phone.with(|phone| phone.set_setting(namespace, name, Some(value)));
            Output::default()
        }
        ["delete", _, name] => {
            let deleted = phone.with(|phone| {
                let was_set = phone.setting(namespace, name).is_some();
                phone.set_setting(namespace, name, None);
                was_set
            });
            Output::success(format!("Deleted {} rows\n", u8::from(deleted)))
        }
        ["list", _] => Output::success(phone.with(|phone| {
            let settings = phone.settings(namespace);
            settings.into_iter().map(|(name, value)| format!("{name}={value}\n")).collect::<String>()
        })),
        _ => Output::failure(255, "Invalid command\n"),
    }
}
