//! Host and Origin checks: a web page must not reach this server through a name it controls.
//!
//! In a DNS rebinding attack a browser resolves the attacker's name to this machine and sends its requests here; the
//! Host header still carries that name. So only names known to mean this machine pass. An IP literal cannot be rebound:
//! on a bind beyond loopback any literal passes, because the machine may be reached by addresses it does not know.
//! Ports are not compared: they say nothing about who is asking.

use std::net::{IpAddr, Ipv6Addr};

use http::{HeaderMap, Uri, header};

/// The hosts a request may name.
#[derive(Debug)]
pub(crate) struct AllowedHosts {
    names: Vec<String>,
    bound: IpAddr,
}

/// Which header was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forbidden {
    Host,
    Origin,
}

impl Forbidden {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Host => {
                "the Host header names a host this server does not answer for; use an address, localhost \
                 or a configured name"
            }
            Self::Origin => "requests from web pages of other hosts are not allowed",
        }
    }
}

impl AllowedHosts {
    /// Allows localhost, loopback, `bound` and `names`; any IP literal if `bound` is not loopback.
    pub(crate) fn new(bound: IpAddr, names: &[String]) -> Self {
        let names =
            names.iter().map(|name| name.trim_end_matches('.').to_owned()).filter(|name| !name.is_empty());
        let names = std::iter::once("localhost".to_owned()).chain(names).collect();
        Self { names, bound }
    }

    /// Checks the Host header (or the HTTP/2 authority), and the Origin if there is one.
    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Forbidden> {
        let authority = uri.authority().map(http::uri::Authority::as_str);
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => Some(host.to_str().map_err(|_| Forbidden::Host)?),
            (None, _) => None,
            (Some(_), Some(_)) => return Err(Forbidden::Host),
        };
        let named = authority.is_some() || host.is_some();
        if !named || !authority.into_iter().chain(host).all(|authority| self.allows(authority)) {
            return Err(Forbidden::Host);
        }
        match headers
            .get_all(header::ORIGIN)
            .iter()
            .all(|origin| origin.to_str().is_ok_and(|origin| self.allows_origin(origin)))
        {
            true => Ok(()),
            false => Err(Forbidden::Origin),
        }
    }

    fn allows_origin(&self, origin: &str) -> bool {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| self.allows(authority))
    }

    fn allows(&self, authority: &str) -> bool {
        let Some(host) = host_of(authority) else { return false };
        match host {
            Host::Address(address) => {
                let address = address.to_canonical();
                address.is_loopback() || address == self.bound || !self.bound.is_loopback()
            }
            Host::Name(name) => self.names.iter().any(|allowed| allowed.eq_ignore_ascii_case(name)),
        }
    }
}

enum Host<'a> {
    Address(IpAddr),
    Name(&'a str),
}

/// Splits `host[:port]`; anything else that a URL could hold there (user, path) makes it unreadable.
fn host_of(authority: &str) -> Option<Host<'_>> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            let address: Ipv6Addr = address.parse().ok()?;
            (Host::Address(address.into()), port)
        }
        None => {
            let end = authority.find(':').unwrap_or(authority.len());
            let (host, port) = authority.split_at(end);
            let name = host.strip_suffix('.').unwrap_or(host);
            (host.parse().map_or(Host::Name(name), Host::Address), port)
        }
    };
    let port_is_fine =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    port_is_fine.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(bound: &str) -> AllowedHosts {
        AllowedHosts::new(bound.parse().unwrap(), &["Workbench.".into(), "phone.lan".into()])
    }

    fn check(hosts: &AllowedHosts, host: &str, origin: Option<&str>) -> Result<(), Forbidden> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        hosts.check(&Uri::from_static("/mcp"), &headers)
    }

    #[test]
    fn names_of_this_machine_pass_with_any_port_and_case() {
        let hosts = hosts("127.0.0.1");
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:1",
            "127.9.9.9",
            "[::1]:8080",
            "workbench",
            "phone.lan:80",
            "localhost.",
        ] {
            assert_eq!(check(&hosts, host, None), Ok(()), "{host}");
        }
    }

    #[test]
    fn names_an_attacker_can_own_are_refused() {
        let hosts = hosts("127.0.0.1");
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
            ":80",
            "user@localhost",
            "localhost:x",
            "[::1",
            "192.0.2.1",
        ] {
            assert_eq!(check(&hosts, host, None), Err(Forbidden::Host), "{host}");
        }
        assert_eq!(hosts.check(&Uri::from_static("/mcp"), &HeaderMap::new()), Err(Forbidden::Host));
    }

    #[test]
    fn any_literal_passes_on_an_open_bind_but_no_foreign_name() {
        let hosts = hosts("0.0.0.0");
        assert_eq!(check(&hosts, "192.0.2.1:8080", None), Ok(()));
        assert_eq!(check(&hosts, "[2001:db8::1]", None), Ok(()));
        assert_eq!(check(&hosts, "evil.example", None), Err(Forbidden::Host));
    }

    #[test]
    fn an_origin_must_be_allowed_too() {
        let hosts = hosts("127.0.0.1");
        assert_eq!(check(&hosts, "localhost", Some("http://localhost:5173")), Ok(()));
        assert_eq!(check(&hosts, "localhost", Some("https://[::1]")), Ok(()));
        for origin in [
            "null",
            "http://evil.example",
            "http://localhost.evil.example",
            "file://",
            "localhost",
            "http://localhost/x",
        ] {
            assert_eq!(check(&hosts, "localhost", Some(origin)), Err(Forbidden::Origin), "{origin}");
        }
    }

    #[test]
    fn the_authority_of_http2_counts_like_a_host() {
        let hosts = hosts("127.0.0.1");
        assert_eq!(hosts.check(&Uri::from_static("https://localhost:8443/mcp"), &HeaderMap::new()), Ok(()));
        assert_eq!(
            hosts.check(&Uri::from_static("https://evil.example/mcp"), &HeaderMap::new()),
            Err(Forbidden::Host)
        );
    }
}
