//! Looking for objects of an application that is too large to be read whole.
//!
//! Objects are looked at from the windows down, about in the order they stand in, and each is asked no more than what
//! rules it out: its role where another one is wanted, else its names and states; only what may be meant is asked for
//! its details. A search ends when enough was found or its time is up; what is still ahead is kept, and another call
//! goes on from there.
//!
//! Bounds: [`MOST_PASSED`] objects with children are remembered, and of a long list [`ROWS`] rows at a time are ahead.

use fingertip_core::Deadline;
use fingertip_core::select::Sought;
use futures_util::{StreamExt, stream};
use rustc_hash::FxHashSet;

use super::detail::{Detail, Examiner};
use super::grid;
use super::node::node;
use super::visible;
use super::walk::{self, IN_FLIGHT, MOST_LISTED};
use super::{AccessibleTree, Object, Source};
use crate::bus::{Answer, Answered, CallError};
use crate::client::Client;
use crate::handle::Handle;
use crate::roles;

/// How many objects are looked at before it is asked whether that is enough.
const BATCH: usize = 4 * IN_FLIGHT;
/// How many rows of a long list are asked for at a time.
const ROWS: i32 = 512;
/// The most objects with children that a search remembers.
const MOST_PASSED: usize = 50_000;

/// A search that has not seen everything yet.
#[derive(Debug, Clone)]
pub(crate) struct Search {
    sought: Sought,
    /// What was read at once, and need not be asked for again.
    known: AccessibleTree,
    /// What is to be looked at, the next one last.
    ahead: Vec<Ahead>,
    /// What was looked at and has children, with where what it is in stands here. The windows come first.
    passed: Vec<Passed>,
    listed: FxHashSet<Handle>,
    /// How many objects were looked at.
    pub(crate) looked_at: usize,
    note: Option<&'static str>,
}

#[derive(Debug, Clone)]
struct Passed {
    handle: Handle,
    parent: Option<usize>,
}

#[derive(Debug, Clone)]
enum Ahead {
    /// An object, in that one of those passed.
    Object { handle: Handle, parent: Option<usize> },
    /// The rows of a long list from this one on.
    Rows { parent: usize, next: i32, count: i32 },
}

/// What is looked for, and where it is.
#[derive(Debug)]
pub(crate) struct Match {
    object: Object,
    pub(crate) detail: Detail,
    parent: Option<usize>,
}

/// What came of looking at one thing.
struct Looked {
    handle: Option<Handle>,
    parent: Option<usize>,
    found: Option<(Object, Detail)>,
    below: Below,
}

/// What is below an object.
enum Below {
    Nothing,
    Objects(Vec<Handle>, Option<&'static str>),
    /// So many rows of a list.
    Rows(i32),
    /// Some rows of the list it is in, and where they go on.
    Some(Vec<Handle>, Option<(i32, i32)>),
}

impl Search {
    /// A search below these windows; what is known already is not asked for again.
    pub(crate) fn new(sought: Sought, known: AccessibleTree, windows: Vec<Handle>) -> Self {
        let ahead = windows.into_iter().rev().map(|handle| Ahead::Object { handle, parent: None }).collect();
        let passed = Vec::new();
        Self { sought, known, ahead, passed, listed: FxHashSet::default(), looked_at: 0, note: None }
    }

    /// Whether everything was looked at.
    pub(crate) fn is_over(&self) -> bool {
        self.ahead.is_empty()
    }

    /// Why not all can be found, where that is known.
    pub(crate) fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// Looks on until so many are found or the time is up.
    ///
    /// # Errors
    /// When the application ended.
    pub(crate) async fn run(
        &mut self,
        client: &Client<'_>,
        most: usize,
        until: Deadline,
    ) -> Answer<Vec<Match>> {
        let examiner = Examiner::new(client);
        let mut found = Vec::new();
        while found.len() < most && !until.passed() && !self.ahead.is_empty() {
            let mut batch = self.ahead.split_off(self.ahead.len().saturating_sub(BATCH));
            let answers = self.answers(&examiner, client, &batch, until).await?;
            // What was not answered in time is asked again by the next call; what was is done with.
            let is_late = answers.len() < batch.len();
            batch.truncate(batch.len() - answers.len());
            self.ahead.extend(batch);
            let mut next = Vec::new();
            for looked in answers.into_iter().flatten() {
                self.take(looked, &mut found, &mut next);
            }
            self.ahead.extend(next.into_iter().rev());
            if is_late {
                break;
            }
        }
        Ok(found)
    }

