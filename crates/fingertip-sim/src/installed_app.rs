//! Fingertip's own app, as far as a computer sees it over adb: it is installed, switched on, started, removed.
//!
//! Rules: what is installed is kept and never run (`tests/app` runs the app itself); whether its accessibility service is on is
//! what the secure settings say, as on a phone. Only this one package can be installed.

use std::sync::{Arc, Mutex};

use crate::lock::lock;
use crate::shell::Output;
use crate::{ServiceFault, SimPhone};

/// Its package.
pub(crate) const PACKAGE: &str = "dev.fingertip.app";
/// Its accessibility service, and who takes orders of a computer.
const SERVICE: &str = "dev.fingertip.app/dev.fingertip.app.ScreenService";
const RECEIVER: &str = "dev.fingertip.app/.ComputerReceiver";
/// What every package has.
const MANIFEST: &[u8] = b"AndroidManifest.xml";

/// The app, there or not.
#[derive(Debug, Default)]
pub(crate) struct InstalledApp(Mutex<Option<App>>);

#[derive(Debug, Default)]
struct App {
    serving: bool,
    on_network: bool,
}

impl InstalledApp {
    /// `pm install [-r] [-g] PATH`.
    pub(crate) fn install(&self, phone: &SimPhone, words: &[&str]) -> Output {
        let path = words.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
        let Ok(package) = phone.files().read(path) else {
            return Output::failure(1, format!("Error: Unable to open file: {path}\n"));
        };
        if !package.starts_with(b"PK") || !package.windows(MANIFEST.len()).any(|name| name == MANIFEST) {
            return Output::failure(
                1,
                "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse the package]\n",
            );
        }
        let mut app = lock(&self.0);
        if app.is_some() && !words.contains(&"-r") {
            let text = format!("Failure [INSTALL_FAILED_ALREADY_EXISTS: {PACKAGE}]\n");
            return Output::failure(1, text);
        }
        *app = Some(App::default());
        Output::success("Success\n")
    }

    /// `pm uninstall PACKAGE`. As on a phone, its service is taken off the list of those that are on.
    pub(crate) fn uninstall(&self, phone: &SimPhone, words: &[&str]) -> Output {
        if words.last() != Some(&PACKAGE) || lock(&self.0).take().is_none() {
            return Output::failure(1, "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
        }
        let others: Vec<String> = services(phone).into_iter().filter(|service| service != SERVICE).collect();
        let list = others.join(":");
        phone.with(|phone| phone.set_setting("secure", "enabled_accessibility_services", Some(&list)));
        Output::success("Success\n")
    }

    /// `pm path PACKAGE`.
    pub(crate) fn path(&self) -> Output {
        if lock(&self.0).is_none() {
            return Output::failure(1, "");
        }
        Output::success(format!("package:/data/app/{PACKAGE}/base.apk\n"))
    }

    /// `am broadcast` to the app; `None` for others.
    pub(crate) fn order(&self, phone: &Arc<SimPhone>, component: &str, words: &[&str]) -> Option<Output> {
        let mut app = lock(&self.0);
        let app = app.as_mut().filter(|_| component == RECEIVER)?;
        if words.contains(&"dev.fingertip.app.START") {
            app.serving = true;
            if let Some(at) = words.iter().position(|word| *word == "network") {
                app.on_network = words.get(at + 1) == Some(&"true");
            }
        }
        let connected = phone.faults().plan().services != ServiceFault::Idle
            && services(phone).iter().any(|service| service == SERVICE)
            && phone.with(|phone| phone.setting("secure", "accessibility_enabled") == Some("1"));
        let host = if app.on_network { "192.0.2.7" } else { "127.0.0.1" };
        let urls = if app.serving { vec![format!("https://{host}:8080/mcp")] } else { vec![] };
        let answer = serde_json::json!({
            "connected": connected, "failed": false, "state": "as the demo phone says it", "urls": urls,
        });
        Some(Output::success(format!(
            "Broadcasting: Intent {{ flg=0x400000 cmp={component} (has extras) }}\n\
             Broadcast completed: result=-1, data=\"{answer}\"\n"
        )))
    }
}

/// The accessibility services that are on.
fn services(phone: &SimPhone) -> Vec<String> {
    let list = phone.with(|phone| {
        phone.setting("secure", "enabled_accessibility_services").unwrap_or_default().to_owned()
    });
    list.split(':').filter(|service| !service.is_empty()).map(str::to_owned).collect()
}
