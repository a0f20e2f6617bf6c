//! Which packages are installed, and how to make their apps.

use super::{App, calculator, clock, contacts, gallery, launcher, notes, settings};
use crate::phone::package::Package;
use crate::phone::scene::{Color, Icon};

pub(crate) const CALCULATOR: &str = "com.android.calculator2";
pub(crate) const CLOCK: &str = "com.android.deskclock";
pub(crate) const CONTACTS: &str = "com.android.contacts";
pub(crate) const GALLERY: &str = "com.fingertip.demo.gallery";
pub(crate) const KEYBOARD: &str = "com.android.inputmethod.latin";
pub(crate) const LAUNCHER: &str = "com.android.launcher3";
pub(crate) const NOTES: &str = "com.fingertip.demo.notes";
pub(crate) const SETTINGS: &str = "com.android.settings";
/// Where dialogs of the system itself are from; no package of it is listed.
pub(crate) const SYSTEM: &str = "android";
pub(crate) const SYSTEM_UI: &str = "com.android.systemui";

const fn app(
    name: &'static str,
    label: &'static str,
    uid: u32,
    version: (&'static str, u32),
    activities: &'static [&'static str],
) -> Package {
    Package {
        name,
        label,
        uid,
        version_name: version.0,
        version_code: version.1,
        launcher_activity: activities.first().copied(),
        activities,
    }
}

const fn service(name: &'static str, label: &'static str, uid: u32) -> Package {
    Package {
        name,
        label,
        uid,
        version_name: "14",
        version_code: 34,
        launcher_activity: None,
        activities: &[],
    }
}

/// All packages, by name.
pub(crate) static PACKAGES: &[Package] = &[
    app(CALCULATOR, "Calculator", 10_081, ("8.4", 84), &[calculator::ACTIVITY]),
    app(
        CONTACTS,
        "Contacts",
        10_084,
        ("1.7.31", 10_731),
        &[contacts::LIST_ACTIVITY, contacts::EDIT_ACTIVITY],
    ),
    app(CLOCK, "Clock", 10_083, ("7.3", 730), &[clock::ACTIVITY]),
    service(KEYBOARD, "Keyboard", 10_092),
    Package {
        launcher_activity: None,
        ..app(LAUNCHER, "Launcher", 10_093, ("14", 34), &[launcher::ACTIVITY, launcher::RECENTS_ACTIVITY])
    },
    app(SETTINGS, "Settings", 1000, ("14", 34), &[settings::MAIN_ACTIVITY]),
    service(SYSTEM_UI, "System UI", 10_095),
    app(GALLERY, "Gallery", 10_121, ("1.2", 12), &[gallery::GRID_ACTIVITY]),
    app(NOTES, "Notes", 10_122, ("2.0", 20), &[notes::LIST_ACTIVITY]),
];

/// The package with this name.
pub(crate) fn find(name: &str) -> Option<&'static Package> {
    PACKAGES.iter().find(|package| package.name == name)
}

/// What users call a package.
pub(crate) fn label_of(name: &str) -> &'static str {
    find(name).map_or("", |package| package.label)
}

/// The user id of a package's processes.
pub(crate) fn uid_of(name: &str) -> u32 {
    find(name).map_or(0, |package| package.uid)
}

/// A fresh instance of a package's app; `None` if it has no activities.
pub(crate) fn make(package: &str) -> Option<Box<dyn App>> {
    Some(match package {
        CALCULATOR => Box::new(calculator::Calculator::default()),
        CLOCK => Box::new(clock::Clock::default()),
        CONTACTS => Box::new(contacts::Contacts::default()),
        GALLERY => Box::new(gallery::Gallery::default()),
        LAUNCHER => Box::new(launcher::Launcher::default()),
        NOTES => Box::new(notes::Notes::default()),
        SETTINGS => Box::new(settings::Settings::default()),
        _ => return None,
    })
}

/// The icon of a package, and the colour behind it.
pub(crate) fn icon_of(package: &str) -> (Icon, Color) {
    match package {
        CALCULATOR => (Icon::Calculator, Color(0xFF3D_6B4F)),
        CLOCK => (Icon::Clock, Color(0xFF4A_4E8C)),
        CONTACTS => (Icon::Contacts, Color(0xFF1F_5FBF)),
        GALLERY => (Icon::Gallery, Color(0xFFB5_4A6E)),
        NOTES => (Icon::Notes, Color(0xFFC2_7A12)),
        _ => (Icon::Settings, Color(0xFF5A_5E6B)),
    }
}
