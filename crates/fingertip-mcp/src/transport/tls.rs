//! The certificate and key the server shows its clients.
//!
//! Either made here, kept in a private directory and renewed in time, or given as files. The cryptography is chosen
//! explicitly: no process-wide default is installed or expected.

use std::{
    fmt,
    fs::{File, TryLockError},
    io,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant, SystemTime},
};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use sha2::{Digest, Sha256};

use super::{
    certificate::Subjects,
    error::TransportError,
    private_file::{self, FileError, Guard},
};

const CERTIFICATE_FILE: &str = "certificate.pem";
const KEY_FILE: &str = "key.pem";
/// Held by who makes or renews the pair, so that key and certificate of two servers never mix.
const LOCK_FILE: &str = "lock";
/// How long another server may take to make a pair; it takes milliseconds.
const LOCKED_WITHIN: Duration = Duration::from_secs(10);
/// How often the lock is tried meanwhile.
const LOCK_TRIED_EVERY: Duration = Duration::from_millis(10);
/// The largest certificate chain or key that is read, in bytes.
const MAX_PEM_BYTES: u64 = 1024 * 1024;

/// A certificate with its key, ready to serve. Clones are the same identity: one that is renewed is so for all, and new
/// connections are shown the new certificate.
#[derive(Clone)]
pub struct TlsIdentity {
    certificate_path: PathBuf,
    current: Arc<RwLock<Pair>>,
}

/// A certificate with its key.
#[derive(Clone)]
struct Pair {
    certificate: CertificateDer<'static>,
    server_config: Arc<ServerConfig>,
}

impl TlsIdentity {
    /// Uses the certificate kept in `directory`; makes a new one if there is none, if it ends soon, or if it lacks
    /// one of `names` or `addresses`. Localhost and loopback are always included. Several servers may do so at once:
    /// one makes the pair, all use it.
    pub fn load_or_create(
        directory: &Path,
        names: &[String],
        addresses: &[IpAddr],
        now: SystemTime,
    ) -> Result<Self, TransportError> {
        let subjects = Subjects::new(names, addresses);
        let (certificate_path, key_path) = (directory.join(CERTIFICATE_FILE), directory.join(KEY_FILE));
        private_file::create_directory(directory).map_err(|source| file_error(directory, source))?;
        let _lock = lock(&directory.join(LOCK_FILE))?;
        if certificate_path.exists() && key_path.exists() {
            match Self::from_files(&certificate_path, &key_path) {
                Ok(kept) if subjects.are_covered_by(&kept.pair().certificate, now) => return Ok(kept),
                Ok(_) => tracing::info!("renewing the certificate"),
                // Its own files, cut short by a crash: nothing is lost by making them again.
                Err(error @ (TransportError::Pem { .. } | TransportError::Identity(_))) => {
                    tracing::warn!(%error, "replacing an unusable certificate");
                }
                Err(error) => return Err(error),
            }
        }
        let pems = subjects.certify(now)?;
        for (path, content) in [(&key_path, &pems.key), (&certificate_path, &pems.certificate)] {
            private_file::write(path, content.as_bytes()).map_err(|source| file_error(path, source))?;
        }
        Self::from_files(&certificate_path, &key_path)
    }

    /// Uses a certificate chain and a private key given as PEM files; the key must be readable by its owner only.
    pub fn from_files(certificate: &Path, key: &Path) -> Result<Self, TransportError> {
        let chain = private_file::read(certificate, Guard::Public, MAX_PEM_BYTES)
            .map_err(|error| file_error(certificate, error.into()))?;
        let no_certificate = || TransportError::Pem { path: certificate.to_owned(), wanted: "certificate" };
        let chain: Vec<_> =
            CertificateDer::pem_slice_iter(&chain).collect::<Result<_, _>>().map_err(|_| no_certificate())?;
        let first = chain.first().ok_or_else(no_certificate)?.clone();
        let server_config = Arc::new(server_config(chain, private_key(key)?)?);
        let pair = Pair { certificate: first, server_config };
        Ok(Self { certificate_path: certificate.to_owned(), current: Arc::new(RwLock::new(pair)) })
    }

    /// As [`Self::load_or_create`], for an identity that is being served; true when it has another certificate now.
    pub fn renew(
        &self,
        directory: &Path,
        names: &[String],
        addresses: &[IpAddr],
        now: SystemTime,
    ) -> Result<bool, TransportError> {
        let pair = Self::load_or_create(directory, names, addresses, now)?.pair();
        let renewed = pair.certificate != self.pair().certificate;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = pair;
        Ok(renewed)
    }

    fn pair(&self) -> Pair {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The SHA-256 fingerprint of the certificate, as `openssl x509 -fingerprint -sha256` prints it.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.pair().certificate)
    }

    /// The certificate file that clients can be set up to trust.
    pub fn certificate_path(&self) -> &Path {
        &self.certificate_path
    }

    pub(crate) fn server_config(&self) -> Arc<ServerConfig> {
        self.pair().server_config
    }
}

impl fmt::Debug for TlsIdentity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TlsIdentity").field(&self.fingerprint()).finish()
    }
}

/// The SHA-256 fingerprint of a certificate.
pub(super) fn fingerprint(certificate: &[u8]) -> String {
    let digest = Sha256::digest(certificate);
    digest.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

/// Waits for the lock, which is given up when the file is closed.
fn lock(path: &Path) -> Result<File, TransportError> {
    let file = private_file::open_log(path).map_err(|error| file_error(path, error.into()))?;
    let end = Instant::now() + LOCKED_WITHIN;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(LOCK_TRIED_EVERY),
            Err(TryLockError::WouldBlock) => {
                let held = "another program holds it; end that program";
                return Err(file_error(path, io::Error::new(io::ErrorKind::TimedOut, held)));
            }
            // A file system without locks: as good as it gets there.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(file_error(path, error)),
        }
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TransportError> {
    let pem = private_file::read(path, Guard::Secret, MAX_PEM_BYTES).map_err(|error| match error {
        FileError::Readable(path) => TransportError::KeyNotPrivate { path },
        other => file_error(path, other.into()),
    })?;
    PrivateKeyDer::from_pem_slice(&pem)
        .map_err(|_| TransportError::Pem { path: path.to_owned(), wanted: "private key" })
}

fn server_config(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, TransportError> {
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(TransportError::Identity)?;
    let mut config =
        builder.with_no_client_auth().with_single_cert(chain, key).map_err(TransportError::Identity)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn file_error(path: &Path, source: io::Error) -> TransportError {
    TransportError::File { path: path.to_owned(), source }
}
