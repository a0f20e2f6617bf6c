//! Programs by their path: what was pushed to the phone and marked as executable.

use super::{Call, Closed, Output};
use crate::programs::Start;

/// Exit code of a file that cannot be run.
const NOT_EXECUTABLE: u8 = 126;
/// The permission bit that counts for the shell user.
const OWNER_RUNS: u32 = 0o100;

pub(super) async fn run(call: &mut Call<'_>, wrappers: &[String]) -> Result<u8, Closed> {
    let path = call.arguments[0].clone();
    let mode = call.phone.files().get(&path).map(|entry| (entry.is_folder(), entry.mode));
    let cannot = |why: &str| Output::failure(NOT_EXECUTABLE, format!("/system/bin/sh: {path}: {why}\n"));
    match mode {
        Err(_) => {
            let text = format!("/system/bin/sh: {path}: inaccessible or not found\n");
            return call.print(Output::failure(super::NOT_FOUND, text)).await;
        }
        Ok((is_folder, mode)) if is_folder || mode & OWNER_RUNS == 0 => {
            return call.print(cannot("can't execute: Permission denied")).await;
        }
        Ok(_) => {}
    }
    let variables = call.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let start = Start {
        path: &path,
        words: &call.arguments[1..],
        variables,
        wrappers,
        stdout: &call.stdout,
        stderr: &call.stderr,
    };
    match call.phone.programs().run(start).await {
        Some(Ok(exit)) => Ok(exit),
        Some(Err(error)) => call.print(cannot(&format!("can't execute: {error}"))).await,
        // What Android's shell says of a program for another processor.
        None => call.print(cannot("not executable: 64-bit ELF file")).await,
    }
}
