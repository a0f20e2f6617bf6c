//! Walking an application that answers from a script.

use async_trait::async_trait;
use fingertip_core::Rect;
use rustc_hash::FxHashMap;

use super::super::cached::planted;
use super::super::object::tests::object;
use super::super::source::{Bar, Item};
use super::*;
use crate::states::{States, state};

/// An application with these objects; the first is its window.
#[derive(Default)]
pub(in crate::tree) struct Scripted {
    pub(in crate::tree) objects: FxHashMap<Handle, Object>,
    children: FxHashMap<Handle, Vec<Handle>>,
    /// Where objects are in their window.
    pub(in crate::tree) in_window: FxHashMap<Handle, Rect>,
    /// What does not answer.
    pub(in crate::tree) frozen: Vec<Handle>,
    /// How many children `children` leaves out at the end of each list.
    left_out: usize,
    /// The only row on the screen that is found by a point; `None` when all are.
    found_by_point: Option<i32>,
    /// The scroll bar of its window.
    bar: Option<Bar>,
    calls: std::sync::atomic::AtomicUsize,
    /// What was asked for all of its children at once.
    lists: std::sync::Mutex<Vec<Handle>>,
    /// How many questions for children are under way, and were at the most.
    under_way: std::sync::Mutex<(usize, usize)>,
    /// How often it was asked where something is.
    places: std::sync::atomic::AtomicUsize,
}

pub(in crate::tree) fn at(path: &str) -> Handle {
    Handle::new(":1.1", path)
}

impl Scripted {
    /// Adds an object with these children.
    pub(in crate::tree) fn with(mut self, path: &str, children: &[&str]) -> Self {
        let count = i32::try_from(children.len()).expect("few children");
        self.objects.insert(at(path), object(path, count));
        for child in children {
            self.objects.entry(at(child)).or_insert_with(|| object(child, 0));
        }
        self.children.insert(at(path), children.iter().map(|child| at(child)).collect());
        self
    }

    pub(in crate::tree) fn hidden(mut self, path: &str) -> Self {
        self.objects.get_mut(&at(path)).expect("an object").states = States::default();
        self
    }

    pub(in crate::tree) fn calls(&self) -> usize {
        self.calls.load(std::sync::atomic::Ordering::Relaxed)
    }

    pub(in crate::tree) fn forget_calls(&self) {
        self.calls.store(0, std::sync::atomic::Ordering::Relaxed);
    }

    /// The way of a question there and back, on which others may be under way too.
    async fn travel(&self) {
        let under_way = || self.under_way.lock().expect("no panic");
        let (now, most) = *under_way();
        *under_way() = (now + 1, most.max(now + 1));
        tokio::task::yield_now().await;
        under_way().0 -= 1;
    }

    fn answer<T>(&self, handle: &Handle, answer: Option<T>) -> Answer<T> {
        self.calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if self.frozen.contains(handle) {
            return Err(CallError::Timeout);
        }
        answer.ok_or_else(|| CallError::Missing("no such object".to_owned()))
    }

    /// What its cache holds: these objects, all children of the first.
    fn cache(&self, paths: &[&str]) -> AccessibleTree {
        let item = |(index, path): (usize, &&str)| Item {
            object: self.objects[&at(path)].clone(),
            parent: if index == 0 { at("/root") } else { at(paths[0]) },
            index: i32::try_from(index).expect("few items") - 1,
        };
        planted(paths.iter().enumerate().map(item).collect())
    }
}

#[async_trait]
impl Source for Scripted {
    async fn items(&self) -> Answer<Vec<Item>> {
        Ok(Vec::new())
    }

    async fn object(&self, handle: &Handle) -> Answer<Object> {
        self.answer(handle, self.objects.get(handle).cloned())
    }

    async fn children(&self, handle: &Handle) -> Answer<Vec<Handle>> {
        self.travel().await;
        self.lists.lock().expect("no panic").push(handle.clone());
        let listed = self.children.get(handle).map(|all| all[..all.len() - self.left_out].to_vec());
        self.answer(handle, listed)
    }

    async fn parent(&self, handle: &Handle) -> Answer<Option<Handle>> {
        Ok(self.children.iter().find(|(_, all)| all.contains(handle)).map(|(parent, _)| parent.clone()))
    }

    async fn scroll_bar(&self, _: &Handle) -> Answer<Option<Bar>> {
        Ok(self.bar)
    }

