//! Reading one application: its objects, where they are, which can be seen, and their details.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::target::Part;
use fingertip_core::{Deadline, Rect, Window};
use rustc_hash::FxHashMap;

use crate::apps::Running;
use crate::bus::{Bus, CallError};
use crate::sight::Sight;
use crate::toolkit::Toolkit;
use crate::tree::detail::{self, Detail, Examiner};
use crate::tree::live::Live;
use crate::tree::pace::Way;
use crate::tree::walk::{self, Plan};
use crate::tree::{Forest, Source, cached};
use crate::windows::{self, Top};
use crate::x11::XWindow;

/// How much time is kept back to hand over what was read, at the most.
const HANDING_OVER: Duration = Duration::from_millis(150);

/// So many objects are few.
const FEW: usize = 256;

/// One application as it was read.
pub(crate) struct Reading {
    /// Its objects.
    pub(crate) forest: Forest,
    /// What it is made with.
    pub(crate) toolkit: Toolkit,
    /// Its windows, as they stand in [`Forest::windows`].
    pub(crate) tops: Vec<Top>,
    /// For each of them the X window that shows it.
    pub(crate) shown_by: Vec<Option<usize>>,
    /// What is known of each object, by its position; `None` for those that are left out.
    pub(crate) seen: Vec<Option<Seen>>,
}

/// Where an object is, whether it can be seen, and what it says of itself.
pub(crate) struct Seen {
    pub(crate) bounds: Rect,
    pub(crate) visible: bool,
    pub(crate) detail: Detail,
}

/// Reads an application whose X windows are these; `None` when there is no X server to know them.
///
/// # Errors
/// When it answers nothing at all. What is missing for another reason is told in the forest.
pub(crate) async fn read(
    bus: &Arc<Bus>,
    app: &Running,
    windows: Option<&[&XWindow]>,
    part: Part,
    deadline: Deadline,
) -> Result<Reading, CallError> {
    let deadline = early(deadline);
    let (peer, toolkit) = app.meet(bus, deadline).await?;
    let live = Live { peer, toolkit, deadline };
    let mut forest = structure(&live, app, toolkit, part).await?;
    let order = forest.reachable(&forest.windows);
    let wanted: Vec<usize> = match part {
        Part::Whole => order,
        Part::Visible => in_sight(&forest, &order, toolkit),
    };
    let examiner = Examiner::new(peer, toolkit, deadline);
    // Of a few objects everything is asked at once; of many, details only of those that turn out to be visible.
    let (places, early) = if wanted.len() <= FEW {
        let (places, details) =
            tokio::join!(examiner.places(&forest, &wanted), examiner.details(&forest, &wanted));
        (places, Some(details))
    } else {
        (examiner.places(&forest, &wanted).await, None)
    };
    let places = places.noted(&mut forest);
    let mut told = vec![None; forest.objects.len()];
    for (&place, extents) in wanted.iter().zip(places) {
        told[place] = extents;
    }
    let tops = tops(&forest, &told);
    let shown_by = windows.map_or_else(|| vec![None; tops.len()], |windows| windows::join(&tops, windows));
    let mut sight = Sight { forest: &forest, told: &told, toolkit, spots: vec![None; told.len()] };
    for (position, top) in tops.iter().enumerate() {
        let shown = windows.and_then(|windows| shown_by[position].map(|window| windows[window]));
        sight.look(forest.windows[position], top, shown, windows.is_some());
    }
    let spots = sight.spots;
    let kept: Vec<usize> = match part {
        Part::Whole => wanted.clone(),
        Part::Visible => kept(&forest, &wanted, &spots),
    };
    let details = match early {
        Some(early) => {
            let mut of: FxHashMap<usize, Detail> =
                wanted.iter().copied().zip(early.noted(&mut forest)).collect();
            kept.iter().map(|place| of.remove(place).unwrap_or_default()).collect()
        }
        None => examiner.details(&forest, &kept).await.noted(&mut forest),
    };
    detail::note_longest(&mut forest, &details);
    if forest.cut.is_some() && deadline.passed() {
        forest.cut = Some(format!("the time was up when {} objects were read", forest.objects.len()));
    }
    let mut seen: Vec<Option<Seen>> = (0..forest.objects.len()).map(|_| None).collect();
    for (place, detail) in kept.into_iter().zip(details) {
        let (bounds, visible) = spots[place].unwrap_or_default();
        seen[place] = Some(Seen { bounds, visible, detail });
    }
    Ok(Reading { forest, toolkit, tops, shown_by, seen })
}

/// The moment to stop reading, so that there is time left to hand over what was read.
fn early(deadline: Deadline) -> Deadline {
    let left = deadline.remaining();
    Deadline::after(left - (left / 10).min(HANDING_OVER))
}

