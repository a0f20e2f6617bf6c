//! Phones coming and going, as a scripted server reports it.

use std::sync::atomic::{AtomicUsize, Ordering};

use fingertip_core::Reason;
use fingertip_core::prelude::*;
use fingertip_core::target::Scope;
use tokio::sync::mpsc;

use super::*;
use crate::test_support::{FakeAdb, Reply};

/// Passes on what it gets, in words. It wants all phones but those that are called `Other`.
struct Reporter(mpsc::UnboundedSender<(&'static str, Arc<AndroidTarget>)>);

impl Watcher for Reporter {
    fn wants(&self, serial: &str) -> bool {
        serial != "Other"
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
async fn a_phone_is_reported_in_every_state_and_stays_the_same_target() {
    let round = AtomicUsize::new(0);
    let server = FakeAdb::start(move |service| match service {
        "host:track-devices" => match round.fetch_add(1, Ordering::SeqCst) {
            0 => Reply::Bytes(b"000fX\tunauthorized\n".to_vec()),
            _ => Reply::Text("X\tdevice\n".to_owned()),
        },
        service if service.starts_with("host:tport:") => Reply::Bytes(1_u64.to_le_bytes().to_vec()),
        service if service.ends_with("features") => Reply::Text("shell_v2".to_owned()),
        _ => Reply::shell("Pixel 7\n14\n34\nGoogle\n"),
    })
    .await;
    let (sender, mut reports) = mpsc::unbounded_channel();
    let watching = tokio::spawn(watch(server.client(), Preference::Shell, Reporter(sender)));

    let (what, first) = reports.recv().await.unwrap();
    assert_eq!((what, first.info().name.as_str()), ("attached", "android:X"));
    let (what, _) = reports.recv().await.unwrap();
    assert_eq!(what, "detached");
    let error = first.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(1))).await.unwrap_err();
    assert_eq!(error.reason(), Reason::PermissionDenied);

    let (what, second) = reports.recv().await.unwrap();
    assert_eq!(what, "attached");
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(
        (second.info().state.as_str(), second.info().label.as_str()),
        ("ready", "Pixel 7, Android 14")
    );
    watching.abort();
}

#[tokio::test]
async fn nothing_is_asked_of_a_phone_that_is_not_wanted() {
    let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let server = FakeAdb::start(move |service| {
        seen.lock().unwrap().push(service.to_owned());
        match service {
            "host:track-devices" => Reply::Text("Other\tdevice\nX\tdevice\n".to_owned()),
            service if service.starts_with("host:tport:") => Reply::Bytes(1_u64.to_le_bytes().to_vec()),
            service if service.ends_with("features") => Reply::Text("shell_v2".to_owned()),
            _ => Reply::shell("Pixel 7\n14\n34\nGoogle\n"),
        }
    })
    .await;
    let (sender, mut reports) = mpsc::unbounded_channel();
    let watching = tokio::spawn(watch(server.client(), Preference::Shell, Reporter(sender)));
    let (what, phone) = reports.recv().await.unwrap();
    assert_eq!((what, phone.serial()), ("attached", "X"));
    watching.abort();
    let asked = asked.lock().unwrap();
    assert!(asked.iter().any(|service| service.contains(":X")), "{asked:?}");
    assert!(!asked.iter().any(|service| service.contains("Other")), "{asked:?}");
}

#[tokio::test]
async fn an_unauthorized_phone_says_what_to_do() {
    let server = FakeAdb::start(|_| Reply::Text("X\tunauthorized\n".to_owned())).await;
    let (sender, mut reports) = mpsc::unbounded_channel();
    let watching = tokio::spawn(watch(server.client(), Preference::Shell, Reporter(sender)));
    let (_, target) = reports.recv().await.unwrap();
    assert_eq!(target.info().state, "unauthorized");
    let error = target.snapshot(&Scope::Screen, Deadline::after(Duration::from_secs(1))).await.unwrap_err();
    assert!(error.to_string().contains("accept the dialog"), "{error}");
    watching.abort();
}

/// A server may report ever new serials, for years: each list here has a hundred that no other has.
#[tokio::test]
async fn of_phones_that_left_only_the_latest_are_remembered() {
    struct Counter(Arc<AtomicUsize>);
    impl Watcher for Counter {
        fn wants(&self, _: &str) -> bool {
            true
        }

        fn attached(&mut self, _: &Arc<AndroidTarget>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
        fn changed(&mut self, _: &Arc<AndroidTarget>) {}
        fn detached(&mut self, _: &Arc<AndroidTarget>) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let server = FakeAdb::start(|_| Reply::Text(String::new())).await;
    let attached = Arc::new(AtomicUsize::new(0));
    let (sender, _introduced) = mpsc::unbounded_channel();
    let mut phones = Phones {
        adb: server.client(),
        driver: Preference::Shell,
        watcher: Counter(Arc::clone(&attached)),
        known: HashMap::new(),
        lists: 0,
        sender,
    };
    let listed = |serial: String| Listed { serial, state: State::Unauthorized, model: None, transport: None };
    for round in 0..50 {
        let list: Vec<Listed> = (0..100).map(|number| listed(format!("{round}:{number}"))).collect();
        phones.update(&list);
        assert_eq!(attached.load(Ordering::SeqCst), 100);
    }
    assert!(phones.known.len() <= 100 + MOST_ABSENT, "{}", phones.known.len());
    let last = Arc::clone(&phones.known["49:7"].target);
    phones.update(&[]);
    phones.update(&[listed("49:7".to_owned())]);
    assert!(Arc::ptr_eq(&last, &phones.known["49:7"].target), "it stays the same while it comes and goes");

    let many: Vec<Listed> = (0..10 * MOST_PHONES).map(|number| listed(format!("many:{number}"))).collect();
    phones.update(&many);
    assert_eq!(attached.load(Ordering::SeqCst), MOST_PHONES);
}
