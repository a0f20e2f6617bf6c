//! Reading one application: its objects, where they are, which can be seen, and their details.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use fingertip_core::select::Sought;
use fingertip_core::target::Part;
use fingertip_core::{Deadline, Rect, Window};
use fingertip_desktop::assemble::Reading;
use fingertip_desktop::windows::{self, TopWindow};
use fingertip_desktop::{ListedWindow, RunningApp};

use crate::apps::Running;
use crate::bus::{Answer, Bus, CallError};
use crate::client::Client;
use crate::handle::Handle;
use crate::place::{Placing, margin};
use crate::raw_tree::{RawTree, structure};
use crate::roles;
use crate::seen_tree::{Seen, SeenTree};
use crate::snapshot_cache::Recalled;
use crate::states::{States, state};
use crate::toolkit::Toolkit;
use crate::tree::astray;
use crate::tree::object::correct_tabs;
use crate::tree::pages;
use crate::tree::search::Search;
use crate::tree::walk;
use crate::tree::{AccessibleTree, Object, Source};
use crate::visibility::Visibility;

/// How much time is kept back to hand over what was read, at the most.
const HANDING_OVER: Duration = Duration::from_millis(150);

/// An application of fewer objects is read whole when something is looked for in it.
const SMALL: usize = 1_500;

/// How long an application may take to build its tree when it is asked for the first time.
const BUILT_WITHIN: Duration = Duration::from_millis(1500);
/// How often that is looked at.
const BUILDING: Duration = Duration::from_millis(100);

/// How an application is read.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    /// How much of it.
    pub(crate) part: Part,
    /// Its windows on the display; `None` where the display server does not list them.
    pub(crate) windows: Option<&'a [&'a ListedWindow]>,
    /// What the places that it reports mean.
    pub(crate) placing: Placing,
    pub(crate) deadline: Deadline,
}

/// Reads an application, but for what is recalled of it.
///
/// # Errors
/// When it answers nothing at all. What is missing for another reason is noted in the tree.
pub(crate) async fn read(
    bus: &Arc<Bus>,
    app: &Running,
    look: Look<'_>,
    mut recalled: Option<Recalled>,
) -> Answer<Reading<SeenTree>> {
    let deadline = early(look.deadline);
    let client = app.client(bus, deadline).await?;
    let Look { part, windows, .. } = look;
    let known = recalled.as_mut().and_then(|recalled| recalled.raw(windows));
    let is_recalled = known.is_some();
    let raw = match known {
        Some(raw) => raw,
        None => ask(&client, app, part).await?,
    };
    let (mut reading, raw) = judged(&client, raw, look).await;
    reading.recalled = is_recalled;
    if let Some(Recalled { following, .. }) = recalled.filter(|_| raw.is_whole()) {
        let began = following.began();
        app.cache.keep(raw, (following, began), windows);
    }
    Ok(reading)
}

