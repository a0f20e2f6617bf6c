//! Applications, and which part of one to read.

/// One running application with a user interface.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct App {
    /// What a person calls it.
    pub name: Box<str>,
    /// Its package, bundle or program, where that differs from its name.
    pub id: Option<Box<str>>,
    /// Its process, where the platform reports it.
    pub pid: Option<u32>,
    /// Whether the user has it in front.
    pub focused: bool,
    /// Whether it shows nothing: it has neither a window nor an element.
    pub background: bool,
}

impl App {
    /// The reference by which a driver finds it.
    #[must_use]
    pub fn reference(&self) -> AppRef {
        AppRef { name: self.id.clone().unwrap_or_else(|| self.name.clone()), pid: self.pid }
    }
}

/// Which application is meant: its process where that is known, since names are not unique.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AppRef {
    /// Its package, bundle or program name.
    pub name: Box<str>,
    /// Its process.
    pub pid: Option<u32>,
}

impl AppRef {
    /// The application of this name, whatever its process.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), pid: None }
    }

    /// Whether this window belongs to it: by process where both are known, else by name.
    #[must_use]
    pub fn owns(&self, window: &crate::Window) -> bool {
        match (self.pid, window.pid) {
            (Some(own), Some(other)) => own == other,
            _ => window.app.as_deref() == Some(&self.name),
        }
    }
}

/// How much of an application to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Part {
    /// What can be seen. A driver that reads everything anyway may give more.
    #[default]
    Visible,
    /// Everything it exposes, rows scrolled off screen and closed menus included.
    Whole,
    /// The same down to so many levels below the windows. What is deeper is neither read nor counted but by its parent's
    /// [`child_count`](crate::Node::child_count). A driver that reads everything anyway may give more.
    Levels(u32),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rect, Window};

    #[test]
    fn a_window_is_owned_by_its_process_and_else_by_name() {
        let named = AppRef::named("editor");
        let mut window = Window::new("editor", Rect::default());
        assert!(named.owns(&window));
        window.pid = Some(7);
        assert!(AppRef { pid: Some(7), name: "other".into() }.owns(&window));
        assert!(!AppRef { pid: Some(8), name: "editor".into() }.owns(&window));
    }
}
