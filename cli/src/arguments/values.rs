//! Parsers for the values of options, with suggestions for misspelt ones.

use std::{path::PathBuf, str::FromStr, time::Duration};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use resourcesync::{
    api::{self, PackageDepth, Resources},
    diagnostic::Severity,
    edit_distance::unknown,
    model::Kind,
    repair,
    report::{FamilySelector, Format, Lang, Profile, Selector},
    value::{Algorithm, Capability, Datetime, DatetimeError, Parsed, Uri, Value},
};
use resourcesync_client::{
    oai::Storage,
    publish::{Glob, Rotate, Snapshot, TextEncoding, Zone, check_set},
};
use resourcesync_notify::payload::Channel;
use resourcesync_oai::{
    bridge::Form,
    harvest::{Amount, MaxDelete, OnLoop, Reconcile, Window},
    page::Repair,
    provider::family,
    stamp::Stamp,
};

use crate::limits;

/// A value with a fixed list of names, which help and completions list.
fn one_of<T: Clone + Send + Sync + 'static>(
    names: impl IntoIterator<Item = &'static str>,
    find: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |name| find(&name).ok_or("not a known name"))
}

/// `--expect`.
pub(super) fn kind() -> impl TypedValueParser<Value = Kind> {
    let names = Kind::documents().map(|kind| {
        let words = Capability::words().filter(move |word| Kind::of_document(word) == Some(kind));
        PossibleValue::new(kind.as_str()).aliases(words.filter(move |word| *word != kind.as_str()))
    });
    PossibleValuesParser::new(names).try_map(|name| Kind::parse(&name))
}

/// `--lang`.
pub(super) fn lang() -> impl TypedValueParser<Value = Lang> {
    one_of(["en", "ja"], Lang::find)
}

/// `--profile`.
pub(super) fn profile() -> impl TypedValueParser<Value = Profile> {
    one_of(["standard", "strict", "search-engines"], Profile::find)
}

/// `--profile` of `oai validate`.
pub(super) fn oai_profile() -> impl TypedValueParser<Value = Profile> {
    one_of(["standard", "strict"], Profile::find)
}

/// `--format`.
pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    one_of(Format::ALL.iter().map(|format| format.as_str()), Format::find)
}

/// `--packages`.
pub(super) fn packages() -> impl TypedValueParser<Value = PackageDepth> {
    one_of(["none", "structure", "full"], |name| match name {
        "none" => Some(PackageDepth::None),
        "structure" => Some(PackageDepth::Structure),
        _ => Some(PackageDepth::Full),
    })
}

/// `--resources`.
pub(super) fn resources(text: &str) -> Result<Resources, String> {
    match text {
        "none" => Ok(Resources::None),
        "all" => Ok(Resources::All),
        _ => text.parse().map(Resources::Sample).map_err(|_| "expected none, all, or a number".to_owned()),
    }
}

/// A severity that `--fail-on` accepts.
fn severity_to_fail_on(name: &str) -> Option<Severity> {
    Severity::find(name).filter(|severity| *severity != Severity::Info)
}

/// `--fail-on`.
pub(super) fn fail_on() -> impl TypedValueParser<Value = Severity> {
    one_of(["error", "warning"], severity_to_fail_on)
}

/// `--fail-on` where documents are written.
pub(super) fn refused() -> impl TypedValueParser<Value = Severity> {
    one_of(["error", "warning", "info"], Severity::find)
}

/// `--base-uri` and `--documents-uri`; adds a trailing slash.
pub(super) fn base(text: &str) -> Result<Uri, String> {
    let slash = if text.ends_with('/') { "" } else { "/" };
    let uri = Uri::from_iri(&format!("{text}{slash}")).map_err(|error| error.to_string())?;
    let has_user = uri.authority().is_some_and(|authority| authority.contains('@'));
    match uri.is_http() && !has_user && !text.contains(['?', '#']) {
        true => Ok(uri),
        false => Err("expected an http or https URI without query, fragment and user information, such as \
                      https://example.com/"
            .to_owned()),
    }
}

/// `--include` and `--exclude`.
pub(super) fn glob(text: &str) -> Result<Glob, String> {
    if text.is_empty() { Err("expected a pattern, such as *.pdf".to_owned()) } else { Ok(Glob::new(text)) }
}

/// `--set`.
pub(super) fn set(text: &str) -> Result<(String, Glob), String> {
    let (name, pattern) = text.split_once('=').ok_or("expected NAME=GLOB, such as theses=theses/**")?;
    check_set(name)?;
    match name.is_empty() || pattern.is_empty() {
        true => Err("expected NAME=GLOB, such as theses=theses/**".to_owned()),
        false => Ok((name.to_owned(), Glob::new(pattern))),
    }
}

