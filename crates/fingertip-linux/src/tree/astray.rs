//! Which lists tell their items from another corner than themselves.
//!
//! LibreOffice adds the place of the window twice to what it draws as a view of thumbnails, as the templates of its dialog: the
//! list is where it says, its items are hundreds of pixels below, and a click there chooses another one. Both also tell where
//! they are in the window, and there they agree. What lies between the two answers of the list must lie between those of an
//! item; the difference is the error of all of them.

use fingertip_core::Rect;
use futures_util::future::join_all;

use super::{AccessibleTree, Source};
use crate::bus::{Answer, Answered};
use crate::place::is_nowhere;
use crate::roles;

/// The most lists of an application that are looked at.
const MOST_LISTS: usize = 24;

/// A list, by its position, and how far its items must be moved to be where they are, to the right and down.
pub(crate) type Astray = (usize, (i32, i32));

/// The lists whose items are elsewhere.
pub(crate) async fn items_astray(
    source: &dyn Source,
    tree: &AccessibleTree,
    places: &[Option<Rect>],
) -> Vec<Astray> {
    let told = |place: usize| {
        let told = places.get(place).copied().flatten()?;
        (!told.is_empty() && !is_nowhere(told)).then_some(told)
    };
    let lists = tree.reachable(&tree.windows).into_iter().filter_map(|list| {
        let object = &tree.objects[list];
        if !roles::is_list(object.role) || !object.states.is_showing() {
            return None;
        }
        let item = object.children.iter().copied().find(|&item| told(item).is_some())?;
        Some((list, item, told(list)?, told(item)?))
    });
    let asked = lists.take(MOST_LISTS).map(async |(list, item, list_at, item_at)| {
        let [list_in, item_in] =
            [list, item].map(|place| source.extents_in_window(&tree.objects[place].handle));
        let (list_in, item_in): (Rect, Rect) = tokio::try_join!(list_in, item_in)?;
        let corner = |at: Rect, inside: Rect| (at.left - inside.left, at.top - inside.top);
        let (right, item) = (corner(list_at, list_in), corner(item_at, item_in));
        let (right, down) = (right.0 - item.0, right.1 - item.1);
        Answer::Ok(((right, down) != (0, 0)).then_some((list, (right, down))))
    });
    // Where it does not tell, nothing is known to be wrong.
    let found = join_all(asked).await.into_iter().filter_map(|found| found.missing_ok().ok().flatten());
    found.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::walk::tests::{Scripted, at, walked};
    use super::*;
    use fingertip_core::target::Part;

    #[tokio::test]
    async fn items_that_lie_elsewhere_in_the_window_are_moved_by_the_difference() {
        let mut app = Scripted::default().with("/window", &["/list", "/other"]).with("/list", &["/a", "/b"]);
        app = app.with("/other", &["/c"]);
        for list in ["/list", "/other"] {
            app.objects.get_mut(&at(list)).unwrap().role = roles::number::LIST;
        }
        let (_, tree) = walked(&app, AccessibleTree::default(), Part::Visible).await;
        let mut places = vec![Some(Rect::new(540, 250, 900, 600)); tree.objects.len()];
        let place = |path: &str| tree.find(&at(path)).unwrap();
        // As LibreOffice 7.4 told them, with a dialog at 253 pixels from the top.
        places[place("/list")] = Some(Rect::new(555, 302, 1366, 782));
        app.in_window.insert(at("/list"), Rect::new(9, 49, 820, 529));
        places[place("/a")] = Some(Rect::new(581, 556, 751, 714));
        app.in_window.insert(at("/a"), Rect::new(35, 50, 205, 208));
        places[place("/other")] = Some(Rect::new(600, 400, 700, 500));
        app.in_window.insert(at("/other"), Rect::new(54, 147, 154, 247));
        places[place("/c")] = Some(Rect::new(600, 420, 700, 440));
        app.in_window.insert(at("/c"), Rect::new(54, 167, 154, 187));
        let found = items_astray(&app, &tree, &places).await;
        assert_eq!(found, [(place("/list"), (0, -253))]);
    }
}
