//! A dump, the screen and the application in front, put together as a snapshot.

use fingertip_core::target::Scope;
use fingertip_core::{Error, Reason, Rect, Result, Screen, Snapshot, Window, WindowKind};

use crate::apps::{Front, shown_in};
use crate::parse::hierarchy::{Hierarchy, RawWindow};
use crate::roles;

/// Builds the snapshot.
pub(crate) fn snapshot(hierarchy: Hierarchy, screen: Option<Screen>, front: Option<&Front>) -> Snapshot {
    let screen = screen.unwrap_or_else(|| extent(&hierarchy));
    let mut builder = Snapshot::builder(screen);
    if let Some(why) = &hierarchy.cut {
        builder.cut(why);
    }
    let focused = focused_window(&hierarchy, front);
    let own_front = focused.and_then(|window| hierarchy.windows[window].package.as_deref());
    match (front, own_front) {
        (Some(front), _) => front.name_in(&mut builder),
        (None, Some(package)) => drop(builder.app(package, "")),
        (None, None) => {}
    }
    let count = hierarchy.windows.len();
    for (position, raw) in hierarchy.windows.into_iter().enumerate() {
        add(&mut builder, raw, focused == Some(position), (count - position) as i32);
    }
    builder.finish()
}

/// Keeps only the windows of one application.
///
/// # Errors
/// When it shows none.
pub(crate) fn narrowed(snapshot: Snapshot, scope: &Scope) -> Result<Snapshot> {
    let Scope::App { app, .. } = scope else { return Ok(snapshot) };
    let own = |window: usize| app.owns(&snapshot.windows()[window]);
    if !(0..snapshot.windows().len()).any(own) {
        return Err(Error::new(Reason::NotFound, format!("'{}' shows no window.", app.name))
            .with_guidance(format!("On the screen: {}.", shown_in(&snapshot))));
    }
    let mut builder = Snapshot::builder(snapshot.screen);
    if let (Some(app), Some(activity)) = (&snapshot.app, &snapshot.activity) {
        builder.app(app, activity);
    }
    if let Some(why) = &snapshot.cut {
        builder.cut(why);
    }
    if let Some(number) = snapshot.number {
        builder.number(number);
    }
    if !snapshot.settled {
        builder.unsettled();
    }
    for window in (0..snapshot.windows().len()).filter(|window| own(*window)) {
        builder.window(snapshot.windows()[window].clone());
        let mut open = 0;
        for index in snapshot.nodes_of(window) {
            while open > snapshot.depth(index) {
                builder.close();
                open -= 1;
            }
            builder.open(snapshot.node(index).clone());
            open += 1;
        }
    }
    Ok(builder.finish())
}

fn add(builder: &mut fingertip_core::Builder, raw: RawWindow, focused: bool, place: i32) {
    let resource_ids = raw.nodes.iter().filter_map(|(_, node)| node.resource_id.as_deref());
    let kind = raw.kind.unwrap_or_else(|| roles::guess_window_kind(raw.package.as_deref(), resource_ids));
    let mut window = Window::default().kind(kind).layer(raw.layer.unwrap_or(place));
    window.bounds = raw.bounds.unwrap_or_else(|| roots_extent(&raw));
    window.title = raw.title;
    window.app = raw.package;
    window.handle = raw.handle;
    window.focused = focused;
    builder.window(window);
    let mut open = 0;
    for (depth, node) in raw.nodes {
        while open > depth {
            builder.close();
            open -= 1;
        }
        builder.open(node);
        open += 1;
    }
}

/// The window that says it has the focus; else the only one; else the topmost one of the application in front.
fn focused_window(hierarchy: &Hierarchy, front: Option<&Front>) -> Option<usize> {
    let windows = &hierarchy.windows;
    let focused = windows.iter().position(|window| window.focused == Some(true));
    focused.or_else(|| (windows.len() == 1).then_some(0)).or_else(|| {
        let package = &front?.package;
        windows.iter().position(|window| {
            window.package.as_deref() == Some(package)
                && !matches!(window.kind, Some(WindowKind::InputMethod | WindowKind::Overlay))
        })
    })
}

fn roots_extent(window: &RawWindow) -> Rect {
    let roots = window.nodes.iter().filter(|(depth, _)| *depth == 0).map(|(_, node)| node.bounds);
    roots.reduce(union).unwrap_or_default()
}

/// The screen as large as its windows, for a phone that does not say how large it is.
fn extent(hierarchy: &Hierarchy) -> Screen {
    let whole = hierarchy.windows.iter().map(roots_extent).reduce(union).unwrap_or_default();
    let side = |length: i32| u32::try_from(length).unwrap_or_default();
    Screen { width: side(whole.right), height: side(whole.bottom), density: 0 }
}

fn union(one: Rect, other: Rect) -> Rect {
    Rect::new(
        one.left.min(other.left),
        one.top.min(other.top),
        one.right.max(other.right),
        one.bottom.max(other.bottom),
    )
}

#[cfg(test)]
mod tests {
    use fingertip_core::target::{AppRef, Part};

    use super::*;
    use crate::parse::hierarchy::parse;

    const TWO_ROOTS: &[u8] = br#"<hierarchy rotation="0">
        <node class="A" package="com.android.systemui" bounds="[0,0][100,10]"/>
        <node class="B" package="com.app" bounds="[0,0][100,200]"><node class="C" bounds="[0,0][9,9]"/></node>
        <node class="K" package="com.keys" bounds="[0,150][100,200]"><node resource-id="android:id/inputArea"/></node>
        </hierarchy>"#;

    fn front() -> Front {
        Front { package: "com.app".into(), activity: "com.app.Main".into() }
    }

    fn only(app: &str) -> Scope {
        Scope::App { app: AppRef::named(app), part: Part::Visible }
    }

    #[test]
    fn each_root_is_a_window_and_the_app_in_front_has_the_focus() {
        let screen = Screen { width: 100, height: 200, density: 160 };
        let snapshot = snapshot(parse(TWO_ROOTS).unwrap(), Some(screen), Some(&front()));
        let kinds: Vec<_> = snapshot.windows().iter().map(|window| window.kind).collect();
        assert_eq!(kinds, [WindowKind::System, WindowKind::Application, WindowKind::InputMethod]);
        assert_eq!(snapshot.focused_window(), Some(1));
        assert!(snapshot.windows()[0].layer > snapshot.windows()[1].layer);
        assert_eq!(snapshot.windows()[1].bounds, Rect::new(0, 0, 100, 200));
        assert_eq!(snapshot.app.as_deref(), Some("com.app"));
        assert_eq!(snapshot.screen, screen);
        assert_eq!(snapshot.nodes().len(), 5);
        assert_eq!(snapshot.depth(snapshot.indices().nth(2).unwrap()), 1);
    }

    #[test]
    fn one_application_can_be_asked_for() {
        let whole = snapshot(parse(TWO_ROOTS).unwrap(), None, Some(&front()));
        assert_eq!((whole.screen.width, whole.screen.height), (100, 200));
        let own = narrowed(whole.clone(), &only("com.app")).unwrap();
        assert_eq!((own.windows().len(), own.nodes().len()), (1, 2));
        assert_eq!(own.windows()[0].kind, WindowKind::Application);
        let none = narrowed(whole, &only("com.none")).unwrap_err();
        assert_eq!(none.reason(), Reason::NotFound);
        assert!(none.to_string().contains("com.keys"), "{none}");
    }
}
