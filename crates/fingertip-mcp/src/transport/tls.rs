//! The certificate and key the server shows its clients.
//!
//! Either made here, kept in a private directory and renewed in time, or given as files. The cryptography is chosen
//! explicitly: no process-wide default is installed or expected.

use std::{
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use super::{certificate::Subjects, error::TransportError, private_file};

const CERTIFICATE_FILE: &str = "certificate.pem";
const KEY_FILE: &str = "key.pem";

/// A certificate with its key, ready to serve.
#[derive(Clone)]
pub struct TlsIdentity {
    certificate: CertificateDer<'static>,
    certificate_path: PathBuf,
    server_config: Arc<ServerConfig>,
}

impl TlsIdentity {
    /// Uses the certificate kept in `directory`; makes a new one if there is none, if it ends soon, or if it lacks
    /// one of `names` or `addresses`. Localhost and loopback are always included.
    pub fn load_or_create(
        directory: &Path,
        names: &[String],
        addresses: &[IpAddr],
        now: OffsetDateTime,
    ) -> Result<Self, TransportError> {
        let subjects = Subjects::new(names, addresses);
        let (certificate_path, key_path) = (directory.join(CERTIFICATE_FILE), directory.join(KEY_FILE));
        if certificate_path.exists() && key_path.exists() {
            match Self::from_files(&certificate_path, &key_path) {
                Ok(kept) if subjects.are_covered_by(&kept.certificate, now) => return Ok(kept),
                Ok(_) => tracing::info!("renewing the certificate"),
                // Its own files, cut short by a crash: nothing is lost by making them again.
                Err(error @ (TransportError::Pem { .. } | TransportError::Identity(_))) => {
                    tracing::warn!(%error, "replacing an unusable certificate");
                }
                Err(error) => return Err(error),
            }
        }
        private_file::create_directory(directory).map_err(|source| file_error(directory, source))?;
        let pems = subjects.certify(now)?;
        for (path, content) in [(&key_path, &pems.key), (&certificate_path, &pems.certificate)] {
            private_file::write(path, content.as_bytes()).map_err(|source| file_error(path, source))?;
        }
        Self::from_files(&certificate_path, &key_path)
    }

    /// Uses a certificate chain and a private key given as PEM files; the key must be readable by its owner only.
    pub fn from_files(certificate: &Path, key: &Path) -> Result<Self, TransportError> {
        let chain = std::fs::read(certificate).map_err(|source| file_error(certificate, source))?;
        let no_certificate = || TransportError::Pem { path: certificate.to_owned(), wanted: "certificate" };
        let chain: Vec<_> =
            CertificateDer::pem_slice_iter(&chain).collect::<Result<_, _>>().map_err(|_| no_certificate())?;
        let first = chain.first().ok_or_else(no_certificate)?.clone();
        let server_config = Arc::new(server_config(chain, private_key(key)?)?);
        Ok(Self { certificate: first, certificate_path: certificate.to_owned(), server_config })
    }

    /// The SHA-256 fingerprint of the certificate, as `openssl x509 -fingerprint -sha256` prints it.
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(&self.certificate);
        digest.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
    }

    /// The certificate file clients can be told to trust.
    pub fn certificate_path(&self) -> &Path {
        &self.certificate_path
    }

    pub(crate) fn server_config(&self) -> Arc<ServerConfig> {
        self.server_config.clone()
    }
}

impl fmt::Debug for TlsIdentity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TlsIdentity").field(&self.fingerprint()).finish()
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TransportError> {
    if !private_file::is_private(path).map_err(|source| file_error(path, source))? {
        return Err(TransportError::KeyNotPrivate { path: path.to_owned() });
    }
    let pem = std::fs::read(path).map_err(|source| file_error(path, source))?;
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

fn file_error(path: &Path, source: std::io::Error) -> TransportError {
    TransportError::File { path: path.to_owned(), source }
}
