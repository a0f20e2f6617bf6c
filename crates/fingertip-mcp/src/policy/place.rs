//! Where a call would act, found out for the question the user is asked. Only looks.

use std::time::Duration;

use fingertip_core::id::Located;
use fingertip_core::path::{self, ElementPath, PathApp};
use fingertip_core::target::{AppRef, Part, Scope, TargetKind};
use fingertip_core::{Deadline, Flags, Node, NodeId, NodeIndex, Result, Snapshot};

use super::confirm::Place;
use crate::apps;
use crate::attached::Attached;
use crate::call::within;
use crate::params::WantedApp;

/// How long finding out may take. Without an answer the question is asked all the same, with less in it.
const FOUND_WITHIN: Duration = Duration::from_secs(3);

/// The element a call names.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    /// By its id.
    Id(NodeId),
    /// By where it stands.
    Path(ElementPath),
}

impl Named {
    /// Reads an id or a path; what is neither names nothing.
    pub(crate) fn read(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| text.parse().map(Self::Path).ok())
    }

    /// Its id, if that is how it is named.
    pub(crate) fn id(&self) -> Option<NodeId> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Path(_) => None,
        }
    }

    fn locate(&self, attached: &Attached, snapshot: &Snapshot) -> Option<NodeIndex> {
        match self {
            Self::Id(id) => match attached.locate(snapshot, *id) {
                Located::Found(index) => Some(index),
                _ => None,
            },
            Self::Path(path) => path::resolve(snapshot, path).ok(),
        }
    }
}

/// Finds out where a call would act that names this element and this application, or none.
pub(crate) async fn find(attached: &Attached, element: Option<&Named>, app: Option<&WantedApp>) -> Place {
    let deadline = Deadline::after(FOUND_WITHIN);
    let looking = async {
        let scope = scope(attached, element, app, deadline).await?;
        attached.look(&scope, deadline).await
    };
    // Bounded here too: a target that hangs against its rules must not keep the call from its answer.
    match within(deadline, "finding out where the call would act", looking).await {
        Ok(snapshot) => seen(attached, &snapshot, element),
        // What cannot be seen may be a password field.
        Err(_) => Place { target: attached.target().info().name, secret: true, ..Place::default() },
    }
}

/// An element is looked for where it was seen or is said to stand; anything else goes to the application that is named,
/// or to whatever is in front.
async fn scope(
    attached: &Attached,
    element: Option<&Named>,
    app: Option<&WantedApp>,
    deadline: Deadline,
) -> Result<Scope> {
    let info = attached.target().info();
    if info.kind == TargetKind::Phone {
        return Ok(Scope::Screen);
    }
    Ok(match (element, app) {
        (Some(Named::Id(id)), _) => match attached.app_of(*id) {
            Some(app) => Scope::App { app, part: Part::Visible },
            None => Scope::Screen,
        },
        (Some(Named::Path(path)), _) => Scope::App { app: owner(&path.app), part: Part::Whole },
        (None, Some(wanted)) => {
            let app = apps::pick(&attached.target().apps(deadline).await?, wanted, info.kind)?;
            Scope::App { app: app.reference(), part: Part::Visible }
        }
        (None, None) => Scope::Screen,
    })
}

fn owner(app: &PathApp) -> AppRef {
    match app {
        PathApp::Pid(pid) => AppRef { name: pid.to_string().into(), pid: Some(*pid) },
        PathApp::Named(name) => AppRef::named(name),
    }
}

fn seen(attached: &Attached, snapshot: &Snapshot, element: Option<&Named>) -> Place {
    let index = match element {
        Some(element) => element.locate(attached, snapshot),
        None => snapshot.focused_node(),
    };
    let node = index.map(|index| snapshot.node(index));
    let window = match index.filter(|_| element.is_some()) {
        Some(index) => Some(snapshot.window_of(index)),
        None => snapshot.focused_window(),
    };
    let window = window.map(|window| &snapshot.windows()[window]);
    let owner = window.and_then(|window| window.app.clone());
    Place {
        target: attached.target().info().name,
        in_front: window.is_none_or(|window| window.focused),
        app: owner.or_else(|| snapshot.app.clone()).map(String::from),
        element: node.filter(|_| element.is_some()).map(Node::summary),
        // What is named and not found may be a password field, too.
        secret: node.map_or(element.is_some(), |node| node.is(Flags::PASSWORD)),
    }
}
