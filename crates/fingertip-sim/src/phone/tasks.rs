//! Apps that run: starting, switching, ending them, and carrying out what they ask.

use super::Phone;
use super::apps::installed::{self, KEYBOARD, LAUNCHER};
use super::apps::keyboard::Key;
use super::apps::launcher::{ACTIVITY, RECENTS_ACTIVITY, Tag as LauncherTag};
use super::apps::system::Panel;
use super::apps::{App, Context, Event, Request, Tag};
use super::log::Level;
use super::package::{StartError, Started};
use super::profile::Millis;
use super::toolkit::editor::Editor;
use super::ui::Toast;

/// How long a short message stays.
const TOAST_TIME: Millis = 2000;

/// A running app and the number of its task.
pub(crate) struct Task {
    pub(crate) app: Box<dyn App>,
    pub(crate) number: u32,
}

impl Phone {
    /// The app in front; the home screen always runs.
    pub(crate) fn front(&self) -> &dyn App {
        &*self.tasks[self.ui.front].app
    }

    /// Brings a package to the front, starting it if it does not run. Returns whether it ran before; `None` if
    /// it has no activities.
    pub(crate) fn bring(&mut self, package: &'static str) -> Option<bool> {
        let running = self.tasks.contains_key(package);
        if !running {
            let app = installed::make(package)?;
            self.world.spawn(package);
            self.tasks.insert(package, Task { app, number: self.next_task });
            self.next_task += 1;
        }
        let component = short_component(package, self.tasks[package].app.activity());
        self.world.log_system(
            "ActivityTaskManager",
            &format!("START u0 {{act=android.intent.action.MAIN cmp={component}}} from uid 10093"),
        );
        if self.ui.front != package {
            self.ui.keyboard = false;
            self.ui.motions.clear();
        }
        self.ui.front = package;
        self.system.panel = Panel::Closed;
        if package != LAUNCHER {
            self.world.recents.retain(|other| *other != package);
            self.world.recents.insert(0, package);
            if !running {
                self.world
                    .log_system("ActivityTaskManager", &format!("Displayed {component} for user 0: +183ms"));
            }
        }
        Some(running)
    }

    pub(crate) fn start_component(&mut self, component: &str) -> Result<Started, StartError> {
        let unknown = || StartError::NotFound(component.to_owned());
        let (name, class) =
            component.split_once('/').ok_or_else(|| StartError::NotAComponent(component.to_owned()))?;
        let package =
            installed::find(name).filter(|package| self.is_enabled(package.name)).ok_or_else(unknown)?;
        let full = if class.starts_with('.') { format!("{name}{class}") } else { class.to_owned() };
        let activity = *package.activities.iter().find(|known| **known == full).ok_or_else(unknown)?;
        let brought_to_front = self.bring(package.name).ok_or_else(unknown)?;
        if let Some(task) = self.tasks.get_mut(package.name) {
            task.app.open(activity);
        }
        Ok(Started { package: package.name, activity, brought_to_front })
    }

    /// Ends a task and its process. If it was in front, the home screen comes, restarted if need be.
    pub(crate) fn end(&mut self, package: &'static str, reason: &str) {
        self.tasks.remove(package);
        self.world.kill(package, reason);
        self.world.recents.retain(|other| *other != package);
        self.ui.forget(package);
        if self.ui.front == package {
            self.go_home();
        }
    }

    /// Shows the home screen; from there, its first page.
    pub(crate) fn go_home(&mut self) {
        if self.ui.front == LAUNCHER {
            self.ui.offsets.remove(&LauncherTag::Workspace.into());
        }
        self.show_launcher(ACTIVITY);
    }

    fn show_launcher(&mut self, activity: &str) {
        self.bring(LAUNCHER);
        if let Some(task) = self.tasks.get_mut(LAUNCHER) {
            task.app.open(activity);
        }
    }

    /// Shows the recent apps, or the home screen if they are shown.
    pub(crate) fn show_recents(&mut self) {
        if self.front().activity() == RECENTS_ACTIVITY {
            return self.go_home();
        }
        self.ui.offsets.remove(&LauncherTag::Recents.into());
        self.show_launcher(RECENTS_ACTIVITY);
    }

