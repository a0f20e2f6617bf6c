//! Who has the input focus, from `dumpsys window` and `dumpsys activity`.
//!
//! The lines of every release since Android 7 are understood: `mCurrentFocus`, `mFocusedApp` (an activity, or
//! one inside tokens), `mResumedActivity:`, `topResumedActivity=`, `ResumedActivity:`. Windows without an
//! activity (the shade, a popup) and `null` (during animations) are told apart.

/// An activity and the application it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Component {
    /// The package.
    pub(crate) package: String,
    /// The class, with its package.
    pub(crate) activity: String,
}

/// What has the input focus.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Focus {
    /// The title of the focused window, when there is one.
    pub(crate) window: Option<String>,
    /// The activity the focused window belongs to, when its title names one.
    pub(crate) window_component: Option<Component>,
    /// The activity in front.
    pub(crate) app: Option<Component>,
    /// The resumed activity, where only that is printed.
    pub(crate) resumed: Option<Component>,
}

/// The longest title that is kept, in characters.
const MAX_TITLE: usize = 200;
/// The display that is the phone's own screen.
const OWN_DISPLAY: &str = "0";

/// The words that come before an activity that is resumed.
const RESUMED: [&str; 3] = ["mResumedActivity:", "topResumedActivity=", "ResumedActivity:"];
/// How the windows of the notification shade and the quick settings are called.
const PANELS: [&str; 4] = ["NotificationShade", "StatusBar", "control_center", "ControlCenter"];

impl Focus {
    /// The activity the user has in front: that of the focused window, else the focused, else the resumed one.
    pub(crate) fn component(&self) -> Option<&Component> {
        self.window_component.as_ref().or(self.app.as_ref()).or(self.resumed.as_ref())
    }

    /// Whether the notification shade or the quick settings have the focus.
    pub(crate) fn on_panel(&self) -> bool {
        self.window.as_deref().is_some_and(is_panel)
    }
}

/// Whether a window of this title is the notification shade or the quick settings.
pub(crate) fn is_panel(title: &str) -> bool {
    PANELS.contains(&title)
}

/// Reads what is there; of several displays the phone's own.
pub(crate) fn parse(text: &str) -> Focus {
    let mut focus = Focus::default();
    let mut display = OWN_DISPLAY;
    for line in text.lines().map(str::trim) {
        if let Some((_, id)) = line.split_once("mDisplayId=") {
            display = id.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
        }
        if display != OWN_DISPLAY {
            continue;
        }
        if let Some(window) = line.strip_prefix("mCurrentFocus=") {
            if focus.window.is_none()
                && let Some(title) = window_title(window)
            {
                focus.window_component = component(title);
                focus.window = Some(title.chars().take(MAX_TITLE).collect());
            }
        } else if let Some(app) = line.strip_prefix("mFocusedApp=") {
            focus.app = focus.app.or_else(|| activity(app));
        } else if let Some(resumed) = RESUMED.iter().find_map(|word| line.strip_prefix(word)) {
            focus.resumed = focus.resumed.or_else(|| activity(resumed));
        }
    }
    focus
}

/// The title in `Window{5c4591 u0 TITLE}`.
fn window_title(window: &str) -> Option<&str> {
    let inside = window.strip_prefix("Window{")?.trim_end().trim_end_matches('}');
    let (_, user_and_title) = inside.split_once(' ')?;
    let title = match user_and_title.split_once(' ') {
        Some((user, title)) if is_user(user) => title,
        _ => user_and_title,
    };
    let title = title.split(" EXITING").next().unwrap_or(title).trim();
    (!title.is_empty()).then_some(title)
}

/// The component in `ActivityRecord{2baae81 u0 PACKAGE/ACTIVITY t2431 d0}`, which may stand inside tokens.
fn activity(text: &str) -> Option<Component> {
    let (_, record) = text.split_once("ActivityRecord{")?;
    record.split_whitespace().find_map(component)
}

/// Reads `package/class`, where a class that starts with a dot lies in the package.
fn component(text: &str) -> Option<Component> {
    let (package, class) = text.trim_end_matches('}').split_once('/')?;
    let proper = |name: &str| {
        !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "._$".contains(letter))
    };
    (proper(package) && proper(class)).then(|| Component {
        package: package.to_owned(),
        activity: if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() },
    })
}

