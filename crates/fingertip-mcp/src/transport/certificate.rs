//! Making the server's own certificate and judging whether it is still good.
//!
//! It signs itself and is no authority: a client that trusts it trusts this one server and nothing else. It is its own
//! trust anchor, which Node (`NODE_EXTRA_CA_CERTS`), Python (`cafile`) and `curl --cacert` accept as it is.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose,
    SanType,
};
use rustls::client::{WebPkiServerVerifier, danger::ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{RootCertStore, crypto::ring};

use super::error::TransportError;

/// How long a self-made certificate is valid, in days.
pub const CERTIFICATE_DAYS: u32 = 365;
/// A self-made certificate with fewer days left than this is replaced.
pub const RENEW_WITHIN_DAYS: u32 = 30;
/// Clients whose clock is behind by less than this, in days, still accept a new certificate.
const CLOCK_SKEW_DAYS: u32 = 1;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const COMMON_NAME: &str = "Fingertip";

/// What a certificate must be good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subjects {
    names: Vec<String>,
    addresses: Vec<IpAddr>,
}

/// A certificate and its key as PEM texts.
pub(crate) struct Pems {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Subjects {
    /// The given names and addresses, and always this machine's own. `0.0.0.0` and `::` are no addresses to call.
    pub(crate) fn new(names: &[String], addresses: &[IpAddr]) -> Self {
        let loopback = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])];
        let given = addresses.iter().filter(|address| !address.is_unspecified());
        let mut addresses: Vec<IpAddr> = loopback.iter().chain(given).copied().collect();
        let given = names.iter().map(|name| name.trim_end_matches('.').to_ascii_lowercase());
        let mut names: Vec<String> =
            std::iter::once("localhost".to_owned()).chain(given.filter(|name| !name.is_empty())).collect();
        addresses.sort_unstable();
        addresses.dedup();
        names.sort_unstable();
        names.dedup();
        Self { names, addresses }
    }

    /// Makes a certificate for these subjects with a new key.
    pub(crate) fn certify(&self, now: SystemTime) -> Result<Pems, TransportError> {
        self.self_signed(now).map_err(TransportError::Certificate)
    }

    fn self_signed(&self, now: SystemTime) -> Result<Pems, rcgen::Error> {
        let mut params = CertificateParams::default();
        params.not_before = (now - DAY * CLOCK_SKEW_DAYS).into();
        params.not_after = (now + DAY * CERTIFICATE_DAYS).into();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, COMMON_NAME);
        params.is_ca = IsCa::ExplicitNoCa;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        for name in &self.names {
            params.subject_alt_names.push(SanType::DnsName(name.as_str().try_into()?));
        }
        params.subject_alt_names.extend(self.addresses.iter().copied().map(SanType::IpAddress));
        let key = KeyPair::generate()?;
        let certificate = params.self_signed(&key)?;
        Ok(Pems { certificate: certificate.pem(), key: key.serialize_pem() })
    }

    /// Whether a client that trusts this certificate accepts it for all subjects, now and until it is to be renewed.
    pub(crate) fn are_covered_by(&self, certificate: &CertificateDer<'_>, now: SystemTime) -> bool {
        let mut roots = RootCertStore::empty();
        if roots.add(certificate.clone().into_owned()).is_err() {
            return false;
        }
        let provider = Arc::new(ring::default_provider());
        let Ok(client) = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build()
        else {
            return false;
        };
        let now = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let accepts = |name: &ServerName<'_>| {
            [now, now + DAY * RENEW_WITHIN_DAYS]
                .map(UnixTime::since_unix_epoch)
                .into_iter()
                .all(|moment| client.verify_server_cert(certificate, &[], name, &[], moment).is_ok())
        };
        // A client cannot ask for a text that is no host name.
        let names = self.names.iter().filter_map(|name| ServerName::try_from(name.as_str()).ok());
        let addresses = self.addresses.iter().map(|address| ServerName::from(*address));
        names.chain(addresses).all(|name| accepts(&name))
    }
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::pem::PemObject;
    use x509_parser::parse_x509_certificate;

    use super::*;

    fn certified(names: &[&str], now: SystemTime) -> (Subjects, CertificateDer<'static>) {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let subjects = Subjects::new(&names, &[]);
        let pems = subjects.certify(now).unwrap();
        (subjects, CertificateDer::from_pem_slice(pems.certificate.as_bytes()).unwrap())
    }

    #[test]
    fn a_certificate_is_replaced_a_month_before_it_ends() {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let (subjects, der) = certified(&["workbench"], start);
        let after = |days: u32| subjects.are_covered_by(&der, start + DAY * days);
        assert!(after(0) && after(CERTIFICATE_DAYS - RENEW_WITHIN_DAYS));
        assert!(!after(CERTIFICATE_DAYS - RENEW_WITHIN_DAYS + 1) && !after(CERTIFICATE_DAYS + 1));
        assert!(!subjects.are_covered_by(&der, start - DAY * 2));
    }

    #[test]
    fn a_new_name_or_address_needs_a_new_certificate() {
        let now = SystemTime::UNIX_EPOCH + DAY * 20_000;
        let (_, der) = certified(&["workbench"], now);
        let covered = |names: &[&str], addresses: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
            Subjects::new(&names, &addresses).are_covered_by(&der, now)
        };
        assert!(covered(&["WorkBench."], &["127.0.0.1", "::1", "0.0.0.0"]) && covered(&[], &[]));
        assert!(!covered(&["other"], &[]) && !covered(&[], &["192.0.2.7"]));
    }

    #[test]
    fn it_is_a_server_certificate_and_no_authority() {
        let now = SystemTime::UNIX_EPOCH + DAY * 20_000;
        let (_, der) = certified(&[], now);
        let (_, certificate) = parse_x509_certificate(&der).unwrap();
        assert_eq!(certificate.subject().to_string(), "CN=Fingertip");
        assert!(!certificate.is_ca());
        assert!(certificate.extended_key_usage().unwrap().unwrap().value.server_auth);
    }
}
