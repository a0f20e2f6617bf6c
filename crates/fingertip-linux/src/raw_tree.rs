//! What an application says of its objects: which there are, where they are, and what each says of itself.

use std::time::Instant;

use fingertip_core::Rect;
use fingertip_core::target::Part;

use crate::apps::Running;
use crate::bus::{Answer, Answered};
use crate::client::Client;
use crate::toolkit::Toolkit;
use crate::tree::detail::{self, Answers, Detail, Examiner};
use crate::tree::read_strategy::Way;
use crate::tree::walk::{self, MAX_OBJECTS, Plan};
use crate::tree::{AccessibleTree, Source, cached};

/// So many objects are few.
const FEW: usize = 256;
/// So many levels are most of what an application has: its cache, one call, costs less than a walk.
const DEEP: u32 = 8;

/// Where some objects are, and what they say of themselves.
pub(crate) type Examined = (Answers<Option<Rect>>, Answers<Detail>);

/// What an application says.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawTree {
    /// Its objects.
    pub(crate) tree: AccessibleTree,
    /// Where they are in its own coordinates, by position.
    pub(crate) places: Vec<Option<Rect>>,
    /// Their details, by position; `None` where they were not asked for.
    pub(crate) details: Vec<Option<Detail>>,
}

impl RawTree {
    /// Asks an application for its objects and where they are. Of a few objects everything is asked at once; of many,
    /// details only of those that turn out to be visible: see [`Self::complete`].
    ///
    /// # Errors
    /// When it answers nothing at all.
    pub(crate) async fn ask(client: &Client<'_>, app: &Running, part: Part) -> Answer<Self> {
        let tree = structure(client, app, part, MAX_OBJECTS).await?;
        Ok(Self::located(client, tree, part).await)
    }

    /// What an application reports of these objects beside their structure: where they are, and of a few all of it.
    pub(crate) async fn located(client: &Client<'_>, tree: AccessibleTree, part: Part) -> Self {
        let mut raw = Self { tree, ..Self::default() };
        let wanted = raw.wanted(part, client.toolkit);
        if wanted.len() <= FEW {
            raw.examine(client, &wanted).await;
        } else {
            raw.place(client, &wanted).await;
        }
        raw
    }

    /// Whether it is all of one application. Parts of another one report changes under a name of their own.
    pub(crate) fn is_whole(&self) -> bool {
        let mut owners = self.tree.objects.iter().map(|object| &object.handle.bus_name);
        self.tree.cut.is_none() && owners.next().is_none_or(|first| owners.all(|owner| owner == first))
    }

    /// The objects that may matter, parents before children.
    pub(crate) fn wanted(&self, part: Part, toolkit: Toolkit) -> Vec<usize> {
        let order = self.tree.reachable(&self.tree.windows);
        match part {
            Part::Whole | Part::Levels(_) => order,
            Part::Visible => may_be_visible(&self.tree, &order, toolkit),
        }
    }

    /// Asks where these objects are.
    pub(crate) async fn place(&mut self, client: &Client<'_>, wanted: &[usize]) {
        self.places.resize(self.tree.objects.len(), None);
        self.details.resize(self.tree.objects.len(), None);
        let places = Examiner::new(client).places(&self.tree, wanted).await.noted(&mut self.tree);
        wanted.iter().zip(places).for_each(|(&place, extents)| self.places[place] = extents);
    }

    /// Asks where these objects are and what they say of themselves.
    pub(crate) async fn examine(&mut self, client: &Client<'_>, wanted: &[usize]) {
        let examined = self.examined(client, wanted).await;
        self.note(wanted, examined);
    }

    /// Where these objects are and what they say of themselves.
    pub(crate) async fn examined(&self, client: &Client<'_>, wanted: &[usize]) -> Examined {
        let examiner = Examiner::new(client);
        let details = examiner.details(&self.tree, wanted, &self.details);
        tokio::join!(examiner.places(&self.tree, wanted), details)
    }

    /// Notes what these objects answered.
    pub(crate) fn note(&mut self, wanted: &[usize], (places, details): Examined) {
        self.places.resize(self.tree.objects.len(), None);
        self.details.resize(self.tree.objects.len(), None);
        let (places, details) = (places.noted(&mut self.tree), details.noted(&mut self.tree));
        for ((&place, extents), detail) in wanted.iter().zip(places).zip(details) {
            self.places[place] = extents;
            self.details[place] = Some(detail);
        }
    }

    /// Asks for the details that are missing of these objects, and notes what could not be read.
    pub(crate) async fn complete(&mut self, client: &Client<'_>, kept: &[usize]) {
        let missing: Vec<usize> =
            kept.iter().copied().filter(|&place| self.details[place].is_none()).collect();
        let details = Examiner::new(client).details(&self.tree, &missing, &[]).await.noted(&mut self.tree);
        for (place, detail) in missing.into_iter().zip(details) {
            self.details[place] = Some(detail);
        }
        let details = kept.iter().filter_map(|&place| self.details[place].as_ref());
        detail::note_longest(&mut self.tree, details);
        if self.tree.cut.is_some() && client.deadline.passed() {
            let count = self.tree.objects.len();
            self.tree.cut = Some(format!("the time was up when {count} objects were read"));
        }
    }
}

/// The objects, so many at the most: from the cache where there is one, and by walking where it has gaps.
///
/// # Errors
/// When the application answers nothing at all.
pub(crate) async fn structure(
    client: &Client<'_>,
    app: &Running,
    part: Part,
    most: usize,
) -> Answer<AccessibleTree> {
    let toolkit = client.toolkit;
    let started = Instant::now();
    let way = match part {
        Part::Visible => app.strategy.way(),
        // A few levels are a few objects, of whatever many there are.
        Part::Levels(levels) if levels < DEEP => Way::Walk,
        Part::Levels(_) | Part::Whole => Way::Cache,
    };
    let windows = walk::windows(client, &app.root);
    let (windows, mut tree) = if toolkit.has_cache() && way == Way::Cache {
        let (windows, items) = tokio::join!(windows, client.items());
        // No cache, or one of another form: everything is asked for.
        let tree = items.missing_ok()?.map(cached::planted).unwrap_or_default();
        (windows?, tree)
    } else {
        (windows.await?, AccessibleTree::default())
    };
    let windows = windows.into_iter().filter(|window| !window.is_nothing()).collect();
    let plan = Plan { part, trusts_showing: toolkit.tells_showing(), most };
    walk::fill(client, &mut tree, windows, plan).await?;
    if part == Part::Visible {
        app.strategy.took(way, started.elapsed());
    }
    Ok(tree)
}

/// The objects that may be visible: those their toolkit calls showing, and what they are in.
fn may_be_visible(tree: &AccessibleTree, order: &[usize], toolkit: Toolkit) -> Vec<usize> {
    if !toolkit.tells_showing() {
        return order.to_vec();
    }
    let showing: Vec<bool> = tree.objects.iter().map(|object| object.states.is_showing()).collect();
    tree.with_ancestors(order, &showing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handle;
    use crate::tree::Object;
    use crate::tree::object::tests::object;

    #[test]
    fn a_guest_in_an_application_is_noticed() {
        let mut raw = RawTree::default();
        assert!(raw.is_whole());
        raw.tree.add(object("/a", 0));
        assert!(raw.is_whole());
        raw.tree.add(Object { handle: Handle::new(":1.2", "/guest"), ..object("/b", 0) });
        assert!(!raw.is_whole());
    }
}
