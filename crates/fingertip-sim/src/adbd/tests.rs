//! The device side, spoken to packet by packet.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::packet::{Command, Packet, PacketError, VERSION, checksum, read_packet};
use crate::phone::Profile;
use crate::{Presence, SimPhone};

/// The protocol that wants checksums.
const OLD_VERSION: u32 = 0x0100_0000;

async fn device() -> (Arc<SimPhone>, std::net::SocketAddr) {
    let phone = SimPhone::start(Profile::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(super::serve(listener, Arc::clone(&phone)));
    (phone, address)
}

struct Host {
    socket: TcpStream,
    with_checksum: bool,
}

impl Host {
    async fn connect(address: std::net::SocketAddr, version: u32, max_payload: u32) -> (Self, Packet) {
        let socket = TcpStream::connect(address).await.unwrap();
        let mut host = Self { socket, with_checksum: version == OLD_VERSION };
        host.send(Command::Connect, version, max_payload, "host::features=shell_v2").await;
        let banner = host.receive().await;
        (host, banner)
    }

    async fn send(&mut self, command: Command, first: u32, second: u32, payload: &str) {
        let packet = Packet::new(command, first, second, Bytes::copy_from_slice(payload.as_bytes()));
        self.socket.write_all(&packet.encode(self.with_checksum)).await.unwrap();
    }

    async fn receive(&mut self) -> Packet {
        self.try_receive().await.unwrap().unwrap()
    }

    async fn try_receive(&mut self) -> Result<Option<Packet>, PacketError> {
        tokio::time::timeout(Duration::from_secs(10), read_packet(&mut self.socket, self.with_checksum))
            .await
            .unwrap()
    }

    /// Everything a service says, acknowledged as it comes.
    async fn call(&mut self, service: &str) -> Vec<Packet> {
        self.send(Command::Open, 5, 0, &format!("{service}\0")).await;
        let mut said = Vec::new();
        loop {
            let packet = self.receive().await;
            let (command, theirs) = (packet.command, packet.first);
            said.push(packet);
            match command {
                Command::Write => self.send(Command::Okay, 5, theirs, "").await,
                Command::Close => return said,
                _ => {}
            }
        }
    }
}

fn text(packets: &[Packet]) -> String {
    let writes = packets.iter().filter(|packet| packet.command == Command::Write);
    writes.map(|packet| String::from_utf8_lossy(&packet.payload).into_owned()).collect()
}

#[tokio::test]
async fn the_phone_introduces_itself_with_its_names_and_features() {
    let (_, address) = device().await;
    let (_, banner) = Host::connect(address, VERSION, 4096).await;
    assert_eq!((banner.first, banner.second), (VERSION, 1024 * 1024));
    assert_eq!(
        banner.payload,
        "device::ro.product.name=fingertip_demo;ro.product.model=Fingertip Demo;ro.product.device=demo;\
         features=shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,sendrecv_v2"
    );
}

#[tokio::test]
async fn a_stream_is_opened_written_and_closed() {
    let (_, address) = device().await;
    let (mut host, _) = Host::connect(address, VERSION, 1024 * 1024).await;
    let said = host.call("exec:echo hi").await;
    let commands: Vec<_> = said.iter().map(|packet| packet.command).collect();
    assert_eq!(commands, [Command::Okay, Command::Write, Command::Close]);
    assert!(said.iter().all(|packet| packet.second == 5), "packets go to the host's id");
    assert_eq!(text(&said), "hi\n");
    assert_eq!(text(&host.call("exec:echo again").await), "again\n");
}

#[tokio::test]
async fn writes_keep_to_the_size_the_host_can_take() {
    let (_, address) = device().await;
    let (mut host, _) = Host::connect(address, VERSION, 4096).await;
    let said = host.call("exec:getprop; getprop; getprop; getprop; screencap").await;
    assert!(said.iter().all(|packet| packet.payload.len() <= 4096));
    assert!(said.iter().filter(|packet| packet.payload.len() == 4096).count() > 2000);
}

#[tokio::test]
async fn an_old_host_gets_checksums_and_has_its_own_checked() {
    let (_, address) = device().await;
    let (mut host, _) = Host::connect(address, OLD_VERSION, 4096).await;
    assert_eq!(text(&host.call("exec:echo hi").await), "hi\n");
    let mut damaged =
        Packet::new(Command::Open, 6, 0, Bytes::from_static(b"exec:echo hi\0")).encode(true).to_vec();
    damaged[30] ^= 1;
    assert_ne!(checksum(&damaged[24..]), u32::from_le_bytes(damaged[16..20].try_into().unwrap()));
    host.socket.write_all(&damaged).await.unwrap();
    assert!(matches!(host.try_receive().await, Ok(None) | Err(_)), "the connection must end");
}

#[tokio::test]
async fn what_cannot_be_opened_is_closed() {
    let (_, address) = device().await;
    let (mut host, _) = Host::connect(address, VERSION, 4096).await;
    for service in ["tcp:80", "localabstract:nobody", "nonsense", "jdwp:1"] {
        let said = host.call(service).await;
        assert_eq!(said, [Packet::bare(Command::Close, 0, 5)], "{service}");
    }
    host.send(Command::Open, 9, 1024, "exec:id\0").await;
    assert_eq!(host.receive().await, Packet::bare(Command::Close, 0, 9), "a window was not negotiated");
    host.send(Command::Okay, 9, 4711, "").await;
    assert_eq!(host.receive().await.command, Command::Close, "an unknown stream is closed");
}

#[tokio::test]
async fn a_close_of_the_host_is_answered_and_ends_the_command() {
    let (_, address) = device().await;
    let (mut host, _) = Host::connect(address, VERSION, 4096).await;
    host.send(Command::Open, 5, 0, "shell:cat\0").await;
    let local = host.receive().await.first;
    host.send(Command::Write, 5, local, "typed\n").await;
    let said = [host.receive().await, host.receive().await];
    assert_eq!(text(&said), "typed\n");
    host.send(Command::Close, 5, local, "").await;
    assert_eq!(host.receive().await, Packet::bare(Command::Close, local, 5));
}

#[tokio::test]
async fn a_second_introduction_starts_afresh() {
    let (_, address) = device().await;
    let (mut host, banner) = Host::connect(address, VERSION, 4096).await;
    host.send(Command::Connect, VERSION, 4096, "host::").await;
    assert_eq!(host.receive().await, banner);
    assert_eq!(text(&host.call("exec:echo hi").await), "hi\n");
}

#[tokio::test]
async fn rubbish_ends_one_connection_and_no_other() {
    let (_, address) = device().await;
    let (mut host, _) = Host::connect(address, VERSION, 4096).await;
    let mut other = TcpStream::connect(address).await.unwrap();
    other.write_all(&[0x47; 4096]).await.unwrap();
    assert_eq!(other.read(&mut [0; 64]).await.unwrap_or(0), 0);
    assert_eq!(text(&host.call("exec:echo hi").await), "hi\n");
}

#[tokio::test]
async fn an_unauthorized_host_is_asked_again_and_never_let_in() {
    let (phone, address) = device().await;
    phone.faults().change(|plan| plan.presence = Presence::Unauthorized);
    let (mut host, question) = Host::connect(address, VERSION, 4096).await;
    assert_eq!((question.command, question.first, question.payload.len()), (Command::Auth, 1, 20));
    host.send(Command::Auth, 2, 0, "a signature").await;
    assert_eq!(host.receive().await.command, Command::Auth);
    host.send(Command::Open, 5, 0, "exec:id\0").await;
    host.send(Command::Auth, 2, 0, "another").await;
    assert_eq!(host.receive().await.command, Command::Auth, "the service must not be opened");
    phone.faults().clear();
    assert!(matches!(host.try_receive().await, Ok(None) | Err(_)));
    let (_, banner) = Host::connect(address, VERSION, 4096).await;
    assert_eq!(banner.command, Command::Connect);
}

#[tokio::test(start_paused = true)]
async fn an_offline_phone_says_nothing() {
    let (phone, address) = device().await;
    phone.faults().change(|plan| plan.presence = Presence::Offline);
    let mut socket = TcpStream::connect(address).await.unwrap();
    let introduction = Packet::new(Command::Connect, VERSION, 4096, Bytes::from_static(b"host::"));
    socket.write_all(&introduction.encode(false)).await.unwrap();
    let received = tokio::time::timeout(Duration::from_secs(60), socket.read(&mut [0; 64])).await;
    assert!(received.is_err(), "{received:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_packets_leave_the_device_alive(
        packets in proptest::collection::vec((0usize..6, 0u32..6, 0u32..6, ".{0,40}"), 0..20)
    ) {
        let commands = [Command::Connect, Command::Auth, Command::Open, Command::Okay, Command::Close, Command::Write];
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (_phone, address) = device().await;
            let (mut wild, _) = Host::connect(address, VERSION, 4096).await;
            for (command, first, second, payload) in packets {
                let packet = Packet::new(commands[command], first, second, payload.into());
                if wild.socket.write_all(&packet.encode(false)).await.is_err() {
                    break;
                }
            }
            let (mut host, _) = Host::connect(address, VERSION, 4096).await;
            assert_eq!(text(&host.call("exec:echo alive").await), "alive\n");
        });
    }
}

