//! `fingertip phone`: the program itself on a demo phone that this computer runs programs for.
#![cfg(all(target_os = "linux", feature = "demo"))]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use fingertip_sim::phone::Profile;
use fingertip_sim::{AdbServer, Presence, ServiceFault, SimPhone};

/// The program without what debuggers need, which a phone has no room for.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fingertip");
        let stripped =
            Command::new("strip").arg("-o").arg(&path).arg(env!("CARGO_BIN_EXE_fingertip")).status();
        assert!(stripped.expect("strip runs").success());
        (folder, path)
    });
    path
}

/// A phone, its adb server, and the folder with its files.
struct Bench {
    phone: Arc<SimPhone>,
    server: AdbServer,
    folder: tempfile::TempDir,
    /// Where servers are started; free a moment ago.
    port: String,
}

impl Bench {
    async fn start() -> Self {
        Self::of(Profile::default()).await
    }

    async fn of(profile: Profile) -> Self {
        let server = AdbServer::start(([127, 0, 0, 1], 0).into()).await.expect("an adb server");
        let phone = SimPhone::start(profile);
        server.add(Arc::clone(&phone));
        let free = TcpListener::bind("0.0.0.0:0").and_then(|free| free.local_addr()).expect("a free port");
        let folder = tempfile::tempdir().expect("a folder");
        Self { phone, server, folder, port: free.port().to_string() }
    }

    fn hosting(self) -> Self {
        self.phone.run_agents_on(None);
        self.phone.host_programs(self.folder.path()).expect("programs run here");
        self
    }

    /// Runs `fingertip phone` with these words.
    async fn phone(&self, words: &[&str]) -> Output {
        self.run(&[&["phone"], words].concat()).await
    }

    async fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fingertip"));
        command.args(words);
        command.env("ANDROID_ADB_SERVER_PORT", self.server.address().port().to_string());
        command.env("FINGERTIP_HOME", self.folder.path().join("computer"));
        tokio::task::spawn_blocking(move || command.output()).await.expect("no panic").expect("it runs")
    }

    /// What it says when it works.
    async fn works(&self, words: &[&str]) -> String {
        let output = self.phone(words).await;
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// What it says when it does not.
    async fn refuses(&self, words: &[&str]) -> String {
        let output = self.phone(words).await;
        assert!(!output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stderr).expect("text")
    }

    /// Starts a server at a port of its own: the one it chooses by itself is one for all tests that run at once.
    async fn begin(&self, more: &[&str]) -> String {
        let program = program().to_str().expect("text");
        self.works(&[&["start", "--binary", program, "--port", &self.port], more].concat()).await
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("data/local/tmp")
    }
}

/// The number after this word.
fn number_after(text: &str, word: &str) -> u32 {
    let rest = text.split_once(word).unwrap_or_else(|| panic!("no {word} in {text}")).1;
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("as printed")
}

/// The port of the server, from one of its addresses.
fn port_of(said: &str) -> u16 {
    let url = said.lines().find_map(|line| line.strip_prefix("address:")).expect("as printed").trim();
    let address = url.strip_prefix("https://").expect("as printed").strip_suffix("/mcp").expect("as printed");
    address.rsplit_once(':').expect("as printed").1.parse().expect("as printed")
}

fn is_open(port: u16) -> bool {
    TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).is_ok()
}

