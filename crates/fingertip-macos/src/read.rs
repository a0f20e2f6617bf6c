//! Reading one application: its elements, where they are, and which can be seen. All of it blocks.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::Part;
use fingertip_core::{Point, WindowKind};
use fingertip_desktop::ListedWindow;
use fingertip_desktop::assemble::Reading;
use fingertip_desktop::windows::{self, TopWindow};

use crate::apps::Running;
use crate::attributes::{PARENT, ROLE};
use crate::client::{AppFacts, Ask, Client};
use crate::element::Element;
use crate::events::Events;
use crate::failure::{Answer, Failure};
use crate::roles;
use crate::seen_tree::{SeenTree, spots};
use crate::snapshot_cache::{Followed, Recalled};
use crate::tree::walk::{Walked, extend, walk};
use crate::tree::{AccessibleTree, Object};
use crate::value::Value;

/// How much time is kept back to hand over what was read, at the most.
const HANDING_OVER: Duration = Duration::from_millis(150);
/// The most menus that are looked for by a hit test.
const MOST_MENUS: usize = 4;
/// How many elements up from what is hit a menu is looked for.
const MOST_UP: usize = 4;

/// What was read of an application.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawTree {
    pub(crate) walked: Walked,
    /// Its windows and what else it shows, as it reported them.
    pub(crate) tops: Vec<Element>,
}

/// What was read of an application, and the windows of the screen that show it.
pub(crate) struct Read {
    pub(crate) reading: Reading<SeenTree>,
    pub(crate) own: Vec<ListedWindow>,
}

/// Reads an application. Where its notifications are followed, what was read a moment ago is brought up to date by them.
///
/// # Errors
/// When it answers nothing at all. What is missing for another reason is noted in the tree.
pub(crate) fn read(
    client: &Client<'_>,
    app: &Arc<Running>,
    part: Part,
    own: Vec<ListedWindow>,
    events: Option<&Events>,
) -> Answer<Read> {
    let left = client.cancel.deadline.remaining();
    let client = &client.with(client.cancel.slice(left - (left / 10).min(HANDING_OVER)));
    let mut recalled = match events {
        Some(events) => recall(client, events)?,
        None => None,
    };
    let listed: Vec<&ListedWindow> = own.iter().collect();
    let known = recalled.as_mut().and_then(|recalled| recalled.raw(Some(&listed)));
    let is_recalled = known.is_some();
    let raw = match known {
        Some(raw) => raw,
        None => app.waking.woken(client, || ask(client, part, &own))?,
    };
    if let Some(Recalled { following, .. }) = recalled.filter(|_| raw.walked.tree.cut.is_none()) {
        let began = following.began();
        app.cache.keep(raw.clone(), (following, began), Some(&listed));
    }
    let mut read = judged(app, raw, part, own);
    read.reading.recalled = is_recalled;
    Ok(read)
}

/// What is remembered of an application, brought up to date; `None` when its notifications cannot be had.
fn recall(client: &Client<'_>, events: &Events) -> Answer<Option<Recalled>> {
    match events.observe(client) {
        Ok(()) => {}
        Err(failure) if failure.says_no() => return Ok(None),
        Err(failure) => return Err(failure),
    }
    // Nothing in it waits for anything but the application, in whose turn we are.
    let followed = Followed { client, events };
    tokio::runtime::Handle::current().block_on(client.app.cache.recall(&followed)).map(Some)
}

/// Asks an application for its elements.
fn ask(client: &Client<'_>, part: Part, own: &[ListedWindow]) -> Answer<RawTree> {
    let AppFacts { tops, focused } = client.app_facts()?;
    if tops.is_empty() {
        return Ok(RawTree::default());
    }
    let mut walked = walk(client, &tops, part)?;
    let menus = open_menus(client, &walked.tree, own);
    if !menus.is_empty() {
        extend(client, &mut walked, &menus, part)?;
    }
    let place = focused.as_ref().and_then(|focused| walked.tree.find(focused));
    if let Some(place) = place {
        // Not every element says so itself.
        walked.tree.objects[place].facts.focused = true;
    }
    Ok(RawTree { walked, tops })
}