    /// What came of looking at these, the last first, as far as that was answered in time; `None` for what is gone.
    async fn answers(
        &self,
        examiner: &Examiner<'_>,
        client: &Client<'_>,
        batch: &[Ahead],
        until: Deadline,
    ) -> Answer<Vec<Option<Looked>>> {
        let next: Vec<Ahead> = batch.iter().rev().cloned().collect();
        let asked = stream::iter(next).map(|ahead| self.look(examiner, client, ahead));
        let mut asked = std::pin::pin!(asked.buffered(IN_FLIGHT));
        let mut answers = Vec::new();
        while let Ok(Some(answer)) = tokio::time::timeout_at(until.instant().into(), asked.next()).await {
            match answer.missing_ok() {
                Err(CallError::Timeout) => break,
                answer => answers.push(answer?),
            }
        }
        Ok(answers)
    }

    fn take(&mut self, looked: Looked, found: &mut Vec<Match>, next: &mut Vec<Ahead>) {
        let Looked { handle, parent, found: matched, below } = looked;
        self.looked_at += usize::from(handle.is_some());
        if let Some((object, detail)) = matched {
            found.push(Match { object, detail, parent });
        }
        let own = match (&below, handle) {
            (Below::Nothing, Some(handle)) if parent.is_none() => self.pass(handle, parent),
            (Below::Nothing, _) => None,
            (Below::Some(..), _) => parent,
            (Below::Objects(..) | Below::Rows(_), Some(handle)) => self.pass(handle, parent),
            (Below::Objects(..) | Below::Rows(_), None) => None,
        };
        let Some(own) = own else { return };
        let mut objects = |handles: Vec<Handle>| {
            next.extend(handles.into_iter().map(|handle| Ahead::Object { handle, parent: Some(own) }));
        };
        match below {
            Below::Nothing => {}
            Below::Objects(handles, note) => {
                self.note = self.note.or(note);
                objects(handles);
            }
            Below::Rows(count) => next.push(Ahead::Rows { parent: own, next: 0, count }),
            Below::Some(handles, rest) => {
                objects(handles);
                if let Some((row, count)) = rest {
                    next.push(Ahead::Rows { parent: own, next: row, count });
                }
            }
        }
    }

    /// Remembers an object whose children are looked at next; none that was passed before, as an application may name an
    /// object as its own ancestor.
    fn pass(&mut self, handle: Handle, parent: Option<usize>) -> Option<usize> {
        if self.passed.len() >= MOST_PASSED {
            self.note = Some("the application has more objects than a search remembers");
            return None;
        }
        if !self.listed.insert(handle.clone()) {
            return None;
        }
        self.passed.push(Passed { handle, parent });
        Some(self.passed.len() - 1)
    }

    async fn look(&self, examiner: &Examiner<'_>, client: &Client<'_>, ahead: Ahead) -> Answer<Looked> {
        match ahead {
            Ahead::Object { handle, parent } => {
                let (child_count, found) = self.meet(examiner, client, &handle).await?;
                let below = self.below(client, &handle, child_count).await?;
                Ok(Looked { handle: Some(handle), parent, found, below })
            }
            Ahead::Rows { parent, next, count } => {
                let end = next.saturating_add(ROWS).min(count);
                let rows = visible::range(client, &self.passed[parent].handle, next..=end - 1).await?;
                let below = Below::Some(rows, (end < count).then_some((end, count)));
                Ok(Looked { handle: None, parent: Some(parent), found: None, below })
            }
        }
    }

