//! One connection, from the TLS handshake to its end.
//!
//! The HTTP version is settled by TLS, or by its absence: HTTP/1.1. Guessing it from the first bytes would give a
//! silent client all the time in the world. A client too slow with its headers gets an error before the connection ends;
//! one that is merely idle gets none, since it would take that for the answer to its next request.
//!
//! How long a connection may take for what is decided by [`Activity`]; buffers are bounded here.
//!
//! Streams and whatever answers requests are known by their traits only: the HTTP library is generic in both, and compiled
//! again for each combination.

use std::{convert::Infallible, future::Future, pin::Pin, sync::Arc, time::Duration};

use http::{Request, Response};
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::{
    activity::{Activity, Answer, Closing, FLUSH_TIME},
    http::Respond,
    limits::HttpLimits,
    tls::TlsIdentity,
    watched::Watched,
};

/// Bytes of HTTP/1.1 held for one connection in each direction: the headers of a request, and answers not yet sent.
const BUFFER_BYTES: usize = 128 * 1024;
/// Bytes of an answer held for one HTTP/2 stream.
const STREAM_BUFFER_BYTES: usize = 64 * 1024;
/// Bytes of a body that an HTTP/2 client may send before they are read: for one stream, and for all of a connection.
const WINDOW_BYTES: (u32, u32) = (256 * 1024, 1024 * 1024);
/// Streams of HTTP/2 opened and at once taken back before the connection is closed.
const MAX_RESET_STREAMS: usize = 20;
/// Time for a client to close a connection whose last answer it has, and to stop sending.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes read at once meanwhile.
const DRAIN_BUFFER_BYTES: usize = 8 * 1024;
/// Time for the last words to a client too slow with its headers.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);
/// Said to a client whose headers do not arrive, below the level at which requests are answered.
const SLOW_HEADERS: &str =
    r#"{"error":"request_timeout","message":"the request headers did not arrive in time"}"#;

/// What HTTP is spoken on: a socket, or TLS on one.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// How connections are spoken to.
pub(crate) struct Connection {
    tls: Option<TlsIdentity>,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
    limits: HttpLimits,
    shutdown: CancellationToken,
}

/// How a connection came to its end.
enum End {
    Over(hyper::Result<()>),
    Closed(Closing),
}

impl Connection {
    pub(crate) fn new(tls: Option<&TlsIdentity>, limits: HttpLimits, shutdown: CancellationToken) -> Self {
        let mut http1 = http1::Builder::new();
        http1.timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(BUFFER_BYTES);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .max_concurrent_streams(limits.streams)
            .max_pending_accept_reset_streams(MAX_RESET_STREAMS)
            .max_send_buf_size(STREAM_BUFFER_BYTES)
            .initial_stream_window_size(WINDOW_BYTES.0)
            .initial_connection_window_size(WINDOW_BYTES.1)
            .keep_alive_interval(limits.header_timeout)
            .keep_alive_timeout(limits.header_timeout);
        Self { tls: tls.cloned(), http1, http2, limits, shutdown }
    }

