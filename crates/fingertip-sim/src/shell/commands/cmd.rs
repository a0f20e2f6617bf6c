//! `cmd SERVICE …`: the services a driver talks to directly.

use std::sync::Arc;

use super::{Output, am, pm, settings, wm};
use crate::SimPhone;
use crate::phone::Phone;

/// Exit code when there is no such service.
const NO_SERVICE: u8 = 20;

/// Services that exist and have no commands here.
const SILENT: [&str; 4] = ["uimode", "notification", "connectivity", "power"];

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    match words {
        ["statusbar", rest @ ..] => status_bar(phone, rest),
        ["package", rest @ ..] => pm::run(phone, rest),
        ["activity", rest @ ..] => am::run(phone, rest),
        ["window", rest @ ..] => wm::run(phone, rest),
        ["settings", rest @ ..] => settings::run(phone, rest),
        ["-l"] => Output::success(
            "Currently running services:\n  activity\n  connectivity\n  input\n  notification\n  package\n\
                \x20 power\n  settings\n  statusbar\n  uimode\n  window\n",
        ),
        [service, ..] if SILENT.contains(service) => Output::success("No shell command implementation.\n"),
        [service, ..] => Output::failure(NO_SERVICE, format!("cmd: Can't find service: {service}\n")),
        [] => Output::failure(
            NO_SERVICE,
            "cmd: No service specified; use -l to list all services. Use -w to start and wait for the service to become available.\n",
        ),
    }
}

fn status_bar(phone: &SimPhone, words: &[&str]) -> Output {
    match words.first() {
        Some(&"expand-notifications") => phone.with(Phone::expand_notifications),
        Some(&"expand-settings") => phone.with(Phone::expand_quick_settings),
        Some(&"collapse") => phone.with(Phone::collapse_panels),
        Some(&"check-support") => return Output::success("true\n"),
        Some(&"get-status-icons") => return Output::success("wifi\nbattery\nclock\n"),
        Some(unknown) => {
            return Output {
                stdout: format!("Unknown command: {unknown}\n").into(),
                exit: u8::MAX,
                ..Output::default()
            };
        }
        None => {
            return Output::failure(
                u8::MAX,
                "Status bar commands:\n  help\n    Print this help text.\n\n  expand-notifications\n\
                    \x20   Open the notifications panel.\n\n  expand-settings\n\
                    \x20   Open the notifications panel and expand quick settings if present.\n\n\
                    \x20 collapse\n    Collapse the notifications and settings panel.\n\n",
            );
        }
    }
    Output::default()
}