#[tokio::test]
async fn ten_unfinished_pushes_hold_no_more_than_one_of_the_largest() {
    let (phone, address) = device().await;
    let mut hosts = Vec::new();
    for _ in 0..10 {
        let (mut host, _) = Host::connect(address, VERSION, 1 << 20).await;
        host.send(Command::Open, 5, 0, "sync:\0").await;
        let okay = host.receive().await;
        let name = b"/data/local/tmp/big,33188";
        let mut head = [&b"SEND"[..], &(name.len() as u32).to_le_bytes(), name].concat();
        for _ in 0..8 {
            // Eight megabytes each are enough: the bound is on the sum.
            for _ in 0..16 {
                head.extend([&b"DATA"[..], &(65_536_u32).to_le_bytes(), &[7; 65_536]].concat());
            }
            for part in head.chunks(1 << 20) {
                let packet = Packet::new(Command::Write, 5, okay.first, Bytes::copy_from_slice(part));
                host.socket.write_all(&packet.encode(false)).await.unwrap();
                assert_eq!(host.receive().await.command, Command::Okay);
            }
            head.clear();
        }
        hosts.push(host);
    }
    // Without a bound eighty would be held; the pushes that ran into it have freed their share.
    let held =
        (0..=64).rev().find(|free| phone.bounds().unfinished(free << 20).is_some()).map(|free| 64 - free);
    assert!(held.is_some_and(|held| held <= 64), "{held:?} MB");
    for host in &mut hosts {
        let done = [&b"DONE"[..], &[0; 4]].concat();
        let packet = Packet::new(Command::Write, 5, 1, Bytes::from(done));
        host.socket.write_all(&packet.encode(false)).await.unwrap();
    }
    let mut refused = 0;
    for host in &mut hosts {
        loop {
            let packet = host.receive().await;
            if packet.command == Command::Write {
                refused += usize::from(packet.payload.starts_with(b"FAIL"));
                break;
            }
        }
    }
    assert!((1..10).contains(&refused), "{refused} were refused for lack of room");
}

#[tokio::test]
async fn a_phone_opens_only_so_many_services_whatever_the_number_of_connections() {
    let (_phone, address) = device().await;
    let mut open = 0;
    let mut hosts = Vec::new();
    for _ in 0..8 {
        let (mut host, _) = Host::connect(address, VERSION, 1 << 20).await;
        for id in 1..=16 {
            host.send(Command::Open, id, 0, "shell:sleep 1000\0").await;
            open += usize::from(host.receive().await.command == Command::Okay);
        }
        hosts.push(host);
    }
    assert_eq!(open, 64);
}
