//! An application whose notifications are followed, so that what was read of it last can be brought up to date; see
//! [`fingertip_desktop::cache`].
//!
//! Applications of macOS leave many changes unreported, labels above all. So what was read is brought up to date only as
//! long as nothing was done to the application by us: after an act all is read anew.

use async_trait::async_trait;
use fingertip_desktop::cache::{self, FollowedApp, Reach};
use fingertip_desktop::incremental::{self, Changed};

use crate::client::Client;
use crate::element::Element;
use crate::events::{Events, Following};
use crate::failure::{Answer, Failure};
use crate::read::RawTree;
use crate::tree::renew::Again;

/// What was read last of an application, if that can still be of use.
pub(crate) type SnapshotCache = cache::SnapshotCache<RawTree, Following, Element>;
/// What is remembered of an application.
pub(crate) type Recalled = cache::Recalled<RawTree, Following>;

/// An application and its notifications.
pub(crate) struct Followed<'a> {
    pub(crate) client: &'a Client<'a>,
    pub(crate) events: &'a Events,
}

#[async_trait]
impl FollowedApp for Followed<'_> {
    type Raw = RawTree;
    type Following = Following;
    type Handle = Element;
    type Error = Failure;

    async fn has_windows(&self, known: &[Element]) -> Answer<bool> {
        Ok(self.client.app_facts()?.tops == known)
    }

    /// Nothing says whether a notification is under way. The question for the windows was answered behind all that the
    /// application had sent before it.
    async fn catch_up(&self) -> Answer<()> {
        Ok(())
    }

    fn follow(&self) -> Following {
        self.events.follow(self.client.app.pid)
    }

    fn has_news(following: &Following) -> bool {
        following.has_news()
    }

    fn since(&self, following: &mut Following) -> Option<Vec<(Element, Reach)>> {
        self.events.since(following)
    }

    fn windows_of(raw: &RawTree) -> Vec<Element> {
        raw.tops.clone()
    }

    async fn renew(&self, raw: &mut RawTree, changed: Changed<Element>) -> Answer<bool> {
        let tree = &mut raw.walked.tree;
        let again = Again { client: self.client, tree };
        let Some(fresh) = incremental::ask(&again, tree, &changed).await? else { return Ok(false) };
        fresh.apply(tree);
        Ok(tree.cut.is_none())
    }
}
