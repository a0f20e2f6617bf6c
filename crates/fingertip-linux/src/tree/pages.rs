//! Which pages of a stack are put away.
//!
//! GTK 4 says of every page of a stack that it is visible, each in the place where it was last, so that one could press what
//! is not visible. Pages are known by having no place of their own, side by side. What lies at a point of the window the toolkit
//! finds among what it draws; the page that holds it is the one that is shown. Where nothing is found, nothing is put away.

use fingertip_core::Rect;
use futures_util::future::join_all;

use super::{AccessibleTree, Interfaces, Source};
use crate::handle::Handle;

/// The most stacks of an application that are looked at.
const MOST_STACKS: usize = 24;
/// The most pages of a stack that are looked at, and points of each.
const MOST_PAGES: usize = 16;
const MOST_POINTS: usize = 3;
/// How many objects of a page are looked at for such points.
const MOST_OBJECTS: usize = 200;

/// The pages that are not shown, by their position.
pub(crate) async fn put_away(
    source: &dyn Source,
    tree: &AccessibleTree,
    places: &[Option<Rect>],
) -> Vec<usize> {
    let mut found = Vec::new();
    for &window in &tree.windows {
        let below = tree.reachable(&[window]);
        let stacks = below.into_iter().filter(|&place| is_stack(tree, place)).take(MOST_STACKS);
        let asked = stacks.map(|stack| pages_put_away(source, tree, places, window, stack));
        found.extend(join_all(asked).await.into_iter().flatten());
    }
    found
}

/// Whether all in it are pages.
fn is_stack(tree: &AccessibleTree, place: usize) -> bool {
    let children = &tree.objects[place].children;
    let is_page = |&page: &usize| {
        let page = &tree.objects[page];
        !page.interfaces.contains(Interfaces::COMPONENT) && !page.children.is_empty()
    };
    (2..=MOST_PAGES).contains(&children.len()) && children.iter().all(is_page)
}

async fn pages_put_away(
    source: &dyn Source,
    tree: &AccessibleTree,
    places: &[Option<Rect>],
    window: usize,
    stack: usize,
) -> Vec<usize> {
    let pages = &tree.objects[stack].children;
    let inside: Vec<Vec<usize>> = pages.iter().map(|&page| tree.reachable(&[page])).collect();
    let points = inside.iter().flat_map(|page| points(tree, places, page));
    let window = &tree.objects[window].handle;
    let asked = join_all(points.map(|(x, y)| source.object_at_point(window, x, y))).await;
    let holder = |handle: &Handle| {
        let place = tree.find(handle)?;
        inside.iter().position(|page| page.contains(&place))
    };
    let mut shown = asked.iter().flatten().flatten().filter_map(holder);
    let Some(first) = shown.next() else { return Vec::new() };
    if shown.any(|other| other != first) {
        // One slides in while the other slides out.
        return Vec::new();
    }
    pages.iter().copied().enumerate().filter(|(page, _)| *page != first).map(|(_, page)| page).collect()
}

/// The middles of some of the smallest things on a page.
fn points(tree: &AccessibleTree, places: &[Option<Rect>], page: &[usize]) -> Vec<(i32, i32)> {
    let leaves = page.iter().take(MOST_OBJECTS).filter(|&&place| tree.objects[place].children.is_empty());
    let placed = leaves.filter_map(|&place| places.get(place).copied().flatten());
    let middles = placed.filter(|place| !place.is_empty()).map(Rect::center);
    middles.map(|middle| (middle.x as i32, middle.y as i32)).take(MOST_POINTS).collect()
}
