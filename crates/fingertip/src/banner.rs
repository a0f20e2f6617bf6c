//! What `serve` prints for the person who started it: where, how to get in, and what to paste into a client.

use std::fmt::Write;
use std::net::{IpAddr, SocketAddr};

use fingertip_mcp::page::LINK_LIFE;
use fingertip_mcp::targets::Targets;
use fingertip_mcp::transport::TlsIdentity;
use serde_json::json;

/// The address clients use: a bind to every address is reached on loopback.
pub(crate) fn url(address: SocketAddr, tls: bool) -> String {
    let scheme = if tls { "https" } else { "http" };
    let host = match address.ip() {
        ip if !ip.is_unspecified() => address.to_string(),
        IpAddr::V4(_) => format!("127.0.0.1:{}", address.port()),
        IpAddr::V6(_) => format!("[::1]:{}", address.port()),
    };
    format!("{scheme}://{host}/mcp")
}

/// The addresses other machines use, or the one of this machine when there are none.
pub(crate) fn urls(address: SocketAddr, reached_at: &[IpAddr], tls: bool) -> Vec<String> {
    if reached_at.is_empty() {
        return vec![url(address, tls)];
    }
    reached_at.iter().map(|ip| url(SocketAddr::new(*ip, address.port()), tls)).collect()
}

/// The whole text; `reached_at` are the addresses by which other machines reach the server.
pub(crate) fn text(
    address: SocketAddr,
    reached_at: &[IpAddr],
    identity: Option<&TlsIdentity>,
    v1: bool,
    page: Option<&str>,
    targets: &Targets,
) -> String {
    let url = url(address, identity.is_some());
    let program =
        std::env::current_exe().map_or_else(|_| "fingertip".to_owned(), |path| path.display().to_string());
    let stdio = json!({ "mcpServers": { "fingertip": { "command": program, "args": ["stdio"] }}});

    let mut text = format!("fingertip {} listening on {url}\n", env!("CARGO_PKG_VERSION"));
    if !reached_at.is_empty() {
        let _ = writeln!(text, "network: {}", urls(address, reached_at, identity.is_some()).join(", "));
    }
    let _ = writeln!(text, "devices: {}", devices(targets));
    let _ = writeln!(text, "token:   shown by `{program} token`");
    if let Some(page) = page {
        let minutes = LINK_LIFE.as_secs() / 60;
        let _ = writeln!(text, "page:    {page}");
        let _ = writeln!(
            text,
            "         (works once, within {minutes} minutes; another one, or one to act: `{program} ui [--control]`)"
        );
    }
    if v1 {
        let _ = writeln!(text, "v1:      {url}/v1/tools/list and {url}/v1/tools/call");
    }
    if let Some(identity) = identity {
        let _ = writeln!(text, "certificate: {}", identity.certificate_path().display());
        let _ = writeln!(text, "certificate SHA-256: {}", identity.fingerprint());
    }
    if !address.ip().is_loopback() {
        let _ = writeln!(text, "{}", exposure(identity.is_some()));
    }
    text.push('\n');
    text.push_str(&clients(&url, &format!("{program} token")));
    let _ = writeln!(text, "  JSON, stdio: {stdio}");
    text
}

/// What to paste into a client that is to use this address; `token` is the command that shows the token.
pub(crate) fn clients(url: &str, token: &str) -> String {
    let http = json!({ "mcpServers": { "fingertip": {
        "type": "http", "url": url, "headers": { "Authorization": "Bearer TOKEN" },
    }}});
    format!(
        "Paste into a client:\n  Claude Code: claude mcp add --transport http fingertip {url} \
         --header \"Authorization: Bearer $({token})\"\n  JSON, HTTP:  {http}\n"
    )
}

fn devices(targets: &Targets) -> String {
    let names: Vec<_> = targets.all().iter().map(|known| known.info().name).collect();
    if names.is_empty() { "none attached".to_owned() } else { names.join(", ") }
}

fn exposure(tls: bool) -> &'static str {
    if tls {
        "NOTE: reachable from other machines; every client with the token controls the devices."
    } else {
        "WARNING: reachable from other machines WITHOUT encryption: the token can be read on the way. \
         Use --tls, or listen on 127.0.0.1."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bind_to_every_address_is_reached_on_loopback() {
        assert_eq!(url("0.0.0.0:80".parse().unwrap(), false), "http://127.0.0.1:80/mcp");
        assert_eq!(url("[::]:80".parse().unwrap(), true), "https://[::1]:80/mcp");
        assert_eq!(url("192.168.0.7:8080".parse().unwrap(), true), "https://192.168.0.7:8080/mcp");
    }

    #[test]
    fn the_first_interface_is_named_only_when_it_is_served() {
        let targets = Targets::new("");
        let said = |v1| text("127.0.0.1:80".parse().unwrap(), &[], None, v1, None, &targets);
        assert!(said(true).contains("http://127.0.0.1:80/mcp/v1/tools/call"));
        assert!(!said(false).contains("/mcp/v1"));
    }

    #[test]
    fn an_open_door_is_said_loudly() {
        let targets = Targets::new("");
        let lan = ["192.168.0.7".parse().unwrap()];
        assert!(text("0.0.0.0:80".parse().unwrap(), &lan, None, false, None, &targets).contains("WARNING"));
        assert!(!text("127.0.0.1:80".parse().unwrap(), &[], None, false, None, &targets).contains("WARNING"));
    }

    #[test]
    fn every_address_of_the_network_is_shown() {
        let targets = Targets::new("");
        let reached_at = ["192.168.0.7", "2001:db8::7"].map(|text| text.parse().unwrap());
        let said = text("[::]:8080".parse().unwrap(), &reached_at, None, false, None, &targets);
        assert!(
            said.contains("network: http://192.168.0.7:8080/mcp, http://[2001:db8::7]:8080/mcp\n"),
            "{said}"
        );
        assert!(
            !text("127.0.0.1:80".parse().unwrap(), &[], None, false, None, &targets).contains("network:")
        );
    }
}
