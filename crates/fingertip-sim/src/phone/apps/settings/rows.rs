//! The rows of the main page: enough of them that most are off screen.

use super::Page;
use crate::phone::provider::{
    AIRPLANE, AUTO_ROTATE, BLUETOOTH, DARK_THEME, DO_NOT_DISTURB, FLASHLIGHT, LOCATION, MOBILE_DATA, Name,
    VIBRATE, WIFI,
};

/// What a row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Opens a page of its own kind.
    Open(Page),
    /// Opens a page with nothing but its title and summary.
    Detail,
    /// Turns a value of the settings provider over.
    Switch(Name),
}

/// One row.
pub(super) struct Row {
    pub(super) title: &'static str,
    pub(super) summary: &'static str,
    pub(super) action: Action,
}

const fn open(title: &'static str, summary: &'static str, page: Page) -> Row {
    Row { title, summary, action: Action::Open(page) }
}

const fn detail(title: &'static str, summary: &'static str) -> Row {
    Row { title, summary, action: Action::Detail }
}

const fn switch(title: &'static str, summary: &'static str, name: Name) -> Row {
    Row { title, summary, action: Action::Switch(name) }
}

/// All rows, in order.
pub(super) const ROWS: &[Row] = &[
    open("Network & internet", "Wi-Fi, mobile, data usage", Page::Network),
    switch("Wi-Fi", "Demo network", WIFI),
    switch("Airplane mode", "Wireless off", AIRPLANE),
    switch("Mobile data", "Demo carrier", MOBILE_DATA),
    detail("Hotspot & tethering", "Off"),
    detail("VPN", "None"),
    detail("Private DNS", "Automatic"),
    detail("Data Saver", "Off"),
    detail("Connected devices", "Bluetooth, pairing"),
    switch("Bluetooth", "Visible as Fingertip Demo", BLUETOOTH),
    switch("NFC", "Allow data exchange when touching", ("secure", "nfc_on")),
    detail("Cast", "Not connected"),
    detail("Printing", "1 print service on"),
    detail("USB", "Connected to a computer"),
    detail("Apps", "Recent apps, default apps"),
    detail("Default apps", "Browser, phone, messages"),
    detail("App permissions", "Location, microphone, camera"),
    detail("Screen time", "1 hour 12 minutes today"),
    detail("Unused apps", "0 unused apps"),
    detail("Notifications", "History, conversations"),
    switch("Notification dot on app icon", "", ("secure", "notification_badging")),
    switch("Bubbles", "Conversations float over apps", ("secure", "notification_bubbles")),
    detail("Device & app notifications", "Which apps read notifications"),
    switch("Do Not Disturb", "Off unless someone really needs you", DO_NOT_DISTURB),
    detail("Battery", "87 % · about 1 day left"),
    switch("Battery Saver", "Extends battery life", ("global", "low_power")),
    switch("Adaptive preferences", "Learns how you use apps", ("secure", "adaptive_battery")),
    detail("Battery usage", "Since last full charge"),
    detail("Storage", "21 % used · 101 GB free"),
    detail("Free up space", "Go to the file manager"),
    open("Sound & vibration", "Volume, haptics", Page::Sound),
    switch("Vibrate for calls", "", VIBRATE),
    switch("Touch sounds", "", ("system", "sound_effects_enabled")),
    switch("Screen locking sound", "", ("system", "lockscreen_sounds_enabled")),
    detail("Phone ringtone", "Sunrise"),
    detail("Default notification sound", "Pebble"),
    detail("Default alarm sound", "Daybreak"),
    open("Display", "Brightness, rotation, dark theme", Page::Display),
    switch("Dark theme", "Will never turn on automatically", DARK_THEME),
    switch("Auto-rotate screen", "Turn with the device", AUTO_ROTATE),
    detail("Font size", "Default"),
    detail("Display size", "Default"),
    detail("Screen timeout", "After 10 minutes"),
    switch("Night Light", "Off", ("secure", "night_display_activated")),
    switch("Flashlight", "Light on the back", FLASHLIGHT),
    detail("Colors", "Natural"),
    detail("Screen saver", "Clock"),
    detail("Wallpaper & style", "Colors, themed icons, app grid"),
    detail("Lock screen", "Show all notification content"),
    switch("Lift to check phone", "", ("secure", "doze_pulse_on_pick_up")),
    switch("Wake screen for notifications", "", ("secure", "doze_enabled")),
    detail("Accessibility", "Display, interaction, audio"),
    switch(
        "Magnification",
        "Zoom in on the screen",
        ("secure", "accessibility_display_magnification_enabled"),
    ),
    switch(
        "Color inversion",
        "Turns light screens dark",
        ("secure", "accessibility_display_inversion_enabled"),
    ),
    switch("High contrast text", "", ("secure", "high_text_contrast_enabled")),
    switch("Remove animations", "Less movement on the screen", ("secure", "remove_animations")),
    detail("Timing controls", "Touch & hold delay: short"),
    detail("Security", "Screen lock, fingerprint"),
    detail("Screen lock", "None"),
    switch("Show passwords", "Show characters briefly as you type", ("system", "show_password")),
    switch("Smart Lock", "Keeps the phone unlocked with you", ("secure", "smart_lock")),
    detail("Encryption & credentials", "Encrypted"),
    detail("Privacy", "Permissions, account activity"),
    switch("Camera access", "For all apps", ("secure", "camera_access")),
    switch("Microphone access", "For all apps", ("secure", "microphone_access")),
    switch(
        "Clipboard access alerts",
        "Show a message when apps read it",
        ("secure", "clipboard_show_access_notifications"),
    ),
    switch("Location", "On for 2 apps", LOCATION),
    detail("Safety & emergency", "Emergency SOS, medical info"),
    switch("Emergency alerts", "Wireless alerts", ("secure", "emergency_alerts")),
    detail("Passwords & accounts", "Saved passwords, synced accounts"),
    switch("Automatically sync app data", "Let apps refresh data", ("secure", "auto_sync")),
    detail("Digital Wellbeing", "Screen time, app timers"),
    detail("Languages & input", "English"),
    detail("On-screen keyboard", "Keyboard"),
    switch("Spell checker", "", ("secure", "spell_checker_enabled")),
    switch("Personal dictionary", "Learn from what you type", ("secure", "personal_dictionary")),
    detail("Date & time", "UTC"),
    switch("Set time automatically", "", ("global", "auto_time")),
    switch("Use 24-hour format", "13:00", ("system", "time_12_24")),
    detail("Backup", "Off"),
    detail("System update", "Your system is up to date"),
    detail("Gestures", "Quick gestures"),
    switch("Quickly open camera", "Press the power button twice", ("secure", "camera_double_tap_power")),
    detail("Multiple users", "Signed in as Owner"),
    detail("Reset options", "Network, apps or device"),
    switch("Developer options", "On", ("global", "development_settings_enabled")),
    switch("USB debugging", "Debug mode when USB is connected", ("global", "adb_enabled")),
    open("About phone", "Model, version, build", Page::About),
];
