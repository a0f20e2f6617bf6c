//! What was read last of an application, brought up to date by what it has reported since.
//!
//! For the looks right before and after an action, where most of the application is as it was. What toolkits report is
//! relied on only there, only for a short time, and only as long as nothing contradicts it: other windows, in the tree or
//! on the screen, missed events, or objects that are gone cause a full read. What a client asks to see is always read
//! again.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::Rect;
use fingertip_core::sync::lock;
use futures_util::future::try_join3;

use crate::incremental::Changed;
use crate::windows::ListedWindow;

/// How long what was read whole is brought up to date; toolkits leave some changes unreported.
const KEPT: Duration = Duration::from_secs(30);

/// How much is different when something happened to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The object itself.
    Object,
    /// The object, and which objects are in it.
    Below,
    /// Anything in its application.
    Application,
}

/// An application whose events are followed.
#[async_trait]
pub trait FollowedApp: Sync {
    /// What is read of it.
    type Raw: Send;
    /// Its events since some moment.
    type Following: Send;
    /// What names an object of it.
    type Handle: Clone + PartialEq + Send;
    /// Why it does not answer.
    type Error: Send;

    /// Whether it has these windows, in this order, and no others.
    async fn has_windows(&self, known: &[Self::Handle]) -> Result<bool, Self::Error>;

    /// Returns once everything has arrived that it had reported when it was asked.
    async fn catch_up(&self) -> Result<(), Self::Error>;

    /// Follows what happens from now on.
    fn follow(&self) -> Self::Following;

    /// Whether something has happened.
    fn has_news(following: &Self::Following) -> bool;

    /// What it reported since; `None` when some of it may have been missed.
    fn since(&self, following: &mut Self::Following) -> Option<Vec<(Self::Handle, Reach)>>;

    /// The windows as they were read.
    fn windows_of(raw: &Self::Raw) -> Vec<Self::Handle>;

    /// Asks again for what has changed; false when all must be read anew.
    async fn renew(&self, raw: &mut Self::Raw, changed: Changed<Self::Handle>) -> Result<bool, Self::Error>;
}

/// What was read last of an application, if that can still be of use.
#[derive(Debug)]
pub struct SnapshotCache<R, F, H>(Mutex<Option<Kept<R, F, H>>>);

#[derive(Debug)]
struct Kept<R, F, H> {
    raw: R,
    following: F,
    /// The listed windows it was read with.
    windows: Option<Vec<Shown>>,
    /// When all was read.
    read: Instant,
    /// Objects that something was done to.
    touched: Vec<H>,
}

/// What must be the same of a listed window.
type Shown = (u32, Rect, bool);

/// What is remembered of an application.
#[derive(Debug)]
pub struct Recalled<R, F> {
    /// What was read of it before, as it is now, and the listed windows it was read with.
    kept: Option<(R, Option<Vec<Shown>>)>,
    /// What is followed since then.
    pub following: F,
}

impl<R, F> Recalled<R, F> {
    /// What was read before, if the application still has the same listed windows.
    pub fn raw(&mut self, windows: Option<&[&ListedWindow]>) -> Option<R> {
        self.kept.take().filter(|(_, seen)| *seen == windows.map(shown)).map(|(raw, _)| raw)
    }
}

impl<R, F, H> Default for SnapshotCache<R, F, H> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<R, F, H: Clone + PartialEq> SnapshotCache<R, F, H> {
    /// Keeps what was read whole, to be brought up to date by what is followed since before it was.
    pub fn keep(&self, raw: R, (following, read): (F, Instant), windows: Option<&[&ListedWindow]>) {
        let kept = Kept { raw, following, windows: windows.map(shown), read, touched: Vec::new() };
        *lock(&self.0) = Some(kept);
    }

    /// Notes that something was done to an object, which is then looked at again whether it reports it or not.
    pub fn touch(&self, handle: &H) {
        if let Some(kept) = lock(&self.0).as_mut() {
            kept.touched.push(handle.clone());
        }
    }

    /// Forgets what was read: all is read anew next time.
    pub fn forget(&self) {
        *lock(&self.0) = None;
    }

