//! One vocabulary of roles for all platforms.
//!
//! Each role has one name (`button`) and knows what the platforms call it: `AXButton`, `push button`,
//! `android.widget.Button`. All of that stands in one table; drivers translate with
//! [`Role::from_ax`], [`Role::from_atspi`] and [`Role::from_android_class`], filters given by callers with
//! [`Role::parse`]. A native role the table does not know is [`Role::Unknown`], never a guess; nodes keep
//! their native role beside it.
//!
//! Text entries of every sort (search, password, several lines) are one role, so that a filter for
//! `text_field` finds each place that takes text; flags and the native role tell them apart.

mod table;

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use table::Role;

/// A role and what each platform calls it.
struct Entry {
    role: Role,
    name: &'static str,
    /// macOS roles, and the subroles that decide over their role.
    ax: &'static [&'static str],
    /// Role names as AT-SPI prints them.
    atspi: &'static [&'static str],
    /// Simple class names of Android.
    android: &'static [&'static str],
    /// ARIA roles and other words in common use.
    aria: &'static [&'static str],
}

type Names = FxHashMap<&'static str, Role>;
type NamesOf = fn(&Entry) -> &'static [&'static str];

/// The columns of the table; where two use one word for different roles, the earlier is believed.
const PLATFORMS: [NamesOf; 4] =
    [|entry| entry.aria, |entry| entry.ax, |entry| entry.android, |entry| entry.atspi];

static AX: LazyLock<Names> = LazyLock::new(|| names(|entry| entry.ax));
static ATSPI: LazyLock<Names> = LazyLock::new(|| names(|entry| entry.atspi));
static ANDROID: LazyLock<Names> = LazyLock::new(|| names(|entry| entry.android));
static ANY: LazyLock<FxHashMap<String, Role>> = LazyLock::new(all_spellings);

