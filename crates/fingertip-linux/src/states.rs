//! What AT-SPI says of an object's state, as a set of bits, and what it means for a node.

use fingertip_core::{Flags, Role};

use crate::roles;

/// The states of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct States(u64);

/// The states that are asked for; the numbers are AT-SPI's.
pub(crate) mod state {
    /// A window that has the keyboard.
    pub(crate) const ACTIVE: u32 = 1;
    pub(crate) const CHECKED: u32 = 4;
    pub(crate) const DEFUNCT: u32 = 6;
    pub(crate) const EDITABLE: u32 = 7;
    pub(crate) const ENABLED: u32 = 8;
    pub(crate) const EXPANDED: u32 = 10;
    pub(crate) const FOCUSABLE: u32 = 11;
    pub(crate) const FOCUSED: u32 = 12;
    pub(crate) const HAS_TOOLTIP: u32 = 13;
    pub(crate) const HORIZONTAL: u32 = 14;
    /// A window that must be answered before its application goes on.
    pub(crate) const MODAL: u32 = 16;
    pub(crate) const MULTI_LINE: u32 = 17;
    pub(crate) const PRESSED: u32 = 20;
    pub(crate) const SELECTED: u32 = 23;
    pub(crate) const SENSITIVE: u32 = 24;
    pub(crate) const SHOWING: u32 = 25;
    /// Made for one question, and made again for the next.
    pub(crate) const TRANSIENT: u32 = 28;
    pub(crate) const VERTICAL: u32 = 29;
    pub(crate) const VISIBLE: u32 = 30;
    pub(crate) const CHECKABLE: u32 = 41;
}

impl States {
    /// From the two halves that D-Bus carries; a half that is missing is empty.
    pub(crate) fn from_halves(halves: &[u32]) -> Self {
        let half = |position: usize| halves.get(position).copied().map_or(0, u64::from);
        Self(half(0) | half(1) << 32)
    }

    /// Whether this state is one of them.
    pub(crate) const fn has(self, state: u32) -> bool {
        self.0 >> state & 1 == 1
    }

    /// The same, and showing.
    pub(crate) const fn shown(self) -> Self {
        Self(self.0 | 1 << state::SHOWING)
    }

    /// The states of a chosen tab whose bar has the keyboard, or has not.
    pub(crate) const fn chosen(self, has_keyboard: bool) -> Self {
        let rest = self.0 & !(1 << state::FOCUSED);
        Self(rest | 1 << state::SELECTED | (has_keyboard as u64) << state::FOCUSED)
    }

    /// Whether its toolkit says that it can be seen.
    pub(crate) const fn is_showing(self) -> bool {
        self.has(state::SHOWING) && self.has(state::VISIBLE)
    }

    /// Whether nothing hides it, and yet it cannot be seen.
    pub(crate) const fn is_hidden_but_visible(self) -> bool {
        self.has(state::VISIBLE) && !self.has(state::SHOWING)
    }

    /// Whether it is unfolded or dropped down.
    pub(crate) const fn is_expanded(self) -> bool {
        self.has(state::EXPANDED)
    }

    /// Whether it has the keyboard.
    pub(crate) const fn is_focused(self) -> bool {
        self.has(state::FOCUSED)
    }

    /// Whether it is gone already.
    pub(crate) const fn is_defunct(self) -> bool {
        self.has(state::DEFUNCT)
    }

    /// Whether it explains itself when the pointer stays on it.
    pub(crate) const fn has_tooltip(self) -> bool {
        self.has(state::HAS_TOOLTIP)
    }

    /// Whether its text can be changed.
    pub(crate) const fn is_editable(self) -> bool {
        self.has(state::EDITABLE)
    }

    /// Whether it reacts. GTK 4 says only one of the two, and its other one means something else.
    pub(crate) const fn is_enabled(self) -> bool {
        self.has(state::ENABLED) || self.has(state::SENSITIVE)
    }

    /// Whether it is on, for what has an on and an off.
    pub(crate) const fn is_checked(self, role: Role) -> bool {
        self.has(state::CHECKED) || (matches!(role, Role::ToggleButton) && self.has(state::PRESSED))
    }

    /// Whether it has an on and an off. Checked items in menus of Qt say only that they are on.
    pub(crate) fn is_checkable(self, role: Role, number: u32) -> bool {
        self.has(state::CHECKABLE) || self.is_checked(role) || roles::is_checkable(role, number)
    }

    /// What they mean for a node of this role; whether it can be seen is decided elsewhere.
    pub(crate) fn flags(self, role: Role, number: u32) -> Flags {
        let checkable = self.is_checkable(role, number);
        let mut flags = Flags::empty();
        flags.set(Flags::ENABLED, self.is_enabled());
        flags.set(Flags::FOCUSABLE, self.has(state::FOCUSABLE));
        flags.set(Flags::FOCUSED, self.has(state::FOCUSED));
        flags.set(Flags::EDITABLE, self.is_editable());
        flags.set(Flags::SELECTED, self.has(state::SELECTED));
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
    fn the_role_marks_a_secret() {
        assert!(states(&[7]).flags(Role::TextField, roles::number::PASSWORD_TEXT).contains(Flags::PASSWORD));
    }
}
