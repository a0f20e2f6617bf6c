//! How screens and effects are shown where a call does not say.

/// What the owner chose for calls that leave it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    /// The form of a screen.
    pub format: Format,
    /// What replies of acting tools tell of their effect.
    pub see: See,
}

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

/// What the reply of an acting tool tells of its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum See {
    /// Nothing beyond what the tool says itself.
    #[default]
    None,
    /// What changed.
    Changes,
    /// The whole screen.
    Screen,
}

impl See {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Changes, Self::Screen];

    /// Its word in requests and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Changes => "changes",
            Self::Screen => "screen",
        }
    }
}
