//! A phone, its adb server, and a target that drives it.

use std::sync::Arc;
use std::time::Duration;

use fingertip_android::{Adb, AndroidTarget, Patience, Preference, ServerAddress};
use fingertip_core::gesture::Gesture;
use fingertip_core::hit;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Scope};
use fingertip_core::{Deadline, NodeIndex, Point, Snapshot};
use fingertip_sim::phone::Profile;
use fingertip_sim::{AdbServer, SimPhone};

pub(crate) const CALCULATOR: &str = "com.android.calculator2/.Calculator";
pub(crate) const NOTES: &str = "com.fingertip.demo.notes/.NotesActivity";
pub(crate) const SETTINGS: &str = "com.android.settings/.Settings";
pub(crate) const GALLERY: &str = "com.fingertip.demo.gallery/.GalleryActivity";
pub(crate) const CONTACT: &str = "com.android.contacts/.activities.ContactEditorActivity";

/// Long enough for a JVM on a busy machine, short enough to be waited for.
const SHORT: Patience = Patience {
    start: Duration::from_secs(10),
    first_backoff: Duration::from_millis(500),
    longest_backoff: Duration::from_secs(2),
};

pub(crate) struct Bench {
    pub(crate) server: AdbServer,
    pub(crate) phone: Arc<SimPhone>,
    pub(crate) adb: Adb,
    pub(crate) target: AndroidTarget,
}

impl Bench {
    pub(crate) async fn start() -> Self {
        Self::of(Profile::default()).await
    }

    /// The same phone, driven by the agent that it serves itself.
    pub(crate) async fn agent() -> Self {
        let bench = Self::with(Profile::default(), Preference::Automatic).await;
        bench.phone.run_agents_on(None);
        bench
    }

    pub(crate) async fn of(profile: Profile) -> Self {
        Self::with(profile, Preference::Shell).await
    }

    pub(crate) async fn with(profile: Profile, preference: Preference) -> Self {
        let server = AdbServer::start("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let serial = profile.serial.clone();
        let phone = SimPhone::start(profile);
        server.add(Arc::clone(&phone));
        let adb = Adb::at(ServerAddress { host: "127.0.0.1".to_owned(), port: server.address().port() });
        let target = AndroidTarget::new(adb.device(&serial)).driven_by(preference).patience(SHORT);
        Self { server, phone, adb, target }
    }

    /// Opens an app, as its icon would.
    pub(crate) fn open(&self, component: &str) {
        self.phone.with(|phone| phone.start(component).map(drop)).unwrap();
    }

    pub(crate) async fn look(&self) -> Snapshot {
        self.target.snapshot(&Scope::Screen, soon()).await.unwrap()
    }

    pub(crate) async fn tap(&self, at: Point) {
        self.target.gesture(&Gesture::tap(at), &Expected::anyone(), soon()).await.unwrap();
    }

    /// Taps the node with this resource id, text or description.
    pub(crate) async fn press(&self, name: &str) {
        let snapshot = self.look().await;
        self.tap(hit::aim(&snapshot, find(&snapshot, name)).unwrap()).await;
    }

    /// The text of the node with this name.
    pub(crate) async fn text(&self, name: &str) -> Option<String> {
        let snapshot = self.look().await;
        snapshot.node(find(&snapshot, name)).text.as_deref().map(str::to_owned)
    }
}

pub(crate) fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

/// The first node with this end of a resource id, text or description.
pub(crate) fn find(snapshot: &Snapshot, name: &str) -> NodeIndex {
    try_find(snapshot, name).unwrap_or_else(|| panic!("no {name} on {:?}", snapshot.activity))
}

pub(crate) fn try_find(snapshot: &Snapshot, name: &str) -> Option<NodeIndex> {
    let id = format!(":id/{name}");
    snapshot.indices().find(|index| {
        let node = snapshot.node(*index);
        node.resource_id.as_deref().is_some_and(|known| known.ends_with(&id))
            || node.text.as_deref() == Some(name)
            || node.description.as_deref() == Some(name)
    })
}
