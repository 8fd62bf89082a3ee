//! Values of the settings: durations, sizes, addresses, secrets.

use std::{fs, io, net::SocketAddr, path::PathBuf, time::Duration};

use resourcesync::diagnostic::Reason;
use resourcesync_notify::{hub::Secret, signature::Algorithm};

/// Maximum bytes of a file with a secret.
const SECRET_FILE: u64 = 4 << 10;
/// Minimum bytes of a secret.
const SECRET: usize = 16;

pub(super) fn algorithm(text: &str) -> Result<Algorithm, String> {
    Algorithm::find(text).ok_or_else(|| format!("`{text}` is none of sha256, sha384, sha512, sha1"))
}

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| format!("`{text}` is not an address with a port, such as 127.0.0.1:8080"))
}

pub(super) fn log(text: &str) -> Result<bool, String> {
    match text {
        "text" => Ok(false),
        "json" => Ok(true),
        _ => Err(format!("`{text}` is neither text nor json")),
    }
}

/// A number with a unit: s, m, h or d.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
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
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
    let found = units.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, *shift)));
    let number = found.and_then(|(number, shift)| number.trim().parse::<u64>().ok()?.checked_mul(1 << shift));
    number.ok_or_else(|| format!("`{text}` is not a size, such as 512MiB or 1GiB"))
}

/// The content of a file or an environment variable. Messages do not contain it.
pub(super) fn secret(text: &str) -> Result<Secret, String> {
    let content = match text.split_once(':') {
        Some(("env", name)) => {
            std::env::var(name).map_err(|_| format!("the environment variable {name} is not set or not UTF-8"))?
        }
        Some(("file", path)) => {
            let wrong = |error: io::Error| format!("{path} could not be read: {}", Reason::from(&error));
            if fs::metadata(path).map_err(wrong)?.len() > SECRET_FILE {
                return Err(format!("{path} is too long for a secret"));
            }
            fs::read_to_string(path).map_err(wrong)?
        }
        _ => return Err("a secret is given as file:PATH or env:NAME, not in the configuration".to_owned()),
    };
    let content = content.trim();
    if content.is_empty() {
        return Err(format!("{text} is empty"));
    }
    if content.len() < SECRET {
        return Err(format!(
            "{text} is too short: a secret has at least {SECRET} characters; `openssl rand -hex 32` prints one"
        ));
    }
    Ok(Secret(content.into()))
}

/// The file of a secret, if it is in one.
pub(super) fn secret_file(text: &str) -> Option<PathBuf> {
    text.strip_prefix("file:").map(PathBuf::from)
}
