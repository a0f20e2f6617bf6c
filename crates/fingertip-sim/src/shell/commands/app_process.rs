//! `app_process`: runs a Java class as the shell user; here only the one Fingertip pushes.

use super::{Call, Closed, Output};
use crate::agent::{self, AgentFault};

/// Exit code of a Java program that fails to start.
const FAILED: u8 = 1;

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let words: Vec<String> =
        call.arguments[1..].iter().filter(|word| !word.starts_with("--nice-name=")).cloned().collect();
    let jar = call.variables.get("CLASSPATH").cloned().unwrap_or_default();
    let (class, arguments) = match words.as_slice() {
        [_, class, arguments @ ..] => (class.as_str(), arguments),
        _ => {
            return call.print(Output::failure(FAILED, "Error: no class name or --zygote supplied.\n")).await;
        }
    };
    let known = class == agent::MAIN && call.phone.files().get(&jar).is_ok();
    if !known {
        let text = format!(
            "Error: java.lang.ClassNotFoundException: Didn't find class \"{class}\" on path: DexPathList[[]]\n"
        );
        return call.print(Output::failure(FAILED, text)).await;
    }
    match call.phone.faults().plan().agent {
        AgentFault::NoStart => {
            let text = "Error: java.lang.NoClassDefFoundError: android.app.UiAutomation\n";
            call.print(Output::failure(FAILED, text)).await
        }
        AgentFault::SilentStart => {
            call.stdout.closed().await;
            Err(Closed)
        }
        _ => Ok(agent::run(call.phone, &jar, arguments, &call.stdout, &call.stderr).await),
    }
}
