//! The screen: its size, density and rotation, and whether it is on.

use super::Phone;
use super::provider::{AUTO_ROTATE, USER_ROTATION};

/// The shortest side a screen may be set to, in pixels.
const SIDE_MIN: u32 = 200;
/// The longest side a screen may be set to, in pixels.
const SIDE_MAX: u32 = 8000;
/// The lowest density, as `wm density` has it.
const DENSITY_MIN: u32 = 72;
/// The highest density.
const DENSITY_MAX: u32 = 1000;

impl Phone {
    /// Rotation now: 0 upright, 1 turned left, 2 upside down, 3 turned right (`Surface.ROTATION_*`).
    #[must_use]
    pub fn rotation(&self) -> u8 {
        self.locked_rotation().unwrap_or(0)
    }

    /// Locks the rotation, as `wm user-rotation lock N`; only the lowest two bits count.
    pub fn lock_rotation(&mut self, rotation: u8) {
        self.world.provider.set_number(AUTO_ROTATE, 0);
        self.world.provider.set_number(USER_ROTATION, i32::from(rotation & 3));
        self.turned();
    }

    /// Lets the rotation follow the sensor again; the phone is held upright.
    pub fn free_rotation(&mut self) {
        self.world.provider.set_number(AUTO_ROTATE, 1);
        self.turned();
    }

    /// The user rotation if it is locked.
    #[must_use]
    pub fn locked_rotation(&self) -> Option<u8> {
        let provider = &self.world.provider;
        (!provider.is_on(AUTO_ROTATE)).then(|| (provider.number(USER_ROTATION) & 3) as u8)
    }

    /// Width and height in pixels, as rotated.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        let profile = &self.world.profile;
        let (width, height) = self.size_override.unwrap_or((profile.width, profile.height));
        if self.rotation().is_multiple_of(2) { (width, height) } else { (height, width) }
    }

    /// Dots per inch now.
    #[must_use]
    pub fn density(&self) -> u32 {
        self.density_override.unwrap_or(self.world.profile.density)
    }

    /// The overriding size (upright) and density, where set.
    #[must_use]
    pub fn overrides(&self) -> (Option<(u32, u32)>, Option<u32>) {
        (self.size_override, self.density_override)
    }

    /// Overrides the size (upright), or goes back to the physical one. Sizes out of reason are refused.
    pub fn override_size(&mut self, size: Option<(u32, u32)>) -> bool {
        let fits = |side| (SIDE_MIN..=SIDE_MAX).contains(&side);
        if size.is_some_and(|(width, height)| !fits(width) || !fits(height)) {
            return false;
        }
        self.size_override = size;
        self.turned();
        true
    }

    /// Overrides the density, or goes back to the physical one. Densities out of reason are refused.
    pub fn override_density(&mut self, density: Option<u32>) -> bool {
        if density.is_some_and(|density| !(DENSITY_MIN..=DENSITY_MAX).contains(&density)) {
            return false;
        }
        self.density_override = density;
        self.turned();
        true
    }

    /// Whether the screen is on.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.awake
    }

    /// Whether the soft keyboard is shown.
    #[must_use]
    pub fn keyboard_shown(&self) -> bool {
        self.keyboard_visible()
    }

    /// The screen has another shape: no gesture goes on, and the cursor must stay visible.
    pub(crate) fn turned(&mut self) {
        self.cancel_gesture();
        self.ui.reveal = true;
        self.world.log_system("DisplayRotation", &format!("rotation is now {}", self.rotation()));
        self.refresh();
    }
}
