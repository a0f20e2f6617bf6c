//! What lies where on the screen of GNOME, from the accessibility tree of its own shell: no other program is told.
//!
//! The stage holds one box for all that is shown, and the first part of that is the group of windows: the background, then
//! one actor for each surface, popups included, the lowest first, and each as large as its buffer. Everything else in the box
//! is the shell's own and lies above: its bar, notifications, dialogs, the overview, the lock of the screen. What of that
//! takes the pointer says that it is sensitive.
//!
//! An actor has neither a title nor a process: whose it is, is for [`super::layout`] to find out.

use std::sync::Arc;

use fingertip_core::{Deadline, Error, Rect};
use futures_util::future::{join_all, try_join_all};

use crate::apps::Running;
use crate::bus::{Answer, Answered, Bus, CallError};
use crate::client::{Client, Origin};
use crate::handle::Handle;
use crate::states::{States, state};
use crate::tree::Source;

/// The most objects of the shell that are looked at; a full screen shows some hundred.
const MOST_ACTORS: usize = 4_000;

/// What lies where.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) screen: Rect,
    /// Whether windows are shown as they are, rather than the overview or the lock of the screen.
    pub(super) shows_windows: bool,
    /// Whether nothing of the shell itself has the keyboard.
    pub(super) leaves_keyboard: bool,
    /// The surfaces of windows and popups, the lowest first.
    pub(super) surfaces: Vec<Rect>,
    /// What takes the pointer and is the shell's own.
    pub(super) covers: Vec<Rect>,
}

impl Scene {
    /// Looks at the shell.
    pub(super) async fn look(bus: &Arc<Bus>, shell: &Running, deadline: Deadline) -> Answer<Self> {
        let client = shell.client(bus, deadline).await?;
        let missing = || CallError::Missing("its stage is not as it is known".to_owned());
        let stage = client.children(&shell.root).await?.into_iter().next().ok_or_else(missing)?;
        let (states, screen, boxes) = tokio::try_join!(
            client.states(&stage),
            client.place(&stage, Origin::Screen),
            client.children(&stage)
        )?;
        let (all, others) = boxes.split_first().ok_or_else(missing)?;
        let parts = client.children(all).await?;
        let (group, own) = parts.split_first().ok_or_else(missing)?;
        let (is_shown, actors) = tokio::try_join!(client.states(group), client.children(group))?;
        let own: Vec<Handle> = own.iter().chain(others).cloned().collect();
        let (surfaces, covers) =
            tokio::try_join!(surfaces(&client, actors.get(1..).unwrap_or_default()), covers(&client, own))?;
        Ok(Self {
            screen,
            shows_windows: is_shown.is_showing(),
            leaves_keyboard: states.is_focused(),
            surfaces,
            covers,
        })
    }
}

/// The places of those that are shown.
async fn surfaces(client: &Client<'_>, actors: &[Handle]) -> Answer<Vec<Rect>> {
    must_be_few(actors.len())?;
    let looked = try_join_all(actors.iter().map(|actor| seen(client, actor))).await?;
    let shown = looked.into_iter().filter(|(states, place)| states.is_showing() && !place.is_empty());
    Ok(shown.map(|(_, place)| place).collect())
}

/// The places of what takes the pointer, at any depth. What is not shown holds nothing that is.
async fn covers(client: &Client<'_>, mut level: Vec<Handle>) -> Answer<Vec<Rect>> {
    let (mut covers, mut count) = (Vec::new(), 0);
    while !level.is_empty() {
        count += level.len();
        must_be_few(count)?;
        let looked = try_join_all(level.iter().map(|actor| seen(client, actor))).await?;
        let shown = level.iter().zip(looked).filter(|(_, (states, _))| states.is_showing());
        let mut inner = Vec::new();
        for (actor, (states, place)) in shown {
            if states.has(state::SENSITIVE) && !place.is_empty() {
                covers.push(place);
            }
            inner.push(client.children(actor));
        }
        let mut below = Vec::new();
        for children in join_all(inner).await {
            below.extend(children.missing_ok()?.unwrap_or_default());
        }
        level = below;
    }
    Ok(covers)
}

/// Whether an actor is shown, and where; one that went away meanwhile is not.
async fn seen(client: &Client<'_>, actor: &Handle) -> Answer<(States, Rect)> {
    let states = client.states(actor).await.missing_ok()?.unwrap_or_default();
    if !states.is_showing() {
        return Ok((states, Rect::default()));
    }
    let place = client.place(actor, Origin::Screen).await.missing_ok()?;
    Ok((states, place.unwrap_or_default()))
}

fn must_be_few(count: usize) -> Answer<()> {
    if count > MOST_ACTORS {
        return Err(CallError::Malformed(format!("it shows more than {MOST_ACTORS} things")));
    }
    Ok(())
}

/// The error of a session in which the shell does not tell.
pub(super) fn silent(error: CallError) -> Error {
    error.into_error("GNOME Shell", "looking at what is on the screen")
}
