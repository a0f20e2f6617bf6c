//! Who is meant to receive an act, for as long as the act lasts.
//!
//! An act is allowed for an application. A driver that performs it in several steps checks before each later step that the
//! same application would still receive it, and stops at the first that would go elsewhere.

use crate::{Error, Reason, Window};

/// The applications an act is meant for; any where none is named.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expected(Vec<Owner>);

/// One of them: its process, its name, or where neither is known its window.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Owner {
    app: Option<Box<str>>,
    pid: Option<u32>,
    window: Option<Box<str>>,
    /// Only this window of it is meant.
    only_window: bool,
}

impl Expected {
    /// Any receiver: nothing is checked.
    #[must_use]
    pub const fn anyone() -> Self {
        Self(Vec::new())
    }

    /// The owners of these windows.
    #[must_use]
    pub fn owners<'a>(windows: impl IntoIterator<Item = &'a Window>) -> Self {
        let mut owners: Vec<Owner> = Vec::new();
        for window in windows {
            let owner = Owner::of(window);
            if !owners.contains(&owner) {
                owners.push(owner);
            }
        }
        Self(owners)
    }

    /// This window and no other of its application, where it can be identified.
    #[must_use]
    pub fn window(window: &Window) -> Self {
        Self(vec![Owner { only_window: window.handle.is_some(), ..Owner::of(window) }])
    }

    /// The receivers that both mean; `None` when there are none. Where the one names none, the other decides.
    #[must_use]
    pub fn narrowed(&self, meant: &Self) -> Option<Self> {
        if self.is_anyone() || meant.is_anyone() {
            return Some(if self.is_anyone() { meant.clone() } else { self.clone() });
        }
        let mut both: Vec<Owner> = Vec::new();
        for (found, wanted) in
            self.0.iter().flat_map(|found| meant.0.iter().map(move |wanted| (found, wanted)))
        {
            if wanted.is_same(found) {
                both.push(Owner { only_window: wanted.only_window, ..wanted.clone() });
            }
        }
        (!both.is_empty()).then_some(Self(both))
    }

    /// Whether any receiver will do.
    #[must_use]
    pub fn is_anyone(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this window belongs to one that is meant.
    #[must_use]
    pub fn accepts(&self, window: &Window) -> bool {
        self.is_anyone() || self.0.iter().any(|owner| owner.owns(window))
    }

    /// The names of those meant, as far as they have one.
    pub fn apps(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|owner| owner.app.as_deref())
    }
}

impl Owner {
    fn of(window: &Window) -> Self {
        let (app, pid, window) = (window.app.clone(), window.pid, window.handle.clone());
        Self { app, pid, window, only_window: false }
    }

    fn owns(&self, window: &Window) -> bool {
        self.is_same(&Self::of(window)) && (!self.only_window || self.window == window.handle)
    }

    /// Whether both are one application.
    fn is_same(&self, other: &Self) -> bool {
        match (self.pid, other.pid) {
            (Some(own), Some(other)) => own == other,
            _ => match (&self.app, &other.app) {
                (Some(own), Some(other)) => own == other,
                _ => self.window.is_some() && self.window == other.window,
            },
        }
    }
}

/// The error of an act that stopped because another application would have received the rest. `done` says how far it came, as in
/// "Typed 12 of 80 characters"; `found` is who was found, where that is known.
#[must_use]
pub fn diverted(done: &str, found: Option<&str>) -> Error {
    let who = found.map_or_else(|| "an unknown application".to_owned(), |app| format!("{app:?}"));
    let error = Error::new(
        Reason::ActionFailed,
        format!("{done}, then {who} would have received the rest, which was not done."),
    )
    .with_guidance("Look at the screen: another application came up. What was done before stays done.");
    match found {
        Some(app) => error.with_app(app),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rect;

    fn window(app: Option<&str>, pid: Option<u32>, handle: Option<&str>) -> Window {
        let mut window = Window::new("", Rect::default());
        (window.app, window.pid, window.handle) = (app.map(Into::into), pid, handle.map(Into::into));
        window
    }

    #[test]
    fn an_owner_is_known_by_process_then_by_name_then_by_window() {
        let expected = Expected::owners([&window(Some("notes"), Some(7), Some("0x1"))]);
        assert!(expected.accepts(&window(None, Some(7), Some("0x2"))));
        assert!(!expected.accepts(&window(Some("notes"), Some(8), Some("0x1"))), "another process");
        assert!(expected.accepts(&window(Some("notes"), None, None)));
        assert!(!expected.accepts(&window(Some("bank"), None, Some("0x1"))), "another name");
        assert!(expected.accepts(&window(None, None, Some("0x1"))));
        assert!(!expected.accepts(&window(None, None, None)));
    }

    #[test]
    fn one_window_of_an_application_is_not_another() {
        let one = Expected::window(&window(Some("notes"), Some(7), Some("0x1")));
        assert!(one.accepts(&window(None, Some(7), Some("0x1"))));
        assert!(!one.accepts(&window(None, Some(7), Some("0x2"))));
    }

    #[test]
    fn who_was_found_is_held_to_who_is_meant() {
        let (notes, bank) =
            (window(Some("notes"), Some(7), Some("0x1")), window(Some("bank"), Some(8), Some("0x2")));
        let found = Expected::owners([&notes, &bank]);
        let both = found.narrowed(&Expected::window(&notes)).unwrap();
        assert!(both.accepts(&notes) && !both.accepts(&bank));
        assert!(!both.accepts(&window(None, Some(7), Some("0x9"))), "still that window only");
        assert_eq!(Expected::owners([&bank]).narrowed(&Expected::window(&notes)), None);
        assert_eq!(Expected::anyone().narrowed(&found), Some(found.clone()));
        assert_eq!(found.narrowed(&Expected::anyone()), Some(found));
    }

    #[test]
    fn nobody_named_is_anyone() {
        assert!(Expected::anyone().accepts(&window(None, None, None)));
        assert!(Expected::owners([]).is_anyone());
    }
}