fn runs(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|status| !status.contains(") Z "))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_started_reported_and_ended_without_a_trace() {
    let bench = Bench::start().await.hosting();
    let said = bench.begin(&[]).await;
    let (pid, port) = (number_after(&said, "process "), port_of(&said));
    assert!(said.contains("runs on Fingertip Demo (fingertip-demo)"), "{said}");
    assert!(said.contains("certificate SHA-256: ") && said.contains('▀'), "{said}");
    assert!(said.contains("ends when the phone restarts") && said.contains("Termux"), "{said}");
    assert!(runs(pid) && is_open(port));

    let token = bench.works(&["token", "--serial", "fingertip-demo"]).await;
    assert_eq!(token.trim().len(), 64);
    assert!(!said.contains(token.trim()), "the token is shown only when asked for");
    assert!(bench.works(&["certificate"]).await.starts_with("-----BEGIN CERTIFICATE-----"));
    let mode = |name: &str| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(bench.files().join(name)).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(
        (mode(".fingertip"), mode(".fingertip/token"), mode(".fingertip/tls/key.pem")),
        (0o700, 0o600, 0o600)
    );

    assert_eq!(bench.works(&["status"]).await, said, "the same is printed again");
    assert_eq!(bench.begin(&[]).await, said, "a server that runs is not started again");
    assert!(bench.works(&["logs"]).await.contains("listening on https://"));

    let stopped = bench.works(&["stop"]).await;
    assert!(stopped.contains("nothing of it is left"), "{stopped}");
    assert!(!runs(pid) && !is_open(port));
    let left: Vec<_> = std::fs::read_dir(bench.files()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(bench.refuses(&["status"]).await.contains("no server runs on fingertip-demo; start one"));
    assert!(bench.refuses(&["token"]).await.contains("no server was started"));
    assert!(bench.works(&["stop"]).await.contains("no server ran"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_outlives_the_hangup_of_its_shell_and_ends_with_the_phone() {
    let bench = Bench::start().await.hosting();
    let said = bench.begin(&[]).await;
    let pid = number_after(&said, "process ");
    for signal in ["HUP", "HUP"] {
        assert!(Command::new("kill").args(["-s", signal, &pid.to_string()]).status().unwrap().success());
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(bench.works(&["status"]).await, said);
    }
    bench.phone.reboot(Duration::from_millis(100)).await;
    let begun = Instant::now();
    while runs(pid) {
        assert!(begun.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let why = bench.refuses(&["status"]).await;
    assert!(why.contains("has ended") && why.contains("phone was restarted"), "{why}");
    let token = bench.works(&["token"]).await;
    bench.begin(&[]).await;
    assert_eq!(bench.works(&["token"]).await, token, "clients go on with what they have");
    bench.works(&["stop"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_passed_over_or_reported() {
    let bench = Bench::start().await.hosting();
    let taken = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let program = program().to_str().unwrap();
    let why = bench.refuses(&["start", "--binary", program, "--port", &port]).await;
    assert!(why.contains(&format!("port {port} of the phone is taken")), "{why}");
    assert!(!bench.files().join(".fingertip").exists(), "what did not start does not stay");
    // Ours, or another's that has it already.
    let first = TcpListener::bind("0.0.0.0:8080");
    let said = bench.works(&["start", "--binary", program]).await;
    assert_ne!(port_of(&said), 8080);
    drop(first);
    bench.works(&["stop"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_build_that_runs_is_not_replaced_unasked() {
    let bench = Bench::start().await.hosting();
    let said = bench.begin(&[]).await;
    let other = bench.folder.path().join("other");
    let mut content = Vec::new();
    std::fs::File::open(program()).unwrap().read_to_end(&mut content).unwrap();
    std::fs::File::create(&other).unwrap().write_all(&[&content[..], b"newer"].concat()).unwrap();
    let why = bench.refuses(&["start", "--binary", other.to_str().unwrap()]).await;
    assert!(why.contains("another build of fingertip (0.1.0) runs"), "{why}");
    assert_eq!(bench.works(&["status"]).await, said);
    bench.works(&["stop"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_of_the_server_are_passed_on_and_a_wrong_one_is_reported() {
    let bench = Bench::start().await.hosting();
    let program = program().to_str().unwrap();
    let why = bench.refuses(&["start", "--binary", program, "--", "--raed-only"]).await;
    assert!(why.contains("--raed-only"), "{why}");
    assert!(!bench.files().join(".fingertip").exists());
    bench.begin(&["--", "--read-only"]).await;
    let pid = number_after(&bench.works(&["status"]).await, "process ");
    let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap();
    assert!(line.contains("\0--read-only\0"), "{line}");
    bench.works(&["stop"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn phones_that_cannot_run_a_server_get_a_sentence() {
    let program = program().to_str().unwrap();
    let start = ["start", "--binary", program];
    for (profile, word) in [
        (Profile { sdk: 24, android: "7.0".to_owned(), ..Profile::default() }, "Android 8 and newer"),
        (Profile { abi: "armeabi-v7a".to_owned(), ..Profile::default() }, "'armeabi-v7a'"),
        (Profile::default(), "no program for the phone's processor, aarch64"),
        // The demo phone of the product runs nothing that is pushed to it.
        (Profile { abi: "x86_64".to_owned(), ..Profile::default() }, "does not run the program"),
    ] {
        let bench = Bench::of(profile).await;
        let why = bench.refuses(&start).await;
        assert!(why.contains(word), "{why}");
        assert!(bench.phone.files().get("/data/local/tmp/.fingertip").is_err(), "{word}");
    }
    let bench = Bench::start().await.hosting();
    bench.phone.faults().change(|plan| plan.no_inet = true);
    assert!(bench.refuses(&start).await.contains("no group inet"));
    bench.phone.faults().clear();
    bench.phone.faults().change(|plan| plan.storage_full = true);
    assert!(bench.refuses(&start).await.contains("storage is full"));
    assert!(!bench.files().join(".fingertip").exists());
    bench.phone.faults().clear();
    bench.phone.faults().change(|plan| plan.presence = Presence::Offline);
    assert!(bench.refuses(&start).await.contains("is offline"));
    bench.phone.faults().change(|plan| plan.presence = Presence::Unauthorized);
    assert!(bench.refuses(&["status"]).await.contains("has not allowed this computer"));
    bench.phone.faults().change(|plan| plan.presence = Presence::Away);
    assert!(bench.refuses(&["status"]).await.contains("no phone is connected"));
    bench.phone.faults().clear();
    bench.server.add(SimPhone::start(Profile { serial: "second".to_owned(), ..Profile::default() }));
    let why = bench.refuses(&["status"]).await;
    assert!(why.contains("several phones are connected") && why.contains("second"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_self_test_passes_from_a_computer_and_reports_what_fails() {
    let bench = Bench::start().await;
    let test = ["doctor", "--self-test", "--target", "android:fingertip-demo", "--driver"];
    for driver in ["agent", "shell"] {
        let output = bench.run(&[&test[..], &[driver]].concat()).await;
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{driver}: {output:?}");
        assert!(report.contains(&format!("driver {driver}")), "{report}");
        assert_eq!(report.lines().filter(|line| line.starts_with("ok ")).count(), 17, "{report}");
        let front = bench.phone.with(|phone| phone.focus().package);
        assert!(front.contains("launcher"), "the test ends at home, not in {front}");
    }
    bench.phone.faults().change(|plan| plan.screencap_fails = true);
    let output = bench.run(&[&test[..], &["shell"]].concat()).await;
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{report}");
    assert!(report.lines().any(|line| line.starts_with("FAIL") && line.contains("picture")), "{report}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 steps failed"), "{output:?}");
}

/// A file that the demo phone takes for the package of an app.
fn package(bench: &Bench) -> String {
    let path = bench.folder.path().join("fingertip.apk");
    std::fs::write(&path, b"PK\x03\x04 AndroidManifest.xml and all the rest").expect("a file");
    path.to_str().expect("text").to_owned()
}

fn setting(bench: &Bench, name: &str) -> Option<String> {
    bench.phone.with(|phone| phone.setting("secure", name).map(str::to_owned))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_app_is_installed_switched_on_beside_others_and_removed() {
    let bench = Bench::start().await;
    let others = "com.google.android.marvin.talkback/.TalkBackService";
    let services = "enabled_accessibility_services";
    bench.phone.with(|phone| phone.set_setting("secure", services, Some(others)));
    let apk = package(&bench);

    let said = bench.works(&["install", "--apk", &apk]).await;
    assert!(said.contains("https://127.0.0.1:8080/mcp") && said.contains("adb forward"), "{said}");
    let on = setting(&bench, services).expect("a list");
    assert_eq!(on, format!("{others}:dev.fingertip.app/dev.fingertip.app.ScreenService"));
    assert_eq!(setting(&bench, "accessibility_enabled").as_deref(), Some("1"));
    assert!(bench.phone.files().get("/data/local/tmp/fingertip.apk").is_err(), "the package was left there");

    let again = bench.works(&["install", "--apk", &apk, "--network"]).await;
    assert!(again.contains("https://192.0.2.7:8080/mcp") && again.contains('▀'), "{again}");
    assert_eq!(setting(&bench, services), Some(on), "it is on the list once");

    assert!(bench.works(&["uninstall"]).await.contains("is removed"));
    assert_eq!(setting(&bench, services).as_deref(), Some(others));
    assert!(bench.works(&["uninstall"]).await.contains("is not on"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_cannot_be_switched_on_is_reported_with_what_its_user_does() {
    for (fault, word) in [
        (ServiceFault::Locked, "does not let the shell switch accessibility services on"),
        (ServiceFault::Idle, "the app serves, but its accessibility service is off"),
    ] {
        let bench = Bench::start().await;
        bench.phone.faults().change(|plan| plan.services = fault);
        let why = bench.refuses(&["install", "--apk", &package(&bench)]).await;
        assert!(why.contains(word), "{why}");
        assert!(why.contains("greyed out") && why.contains("Allow restricted settings"), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_without_room_does_not_get_the_app() {
    let bench = Bench::start().await;
    bench.phone.faults().change(|plan| plan.storage_full = true);
    let why = bench.refuses(&["install", "--apk", &package(&bench)]).await;
    assert!(why.contains("the phone's storage is full"), "{why}");
    bench.phone.faults().clear();
    assert!(bench.works(&["uninstall"]).await.contains("is not on"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_does_not_fit_is_not_installed() {
    let old = Bench::of(Profile { sdk: 29, ..Profile::default() }).await;
    let apk = package(&old);
    assert!(old.refuses(&["install", "--apk", &apk]).await.contains("Android 11 or newer"));
    let other = Bench::of(Profile { abi: "armeabi-v7a".into(), ..Profile::default() }).await;
    assert!(other.refuses(&["install", "--apk", &apk]).await.contains("armeabi-v7a"));

    let bench = Bench::start().await;
    let wrong = bench.folder.path().join("wrong.apk");
    std::fs::write(&wrong, b"no package").expect("a file");
    let why = bench.refuses(&["install", "--apk", wrong.to_str().expect("text")]).await;
    assert!(why.contains("no package of an app"), "{why}");
    assert!(bench.phone.files().get("/data/local/tmp/fingertip.apk").is_err());
    assert_eq!(setting(&bench, "enabled_accessibility_services"), None, "nothing was switched on");
    assert!(bench.refuses(&["install", "--apk", "/nonexistent.apk"]).await.contains("cannot read"));
}
