//! The same through the real adb: its server is found, started, and spoken to.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_android::adb::program;
use fingertip_android::{Adb, AndroidTarget, Preference, ServerAddress};
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, Scope, Screenshot, ScreenshotRequest};
use fingertip_core::{Deadline, Reason};
use fingertip_sim::phone::Profile;
use fingertip_sim::{SimPhone, adbd};
use tokio::net::TcpListener;

use super::bench::{CALCULATOR, find, soon};

/// An adb server of the test's own; it ends with the test.
struct RealAdb {
    adb: Adb,
}

impl RealAdb {
    async fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        Self { adb: Adb::starting(ServerAddress { host: "127.0.0.1".to_owned(), port }) }
    }

    fn run(&self, words: &[&str]) {
        let port = self.adb.address().unwrap().port.to_string();
        let ran = Command::new(program::find().unwrap()).args(["-P", &port]).args(words).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    }
}

impl Drop for RealAdb {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_adb_carries_every_call_of_the_shell() {
    carries_every_call(Preference::Shell).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_adb_carries_every_call_of_the_agent() {
    carries_every_call(Preference::Agent).await;
}

async fn carries_every_call(preference: Preference) {
    if program::find().is_none() {
        assert!(std::env::var_os("CI").is_none(), "this test needs the adb program");
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let serial = listener.local_addr().unwrap().to_string();
    let phone = SimPhone::start(Profile::default());
    tokio::spawn(adbd::serve(listener, Arc::clone(&phone)));

    let real = RealAdb::start().await;
    assert_eq!(real.adb.version(soon()).await, Ok(41));
    real.run(&["connect", &serial]);
    let target = AndroidTarget::new(real.adb.device(&serial)).driven_by(preference);
    let by_agent = preference == Preference::Agent;
    phone.with(|phone| phone.start(CALCULATOR).map(drop)).unwrap();
    for key in ["digit_7", "op_add", "digit_3", "eq"] {
        let snapshot = target.snapshot(&Scope::Screen, soon()).await.unwrap();
        let at = snapshot.node(find(&snapshot, key)).bounds.center();
        target.gesture(&Gesture::tap(at), &Expected::anyone(), soon()).await.unwrap();
    }
    let snapshot = target.snapshot(&Scope::Screen, soon()).await.unwrap();
    assert!(snapshot.nodes().iter().any(|node| node.text.as_deref() == Some("10")));
    let screen = snapshot.screen.bounds();
    let pinch = Gesture::pinch(screen.center(), 2.0, Duration::from_millis(100), screen).unwrap();
    target.gesture(&pinch, &Expected::anyone(), soon()).await.unwrap();
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    let picture = target.screenshot(request, soon()).await.unwrap();
    assert_eq!(matches!(picture, Screenshot::Jpeg { .. }), by_agent);
    let device = real.adb.device(&serial);
    device.push("/data/local/tmp/file", 0o600, &[7; 100_000], soon()).await.unwrap();
    assert_eq!(device.pull("/data/local/tmp/file", soon()).await.unwrap(), [7; 100_000]);

    phone.faults().change(|plan| plan.frozen_screen = true);
    let start = Instant::now();
    let call = target.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(10)));
    let (error, ()) = tokio::join!(call, async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let serial = serial.clone();
        tokio::task::block_in_place(|| real.run(&["disconnect", &serial]));
    });
    let reason = error.unwrap_err().reason();
    assert!(matches!(reason, Reason::Disconnected | Reason::PermissionDenied), "{reason:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    let away = target.snapshot(&Scope::Screen, soon()).await.unwrap_err();
    assert_eq!(away.reason(), Reason::PermissionDenied);
    phone.faults().clear();
    real.run(&["connect", &serial]);
    let start = Instant::now();
    while target.snapshot(&Scope::Screen, soon()).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(10), "the phone is back and not served");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