/// Decides what of this can be seen, and asks for the details that are still missing.
async fn judged(
    client: &Client<'_>,
    mut raw: RawTree,
    Look { part, windows, placing, .. }: Look<'_>,
) -> (Reading<SeenTree>, RawTree) {
    let toolkit = client.toolkit;
    let tops = tops(&raw.tree, &raw.places);
    let mut shown_by =
        windows.map_or_else(|| vec![None; tops.len()], |windows| windows::join(&tops, windows));
    let same_size = |reported: Rect, bounds: Rect| {
        (reported.width(), reported.height()) == (bounds.width(), bounds.height())
    };
    let fits = |reported: Rect, bounds: Rect| match placing {
        Placing::OnScreen => false,
        Placing::InSurfaces | Placing::InListedSurfaces => same_size(reported, bounds),
        Placing::InBuffers => margin(toolkit, reported, bounds).is_some(),
    };
    join_by_size(&tops, windows.unwrap_or_default(), fits, &mut shown_by);
    let spots = vec![None; raw.places.len()];
    let popups = windows.filter(|_| placing.lists_popups()).map(|windows| {
        let popups = windows.iter().filter(|window| window.unmanaged && !window.minimized);
        popups.map(|window| window.bounds).collect()
    });
    let put_away = match toolkit.keeps_pages_visible() {
        true => pages::put_away(client, &raw.tree, &raw.places).await,
        false => Vec::new(),
    };
    let astray = match toolkit.puts_items_astray() {
        true => astray::items_astray(client, &raw.tree, &raw.places).await,
        false => Vec::new(),
    };
    let mut away = vec![false; raw.tree.objects.len()];
    raw.tree.reachable(&put_away).into_iter().for_each(|place| away[place] = true);
    let mut visibility = Visibility {
        tree: &raw.tree,
        reported: &raw.places,
        toolkit,
        placing,
        popups,
        put_away,
        astray,
        spots,
    };
    for (position, top) in tops.iter().enumerate() {
        let shown = windows.and_then(|windows| shown_by[position].map(|window| windows[window]));
        let is_certain = shown.is_none_or(|shown| !has_twin(shown, windows.unwrap_or_default()));
        visibility.look(raw.tree.windows[position], top, shown, windows.is_some(), is_certain);
    }
    let spots = visibility.spots;
    let wanted = raw.wanted(part, toolkit);
    let kept = match part {
        Part::Whole | Part::Levels(_) => wanted,
        Part::Visible => visible_of(&raw.tree, &wanted, &spots),
    };
    raw.complete(client, &kept).await;
    let mut seen: Vec<Option<Seen>> = (0..raw.tree.objects.len()).map(|_| None).collect();
    for place in kept {
        let (bounds, visible) = spots[place].unwrap_or_default();
        let detail = raw.details[place].clone().unwrap_or_default();
        seen[place] = Some(Seen { bounds, visible, put_away: away[place], detail });
    }
    let cut = raw.tree.cut.clone();
    let mut tree = raw.tree.clone();
    if toolkit.calls_chosen_tabs_focused() {
        correct_tabs(&mut tree);
    }
    let tree = SeenTree { tree, toolkit, seen, is_sparse: false };
    (Reading { tree, tops, shown_by, cut, recalled: false, is_sparse: false }, raw)
}

/// Looks for some objects of an application. One that is small is read whole; of a large one what is found is read, with
/// what it is in. Also gives what is left to look at.
///
/// # Errors
/// When it answers nothing at all.
pub(crate) async fn search(
    bus: &Arc<Bus>,
    app: &Running,
    look: Look<'_>,
    wanted: Wanted<'_>,
) -> Answer<(Reading<SeenTree>, Option<Search>)> {
    let deadline = early(look.deadline);
    let client = app.client(bus, deadline).await?;
    let toolkit = client.toolkit;
    if toolkit.builds_late() && !app.is_built.load(Ordering::Relaxed) {
        ask(&client, app, Part::Visible).await?;
    }
    let mut search = match wanted.rest {
        Some(search) => search.clone(),
        None => {
            let first = Client { deadline: deadline.slice(deadline.remaining() / 3), ..client };
            let tree = match structure(&first, app, Part::Whole, SMALL).await {
                // What could not be read at once is looked at one by one.
                Err(CallError::Timeout) => AccessibleTree::default(),
                tree => tree?,
            };
            let is_small =
                !tree.objects.iter().any(|object| object.has_gap() && object.lists_at_least(SMALL));
            if is_small && tree.objects.len() < SMALL && !first.deadline.passed() {
                let raw = RawTree::located(&client, tree, Part::Whole).await;
                return Ok((judged(&client, raw, look).await.0, None));
            }
            let windows = walk::windows(&client, &app.root).await?;
            Search::new(wanted.sought.clone(), tree, windows)
        }
    };
    let until = deadline.slice(deadline.remaining() * 3 / 4);
    let found = search.run(&client, wanted.most, until).await?;
    let is_late = found.len() < wanted.most && !search.is_over();
    let (tree, details) = search.gathered(&client, found).await?;
    let mut raw = RawTree { tree, ..RawTree::default() };
    let all = raw.wanted(Part::Whole, toolkit);
    raw.place(&client, &all).await;
    for (handle, detail) in details {
        if let Some(place) = raw.tree.find(&handle) {
            raw.details[place] = Some(detail);
        }
    }
    let (mut reading, _) = judged(&client, raw, look).await;
    (reading.is_sparse, reading.tree.is_sparse) = (true, true);
    reading.cut = reading.cut.or_else(|| search.note().map(str::to_owned));
    if is_late {
        // How far it came is what to know, whatever else is missing.
        let looked_at = search.looked_at;
        reading.cut = Some(format!("the time was up when {looked_at} objects had been looked at"));
    }
    Ok((reading, (!search.is_over()).then_some(search)))
}

