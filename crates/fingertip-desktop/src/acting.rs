//! What is checked before something is done to an element, the same on every desktop.

use fingertip_core::hit::{self, Obstacle};
use fingertip_core::target::Expected;
use fingertip_core::{Error, Node, NodeIndex, Point, Reason, Result, Snapshot};

/// The application of a node: keys and presses meant for the node go to no other.
#[must_use]
pub fn owner(snapshot: &Snapshot, index: NodeIndex) -> Expected {
    Expected::owners([&snapshot.windows()[snapshot.window_of(index)]])
}

/// Where the pointer reaches a node.
///
/// # Errors
/// When it is covered or not on the screen; says by what.
pub fn point_of(snapshot: &Snapshot, index: NodeIndex, app: &str) -> Result<Point> {
    hit::aim(snapshot, index).map_err(|obstacle| {
        let reason = match obstacle {
            Obstacle::Covered { .. } => Reason::Covered,
            _ => Reason::ActionFailed,
        };
        let message =
            format!("{} {}; nothing was done.", snapshot.node(index).summary(), obstacle.describe(snapshot));
        Error::new(reason, message).with_guidance("Bring it into view first.").with_app(app)
    })
}

/// Refuses what is in a window that waits for a modal dialog: its toolkit would do it all the same, against what the
/// application is made for.
///
/// # Errors
/// When its window waits for one.
pub fn must_not_wait(snapshot: &Snapshot, node: NodeIndex) -> Result<()> {
    let window = &snapshot.windows()[snapshot.window_of(node)];
    let Some(dialog) = &window.blocked_by else { return Ok(()) };
    let message = format!(
        "{} is blocked by the dialog '{dialog}', which comes first; nothing was done.",
        snapshot.node(node).summary()
    );
    Err(Error::new(Reason::Covered, message)
        .with_guidance("Answer or close the dialog; get_screen_state shows it.")
        .with_app(window.app.as_deref().unwrap_or_default()))
}

/// What the object behind a node says right before it is acted on.
#[derive(Debug, Clone, Copy)]
pub struct Current<'a> {
    /// The platform's word for what it is.
    pub class: Option<&'a str>,
    /// What it is called.
    pub name: &'a str,
    /// The same as a user would read it, where the toolkit adds to it.
    pub shown_name: &'a str,
    /// Whether it is gone and only answers still.
    pub is_gone: bool,
    /// Whether it reacts.
    pub is_enabled: bool,
}

/// Sees that an object is what the snapshot shows: of the same role and name, not gone, not disabled.
///
/// # Errors
/// When it is not; says what it is now.
pub fn must_be(node: &Node, now: Current<'_>, app: &str) -> Result<()> {
    let stale = |what: String| {
        Err(Error::new(Reason::Stale, format!("{} {what}; nothing was done.", node.summary()))
            .with_guidance("Read the application again and use what it shows now.")
            .with_app(app))
    };
    if now.is_gone {
        return stale("is gone".to_owned());
    }
    if node.class.as_deref() != now.class {
        return stale(format!("is a {} now", now.class.unwrap_or("something unknown")));
    }
    if !is_name_of(node, now) {
        return stale(format!("is called {:?} now", now.name));
    }
    if !now.is_enabled {
        let message = format!("{} is disabled; nothing was done.", node.summary());
        return Err(Error::new(Reason::Disabled, message)
            .with_guidance("Something else must be done first for it to react.")
            .with_app(app));
    }
    Ok(())
}

/// Whether this is still the name of a node. What a node shows may come from its content; where either has no words
/// there is nothing to compare.
fn is_name_of(node: &Node, Current { name, shown_name, .. }: Current<'_>) -> bool {
    let known = [node.text.as_deref(), node.description.as_deref(), node.hint.as_deref()];
    let mut known = known.into_iter().flatten().peekable();
    known.peek().is_none() || shown_name.is_empty() || known.any(|known| known == name || known == shown_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(node: &Node, name: &str, shown_name: &str) -> Option<Reason> {
        let class = node.class.as_deref();
        let now = Current { class, name, shown_name, is_gone: false, is_enabled: true };
        must_be(node, now, "app").err().map(|error| error.reason())
    }

    #[test]
    fn a_name_is_compared_with_all_a_node_shows() {
        let field = Node::new("text").text("Ada").description("Name");
        assert_eq!(judged(&field, "Name", "Name"), None);
        assert_eq!(judged(&field, "", ""), None);
        assert_eq!(judged(&field, "Street", "Street"), Some(Reason::Stale));
        let button = Node::new("push button").text("7");
        assert_eq!(judged(&button, "7 7", "7"), None);
        assert_eq!(judged(&button, "8", "8"), Some(Reason::Stale));
        assert_eq!(judged(&Node::new("panel"), "anything", "anything"), None);
    }

    #[test]
    fn what_is_gone_another_or_disabled_is_not_acted_on() {
        let node = Node::new("push button").text("7");
        let same = Current {
            class: Some("push button"),
            name: "7",
            shown_name: "7",
            is_gone: false,
            is_enabled: true,
        };
        let reason = |now| must_be(&node, now, "app").err().map(|error| error.reason());
        assert_eq!(reason(same), None);
        assert_eq!(reason(Current { is_gone: true, ..same }), Some(Reason::Stale));
        assert_eq!(reason(Current { class: Some("label"), ..same }), Some(Reason::Stale));
        assert_eq!(reason(Current { is_enabled: false, ..same }), Some(Reason::Disabled));
    }
}
