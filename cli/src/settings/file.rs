//! Reads `resourcesync.toml`, and reports errors with their line.

use std::{fs, path::Path, str::FromStr};

use resourcesync::{
    api::severity,
    diagnostic::Severity,
    edit_distance::nearest,
    report::{Lang, Profile, Selector},
};
use resourcesync_client::reason;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{arguments::severity_to_fail_on, error::CliError, limits};

/// The contents of a configuration file.
#[derive(Debug, Default)]
pub(super) struct Configuration {
    pub(super) profile: Option<Profile>,
    pub(super) select: Vec<Selector>,
    pub(super) ignore: Vec<Selector>,
    pub(super) severity: Vec<(Selector, Severity)>,
    pub(super) fail_on: Option<Severity>,
    pub(super) lang: Option<Lang>,
    pub(super) limits: Vec<(&'static str, u64)>,
    pub(super) from: Option<String>,
    pub(super) robots: bool,
}

/// A problem, and its byte offset.
type Complaint = (usize, String);
type Value<'a> = Spanned<DeValue<'a>>;
type Take = fn(&mut Configuration, &Value<'_>) -> Result<(), Complaint>;

const KEYS: &[(&str, Take)] = &[
    ("profile", |own, value| {
        word(value, &["standard", "strict"], Profile::find).map(|found| own.profile = Some(found))
    }),
    ("select", |own, value| selectors(value).map(|found| own.select = found)),
    ("ignore", |own, value| selectors(value).map(|found| own.ignore = found)),
    ("severity", |own, value| severities(value).map(|found| own.severity = found)),
    ("fail-on", |own, value| {
        word(value, &["error", "warning"], severity_to_fail_on).map(|found| own.fail_on = Some(found))
    }),
    ("lang", |own, value| word(value, &["en", "ja"], Lang::find).map(|found| own.lang = Some(found))),
    ("limits", |own, value| numbers(value).map(|found| own.limits = found)),
    ("from", |own, value| text(value, "an e-mail address").map(|found| own.from = Some(found.to_owned()))),
    ("robots", |own, value| truth(value).map(|found| own.robots = found)),
];

/// Reads the file.
pub(super) fn read(path: &Path) -> Result<Configuration, CliError> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| format!("the configuration {shown} could not be read: {}", reason(&error)))?;
    understand(&text).map_err(|(line, words)| CliError::new(format!("{shown}:{line}: {words}")))
}

/// Parses the text of the file; errors have a line number.
pub(super) fn understand(text: &str) -> Result<Configuration, (usize, String)> {
    let line = |at| text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count().saturating_add(1);
    parse(text).map_err(|(at, words)| (line(at), words))
}

fn parse(text: &str) -> Result<Configuration, Complaint> {
    let table = DeTable::parse(text)
        .map_err(|error| (error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
    let mut own = Configuration::default();
    for (key, value) in in_order(table.get_ref()) {
        let name = key.get_ref().as_ref();
        match KEYS.iter().find(|(known, _)| *known == name) {
            Some((_, take)) => take(&mut own, value)?,
            None => return Err((key.span().start, unknown(name))),
        }
    }
    Ok(own)
}

fn unknown(name: &str) -> String {
    let names = KEYS.iter().map(|(name, _)| *name);
    match nearest(name, names.clone()) {
        Some(near) => format!("unknown key `{name}`; did you mean `{near}`?"),
        None => format!("unknown key `{name}`; expected one of {}", names.collect::<Vec<_>>().join(", ")),
    }
}

/// The first error in the file is reported.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Spanned<std::borrow::Cow<'i, str>>, &'a Value<'i>)> {
    let mut items: Vec<_> = table.iter().collect();
    items.sort_by_key(|(key, _)| key.span().start);
    items
}

fn text<'a>(value: &'a Value<'_>, wanted: &str) -> Result<&'a str, Complaint> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => Err((value.span().start, format!("expected {wanted} in quotes"))),
    }
}

fn truth(value: &Value<'_>) -> Result<bool, Complaint> {
    match value.get_ref() {
        DeValue::Boolean(truth) => Ok(*truth),
        _ => Err((value.span().start, "expected true or false".to_owned())),
    }
}

fn word<T>(value: &Value<'_>, names: &[&str], find: fn(&str) -> Option<T>) -> Result<T, Complaint> {
    let choices = names.join(" or ");
    let word = text(value, &choices)?;
    find(word).ok_or_else(|| (value.span().start, format!("`{word}` is not {choices}")))
}

fn selectors(value: &Value<'_>) -> Result<Vec<Selector>, Complaint> {
    let DeValue::Array(items) = value.get_ref() else {
        return Err((value.span().start, "expected a list of codes, such as [\"RL-03\", \"CL\"]".to_owned()));
    };
    items
        .iter()
        .map(|item| Selector::from_str(text(item, "a code")?).map_err(|error| (item.span().start, error.to_string())))
        .collect()
}

fn severities(value: &Value<'_>) -> Result<Vec<(Selector, Severity)>, Complaint> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err((value.span().start, "expected a table of codes, such as { RL-03 = \"warning\" }".to_owned()));
    };
    in_order(table)
        .into_iter()
        .map(|(code, level)| {
            severity(code.get_ref(), text(level, "error, warning or info")?).map_err(|words| (code.span().start, words))
        })
        .collect()
}

fn numbers(value: &Value<'_>) -> Result<Vec<(&'static str, u64)>, Complaint> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err((value.span().start, "expected a table of limits, such as { depth = 100 }".to_owned()));
    };
    let number = |value: &Value<'_>| match value.get_ref() {
        DeValue::Integer(digits) => u64::from_str_radix(digits.as_str(), digits.radix()).ok(),
        _ => None,
    };
    in_order(table)
        .into_iter()
        .map(|(key, value)| {
            let name = limits::name(key.get_ref()).map_err(|words| (key.span().start, words))?;
            let number = number(value)
                .ok_or_else(|| (value.span().start, format!("the value of {name} must be a whole number")))?;
            limits::fits(name, number).map(|()| (name, number)).map_err(|words| (value.span().start, words))
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn everything_it_may_say_is_understood() {
        let own = parse("profile='strict'\nselect=['RL','CL-13']\nfail-on='warning'\nlang='ja'\nseverity={ GEN-17='info' }\n[limits]\ndepth=1_00\n").unwrap();
        assert_eq!(own.profile, Some(Profile::Strict));
        assert_eq!(own.select.len(), 2);
        assert_eq!(own.fail_on, Some(Severity::Warning));
        assert_eq!(own.severity.len(), 1);
        assert_eq!(own.limits, [("depth", 100)]);
    }

    #[test]
    fn the_topmost_complaint_is_made_with_its_place() {
        let complaint = |text: &str| parse(text).unwrap_err();
        assert_eq!(complaint("selct = []\nignroe = []"), (0, "unknown key `selct`; did you mean `select`?".to_owned()));
        assert_eq!(complaint("lang = 'en'\nprofile = 'strickt'").0, 22);
        assert_eq!(complaint("[limits]\ndeepness = 3").0, 9);
        assert!(!complaint("select = [").1.is_empty());
    }
}
