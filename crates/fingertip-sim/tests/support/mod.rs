//! The real adb with a server of its own, connected to a simulated phone.

use std::net::SocketAddr;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use fingertip_sim::phone::Profile;
use fingertip_sim::{AdbServer, SimPhone};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::task::JoinHandle;

/// No call of adb may take longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A phone on a port, and an adb server that knows it.
pub(crate) struct Bench {
    pub(crate) phone: Arc<SimPhone>,
    pub(crate) serial: String,
    home: tempfile::TempDir,
    server_port: u16,
    /// The device side, for the real server.
    device: Option<JoinHandle<()>>,
    /// A simulated server in place of the real one.
    server: Option<AdbServer>,
}

impl Bench {
    /// Starts both and connects them. Fails when adb is not installed.
    pub(crate) async fn connected() -> Self {
        let phone = SimPhone::start(Profile::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let device = tokio::spawn(fingertip_sim::adbd::serve(listener, Arc::clone(&phone)));
        let home = tempfile::tempdir().expect("a folder for the keys of adb");
        let bench = Self {
            phone,
            serial: address.to_string(),
            home,
            server_port: free_port().await,
            device: Some(device),
            server: None,
        };
        bench.connect().await;
        bench
    }

    /// The real client with a simulated server that knows the phone already.
    pub(crate) async fn on_simulated_server() -> Self {
        let phone = SimPhone::start(Profile::default());
        let server = AdbServer::start(SocketAddr::from(([127, 0, 0, 1], 0))).await.expect("a free port");
        server.add(Arc::clone(&phone));
        let home = tempfile::tempdir().expect("a folder for the keys of adb");
        let serial = phone.profile().serial;
        Self { phone, serial, home, server_port: server.address().port(), device: None, server: Some(server) }
    }

    pub(crate) async fn connect(&self) {
        let said = self.text(&["connect", &self.serial]).await;
        assert!(said.contains("connected to"), "{said}");
    }

    /// Runs adb with these arguments.
    pub(crate) async fn adb(&self, arguments: &[&str]) -> Output {
        self.adb_with_input(arguments, b"").await
    }

    pub(crate) async fn adb_with_input(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .spawn()
            .expect("adb must be installed (Debian package adb)");
        let mut stdin = child.stdin.take().expect("a piped input");
        stdin.write_all(input).await.expect("adb reads its input");
        drop(stdin);
        let output = tokio::time::timeout(PATIENCE, child.wait_with_output()).await;
        output.unwrap_or_else(|_| panic!("adb {arguments:?} hangs")).expect("adb can be waited for")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("adb");
        command
            .args(arguments)
            .env("ANDROID_ADB_SERVER_PORT", self.server_port.to_string())
            .env("ANDROID_SERIAL", &self.serial)
            .env("ADB_MDNS", "0")
            .env("HOME", self.home.path())
            .env("TMPDIR", self.home.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// What a successful call prints.
    pub(crate) async fn text(&self, arguments: &[&str]) -> String {
        let output = self.adb(arguments).await;
        assert!(output.status.success(), "adb {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// The state adb lists for the phone.
    pub(crate) async fn listed(&self) -> String {
        let list = self.text(&["devices", "-l"]).await;
        list.lines().find(|line| line.starts_with(&self.serial)).unwrap_or_default().to_owned()
    }

    /// Connects again until the phone is listed. adb may still be taking an earlier connection down, and the new one with it.
    pub(crate) async fn reconnected(&self) {
        let again = async {
            loop {
                self.adb(&["disconnect", &self.serial]).await;
                self.adb(&["connect", &self.serial]).await;
                for _ in 0..10 {
                    if self.listed().await.contains(" device ") {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
        };
        tokio::time::timeout(PATIENCE, again).await.expect("adb lists the phone again");
    }

    /// Asks again until the list says so.
    pub(crate) async fn until_listed(&self, state: &str) {
        let wait = async {
            while !self.listed().await.contains(state) {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("adb never lists {state:?}"));
    }
}

impl Drop for Bench {
    /// Ends the private server, also when the test failed.
    fn drop(&mut self) {
        if self.server.is_some() {
            return;
        }
        if let Some(device) = &self.device {
            device.abort();
        }
        let mut command = self.command(&["kill-server"]);
        let _ = command.as_std_mut().status();
    }
}

async fn free_port() -> u16 {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.expect("a free port");
    listener.local_addr().expect("a bound port").port()
}
