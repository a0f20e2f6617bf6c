//! A client of a server of ours, for the command line: one request on one connection, by the stateless protocol.
//!
//! It speaks to the address it is given and to no other: no redirects, no proxies, no names to resolve. A server with TLS
//! is known by the fingerprint of its certificate, which it wrote down when it started, rather than by a name.
//!
//! Non-goals: sessions, notifications, servers that are not ours.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, SignatureScheme};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::Token;
use super::tls::fingerprint;

/// The protocol it speaks: every request brings all that is to be known of its client.
const PROTOCOL: &str = "2026-07-28";
/// Where every server has its endpoint.
const PATH: &str = "/mcp";
/// How long a server of this machine may take to accept a connection.
const CONNECTED_WITHIN: Duration = Duration::from_secs(5);
/// The most that is read of an answer, in bytes: more than any screenshot or page of a screen.
const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// Nothing accepts a connection there.
    #[error("the server at {0} cannot be reached: {1}")]
    Unreachable(SocketAddr, String),
    /// The server there has another certificate than the one that was written down.
    #[error("the server at {0} has another certificate than it said when it started")]
    OtherCertificate(SocketAddr),
    /// The server has another token.
    #[error(
        "the server at {0} does not accept the token of this folder; is FINGERTIP_TOKEN set for one of both?"
    )]
    Unauthorized(SocketAddr),
    /// The answer took too long.
    #[error("the server at {0} did not answer within {1:?}")]
    Timeout(SocketAddr, Duration),
    /// What came is no answer of the protocol.
    #[error("the server at {0} answered with {1}")]
    Unexpected(SocketAddr, String),
}

/// Where a server is, and what it asks of its clients.
#[derive(Debug, Clone)]
pub struct Client {
    /// Where it listens.
    pub address: SocketAddr,
    /// What it lets clients in by.
    pub token: Token,
    /// The SHA-256 fingerprint of its certificate, where it serves HTTPS.
    pub certificate: Option<String>,
    /// What the client calls itself.
    pub name: &'static str,
}

impl Client {
    /// Sends a request, and gives the message that answers it: with `result`, or with `error`.
    ///
    /// # Errors
    /// Why there is no such message.
    pub async fn request(&self, method: &str, params: Value, within: Duration) -> Result<Value, ClientError> {
        let late = |_| ClientError::Timeout(self.address, within);
        tokio::time::timeout(within, self.exchange(method, params)).await.map_err(late)?
    }

    async fn exchange(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        let unreachable = |why: String| ClientError::Unreachable(self.address, why);
        let connected = tokio::time::timeout(CONNECTED_WITHIN, TcpStream::connect(self.address)).await;
        let stream = connected
            .map_err(|_| unreachable(format!("no connection within {CONNECTED_WITHIN:?}")))?
            .map_err(|error| unreachable(error.to_string()))?;
        // A small request must not wait for more to send.
        stream.set_nodelay(true).map_err(|error| unreachable(error.to_string()))?;
        let request = self.post(method, params)?;
        let Some(certificate) = &self.certificate else { return self.send(stream, request).await };
        let trusted = pinned(certificate.clone()).map_err(|error| unreachable(error.to_string()))?;
        let connector = tokio_rustls::TlsConnector::from(Arc::new(trusted));
        let stream = connector.connect(ServerName::IpAddress(self.address.ip().into()), stream).await;
        match stream {
            Ok(stream) => self.send(stream, request).await,
            Err(error) if is_other_certificate(&error) => Err(ClientError::OtherCertificate(self.address)),
            Err(error) => Err(unreachable(error.to_string())),
        }
    }

    fn post(&self, method: &str, mut params: Value) -> Result<Request<Full<Bytes>>, ClientError> {
        let name = params.get("name").and_then(Value::as_str).map(str::to_owned);
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": PROTOCOL,
            "io.modelcontextprotocol/clientInfo": {"name": self.name, "version": env!("CARGO_PKG_VERSION")},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(PATH)
            .header(HOST, self.address.to_string())
            .header(AUTHORIZATION, format!("Bearer {}", self.token.expose()))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .header("mcp-protocol-version", PROTOCOL)
            .header("mcp-method", method);
        if let Some(name) = name {
            request = request.header("mcp-name", name);
        }
        let unfit = |error: http::Error| ClientError::Unexpected(self.address, error.to_string());
        request.body(Full::new(body.to_string().into())).map_err(unfit)
    }

    async fn send(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        request: Request<Full<Bytes>>,
    ) -> Result<Value, ClientError> {
        let unexpected = |what: String| ClientError::Unexpected(self.address, what);
        let broken = |error: hyper::Error| unexpected(format!("a broken connection: {error}"));
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        let exchange = async {
            let response = sender.send_request(request).await.map_err(broken)?;
            let status = response.status();
            let body = Limited::new(response.into_body(), MAX_ANSWER_BYTES).collect().await;
            let body = body.map_err(|error| unexpected(format!("a broken answer: {error}")))?.to_bytes();
            match (status, serde_json::from_slice::<Value>(&body)) {
                (StatusCode::UNAUTHORIZED, _) => Err(ClientError::Unauthorized(self.address)),
                (_, Ok(message)) if message.get("result").or(message.get("error")).is_some() => Ok(message),
                (status, _) => Err(unexpected(format!("HTTP status {status}"))),
            }
        };
        // Driven by this very call, so that nothing is left running when it is given up.
        tokio::pin!(exchange);
        tokio::select! {
            biased;
            answer = &mut exchange => answer,
            _ = connection => exchange.await,
        }
    }
}

/// What the verifier says of another certificate.
const OTHER_CERTIFICATE: rustls::Error =
    rustls::Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure);

fn is_other_certificate(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref()) == Some(&OTHER_CERTIFICATE)
}

/// Trusts the one certificate with this fingerprint.
fn pinned(fingerprint: String) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Pinned { fingerprint, provider: Arc::clone(&provider) };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
    Ok(builder.with_no_client_auth())
}

/// Knows a server by its certificate alone; that the server has the key to it is checked as always.
#[derive(Debug)]
struct Pinned {
    fingerprint: String,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if fingerprint(certificate) == self.fingerprint {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(OTHER_CERTIFICATE)
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let schemes = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, schemes)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let schemes = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, schemes)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
