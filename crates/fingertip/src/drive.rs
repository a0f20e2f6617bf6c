//! How targets are driven: what the owner chose.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use fingertip_android::Preference;

/// How targets are driven.
#[derive(Debug, Clone, Default)]
pub struct Drive {
    /// How phones are.
    pub phones: Preference,
    /// How pointer and keyboard of GNOME are obtained.
    pub gnome: GnomeAccess,
    /// The folder in which what lasts beyond this process is kept.
    pub home: PathBuf,
}

/// How pointer and keyboard of GNOME are obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GnomeAccess {
    /// Through its portal for remote desktops: a person agrees in a dialog.
    #[default]
    Portal,
    /// Through the compositor's own interface, which asks no person.
    Mutter,
}

impl fmt::Display for GnomeAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portal => "portal",
            Self::Mutter => "mutter",
        })
    }
}

impl FromStr for GnomeAccess {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [Self::Portal, Self::Mutter].into_iter().find(|access| access.to_string() == name);
        known.ok_or_else(|| format!("must be portal or mutter, got {name:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_way_is_taken() {
        for access in [GnomeAccess::Portal, GnomeAccess::Mutter] {
            assert_eq!(access.to_string().parse(), Ok(access));
        }
        for name in ["", "Mutter", "none"] {
            assert!(name.parse::<GnomeAccess>().is_err(), "{name}");
        }
    }
}
