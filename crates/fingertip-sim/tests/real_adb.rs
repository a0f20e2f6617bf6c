//! The simulated phone through the real adb, on a server port of its own. A missing adb is a failure.

mod support;

use std::time::Duration;

use fingertip_sim::{Presence, shell};
use support::Bench;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn a_connected_phone_is_listed_with_its_names() {
    let bench = Bench::connected().await;
    let line = bench.listed().await;
    assert!(line.contains(" device product:fingertip_demo model:Fingertip_Demo device:demo"), "{line}");
    assert_eq!(bench.text(&["get-state"]).await.trim(), "device");
}

#[tokio::test(flavor = "multi_thread")]
async fn shell_commands_keep_exit_codes_outputs_and_input_apart() {
    let bench = Bench::connected().await;
    assert_eq!(bench.text(&["shell", "getprop", "ro.build.version.sdk"]).await, "34\n");
    let failed = bench.adb(&["shell", "echo out; echo err >&2; exit 7"]).await;
    assert_eq!(failed.status.code(), Some(7));
    assert_eq!((&failed.stdout[..], &failed.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(bench.adb(&["shell", "nope"]).await.status.code(), Some(127));
    assert_eq!(bench.adb_with_input(&["shell", "cat"], b"typed\n").await.stdout, b"typed\n");
    assert_eq!(bench.adb(&["exec-out", "echo", "a b", "$HOME"]).await.stdout, b"a b $HOME\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshots_arrive_byte_for_byte() {
    let bench = Bench::connected().await;
    for line in ["screencap", "screencap -p"] {
        let expected = shell::run(&bench.phone, line, "").await.stdout;
        let words: Vec<&str> = ["exec-out"].into_iter().chain(line.split(' ')).collect();
        let received = bench.adb(&words).await.stdout;
        assert_eq!(received.len(), expected.len());
        assert!(received == expected, "{line}: bytes differ");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_pushed_pulled_and_listed() {
    let bench = Bench::connected().await;
    let folder = tempfile::tempdir().unwrap();
    let (there, back) = (folder.path().join("there"), folder.path().join("back"));
    let data: Vec<u8> =
        (0..3 * 1024 * 1024_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    std::fs::write(&there, &data).unwrap();
    bench.text(&["push", there.to_str().unwrap(), "/data/local/tmp/deep/file.bin"]).await;
    let on_phone = bench.phone.files().read("/data/local/tmp/deep/file.bin").unwrap();
    assert!(on_phone == data, "pushed bytes differ");
    bench.text(&["pull", "/data/local/tmp/deep/file.bin", back.to_str().unwrap()]).await;
    assert!(std::fs::read(&back).unwrap() == data, "pulled bytes differ");
    assert_eq!(bench.text(&["shell", "stat -c %s /data/local/tmp/deep/file.bin"]).await, "3145728\n");
    let listing = bench.text(&["ls", "/data/local/tmp/deep"]).await;
    assert!(
        listing.lines().any(|line| line.ends_with(" file.bin") && line.contains(" 00300000 ")),
        "{listing}"
    );
    let refused = bench.adb(&["push", there.to_str().unwrap(), "/system/file.bin"]).await;
    assert!(!refused.status.success());
    assert!(!bench.adb(&["pull", "/nowhere", back.to_str().unwrap()]).await.status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forward_leads_to_an_abstract_socket() {
    let bench = Bench::connected().await;
    let mut listener = bench.phone.listeners().listen("agent");
    let port: u16 = bench.text(&["forward", "tcp:0", "localabstract:agent"]).await.trim().parse().unwrap();
    let mut client = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    client.write_all(b"ping").await.unwrap();
    let mut agent = listener.accept().await.unwrap();
    let mut ping = [0; 4];
    agent.read_exact(&mut ping).await.unwrap();
    agent.write_all(b"pong").await.unwrap();
    let mut pong = [0; 4];
    client.read_exact(&mut pong).await.unwrap();
    assert_eq!((&ping, &pong), (b"ping", b"pong"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_dumped_and_followed() {
    let bench = Bench::connected().await;
    let component = bench.text(&["shell", "cmd package query-activities --components"]).await;
    let component = component.lines().next().unwrap().to_owned();
    let mut follower = bench.command(&["logcat", "-v", "epoch", "-T", "1"]).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let before = bench.text(&["logcat", "-d"]).await.lines().count();
    bench.text(&["shell", "am", "start", "-n", &component]).await;
    let after = bench.text(&["logcat", "-d"]).await.lines().count();
    assert!(after > before, "{before} lines before, {after} after");
    let package = component.split('/').next().unwrap().to_owned();
    let seen = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            if line.contains(&package) {
                return true;
            }
        }
        false
    };
    assert!(
        tokio::time::timeout(Duration::from_secs(20), seen).await.unwrap(),
        "the start never reaches the follower"
    );
    follower.kill().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_goes_away_ends_its_commands_and_can_come_back() {
    let bench = Bench::connected().await;
    let running = tokio::spawn(bench.command(&["shell", "sleep 1000"]).output());
    tokio::time::sleep(Duration::from_millis(500)).await;
    bench.phone.faults().change(|plan| plan.presence = Presence::Away);
    let ended = tokio::time::timeout(Duration::from_secs(20), running).await;
    assert!(ended.is_ok(), "the command must end with the phone");
    bench.phone.faults().clear();
    bench.adb(&["disconnect", &bench.serial]).await;
    bench.connect().await;
    assert_eq!(bench.text(&["shell", "echo back"]).await, "back\n");
    bench.text(&["disconnect", &bench.serial]).await;
    assert_eq!(bench.listed().await, "");
    bench.connect().await;
    assert_eq!(bench.text(&["shell", "echo again"]).await, "again\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_who_has_not_agreed_is_seen_as_unauthorized() {
    let bench = Bench::connected().await;
    bench.adb(&["disconnect", &bench.serial]).await;
    bench.phone.faults().change(|plan| plan.presence = Presence::Unauthorized);
    bench.adb(&["connect", &bench.serial]).await;
    bench.until_listed("unauthorized").await;
    assert!(!bench.adb(&["shell", "id"]).await.status.success());
    bench.phone.faults().clear();
    bench.reconnected().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_client_is_content_with_the_simulated_server() {
    let bench = Bench::on_simulated_server().await;
    assert!(bench.listed().await.contains(" device product:fingertip_demo"));
    assert_eq!(bench.adb(&["shell", "exit 9"]).await.status.code(), Some(9));
    let expected = shell::run(&bench.phone, "screencap -p", "").await.stdout;
    assert!(bench.adb(&["exec-out", "screencap", "-p"]).await.stdout == expected, "bytes differ");
    let folder = tempfile::tempdir().unwrap();
    let (there, back) = (folder.path().join("there"), folder.path().join("back"));
    std::fs::write(&there, vec![7; 300_000]).unwrap();
    bench.text(&["push", there.to_str().unwrap(), "/sdcard/file"]).await;
    bench.text(&["pull", "/sdcard/file", back.to_str().unwrap()]).await;
    assert!(std::fs::read(&back).unwrap() == vec![7; 300_000]);
    let _agent = bench.phone.listeners().listen("agent");
    let port = bench.text(&["forward", "tcp:0", "localabstract:agent"]).await;
    let forwards = bench.text(&["forward", "--list"]).await;
    assert!(forwards.contains(&format!("tcp:{} localabstract:agent", port.trim())), "{forwards}");
    bench.text(&["forward", "--remove-all"]).await;
    assert_eq!(bench.text(&["forward", "--list"]).await.trim(), "");
}