/// The menus that are open and that no element which was read holds, as the context menu of a table of which only the visible rows
/// are read: a window of the screen shows each, and a hit test finds what is in it.
fn open_menus(client: &Client<'_>, tree: &AccessibleTree, own: &[ListedWindow]) -> Vec<Element> {
    let is_menu = |object: &&Object| &*object.facts.role == roles::MENU;
    let known: Vec<_> = tree.objects.iter().filter(is_menu).filter_map(|menu| menu.facts.frame).collect();
    let shown = own.iter().filter(|window| window.kind == WindowKind::Popup && !window.minimized);
    let unknown = shown.filter(|window| !known.iter().any(|menu| window.bounds.contains(menu.center())));
    unknown.take(MOST_MENUS).filter_map(|window| menu_at(client, window.bounds.center())).collect()
}

/// The menu at a place.
fn menu_at(client: &Client<'_>, place: Point) -> Option<Element> {
    client.cancel.go_on().ok()?;
    let mut element = client.app.root.at(place).ok()?;
    for _ in 0..MOST_UP {
        client.cancel.go_on().ok()?;
        match element.get(ROLE).ok()? {
            Value::Text(role) if &*role == roles::MENU => return Some(element),
            _ => {}
        }
        let Value::Element(parent) = element.get(PARENT).ok()? else { return None };
        element = parent;
    }
    None
}

/// Decides what of this can be seen.
fn judged(app: &Arc<Running>, raw: RawTree, part: Part, mut own: Vec<ListedWindow>) -> Read {
    let Walked { tree, sheets, .. } = raw.walked;
    let tops: Vec<TopWindow> = tree.windows.iter().map(|&place| top(&tree.objects[place])).collect();
    let shown_by = windows::join(&tops, &own.iter().collect::<Vec<_>>());
    // The window server lists dialogs and sheets like any other window.
    for (top, &listed) in tops.iter().zip(&shown_by) {
        if let Some(listed) = listed.filter(|_| top.kind == WindowKind::Dialog) {
            own[listed].kind = WindowKind::Dialog;
        }
    }
    attach_sheets(&tree, &sheets, &shown_by, &mut own);
    let mut seen = spots(&tree, &shown_by, &own);
    if part == Part::Visible {
        let order = tree.reachable(&tree.windows);
        let visible: Vec<bool> = seen.iter().map(|spot| spot.is_some_and(|(_, visible)| visible)).collect();
        let kept = tree.with_ancestors(&order, &visible);
        let mut left_out = vec![true; seen.len()];
        kept.into_iter().for_each(|place| left_out[place] = false);
        seen.iter_mut().zip(left_out).filter(|(_, left_out)| *left_out).for_each(|(spot, _)| *spot = None);
    }
    app.handles.begin();
    let cut = tree.cut.clone();
    let tree = SeenTree { app: Arc::clone(app), tree, seen };
    Read { reading: Reading { tree, tops, shown_by, cut, recalled: false, is_sparse: false }, own }
}

/// Says which window each sheet belongs to: it alone waits for the sheet.
fn attach_sheets(
    tree: &AccessibleTree,
    sheets: &[(usize, usize)],
    shown_by: &[Option<usize>],
    own: &mut [ListedWindow],
) {
    let listed = |place: usize| {
        let position = tree.windows.iter().position(|window| *window == place)?;
        shown_by[position]
    };
    for &(sheet, parent) in sheets {
        if let (Some(sheet), Some(parent)) = (listed(sheet), listed(parent)) {
            own[sheet].transient_for = Some(own[parent].id);
        }
    }
}

/// A window of the tree.
pub(crate) fn top(object: &Object) -> TopWindow {
    let facts = &object.facts;
    let is_sheet = &*facts.role == roles::SHEET;
    TopWindow {
        title: facts.title.clone().unwrap_or_default(),
        reported: facts.frame.unwrap_or_default(),
        kind: roles::window_kind(&facts.role, facts.subrole.as_deref()),
        tooltip: roles::is_tooltip(&facts.role),
        active: object.window.is_some_and(|window| window.main),
        modal: is_sheet || object.window.is_some_and(|window| window.modal),
    }
}

/// The windows of an application without what is in them.
pub(crate) fn windows(client: &Client<'_>) -> Answer<Vec<(Object, TopWindow)>> {
    let mut found = Vec::new();
    for element in client.app_facts()?.tops {
        match client.object(&element, Ask::Window) {
            Ok(object) if matches!(&*object.facts.role, roles::WINDOW | roles::SHEET) => {
                let top = top(&object);
                found.push((object, top));
            }
            Ok(_) => {}
            Err(failure @ (Failure::NoAnswer | Failure::NotTrusted)) => return Err(failure),
            Err(Failure::Over) => break,
            // It closed meanwhile; the others are there.
            Err(_) => {}
        }
    }
    Ok(found)
}
