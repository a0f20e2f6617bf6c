//! What is attached, as far as the schemas of tools depend on it.

/// What is attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surroundings {
    /// More than one target: calls can name theirs.
    pub several: bool,
    /// A phone, or nothing yet.
    pub phone: bool,
    /// A desktop: calls can name an application.
    pub desktop: bool,
}

impl Surroundings {
    /// How many there are to tell apart.
    pub(crate) const ALL: usize = 8;

    /// Which of them this is.
    pub(crate) fn position(self) -> usize {
        usize::from(self.several) + 2 * usize::from(self.desktop) + 4 * usize::from(self.phone)
    }
}
