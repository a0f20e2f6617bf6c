//! The client against a scripted server, faults included.

use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Reason, Result};

use super::*;
use crate::parse::devices::State;
use crate::test_support::{FakeAdb, Reply};

/// How long after its deadline a call may end.
const GRACE: Duration = Duration::from_millis(100);
/// The time a call gets where the other side never answers.
const SHORT: Duration = Duration::from_millis(200);

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(5))
}

async fn outcome<T>(work: impl AsyncFnOnce(Deadline) -> Result<T>) -> Reason {
    let start = Instant::now();
    let result = work(Deadline::after(SHORT)).await;
    assert!(start.elapsed() < SHORT + GRACE, "took {:?}", start.elapsed());
    match result {
        Ok(_) => panic!("it worked"),
        Err(error) => error.reason(),
    }
}

#[tokio::test]
async fn version_and_devices_are_asked_for() {
    let server = FakeAdb::start(|service| match service {
        "host:version" => Reply::Text("0029".to_owned()),
        "host:devices-l" => {
            Reply::Text("X  device model:Pixel_7 transport_id:3\nY  unauthorized\n".to_owned())
        }
        _ => Reply::Fail("unknown host service"),
    })
    .await;
    assert_eq!(server.client().version(soon()).await, Ok(41));
    let phones = server.client().devices(soon()).await.unwrap();
    assert_eq!(phones[0].model.as_deref(), Some("Pixel 7"));
    assert_eq!(phones[1].state, State::Unauthorized);
}

#[tokio::test]
async fn output_errors_and_exit_code_come_apart() {
    let server = FakeAdb::phone(34, |_| Reply::Shell(vec![b'x'; 150_000], "oh", 3)).await;
    let device = server.client().device("X");
    let output = device.run("anything", 1 << 20, soon()).await.unwrap();
    assert_eq!((output.stdout.len(), output.errors().as_str(), output.exit), (150_000, "oh", Some(3)));
    assert!(!output.cut);
    let cut = device.run("anything", 1500, soon()).await.unwrap();
    assert_eq!((cut.stdout.len(), cut.cut), (1500, true));
    let exact = device.run("anything", 150_000, soon()).await.unwrap();
    assert!(!exact.cut);
}

#[test]
fn a_phone_of_this_program_alone_has_no_name_for_others() {
    assert_eq!(Adb::in_process(|| tokio::io::duplex(1).0).device("X").machine_name(), None);
    assert_eq!(Adb::at(ServerAddress::default()).device("X").machine_name().as_deref(), Some("adb:X"));
}

#[tokio::test]
async fn features_are_asked_once_for_each_transport() {
    let transport = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(1));
    let questions = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let (number, count) = (transport.clone(), questions.clone());
    let order = std::sync::atomic::Ordering::SeqCst;
    let server = FakeAdb::start(move |service| match service {
        "host:tport:serial:X" => Reply::Bytes(number.load(order).to_le_bytes().to_vec()),
        "host-serial:X:features" => {
            count.fetch_add(1, order);
            Reply::Text("shell_v2".to_owned())
        }
        _ => Reply::shell("hi"),
    })
    .await;
    let device = server.client().device("X");
    for _ in 0..3 {
        device.run("echo hi", 100, soon()).await.unwrap();
    }
    assert_eq!(questions.load(order), 1);
    transport.store(2, order);
    device.run("echo hi", 100, soon()).await.unwrap();
    assert_eq!(questions.load(order), 2);
}

#[tokio::test]
async fn old_servers_and_old_phones_are_spoken_to_in_their_way() {
    let server = FakeAdb::start(|service| match service {
        "host:transport:X" => Reply::Bytes(Vec::new()),
        "host-serial:X:features" => Reply::Fail("unknown host service"),
        "exec:echo hi" => Reply::Bytes(b"hi\n".to_vec()),
        _ => Reply::Fail("unknown host service"),
    })
    .await;
    let output = server.client().device("X").run("echo hi", 100, soon()).await.unwrap();
    assert_eq!((output.text().as_str(), output.exit), ("hi\n", None));
}

