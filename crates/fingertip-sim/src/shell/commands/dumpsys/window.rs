//! `dumpsys window [displays|windows]`: focus, size, rotation and the list of windows.

use super::super::Output;
use super::{activity_record, identity};
use crate::SimPhone;
use crate::phone::{Phone, WindowKind, WindowView};

pub(super) fn run(phone: &SimPhone, words: &[&str]) -> Output {
    let words: Vec<&str> = words.iter().copied().filter(|word| *word != "-a").collect();
    Output::success(phone.with(|phone| match words.first() {
        Some(&("displays" | "d")) => displays(phone),
        Some(&("windows" | "w")) => windows(phone),
        Some(unknown) => format!("Bad window command, or no windows match: {unknown}\nUse -h for help.\n"),
        None => format!("{}\n{}", displays(phone), windows(phone)),
    }))
}

fn displays(phone: &Phone) -> String {
    let profile = phone.profile();
    let (width, height) = phone.size();
    let rotation = phone.rotation();
    let (user_mode, user_rotation) = match phone.locked_rotation() {
        Some(rotation) => ("USER_ROTATION_LOCKED", u32::from(rotation) * 90),
        None => ("USER_ROTATION_FREE", 0),
    };
    let base = match phone.overrides() {
        (Some((width, height)), _) => format!(" base={width}x{height} {}dpi", phone.density()),
        (None, Some(density)) => format!(" base={}x{} {density}dpi", profile.width, profile.height),
        (None, None) => String::new(),
    };
    format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n\
         \x20 Display: mDisplayId=0 (organized)\n\
         \x20   init={}x{} {}dpi{base} cur={width}x{height} app={width}x{height} rng={}x{}-{}x{}\n\
         \x20   deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion((0,0,{width},{height}))\n\
         \n  mLayoutSeq=214\n{}\
         \n  DisplayRotation\n    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n\
             \x20   mLastOrientation=-1\n\
         \x20   mRotation={rotation} mDeferredRotationPauseCount=0\n\
         \x20   mUserRotationMode={user_mode} mUserRotation=ROTATION_{user_rotation} mCameraRotationMode=0\n",
        profile.width,
        profile.height,
        profile.density,
        width.min(height),
        width.min(height),
        width.max(height),
        width.max(height),
        focus(phone),
    )
}

/// The lines everybody greps for.
fn focus(phone: &Phone) -> String {
    let focus = phone.focus();
    let window = match focus.window.as_str() {
        "" => "null".to_owned(),
        name => window_name(name),
    };
    let app = if focus.package.is_empty() {
        "null".to_owned()
    } else if phone.profile().sdk <= 29 {
        let record = activity_record(&focus);
        format!("AppWindowToken{{{0} token=Token{{{0} {record}}}}}", identity(&record))
    } else {
        activity_record(&focus)
    };
    format!("  mCurrentFocus={window}\n  mFocusedApp={app}\n")
}

fn window_name(name: &str) -> String {
    format!("Window{{{} u0 {name}}}", identity(name))
}

fn windows(phone: &Phone) -> String {
    let mut text = "WINDOW MANAGER WINDOWS (dumpsys window windows)\n".to_owned();
    for (index, window) in phone.windows().iter().enumerate() {
        text.push_str(&describe(index, window, phone.size()));
    }
    text.push_str(&format!("\n{}  mInputMethodWindow={}\n", focus(phone), keyboard(phone)));
    text
}

fn keyboard(phone: &Phone) -> String {
    let keyboard = phone.windows().iter().find(|window| window.kind == WindowKind::InputMethod);
    keyboard.map_or_else(|| "null".to_owned(), |window| window_name(&window.name))
}

fn describe(index: usize, window: &WindowView, (width, height): (u32, u32)) -> String {
    let kind = match window.kind {
        WindowKind::Application => "BASE_APPLICATION",
        WindowKind::Dialog => "APPLICATION",
        WindowKind::Popup => "APPLICATION_PANEL",
        WindowKind::InputMethod => "INPUT_METHOD",
        WindowKind::StatusBar => "STATUS_BAR",
        WindowKind::NavigationBar => "NAVIGATION_BAR",
        WindowKind::NotificationShade => "NOTIFICATION_SHADE",
        WindowKind::SystemAlert => "SYSTEM_ALERT",
        WindowKind::Toast => "TOAST",
    };
    let secure = if window.secure { " SECURE" } else { "" };
    let touch = if window.kind == WindowKind::Toast { " NOT_FOCUSABLE NOT_TOUCHABLE" } else { "" };
    let bounds = window.bounds;
    let frame = format!("[{},{}][{},{}]", bounds.left, bounds.top, bounds.right, bounds.bottom);
    // Dialogs and menus are laid out in the whole screen, whatever part of it they take.
    let room = if window.kind.is_modal() { format!("[0,0][{width},{height}]") } else { frame.clone() };
    format!(
        "  Window #{index} {}:\n\
            \x20   mDisplayId=0 rootTaskId=1 mSession=Session{{{} u0a10123}} mClient=android.os.BinderProxy@{}\n\
         \x20   mOwnerUid=10123 showForAllUsers=false package={} appop=NONE\n\
         \x20   mAttrs={{(0,0)(fillxfill) sim={{adjust=resize}} ty={kind} fmt=TRANSLUCENT\n\
         \x20     fl=LAYOUT_IN_SCREEN LAYOUT_INSET_DECOR{touch}{secure} HARDWARE_ACCELERATED\n\
             \x20     pfl=FIT_INSETS_CONTROLLED}}\n\
         \x20   mViewVisibility=0x0 mHaveFrame=true mObscured=false\n\
             \x20   Frames: parent={room} display={room} frame={frame} last={frame}\n\
         \x20   isOnScreen=true\n    isVisible=true\n",
        window_name(&window.name),
        identity(&window.package),
        identity(&window.name),
        window.package,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn displays_show_size_and_rotation_as_turned() {
        let phone = SimPhone::start(Profile::default());
        let text = String::from_utf8(run(&phone, &["displays"]).stdout).unwrap();
        assert!(text.contains("    init=1080x2400 420dpi cur=1080x2400 app="), "{text}");
        assert!(text.contains("    mRotation=0 mDeferred"), "{text}");
        phone.with(|phone| phone.lock_rotation(1));
        let text = String::from_utf8(run(&phone, &["displays"]).stdout).unwrap();
        assert!(text.contains("    init=1080x2400 420dpi cur=2400x1080 app="), "{text}");
        assert!(text.contains("    mRotation=1 mDeferred"), "{text}");
        assert!(text.contains("mUserRotation=ROTATION_90 "), "{text}");
    }

    #[tokio::test]
    async fn the_focus_is_in_every_form_of_the_dump() {
        let phone = SimPhone::start(Profile::default());
        let focus = phone.with(|phone| phone.focus());
        for words in [&["displays"][..], &["windows"], &[]] {
            let text = String::from_utf8(run(&phone, words).stdout).unwrap();
            assert!(text.contains(&format!(" u0 {}}}\n", focus.window)), "{text}");
            assert!(text.contains("\n  mFocusedApp=ActivityRecord{"), "{text}");
        }
    }

    #[tokio::test]
    async fn android_ten_wraps_the_focused_app() {
        let phone = SimPhone::start(Profile { sdk: 29, android: "10".into(), ..Profile::default() });
        let text = String::from_utf8(run(&phone, &["displays"]).stdout).unwrap();
        assert!(text.contains("mFocusedApp=AppWindowToken{"), "{text}");
    }
}