/// All objects: from the cache where there is one, and by walking where it has gaps.
async fn structure(
    live: &Live<'_>,
    app: &Running,
    toolkit: Toolkit,
    part: Part,
) -> Result<Forest, CallError> {
    let started = Instant::now();
    let way = if part == Part::Visible { app.pace.way() } else { Way::Cache };
    let windows = live.children(&app.root);
    let (windows, mut forest) = if toolkit.has_cache() && way == Way::Cache {
        let (windows, items) = tokio::join!(windows, live.items());
        let forest = match items {
            Ok(items) => cached::planted(items),
            // No cache, or one of another form: everything is asked for.
            Err(CallError::Missing(_) | CallError::Refused(_) | CallError::Malformed(_)) => Forest::default(),
            Err(error) => return Err(error),
        };
        (windows?, forest)
    } else {
        (windows.await?, Forest::default())
    };
    let windows = windows.into_iter().filter(|window| !window.is_nothing()).collect();
    let plan = Plan { part, trusts_showing: toolkit.tells_showing() };
    walk::fill(live, &mut forest, windows, plan).await?;
    if part == Part::Visible {
        app.pace.took(way, started.elapsed());
    }
    Ok(forest)
}

/// What may be seen by its toolkit's word: what is showing, and what that is in.
fn in_sight(forest: &Forest, order: &[usize], toolkit: Toolkit) -> Vec<usize> {
    if !toolkit.tells_showing() {
        return order.to_vec();
    }
    let showing: Vec<bool> = forest.objects.iter().map(|object| object.states.is_showing()).collect();
    with_ancestors(forest, order, &showing)
}

/// What is kept when only what can be seen is wanted.
fn kept(forest: &Forest, wanted: &[usize], spots: &[Option<(Rect, bool)>]) -> Vec<usize> {
    let visible: Vec<bool> = spots.iter().map(|spot| spot.is_some_and(|(_, visible)| visible)).collect();
    with_ancestors(forest, wanted, &visible)
}

/// Those that are marked and their ancestors, in the same order, which has parents before children.
fn with_ancestors(forest: &Forest, order: &[usize], marked: &[bool]) -> Vec<usize> {
    let mut keep = marked.to_vec();
    for &place in order.iter().rev() {
        keep[place] |= forest.objects[place].children.iter().any(|&child| keep[child]);
    }
    order.iter().copied().filter(|&place| keep[place]).collect()
}

fn tops(forest: &Forest, told: &[Option<Rect>]) -> Vec<Top> {
    let top = |&place: &usize| {
        let object = &forest.objects[place];
        Top {
            title: object.name.clone(),
            told: told[place].unwrap_or_default(),
            role: object.role,
            active: object.states.is_active(),
        }
    };
    forest.windows.iter().map(top).collect()
}

/// The application that says it is in front, for sessions without an X server.
pub(crate) async fn active(
    bus: &Arc<Bus>,
    running: &[Arc<Running>],
    deadline: Deadline,
) -> Option<Arc<Running>> {
    let listed = futures_util::future::join_all(running.iter().map(|app| tops_of(bus, app, deadline))).await;
    let position = listed.iter().position(|tops| tops.iter().any(|top| top.active))?;
    Some(Arc::clone(&running[position]))
}

/// All windows as the applications tell of them, for sessions without an X server.
pub(crate) async fn windows(bus: &Arc<Bus>, running: &[Arc<Running>], deadline: Deadline) -> Vec<Window> {
    let listed = futures_util::future::join_all(running.iter().map(|app| tops_of(bus, app, deadline))).await;
    let mut all = Vec::new();
    for (app, tops) in running.iter().zip(listed) {
        all.extend(tops.iter().map(|top| windows::lone(top, &app.name(), app.pid, 0)));
    }
    all.sort_by_key(|window| !window.focused);
    all
}

/// The windows of one application; none when it does not answer, as others must not wait for it.
async fn tops_of(bus: &Arc<Bus>, app: &Running, deadline: Deadline) -> Vec<Top> {
    let asked = async {
        let (peer, toolkit) = app.meet(bus, deadline).await?;
        let live = Live { peer, toolkit, deadline };
        let mut tops = Vec::new();
        for handle in live.children(&app.root).await? {
            let object = live.object(&handle).await?;
            let told = live.extents(&handle).await.unwrap_or_default();
            let active = object.states.is_active();
            tops.push(Top { title: object.name, told, role: object.role, active });
        }
        Ok::<_, CallError>(tops)
    };
    asked.await.unwrap_or_else(|error| {
        tracing::debug!(%error, "an application does not tell its windows");
        Vec::new()
    })
}
