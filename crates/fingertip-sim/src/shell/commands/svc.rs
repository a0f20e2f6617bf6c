//! `svc`: radios and power.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (setting, value) = match words {
        ["wifi", "enable"] => ("wifi_on", "1"),
        ["wifi", "disable"] => ("wifi_on", "0"),
        ["data", "enable"] => ("mobile_data", "1"),
        ["data", "disable"] => ("mobile_data", "0"),
        ["bluetooth", "enable"] => ("bluetooth_on", "1"),
        ["bluetooth", "disable"] => ("bluetooth_on", "0"),
        ["power", "stayon", "true" | "usb" | "ac"] => ("stay_on_while_plugged_in", "7"),
        ["power", "stayon", "false"] => ("stay_on_while_plugged_in", "0"),
        ["power", "reboot", ..] => return super::reboot::run(phone, &[]),
        _ => {
            let usage = "Available commands:\n    help     Show information about the subcommands\n\
                \x20   power    Control the power manager\n    \
                data     Control mobile data connectivity\n    wifi     Control the Wi-Fi manager\n\
                    \x20   bluetooth Control Bluetooth service\n";
            return Output::failure(0, usage);
        }
    };
    phone.with(|phone| phone.set_setting("global", setting, Some(value)));
    Output::default()
}