    /// What BACK does: the topmost thing that can be closed is closed.
    pub(crate) fn go_back(&mut self) {
        if self.system.panel != Panel::Closed {
            self.system.panel = Panel::Closed;
        } else if self.system.stopped.take().is_some() {
            // The dialog was what could be closed.
        } else if let Some(dismiss) = self.front().overlays(&self.world).last().map(|overlay| overlay.dismiss)
        {
            self.dispatch(dismiss, Event::Dismissed);
        } else if self.ui.keyboard {
            self.ui.keyboard = false;
        } else if !self.with_app(self.ui.front, |app, context| app.on_back(context)).unwrap_or(false) {
            self.go_home();
        }
    }

    /// Notifies the owner of a view of what happened to it, and does what it asks.
    pub(crate) fn dispatch(&mut self, tag: Tag, event: Event) {
        let mut context = Context { world: &mut self.world, requests: Vec::new() };
        match tag {
            Tag::System(tag) => self.system.on_event(tag, event, &mut context),
            Tag::Keyboard(tag) => self.keyboard.on_event(tag, event, &mut context),
            app => {
                let task = app.package().and_then(|package| self.tasks.get_mut(package));
                let Some(task) = task else { return };
                task.app.on_event(tag, event, &mut context);
            }
        }
        let requests = context.requests;
        self.fulfil(requests);
    }

    /// Lets an app do something, and does what it asks.
    pub(crate) fn with_app<T>(
        &mut self,
        package: &str,
        work: impl FnOnce(&mut dyn App, &mut Context<'_>) -> T,
    ) -> Option<T> {
        let task = self.tasks.get_mut(package)?;
        let mut context = Context { world: &mut self.world, requests: Vec::new() };
        let result = work(&mut *task.app, &mut context);
        let requests = context.requests;
        self.fulfil(requests);
        Some(result)
    }

    fn fulfil(&mut self, requests: Vec<Request>) {
        for request in requests {
            match request {
                Request::Start(package) => {
                    self.bring(package);
                }
                Request::Home => self.go_home(),
                Request::Recents => self.show_recents(),
                Request::Back => self.go_back(),
                Request::RemoveTask(package) => self.end(package, "remove task"),
                Request::Toast(text) => self.toast = Some(Toast { text, until: self.world.now + TOAST_TIME }),
                Request::Focus(tag) => self.focus_view(tag),
                Request::ClearFocus => {
                    self.ui.focus.remove(self.ui.front);
                    self.ui.keyboard = false;
                }
                Request::HideKeyboard => self.ui.keyboard = false,
                Request::Keyboard(Key::Write(character)) => self.write(&character.to_string()),
                Request::Keyboard(Key::Delete) => self.edit(Editor::delete_backward),
                Request::Keyboard(_) => self.enter(),
                Request::ScrollToStart(tag) => {
                    self.ui.offsets.remove(&tag);
                    self.ui.motions.remove(&tag);
                }
                Request::CollapsePanels => self.system.panel = Panel::Closed,
                Request::Crash(package, exception) => self.crash_app(package, &exception),
            }
        }
    }

    /// Gives a view the focus; a field gets the keyboard too.
    pub(crate) fn focus_view(&mut self, tag: Tag) {
        let Some(package) = tag.package() else { return };
        self.ui.focus.insert(package, tag);
        let field = self.tasks.get_mut(package).is_some_and(|task| task.app.editor(tag).is_some());
        if field && !self.ui.keyboard {
            self.keyboard.reset();
            self.world.log_app(KEYBOARD, Level::Debug, "LatinIME", "onStartInputView");
        }
        self.ui.keyboard = field;
        self.ui.reveal = field;
        self.ui.edited = self.world.now;
    }
}

/// `package/.Class` where the class lies in the package.
fn short_component(package: &str, activity: &str) -> String {
    match activity.strip_prefix(package) {
        Some(rest) if rest.starts_with('.') => format!("{package}/{rest}"),
        _ => format!("{package}/{activity}"),
    }
}
