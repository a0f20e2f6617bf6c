//! The settings provider: named values in three namespaces, some of which the phone follows.

use std::collections::BTreeMap;

/// A switch of the phone: its namespace and name in the provider.
pub(crate) type Name = (&'static str, &'static str);

pub(crate) const AIRPLANE: Name = ("global", "airplane_mode_on");
pub(crate) const AUTO_ROTATE: Name = ("system", "accelerometer_rotation");
pub(crate) const BLUETOOTH: Name = ("global", "bluetooth_on");
pub(crate) const BRIGHTNESS: Name = ("system", "screen_brightness");
pub(crate) const DARK_THEME: Name = ("secure", "ui_night_mode");
pub(crate) const DO_NOT_DISTURB: Name = ("global", "zen_mode");
pub(crate) const FLASHLIGHT: Name = ("secure", "flashlight_enabled");
pub(crate) const LOCATION: Name = ("secure", "location_mode");
pub(crate) const MOBILE_DATA: Name = ("global", "mobile_data");
pub(crate) const USER_ROTATION: Name = ("system", "user_rotation");
pub(crate) const VIBRATE: Name = ("system", "vibrate_when_ringing");
pub(crate) const VOLUME_MEDIA: Name = ("system", "volume_music");
pub(crate) const VOLUME_RING: Name = ("system", "volume_ring");
pub(crate) const WIFI: Name = ("global", "wifi_on");

/// What a fresh phone is set to.
const DEFAULTS: &[(Name, &str)] = &[
    (AIRPLANE, "0"),
    (AUTO_ROTATE, "1"),
    (BLUETOOTH, "1"),
    (BRIGHTNESS, "128"),
    (DARK_THEME, "0"),
    (DO_NOT_DISTURB, "0"),
    (FLASHLIGHT, "0"),
    (LOCATION, "1"),
    (MOBILE_DATA, "1"),
    (USER_ROTATION, "0"),
    (VIBRATE, "1"),
    (VOLUME_MEDIA, "8"),
    (VOLUME_RING, "5"),
    (WIFI, "1"),
    (("secure", "default_input_method"), "com.android.inputmethod.latin/.LatinIME"),
    (("secure", "accessibility_enabled"), "0"),
    (("secure", "android_id"), "9a1f3c5b7d9e0246"),
    (("global", "adb_enabled"), "1"),
    (("global", "development_settings_enabled"), "1"),
    (("global", "window_animation_scale"), "1.0"),
    (("global", "transition_animation_scale"), "1.0"),
    (("global", "animator_duration_scale"), "1.0"),
    (("system", "screen_off_timeout"), "600000"),
    (("system", "font_scale"), "1.0"),
];

/// The values.
pub(crate) struct Provider {
    values: BTreeMap<(String, String), String>,
}

impl Default for Provider {
    fn default() -> Self {
        let own = |((namespace, name), value): &(Name, &str)| {
            (((*namespace).to_owned(), (*name).to_owned()), (*value).to_owned())
        };
        Self { values: DEFAULTS.iter().map(own).collect() }
    }
}

impl Provider {
    pub(crate) fn get(&self, namespace: &str, name: &str) -> Option<&str> {
        self.values.get(&(namespace.to_owned(), name.to_owned())).map(String::as_str)
    }

    pub(crate) fn set(&mut self, namespace: &str, name: &str, value: Option<&str>) {
        let key = (namespace.to_owned(), name.to_owned());
        match value {
            Some(value) => drop(self.values.insert(key, value.to_owned())),
            None => drop(self.values.remove(&key)),
        }
    }

    /// All values of one namespace, by name.
    pub(crate) fn all(&self, namespace: &str) -> Vec<(&str, &str)> {
        let within = self.values.iter().filter(|((space, _), _)| space == namespace);
        within.map(|((_, name), value)| (name.as_str(), value.as_str())).collect()
    }

    /// A value that is a number; 0 for anything else.
    pub(crate) fn number(&self, (namespace, name): Name) -> i32 {
        self.get(namespace, name).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    pub(crate) fn set_number(&mut self, (namespace, name): Name, value: i32) {
        self.set(namespace, name, Some(&value.to_string()));
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: Name) -> bool {
        self.number(name) != 0
    }

    /// Turns a switch over; returns whether it is on now.
    pub(crate) fn toggle(&mut self, name: Name) -> bool {
        let on = !self.is_on(name);
        self.set_number(name, i32::from(on));
        on
    }
}
