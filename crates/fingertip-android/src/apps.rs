//! Which application is in front, and which processes are one's own.

use std::collections::BTreeSet;

use fingertip_core::{Snapshot, snapshot::Builder};

use crate::parse::focus::Focus;
use crate::quote::quoted;
use crate::roles::SYSTEM_UI;

/// Lists all processes by number and name.
pub(crate) const PROCESSES: &str = "ps -A -o PID,NAME";
/// The most that is read of that list, in bytes.
pub(crate) const MAX_PROCESSES: usize = 1024 * 1024;

/// The application in front and its screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Front {
    pub(crate) package: String,
    pub(crate) activity: String,
}

impl Front {
    /// The application that has the focus: a panel belongs to the system, not to the application below it.
    pub(crate) fn of(focus: &Focus) -> Option<Self> {
        if focus.on_panel() {
            let activity = focus.window.clone().unwrap_or_default();
            return Some(Self { package: SYSTEM_UI.to_owned(), activity });
        }
        let component = focus.component()?;
        Some(Self { package: component.package.clone(), activity: component.activity.clone() })
    }

    /// Names it in a snapshot.
    pub(crate) fn name_in(&self, builder: &mut Builder) {
        builder.app(&self.package, &self.activity);
    }
}

/// The applications that have a window in a snapshot, for a message.
pub(crate) fn shown_in(snapshot: &Snapshot) -> String {
    let apps: BTreeSet<&str> = snapshot.windows().iter().filter_map(|window| window.app.as_deref()).collect();
    quoted(&apps.into_iter().collect::<Vec<_>>().join(", "))
}

/// The processes of a package, from the output of `pidof` and of [`PROCESSES`]. A process of a package is
/// called like it, or like it with a colon and a name.
pub(crate) fn processes(package: &str, pidof: &str, ps: &str) -> BTreeSet<u32> {
    let own =
        |name: &str| name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    let listed = ps.lines().filter_map(|line| {
        let (pid, name) = line.trim().split_once(' ')?;
        own(name.trim()).then(|| pid.parse().ok())?
    });
    pidof.split_whitespace().filter_map(|pid| pid.parse().ok()).chain(listed).collect()
}

/// The main process of a package, from the output of [`PROCESSES`]: the one called exactly like it.
pub(crate) fn main_process(package: &str, ps: &str) -> Option<u32> {
    ps.lines().find_map(|line| {
        let (pid, name) = line.trim().split_once(' ')?;
        (name.trim() == package).then(|| pid.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::focus;

    #[test]
    fn an_open_panel_is_in_front_of_the_app() {
        let text = "mCurrentFocus=Window{1 u0 NotificationShade}\nmFocusedApp=ActivityRecord{1 u0 a.b/.C t1}";
        let front = Front::of(&focus::parse(text)).unwrap();
        assert_eq!((front.package.as_str(), front.activity.as_str()), (SYSTEM_UI, "NotificationShade"));
        assert_eq!(Front::of(&Focus::default()), None);
    }

    #[test]
    fn the_processes_of_a_package_are_all_its_own_and_no_others() {
        let ps =
            "  PID NAME\r\n  101 com.app\r\n  102 com.app:remote\n  103 com.apple\n  104 com.app.other\n";
        assert_eq!(processes("com.app", "101 105\n", ps), BTreeSet::from([101, 102, 105]));
        assert_eq!(processes("com.none", "", "ps: bad -o\n"), BTreeSet::new());
        assert_eq!(main_process("com.app", ps), Some(101));
        assert_eq!(main_process("com.ap", ps), None);
    }
}
