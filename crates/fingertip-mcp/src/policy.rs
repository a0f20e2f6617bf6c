//! What the server's owner allows, asked by every call on every transport.

use crate::tool::Definition;

/// What the owner allows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Policy {
    /// Tools that act are neither listed nor callable.
    pub read_only: bool,
}

impl Policy {
    /// Whether this tool exists for clients at all.
    #[must_use]
    pub fn offers(&self, definition: &Definition) -> bool {
        !self.read_only || definition.is_read()
    }
}
