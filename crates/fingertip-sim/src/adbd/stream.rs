//! One stream of a connection: carries bytes between packets and a service.
//!
//! Rules of flow: a write waits for the peer's OKAY to the write before it, never for the OKAY to the last
//! one (some clients do not send it); the peer's write is acknowledged once the service took it. A peer that
//! writes without waiting is closed instead of buffered without end.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::{Semaphore, mpsc};

use super::packet::{Command, Packet};
use crate::bounds::{Bounds, Share};

/// Bytes between a service and its stream before the service has to wait.
pub(super) const BUFFER: usize = 256 * 1024;

/// Writes taken from a peer that does not wait for its OKAY, before the stream is closed.
const UNACKNOWLEDGED_WRITES: usize = 8;

/// Where packets go out: encoded here, so that the writer needs to know nothing.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    pub(super) wire: mpsc::Sender<Bytes>,
    pub(super) with_checksum: bool,
    pub(super) max_payload: usize,
}

impl Outgoing {
    /// Sends a packet; `false` when the connection is gone.
    pub(super) async fn send(&self, packet: &Packet) -> bool {
        self.wire.send(packet.encode(self.with_checksum)).await.is_ok()
    }
}

/// The connection's end of a stream.
#[derive(Debug)]
pub(super) struct StreamHandle {
    incoming: mpsc::Sender<(Bytes, Share)>,
    window: Arc<Semaphore>,
    bounds: Bounds,
}

impl StreamHandle {
    /// Hands over bytes of the peer; `false` when it ignores flow control, too much is unread on this phone
    /// already, or the stream is over.
    pub(super) fn deliver(&self, data: Bytes) -> bool {
        let share = self.bounds.unread(data.len());
        share.is_some_and(|share| self.incoming.try_send((data, share)).is_ok())
    }

    /// The peer took the last write.
    pub(super) fn acknowledge(&self) {
        if self.window.available_permits() == 0 {
            self.window.add_permits(1);
        }
    }
}

/// What runs a stream.
#[derive(Debug)]
pub(super) struct Pump {
    local: u32,
    remote: u32,
    incoming: mpsc::Receiver<(Bytes, Share)>,
    window: Arc<Semaphore>,
    outgoing: Outgoing,
}

/// A new stream between a peer's id and one of this side.
pub(super) fn open(local: u32, remote: u32, outgoing: Outgoing, bounds: Bounds) -> (StreamHandle, Pump) {
    let (sender, incoming) = mpsc::channel(UNACKNOWLEDGED_WRITES);
    let window = Arc::new(Semaphore::new(1));
    let handle = StreamHandle { incoming: sender, window: Arc::clone(&window), bounds };
    (handle, Pump { local, remote, incoming, window, outgoing })
}

impl Pump {
    /// Carries bytes until the service is done or the peer closed, then says so to the peer.
    pub(super) async fn run(self, service: DuplexStream) {
        let (reader, writer) = tokio::io::split(service);
        tokio::select! {
            () = to_peer(reader, &self.outgoing, &self.window, self.local, self.remote) => {}
            () = from_peer(self.incoming, writer, &self.outgoing, self.local, self.remote) => {}
        }
        self.outgoing.send(&Packet::bare(Command::Close, self.local, self.remote)).await;
    }
}

async fn to_peer(
    mut service: ReadHalf<DuplexStream>,
    outgoing: &Outgoing,
    window: &Semaphore,
    local: u32,
    remote: u32,
) {
    let mut buffer = BytesMut::new();
    loop {
        buffer.reserve(outgoing.max_payload.min(BUFFER));
        match service.read_buf(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        while !buffer.is_empty() {
            let Ok(permit) = window.acquire().await else { return };
            permit.forget();
            let payload = buffer.split_to(buffer.len().min(outgoing.max_payload)).freeze();
            if !outgoing.send(&Packet::new(Command::Write, local, remote, payload)).await {
                return;
            }
        }
    }
}

async fn from_peer(
    mut incoming: mpsc::Receiver<(Bytes, Share)>,
    mut service: WriteHalf<DuplexStream>,
    outgoing: &Outgoing,
    local: u32,
    remote: u32,
) {
    while let Some((data, _share)) = incoming.recv().await {
        // A service that stopped reading may still be writing: its stream ends when it is done, not here.
        let _ = service.write_all(&data).await;
        if !outgoing.send(&Packet::bare(Command::Okay, local, remote)).await {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bench {
        handle: StreamHandle,
        wire: mpsc::Receiver<Bytes>,
        service: DuplexStream,
    }

    fn bench(max_payload: usize) -> Bench {
        let (sender, wire) = mpsc::channel(32);
        let (handle, pump) =
            open(1, 2, Outgoing { wire: sender, with_checksum: false, max_payload }, Bounds::default());
        let (service, near) = tokio::io::duplex(BUFFER);
        tokio::spawn(pump.run(near));
        Bench { handle, wire, service }
    }

    async fn next(wire: &mut mpsc::Receiver<Bytes>) -> (String, usize) {
        let packet = wire.recv().await.unwrap();
        (String::from_utf8_lossy(&packet[..4]).into_owned(), packet.len() - 24)
    }

    #[tokio::test(start_paused = true)]
    async fn the_second_write_waits_for_an_okay_and_the_close_does_not() {
        let mut bench = bench(4);
        bench.service.write_all(b"sixsix").await.unwrap();
        assert_eq!(next(&mut bench.wire).await, ("WRTE".into(), 4));
        let wait = std::time::Duration::from_secs(1);
        assert!(tokio::time::timeout(wait, bench.wire.recv()).await.is_err());
        bench.handle.acknowledge();
        assert_eq!(next(&mut bench.wire).await, ("WRTE".into(), 2));
        drop(bench.service);
        assert_eq!(next(&mut bench.wire).await, ("CLSE".into(), 0));
    }

    #[tokio::test]
    async fn bytes_of_the_peer_reach_the_service_and_are_acknowledged() {
        let mut bench = bench(4096);
        assert!(bench.handle.deliver(Bytes::from_static(b"abc")));
        assert_eq!(next(&mut bench.wire).await, ("OKAY".into(), 0));
        let mut read = [0; 3];
        bench.service.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"abc");
    }

    #[tokio::test]
    async fn a_peer_that_ignores_flow_control_is_not_buffered_without_end() {
        let bench = bench(4096);
        let delivered = (0..100).filter(|_| bench.handle.deliver(Bytes::from_static(b"x"))).count();
        assert_eq!(delivered, UNACKNOWLEDGED_WRITES);
    }

    #[tokio::test]
    async fn the_service_sees_the_end_when_the_peer_closes() {
        let mut bench = bench(4096);
        drop(bench.handle);
        assert_eq!(bench.service.read(&mut [0; 8]).await.unwrap(), 0);
        assert_eq!(next(&mut bench.wire).await, ("CLSE".into(), 0));
    }
}
