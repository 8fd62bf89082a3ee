//! Values of a configuration file as the command line has them.

use std::{borrow::Cow, error::Error};

use clap::{
    Arg, ArgAction, Command,
    error::{ContextKind, ContextValue, ErrorKind},
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::file::{Complaint, Value};

/// A key, with its place.
pub(super) type Key<'i> = Spanned<Cow<'i, str>>;

/// The first error in the file is reported.
pub(super) fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Key<'i>, &'a Value<'i>)> {
    let mut items: Vec<_> = table.iter().collect();
    items.sort_by_key(|(key, _)| key.span().start);
    items
}

/// The texts of a value as the command line has them, with their places.
pub(super) fn texts(arg: &Arg, value: &Value<'_>) -> Result<Vec<(usize, String)>, Complaint> {
    let at = value.span().start;
    match (arg.get_action(), value.get_ref()) {
        (ArgAction::SetTrue, DeValue::Boolean(truth)) => Ok(vec![(at, truth.to_string())]),
        (ArgAction::SetTrue, _) => Err((at, "expected true or false".to_owned())),
        (ArgAction::Append, DeValue::Array(items)) => {
            items.iter().map(|item| text(item).map(|text| (item.span().start, text))).collect()
        }
        (ArgAction::Append, _) => Err((at, "expected a list of values in brackets".to_owned())),
        _ => text(value).map(|text| vec![(at, text)]),
    }
}

/// The entries of a table as NAME=VALUE, with their places.
pub(super) fn pairs(value: &Value<'_>) -> Result<Vec<(usize, String)>, Complaint> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err((value.span().start, "expected a table of names with their values".to_owned()));
    };
    let pair =
        |(key, value): (&Key<'_>, &Value<'_>)| Ok((key.span().start, format!("{}={}", key.get_ref(), text(value)?)));
    in_order(table).into_iter().map(pair).collect()
}

pub(super) fn text(value: &Value<'_>) -> Result<String, Complaint> {
    let wrong = || (value.span().start, "expected a text in quotes, or a whole number".to_owned());
    match value.get_ref() {
        DeValue::String(text) => Ok(text.clone().into_owned()),
        DeValue::Integer(digits) => {
            u64::from_str_radix(digits.as_str(), digits.radix()).map(|number| number.to_string()).map_err(|_| wrong())
        }
        _ => Err(wrong()),
    }
}

/// Checks a value as the subcommand does.
pub(super) fn check(command: &Command, arg: &Arg, text: &str) -> Result<(), String> {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return Ok(());
    }
    let given = format!("--{}={text}", arg.get_long().unwrap_or_default());
    let Err(error) = command.clone().no_binary_name(true).try_get_matches_from([given]) else { return Ok(()) };
    match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(words))) if !words.is_empty() => {
            Err(format!("`{text}` is not {}", words.join(" or ")))
        }
        (ErrorKind::InvalidValue, _) => Err(format!("`{text}` is no value")),
        (ErrorKind::ValueValidation, _) => Err(error.source().map(ToString::to_string).unwrap_or_default()),
        // The rest of the line is missing.
        _ => Ok(()),
    }
}
