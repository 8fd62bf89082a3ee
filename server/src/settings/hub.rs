//! The settings of a hub, and how they are read.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use resourcesync_notify::hub::{Credential, Options, Secret};
use toml::de::DeTable;

use super::{
    AdminAddress,
    section::Section,
    tables::{PUBLISHER, options},
    values::{address, bytes, log, secret, secret_file},
};
use crate::ledger::StoreAddress;

/// How long a subscription belongs to a process that does not renew its claim.
const CLAIMS: Duration = Duration::from_secs(90);

/// The settings of a hub.
#[derive(Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Options of the state machine.
    pub options: Options,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Certificate and key, if the hub terminates TLS itself.
    pub tls: Option<TlsFiles>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// The store.
    pub store: StoreAddress,
    /// How long a subscription belongs to one of several processes on the same store.
    pub claims: Duration,
    /// Bytes of the store above which payloads are refused.
    pub store_bytes: u64,
    /// The address of the administration.
    pub admin: Option<AdminAddress>,
    /// The token of the administration.
    pub admin_token: Option<Secret>,
    /// Logs as JSON instead of text.
    pub log_json: bool,
    /// Files with secrets.
    secrets: Vec<PathBuf>,
}

/// Files in PEM format with the certificate of the hub, followed by its chain, and with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificates.
    pub cert: PathBuf,
    /// The key.
    pub key: PathBuf,
}

/// Settings that replace those of the file.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Instead of `public_uri`.
    pub public_uri: Option<String>,
    /// Instead of `listen`.
    pub listen: Option<SocketAddr>,
    /// Instead of `store`.
    pub store: Option<StoreAddress>,
    /// Instead of `admin`.
    pub admin: Option<AdminAddress>,
}

impl Settings {
    /// Reads the table `hub` of a configuration, which stands at this byte offset. Secrets are read from where it says.
    ///
    /// # Errors
    ///
    /// If anything in it is wrong or unknown, with the byte offset.
    pub fn from_table(table: &DeTable<'_>, at: usize, overrides: &Overrides) -> Result<Settings, (usize, String)> {
        let root = Section::new(
            table,
            at,
            &[
                "public_uri",
                "moved_to",
                "listen",
                "tls",
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
                "fetch",
                "publisher",
                "topic",
            ],
        )?;
        let public_uri = match &overrides.public_uri {
            Some(uri) => uri.clone(),
            None => root.needed_text("public_uri")?.to_owned(),
        };
        let options = options(&root, &public_uri)?;
        let listen = root.parsed("listen", address)?.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));
        let tls = match root.section("tls", &["cert", "key"])? {
            Some(tls) => Some(TlsFiles { cert: tls.needed_text("cert")?.into(), key: tls.needed_text("key")?.into() }),
            None => None,
        };
        let proxies = root.texts("trusted_proxies")?.unwrap_or_default().into_iter();
        let proxy = |(at, text): (usize, &str)| text.parse().map_err(|_| (at, format!("`{text}` is not an address")));
        let admin = match &overrides.admin {
            Some(admin) => Some(admin.clone()),
            None => root.parsed("admin", |text| text.parse::<AdminAddress>())?,
        };
        let admin_token = root.parsed("admin_token", secret)?;
        let mut secrets: Vec<PathBuf> = root.text("admin_token")?.and_then(secret_file).into_iter().collect();
        for publisher in root.sections("publisher", PUBLISHER)? {
            secrets.extend(publisher.text("hmac")?.and_then(secret_file));
        }
        if matches!(&admin, Some(AdminAddress::Tcp(_))) && admin_token.is_none() {
            return Err((root.place("admin"), "`admin` on a TCP address requires `admin_token`".to_owned()));
        }
        let store = match &overrides.store {
            Some(store) => store.clone(),
            None => root.parsed("store", |text| text.parse::<StoreAddress>())?.ok_or_else(|| root.missing("store"))?,
        };
        Ok(Settings {
            options,
            listen: overrides.listen.unwrap_or(listen),
            tls,
            trusted_proxies: proxies.map(proxy).collect::<Result<_, _>>()?,
            store,
            claims: CLAIMS,
            store_bytes: root.parsed("store_bytes", bytes)?.unwrap_or(16 << 30),
            admin,
            admin_token,
            log_json: root.parsed("log", log)?.unwrap_or(false),
            secrets,
        })
    }

    /// What works and should nevertheless be changed, in one line each.
    pub fn warnings(&self) -> Vec<String> {
        let keys = self.tls.iter().map(|tls| &tls.key);
        let exposed = self.secrets.iter().chain(keys).filter(|path| is_exposed(path));
        let exposed = exposed.map(|path| format!("{} can be read by every user; `chmod o-rwx` it", path.display()));
        // As in the configuration that comes with the hub.
        let is_placeholder = |credential: &Credential| matches!(credential, Credential::TokenSha256(digest) if digest.bytes().all(|byte| byte == b'0'));
        let blank = self.options.publishers.iter().filter(|publisher| is_placeholder(&publisher.credential));
        let blank = blank.map(|publisher| {
            format!(
                "no token has the `token_sha256` of publisher `{}`; `resourcesync hub token` makes one",
                publisher.name
            )
        });
        exposed.chain(blank).collect()
    }
}

