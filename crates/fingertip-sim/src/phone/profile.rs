//! What a phone is: its names, its screen, and the moment it was switched on.

/// Milliseconds since the phone was switched on. The model never reads a clock; time comes in from outside.
pub type Millis = u64;

/// The longest a phone runs: a hundred years. Later times are taken as this one.
pub const LATEST: Millis = 100 * 365 * 86_400_000;

/// The fixed properties of a phone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The adb serial number.
    pub serial: String,
    /// `ro.product.model`.
    pub model: String,
    /// `ro.product.name`.
    pub product: String,
    /// `ro.product.device`.
    pub device: String,
    /// `ro.product.manufacturer`.
    pub manufacturer: String,
    /// `ro.build.version.release`.
    pub android: String,
    /// `ro.build.version.sdk`.
    pub sdk: u32,
    /// `ro.product.cpu.abi`.
    pub abi: String,
    /// `ro.build.id`.
    pub build: String,
    /// Physical width in pixels, held upright.
    pub width: u32,
    /// Physical height in pixels, held upright.
    pub height: u32,
    /// Physical density in dots per inch.
    pub density: u32,
    /// Wall-clock time at boot, in milliseconds since 1970 (UTC).
    pub boot_epoch_ms: i64,
    /// IANA name of the time zone, for `persist.sys.timezone`.
    pub time_zone: String,
    /// What the time zone adds to UTC, in minutes. Fixed, so that the model needs no zone data.
    pub utc_offset_minutes: i32,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            serial: "fingertip-demo".into(),
            model: "Fingertip Demo".into(),
            product: "fingertip_demo".into(),
            device: "demo".into(),
            manufacturer: "Fingertip".into(),
            android: "14".into(),
            sdk: 34,
            abi: "arm64-v8a".into(),
            build: "UP1A.231005.007".into(),
            width: 1080,
            height: 2400,
            density: 420,
            // 2026-03-02 09:30:00 UTC, a Monday.
            boot_epoch_ms: 1_772_443_800_000,
            time_zone: "Etc/UTC".into(),
            utc_offset_minutes: 0,
        }
    }
}
