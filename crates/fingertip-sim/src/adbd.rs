//! The device side of adb: what runs on the phone and answers `adb connect`.
//!
//! [`packet`] is the transport, [`service`] what can be opened on it. Rules: a connection that speaks rubbish is
//! dropped and harms no other; every buffer is bounded; a phone that is away drops its connections, one that
//! is offline reads and says nothing, one that is unauthorized asks for a proof and accepts none.
//! Not here: TLS, pairing, delayed acknowledgement, USB.

mod connection;
pub mod packet;
pub mod service;
mod shell_service;
mod stream;
mod sync;

use std::sync::Arc;

use tokio::net::TcpListener;

use crate::{Presence, SimPhone};

/// The most connections at once; real phones see one.
const MAX_CONNECTIONS: usize = 64;

/// Answers connections until the future is dropped.
pub async fn serve(listener: TcpListener, phone: Arc<SimPhone>) {
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((socket, _)) if connections.len() < MAX_CONNECTIONS && is_there(&phone) => {
                    connections.spawn(connection::serve(socket, Arc::clone(&phone)));
                }
                Ok(_) => {}
                Err(error) => tracing::warn!("accepting an adb connection: {error}"),
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

fn is_there(phone: &SimPhone) -> bool {
    phone.faults().plan().presence != Presence::Away
}

#[cfg(test)]
mod tests;
