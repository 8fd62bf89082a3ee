//! TLS of the hub: the certificate and the key of its configuration.

use std::{fmt, sync::Arc};

use resourcesync::diagnostic::Reason;
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
};

use crate::settings::TlsFiles;

/// A certificate or a key that cannot be used.
#[derive(Debug)]
pub struct TlsError(String);

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TLS: {}", self.0)
    }
}

impl std::error::Error for TlsError {}

/// Reads certificate and key, and checks that they belong together.
///
/// # Errors
///
/// If a file cannot be read, is not in PEM format, or does not match the other.
pub fn server_config(files: &TlsFiles) -> Result<Arc<ServerConfig>, TlsError> {
    let wrong = |path: &std::path::Path, error: &dyn fmt::Display| TlsError(format!("{}: {error}", path.display()));
    let unreadable = |path: &std::path::Path, error: pem::Error| match error {
        pem::Error::Io(error) => wrong(path, &format!("it could not be read: {}", Reason::from(&error))),
        error => wrong(path, &error),
    };
    let certificates = CertificateDer::pem_file_iter(&files.cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unreadable(&files.cert, error))?;
    if certificates.is_empty() {
        return Err(wrong(&files.cert, &"no certificate in PEM format"));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| unreadable(&files.key, error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(certificates, key))
        .map_err(|error| wrong(&files.cert, &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