    /// Answers requests on `stream` until either side ends it.
    pub(crate) async fn serve(
        &self,
        stream: TcpStream,
        activity: &Arc<Activity>,
        endpoint: Arc<dyn Respond>,
    ) {
        let peer = activity.peer;
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot send small answers at once");
        }
        let stream = Watched::new(stream, activity.clone());
        let end = match &self.tls {
            None => self.speak_http1(Box::new(stream), activity, endpoint).await,
            Some(tls) => {
                let acceptor = TlsAcceptor::from(tls.server_config());
                let handshake = timeout(self.limits.handshake_timeout, acceptor.accept(stream));
                let stream = tokio::select! {
                    handshake = handshake => handshake,
                    closing = activity.overdue(&self.limits) => return closed(activity, closing),
                    () = self.shutdown.cancelled() => return,
                };
                match stream {
                    Ok(Ok(stream)) if stream.get_ref().1.alpn_protocol() == Some(b"h2") => {
                        activity.speaks(true);
                        self.speak_http2(Box::new(stream), activity, endpoint).await
                    }
                    Ok(Ok(stream)) => {
                        activity.speaks(false);
                        self.speak_http1(Box::new(stream), activity, endpoint).await
                    }
                    Ok(Err(error)) => return tracing::debug!(%peer, %error, "the TLS handshake failed"),
                    Err(_) => return tracing::debug!(%peer, "the TLS handshake took too long"),
                }
            }
        };
        match end {
            End::Over(Ok(())) => {}
            End::Over(Err(error)) => tracing::debug!(%peer, %error, "a connection ended early"),
            End::Closed(closing) => closed(activity, closing),
        }
    }

    async fn speak_http1(
        &self,
        stream: Box<dyn Stream>,
        activity: &Arc<Activity>,
        endpoint: Arc<dyn Respond>,
    ) -> End {
        let service = TowerToHyperService::new(service(activity.clone(), endpoint));
        let mut connection = self.http1.serve_connection(TokioIo::new(stream), service);
        let end = self.drive(&mut connection, activity, http1::Connection::graceful_shutdown).await;
        if matches!(end, End::Over(Ok(()))) && !activity.is_authenticated() {
            let stream = connection.into_parts().io.into_inner();
            tokio::select! {
                () = drain(stream, self.limits.discarded_bytes) => {}
                _ = activity.overdue(&self.limits) => {}
                () = self.shutdown.cancelled() => {}
            }
        } else if matches!(end, End::Closed(Closing::SlowHeaders)) {
            let mut stream = connection.into_parts().io.into_inner();
            let (status, length) = ("408 Request Timeout", SLOW_HEADERS.len());
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
                 connection: close\r\n\r\n{SLOW_HEADERS}"
            );
            let farewell = async {
                stream.write_all(answer.as_bytes()).await?;
                stream.shutdown().await
            };
            // A client this slow may be gone or not reading; then nothing more is to be done.
            let _ = timeout(FAREWELL_TIMEOUT, farewell).await;
        }
        end
    }

    async fn speak_http2(
        &self,
        stream: Box<dyn Stream>,
        activity: &Arc<Activity>,
        endpoint: Arc<dyn Respond>,
    ) -> End {
        let service = TowerToHyperService::new(service(activity.clone(), endpoint));
        let mut connection = self.http2.serve_connection(TokioIo::new(stream), service);
        self.drive(&mut connection, activity, http2::Connection::graceful_shutdown).await
    }

    /// Runs a connection until it ends, is overdue, or has nothing left to do when the server shuts down.
    async fn drive<C>(
        &self,
        connection: &mut C,
        activity: &Activity,
        no_more: impl FnOnce(Pin<&mut C>),
    ) -> End
    where
        C: Future<Output = hyper::Result<()>> + Unpin,
    {
        tokio::select! {
            outcome = &mut *connection => return End::Over(outcome),
            closing = activity.overdue(&self.limits) => return End::Closed(closing),
            () = self.shutdown.cancelled() => {}
        }
        no_more(Pin::new(connection));
        tokio::select! {
            outcome = &mut *connection => return End::Over(outcome),
            () = activity.finished() => {}
        }
        // What was answered last may still be on its way out.
        match timeout(FLUSH_TIME, connection).await {
            Ok(outcome) => End::Over(outcome),
            Err(_) => End::Closed(Closing::Idle),
        }
    }
}

/// Reads what a client still sends after its last answer, and throws it away: closing a socket with unread bytes in it
/// makes the system reset the connection, and the client may never see the answer.
async fn drain(mut stream: impl AsyncRead + Unpin, limit: usize) {
    let reading = async {
        let (mut buffer, mut total) = (vec![0; DRAIN_BUFFER_BYTES], 0);
        while total < limit {
            match stream.read(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(count) => total += count,
            }
        }
    };
    let _ = timeout(DRAIN_TIMEOUT, reading).await;
}

fn closed(activity: &Activity, closing: Closing) {
    tracing::debug!(peer = %activity.peer, ?closing, "closing a connection");
}

fn service(
    activity: Arc<Activity>,
    endpoint: Arc<dyn Respond>,
) -> impl tower::Service<
    Request<Incoming>,
    Response = Response<Answer>,
    Error = Infallible,
    Future: Future<Output = Result<Response<Answer>, Infallible>> + Send + 'static,
> + Clone
+ Send
+ 'static {
    tower::service_fn(move |request| {
        let response = endpoint.clone().respond(activity.clone(), request);
        async move { Ok(response.await) }
    })
}
