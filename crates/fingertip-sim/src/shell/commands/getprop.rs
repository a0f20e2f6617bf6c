//! `getprop` and `setprop`.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

/// What the shell user may set.
const SETTABLE: [&str; 4] = ["debug.", "log.", "persist.log.tag", "test."];

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let properties = phone.properties();
    match words {
        [] => Output::success(
            properties.iter().map(|(name, value)| format!("[{name}]: [{value}]\n")).collect::<String>(),
        ),
        [name, default @ ..] => {
            let default = default.first().copied().unwrap_or_default();
            let value = properties.get(*name).map_or(default, String::as_str);
            Output::success(format!("{value}\n"))
        }
    }
}

pub(super) fn set(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let [name, value] = words else {
        return Output::failure(1, "setprop: Need 2 arguments (see \"setprop --help\")\n");
    };
    if !SETTABLE.iter().any(|prefix| name.starts_with(prefix)) {
        let text = format!("Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason.\n");
        return Output::failure(1, text);
    }
    phone.properties().insert((*name).to_owned(), (*value).to_owned());
    Output::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn properties_are_printed_alone_and_all_together() {
        let phone = SimPhone::start(Profile::default());
        assert_eq!(run(&phone, &["ro.build.version.sdk"]).stdout, b"34\n");
        assert_eq!(run(&phone, &["no.such"]).stdout, b"\n");
        assert_eq!(run(&phone, &["no.such", "else"]).stdout, b"else\n");
        let all = String::from_utf8(run(&phone, &[]).stdout).unwrap();
        assert!(all.contains("\n[ro.product.model]: [Fingertip Demo]\n"), "{all}");
    }

    #[tokio::test]
    async fn only_some_properties_can_be_set() {
        let phone = SimPhone::start(Profile::default());
        assert_eq!(set(&phone, &["debug.x", "1"]).exit, 0);
        assert_eq!(run(&phone, &["debug.x"]).stdout, b"1\n");
        assert_eq!(set(&phone, &["ro.serialno", "1"]).exit, 1);
    }
}
