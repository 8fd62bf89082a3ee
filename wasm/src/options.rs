//! Options as JavaScript gives them, made the core's.

use std::collections::BTreeMap;

use resourcesync::{
    api::{self, InputOrigin},
    diagnostic::{Reason, Severity},
    limits::Limits,
    model::Kind,
    report::{Profile, Selection, Selector, Via},
};
use serde::Deserialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::{Kind::Option as BadOption, fail, first_line};

/// The options of a run, as named on the other side.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Choice {
    expect: Option<String>,
    profile: Option<String>,
    select: Vec<String>,
    ignore: Vec<String>,
    severity: BTreeMap<String, String>,
    limits: BTreeMap<String, u64>,
    max_per_rule: Option<u64>,
    fixity: Option<bool>,
}

/// The options of a run, checked once and used for any number of inputs.
#[wasm_bindgen]
#[derive(Debug, Clone)]
pub struct Options(api::Options);

#[wasm_bindgen]
impl Options {
    /// Takes the options of an object.
    ///
    /// # Errors
    ///
    /// If one has a value that means nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(given: &JsValue) -> Result<Options, JsValue> {
        read(given).map(Options).map_err(|message| fail(BadOption, &message))
    }
}

impl Options {
    pub(crate) fn core(&self) -> &api::Options {
        &self.0
    }
}

fn read(given: &JsValue) -> Result<api::Options, String> {
    let choice = if given.is_undefined() {
        Choice::default()
    } else {
        serde_wasm_bindgen::from_value(given.clone()).map_err(|error| first_line(&error.to_string()))?
    };
    let mut options = api::Options::default();
    if let Some(name) = choice.expect {
        options.expect = Some(Kind::find(&name).ok_or_else(|| format!("expect: no kind is called `{name}`"))?);
    }
    if let Some(name) = choice.profile {
        options.profile = Profile::find(&name).ok_or_else(|| format!("profile: no profile is called `{name}`"))?;
    }
    let severities = choice.severity.iter().map(|(name, severity)| {
        let severity = Severity::find(severity).ok_or_else(|| format!("severity: `{severity}` is none"))?;
        Ok((selector("severity", name)?, severity))
    });
    let severities = severities.collect::<Result<Vec<_>, String>>()?;
    let select = selectors("select", &choice.select)?;
    let ignore = selectors("ignore", &choice.ignore)?;
    options.selection = Selection::new(options.profile, &select, &ignore, &severities);
    for (name, value) in choice.limits {
        set(&mut options.limits, &name, value)?;
    }
    options.max_per_rule = choice.max_per_rule.unwrap_or(options.max_per_rule);
    options.no_fixity = choice.fixity == Some(false);
    Ok(options)
}

fn selectors(option: &str, names: &[String]) -> Result<Vec<Selector>, String> {
    names.iter().map(|name| selector(option, name)).collect()
}

fn selector(option: &str, name: &str) -> Result<Selector, String> {
    name.parse().map_err(|error| format!("{option}: {error}"))
}

/// Sets a limit by its name on the other side: `documentBytes` for `document_bytes`.
fn set(limits: &mut Limits, name: &str, value: u64) -> Result<(), String> {
    let Some(own) = Limits::NAMES.iter().find(|own| camel(own) == name) else {
        let names: Vec<String> = Limits::NAMES.iter().map(|own| camel(own)).collect();
        return Err(format!("limits: no limit is called `{name}`; there are {}", names.join(", ")));
    };
    if limits.set(own, value) { Ok(()) } else { Err(format!("limits: {value} is too large for `{name}`")) }
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Why something could not be read: a text, or `{ code, args }`.
pub(crate) fn reason(given: &JsValue) -> Reason {
    serde_wasm_bindgen::from_value(given.clone()).unwrap_or_else(|error| Reason::other(first_line(&error.to_string())))
}

/// Where an input comes from: `name`, `uri` and `via`.
pub(crate) fn origin(name: String, uri: Option<String>, via: &str) -> Result<InputOrigin, JsValue> {
    let via = match via {
        "argument" => Via::Argument,
        "stdin" => Via::Stdin,
        "folder" => Via::Folder,
        _ => return Err(fail(BadOption, &format!("via: `{via}` is none of argument, stdin, folder"))),
    };
    Ok(InputOrigin { name, uri, via })
}
