//! How screens are shown where a call does not say.

/// The form of a screen as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// A row of seven columns for each element; see [`fingertip_core::compact`].
    #[default]
    Table,
    /// A line for each thing that a person would read or press; see [`fingertip_core::lean`].
    Lean,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Table, Self::Lean];

    /// Its word in requests and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Lean => "lean",
        }
    }
}
