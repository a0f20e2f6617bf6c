//! What Android's names mean: classes that hold text, and types of windows.

use fingertip_core::WindowKind;

/// The package of the status bar, the notification shade and the quick settings.
pub(crate) const SYSTEM_UI: &str = "com.android.systemui";
/// The node every soft keyboard has.
const KEYBOARD_AREA: &str = "android:id/inputArea";

/// Whether the user can change the text of this class. A dump does not say; the class does.
pub(crate) fn is_editable(class: &str) -> bool {
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    ["EditText", "AutoCompleteTextView", "AutoComplete"].iter().any(|ending| simple.ends_with(ending))
}

/// The kind of a window by its type: the name of Android's constant, or its number.
pub(crate) fn window_kind(name: &str) -> Option<WindowKind> {
    Some(match name.trim().strip_prefix("TYPE_").unwrap_or(name.trim()) {
        "APPLICATION" | "1" => WindowKind::Application,
        "INPUT_METHOD" | "2" => WindowKind::InputMethod,
        "SYSTEM" | "3" => WindowKind::System,
        "ACCESSIBILITY_OVERLAY" | "MAGNIFICATION_OVERLAY" | "4" | "6" => WindowKind::Overlay,
        "SPLIT_SCREEN_DIVIDER" | "5" => WindowKind::SplitDivider,
        _ => return None,
    })
}

/// The kind of a window that is not named, by its package and what is in it.
pub(crate) fn guess_window_kind<'a>(
    package: Option<&str>,
    mut resource_ids: impl Iterator<Item = &'a str>,
) -> WindowKind {
    if package == Some(SYSTEM_UI) {
        WindowKind::System
    } else if resource_ids.any(|id| id == KEYBOARD_AREA) {
        WindowKind::InputMethod
    } else {
        WindowKind::Application
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_fields_of_all_libraries_are_editable() {
        for class in [
            "android.widget.EditText",
            "android.widget.AutoCompleteTextView",
            "android.widget.SearchView$SearchAutoComplete",
            "com.google.android.material.textfield.TextInputEditText",
        ] {
            assert!(is_editable(class), "{class}");
        }
        for class in ["android.widget.TextView", "android.widget.SearchView", "android.view.View", ""] {
            assert!(!is_editable(class), "{class}");
        }
    }

    #[test]
    fn window_types_come_as_names_and_as_numbers() {
        assert_eq!(window_kind("TYPE_INPUT_METHOD"), Some(WindowKind::InputMethod));
        assert_eq!(window_kind("3"), Some(WindowKind::System));
        assert_eq!(window_kind("<UNKNOWN:7>"), None);
    }
}
