//! Reads `hub.toml`: every key is known, and errors have their line.

mod section;

use std::{
    fmt, fs, io,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use resourcesync_notify::{
    hub::{Credential, LeaseBounds, Options, Publisher, Retention, Retries, Secret},
    payload::Channel,
    rules::{LONGEST_LEASE, SHORTEST_LEASE},
    signature::Algorithm,
};
use toml::de::DeTable;

use self::section::{Complaint, Section};

/// Maximum bytes of a file with a secret.
const SECRET_FILE: u64 = 4 << 10;

/// The settings of a hub.
#[derive(Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Options of the state machine.
    pub options: Options,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// The path of the store.
    pub store: PathBuf,
    /// Bytes of the store above which payloads are refused.
    pub store_bytes: u64,
    /// The address of the administration.
    pub admin: Option<AdminAddress>,
    /// The token of the administration.
    pub admin_token: Option<Secret>,
    /// Logs as JSON instead of text.
    pub log_json: bool,
}

/// Settings that replace those of the file.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Instead of `public_uri`.
    pub public_uri: Option<String>,
    /// Instead of `listen`.
    pub listen: Option<SocketAddr>,
    /// Instead of `store`.
    pub store: Option<PathBuf>,
    /// Instead of `admin`.
    pub admin: Option<AdminAddress>,
}

/// The address of the administration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminAddress {
    /// A TCP address.
    Tcp(SocketAddr),
    /// A Unix socket.
    Unix(PathBuf),
}

impl std::str::FromStr for AdminAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<AdminAddress, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            let is_supported = cfg!(unix) && !path.is_empty();
            return if is_supported {
                Ok(AdminAddress::Unix(path.into()))
            } else {
                Err(format!("`{text}` is not supported here"))
            };
        }
        let address = text.parse().map_err(|_| format!("`{text}` is neither unix:PATH nor ADDRESS:PORT"))?;
        Ok(AdminAddress::Tcp(address))
    }
}

impl fmt::Display for AdminAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdminAddress::Tcp(address) => write!(f, "{address}"),
            AdminAddress::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// A configuration that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file could not be read.
    Io(PathBuf, io::Error),
    /// Something in it is wrong.
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Io(path, error) => {
                write!(f, "the configuration {} could not be read: {error}", path.display())
            }
            SettingsError::Wrong { path, line, problem } => write!(f, "{}:{line}: {problem}", path.display()),
        }
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or anything in it is wrong or unknown.
    pub fn read(path: &Path, overrides: &Overrides) -> Result<Settings, SettingsError> {
        let text = fs::read_to_string(path).map_err(|error| SettingsError::Io(path.to_owned(), error))?;
        Settings::parse(&text, overrides).map_err(|(at, problem)| {
            let line = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count().saturating_add(1);
            SettingsError::Wrong { path: path.to_owned(), line, problem }
        })
    }

    /// Parses the text of a file; errors have their byte offset.
    fn parse(text: &str, overrides: &Overrides) -> Result<Settings, Complaint> {
        let table = DeTable::parse(text)
            .map_err(|error| (error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        let root = Section::new(
            table.get_ref(),
            0,
            &[
                "public_uri",
                "moved_to",
                "listen",
                "trusted_proxies",
                "store",
                "store_bytes",
                "admin",
                "admin_token",
                "log",
                "signature",
                "host",
                "lease",
                "retry",
                "retention",
                "callbacks",
                "publisher",
                "topic",
            ],
        )?;
        let public_uri = match &overrides.public_uri {
            Some(uri) => uri.clone(),
            None => root.needed_text("public_uri")?.to_owned(),
        };
        let mut options = Options::new(&public_uri).map_err(|error| (root.place("public_uri"), error.to_string()))?;
        options.moved_to = root.text("moved_to")?.map(str::to_owned);
        if let Some(algorithm) = root.parsed("signature", algorithm)? {
            options.signature = algorithm;
        }
        for host in root.sections("host", &["name", "signature"])? {
            let name = host.needed_text("name")?.to_owned();
            let algorithm = host.parsed("signature", algorithm)?.ok_or_else(|| host.missing("signature"))?;
            options.host_signatures.push((name, algorithm));
        }
        if let Some(lease) = root.section("lease", &["min", "default", "max"])? {
            options.lease = bounds(&lease, options.lease)?;
        }
        if let Some(retry) = root.section("retry", &["schedule", "give_up"])? {
            options.retries = retries(&retry, &options.retries)?;
        }
        if let Some(retention) = root.section("retention", &["age", "bytes"])? {
            options.retention = Retention {
                age: retention.parsed("age", duration)?.unwrap_or(options.retention.age),
                bytes: retention.parsed("bytes", bytes)?.unwrap_or(options.retention.bytes),
            };
        }
        if let Some(callbacks) = root.section("callbacks", &["ports", "allow"])? {
            if let Some(ports) = callbacks.numbers("ports")? {
                let port =
                    |(at, port): (usize, u64)| u16::try_from(port).map_err(|_| (at, format!("{port} is not a port")));
                options.callbacks.ports = ports.into_iter().map(port).collect::<Result<_, _>>()?;
            }
            for (at, text) in callbacks.texts("allow")?.unwrap_or_default() {
                let allowed =
                    text.parse().map_err(|error: resourcesync_notify::hub::AllowedError| (at, error.to_string()))?;
                options.callbacks.allow.push(allowed);
            }
        }
        publishers(&root, &mut options)?;
        topics(&root, &mut options)?;
        let listen = root.parsed("listen", address)?.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));
        let proxies = root.texts("trusted_proxies")?.unwrap_or_default().into_iter();
        let proxy = |(at, text): (usize, &str)| text.parse().map_err(|_| (at, format!("`{text}` is not an address")));
        let admin = match &overrides.admin {
            Some(admin) => Some(admin.clone()),
            None => root.parsed("admin", |text| text.parse::<AdminAddress>())?,
        };
        let admin_token = root.parsed("admin_token", secret)?;
        if matches!(&admin, Some(AdminAddress::Tcp(_))) && admin_token.is_none() {
            return Err((root.place("admin"), "`admin` on a TCP address requires `admin_token`".to_owned()));
        }
        let store = match &overrides.store {
            Some(store) => store.clone(),
            None => root.parsed("store", store)?.ok_or_else(|| root.missing("store"))?,
        };
        Ok(Settings {
            options,
            listen: overrides.listen.unwrap_or(listen),
            trusted_proxies: proxies.map(proxy).collect::<Result<_, _>>()?,
            store,
            store_bytes: root.parsed("store_bytes", bytes)?.unwrap_or(16 << 30),
            admin,
            admin_token,
            log_json: root.parsed("log", log)?.unwrap_or(false),
        })
    }
}

