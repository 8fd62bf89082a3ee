//! The options of a run, from keywords; which there are is declared in `sync`.

use std::time::Duration;

use pyo3::{exceptions::PyTypeError, prelude::*};
use resourcesync_sync::destination::{OPTIONS, Setting, Settings, Takes};
use serde_json::{Map, Value};

use crate::error::misuse;

/// The keyword of each option, and what it does.
#[pyfunction]
pub(crate) fn sync_options() -> Vec<(String, &'static str)> {
    OPTIONS.iter().map(|option| (keyword(option.name), option.help)).collect()
}

/// What keywords set.
pub(crate) fn settings(given: &Map<String, Value>) -> PyResult<Settings> {
    let mut settings = Settings::default();
    for (name, value) in given {
        let option = OPTIONS.iter().find(|option| keyword(option.name) == *name);
        let option = option.ok_or_else(|| PyTypeError::new_err(format!("there is no option {name}")))?;
        if let Some(other) = option.excludes.map(keyword).filter(|other| given.contains_key(other)) {
            return Err(misuse(format!("{name} and {other} exclude each other")));
        }
        if let (Takes::Texts(_), Value::String(text)) = (&option.takes, value) {
            return Err(misuse(format!("{name} is a list, such as {name}=['{text}']")));
        }
        set(option, &mut settings, value).map_err(|why| misuse(format!("{name}: {why}")))?;
    }
    Ok(settings)
}

fn keyword(name: &str) -> String {
    name.replace('-', "_")
}

/// Sets an option, or says what is wrong with its value.
fn set(option: &Setting, settings: &mut Settings, value: &Value) -> Result<(), String> {
    let is_not = |expected: &str| format!("`{}` is not {expected}", shown(value));
    match option.takes {
        Takes::Nothing(set) => {
            value.as_bool().filter(|is_set| *is_set).map(|_| set(settings)).ok_or_else(|| is_not("True or False"))
        }
        Takes::Number(set) => {
            value.as_u64().map(|number| set(settings, number)).ok_or_else(|| is_not("a whole number"))
        }
        Takes::Duration(set) => {
            let seconds = value.as_f64().ok_or_else(|| is_not("a number of seconds, or a timedelta"))?;
            let time = Duration::try_from_secs_f64(seconds).map_err(|error| format!("{seconds} seconds: {error}"))?;
            set(settings, time);
            Ok(())
        }
        Takes::Word(words, set) => match value.as_str().filter(|word| words.contains(word)) {
            Some(word) => {
                set(settings, word);
                Ok(())
            }
            None => Err(is_not(&words.join(" or "))),
        },
        Takes::Text(set) => set(settings, &shown(value)).map_err(|why| format!("`{}`: {why}", shown(value))),
        Takes::Texts(set) => {
            let texts = value.as_array().ok_or_else(|| is_not("a list of texts"))?;
            let mut each = texts.iter().map(shown);
            each.try_for_each(|text| set(settings, &text).map_err(|why| format!("`{text}`: {why}")))
        }
        Takes::Pairs(set) => {
            let pairs = value.as_object().ok_or_else(|| is_not("a dict"))?;
            let mut each = pairs.iter().map(|(one, other)| (one, shown(other)));
            each.try_for_each(|(one, other)| set(settings, one, &other).map_err(|why| format!("`{one}`: {why}")))
        }
    }
}

/// A value as text, without quotation marks.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
