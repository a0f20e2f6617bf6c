//! Where the pointer goes: an element, or a point of the screen.
//!
//! An element is looked up for this call, and reached only where nothing lies over it; its owner goes along, so that no
//! other application receives the press. A point is whatever lies there.

use fingertip_core::hit;
use fingertip_core::target::{AppRef, Expected, NodeAction, Part, Scope};
use fingertip_core::{NodeId, Point, Reason, Result, Snapshot, WindowKind};

use super::element::{Found, find, must_be_enabled};
use super::press::{must_be_on_top, raise_dialog, unreached};
use crate::call::{Call, within};

/// A place as a call names it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Spot {
    /// An element, by its id.
    Element(NodeId),
    /// A point of the screen.
    At(Point),
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Element(id) => write!(f, "element '{id}'"),
            Self::At(point) => write!(f, "({}, {})", point.x, point.y),
        }
    }
}

/// What a press needs of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// That it reacts to the user.
    Enabled,
    /// Nothing but that it is there.
    There,
}

/// A place found for this call.
pub(crate) struct Aimed {
    /// Where the pointer goes.
    pub(crate) point: Point,
    /// The element there, if one was named.
    pub(crate) found: Option<Found>,
}

impl Aimed {
    /// Finds the place. An element in a window that lies under others has that brought to the front first.
    pub(crate) async fn find(call: &Call, spot: &Spot, needs: Needs) -> Result<Self> {
        let id = match spot {
            Spot::Element(id) => *id,
            Spot::At(point) => return Ok(Self { point: *point, found: None }),
        };
        match Self::find_element(call, id, needs).await? {
            (aimed, Ok(())) => Ok(aimed),
            (aimed, Err(error)) => {
                let Some(found) = &aimed.found else { return Err(error) };
                let (snapshot, index) = (&found.snapshot, found.index);
                if error.reason() != Reason::Covered || !call.can_act(snapshot, index, &NodeAction::Raise) {
                    return Err(error);
                }
                call.elements()?.act(snapshot, index, &NodeAction::Raise, call.deadline()).await?;
                let (aimed, on_top) = Self::find_element(call, id, needs).await?;
                on_top.map(|()| aimed)
            }
        }
    }

    /// The element, and whether its window is on top where the pointer would go.
    async fn find_element(call: &Call, id: NodeId, needs: Needs) -> Result<(Self, Result<()>)> {
        let found = find(call, id).await?;
        let found = raise_dialog(call, &found).await?.unwrap_or(found);
        let (snapshot, index) = (&found.snapshot, found.index);
        if needs == Needs::Enabled {
            must_be_enabled(snapshot, index, &id)?;
        }
        let point = hit::aim(snapshot, index).map_err(|obstacle| unreached(&id, snapshot, &obstacle))?;
        let on_top = must_be_on_top(call, snapshot, index, point, &id).await;
        Ok((Self { point, found: Some(found) }, on_top))
    }

    /// The application of the element; anyone where only a point is named, which the policy then looks at.
    pub(crate) fn owner(&self) -> Expected {
        match &self.found {
            Some(found) => Expected::owners([window_of(found)]),
            None => Expected::anyone(),
        }
    }

    /// The very window of the element, for what is dropped there. A popup has its own X window or none.
    pub(crate) fn window(&self) -> Expected {
        match &self.found {
            Some(found) if window_of(found).kind == WindowKind::Popup => self.owner(),
            Some(found) => Expected::window(window_of(found)),
            None => Expected::anyone(),
        }
    }

    /// What to look at to see what became of it; `None` where no receiver is known.
    pub(crate) async fn surroundings(&self, call: &Call) -> Result<Option<(Scope, Snapshot)>> {
        if let Some(found) = &self.found {
            return Ok(Some((found.scope.clone(), found.snapshot.clone())));
        }
        let scope = if call.kind().reads_whole_screen() {
            Scope::Screen
        } else {
            let deadline = call.deadline();
            let receivers = call.target().survey().receivers(deadline);
            let windows = within(deadline, "listing the windows", receivers).await?;
            let top = windows.iter().find(|window| !window.minimized && window.bounds.contains(self.point));
            let Some((name, pid)) = top.and_then(|top| Some((top.app.clone()?, top.pid))) else {
                return Ok(None);
            };
            Scope::App { app: AppRef { name, pid }, part: Part::Visible }
        };
        // An application without a tree can be pressed all the same.
        Ok(call.look_at(&scope, call.deadline()).await.ok().map(|snapshot| (scope, snapshot)))
    }
}

fn window_of(found: &Found) -> &fingertip_core::Window {
    &found.snapshot.windows()[found.snapshot.window_of(found.index)]
}