fn bounds(lease: &Section<'_, '_>, own: LeaseBounds) -> Result<LeaseBounds, Complaint> {
    let bounds = LeaseBounds {
        min: lease.parsed("min", duration)?.unwrap_or(own.min),
        default: lease.parsed("default", duration)?.unwrap_or(own.default),
        max: lease.parsed("max", duration)?.unwrap_or(own.max),
    };
    if bounds.min < SHORTEST_LEASE || bounds.max > LONGEST_LEASE {
        return Err((lease.at, "leases are between 300s and 31d".to_owned()));
    }
    if bounds.min > bounds.default || bounds.default > bounds.max {
        return Err((lease.at, "`default` must be between `min` and `max`".to_owned()));
    }
    Ok(bounds)
}

fn retries(retry: &Section<'_, '_>, own: &Retries) -> Result<Retries, Complaint> {
    let schedule = match retry.texts("schedule")? {
        Some(steps) => {
            let step = |(at, text): (usize, &str)| duration(text).map_err(|problem| (at, problem));
            steps.into_iter().map(step).collect::<Result<Vec<_>, _>>()?
        }
        None => own.schedule.clone(),
    };
    if schedule.is_empty() || schedule.iter().any(Duration::is_zero) {
        return Err((retry.at, "`schedule` needs waits of at least one second".to_owned()));
    }
    Ok(Retries { schedule, give_up: retry.parsed("give_up", duration)?.unwrap_or(own.give_up) })
}

fn publishers(root: &Section<'_, '_>, options: &mut Options) -> Result<(), Complaint> {
    for publisher in root.sections("publisher", &["name", "token_sha256", "hmac"])? {
        let name = publisher.needed_text("name")?.to_owned();
        let credential = match (publisher.text("token_sha256")?, publisher.parsed("hmac", secret)?) {
            (Some(digest), None) if digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                Credential::TokenSha256(digest.to_ascii_lowercase())
            }
            (Some(_), None) => {
                let problem = "`token_sha256` has 64 hexadecimal digits; `resourcesync hub token` prints it";
                return Err((publisher.place("token_sha256"), problem.to_owned()));
            }
            (None, Some(secret)) => Credential::Hmac(secret),
            _ => return Err((publisher.at, "a publisher has either `token_sha256` or `hmac`".to_owned())),
        };
        if options.publishers.iter().any(|own| own.name == name) {
            return Err((publisher.place("name"), format!("there are two publishers `{name}`")));
        }
        options.publishers.push(Publisher { name, credential });
    }
    Ok(())
}

fn topics(root: &Section<'_, '_>, options: &mut Options) -> Result<(), Complaint> {
    for topic in root.sections("topic", &["uri", "kind", "publishers", "serve", "accept_invalid"])? {
        let kind = topic.parsed("kind", |text| {
            Channel::find(text)
                .ok_or_else(|| format!("`{text}` is neither change-notification nor framework-notification"))
        })?;
        let mut names = Vec::new();
        for (at, name) in topic.texts("publishers")?.unwrap_or_default() {
            if options.publishers.iter().all(|publisher| publisher.name != name) {
                return Err((at, format!("there is no publisher `{name}`")));
            }
            names.push(name.to_owned());
        }
        if names.is_empty() {
            return Err((topic.at, "a topic needs `publishers`, who may send its payloads".to_owned()));
        }
        let (serve, accept_invalid) = (topic.truth("serve")?, topic.truth("accept_invalid")?);
        options
            .add_topic(
                topic.needed_text("uri")?,
                kind.ok_or_else(|| topic.missing("kind"))?,
                names,
                serve.unwrap_or(false),
                accept_invalid.unwrap_or(false),
            )
            .map_err(|error| (topic.place("uri"), error.to_string()))?;
    }
    Ok(())
}