    async fn child_count(&self, handle: &Handle) -> Answer<i32> {
        self.travel().await;
        self.answer(handle, self.children.get(handle).map(|all| i32::try_from(all.len()).expect("few")))
    }

    async fn child_at(&self, handle: &Handle, index: i32) -> Answer<Handle> {
        self.travel().await;
        let place = usize::try_from(index).expect("an index");
        self.answer(handle, self.children.get(handle).and_then(|all| all.get(place).cloned()))
    }

    /// Rows of ten pixels, scrolled down by a thousand rows.
    async fn extents(&self, handle: &Handle) -> Answer<Rect> {
        self.places.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let row = handle.path.strip_prefix("/row").map(|row| row.parse::<i32>().expect("a number"));
        let rect = row.map(|row| Rect::new(0, (row - 1000) * 10, 100, (row - 999) * 10));
        Ok(rect.unwrap_or(Rect::new(0, 0, 100, 100)))
    }

    async fn extents_in_window(&self, handle: &Handle) -> Answer<Rect> {
        self.answer(handle, self.in_window.get(handle).copied())
    }

    async fn child_at_point(&self, list: &Handle, _: i32, y: i32) -> Answer<Option<(Handle, i32)>> {
        if self.found_by_point.is_some_and(|only| y / 10 != only) {
            return Ok(None);
        }
        let index = 1000 + y / 10;
        let child = self.child_at(list, index).await?;
        Ok(Some((child, index)))
    }
}

pub(in crate::tree) fn plan(part: Part) -> Plan {
    Plan { part, trusts_showing: true, most: MAX_OBJECTS }
}

pub(in crate::tree) fn names(tree: &AccessibleTree) -> Vec<&str> {
    tree.reachable(&tree.windows).into_iter().map(|place| &*tree.objects[place].name).collect()
}

pub(in crate::tree) async fn walked(
    app: &Scripted,
    mut tree: AccessibleTree,
    part: Part,
) -> (Answer<()>, AccessibleTree) {
    let outcome = fill(app, &mut tree, vec![at("/window")], plan(part)).await;
    (outcome, tree)
}

#[tokio::test]
async fn an_application_without_cache_is_walked_in_order() {
    let app = Scripted::default().with("/window", &["/a", "/b"]).with("/a", &["/c", "/d"]);
    let (outcome, tree) = walked(&app, AccessibleTree::default(), Part::Whole).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(names(&tree), ["window", "a", "c", "d", "b"]);
    assert_eq!(tree.cut, None);
}

#[tokio::test]
async fn a_gap_in_the_cache_is_walked_and_the_rest_is_not_asked_again() {
    let app = Scripted::default().with("/window", &["/a", "/table"]).with("/table", &["/cell", "/other"]);
    let mut tree = app.cache(&["/window", "/a", "/table"]);
    let table = tree.find(&at("/table")).unwrap();
    tree.objects[table].child_count = -1;
    let (_, tree) = walked(&app, tree, Part::Visible).await;
    assert_eq!(names(&tree), ["window", "a", "table", "cell", "other"]);
    // The count and the list of the table, and its two cells.
    assert_eq!(app.calls(), 4);
}

#[tokio::test]
async fn a_complete_cache_costs_nothing_more() {
    let app = Scripted::default().with("/window", &["/a", "/b"]);
    let (_, tree) = walked(&app, app.cache(&["/window", "/a", "/b"]), Part::Whole).await;
    assert_eq!(names(&tree), ["window", "a", "b"]);
    assert_eq!(app.calls(), 0);
}

#[tokio::test]
async fn children_left_out_of_a_list_are_asked_for_one_by_one() {
    let app = Scripted { left_out: 1, ..Scripted::default() }.with("/window", &["/a", "/b"]);
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Whole).await;
    assert_eq!(names(&tree), ["window", "a", "b"]);
}

#[tokio::test]
async fn what_is_hidden_is_read_only_when_all_is_wanted() {
    let app = Scripted::default().with("/window", &["/menu"]).with("/menu", &["/item"]).hidden("/menu");
    let (_, seen) = walked(&app, AccessibleTree::default(), Part::Visible).await;
    assert_eq!(names(&seen), ["window", "menu"]);
    let (_, all) = walked(&app, AccessibleTree::default(), Part::Whole).await;
    assert_eq!(names(&all), ["window", "menu", "item"]);
}

