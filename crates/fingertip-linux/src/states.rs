//! What AT-SPI says of an object's state, as a set of bits, and what it means for a node.

use fingertip_core::{Flags, Role};

use crate::roles;

/// The states of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct States(u64);

/// The bits that are asked for; the numbers are AT-SPI's.
mod bit {
    pub(super) const ACTIVE: u32 = 1;
    pub(super) const CHECKED: u32 = 4;
    pub(super) const DEFUNCT: u32 = 6;
    pub(super) const EDITABLE: u32 = 7;
    pub(super) const ENABLED: u32 = 8;
    pub(super) const EXPANDED: u32 = 10;
    pub(super) const FOCUSABLE: u32 = 11;
    pub(super) const FOCUSED: u32 = 12;
    pub(super) const MODAL: u32 = 16;
    pub(super) const PRESSED: u32 = 20;
    pub(super) const SELECTED: u32 = 23;
    pub(super) const SENSITIVE: u32 = 24;
    pub(super) const SHOWING: u32 = 25;
    pub(super) const TRANSIENT: u32 = 28;
    pub(super) const VERTICAL: u32 = 29;
    pub(super) const VISIBLE: u32 = 30;
    pub(super) const CHECKABLE: u32 = 41;
}

impl States {
    /// From the two halves that D-Bus carries; a half that is missing is empty.
    pub(crate) fn from_halves(halves: &[u32]) -> Self {
        let half = |position: usize| halves.get(position).copied().map_or(0, u64::from);
        Self(half(0) | half(1) << 32)
    }

    const fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// Whether its toolkit says that it can be seen.
    pub(crate) const fn is_showing(self) -> bool {
        self.has(bit::SHOWING) && self.has(bit::VISIBLE)
    }

    /// Whether it was made for the one who asks, and is made anew for the next question.
    pub(crate) const fn is_transient(self) -> bool {
        self.has(bit::TRANSIENT)
    }

    /// Whether it stands upright, as a bar that scrolls up and down does.
    pub(crate) const fn is_vertical(self) -> bool {
        self.has(bit::VERTICAL)
    }

    /// Whether it is the window that has the keyboard.
    pub(crate) const fn is_active(self) -> bool {
        self.has(bit::ACTIVE)
    }

    /// Whether it is a window that must be answered before its application goes on.
    pub(crate) const fn is_modal(self) -> bool {
        self.has(bit::MODAL)
    }

    /// Whether it is unfolded or dropped down.
    pub(crate) const fn is_expanded(self) -> bool {
        self.has(bit::EXPANDED)
    }

    /// Whether it has the keyboard.
    pub(crate) const fn is_focused(self) -> bool {
        self.has(bit::FOCUSED)
    }

    /// Whether it is gone already.
    pub(crate) const fn is_defunct(self) -> bool {
        self.has(bit::DEFUNCT)
    }

    /// Whether its text can be changed.
    pub(crate) const fn is_editable(self) -> bool {
        self.has(bit::EDITABLE)
    }

    /// Whether it is on, for what has an on and an off.
    pub(crate) const fn is_checked(self, role: Role) -> bool {
        self.has(bit::CHECKED) || (matches!(role, Role::ToggleButton) && self.has(bit::PRESSED))
    }

    /// Whether it has an on and an off.
    pub(crate) fn is_checkable(self, role: Role, number: u32) -> bool {
        self.has(bit::CHECKABLE) || roles::is_checkable(role, number)
    }

    /// What they mean for a node of this role; whether it can be seen is decided elsewhere.
    pub(crate) fn flags(self, role: Role, number: u32) -> Flags {
        let checkable = self.is_checkable(role, number);
        let mut flags = Flags::empty();
        // GTK 4 says only one of the two, and its other one means something else.
        flags.set(Flags::ENABLED, self.has(bit::ENABLED) || self.has(bit::SENSITIVE));
        flags.set(Flags::FOCUSABLE, self.has(bit::FOCUSABLE));
        flags.set(Flags::FOCUSED, self.has(bit::FOCUSED));
        flags.set(Flags::EDITABLE, self.is_editable());
        flags.set(Flags::SELECTED, self.has(bit::SELECTED));
        flags.set(Flags::CHECKABLE, checkable);
        flags.set(Flags::CHECKED, checkable && self.is_checked(role));
        flags.set(Flags::PASSWORD, number == roles::number::PASSWORD_TEXT);
        flags.set(Flags::SCROLLABLE, matches!(role, Role::ScrollArea));
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(bits: &[u32]) -> States {
        States(bits.iter().fold(0, |all, bit| all | 1 << bit))
    }

    #[test]
    fn both_halves_count() {
        let read = States::from_halves(&[1 << 25 | 1 << 30, 1 << (41 - 32)]);
        assert!(read.is_showing());
        assert!(read.is_checkable(Role::Cell, 56));
        assert_eq!(States::from_halves(&[]), States::default());
    }

    #[test]
    fn sensitive_alone_is_enabled() {
        assert!(states(&[24]).flags(Role::Button, 43).contains(Flags::ENABLED));
        assert!(states(&[8]).flags(Role::Button, 43).contains(Flags::ENABLED));
        assert!(!states(&[25]).flags(Role::Button, 43).contains(Flags::ENABLED));
    }

    #[test]
    fn a_pressed_toggle_is_on_and_a_pressed_button_is_not() {
        assert!(states(&[20]).flags(Role::ToggleButton, 62).contains(Flags::CHECKABLE | Flags::CHECKED));
        assert!(!states(&[20]).flags(Role::Button, 43).intersects(Flags::CHECKABLE | Flags::CHECKED));
    }

    #[test]
    fn the_role_tells_a_secret() {
        assert!(states(&[7]).flags(Role::TextField, roles::number::PASSWORD_TEXT).contains(Flags::PASSWORD));
    }
}