fn algorithm(text: &str) -> Result<Algorithm, String> {
    Algorithm::find(text).ok_or_else(|| format!("`{text}` is none of sha256, sha384, sha512, sha1"))
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| format!("`{text}` is not an address with a port, such as 127.0.0.1:8080"))
}

fn store(text: &str) -> Result<PathBuf, String> {
    match text.split_once("://") {
        Some((scheme, _)) => Err(format!("`{scheme}` is not supported; the store is the path of a SQLite file")),
        None => Ok(text.into()),
    }
}

fn log(text: &str) -> Result<bool, String> {
    match text {
        "text" => Ok(false),
        "json" => Ok(true),
        _ => Err(format!("`{text}` is neither text nor json")),
    }
}

/// A number with a unit: s, m, h or d.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration, such as 30s, 10m, 2h or 7d");
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = text.trim_end_matches(unit).parse().map_err(|_| wrong())?;
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}

/// A number with a unit: KiB, MiB or GiB.
fn bytes(text: &str) -> Result<u64, String> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
    let found = units.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, *shift)));
    let number = found.and_then(|(number, shift)| number.trim().parse::<u64>().ok()?.checked_mul(1 << shift));
    number.ok_or_else(|| format!("`{text}` is not a size, such as 512MiB or 1GiB"))
}

/// The content of a file or an environment variable. Messages do not contain it.
fn secret(text: &str) -> Result<Secret, String> {
    let content = match text.split_once(':') {
        Some(("env", name)) => {
            std::env::var(name).map_err(|_| format!("the environment variable {name} is not set or not UTF-8"))?
        }
        Some(("file", path)) => {
            let wrong = |error: io::Error| format!("{path} could not be read: {error}");
            if fs::metadata(path).map_err(wrong)?.len() > SECRET_FILE {
                return Err(format!("{path} is too long for a secret"));
            }
            fs::read_to_string(path).map_err(wrong)?
        }
        _ => return Err("a secret is given as file:PATH or env:NAME, not in the configuration".to_owned()),
    };
    let content = content.trim();
    if content.is_empty() { Err(format!("{text} is empty")) } else { Ok(Secret(content.to_owned())) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const START: &str = "public_uri = \"https://hub.example/\"\nstore = \"hub.sqlite\"\n";

    fn problem(text: &str) -> (usize, String) {
        let text = format!("{START}{text}");
        let (at, problem) = Settings::parse(&text, &Overrides::default()).unwrap_err();
        (text[..at].matches('\n').count() + 1, problem)
    }

    #[test]
    fn the_shipped_configuration_is_read() {
        let own = Settings::parse(include_str!("../../contrib/hub.toml"), &Overrides::default()).unwrap();
        assert_eq!(own.options.topics().len(), 2);
        assert_eq!(own.options.retries.schedule.len(), 8);
        assert_eq!(own.options.retention.age, Duration::from_secs(7 * 86_400));
        assert_eq!(own.admin, Some(AdminAddress::Unix("/run/resourcesync-hub/admin.sock".into())));
    }

    #[test]
    fn what_is_unknown_or_wrong_is_rejected_with_its_line() {
        assert_eq!(problem("lisen = \"x\""), (3, "unknown key `lisen`; did you mean `listen`?".to_owned()));
        assert_eq!(problem("\n[lease]\nmni = \"1h\"").0, 5);
        assert_eq!(problem("listen = \"here\"").0, 3);
        assert_eq!(problem("[lease]\nmin = \"10s\"").1, "leases are between 300s and 31d");
        assert!(problem("[retry]\nschedule = [\"0s\"]").1.contains("one second"));
        assert!(problem("[callbacks]\nallow = [\"10.0.0.0/99\"]").1.contains("10.0.0.0/99"));
        assert!(
            problem("[[topic]]\nuri = \"https://hub.example/t\"\nkind = \"change-notification\"")
                .1
                .contains("publishers")
        );
        assert!(problem("admin = \"127.0.0.1:9090\"").1.contains("admin_token"));
        assert!(problem("store_bytes = \"many\"").1.contains("size"));
    }

    #[test]
    fn a_secret_is_never_written_in_the_configuration_or_repeated() {
        let (_, problem) = problem("[[publisher]]\nname = \"a\"\nhmac = \"s3cret\"");
        assert!(!problem.contains("s3cret"), "{problem}");
    }

    #[test]
    fn arguments_replace_settings_of_the_file() {
        let overrides = Overrides {
            public_uri: Some("http://127.0.0.1:9/hub".to_owned()),
            listen: Some("127.0.0.1:9".parse().unwrap()),
            store: Some("other".into()),
            admin: Some(AdminAddress::Unix("a.sock".into())),
        };
        let own = Settings::parse("", &overrides).unwrap();
        assert_eq!((own.options.public_uri(), own.store.to_str()), ("http://127.0.0.1:9/hub", Some("other")));
    }
}
