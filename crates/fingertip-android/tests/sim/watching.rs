//! Phones that come and go.

use std::sync::Arc;
use std::time::Duration;

use fingertip_android::watch::{Watcher, watch};
use fingertip_android::{AndroidTarget, Preference};
use fingertip_core::Reason;
use fingertip_core::prelude::*;
use fingertip_core::target::Scope;
use fingertip_sim::phone::Profile;
use fingertip_sim::{Presence, SimPhone};
use tokio::sync::mpsc;

use super::bench::{Bench, soon};

struct Reporter(mpsc::UnboundedSender<(&'static str, Arc<AndroidTarget>)>);

impl Watcher for Reporter {
    fn wants(&self, _: &str) -> bool {
        true
    }

    fn attached(&mut self, target: &Arc<AndroidTarget>) {
        let _ = self.0.send(("attached", Arc::clone(target)));
    }

    fn changed(&mut self, target: &Arc<AndroidTarget>) {
        let _ = self.0.send(("changed", Arc::clone(target)));
    }

    fn detached(&mut self, target: &Arc<AndroidTarget>) {
        let _ = self.0.send(("detached", Arc::clone(target)));
    }
}

#[tokio::test]
async fn a_phone_is_followed_through_all_its_states() {
    let bench = Bench::start().await;
    let (sender, mut reports) = mpsc::unbounded_channel();
    let watching = tokio::spawn(watch(bench.adb.clone(), Preference::Shell, Reporter(sender)));
    let mut next =
        async || tokio::time::timeout(Duration::from_secs(5), reports.recv()).await.unwrap().unwrap();
    let be = |presence| bench.phone.faults().change(move |plan| plan.presence = presence);

    let (what, phone) = next().await;
    assert_eq!((what, phone.info().label.as_str()), ("attached", "Fingertip Demo, Android 14"));
    assert!(phone.snapshot(&Scope::Screen, soon()).await.is_ok());
    be(Presence::Unauthorized);
    assert_eq!(next().await.0, "changed");
    let error = phone.snapshot(&Scope::Screen, soon()).await.unwrap_err();
    assert_eq!((phone.info().state.as_str(), error.reason()), ("unauthorized", Reason::PermissionDenied));
    be(Presence::Away);
    assert_eq!(next().await.0, "detached");
    assert_eq!(phone.info().state, "disconnected");
    be(Presence::Online);
    let (what, again) = next().await;
    assert_eq!(what, "attached");
    assert!(Arc::ptr_eq(&phone, &again));
    assert!(phone.snapshot(&Scope::Screen, soon()).await.is_ok());

    let second =
        SimPhone::start(Profile { serial: "second".into(), model: "Other".into(), ..Profile::default() });
    bench.server.add(second);
    let (what, other) = next().await;
    assert_eq!((what, other.info().name.as_str()), ("attached", "android:second"));
    bench.server.remove("second");
    assert_eq!(next().await.0, "detached");
    watching.abort();
}