impl Role {
    /// Its name in requests and replies.
    #[must_use]
    pub const fn name(self) -> &'static str {
        table::TABLE[self as usize].name
    }

    /// The role meant by any of its names on any platform; case, spaces, `_` and `-` do not matter.
    ///
    /// Where one word means different things (`text` is a label to most, a text entry to AT-SPI), the name
    /// given here wins, then ARIA, then macOS, Android and AT-SPI.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        ANY.get(&normalized(name)).copied()
    }

    /// The roles that a search for this one finds: itself, and its special kinds.
    #[must_use]
    pub const fn kinds(self) -> &'static [Self] {
        match self {
            Self::Button => &[Self::Button, Self::ToggleButton, Self::MenuButton],
            Self::Switch => &[Self::Switch, Self::ToggleButton],
            Self::CheckBox => &[Self::CheckBox, Self::Switch],
            Self::Label => &[Self::Label, Self::Heading],
            Self::Image => &[Self::Image, Self::Icon],
            Self::Row => &[Self::Row, Self::TreeItem],
            Self::Window => &[Self::Window, Self::Dialog, Self::Alert],
            Self::Dialog => &[Self::Dialog, Self::Alert],
            _ => Self::alone(self),
        }
    }

    /// Whether a search for this role finds the other one.
    #[must_use]
    pub fn finds(self, other: Self) -> bool {
        self.kinds().contains(&other)
    }

    const fn alone(self) -> &'static [Self] {
        Self::ALL.split_at(self as usize).1.split_at(1).0
    }

    /// The role of a macOS element. A subrole the table knows decides; others, such as `AXStandardWindow`,
    /// say nothing of the role.
    #[must_use]
    pub fn from_ax(role: &str, subrole: Option<&str>) -> Self {
        let known = |name| AX.get(name).copied();
        subrole.and_then(known).or_else(|| known(role)).unwrap_or_default()
    }

    /// The role of an AT-SPI object, by its role name.
    #[must_use]
    pub fn from_atspi(name: &str) -> Self {
        ATSPI.get(name).copied().unwrap_or_default()
    }

    /// The role of an Android class, with or without its package.
    ///
    /// Support-library variants (`AppCompatButton`, `MaterialSwitch`, `SwitchCompat`) are what they extend,
    /// and every `…Layout` is a group.
    #[must_use]
    pub fn from_android_class(class: &str) -> Self {
        let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
        let known = |name: &str| ANDROID.get(name).copied();
        let base = simple.strip_prefix("AppCompat").or_else(|| simple.strip_prefix("Material"));
        known(simple)
            .or_else(|| known(base?))
            .or_else(|| known(simple.strip_suffix("Compat")?))
            .or_else(|| simple.ends_with("Layout").then_some(Self::Group))
            .unwrap_or_default()
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl serde::Serialize for Role {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

fn names(of: NamesOf) -> Names {
    table::TABLE.iter().flat_map(|entry| of(entry).iter().map(|name| (*name, entry.role))).collect()
}

fn all_spellings() -> FxHashMap<String, Role> {
    let mut spellings = FxHashMap::default();
    let mut add = |name: &str, role| {
        spellings.entry(normalized(name)).or_insert(role);
    };
    for entry in table::TABLE {
        add(entry.name, entry.role);
    }
    for of in PLATFORMS {
        for entry in table::TABLE {
            of(entry).iter().for_each(|name| add(name, entry.role));
        }
    }
    spellings
}

fn normalized(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, ' ' | '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (position, role) in Role::ALL.iter().enumerate() {
            assert_eq!(*role as usize, position);
            assert_eq!(table::TABLE[position].role, *role);
        }
    }

    #[test]
    fn names_are_unique_and_read_back() {
        let names: HashSet<_> = Role::ALL.iter().map(|role| role.name()).collect();
        assert_eq!(names.len(), Role::ALL.len());
        for role in Role::ALL {
            assert_eq!(Role::parse(role.name()), Some(*role));
        }
    }

    #[test]
    fn a_native_name_belongs_to_one_role_of_its_platform() {
        for of in PLATFORMS {
            let mut seen = HashSet::new();
            for name in table::TABLE.iter().flat_map(of) {
                assert!(seen.insert(name), "{name} stands twice");
            }
        }
    }

    #[test]
    fn every_native_name_is_understood_in_a_filter() {
        for entry in table::TABLE {
            for name in [entry.ax, entry.atspi, entry.android, entry.aria].into_iter().flatten() {
                assert!(Role::parse(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn all_platforms_mean_the_same_button() {
        for name in ["button", "Button", "AXButton", "axbutton", "push button", "PUSH_BUTTON", "push-button"]
        {
            assert_eq!(Role::parse(name), Some(Role::Button), "{name}");
        }
        assert_eq!(Role::from_ax("AXButton", None), Role::Button);
        assert_eq!(Role::from_atspi("push button"), Role::Button);
        assert_eq!(Role::from_android_class("android.widget.Button"), Role::Button);
    }

    #[test]
    fn a_search_for_a_role_finds_it_and_its_kinds() {
        for role in Role::ALL {
            assert!(role.finds(*role), "{role}");
        }
        assert!(Role::Button.finds(Role::ToggleButton) && !Role::ToggleButton.finds(Role::Button));
        assert_eq!(Role::Link.kinds(), [Role::Link]);
    }

    #[test]
    fn a_known_subrole_decides() {
        assert_eq!(Role::from_ax("AXCheckBox", Some("AXSwitch")), Role::Switch);
        assert_eq!(Role::from_ax("AXRadioButton", Some("AXTabButton")), Role::Tab);
        assert_eq!(Role::from_ax("AXWindow", Some("AXStandardWindow")), Role::Window);
        assert_eq!(Role::from_ax("AXWindow", Some("AXDialog")), Role::Dialog);
    }

    #[test]
    fn support_library_classes_are_what_they_extend() {
        for (class, role) in [
            ("androidx.appcompat.widget.AppCompatEditText", Role::TextField),
            ("com.google.android.material.button.MaterialButton", Role::Button),
            ("androidx.appcompat.widget.SwitchCompat", Role::Switch),
            ("androidx.constraintlayout.widget.ConstraintLayout", Role::Group),
            ("android.app.ActionBar$Tab", Role::Tab),
            ("com.example.Fancy", Role::Unknown),
        ] {
            assert_eq!(Role::from_android_class(class), role, "{class}");
        }
    }

    #[test]
    fn text_is_an_entry_to_atspi_and_a_label_to_everyone_else() {
        assert_eq!(Role::from_atspi("text"), Role::TextField);
        assert_eq!(Role::parse("text"), Some(Role::Label));
    }

    #[test]
    fn an_unheard_of_role_is_no_role() {
        assert_eq!(Role::parse("flux capacitor"), None);
        assert_eq!(Role::parse(""), None);
        assert_eq!(Role::from_atspi("flux capacitor"), Role::Unknown);
    }
}
