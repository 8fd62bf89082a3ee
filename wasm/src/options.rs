//! Converts options of JavaScript to those of the core.

use std::collections::BTreeMap;

use resourcesync::api::{self, LimitNames, OptionWords};
use serde::Deserialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::{Kind::Option as BadOption, fail, first_line};

/// The options of a run, with their JavaScript names.
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
    fail_on: Option<String>,
}

/// The options of a run, checked once and used for any number of inputs.
#[wasm_bindgen]
#[derive(Debug, Clone)]
pub struct Options {
    core: api::Options,
    /// The lowest severity that builders reject.
    #[cfg(any(feature = "whole", feature = "publish"))]
    fail_on: resourcesync::diagnostic::Severity,
}

#[wasm_bindgen]
impl Options {
    /// Parses the options of an object.
    ///
    /// # Errors
    ///
    /// If one has an invalid value.
    #[wasm_bindgen(constructor)]
    pub fn new(given: &JsValue) -> Result<Options, JsValue> {
        read(given).map_err(|message| fail(BadOption, &message))
    }
}

impl Options {
    #[cfg(feature = "validate")]
    pub(crate) fn core(&self) -> &api::Options {
        &self.core
    }

    /// The options of builders.
    #[cfg(any(feature = "whole", feature = "publish"))]
    pub(crate) fn of_builders(&self) -> resourcesync::build::BuildOptions {
        let mut own = resourcesync::build::BuildOptions::from(&self.core);
        own.fail_on = self.fail_on;
        own
    }
}

fn read(given: &JsValue) -> Result<Options, String> {
    let choice = if given.is_undefined() {
        Choice::default()
    } else {
        serde_wasm_bindgen::from_value(given.clone()).map_err(|error| first_line(&error.to_string()))?
    };
    let Choice { expect, profile, select, ignore, severity, limits, max_per_rule, fixity, fail_on } = choice;
    #[cfg(any(feature = "whole", feature = "publish"))]
    let fail_on = lowest(fail_on)?;
    #[cfg(not(any(feature = "whole", feature = "publish")))]
    drop(fail_on);
    let words = OptionWords {
        expect,
        profile,
        select,
        ignore,
        severity: severity.into_iter().collect(),
        limits: limits.into_iter().collect(),
        limit_names: LimitNames::Camel,
        max_per_rule,
        no_fixity: fixity == Some(false),
    };
    let mut core = words.options()?;
    core.seed = seed();
    Ok(Options {
        core,
        #[cfg(any(feature = "whole", feature = "publish"))]
        fail_on,
    })
}

/// The lowest severity that builders reject: errors by default.
#[cfg(any(feature = "whole", feature = "publish"))]
fn lowest(name: Option<String>) -> Result<resourcesync::diagnostic::Severity, String> {
    let name = name.unwrap_or_else(|| "error".to_owned());
    let wrong = || format!("failOn: `{name}` is not error, warning or info");
    resourcesync::diagnostic::Severity::find(&name).ok_or_else(wrong)
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = crypto, js_name = getRandomValues)]
    fn random_values(into: &js_sys::BigUint64Array) -> Result<JsValue, JsValue>;
}

/// A random number, or 0 where there is no source of them.
fn seed() -> u64 {
    let number = js_sys::BigUint64Array::new_with_length(1);
    random_values(&number).map_or(0, |_| number.get_index(0))
}
