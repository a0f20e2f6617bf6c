//! The addresses by which other machines reach this one, and what follows when they change.
//!
//! A server that listens on all addresses is reached by each of them; its certificate must name them, and its owner
//! must see them. They are looked at every few seconds, since a phone or a laptop moves from one network to another.
//! Left out: addresses of this machine alone, and those that mean something only together with an interface.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// How often the addresses are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How often something is done about them although they are the same, for what ends by itself, as certificates do.
const RENEW_EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// The most addresses that are announced and certified; the first ones are those that matter.
const MAX_ADDRESSES: usize = 16;
/// An address reserved for documentation; the route to it is the one to the network.
const ELSEWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 9);

/// The addresses by which other machines reach a server that listens on this one, the likeliest first.
pub(crate) fn addresses(listen: IpAddr) -> Vec<IpAddr> {
    if listen.is_loopback() {
        return Vec::new();
    }
    if !listen.is_unspecified() {
        return vec![listen];
    }
    let first = address_of_route();
    let all = match if_addrs::get_if_addrs() {
        Ok(interfaces) => interfaces.iter().map(if_addrs::Interface::ip).collect(),
        // Android does not list interfaces for apps; the one address that matters is known all the same.
        Err(error) => {
            tracing::debug!(%error, "the interfaces of this machine are not listed");
            Vec::from_iter(first)
        }
    };
    sorted(all, listen, first)
}

fn sorted(mut all: Vec<IpAddr>, listen: IpAddr, first: Option<IpAddr>) -> Vec<IpAddr> {
    all.retain(|address| is_reachable(*address) && (listen.is_ipv6() || address.is_ipv4()));
    all.sort_unstable_by_key(|address| (Some(*address) != first, address.is_ipv6(), *address));
    all.dedup();
    all.truncate(MAX_ADDRESSES);
    all
}

fn is_reachable(address: IpAddr) -> bool {
    let of_link = match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    !of_link && !address.is_loopback() && !address.is_unspecified()
}

/// This machine's address on the way out. Nothing is sent.
fn address_of_route() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Reports the addresses each time they change, and once a day; never ends.
pub(crate) async fn follow(listen: IpAddr, mut known: Vec<IpAddr>, mut report: impl FnMut(&[IpAddr])) {
    let mut reported = Instant::now();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // Asking the system for its interfaces takes less than a millisecond.
        let now = addresses(listen);
        if now != known || reported.elapsed() >= RENEW_EVERY {
            known = now;
            reported = Instant::now();
            report(&known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn a_bind_to_one_address_is_reached_there_and_loopback_not_at_all() {
        assert_eq!(addresses("192.0.2.7".parse().unwrap()), parsed(&["192.0.2.7"]));
        assert!(addresses("127.0.0.1".parse().unwrap()).is_empty());
        assert!(addresses("::1".parse().unwrap()).is_empty());
    }

    #[test]
    fn the_address_on_the_way_out_comes_first_and_those_of_a_link_not_at_all() {
        let all = parsed(&[
            "::1",
            "172.17.0.1",
            "fe80::1",
            "192.168.0.7",
            "127.0.0.1",
            "2001:db8::7",
            "169.254.3.4",
            "192.168.0.7",
        ]);
        let first = Some(all[3]);
        let any = |text: &str| text.parse().unwrap();
        assert_eq!(sorted(all.clone(), any("0.0.0.0"), first), parsed(&["192.168.0.7", "172.17.0.1"]));
        let both = parsed(&["192.168.0.7", "172.17.0.1", "2001:db8::7"]);
        assert_eq!(sorted(all.clone(), any("::"), first), both);
        assert_eq!(sorted(all, any("0.0.0.0"), None), parsed(&["172.17.0.1", "192.168.0.7"]));
    }

    #[test]
    fn a_machine_with_a_thousand_addresses_reports_some() {
        let all = (0..1000_u32).map(|number| IpAddr::from(Ipv4Addr::from(0x0a00_0001 + number))).collect();
        assert_eq!(sorted(all, Ipv4Addr::UNSPECIFIED.into(), None).len(), MAX_ADDRESSES);
    }
}
