//! What Android itself says or asks about an application, in a window over everything else.
//!
//! Recognised by the package of the window and the resource ids that AOSP gives its buttons and texts: those are the same in
//! every language. An application may use the same ids, but not in a window of the system's packages.

use fingertip_core::{NodeIndex, Notice, NoticeKind, Snapshot};

/// Who shows that an application has stopped or does not respond.
const SYSTEM: &str = "android";
/// A button of the dialog that an application does not respond, and one of both dialogs.
const WAIT: &str = "android:id/aerr_wait";
const ERROR_BUTTONS: [&str; 3] =
    ["android:id/aerr_close", "android:id/aerr_restart", "android:id/aerr_app_info"];
/// Who asks for permissions: up to Android 9, and from 10 on by the end of its name, which makers prefix.
const OLD_ASKER: &str = "com.android.packageinstaller";
const ASKER: &str = ".permissioncontroller";
/// The question, whatever package its id is in.
const QUESTION: &str = ":id/permission_message";

/// The notice on the screen, if there is one.
pub(crate) fn notice(snapshot: &Snapshot) -> Option<Notice> {
    (0..snapshot.windows().len()).find_map(|window| match snapshot.windows()[window].app.as_deref()? {
        SYSTEM => stopped(snapshot, window),
        app if app == OLD_ASKER || app.ends_with(ASKER) => permission(snapshot, window),
        _ => None,
    })
}

fn stopped(snapshot: &Snapshot, window: usize) -> Option<Notice> {
    let has = |id: &str| snapshot.nodes_of(window).any(|node| resource_id(snapshot, node) == id);
    let kind = match has(WAIT) {
        true => NoticeKind::NotResponding,
        false => ERROR_BUTTONS.into_iter().any(has).then_some(NoticeKind::Crashed)?,
    };
    // The title comes first; without one the window has it.
    let words = snapshot.nodes_of(window).find_map(|node| snapshot.node(node).text.as_deref());
    let title = snapshot.windows()[window].title.as_deref();
    Some(Notice { kind, text: words.or(title).unwrap_or_default().into() })
}

fn permission(snapshot: &Snapshot, window: usize) -> Option<Notice> {
    let asked = snapshot.nodes_of(window).find(|node| resource_id(snapshot, *node).ends_with(QUESTION))?;
    let text = snapshot.node(asked).text.clone().unwrap_or_default();
    Some(Notice { kind: NoticeKind::Permission, text })
}

fn resource_id(snapshot: &Snapshot, node: NodeIndex) -> &str {
    snapshot.node(node).resource_id.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::hierarchy::parse;
    use crate::tree;

    fn noticed(package: &str, nodes: &[(&str, &str)]) -> Option<(NoticeKind, String)> {
        let nodes: String = nodes
            .iter()
            .map(|(id, text)| {
                format!(r#"<node class="A" package="{package}" resource-id="{id}" text="{text}"/>"#)
            })
            .collect();
        let root = format!(
            r#"<hierarchy><node class="F" package="{package}" bounds="[0,0][9,9]">{nodes}</node></hierarchy>"#
        );
        let snapshot = tree::snapshot(parse(root.as_bytes()).expect("a dump"), None, None);
        notice(&snapshot).map(|notice| (notice.kind, notice.text.into()))
    }

    #[test]
    fn what_the_system_says_is_known_by_its_ids_and_its_package() {
        let title = ("android:id/alertTitle", "Notes keeps stopping");
        let close = ("android:id/aerr_close", "Close app");
        let wait = ("android:id/aerr_wait", "Wait");
        assert_eq!(noticed("android", &[title, close]), Some((NoticeKind::Crashed, title.1.to_owned())));
        assert_eq!(
            noticed("android", &[("android:id/alertTitle", "Notes isn't responding"), close, wait]),
            Some((NoticeKind::NotResponding, "Notes isn't responding".to_owned()))
        );
        assert_eq!(noticed("android", &[title, ("android:id/button1", "OK")]), None);
        assert_eq!(noticed("com.evil", &[title, close]), None, "an application that looks like it");
    }

    #[test]
    fn a_question_for_a_permission_is_known_on_old_and_new_phones() {
        let said = "Allow Notes to take pictures?";
        for package in [
            "com.android.packageinstaller",
            "com.android.permissioncontroller",
            "com.google.android.permissioncontroller",
        ] {
            let id = format!("{package}:id/permission_message");
            assert_eq!(noticed(package, &[(&id, said)]), Some((NoticeKind::Permission, said.to_owned())));
        }
        // The same package also shows lists of permissions.
        assert_eq!(noticed("com.android.permissioncontroller", &[("android:id/title", said)]), None);
        assert_eq!(noticed("com.evil", &[("com.evil:id/permission_message", said)]), None);
    }
}