#[tokio::test]
async fn of_a_closed_menu_a_few_items_are_asked_and_of_an_open_one_all_are_read() {
    let items: Vec<String> = (0..40).map(|item| format!("/item{item}")).collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let menu = |hidden: &[&str], states: States| {
        let mut app = Scripted::default().with("/window", &["/menu"]).with("/menu", &items);
        app.objects.get_mut(&at("/menu")).unwrap().role = roles::number::MENU;
        for item in hidden {
            app.objects.get_mut(&at(item)).unwrap().states = states;
        }
        app
    };
    // The toolkit would show it, were the menu open.
    let folded = States::from_halves(&[1 << state::VISIBLE]);
    let closed = menu(&items, folded);
    let (_, seen) = walked(&closed, AccessibleTree::default(), Part::Visible).await;
    assert_eq!(names(&seen), ["window", "menu"]);
    assert!(closed.calls() < 10, "{} calls", closed.calls());
    let (_, all) = walked(&closed, AccessibleTree::default(), Part::Whole).await;
    assert_eq!(names(&all).len(), 2 + 40);
    // Of an open one some may be scrolled out, and most hidden by themselves.
    let (_, scrolled) = walked(&menu(&items[..20], folded), AccessibleTree::default(), Part::Visible).await;
    assert_eq!(names(&scrolled).len(), 2 + 20);
    let shown = "/item7";
    let hidden: Vec<&str> = items.iter().copied().filter(|item| *item != shown).collect();
    let (_, one) = walked(&menu(&hidden, States::default()), AccessibleTree::default(), Part::Visible).await;
    assert_eq!(names(&one), ["window", "menu", "item7"]);
}

#[tokio::test]
async fn levels_bound_what_is_asked_for() {
    let rows: Vec<String> = (0..3000).map(|row| format!("/row{row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let app = Scripted::default().with("/window", &["/a"]).with("/a", &["/list"]).with("/list", &rows);
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Levels(2)).await;
    assert_eq!(names(&tree), ["window", "a", "list"]);
    let list = tree.find(&at("/list")).unwrap();
    assert_eq!(tree.objects[list].child_count, 3000);
    assert!(app.calls() < 10, "{} calls", app.calls());
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Levels(0)).await;
    assert_eq!(names(&tree), ["window"]);
}

