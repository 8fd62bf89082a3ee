//! Connections to PostgreSQL: TLS, the password, and settings of the session on which the promises depend.

use std::{env, fs, io, path::PathBuf, sync::Arc, time::Duration};

use postgres::{Client, Config, NoTls, config::Host};
use rustls::{ClientConfig, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::ledger::StoreError;

/// The time to connect.
const CONNECT: Duration = Duration::from_secs(10);
/// Maximum bytes of a password file.
const PASSWORDS: u64 = 64 << 10;

/// The settings of every session. A process that stops in the middle of a transaction must not block the others, and a commit
/// must be on disk.
const SESSION: &str = "
    SET search_path TO resourcesync_hub;
    SET statement_timeout = '30s';
    SET lock_timeout = '20s';
    SET idle_in_transaction_session_timeout = '10s';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
";

/// How to connect.
#[derive(Clone)]
pub(crate) struct Connector {
    config: Config,
    tls: MakeRustlsConnect,
    /// The URL, which has no password.
    pub(super) url: String,
}

impl Connector {
    /// Reads a URL, and the password from `PGPASSWORD` or a password file.
    pub(crate) fn new(url: &str) -> Result<Connector, StoreError> {
        let wrong = |why: String| StoreError::Format(url.to_owned(), why);
        // The messages of the parser could contain parts of the URL, which has no password here.
        let mut config: Config = url.parse().map_err(|error: postgres::Error| wrong(error.to_string()))?;
        config.application_name("resourcesync hub").connect_timeout(CONNECT);
        config.tcp_user_timeout(Duration::from_secs(30));
        if let Some(password) = password(&config).map_err(wrong)? {
            config.password(password);
        }
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|tls| tls.with_platform_verifier())
            .map_err(|error| wrong(format!("TLS cannot be set up: {error}")))?
            .with_no_client_auth();
        Ok(Connector { config, tls: MakeRustlsConnect::new(tls), url: url.to_owned() })
    }

    pub(super) fn connect(&self) -> Result<Client, postgres::Error> {
        // Sockets of this machine have no name that a certificate could have.
        let is_local = self.config.get_hosts().iter().all(|host| !matches!(host, Host::Tcp(_)));
        let mut client = if is_local { self.config.connect(NoTls)? } else { self.config.connect(self.tls.clone())? };
        client.batch_execute(SESSION)?;
        Ok(client)
    }
}

/// The password of the environment, as other clients of PostgreSQL find it.
fn password(config: &Config) -> Result<Option<String>, String> {
    if let Ok(password) = env::var("PGPASSWORD") {
        return Ok(Some(password));
    }
    let named = env::var_os("PGPASSFILE").map(PathBuf::from);
    let is_named = named.is_some();
    let Some(path) = named.or_else(|| Some(env::home_dir()?.join(".pgpass"))) else { return Ok(None) };
    let text = match read(&path) {
        Ok(text) => text,
        Err(error) if !is_named && error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("the password file {} could not be read: {error}", path.display())),
    };
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        _ => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let wanted = [&*host, &*port, config.get_dbname().unwrap_or(user), user];
    Ok(text.lines().find_map(|line| matching(line, wanted)))
}

/// Reads a file that only its owner can read.
fn read(path: &std::path::Path) -> io::Result<String> {
    let found = fs::metadata(path)?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&found) & 0o077 != 0 {
        return Err(io::Error::other("others can access it; its mode must be 0600"));
    }
    if found.len() > PASSWORDS {
        return Err(io::Error::other("it is too long"));
    }
    fs::read_to_string(path)
}

/// The password of a line `host:port:database:user:password`, if it is for this connection.
fn matching(line: &str, wanted: [&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = vec![(String::new(), false)];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let count = fields.len();
        let last = fields.last_mut()?;
        match letter {
            '\\' => {
                last.0.extend(letters.next());
                last.1 = true;
            }
            ':' if count < 5 => fields.push((String::new(), false)),
            _ => last.0.push(letter),
        }
    }
    let is_own = |((own, is_escaped), wanted): (&(String, bool), &str)| own == wanted || (own == "*" && !is_escaped);
    let is_it = fields.len() == 5 && fields.iter().zip(wanted).all(is_own);
    is_it.then(|| fields.pop()).flatten().map(|(password, _)| password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_file_is_read_as_by_other_clients() {
        let wanted = ["db.example", "5432", "hub", "me"];
        let found = |line| matching(line, wanted);
        assert_eq!(found("db.example:5432:hub:me:s3cret"), Some("s3cret".to_owned()));
        assert_eq!(found("*:*:*:me:a:b\\\\c"), Some("a:b\\c".to_owned()));
        assert_eq!(found("other:5432:hub:me:s3cret"), None);
        assert_eq!(found("\\*:5432:hub:me:s3cret"), None);
        assert_eq!(found("# *:*:*:*:s3cret"), None);
        assert_eq!(found("*:*:*"), None);
    }
}