/// `--end-marker`.
pub(super) fn end_marker(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("expected a line such as #end".to_owned()),
        line if line.contains(['\n', '"']) => Err("expected a line without quotation marks, such as #end".to_owned()),
        line => Ok(line.to_owned()),
    }
}

/// `--hash`.
pub(super) fn algorithm(text: &str) -> Result<Option<Algorithm>, String> {
    let known = Algorithm::KNOWN.into_iter().find(|known| known.as_str() == text.trim());
    match known {
        None if text == "none" => Ok(None),
        None => Err("expected md5, sha-1, sha-256, sha-384, sha-512 or none".to_owned()),
        known => Ok(known),
    }
}

/// `--snapshot`.
pub(super) fn snapshot(text: &str) -> Result<Snapshot, String> {
    text.parse()
}

/// `--column`.
pub(super) fn column(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((own, theirs)) if !own.is_empty() && !theirs.is_empty() => Ok((own.to_owned(), theirs.to_owned())),
        _ => Err("expected a column and its name in the table, such as uri=handle".to_owned()),
    }
}

/// `--zone`.
pub(super) fn offset(text: &str) -> Result<Zone, String> {
    Zone::parse(text).ok_or_else(|| "expected an offset such as +09:00, or Z".to_owned())
}

/// `--encoding`.
pub(super) fn encoding(text: &str) -> Result<TextEncoding, String> {
    TextEncoding::parse(text)
        .ok_or_else(|| "expected an encoding such as utf-8, shift_jis, euc-jp or utf-16le".to_owned())
}

/// `--rotate`.
pub(super) fn rotate(text: &str) -> Result<Rotate, String> {
    text.parse()
}

/// `--at`.
pub(super) fn moment(text: &str) -> Result<Datetime, String> {
    let datetime: Datetime = text.parse().map_err(|error: DatetimeError| error.to_string())?;
    match datetime.is_complete_utc() {
        true => Ok(datetime),
        false => Err("expected a datetime in UTC with seconds, such as 2013-01-03T09:00:00Z".to_owned()),
    }
}

/// `--zone`: minutes east of UTC.
pub(super) fn zone(text: &str) -> Result<i16, String> {
    repair::zone(text).ok_or_else(|| "expected Z or an offset such as +09:00".to_owned())
}

/// One of `--select` and `--ignore`.
pub(super) fn selector(name: &str) -> Result<Selector, String> {
    Selector::from_str(name.trim()).map_err(|error| error.to_string())
}

/// One of `--severity`.
pub(super) fn severity(text: &str) -> Result<(Selector, Severity), String> {
    let (name, level) = text.split_once('=').ok_or("expected CODE=LEVEL, such as RL-03=warning")?;
    api::severity(name.trim(), level.trim())
}

/// One of `--limit`.
pub(super) fn limit(text: &str) -> Result<(&'static str, u64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as depth=100")?;
    let name = limits::name(name.trim())?;
    let value = value.trim().replace('_', "");
    let value = value.parse().map_err(|_| format!("the value of {name} must be a whole number"))?;
    limits::fits(name, value).map(|()| (name, value))
}

/// `--hub` and `--topic`.
pub(super) fn http(text: &str) -> Result<Uri, String> {
    let uri = Uri::from_iri(text).map_err(|error| error.to_string())?;
    if uri.is_http() { Ok(uri) } else { Err("expected an http or https URI, such as https://hub.example/".to_owned()) }
}

/// `--kind`.
pub(super) fn channel() -> impl TypedValueParser<Value = Channel> {
    one_of(Channel::ALL.iter().map(|channel| channel.as_str()), Channel::find)
}

/// `--for` and other durations.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let form = "expected a number with s, m, h or d, such as 90s";
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or(form)?;
    let number: u64 = number.parse().map_err(|_| form)?;
    let seconds = match unit {
        "s" => Some(number),
        "m" => number.checked_mul(60),
        "h" => number.checked_mul(3_600),
        "d" => number.checked_mul(86_400),
        _ => None,
    };
    seconds.map(Duration::from_secs).ok_or_else(|| form.to_owned())
}

/// `--watch` and `--every` of `build`.
pub(super) fn short_duration(text: &str) -> Result<Duration, String> {
    match text.strip_suffix("ms").map(str::parse) {
        Some(Ok(number)) => Ok(Duration::from_millis(number)),
        _ => duration(text).map_err(|_| "expected a number with ms, s, m, h or d, such as 500ms".to_owned()),
    }
}

/// `--store`.
pub(super) fn storage() -> impl TypedValueParser<Value = Storage> {
    one_of(Storage::ALL.map(|(name, _)| name), |name| Storage::ALL.iter().find(|own| own.0 == name).map(|own| own.1))
}

