//! Access to the limits of the core and of HTTP by name.

use resourcesync::{api::LimitNames, limits::Limits};

use resourcesync_client::http::Limits as Http;
use resourcesync_oai::limits::Limits as Oai;

/// A limit: its name, default and purpose.
pub(crate) type Row = (&'static str, u64, &'static str);

/// All limits by what they bound.
pub(crate) fn pages() -> [(&'static str, Vec<Row>); 3] {
    let (core, http, oai) = (Limits::default(), Http::default(), Oai::default());
    let rows = |names: &[&'static str], purposes: &[&'static str], value: &dyn Fn(&str) -> Option<u64>| -> Vec<Row> {
        let rows = names.iter().zip(purposes);
        rows.filter_map(|(name, purpose)| Some((*name, value(name)?, *purpose))).collect()
    };
    [
        ("Documents, packages and crawls", rows(Limits::NAMES, Limits::PURPOSES, &|name| core.get(name))),
        ("HTTP", rows(Http::NAMES, Http::PURPOSES, &|name| http.get(name))),
        ("OAI-PMH (of `resourcesync oai`)", rows(Oai::NAMES, Oai::PURPOSES, &|name| oai.get(name))),
    ]
}

/// The names of all limits.
fn names() -> impl Iterator<Item = &'static str> + Clone {
    Limits::NAMES.iter().chain(Http::NAMES).copied()
}

/// Rejects a value that is too large for its limit.
pub(crate) fn fits(name: &str, value: u64) -> Result<(), String> {
    if Limits::default().set(name, value) || Http::default().set(name, value) {
        Ok(())
    } else {
        Err(format!("{value} is too large for {name}"))
    }
}

/// Finds a limit by name; hyphens may replace underscores.
pub(crate) fn name(text: &str) -> Result<&'static str, String> {
    LimitNames::Snake.find(text, names())
}

fn oai_names() -> impl Iterator<Item = &'static str> + Clone {
    // The harvest controls retries itself.
    let is_own = |name: &&str| !["http_retries", "http_retry_after_seconds"].contains(name);
    Oai::NAMES.iter().chain(Http::NAMES).copied().filter(is_own)
}

/// Rejects a value that is too large for its limit.
pub(crate) fn oai_fits(name: &str, value: u64) -> Result<(), String> {
    match Oai::default().set(name, value) || Http::default().set(name, value) {
        true => Ok(()),
        false => Err(format!("{value} is too large for {name}")),
    }
}

/// Finds a limit of a harvest by name; hyphens may replace underscores.
pub(crate) fn oai_name(text: &str) -> Result<&'static str, String> {
    LimitNames::Snake.find(text, oai_names())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_has_to_exist_and_to_fit() {
        assert!(fits("depth", 1 << 40).is_err());
        assert!(fits("entries", 1 << 40).is_ok());
        assert_eq!(name("late-head-entries").unwrap(), "late_head_entries");
        assert_eq!(name("dept").unwrap_err(), "unknown limit `dept`; did you mean `depth`?");
    }
}