/// What is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) sought: &'a Sought,
    /// How many are enough.
    pub(crate) most: usize,
    /// What an earlier call left to look at.
    pub(crate) rest: Option<&'a Search>,
}

/// Asks an application for its objects. One that builds its tree when it is first asked is given a moment for that.
async fn ask(client: &Client<'_>, app: &Running, part: Part) -> Answer<RawTree> {
    let mut raw = RawTree::ask(client, app, part).await?;
    if !client.toolkit.builds_late() || app.is_built.load(Ordering::Relaxed) {
        return Ok(raw);
    }
    let limit = client.deadline.slice(BUILT_WITHIN.min(client.deadline.remaining() / 2));
    while !has_document(&raw) {
        if limit.passed() {
            raw.tree.cut("its page is not there yet; look again in a moment");
            return Ok(raw);
        }
        tokio::time::sleep(BUILDING).await;
        raw = RawTree::ask(client, app, part).await?;
    }
    app.is_built.store(true, Ordering::Relaxed);
    Ok(raw)
}

/// Whether a page is shown, with something in it and a place.
fn has_document(raw: &RawTree) -> bool {
    let RawTree { tree, places, .. } = raw;
    tree.objects.iter().zip(places).any(|(object, place)| {
        let is_shown = roles::is_page(object.role) && object.states.is_showing() && object.child_count != 0;
        is_shown && place.is_some_and(|place| !place.is_empty())
    })
}

/// The moment to stop reading, so that there is time left to hand over what was read.
fn early(deadline: Deadline) -> Deadline {
    let left = deadline.remaining();
    Deadline::after(left - (left / 10).min(HANDING_OVER))
}

/// What is kept when only what can be seen is wanted.
fn visible_of(tree: &AccessibleTree, wanted: &[usize], spots: &[Option<(Rect, bool)>]) -> Vec<usize> {
    let visible: Vec<bool> = spots.iter().map(|spot| spot.is_some_and(|(_, visible)| visible)).collect();
    tree.with_ancestors(wanted, &visible)
}

/// Joins a window without a title, as KCalc has it, by its size alone where that leaves no choice: where it is, its
/// application does not know.
fn join_by_size(
    tops: &[TopWindow],
    windows: &[&ListedWindow],
    fits: impl Fn(Rect, Rect) -> bool,
    shown_by: &mut [Option<usize>],
) {
    for position in 0..tops.len() {
        let size = (tops[position].reported.width(), tops[position].reported.height());
        let is_alike = |top: usize, shown_by: &[Option<usize>]| {
            let reported = tops[top].reported;
            shown_by[top].is_none()
                && tops[top].title.is_empty()
                && (reported.width(), reported.height()) == size
        };
        let rivals = (0..tops.len()).filter(|&top| is_alike(top, shown_by)).count();
        if !is_alike(position, shown_by) || rivals > 1 || tops[position].reported.is_empty() {
            continue;
        }
        let mut free = (0..windows.len()).filter(|&window| {
            !shown_by.contains(&Some(window)) && fits(tops[position].reported, windows[window].bounds)
        });
        if let (Some(only), None) = (free.next(), free.next()) {
            shown_by[position] = Some(only);
        }
    }
}

/// Whether another window could be taken for this one by an application that does not know where its windows are.
fn has_twin(window: &ListedWindow, windows: &[&ListedWindow]) -> bool {
    let looks_like = |other: &&&ListedWindow| {
        let same_size =
            other.bounds.width() == window.bounds.width() && other.bounds.height() == window.bounds.height();
        other.id != window.id && other.title == window.title && other.active == window.active && same_size
    };
    windows.iter().any(|other| looks_like(&other))
}

fn tops(tree: &AccessibleTree, reported: &[Option<Rect>]) -> Vec<TopWindow> {
    let top = |&place: &usize| top(&tree.objects[place], reported[place].unwrap_or_default());
    tree.windows.iter().map(top).collect()
}

