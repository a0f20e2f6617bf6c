//! The phone's abstract sockets as sockets of this computer too, for programs of the phone that run on it.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener as StdListener};
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::DuplexStream;
use tokio::net::UnixListener;
use tokio::sync::mpsc;

use super::{BUFFER, Listeners};

/// Whether they are.
#[derive(Debug, Default)]
pub(super) struct Exposure(AtomicBool);

impl Listeners {
    /// Makes those that listen from now on sockets of this computer too.
    pub(crate) fn expose(&self) {
        self.exposure.0.store(true, Ordering::Relaxed);
    }
}

impl Exposure {
    /// Hands on who connects to the name on this computer, for as long as the phone's program listens.
    pub(super) fn listen(&self, name: &str, program: &mpsc::Sender<DuplexStream>) {
        if !self.0.load(Ordering::Relaxed) {
            return;
        }
        match bind(name) {
            Ok(listener) => drop(tokio::spawn(hand_on(listener, program.clone()))),
            Err(error) => tracing::error!(%error, name, "a socket of the phone is not one of this computer"),
        }
    }
}

fn bind(name: &str) -> io::Result<UnixListener> {
    let listener = StdListener::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
    listener.set_nonblocking(true)?;
    UnixListener::from_std(listener)
}

async fn hand_on(listener: UnixListener, program: mpsc::Sender<DuplexStream>) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = program.closed() => return,
        };
        let Ok((mut stream, _)) = accepted else { return };
        let (mut near, far) = tokio::io::duplex(BUFFER);
        if program.send(far).await.is_err() {
            return;
        }
        tokio::spawn(async move { tokio::io::copy_bidirectional(&mut stream, &mut near).await });
    }
}