/// True if users other than the owner and the group may use a file.
#[cfg(unix)]
fn is_exposed(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o007 != 0)
}

/// There are no such permissions here.
#[cfg(not(unix))]
fn is_exposed(_: &Path) -> bool {
    false
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use toml::de::DeValue;

    use super::*;

    fn parse(text: &str, overrides: &Overrides) -> Result<Settings, (usize, String)> {
        Settings::from_table(DeTable::parse(text).unwrap().get_ref(), 0, overrides)
    }

    const START: &str = "public_uri = \"https://hub.example/\"\nstore = \"hub.sqlite\"\n";

    fn problem(text: &str) -> (usize, String) {
        let text = format!("{START}{text}");
        let (at, problem) = parse(&text, &Overrides::default()).unwrap_err();
        (text[..at].matches('\n').count() + 1, problem)
    }

    #[test]
    fn the_shipped_configuration_is_read() {
        let file = DeTable::parse(include_str!("../../contrib/resourcesync.toml")).unwrap();
        let DeValue::Table(hub) = file.get_ref()["hub"].get_ref() else { panic!("no table") };
        let own = Settings::from_table(hub, 0, &Overrides::default()).unwrap();
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
        assert_eq!(problem("tls = {cert = \"a.pem\"}").1, "`key` is missing");
        assert!(problem("admin = \"127.0.0.1:9090\"").1.contains("admin_token"));
        assert!(problem("store_bytes = \"many\"").1.contains("size"));
        for (text, line) in [
            ("[callbacks]\nports = [80, 0]", 4),
            ("[fetch]\nports = [0]", 4),
            ("[callbacks]\nallow = [\"receiver.internal:0\"]", 4),
        ] {
            assert_eq!(problem(text), (line, "0 is not a port".to_owned()), "{text}");
        }
    }

    #[test]
    fn a_secret_is_never_written_in_the_configuration_or_repeated() {
        let (_, problem) = problem("[[publisher]]\nname = \"a\"\nhmac = \"s3cret\"");
        assert!(!problem.contains("s3cret"), "{problem}");
    }

    #[test]
    fn secrets_that_can_be_guessed_are_rejected_and_files_that_everybody_reads_are_named() {
        let folder = std::env::temp_dir().join(format!("resourcesync-hub-secrets-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("secret");
        let [admin, hmac] = [
            format!("admin_token = \"file:{}\"", file.display()),
            format!("[[publisher]]\nname = \"a\"\nhmac = \"file:{}\"", file.display()),
        ];
        for (content, is_right) in [("12345", false), ("fifteen letters", false), ("sixteen letters!", true)] {
            std::fs::write(&file, content).unwrap();
            for text in [&admin, &hmac] {
                let read = parse(&format!("{START}{text}"), &Overrides::default());
                assert_eq!(read.is_ok(), is_right, "{content}: {text}");
                if let Err((_, problem)) = read {
                    assert!(problem.contains("at least 16") && !problem.contains(content), "{problem}");
                }
            }
        }
        #[cfg(unix)]
        for (mode, count) in [(0o644, 2), (0o604, 2), (0o640, 0), (0o600, 0)] {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            let text = format!("{START}{admin}\ntls = {{cert = \"none\", key = {file:?}}}\n");
            let own = parse(&text, &Overrides::default()).unwrap();
            assert_eq!(own.warnings().len(), count, "{mode:o}");
        }
        let zeros = format!("{START}[[publisher]]\nname = \"a\"\ntoken_sha256 = \"{}\"", "0".repeat(64));
        let warnings = parse(&zeros, &Overrides::default()).unwrap().warnings();
        assert!(warnings.len() == 1 && warnings[0].contains("publisher `a`"), "{warnings:?}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn arguments_replace_settings_of_the_file() {
        let overrides = Overrides {
            public_uri: Some("http://127.0.0.1:9/hub".to_owned()),
            listen: Some("127.0.0.1:9".parse().unwrap()),
            store: Some("other".parse().unwrap()),
            admin: Some(AdminAddress::Unix("a.sock".into())),
        };
        let own = parse("", &overrides).unwrap();
        assert_eq!((own.options.public_uri(), &*own.store.to_string()), ("http://127.0.0.1:9/hub", "other"));
    }
}
