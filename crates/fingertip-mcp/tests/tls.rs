//! HTTPS with a certificate the server makes and keeps itself, or one it is given.

mod support;

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use fingertip_mcp::transport::{TlsIdentity, TransportError};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use support::{Call, Server, start_with};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

fn now() -> SystemTime {
    SystemTime::now()
}

fn identity(directory: &Path) -> TlsIdentity {
    TlsIdentity::load_or_create(directory, &["workbench".into()], &[], now()).expect("an identity")
}

/// Connects as a client that trusts the server's certificate and nothing else.
async fn connect(
    server: &Server,
    identity: &TlsIdentity,
    name: &str,
    protocol: &str,
) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(identity.certificate_path()).expect("PEM")).expect("an anchor");
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("versions");
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.into()];
    let stream = TcpStream::connect(server.address).await.expect("the server accepts");
    let name = ServerName::try_from(name.to_owned()).expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.expect("the client trusts the server")
}

#[tokio::test]
async fn clients_that_trust_the_certificate_file_are_served() {
    let directory = tempfile::tempdir().unwrap();
    let identity = identity(directory.path());
    let server = start_with(|config| {
        config.tls = Some(identity.clone());
        config.host_names = vec!["workbench".into()];
    })
    .await;
    for name in ["localhost", "127.0.0.1", "workbench"] {
        let mut stream = connect(&server, &identity, name, "http/1.1").await;
        let reply = Call::tool("echo", r#"{"text":"sealed"}"#).with("host", name).send_on(&mut stream).await;
        assert_eq!(reply.json()["result"]["content"][0]["text"], "sealed");
    }
    let stream = connect(&server, &identity, "localhost", "h2").await;
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
}

#[tokio::test]
async fn a_running_server_shows_new_connections_the_renewed_certificate() {
    let directory = tempfile::tempdir().unwrap();
    let identity = identity(directory.path());
    let server = start_with(|config| config.tls = Some(identity.clone())).await;
    let first = identity.fingerprint();
    let names = ["workbench".to_owned()];
    assert!(!identity.renew(directory.path(), &names, &[], now()).unwrap());
    assert!(identity.renew(directory.path(), &names, &["192.0.2.7".parse().unwrap()], now()).unwrap());
    assert_ne!(identity.fingerprint(), first);
    let mut stream = connect(&server, &identity, "192.0.2.7", "http/1.1").await;
    assert_eq!(Call::tool("echo", "{}").send_on(&mut stream).await.status, 200);
}

#[tokio::test]
async fn a_stalled_handshake_holds_up_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let identity = identity(directory.path());
    let server = start_with(|config| {
        config.tls = Some(identity.clone());
        config.limits.handshake_timeout = Duration::from_millis(300);
    })
    .await;
    let mut stalled = TcpStream::connect(server.address).await.unwrap();
    let mut stream = connect(&server, &identity, "localhost", "http/1.1").await;
    assert_eq!(Call::tool("echo", "{}").send_on(&mut stream).await.status, 200);
    support::client::until_closed(&mut stalled).await;
}

#[test]
fn the_certificate_is_kept_and_renewed_when_needed() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path().join("tls");
    let first = identity(&directory).fingerprint();
    assert_eq!(identity(&directory).fingerprint(), first);
    assert_eq!(first.len(), 32 * 3 - 1);
    let later = now() + Duration::from_secs(336 * 24 * 60 * 60);
    let renewed = TlsIdentity::load_or_create(&directory, &[], &[], later).unwrap().fingerprint();
    assert_ne!(renewed, first);
    let wider =
        TlsIdentity::load_or_create(&directory, &["tablet".into()], &[], later).unwrap().fingerprint();
    assert_ne!(wider, renewed);
    fs::write(directory.join("certificate.pem"), "cut off").unwrap();
    assert_ne!(TlsIdentity::load_or_create(&directory, &[], &[], later).unwrap().fingerprint(), wider);
}

#[cfg(unix)]
#[test]
fn key_and_directory_are_for_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path().join("tls");
    identity(&directory);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&directory), mode(&directory.join("key.pem"))), (0o700, 0o600));
    let mut names: Vec<_> =
        fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["certificate.pem", "key.pem", "lock"]);

    let key = directory.join("key.pem");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
    let error = TlsIdentity::load_or_create(&directory, &[], &[], now()).unwrap_err();
    assert!(matches!(error, TransportError::KeyNotPrivate { .. }));
    assert!(error.to_string().contains("chmod 600"));
}

#[test]
fn unusable_files_are_named_in_the_error() {
    let directory = tempfile::tempdir().unwrap();
    let (one, other) = (directory.path().join("one"), directory.path().join("other"));
    identity(&one);
    identity(&other);
    let given = |certificate: &Path, key: &Path| TlsIdentity::from_files(certificate, key).unwrap_err();
    let (certificate, key) = (one.join("certificate.pem"), one.join("key.pem"));
    assert!(TlsIdentity::from_files(&certificate, &key).is_ok());
    assert!(matches!(given(&certificate, &other.join("key.pem")), TransportError::Identity(_)));
    let missing = given(&one.join("no.pem"), &key);
    assert!(matches!(missing, TransportError::File { .. }) && missing.to_string().contains("no.pem"));
    assert!(matches!(given(&certificate, &certificate), TransportError::Pem { wanted: "private key", .. }));
    assert!(matches!(given(&key, &key), TransportError::Pem { wanted: "certificate", .. }));
}

/// Key and certificate are two files: the server that starts second must get the pair of the first, not half of it.
#[test]
fn many_first_starts_at_once_share_one_certificate() {
    for _ in 0..5 {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path().join("tls");
        let start = std::sync::Barrier::new(8);
        let made: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        identity(&directory).fingerprint()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("an identity")).collect()
        });
        assert_eq!(made.len(), 1, "{made:?}");
        assert!(made.contains(&identity(&directory).fingerprint()));
    }
}

#[test]
fn a_pipe_as_key_is_refused_and_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    identity(directory.path());
    let key = directory.path().join("key.pem");
    fs::remove_file(&key).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&key).status().unwrap().success());
    let error = TlsIdentity::from_files(&directory.path().join("certificate.pem"), &key).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
}