    /// Brings what was read last of an application up to date.
    ///
    /// # Errors
    /// When the application does not answer.
    pub async fn recall<A>(&self, app: &A) -> Result<Recalled<R, F>, A::Error>
    where
        A: FollowedApp<Raw = R, Following = F, Handle = H>,
    {
        let kept = lock(&self.0).take().filter(|kept| kept.read.elapsed() < KEPT);
        let Some(mut kept) = kept else {
            // If it was asked only just now to report, that reaches it meanwhile.
            app.catch_up().await?;
            return Ok(Recalled { kept: None, following: app.follow() });
        };
        // One that is busy answers late, so what it has reported is asked without waiting for the rest.
        let windows = A::windows_of(&kept.raw);
        let early = async { if A::has_news(&kept.following) { kept.renew(app).await } else { Ok(true) } };
        let asked = try_join3(app.has_windows(&windows), app.catch_up(), early);
        let (has_windows, (), is_current) = asked.await?;
        if is_current && has_windows && kept.renew(app).await? {
            let Kept { raw, following, windows, .. } = kept;
            return Ok(Recalled { kept: Some((raw, windows)), following });
        }
        Ok(Recalled { kept: None, following: app.follow() })
    }
}

impl<R, F, H: PartialEq> Kept<R, F, H> {
    /// Asks again for what has changed by what has arrived; false when all must be read anew.
    async fn renew<A>(&mut self, app: &A) -> Result<bool, A::Error>
    where
        A: FollowedApp<Raw = R, Following = F, Handle = H>,
    {
        match self.changed(app) {
            Some(changed) if changed.is_empty() => Ok(true),
            Some(changed) => app.renew(&mut self.raw, changed).await,
            None => Ok(false),
        }
    }

    /// What the application reported since; `None` when that may be anything.
    fn changed<A>(&mut self, app: &A) -> Option<Changed<H>>
    where
        A: FollowedApp<Raw = R, Following = F, Handle = H>,
    {
        let mut changed = Changed { objects: std::mem::take(&mut self.touched), ..Changed::default() };
        for (handle, reach) in app.since(&mut self.following)? {
            let list = match reach {
                Reach::Object => &mut changed.objects,
                Reach::Below => &mut changed.below,
                Reach::Application => return None,
            };
            if !list.contains(&handle) {
                list.push(handle);
            }
        }
        Some(changed)
    }
}

fn shown(windows: &[&ListedWindow]) -> Vec<Shown> {
    windows.iter().map(|window| (window.id, window.bounds, window.minimized)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An application with one window, which is read as the objects that were asked for again.
    struct Fake {
        window: &'static str,
        events: Option<Vec<(&'static str, Reach)>>,
    }

    type Cache = SnapshotCache<Vec<&'static str>, (), &'static str>;

    #[async_trait]
    impl FollowedApp for Fake {
        type Raw = Vec<&'static str>;
        type Following = ();
        type Handle = &'static str;
        type Error = ();

        async fn has_windows(&self, known: &[&'static str]) -> Result<bool, ()> {
            Ok(known == [self.window])
        }

        async fn catch_up(&self) -> Result<(), ()> {
            Ok(())
        }

        fn follow(&self) {}

        fn has_news((): &()) -> bool {
            false
        }

        fn since(&self, (): &mut ()) -> Option<Vec<(&'static str, Reach)>> {
            self.events.clone()
        }

        fn windows_of(_: &Self::Raw) -> Vec<&'static str> {
            vec!["window"]
        }

        async fn renew(&self, raw: &mut Self::Raw, changed: Changed<&'static str>) -> Result<bool, ()> {
            raw.extend(changed.objects);
            Ok(true)
        }
    }

    async fn recalled(
        cache: &Cache,
        window: &'static str,
        events: Option<Vec<(&'static str, Reach)>>,
        listed: Option<&[&ListedWindow]>,
    ) -> Option<Vec<&'static str>> {
        cache.keep(vec!["read"], ((), Instant::now()), Some(&[]));
        cache.touch(&"touched");
        cache.recall(&Fake { window, events }).await.expect("an answer").raw(listed)
    }

    #[tokio::test]
    async fn what_was_touched_or_reported_is_asked_again() {
        let cache = Cache::default();
        let events = Some(vec![("label", Reach::Object), ("label", Reach::Object)]);
        let raw = recalled(&cache, "window", events, Some(&[])).await;
        assert_eq!(raw, Some(vec!["read", "touched", "label"]));
        // What was recalled is kept anew by who read it.
        let next = cache.recall(&Fake { window: "window", events: Some(Vec::new()) }).await;
        assert_eq!(next.expect("an answer").raw(Some(&[])), None);
    }

    #[tokio::test]
    async fn other_windows_missed_events_and_changes_of_all_make_all_be_read() {
        let cache = Cache::default();
        let none = || Some(Vec::new());
        assert_eq!(recalled(&cache, "other", none(), Some(&[])).await, None);
        assert_eq!(recalled(&cache, "window", None, Some(&[])).await, None);
        let all = Some(vec![("window", Reach::Application)]);
        assert_eq!(recalled(&cache, "window", all, Some(&[])).await, None);
        let listed = ListedWindow::default();
        assert_eq!(recalled(&cache, "window", none(), Some(&[&listed])).await, None);
    }
}
