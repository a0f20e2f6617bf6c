//! `ime list`: the one soft keyboard.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

/// The component of the soft keyboard.
const KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";

pub(super) fn run(_: &Arc<SimPhone>, words: &[&str]) -> Output {
    match words {
        ["list", flags @ ..] if flags.contains(&"-s") => Output::success(format!("{KEYBOARD}\n")),
        ["list", ..] => {
            Output::success(format!("mId={KEYBOARD} mSettingsActivityName=null mIsVrOnly=false\n"))
        }
        ["enable" | "set", KEYBOARD] => {
            Output::success(format!("Input method {KEYBOARD} selected for user #0\n"))
        }
        ["enable" | "set", other] => {
            Output::failure(255, format!("Unknown input method {other} cannot be selected for user #0\n"))
        }
        _ => Output::failure(255, "Error: unknown command\n"),
    }
}