#[tokio::test]
async fn a_list_that_is_longer_than_all_that_is_wanted_is_not_asked_for_its_rows() {
    let rows: Vec<String> = (0..3000).map(|row| format!("/row{row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let app = Scripted::default().with("/window", &["/list"]).with("/list", &rows);
    let mut tree = AccessibleTree::default();
    let plan = Plan { most: 1500, ..plan(Part::Whole) };
    fill(&app, &mut tree, vec![at("/window")], plan).await.unwrap();
    assert_eq!(*app.lists.lock().unwrap(), [at("/window")]);
    let list = tree.find(&at("/list")).unwrap();
    assert!(tree.objects[list].has_gap() && tree.cut.is_some());
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Whole).await;
    assert_eq!((tree.objects.len(), tree.cut), (3002, None));
}

#[tokio::test]
async fn a_long_list_of_unknown_length_is_asked_how_long_it_is_and_not_for_its_rows() {
    let rows: Vec<String> = (0..3000).map(|row| format!("/row{row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let app = Scripted::default().with("/window", &["/list"]).with("/list", &rows);
    let mut list = app.objects[&at("/list")].clone();
    list.child_count = -1;
    let items = [(app.objects[&at("/window")].clone(), "/root"), (list, "/window")];
    let items = items.map(|(object, parent)| Item { object, parent: at(parent), index: 0 });
    let mut tree = planted(items.to_vec());
    fill(&app, &mut tree, vec![at("/window")], Plan { most: 1500, ..plan(Part::Whole) }).await.unwrap();
    assert_eq!((app.lists.lock().unwrap().len(), app.calls()), (0, 1));
    let list = &tree.objects[tree.find(&at("/list")).unwrap()];
    assert!(list.has_gap() && list.lists_at_least(1500) && tree.cut.is_some());
}

#[tokio::test]
async fn a_menu_that_its_cache_shows_to_be_closed_is_not_asked() {
    let app = Scripted::default().with("/window", &["/menu"]).with("/menu", &["/open", "/close"]);
    let cached = |names: [&str; 2], role, is_open: bool| {
        let mut menu = Object { role, ..app.objects[&at("/menu")].clone() };
        menu.child_count = -1;
        let mut items = names.map(|name| app.objects[&at(name)].clone());
        if !is_open {
            items.iter_mut().for_each(|item| item.states = States::default());
        }
        let [open, close] = items;
        let placed = [
            (app.objects[&at("/window")].clone(), "/root", 0),
            (menu, "/window", 0),
            (open, "/menu", 0),
            (close, "/menu", 1),
        ];
        planted(placed.map(|(object, parent, index)| Item { object, parent: at(parent), index }).to_vec())
    };
    let names = ["/open", "/close"];
    for (role, is_open, part, calls) in [
        (roles::number::MENU, false, Part::Visible, 0),
        // One that is open may show more than its cache knows; so may what is no menu.
        (roles::number::MENU, true, Part::Visible, 2),
        (roles::number::MENU, false, Part::Whole, 2),
        (roles::number::MENU_BAR, false, Part::Visible, 2),
    ] {
        app.forget_calls();
        let (read, _) = walked(&app, cached(names, role, is_open), part).await;
        read.unwrap();
        assert_eq!(app.calls(), calls, "{role} {is_open} {part:?}");
    }
}

#[tokio::test]
async fn levels_bound_what_is_taken_from_a_cache_and_asked_beside_it() {
    let app = Scripted::default().with("/window", &["/a"]).with("/a", &["/b", "/table"]);
    let app =
        app.with("/b", &["/c"]).with("/c", &["/d"]).with("/table", &["/cell"]).with("/cell", &["/text"]);
    let cache = || {
        let family = [("/window", "/root", 0), ("/a", "/window", 0), ("/b", "/a", 0), ("/c", "/b", 0)];
        let items = family.into_iter().chain([("/d", "/c", 0), ("/table", "/a", 1)]);
        let item = |(path, parent, index)| Item {
            object: app.objects[&at(path)].clone(),
            parent: at(parent),
            index,
        };
        planted(items.map(item).collect())
    };
    let (_, tree) = walked(&app, cache(), Part::Levels(1)).await;
    assert_eq!((names(&tree), app.calls()), (vec!["window", "a"], 0));
    let (_, tree) = walked(&app, cache(), Part::Levels(3)).await;
    assert_eq!(names(&tree), ["window", "a", "b", "c", "table", "cell"]);
    let cell = tree.find(&at("/cell")).unwrap();
    assert_eq!(tree.objects[cell].child_count, 1, "what is below is still counted");
}

#[tokio::test]
async fn an_object_in_two_others_keeps_the_level_where_it_was_met_first() {
    let app =
        Scripted::default().with("/window", &["/shared", "/a"]).with("/a", &["/b"]).with("/b", &["/shared"]);
    let app = app.with("/shared", &["/leaf"]);
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Levels(3)).await;
    assert!(names(&tree).contains(&"leaf"), "{:?}", names(&tree));
}

#[tokio::test]
async fn children_are_never_asked_for_by_the_number_that_is_claimed() {
    for part in [Part::Visible, Part::Whole] {
        let mut app = Scripted::default().with("/window", &["/sheet"]).with("/sheet", &["/a"]);
        app.objects.get_mut(&at("/sheet")).expect("a sheet").child_count = i32::MAX;
        let (_, tree) = walked(&app, AccessibleTree::default(), part).await;
        assert!(tree.cut.is_some(), "what is left out is reported");
        assert!(app.calls() <= MAX_OBJECTS + 100, "{} calls", app.calls());
        assert!(!app.lists.lock().expect("no panic").contains(&at("/sheet")), "all children at once");
    }
}

#[tokio::test]
async fn a_viewport_that_says_it_is_hidden_is_looked_into() {
    let app =
        Scripted::default().with("/window", &["/pane"]).with("/pane", &["/list"]).with("/list", &["/row"]);
    let mut app = app.hidden("/pane");
    app.objects.get_mut(&at("/pane")).expect("a pane").role = crate::roles::number::VIEWPORT;
    let (_, seen) = walked(&app, AccessibleTree::default(), Part::Visible).await;
    assert_eq!(names(&seen), ["window", "pane", "list", "row"]);
}

#[tokio::test]
async fn of_a_long_list_the_rows_in_view_are_read() {
    let rows: Vec<i32> = (0..2000).collect();
    // All points report what lies there, only the one in the middle does, or none does.
    for found_by_point in [None, Some(5), Some(-1)] {
        let places = places_asked_for_rows_in_view(found_by_point, &rows).await;
        assert!(places < 60, "{places} of 2000 rows were asked where they are");
    }
}

#[tokio::test]
async fn a_scroll_bar_shows_the_rows_in_view_and_the_header_stays() {
    let rows: Vec<String> = (0..2000).map(|row| format!("/row{row}")).collect();
    let children: Vec<&str> = std::iter::once("/header").chain(rows.iter().map(String::as_str)).collect();
    let bar = Some(Bar { at: 10_000.0, length: 19_910.0 });
    // No point of it reports what lies there.
    let app = Scripted { bar, found_by_point: Some(-1), ..Scripted::default() };
    let app = app.with("/window", &["/list"]).with("/list", &children);
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Visible).await;
    let names = names(&tree);
    assert!(names.contains(&"header"), "{names:?}");
    assert!((1000..1010).all(|row| names.contains(&&*format!("row{row}"))), "{names:?}");
    assert!(names.len() < 60, "{names:?}");
    // The list itself was not asked for all of its children.
    assert!(app.calls() < 120);
}

#[tokio::test]
async fn rows_in_no_order_are_all_asked_where_they_are() {
    // 7 and 2000 have no common factor, so that each row comes once.
    let rows: Vec<i32> = (0..2000).map(|row| row * 7 % 2000).collect();
    let places = places_asked_for_rows_in_view(Some(-1), &rows).await;
    assert!(places > 2000, "{places} rows were asked where they are");
}

/// Reads a list with these rows, of which ten can be seen, and sees that those were read.
async fn places_asked_for_rows_in_view(found_by_point: Option<i32>, rows: &[i32]) -> usize {
    let rows: Vec<String> = rows.iter().map(|row| format!("/row{row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let app = Scripted { found_by_point, ..Scripted::default() };
    let app = app.with("/window", &["/list"]).with("/list", &rows);
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Visible).await;
    let names = names(&tree);
    assert!((1000..1010).all(|row| names.contains(&&*format!("row{row}"))), "{names:?}");
    assert!(names.len() < 30, "{names:?}");
    app.places.load(std::sync::atomic::Ordering::Relaxed)
}

#[tokio::test]
async fn an_application_that_freezes_keeps_what_was_read() {
    let app = Scripted { frozen: vec![at("/b")], ..Scripted::default() }.with("/window", &["/a", "/b"]);
    let (outcome, tree) = walked(&app, AccessibleTree::default(), Part::Whole).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(names(&tree), ["window", "a"]);
    assert_eq!(tree.cut.as_deref(), Some("the application stopped answering"));
}

#[tokio::test]
async fn an_application_that_answers_nothing_is_an_error() {
    let app = Scripted { frozen: vec![at("/window")], ..Scripted::default() }.with("/window", &[]);
    let (outcome, _) = walked(&app, AccessibleTree::default(), Part::Whole).await;
    assert_eq!(outcome, Err(CallError::Timeout));
}

#[tokio::test]
async fn whether_windows_are_the_same_is_asked_all_at_once() {
    let app = Scripted::default().with("/root", &["/window", "/dialog"]);
    let same = async |known: &[&str]| {
        let known: Vec<Handle> = known.iter().map(|path| at(path)).collect();
        has_windows(&app, &at("/root"), &known).await.unwrap()
    };
    assert!(same(&["/window", "/dialog"]).await);
    assert_eq!((*app.under_way.lock().unwrap(), app.calls()), ((0, 3), 3));
    assert!(app.lists.lock().unwrap().is_empty());
    for others in [&["/dialog", "/window"][..], &["/window"], &["/window", "/dialog", "/other"], &[]] {
        assert!(!same(others).await, "{others:?}");
    }
}

#[tokio::test]
async fn an_application_that_counts_windows_which_are_none_is_asked_for_its_list() {
    let app = Scripted::default().with("/root", &["/window", "/org/a11y/atspi/null"]);
    assert!(has_windows(&app, &at("/root"), &[at("/window")]).await.unwrap());
    assert_eq!(*app.lists.lock().unwrap(), [at("/root")]);
}
