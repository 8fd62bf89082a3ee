//! Outcomes of inputs, and the report on them.

use std::{collections::BTreeMap, iter};

use resourcesync::api;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{options::Options, progress};

/// The outcome of one input.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Outcome(
    api::Outcome,
    /// The summary for documents that list it, if it is a package.
    #[cfg(feature = "whole")]
    Option<resourcesync::rules::KnownPackage>,
);

#[wasm_bindgen]
impl Outcome {
    /// Entries read.
    #[wasm_bindgen(getter)]
    pub fn entries(&self) -> f64 {
        all(&self.0).map(|outcome| outcome.entries as f64).sum()
    }

    /// The number of findings by code, as JSON.
    pub fn counts(&self) -> String {
        let mut counts = BTreeMap::new();
        for ((code, severity), (count, _)) in all(&self.0).flat_map(|outcome| &outcome.checked.groups) {
            let own: &mut u64 = counts.entry((*code, *severity)).or_default();
            *own = own.saturating_add(*count);
        }
        progress::counts(counts.into_iter().map(|((code, severity), count)| (code, severity, count)))
    }
}

/// An outcome and the nested ones.
fn all(outcome: &api::Outcome) -> impl Iterator<Item = &api::Outcome> {
    iter::once(outcome).chain(&outcome.inside)
}

impl From<api::Outcome> for Outcome {
    fn from(outcome: api::Outcome) -> Outcome {
        Outcome(
            outcome,
            #[cfg(feature = "whole")]
            None,
        )
    }
}

#[cfg(feature = "whole")]
impl Outcome {
    pub(crate) fn of_package(outcome: api::Outcome, package: resourcesync::rules::KnownPackage) -> Outcome {
        Outcome(outcome, Some(package))
    }

    pub(crate) fn into_parts(self) -> (api::Outcome, Option<resourcesync::rules::KnownPackage>) {
        (self.0, self.1)
    }
}

/// A report as JSON, without the findings of an earlier report.
#[cfg(feature = "whole")]
pub(crate) fn since(mut report: resourcesync::report::Report, baseline: &str) -> Result<String, wasm_bindgen::JsValue> {
    let wrong = |error: String| crate::fail::fail(crate::fail::Kind::Format, &format!("baseline: {error}"));
    let earlier = resourcesync::report::Report::from_json(baseline).map_err(wrong)?;
    resourcesync::report::subtract(&mut report, &earlier).map_err(|error| wrong(error.to_string()))?;
    Ok(report.to_json())
}

/// Merges outcomes into a report.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Run(api::Run);

#[wasm_bindgen]
impl Run {
    /// Creates a run without inputs.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> Run {
        Run(api::Run::new(options.core()))
    }

    /// Adds the outcome of an input.
    pub fn add(&mut self, outcome: Outcome) {
        self.0.add(outcome.0);
    }

    /// The report as JSON.
    pub fn finish(self) -> String {
        self.0.finish().to_json()
    }
}

/// The functions of a run that only the whole module has.
#[cfg(feature = "whole")]
#[wasm_bindgen]
impl Run {
    /// The report as JSON, without the findings of an earlier report.
    ///
    /// # Errors
    ///
    /// If the earlier report is invalid, or stored fewer findings than it counted.
    #[wasm_bindgen(js_name = finishSince)]
    pub fn finish_since(self, baseline: &str) -> Result<String, wasm_bindgen::JsValue> {
        since(self.0.finish(), baseline)
    }
}