/// `--form`.
pub(super) fn bridge_form() -> impl TypedValueParser<Value = Form> {
    one_of(Form::ALL.map(Form::as_str), Form::find)
}

/// `--window`.
pub(super) fn window() -> impl TypedValueParser<Value = Window> {
    one_of(Window::ALL.map(|(name, _)| name), |name| Window::ALL.iter().find(|own| own.0 == name).map(|own| own.1))
}

/// `--repair`.
pub(super) fn repair() -> impl TypedValueParser<Value = Repair> {
    one_of(Repair::ALL.map(|(name, _)| name), |name| Repair::ALL.iter().find(|own| own.0 == name).map(|own| own.1))
}

/// `--on-loop`.
pub(super) fn on_loop() -> impl TypedValueParser<Value = OnLoop> {
    one_of(["stop", "window"], |name| Some(if name == "window" { OnLoop::Window } else { OnLoop::Stop }))
}

/// `--since` and `--until`.
pub(super) fn stamp(text: &str) -> Result<Stamp, String> {
    Stamp::read(text).ok_or_else(|| "expected a date such as 2026-01-31 or 2026-01-31T09:00:00Z".to_owned())
}

/// `--delay`, in milliseconds: a number of seconds, or with a unit.
pub(super) fn seconds(text: &str) -> Result<u64, String> {
    const MOST: Duration = Duration::from_secs(86_400);
    let form = "expected a number of seconds such as 0.5, or with a unit, such as 500ms; at most a day";
    let delay = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| form)?,
        Err(_) => short_duration(text).map_err(|_| form)?,
    };
    let delay = Some(delay).filter(|delay| *delay <= MOST).ok_or(form)?;
    u64::try_from(delay.as_millis()).map_err(|_| form.to_owned())
}

/// A duration in seconds.
pub(super) fn duration_seconds(text: &str) -> Result<u64, String> {
    duration(text).map(|duration| duration.as_secs())
}

/// `--reconcile`.
pub(super) fn reconcile(text: &str) -> Result<Reconcile, String> {
    match text {
        "auto" => Ok(Reconcile::Auto),
        "never" => Ok(Reconcile::Never),
        "now" => Ok(Reconcile::Now),
        _ => duration_seconds(text).map(Reconcile::Every).map_err(|why| format!("{why}; or auto, never, now")),
    }
}

/// `--tolerance`.
pub(super) fn amount(text: &str) -> Result<Amount, String> {
    Amount::read(text).ok_or_else(|| "expected a number, or a share such as 2%".to_owned())
}

/// `--max-delete`.
pub(super) fn max_delete(text: &str) -> Result<MaxDelete, String> {
    match text {
        "all" => Ok(MaxDelete::All),
        _ => amount(text).map(MaxDelete::Most).map_err(|why| format!("{why}; or all")),
    }
}

/// `--limit` of a harvest.
pub(super) fn oai_limit(text: &str) -> Result<(&'static str, u64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as oai_pages=100")?;
    let name = limits::oai_name(name.trim())?;
    let value = value.trim().replace('_', "");
    let value = value.parse().map_err(|_| format!("the value of {name} must be a whole number"))?;
    limits::oai_fits(name, value).map(|()| (name, value))
}

/// `--uri`.
pub(super) fn uri(text: &str) -> Result<String, String> {
    match Uri::read(text) {
        Parsed::Exact(_) | Parsed::Lenient(_) => Ok(text.to_owned()),
        Parsed::Malformed => Err("not an absolute URI".to_owned()),
    }
}

/// A folder and the URI that it stands for.
pub(super) fn map(text: &str) -> Result<(String, PathBuf), String> {
    let (base, folder) = text.split_once('=').filter(|(_, folder)| !folder.is_empty()).ok_or("not URI=DIR")?;
    Ok((uri(base)?, PathBuf::from(folder)))
}

/// One of `--select` and `--ignore` of `oai validate`.
pub(super) fn oai_selector(name: &str) -> Result<FamilySelector, String> {
    FamilySelector::new(&family(), name.trim()).map_err(|error| error.to_string())
}

/// One of `--severity` of `oai validate`.
pub(super) fn oai_severity(text: &str) -> Result<(FamilySelector, Severity), String> {
    let (name, level) = text.split_once('=').ok_or("expected CODE=LEVEL, such as OAI-28=warning")?;
    let level = level.trim();
    let severity =
        Severity::find(level).ok_or_else(|| unknown("severity", level, ["error", "warning", "info"].into_iter()))?;
    Ok((oai_selector(name)?, severity))
}
