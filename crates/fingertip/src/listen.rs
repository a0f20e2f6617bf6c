//! Where to listen, as people write it: an address and port, a port alone, a name and port.
//!
//! A port alone means this machine only. A name must mean one address: listening on another one than was meant could
//! open the server to a network.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

/// Reads an address to listen on.
///
/// # Errors
/// What is wrong with the text, and what would be right.
pub(crate) fn parse(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    let is_named = text.rsplit_once(':').is_some_and(|(name, port)| {
        !name.is_empty() && !name.contains([':', '[', ']', '/']) && port.parse::<u16>().is_ok()
    });
    if !is_named {
        return Err(format!(
            "'{text}' is no address; write ADDRESS:PORT, NAME:PORT or PORT, such as 127.0.0.1:8080, \
             localhost:8080 or 8080"
        ));
    }
    let found = text.to_socket_addrs().map_err(|error| format!("'{text}' cannot be resolved: {error}"))?;
    only(text, found.collect())
}

/// The one address a name stands for; of loopback addresses, which are all this machine, that of IPv4.
fn only(text: &str, mut found: Vec<SocketAddr>) -> Result<SocketAddr, String> {
    found.sort_by_key(|address| (address.is_ipv6(), address.ip()));
    found.dedup();
    let all_loopback = found.iter().all(|address| address.ip().is_loopback());
    match &found[..] {
        [] => Err(format!("'{text}' has no address")),
        [first, rest @ ..] if rest.is_empty() || all_loopback => Ok(*first),
        several => {
            let several: Vec<String> =
                several.iter().map(SocketAddr::ip).map(|ip: IpAddr| ip.to_string()).collect();
            Err(format!("'{text}' stands for several addresses ({}); write one of them", several.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_a_port_and_a_name_are_understood() {
        for (text, address) in [
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("[::1]:8080", "[::1]:8080"),
            ("8080", "127.0.0.1:8080"),
            ("0", "127.0.0.1:0"),
            ("localhost:8081", "127.0.0.1:8081"),
        ] {
            assert_eq!(parse(text).map(|parsed| parsed.to_string()).as_deref(), Ok(address), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_with_examples() {
        for wrong in
            ["", ":", ":8080", "localhost", "127.0.0.1", "65536", "-1", "localhost:", "a:b:1", "::1:80x"]
        {
            assert!(parse(wrong).is_err_and(|why| why.contains("localhost:8080")), "{wrong}");
        }
    }

    #[test]
    fn a_name_with_several_addresses_is_refused_unless_all_are_this_machine() {
        let addresses = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>();
        let chosen = only("n:1", addresses(&["[::1]:1", "127.0.0.1:1", "127.0.0.1:1"]));
        assert_eq!(chosen.map(|address| address.to_string()).as_deref(), Ok("127.0.0.1:1"));
        assert!(only("n:1", addresses(&["192.0.2.1:1", "127.0.0.1:1"])).is_err());
        assert!(only("n:1", addresses(&["192.0.2.1:1"])).is_ok());
        assert!(only("n:1", Vec::new()).is_err());
    }
}