#[tokio::test]
async fn every_fault_ends_by_the_deadline_with_its_reason() {
    let cases: Vec<(Reply, Reason)> = vec![
        (Reply::Silence, Reason::Timeout),
        (Reply::Late(Duration::from_secs(9), Box::new(Reply::shell("late"))), Reason::Timeout),
        (Reply::Cut(vec![b'x'; 5000], 2500), Reason::Disconnected),
        (Reply::Cut(vec![b'x'; 5000], 3), Reason::Disconnected),
        (Reply::Garbage(b""), Reason::Disconnected),
        (Reply::Garbage(b"HTTP/1.1 400 Bad Request\r\n\r\n"), Reason::ActionFailed),
        (Reply::Bytes(b"\x09\xff\xff\xff\xff rubbish".to_vec()), Reason::ActionFailed),
        (Reply::Bytes(b"\x01\xff\xff\xff\x7f rubbish".to_vec()), Reason::ActionFailed),
        (Reply::Fail("closed"), Reason::Disconnected),
    ];
    for (reply, reason) in cases {
        let shown = format!("{reply:?}");
        let server = FakeAdb::phone(34, move |_| reply.clone()).await;
        let device = server.client().device("X");
        assert_eq!(
            outcome(async |deadline| device.run("x", 1 << 20, deadline).await).await,
            reason,
            "{shown}"
        );
    }
}

#[tokio::test]
async fn a_phone_that_does_not_let_us_in_says_what_to_do() {
    for (message, word) in [
        ("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", "accept the dialog"),
        ("device offline", "offline"),
        ("device 'X' not found", "not connected"),
    ] {
        let server = FakeAdb::start(move |_| Reply::Fail(message)).await;
        let error = server.client().device("X").run("x", 10, soon()).await.unwrap_err();
        assert_eq!(error.reason(), Reason::PermissionDenied);
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[tokio::test]
async fn a_missing_server_is_said_so() {
    let adb = Adb::at(ServerAddress { host: "127.0.0.1".to_owned(), port: 1 });
    assert_eq!(outcome(async |deadline| adb.version(deadline).await).await, Reason::PermissionDenied);
}

#[tokio::test]
async fn files_are_pushed_and_pulled() {
    let header = |id: &[u8; 4], number: u32| [&id[..], &number.to_le_bytes()].concat();
    let data = [header(b"DATA", 3), b"abc".to_vec(), header(b"DONE", 0)].concat();
    let refusal = [header(b"FAIL", 9), b"read-only".to_vec()].concat();
    for (reply, test) in [(data, 0), (header(b"OKAY", 0), 1), (refusal, 2)] {
        let server = FakeAdb::start(move |service| match service {
            "sync:" => Reply::Bytes(reply.clone()),
            _ => Reply::Bytes(1_u64.to_le_bytes().to_vec()),
        })
        .await;
        let device = server.client().device("X");
        match test {
            0 => assert_eq!(device.pull("/f", soon()).await.as_deref(), Ok(&b"abc"[..])),
            1 => assert_eq!(device.push("/f", 0o644, &[b'x'; 70_000], soon()).await, Ok(())),
            _ => {
                let error = device.push("/f", 0o644, b"x", soon()).await.unwrap_err();
                assert!(error.message().contains("read-only"), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn the_list_of_phones_is_followed() {
    let server = FakeAdb::start(|_| Reply::Bytes(b"0008X\tdevicezzzz".to_vec())).await;
    let mut tracker = server.client().track(soon()).await.unwrap();
    assert_eq!(tracker.next().await.unwrap()[0].serial, "X");
    assert_eq!(tracker.next().await.unwrap_err().reason(), Reason::ActionFailed);
}
