//! `monkey -p PACKAGE … 1`: the old way to start an app by its package alone.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

/// Exit code when nothing can be started.
const ABORTED: u8 = 252;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let mut text: String = words.iter().map(|word| format!("  bash arg: {word}\n")).collect();
    let wanted = words.iter().position(|word| *word == "-p").and_then(|at| words.get(at + 1));
    let packages = phone.with(|phone| phone.packages());
    let found = packages.iter().find(|package| Some(&package.name) == wanted);
    let Some((package, class)) = found.and_then(|package| Some((package.name, package.launcher_activity?)))
    else {
        text.push_str("** No activities found to run, monkey aborted.\n");
        return Output { stdout: text.into(), exit: ABORTED, ..Output::default() };
    };
    if phone.with(|phone| phone.start(&format!("{package}/{class}"))).is_err() {
        text.push_str("** No activities found to run, monkey aborted.\n");
        return Output { stdout: text.into(), exit: ABORTED, ..Output::default() };
    }
    text.push_str(
        "Events injected: 1\n\
        ## Network stats: elapsed time=21ms (0ms mobile, 0ms wifi, 21ms not connected)\n",
    );
    Output::success(text)
}
