//! Each fault through the simulated adb server: what a client sees while it is on, and that it is over afterwards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_sim::phone::Profile;
use fingertip_sim::{AdbServer, FaultPlan, Latency, Presence, SimPhone};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

struct Bench {
    phone: Arc<SimPhone>,
    server: AdbServer,
}

impl Bench {
    async fn start() -> Self {
        let phone = SimPhone::start(Profile { width: 320, height: 480, ..Profile::default() });
        let server = AdbServer::start(([127, 0, 0, 1], 0).into()).await.expect("a free port");
        server.add(Arc::clone(&phone));
        Self { phone, server }
    }

    /// Runs a line; everything the server says, whatever happens to the connection.
    async fn run(&self, line: &str) -> Vec<u8> {
        let mut socket = TcpStream::connect(self.server.address()).await.expect("the server listens");
        for request in ["host:transport-any".to_owned(), format!("exec:{line}")] {
            let framed = format!("{:04x}{request}", request.len());
            socket.write_all(framed.as_bytes()).await.expect("the server reads");
        }
        let mut said = Vec::new();
        let _ = socket.read_to_end(&mut said).await;
        said
    }

    async fn assert_well(&self) {
        self.phone.faults().clear();
        assert_eq!(self.run("echo well").await, b"OKAYOKAYwell\n");
    }
}

async fn with_fault(change: impl FnOnce(&mut FaultPlan)) -> Bench {
    let bench = Bench::start().await;
    bench.phone.faults().change(change);
    bench
}

#[tokio::test]
async fn a_cut_stream_ends_early() {
    let bench = with_fault(|plan| plan.cut_after = Some(1000)).await;
    assert_eq!(bench.run("screencap").await.len(), "OKAYOKAY".len() + 1000);
    bench.assert_well().await;
}

#[tokio::test]
async fn garbage_replaces_what_the_phone_says() {
    let bench = with_fault(|plan| plan.garbage = true).await;
    let said = bench.run("echo hello").await;
    assert_eq!(said.len(), "OKAYOKAYhello\n".len());
    assert_ne!(said, b"OKAYOKAYhello\n");
    bench.assert_well().await;
}

#[tokio::test]
async fn latency_delays_the_commands_it_names() {
    let delay = Duration::from_millis(300);
    let bench = with_fault(|plan| plan.latency.push(Latency { prefix: "wm".into(), delay })).await;
    let start = Instant::now();
    assert_eq!(bench.run("wm size").await, b"OKAYOKAYPhysical size: 320x480\n");
    assert!(start.elapsed() >= delay);
    bench.assert_well().await;
}

#[tokio::test]
async fn a_frozen_screen_never_answers_and_wakes_up_again() {
    let bench = with_fault(|plan| plan.frozen_screen = true).await;
    for line in ["uiautomator dump /dev/tty", "screencap", "input tap 5 5"] {
        let answer = tokio::time::timeout(Duration::from_millis(200), bench.run(line)).await;
        assert!(answer.is_err(), "{line} answered {answer:?}");
    }
    bench.assert_well().await;
    assert!(bench.run("screencap").await.len() > 320 * 480 * 4);
}

#[tokio::test]
async fn a_failing_screencap_and_a_busy_screen_say_so() {
    let bench = with_fault(|plan| {
        plan.screencap_fails = true;
        plan.never_idle = true;
    })
    .await;
    assert_eq!(bench.run("screencap -p").await, b"OKAYOKAYFailed to take screenshot. Status: -22\n");
    assert_eq!(bench.run("uiautomator dump").await, b"OKAYOKAYERROR: could not get idle state.\n");
    bench.assert_well().await;
    bench.phone.faults().change(|plan| plan.null_root = true);
    let null = "OKAYOKAYERROR: null root node returned by UiTestAutomationBridge.\n";
    assert_eq!(bench.run("uiautomator dump").await, null.as_bytes());
    bench.assert_well().await;
}

#[tokio::test]
async fn a_phone_that_is_offline_unauthorized_or_away_refuses() {
    let bench = Bench::start().await;
    for (presence, words) in [
        (Presence::Offline, "device offline"),
        (Presence::Unauthorized, "device unauthorized"),
        (Presence::Away, "no devices"),
    ] {
        bench.phone.faults().change(|plan| plan.presence = presence);
        let said = String::from_utf8_lossy(&bench.run("id").await).into_owned();
        assert!(said.starts_with("FAIL") && said.contains(words), "{said}");
    }
    bench.assert_well().await;
}

#[tokio::test]
async fn a_reboot_cuts_everything_and_the_phone_returns() {
    let bench = Bench::start().await;
    let phone = Arc::clone(&bench.phone);
    let rebooting = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        phone.reboot(Duration::from_millis(300)).await;
    });
    assert_eq!(bench.run("sleep 1000").await, b"OKAYOKAY");
    assert!(bench.run("id").await.starts_with(b"FAIL"));
    rebooting.await.expect("the reboot ends");
    assert!(bench.phone.now() < 1000);
    bench.assert_well().await;
}

#[tokio::test]
async fn a_fault_can_be_switched_on_from_the_phones_own_shell() {
    let bench = Bench::start().await;
    bench.run("fingertip-sim fault never-idle on").await;
    assert_eq!(bench.run("uiautomator dump").await, b"OKAYOKAYERROR: could not get idle state.\n");
    bench.run("fingertip-sim fault clear").await;
    assert!(
        bench.run("uiautomator dump").await.ends_with(b"UI hierchary dumped to: /sdcard/window_dump.xml\n")
    );
}
