//! Why a transport could not start or go on. Each message says what to do next.

use std::{io, net::SocketAddr, path::PathBuf};

/// An error of a transport.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// Another program listens on the address.
    #[error("{0} is already in use; stop the other program or choose another port with --listen")]
    AddressInUse(SocketAddr),
    /// The address is not one of this machine, or the port needs more rights.
    #[error("cannot listen on {address}: {source}; choose another address with --listen")]
    Bind {
        /// The address asked for.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A certificate or key file cannot be read or written.
    #[error("cannot use {path}: {source}")]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The private key can be read by others.
    #[error("the private key {path} can be read by others; run: chmod 600 {path}")]
    KeyNotPrivate {
        /// The key file.
        path: PathBuf,
    },
    /// A PEM file does not hold what it should.
    #[error("{path} holds no usable {wanted} in PEM format")]
    Pem {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        wanted: &'static str,
    },
    /// Certificate and key do not belong together, or the key is of an unknown kind.
    #[error("the certificate and its key cannot be used together: {0}")]
    Identity(#[source] rustls::Error),
    /// A certificate could not be made, for instance because of an impossible host name.
    #[error("cannot make a certificate: {0}")]
    Certificate(#[source] rcgen::Error),
    /// The SDK gave up on the connection.
    #[error("the MCP session failed: {0}")]
    Session(String),
}
