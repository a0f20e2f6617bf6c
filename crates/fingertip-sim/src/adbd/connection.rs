//! One connection of an adb server to the phone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::mpsc;

use super::packet::{Command, MAX_PAYLOAD, Packet, PacketError, VERSION, read_packet};
use super::service::{self, FEATURES};
use super::stream::{self, Outgoing, StreamHandle};
use crate::lock::lock;
use crate::{Presence, SimPhone};

/// Packets that may wait for a slow peer before the streams have to.
const WRITE_BACKLOG: usize = 16;

/// The most streams one connection may have open.
const MAX_STREAMS: usize = 256;

/// What the phone asks to be signed; no signature is ever accepted, so it need not be a secret.
const TOKEN: [u8; 20] = *b"fingertip-sim-token!";

/// The argument of an AUTH packet that carries a token.
const AUTH_TOKEN: u32 = 1;

type Streams = Arc<Mutex<HashMap<u32, StreamHandle>>>;

/// Serves a connection until either side ends it or the phone's presence changes.
pub(super) async fn serve(socket: TcpStream, phone: Arc<SimPhone>) {
    // Small packets go back and forth; waiting to fill a segment would cost 40 ms each time.
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!("TCP_NODELAY: {error}");
    }
    let (reader, mut writer) = socket.into_split();
    let (wire, mut packets) = mpsc::channel::<Bytes>(WRITE_BACKLOG);
    let writing = async move {
        while let Some(packet) = packets.recv().await {
            if writer.write_all(&packet).await.is_err() {
                return;
            }
        }
    };
    let presence = phone.faults().plan().presence;
    let mut connection =
        Connection { phone: Arc::clone(&phone), reader: BufReader::new(reader), wire, presence };
    tokio::select! {
        result = connection.run() => if let Err(error) = result {
            tracing::debug!("adb connection ended: {error}");
        },
        () = writing => {}
        () = phone.faults().until(|plan| plan.presence != presence) => {}
    }
}

struct Connection {
    phone: Arc<SimPhone>,
    reader: BufReader<OwnedReadHalf>,
    wire: mpsc::Sender<Bytes>,
    presence: Presence,
}

impl Connection {
    /// Answers each introduction of the peer, and then its streams, until the peer introduces itself again.
    async fn run(&mut self) -> Result<(), PacketError> {
        let mut introduction = None;
        loop {
            let packet = match introduction.take() {
                Some(packet) => Some(packet),
                None => read_packet(&mut self.reader, false).await?,
            };
            match (packet, self.presence) {
                (None, _) => return Ok(()),
                (Some(packet), Presence::Online) if packet.command == Command::Connect => {
                    introduction = self.serve_peer(&packet).await?;
                    if introduction.is_none() {
                        return Ok(());
                    }
                }
                (Some(packet), Presence::Unauthorized) => self.ask_for_proof(&packet).await,
                // Offline, or a peer that talks before it says who it is.
                (Some(_), _) => {}
            }
        }
    }

    /// Every proof is answered with the next question; a public key waits for the owner, who never comes.
    async fn ask_for_proof(&self, packet: &Packet) {
        let is_signature = packet.command == Command::Auth && packet.first == 2;
        if packet.command == Command::Connect || is_signature {
            let question = Packet::new(Command::Auth, AUTH_TOKEN, 0, Bytes::from_static(&TOKEN));
            let _ = self.wire.send(question.encode(true)).await;
        }
    }

    /// Serves streams; `Some` when the peer introduces itself again, `None` when it is gone.
    async fn serve_peer(&mut self, introduction: &Packet) -> Result<Option<Packet>, PacketError> {
        let with_checksum = introduction.first.min(VERSION) < VERSION;
        let max_payload = introduction.second.clamp(1, MAX_PAYLOAD) as usize;
        let outgoing = Outgoing { wire: self.wire.clone(), with_checksum, max_payload };
        let banner = banner(&self.phone);
        outgoing.send(&Packet::new(Command::Connect, VERSION, MAX_PAYLOAD, banner.into())).await;
        let streams = Streams::default();
        let mut next_id = 1;
        let mut running = tokio::task::JoinSet::new();
        while let Some(packet) = read_packet(&mut self.reader, with_checksum).await? {
            while running.try_join_next().is_some() {}
            match packet.command {
                Command::Connect => return Ok(Some(packet)),
                Command::Open if packet.first != 0 => {
                    let pump = self.open(&packet, next_id, &outgoing, &streams);
                    next_id += 1;
                    running.spawn(pump);
                }
                Command::Write => {
                    let taken = lock(&streams)
                        .get(&packet.second)
                        .is_some_and(|handle| handle.deliver(packet.payload));
                    if !taken {
                        lock(&streams).remove(&packet.second);
                        outgoing.send(&Packet::bare(Command::Close, 0, packet.first)).await;
                    }
                }
                Command::Okay => {
                    let known = lock(&streams).get(&packet.second).map(StreamHandle::acknowledge).is_some();
                    // The OKAY to the last write of a stream that is over comes late, and is no mistake.
                    if !known && packet.second >= next_id {
                        outgoing.send(&Packet::bare(Command::Close, packet.second, packet.first)).await;
                    }
                }
                // Dropping the handle ends the stream, which then says so itself.
                Command::Close => {
                    lock(&streams).remove(&packet.second);
                }
                Command::Open | Command::Auth => {}
            }
        }
        Ok(None)
    }

    /// Opens a service on a new stream; the future carries its bytes until it is over.
    fn open(
        &self,
        packet: &Packet,
        local: u32,
        outgoing: &Outgoing,
        streams: &Streams,
    ) -> impl Future<Output = ()> + use<> {
        let phone = Arc::clone(&self.phone);
        let name = String::from_utf8_lossy(&packet.payload).trim_end_matches('\0').to_owned();
        let (remote, outgoing, streams) = (packet.first, outgoing.clone(), Arc::clone(streams));
        // A window in OPEN is only for peers that negotiated delayed acknowledgement, which is not offered.
        let refused = packet.second != 0 || lock(&streams).len() >= MAX_STREAMS;
        let pump = (!refused).then(|| {
            let (handle, pump) = stream::open(local, remote, outgoing.clone(), phone.bounds().clone());
            lock(&streams).insert(local, handle);
            pump
        });
        async move {
            let opened = if refused { None } else { service::open(&name, &phone).await };
            let (Some(opened), Some(pump)) = (opened, pump) else {
                lock(&streams).remove(&local);
                outgoing.send(&Packet::bare(Command::Close, 0, remote)).await;
                return;
            };
            outgoing.send(&Packet::bare(Command::Okay, local, remote)).await;
            let (near, far) = tokio::io::duplex(stream::BUFFER);
            tokio::spawn(opened.run(far));
            pump.run(near).await;
            lock(&streams).remove(&local);
        }
    }
}

/// What the phone says of itself.
fn banner(phone: &SimPhone) -> String {
    let profile = phone.profile();
    format!(
        "device::ro.product.name={};ro.product.model={};ro.product.device={};features={FEATURES}",
        profile.product, profile.model, profile.device
    )
}