    /// Looks at one object: how many children it says it has, and whether it is what is looked for.
    async fn meet(
        &self,
        examiner: &Examiner<'_>,
        client: &Client<'_>,
        handle: &Handle,
    ) -> Answer<(i32, Option<(Object, Detail)>)> {
        let known = self.known.find(handle).map(|place| &self.known.objects[place]);
        if known.is_none()
            && let Some(wanted) = self.sought.roles()
        {
            let (number, child_count) = tokio::try_join!(client.role(handle), client.child_count(handle))?;
            if !wanted.contains(&roles::role(number)) {
                return Ok((child_count, None));
            }
        }
        let sketch = match known {
            Some(object) => object.clone(),
            None => client.sketch(handle).await?,
        };
        let child_count = sketch.child_count;
        if sketch.states.is_defunct() || !self.may_be(client, &sketch) {
            return Ok((child_count, None));
        }
        let object = if known.is_some() { sketch } else { client.object(handle).await? };
        let detail = examiner.detail(&object, None).await?;
        let made = node(&object, detail.clone(), fingertip_core::Rect::default(), false, client.toolkit);
        Ok((child_count, self.sought.matches(&made).then_some((object, detail))))
    }

    /// Whether an object can be meant, by what is known of it without its details.
    fn may_be(&self, client: &Client<'_>, object: &Object) -> bool {
        let description = object.description.clone().unwrap_or_default();
        let detail = Detail { description, ..Detail::default() };
        let sketch = node(object, detail, fingertip_core::Rect::default(), false, client.toolkit);
        self.sought.admits(&sketch, Examiner::unread(object, client.toolkit))
    }

    async fn below(&self, client: &Client<'_>, handle: &Handle, child_count: i32) -> Answer<Below> {
        if let Some(place) = self.known.find(handle)
            && !self.known.objects[place].has_gap()
        {
            let children = &self.known.objects[place].children;
            let handles: Vec<Handle> =
                children.iter().map(|&child| self.known.objects[child].handle.clone()).collect();
            return Ok(if handles.is_empty() { Below::Nothing } else { Below::Objects(handles, None) });
        }
        let count = if child_count < 0 { client.child_count(handle).await? } else { child_count };
        if count <= 0 {
            return Ok(Below::Nothing);
        }
        if count <= MOST_LISTED {
            let children = walk::few(client, handle, count).await?;
            return Ok(Below::Objects(children, None));
        }
        Ok(match grid::cells(client, handle).await? {
            Some(cells) => Below::Objects(cells.filled, cells.note),
            None => Below::Rows(count),
        })
    }

    /// What was found, in what it is in, with all windows; and what each of those found says of itself.
    ///
    /// # Errors
    /// When the application stopped answering.
    pub(crate) async fn gathered(
        &self,
        client: &Client<'_>,
        found: Vec<Match>,
    ) -> Answer<(AccessibleTree, Vec<(Handle, Detail)>)> {
        let mut around: Vec<usize> =
            (0..self.passed.len()).filter(|&place| self.passed[place].parent.is_none()).collect();
        for Match { parent, .. } in &found {
            around.extend(std::iter::successors(*parent, |&place| self.passed[place].parent));
        }
        // What is around another was passed before it.
        around.sort_unstable();
        around.dedup();
        let asked = stream::iter(around.clone()).map(|place| async move {
            let handle = &self.passed[place].handle;
            match self.known.find(handle) {
                Some(known) => Ok(self.known.objects[known].clone()),
                None => client.object(handle).await,
            }
        });
        let objects: Vec<Answer<Object>> = asked.buffered(IN_FLIGHT).collect().await;
        let mut tree = AccessibleTree::default();
        let mut places = rustc_hash::FxHashMap::default();
        for (&passed, object) in around.iter().zip(objects) {
            let Some(object) = object.missing_ok()? else { continue };
            let place = tree.add(Object { children: Vec::new(), ..object });
            places.insert(passed, place);
            put(&mut tree, self.passed[passed].parent.map(|parent| places.get(&parent).copied()), place);
        }
        let mut details = Vec::new();
        for Match { object, detail, parent } in found {
            details.push((object.handle.clone(), detail));
            let place = tree.add(Object { children: Vec::new(), ..object });
            put(&mut tree, parent.map(|parent| places.get(&parent).copied()), place);
        }
        Ok((tree, details))
    }
}

/// Puts an object into what it is in: `None` for a window, `Some(None)` where that is gone.
fn put(tree: &mut AccessibleTree, parent: Option<Option<usize>>, place: usize) {
    let family = match parent {
        None => &mut tree.windows,
        Some(Some(parent)) => &mut tree.objects[parent].children,
        Some(None) => return,
    };
    if !family.contains(&place) {
        family.push(place);
    }
}
