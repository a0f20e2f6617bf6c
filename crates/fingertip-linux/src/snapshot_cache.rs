//! An application whose events are followed, so that what was read of it last can be brought up to date; see
//! [`fingertip_desktop::cache`].

use async_trait::async_trait;
use fingertip_core::target::Part;
use fingertip_desktop::cache::{self, FollowedApp, Reach};
use fingertip_desktop::incremental::{self, Changed};

use crate::apps::Running;
use crate::bus::{Answer, CallError};
use crate::client::Client;
use crate::events::{Events, Following};
use crate::handle::Handle;
use crate::raw_tree::RawTree;
use crate::tree::renew::Again;
use crate::tree::walk::{self, MAX_OBJECTS, Plan};

/// What was read last of an application, if that can still be of use.
pub(crate) type SnapshotCache = cache::SnapshotCache<RawTree, Following, Handle>;
/// What is remembered of an application.
pub(crate) type Recalled = cache::Recalled<RawTree, Following>;

/// An application and its events.
pub(crate) struct Followed<'a> {
    pub(crate) client: &'a Client<'a>,
    pub(crate) app: &'a Running,
    pub(crate) events: &'a Events,
}

#[async_trait]
impl FollowedApp for Followed<'_> {
    type Raw = RawTree;
    type Following = Following;
    type Handle = Handle;
    type Error = CallError;

    async fn has_windows(&self, known: &[Handle]) -> Answer<bool> {
        walk::has_windows(self.client, &self.app.root, known).await
    }

    async fn catch_up(&self) -> Answer<()> {
        self.events.catch_up(&self.app.root.bus_name, self.client.deadline).await
    }

    fn follow(&self) -> Following {
        self.events.follow()
    }

    fn has_news(following: &Following) -> bool {
        following.has_news()
    }

    fn since(&self, following: &mut Following) -> Option<Vec<(Handle, Reach)>> {
        let events = self.events.since(following, &self.app.root.bus_name)?;
        Some(events.iter().map(|raw| (raw.handle.clone(), raw.reach)).collect())
    }

    fn windows_of(raw: &RawTree) -> Vec<Handle> {
        raw.tree.windows.iter().map(|&place| raw.tree.objects[place].handle.clone()).collect()
    }

    async fn renew(&self, raw: &mut RawTree, changed: Changed<Handle>) -> Answer<bool> {
        let trusts_showing = self.client.toolkit.tells_showing();
        let plan = Plan { part: Part::Visible, trusts_showing, most: MAX_OBJECTS };
        let again = Again { source: self.client, plan };
        let single = changed.single(&raw.tree);
        for &place in &single {
            // What a cache said of it once may be out of date.
            raw.tree.objects[place].description = None;
        }
        // Most objects stay of the same sort, so that all can be asked of them at once.
        let asked = incremental::ask(&again, &raw.tree, &changed);
        let (fresh, examined) = tokio::join!(asked, raw.examined(self.client, &single));
        let Some(fresh) = fresh? else { return Ok(false) };
        raw.note(&single, examined);
        let renewed = fresh.apply(&mut raw.tree);
        let wanted = raw.wanted(Part::Visible, self.client.toolkit);
        let (other, rest): (Vec<usize>, Vec<usize>) =
            wanted.into_iter().partition(|place| renewed.other.contains(place));
        raw.examine(self.client, &other).await;
        if renewed.moved {
            raw.place(self.client, &rest).await;
        }
        Ok(raw.tree.cut.is_none())
    }
}
