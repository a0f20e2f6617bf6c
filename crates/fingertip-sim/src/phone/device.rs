//! What shell commands ask of the phone: apps, panels, clipboard, settings, log.

use std::collections::VecDeque;

use super::Phone;
use super::apps::installed::{self, CONTACTS, NOTES, PACKAGES};
use super::apps::system::Panel;
use super::log::LogLine;
use super::package::{Focus, Package, Process, StartError, Started};

impl Phone {
    /// Where the input focus is.
    #[must_use]
    pub fn focus(&self) -> Focus {
        let window = self.focused_window().map(|index| self.frame[index].name.clone());
        Focus {
            package: self.ui.front.to_owned(),
            activity: self.front().activity().to_owned(),
            window: window.unwrap_or_default(),
            task: self.tasks[self.ui.front].number,
        }
    }

    /// Starts `package/class` (`package/.Class`), or brings its task to the front.
    ///
    /// # Errors
    /// The text is no component, or no such activity is installed.
    pub fn start(&mut self, component: &str) -> Result<Started, StartError> {
        let started = self.start_component(component);
        self.refresh();
        started
    }

    /// Kills the app and forgets its task; its stored data stays. `false` if no such package is installed.
    pub fn force_stop(&mut self, package: &str) -> bool {
        let Some(package) = installed::find(package) else { return false };
        if self.tasks.contains_key(package.name) {
            self.end(package.name, "stop due to from pid 2000");
            self.refresh();
        }
        true
    }

    /// Kills the app and erases its stored data (`pm clear`). `false` if no such package is installed.
    pub fn clear_data(&mut self, package: &str) -> bool {
        if !self.force_stop(package) {
            return false;
        }
        match package {
            NOTES => self.world.notes.clear(),
            CONTACTS => self.world.contacts.clear(),
            _ => {}
        }
        self.refresh();
        true
    }

    /// Switches a package off or on, as its page in the settings does. `false` if no such package is installed.
    pub fn set_enabled(&mut self, package: &str, enabled: bool) -> bool {
        let Some(package) = installed::find(package) else { return false };
        if enabled {
            self.disabled.remove(package.name);
            return true;
        }
        self.force_stop(package.name);
        self.disabled.insert(package.name);
        true
    }

    /// Whether a package is switched on.
    #[must_use]
    pub fn is_enabled(&self, package: &str) -> bool {
        !self.disabled.contains(package)
    }

    /// What is installed.
    #[must_use]
    pub fn packages(&self) -> &'static [Package] {
        PACKAGES
    }

    /// What is running, by process id.
    #[must_use]
    pub fn processes(&self) -> Vec<Process> {
        self.world.processes()
    }

    /// The process id of a running package, or of `system_server`.
    #[must_use]
    pub fn pid_of(&self, package: &str) -> Option<u32> {
        self.processes().into_iter().find(|process| process.name == package).map(|process| process.pid)
    }

    /// The packages that have a task, the one last used first.
    #[must_use]
    pub fn recent_packages(&self) -> &[&'static str] {
        &self.world.recents
    }

    /// Pulls the notification shade down.
    pub fn expand_notifications(&mut self) {
        self.show_panel(Panel::Notifications);
    }

    /// Pulls the quick settings down.
    pub fn expand_quick_settings(&mut self) {
        self.show_panel(Panel::QuickSettings);
    }

    /// Closes shade and quick settings.
    pub fn collapse_panels(&mut self) {
        self.show_panel(Panel::Closed);
    }

    fn show_panel(&mut self, panel: Panel) {
        if self.awake {
            self.system.panel = panel;
            self.refresh();
        }
    }

    /// The text on the clipboard.
    #[must_use]
    pub fn clipboard(&self) -> Option<&str> {
        self.world.clipboard.as_deref()
    }

    /// Puts a text on the clipboard, or empties it.
    pub fn set_clipboard(&mut self, text: Option<String>) {
        self.world.clipboard = text;
    }

    /// A value of the settings provider (`system`, `secure`, `global`).
    #[must_use]
    pub fn setting(&self, namespace: &str, name: &str) -> Option<&str> {
        self.world.provider.get(namespace, name)
    }

    /// Sets or deletes a value of the settings provider; the phone follows those it knows.
    pub fn set_setting(&mut self, namespace: &str, name: &str, value: Option<&str>) {
        let before = self.size();
        self.world.provider.set(namespace, name, value);
        if self.size() == before { self.refresh() } else { self.turned() }
    }

    /// All values of one namespace of the settings provider, by name.
    #[must_use]
    pub fn settings(&self, namespace: &str) -> Vec<(&str, &str)> {
        self.world.provider.all(namespace)
    }

    /// The log, oldest line first.
    #[must_use]
    pub fn logs(&self) -> &VecDeque<LogLine> {
        self.world.log.lines()
    }

    /// Empties the log (`logcat -c`).
    pub fn clear_logs(&mut self) {
        self.world.log.clear();
    }
}
