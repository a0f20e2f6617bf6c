//! One connection, from the TLS handshake to its end.
//!
//! The HTTP version is settled by TLS, or by its absence: HTTP/1.1. Guessing it from the first bytes would give a
//! silent client all the time in the world. A client too slow with its headers is told so before the connection ends;
//! one that is merely idle is not, since it would take that for the answer to its next request.

use std::{convert::Infallible, net::SocketAddr, pin::Pin, sync::Arc, time::Duration};

use axum::body::Body;
use http::{Request, Response};
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rmcp::ServerHandler;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::{http::Endpoint, limits::HttpLimits, tls::TlsIdentity};

/// Time for the last words to a client too slow with its headers.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);
/// Said to a client whose headers do not arrive, below the level at which requests are answered.
const SLOW_HEADERS: &str =
    r#"{"error":"request_timeout","message":"the request headers did not arrive in time"}"#;

/// How connections are spoken to.
pub(crate) struct Connection {
    tls: Option<TlsAcceptor>,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
    handshake_timeout: Duration,
    shutdown: CancellationToken,
}

impl Connection {
    pub(crate) fn new(tls: Option<&TlsIdentity>, limits: &HttpLimits, shutdown: CancellationToken) -> Self {
        let mut http1 = http1::Builder::new();
        http1.timer(TokioTimer::new()).header_read_timeout(limits.header_timeout);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .max_concurrent_streams(limits.streams)
            .keep_alive_interval(limits.header_timeout)
            .keep_alive_timeout(limits.header_timeout);
        let tls = tls.map(|identity| TlsAcceptor::from(identity.server_config()));
        Self { tls, http1, http2, handshake_timeout: limits.handshake_timeout, shutdown }
    }

    /// Answers requests on `stream` until either side ends it.
    pub(crate) async fn serve<H: ServerHandler>(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        endpoint: Arc<Endpoint<H>>,
    ) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot send small answers at once");
        }
        let outcome = match &self.tls {
            None => self.speak_http1(stream, peer, endpoint).await,
            Some(tls) => match timeout(self.handshake_timeout, tls.accept(stream)).await {
                Ok(Ok(stream)) if stream.get_ref().1.alpn_protocol() == Some(b"h2") => {
                    self.speak_http2(stream, peer, endpoint).await
                }
                Ok(Ok(stream)) => self.speak_http1(stream, peer, endpoint).await,
                Ok(Err(error)) => return tracing::debug!(%peer, %error, "the TLS handshake failed"),
                Err(_) => return tracing::debug!(%peer, "the TLS handshake took too long"),
            },
        };
        if let Err(error) = outcome {
            tracing::debug!(%peer, %error, "a connection ended early");
        }
    }

    async fn speak_http1<H: ServerHandler>(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        peer: SocketAddr,
        endpoint: Arc<Endpoint<H>>,
    ) -> hyper::Result<()> {
        let service = TowerToHyperService::new(service(peer, endpoint));
        let mut connection = self.http1.serve_connection(TokioIo::new(stream), service);
        let outcome = tokio::select! {
            outcome = &mut connection => Some(outcome),
            () = self.shutdown.cancelled() => None,
        };
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => {
                Pin::new(&mut connection).graceful_shutdown();
                (&mut connection).await
            }
        };
        if outcome.as_ref().is_err_and(hyper::Error::is_timeout) {
            let rest = connection.into_parts();
            if !rest.read_buf.is_empty() {
                let mut stream = rest.io.into_inner();
                let (status, length) = ("408 Request Timeout", SLOW_HEADERS.len());
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
                     connection: close\r\n\r\n{SLOW_HEADERS}"
                );
                let farewell = async {
                    stream.write_all(answer.as_bytes()).await?;
                    stream.shutdown().await
                };
                // A client this slow may be gone or not reading, which is as good as told.
                let _ = timeout(FAREWELL_TIMEOUT, farewell).await;
            }
        }
        outcome
    }

    async fn speak_http2<H: ServerHandler>(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        peer: SocketAddr,
        endpoint: Arc<Endpoint<H>>,
    ) -> hyper::Result<()> {
        let service = TowerToHyperService::new(service(peer, endpoint));
        let mut connection = self.http2.serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            outcome = &mut connection => return outcome,
            () = self.shutdown.cancelled() => {}
        }
        Pin::new(&mut connection).graceful_shutdown();
        connection.await
    }
}

fn service<H: ServerHandler>(
    peer: SocketAddr,
    endpoint: Arc<Endpoint<H>>,
) -> impl tower::Service<
    Request<Incoming>,
    Response = Response<Body>,
    Error = Infallible,
    Future: Future<Output = Result<Response<Body>, Infallible>> + Send + 'static,
> + Clone
+ Send
+ 'static {
    tower::service_fn(move |request| {
        let endpoint = endpoint.clone();
        async move { Ok(endpoint.respond(peer, request).await) }
    })
}
