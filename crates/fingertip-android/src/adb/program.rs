//! The `adb` program: where it is, and starting its server. Nothing else is ever run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use fingertip_core::{Deadline, Error, Reason, Result};
use tokio::process::Command;

use super::address::ServerAddress;
use crate::within;

const NAME: &str = if cfg!(windows) { "adb.exe" } else { "adb" };
/// Where the tools lie in an Android SDK.
const TOOLS: &str = "platform-tools";
const SDK_VARIABLES: [&str; 2] = ["ANDROID_HOME", "ANDROID_SDK_ROOT"];
/// Where Android Studio and package managers put the SDK, below the home folder.
const SDKS_AT_HOME: [&str; 4] =
    ["Android/Sdk", "Library/Android/sdk", "AppData/Local/Android/Sdk", "Android/sdk"];
/// Where else it is found.
const SDKS: [&str; 4] = [
    "/usr/lib/android-sdk",
    "/opt/android-sdk",
    "/usr/local/share/android-sdk",
    "/opt/homebrew/share/android-sdk",
];

/// The `adb` program of this machine, if it has one.
#[must_use]
pub fn find() -> Option<PathBuf> {
    find_with(|name| std::env::var_os(name), Path::is_file)
}

fn find_with(
    variable: impl Fn(&str) -> Option<OsString>,
    is_program: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let on_path = variable("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let sdks = SDK_VARIABLES.iter().filter_map(|name| variable(name)).map(PathBuf::from);
    let home = variable("HOME").or_else(|| variable("USERPROFILE")).map(PathBuf::from);
    let at_home = home.iter().flat_map(|home| SDKS_AT_HOME.iter().map(|sdk| home.join(sdk)));
    let usual = SDKS.iter().map(PathBuf::from);
    let in_sdks = sdks.chain(at_home).chain(usual).map(|sdk| sdk.join(TOOLS));
    on_path
        .into_iter()
        .flatten()
        .filter(|folder| !folder.as_os_str().is_empty())
        .chain(in_sdks)
        .map(|folder| folder.join(NAME))
        .find(|program| is_program(program))
}

/// Runs `adb start-server` for this address.
pub(crate) async fn start_server(address: &ServerAddress, deadline: Deadline) -> Result<()> {
    let program = find().ok_or_else(missing)?;
    let run = async {
        Command::new(program)
            .arg("-P")
            .arg(address.port.to_string())
            .arg("start-server")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .await
            .map_err(|_| not_started())
    };
    if within(deadline, "starting the adb server", run).await?.success() {
        Ok(())
    } else {
        Err(not_started())
    }
}

/// There is no adb here.
pub(crate) fn missing() -> Error {
    Error::new(Reason::PermissionDenied, "No adb server is running and the adb program was not found.")
        .with_guidance("Install the Android platform tools, or set ANDROID_HOME to where the SDK is.")
}

fn not_started() -> Error {
    Error::new(Reason::PermissionDenied, "The adb server could not be started.")
        .with_guidance("Run `adb start-server` in a terminal to see why.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)], present: &str) -> Option<PathBuf> {
        find_with(
            |name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value)),
            |program| program == Path::new(present),
        )
    }

    #[test]
    #[cfg(unix)]
    fn the_path_the_sdk_and_the_usual_places_are_searched() {
        let variables = [("PATH", "/bin:/tools"), ("ANDROID_HOME", "/sdk"), ("HOME", "/home/me")];
        for place in [
            "/tools/adb",
            "/sdk/platform-tools/adb",
            "/home/me/Android/Sdk/platform-tools/adb",
            "/usr/lib/android-sdk/platform-tools/adb",
        ] {
            assert_eq!(found(&variables, place), Some(PathBuf::from(place)));
        }
        assert_eq!(found(&variables, "/elsewhere/adb"), None);
        assert_eq!(found(&[], "adb"), None);
    }
}
