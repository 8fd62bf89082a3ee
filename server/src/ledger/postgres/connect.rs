//! Connections to PostgreSQL: TLS, the password, and settings of the session on which the promises depend.

use std::{
    env, fs, io,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use postgres::{
    Client, Config, NoTls,
    config::{Host, SslMode},
};
use resourcesync::diagnostic::Reason;
use resourcesync_notify::form::Form;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{
        CertificateDer,
        pem::{self, PemObject},
    },
};
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
        let Target { mut config, roots } = Target::of(url).map_err(wrong)?;
        config.application_name("resourcesync hub").connect_timeout(CONNECT);
        config.tcp_user_timeout(Duration::from_secs(30));
        if let Some(password) = password(&config).map_err(wrong)? {
            config.password(password);
        }
        let tls = client_config(roots.as_deref()).map_err(wrong)?;
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

/// The parts of a URL that libpq has and the driver does not: `sslrootcert`, and modes that verify the server.
pub(crate) struct Target {
    pub(crate) config: Config,
    /// The file with the authorities that are trusted, if not those of the platform.
    roots: Option<PathBuf>,
}

impl Target {
    /// Reads a URL. A server on another machine is reached with TLS, unless `sslmode=disable` is stated.
    pub(crate) fn of(url: &str) -> Result<Target, String> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut rest, mut mode, mut roots) = (Vec::new(), None, None);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", own)) => mode = Some(own),
                Some(("sslrootcert", path)) => roots = Some(PathBuf::from(decoded(path)?)),
                _ => rest.push(pair),
            }
        }
        let url = if rest.is_empty() { base.to_owned() } else { format!("{base}?{}", rest.join("&")) };
        let mut config: Config = url.parse().map_err(|error: postgres::Error| error.to_string())?;
        config.ssl_mode(match mode {
            Some("disable") => SslMode::Disable,
            // The certificate is always verified, with its name.
            Some("require" | "verify-full") => SslMode::Require,
            Some(own) => return Err(format!("sslmode={own} is not supported; use disable, require or verify-full")),
            None if config.get_hosts().iter().all(is_this_machine) => SslMode::Disable,
            None => SslMode::Require,
        });
        Ok(Target { config, roots })
    }
}

/// True for a socket or an address of this machine.
fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// A value of a URL without percent-encoding.
fn decoded(value: &str) -> Result<String, String> {
    // In a form, `+` is a space.
    let form = Form::read(format!("v={}", value.replace('+', "%2B")).as_bytes());
    let value = form.ok().and_then(|form| form.last("v").map(str::to_owned));
    value.ok_or_else(|| "sslrootcert is malformed".to_owned())
}

/// TLS that trusts the authorities of a file, or those of the platform.
fn client_config(roots: Option<&Path>) -> Result<ClientConfig, String> {
    let wrong = |error: rustls::Error| format!("TLS cannot be set up: {error}");
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(wrong)?;
    let Some(path) = roots else { return Ok(tls.with_platform_verifier().map_err(wrong)?.with_no_client_auth()) };
    let shown = path.display();
    let certificates = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let certificates = certificates.map_err(|error| match error {
        pem::Error::Io(error) => format!("sslrootcert {shown} could not be read: {}", Reason::from(&error)),
        error => format!("sslrootcert {shown}: {error}"),
    })?;
    let mut trusted = RootCertStore::empty();
    let (added, _) = trusted.add_parsable_certificates(certificates);
    if added == 0 {
        return Err(format!("sslrootcert {shown} has no certificate in PEM format"));
    }
    Ok(tls.with_root_certificates(trusted).with_no_client_auth())
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
        Err(error) => {
            return Err(format!("the password file {} could not be read: {}", path.display(), Reason::from(&error)));
        }
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
fn read(path: &Path) -> io::Result<String> {
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
    fn another_machine_is_reached_with_tls_only() {
        let mode = |url: &str| Target::of(url).map(|target| (target.config.get_ssl_mode(), target.roots));
        for (url, expected) in [
            ("postgres://hub@db.example/hub", SslMode::Require),
            ("postgres://hub@db.example/hub?sslmode=verify-full", SslMode::Require),
            ("postgres://hub@db.example/hub?connect_timeout=3&sslmode=disable", SslMode::Disable),
            ("postgres://hub@localhost/hub", SslMode::Disable),
            ("postgres://hub@[::1]/hub?sslmode=require", SslMode::Require),
            ("postgres://hub@%2Frun%2Fpostgresql/hub", SslMode::Disable),
            ("postgres://hub@localhost,db.example/hub", SslMode::Require),
        ] {
            assert_eq!(mode(url), Ok((expected, None)), "{url}");
        }
        let with_roots = mode("postgres://db.example/hub?sslrootcert=%2Fetc/a+b%20c.pem");
        assert_eq!(with_roots, Ok((SslMode::Require, Some(PathBuf::from("/etc/a+b c.pem")))));
        for wrong in ["prefer", "allow", "verify-ca", "x"] {
            assert!(mode(&format!("postgres://db.example/hub?sslmode={wrong}")).is_err(), "{wrong}");
        }
    }

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