fn top(object: &Object, reported: Rect) -> TopWindow {
    TopWindow {
        title: object.name.clone(),
        reported,
        kind: roles::window_kind(object.role),
        tooltip: object.role == roles::number::TOOL_TIP,
        active: object.states.has(state::ACTIVE),
        modal: object.states.has(state::MODAL),
    }
}

/// The application that says it is in front, for sessions whose display server does not report that.
pub(crate) async fn active(
    bus: &Arc<Bus>,
    running: &[Arc<Running>],
    deadline: Deadline,
) -> Option<Arc<Running>> {
    let listed = futures_util::future::join_all(running.iter().map(|app| tops_of(bus, app, deadline))).await;
    let position = listed.iter().position(|tops| tops.iter().any(|window| window.top.active))?;
    Some(Arc::clone(&running[position]))
}

/// All windows as the applications expose them, for sessions whose display server does not report that.
pub(crate) async fn windows(bus: &Arc<Bus>, running: &[Arc<Running>], deadline: Deadline) -> Vec<Window> {
    let listed = futures_util::future::join_all(running.iter().map(|app| tops_of(bus, app, deadline))).await;
    let mut all = Vec::new();
    for (app, tops) in running.iter().zip(listed) {
        all.extend(tops.iter().map(|window| windows::lone(&window.top, &app.name(), app.pid, 0)));
    }
    all.sort_by_key(|window| !window.focused);
    all
}

/// A window as its application reports it.
pub(crate) struct ToldWindow {
    pub(crate) handle: Handle,
    pub(crate) states: States,
    pub(crate) toolkit: Toolkit,
    pub(crate) top: TopWindow,
}

/// The windows of one application; none when it does not answer, as others must not wait for it.
pub(crate) async fn tops_of(bus: &Arc<Bus>, app: &Running, deadline: Deadline) -> Vec<ToldWindow> {
    let asked = async {
        let client = app.client(bus, deadline).await?;
        let mut tops = Vec::new();
        for handle in walk::windows(&client, &app.root).await? {
            let object = match client.object(&handle).await {
                // One that closed meanwhile is not there; the others are.
                Err(error) if error.says_no() => continue,
                object => object?,
            };
            let reported = client.extents(&handle).await.unwrap_or_default();
            let top = top(&object, reported);
            tops.push(ToldWindow { handle, states: object.states, toolkit: client.toolkit, top });
        }
        Ok::<_, CallError>(tops)
    };
    asked.await.unwrap_or_else(|error| {
        tracing::debug!(%error, "an application does not list its windows");
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_without_a_title_is_the_only_one_of_its_size() {
        let top = |title: &str, width| TopWindow {
            title: title.into(),
            reported: Rect::new(0, 0, width, 100),
            ..TopWindow::default()
        };
        let window = |left| ListedWindow {
            bounds: Rect::new(left, 50, left + 200, 150),
            title: "KCalc".to_owned(),
            ..ListedWindow::default()
        };
        let joined = |tops: &[TopWindow], windows: &[&ListedWindow]| {
            let mut shown_by = vec![None; tops.len()];
            let same =
                |one: Rect, other: Rect| (one.width(), one.height()) == (other.width(), other.height());
            join_by_size(tops, windows, same, &mut shown_by);
            shown_by
        };
        let (one, other) = (window(300), window(700));
        assert_eq!(joined(&[top("", 90), top("", 200)], &[&one]), [None, Some(0)]);
        assert_eq!(joined(&[top("", 200), top("", 200)], &[&one]), [None, None]);
        assert_eq!(joined(&[top("", 200)], &[&one, &other]), [None]);
        assert_eq!(joined(&[top("Another", 200)], &[&one]), [None]);
    }

    #[test]
    fn windows_that_look_the_same_are_twins() {
        let window = |id, title: &str, width, active| ListedWindow {
            id,
            title: title.to_owned(),
            bounds: Rect::new(0, 0, width, 100),
            active,
            ..ListedWindow::default()
        };
        let one = window(1, "Untitled", 100, false);
        for (other, is_twin) in [
            (window(2, "Untitled", 100, false), true),
            (window(2, "Untitled", 100, true), false),
            (window(2, "Untitled", 120, false), false),
            (window(2, "Letter", 100, false), false),
        ] {
            assert_eq!(has_twin(&one, &[&one, &other]), is_twin, "{other:?}");
        }
        assert!(!has_twin(&one, &[&one]));
    }
}
