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
    /// Secrets: texts can be named instead of written.
    pub secrets: bool,
}

impl Surroundings {
    /// How many different ones there are.
    pub(crate) const ALL: usize = 16;

    /// Which of them this is.
    pub(crate) fn position(self) -> usize {
        let all = [self.several, self.desktop, self.phone, self.secrets];
        all.into_iter().fold(0, |position, is_so| 2 * position + usize::from(is_so))
    }
}
