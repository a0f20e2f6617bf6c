//! Listening and shutting down.
//!
//! The address is bound before anything else, so that "port in use" is an error of the start and not a line in a log.
//! Every connection is its own task with its own time limits: a slow or broken client holds up no other. On
//! shutdown running calls get a short grace, streams and idle connections end at once, and what is left after the
//! grace is cancelled.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use rmcp::ServerHandler;
use tokio::{
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    auth::{Gate, Token},
    connection::Connection,
    error::TransportError,
    host::AllowedHosts,
    http::{Endpoint, Respond},
    limits::HttpLimits,
    slots::{Slot, Slots},
    tls::TlsIdentity,
};
use crate::page::Page;

/// Pause after a failed accept: the usual cause, too many open files, needs time to pass.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// How to serve MCP over HTTP.
#[non_exhaustive]
pub struct HttpConfig {
    /// Where to listen; port 0 lets the system choose.
    pub listen: SocketAddr,
    /// What clients must present.
    pub token: Token,
    /// Names this machine is reached by, besides localhost and its addresses.
    pub host_names: Vec<String>,
    /// Serve HTTPS with this identity instead of plain HTTP.
    pub tls: Option<TlsIdentity>,
    /// Further routes on the same listener, behind the same checks.
    pub more_routes: Router,
    /// The page that people watch, at `/ui`.
    pub page: Option<Arc<Page>>,
    /// Ends the server when cancelled.
    pub shutdown: CancellationToken,
    /// Bounds; the defaults are the product's.
    pub limits: HttpLimits,
}

impl HttpConfig {
    /// Plain HTTP on `listen`, with the default limits.
    pub fn new(listen: SocketAddr, token: Token) -> Self {
        Self {
            listen,
            token,
            host_names: Vec::new(),
            tls: None,
            more_routes: Router::new(),
            page: None,
            shutdown: CancellationToken::new(),
            limits: HttpLimits::default(),
        }
    }
}

/// A server that accepts connections.
#[derive(Debug)]
pub struct Running {
    local_addr: SocketAddr,
    task: JoinHandle<()>,
}

impl Running {
    /// The address really bound.
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Waits until the server has shut down.
    pub async fn finished(self) {
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the HTTP server ended unexpectedly");
        }
    }
}

/// Binds the address and serves `factory`'s handlers on it until the shutdown token is cancelled.
pub async fn serve<H, F>(config: HttpConfig, factory: F) -> Result<Running, TransportError>
where
    H: ServerHandler,
    F: Fn() -> H + Send + Sync + 'static,
{
    let address = config.listen;
    let listener = TcpListener::bind(address).await.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => TransportError::AddressInUse(address),
        _ => TransportError::Bind { address, source },
    })?;
    let local_addr = listener.local_addr().map_err(|source| TransportError::Bind { address, source })?;
    let server = Server {
        slots: Arc::new(Slots::new(&config.limits)),
        connection: Arc::new(Connection::new(
            config.tls.as_ref(),
            config.limits.clone(),
            config.shutdown.clone(),
        )),
        endpoint: Arc::new(Endpoint::new(
            Gate::new(&config.token, config.limits.throttle.clone()),
            AllowedHosts::new(local_addr.ip(), &config.host_names),
            config.limits.clone(),
            config.more_routes,
            config.page.map(|page| (page, local_addr.port())),
            config.shutdown.clone(),
            factory,
        )),
    };
    let task = tokio::spawn(server.run(listener, config.limits, config.shutdown));
    Ok(Running { local_addr, task })
}

struct Server {
    slots: Arc<Slots>,
    connection: Arc<Connection>,
    endpoint: Arc<dyn Respond>,
}

impl Server {
    async fn run(self, listener: TcpListener, limits: HttpLimits, shutdown: CancellationToken) {
        let mut connections = JoinSet::new();
        let mut accepted = None;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
                (stream, slot) = self.next(&listener, &mut accepted) => {
                    let (connection, endpoint) = (self.connection.clone(), self.endpoint.clone());
                    connections.spawn(async move {
                        connection.serve(stream, &slot.activity, endpoint).await;
                        drop(slot);
                    });
                }
            }
        }
        drop(listener);
        let finished = async { while connections.join_next().await.is_some() {} };
        if timeout(limits.shutdown_grace, finished).await.is_err() {
            tracing::info!(
                connections = connections.len(),
                "cutting connections that did not finish in time"
            );
        }
        self.endpoint.close().await;
        connections.shutdown().await;
    }

    /// The next connection with its place. Given up half way, it leaves what it accepted in `accepted`.
    async fn next(
        &self,
        listener: &TcpListener,
        accepted: &mut Option<(TcpStream, SocketAddr)>,
    ) -> (TcpStream, Slot) {
        loop {
            if let Some((_, peer)) = accepted {
                let slot = self.slots.admit(*peer).await;
                if let Some((stream, _)) = accepted.take() {
                    return (stream, slot);
                }
            }
            match listener.accept().await {
                Ok(connection) => *accepted = Some(connection),
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    sleep(ACCEPT_RETRY).await;
                }
            }
        }
    }
}
