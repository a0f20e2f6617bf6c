//! Apps that crash, as Android deals with them: an entry in the crash log, then whatever was behind the app. Only an app that
//! keeps crashing gets a dialog of the system.

use super::Phone;
use super::apps::installed;
use super::apps::system::Tag;
use super::apps::{Overlay, OverlayKind, dialog};
use super::profile::Millis;
use super::toolkit::widgets::text_button;

/// An app that crashes again within this time keeps crashing.
const KEEPS_CRASHING: Millis = 60_000;

impl Phone {
    /// Crashes the app of a package by this exception; `false` if it does not run.
    pub fn crash(&mut self, package: &str, exception: &str) -> bool {
        let Some(package) = installed::find(package).filter(|known| self.tasks.contains_key(known.name))
        else {
            return false;
        };
        self.crash_app(package.name, exception);
        self.refresh();
        true
    }

    pub(crate) fn crash_app(&mut self, package: &'static str, exception: &str) {
        self.world.log_crash(package, exception);
        self.end(package, "crash");
        let before = self.system.crashes.insert(package, self.world.now);
        if before.is_some_and(|time| self.world.now - time < KEEPS_CRASHING) {
            self.system.stopped = Some(package);
        }
    }

    /// The dialog that says that an app keeps stopping, while there is one, and the name of its window.
    pub(crate) fn stopped_dialog(&self) -> Option<(Overlay, String)> {
        let package = self.system.stopped?;
        let title = format!("{} keeps stopping", installed::label_of(package));
        let buttons = vec![
            text_button("App info", Tag::AppInfo).id("android:id/aerr_app_info"),
            text_button("Close app", Tag::CloseApp).id("android:id/aerr_close"),
        ];
        let overlay = Overlay {
            kind: OverlayKind::Dialog,
            view: dialog(&title, "", buttons),
            title,
            dismiss: Tag::CloseApp.into(),
        };
        Some((overlay, format!("Application Error: {package}")))
    }
}
