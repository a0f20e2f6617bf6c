//! One vocabulary of roles for all platforms.

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Role {
    /// Not known.
    #[default]
    Unknown,
}