fn is_user(word: &str) -> bool {
    word.strip_prefix('u')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(text: &str) -> Option<(String, String)> {
        parse(text).component().map(|found| (found.package.clone(), found.activity.clone()))
    }

    fn pair(package: &str, activity: &str) -> Option<(String, String)> {
        Some((package.to_owned(), activity.to_owned()))
    }

    #[test]
    fn the_forms_of_all_releases_are_read() {
        for (text, package, activity) in [
            (
                "  mCurrentFocus=Window{5c4591 u0 com.hq.android.androiddemo/com.hq.android.androiddemo.MainActivity}\r\n",
                "com.hq.android.androiddemo",
                "com.hq.android.androiddemo.MainActivity",
            ),
            (
                "  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{b3a1ec9 u0 com.hq.demo/.MainActivity t82}\n",
                "com.hq.demo",
                "com.hq.demo.MainActivity",
            ),
            (
                "  mFocusedApp=AppWindowToken{83e598d token=Token{62a6a24 ActivityRecord{6a692b7 u0 com.google.android.youtube.tv/com.google.android.apps.youtube.tv.activity.MainActivity t10250}}}",
                "com.google.android.youtube.tv",
                "com.google.android.apps.youtube.tv.activity.MainActivity",
            ),
            (
                "    mResumedActivity: ActivityRecord{2baae81 u0 com.example.app/.ui.MainActivity t2431 d0}",
                "com.example.app",
                "com.example.app.ui.MainActivity",
            ),
            (
                "  topResumedActivity=ActivityRecord{77b3dc7 u0 com.example.app/.ui.Main$Inner t90}",
                "com.example.app",
                "com.example.app.ui.Main$Inner",
            ),
            (
                "  ResumedActivity: ActivityRecord{53d1401 u0 com.beantechs.vehiclecenter/.activity.MainActivity t75}",
                "com.beantechs.vehiclecenter",
                "com.beantechs.vehiclecenter.activity.MainActivity",
            ),
            (
                "mFocusedApp=ActivityRecord{1a70f4a u0 com.smile.gifmaker/com.yxcorp.gifshow.HomeActivity} t6294}",
                "com.smile.gifmaker",
                "com.yxcorp.gifshow.HomeActivity",
            ),
        ] {
            assert_eq!(front(text), pair(package, activity), "{text}");
        }
    }

    #[test]
    fn a_window_without_an_activity_leaves_the_app_behind_it() {
        let text =
            "mCurrentFocus=Window{85a52f2 u0 NotificationShade}\nmFocusedApp=ActivityRecord{1 u0 a.b/.C t1}";
        let focus = parse(text);
        assert!(focus.on_panel());
        assert_eq!(focus.window.as_deref(), Some("NotificationShade"));
        assert_eq!(focus.component().map(|app| app.package.as_str()), Some("a.b"));
        let popup = parse(
            "mCurrentFocus=Window{85a52f2 u0 PopupWindow:5c4591}\nmFocusedApp=ActivityRecord{1 u0 a.b/.C t1}",
        );
        assert!(!popup.on_panel());
        assert!(parse("mCurrentFocus=Window{85a52f2 u0 StatusBar}").on_panel());
    }

    #[test]
    fn only_the_phones_own_display_counts() {
        let text = "Display: mDisplayId=2\n  mCurrentFocus=Window{1 u0 other.app/.Main}\n\
            Display: mDisplayId=0 (organized)\n  mCurrentFocus=Window{2 u0 own.app/.Main}\n";
        assert_eq!(front(text), pair("own.app", "own.app.Main"));
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        for text in [
            "",
            "mCurrentFocus=null",
            "mCurrentFocus=Window{}",
            "mFocusedApp=null",
            "mFocusedApp=ActivityRecord{",
            "mCurrentFocus=Window{1 u0 a b/c d}",
        ] {
            assert_eq!(front(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_survived(text in "(mCurrentFocus=|mFocusedApp=|ActivityRecord\\{|Window\\{|u0 |/|\\}|\n|\\PC){0,40}") {
            let _ = parse(&text).component();
        }
    }
}
