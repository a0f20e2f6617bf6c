//! Which accessibility events a change of the phone makes.

use crate::phone::{NodeFlags, Phone, WindowKind, WindowView, reported};

/// `AccessibilityEvent.TYPE_*`.
pub(super) const VIEW_FOCUSED: u32 = 8;
pub(super) const WINDOW_STATE_CHANGED: u32 = 32;
pub(super) const NOTIFICATION_STATE_CHANGED: u32 = 64;
pub(super) const CONTENT_CHANGED: u32 = 2048;
pub(super) const WINDOWS_CHANGED: u32 = 4_194_304;

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) kind: u32,
    pub(super) package: String,
    pub(super) class: String,
    pub(super) window: u32,
    pub(super) text: Option<String>,
}

/// What was seen last.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Observer {
    generation: u64,
    windows: Vec<(u32, bool)>,
    activity: String,
    focus: Option<u64>,
    toast: Option<String>,
}

impl Observer {
    /// Knows the phone as it is.
    pub(super) fn new(phone: &Phone) -> Self {
        Self {
            generation: phone.generation(),
            windows: reported(phone.windows()).map(|window| (window.id, window.focused)).collect(),
            activity: phone.focus().activity,
            focus: focus(phone),
            toast: toast(phone.windows()),
        }
    }

    /// What has happened since it looked last.
    pub(super) fn look(&mut self, phone: &Phone) -> Vec<Event> {
        if phone.generation() == self.generation {
            return Vec::new();
        }
        let before = std::mem::replace(self, Self::new(phone));
        let front = reported(phone.windows()).find(|window| window.focused);
        let event = |kind: u32, class: &str| Event {
            kind,
            package: front.map(|window| window.package.clone()).unwrap_or_default(),
            class: class.to_owned(),
            window: front.map_or(0, |window| window.id),
            text: None,
        };
        let mut events = Vec::new();
        if before.windows != self.windows {
            events.push(event(WINDOWS_CHANGED, ""));
        }
        if before.activity != self.activity {
            events.push(event(WINDOW_STATE_CHANGED, &self.activity));
        }
        events.push(event(CONTENT_CHANGED, "android.widget.FrameLayout"));
        if before.focus != self.focus {
            events.push(event(VIEW_FOCUSED, "android.view.View"));
        }
        if self.toast.is_some() && before.toast != self.toast {
            let toast = event(NOTIFICATION_STATE_CHANGED, "android.widget.Toast");
            events.push(Event { text: self.toast.clone(), ..toast });
        }
        events
    }
}

fn focus(phone: &Phone) -> Option<u64> {
    let nodes = phone.windows().iter().flat_map(|window| window.root.walk());
    nodes.into_iter().find(|node| node.flags.contains(NodeFlags::FOCUSED)).map(|node| node.key)
}

fn toast(windows: &[WindowView]) -> Option<String> {
    let toast = windows.iter().find(|window| window.kind == WindowKind::Toast)?;
    toast.root.walk().find(|node| !node.text.is_empty()).map(|node| node.text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[test]
    fn another_activity_makes_all_kinds_of_events_and_idleness_makes_none() {
        let mut phone = Phone::new(Profile::default());
        let mut observer = Observer::new(&phone);
        assert!(observer.look(&phone).is_empty());
        phone.start("com.android.settings/.Settings").unwrap();
        let kinds: Vec<u32> = observer.look(&phone).iter().map(|event| event.kind).collect();
        assert!(kinds.contains(&WINDOW_STATE_CHANGED) && kinds.contains(&CONTENT_CHANGED), "{kinds:?}");
        assert!(kinds.contains(&WINDOWS_CHANGED));
        assert!(observer.look(&phone).is_empty());
    }
}
