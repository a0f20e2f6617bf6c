//! `--mdns`: announcing the server on the local network by multicast DNS, so that it is found without typing an address.
//!
//! Announces where the server is and whether it is encrypted, never the token. What is found this way proves nothing: anybody on
//! the network can announce anything, so clients still compare the certificate.

use anyhow::Context;
use mdns_sd::{ServiceDaemon, ServiceInfo};

/// The kind of service.
const KIND: &str = "_mcp._tcp.local.";
/// What a machine without a name of its own is called.
const NAMELESS: &str = "fingertip";

/// An announcement; ends when dropped.
pub(crate) struct Announcement {
    daemon: ServiceDaemon,
    name: String,
}

/// The name by which this machine is then reached, without the last dot.
pub(crate) fn host_name() -> String {
    let name = gethostname::gethostname().into_string().unwrap_or_default();
    format!("{}.local", label(&name))
}

/// The first part of a machine's name, as multicast DNS wants it. Phones call themselves localhost.
fn label(name: &str) -> String {
    let first = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_proper = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    if first.is_empty() || first == "localhost" || !first.chars().all(is_proper) {
        return NAMELESS.to_owned();
    }
    first
}

impl Announcement {
    /// Announces a server on this port.
    ///
    /// # Errors
    /// When the system does not let us use multicast.
    pub(crate) fn start(port: u16, tls: bool) -> anyhow::Result<Self> {
        let daemon = ServiceDaemon::new().context("cannot announce the server (--mdns)")?;
        let host = host_name();
        let scheme = if tls { "https" } else { "http" };
        let about = [("path", "/mcp"), ("scheme", scheme), ("version", env!("CARGO_PKG_VERSION"))];
        let service = ServiceInfo::new(KIND, &instance(&host), &format!("{host}."), "", port, &about[..])
            .context("cannot announce the server (--mdns)")?
            .enable_addr_auto();
        let name = service.get_fullname().to_owned();
        daemon.register(service).context("cannot announce the server (--mdns)")?;
        Ok(Self { daemon, name })
    }
}

/// What the server is called in lists.
fn instance(host: &str) -> String {
    format!("Fingertip on {}", host.trim_end_matches(".local"))
}

impl Drop for Announcement {
    /// Says goodbye, for those who keep lists; the daemon does so on a thread of its own.
    fn drop(&mut self) {
        let ended = self.daemon.unregister(&self.name).and_then(|done| {
            let _ = done.recv_timeout(std::time::Duration::from_millis(200));
            self.daemon.shutdown()
        });
        if let Err(error) = ended {
            tracing::debug!(%error, "the announcement was not taken back");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_announced_by_a_name_that_is_one() {
        for (name, expected) in [
            ("Workbench.example.org", "workbench"),
            ("pixel-7", "pixel-7"),
            ("localhost", "fingertip"),
            ("", "fingertip"),
            ("Peter’s laptop", "fingertip"),
        ] {
            assert_eq!(label(name), expected, "{name}");
        }
    }
}
