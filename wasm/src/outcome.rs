//! What became of inputs, and the report made of it.

use std::{collections::BTreeMap, iter};

use resourcesync::api;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    options::{self, Options},
    progress,
};

/// What became of one input.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Outcome(api::Outcome);

#[wasm_bindgen]
impl Outcome {
    /// Entries read.
    #[wasm_bindgen(getter)]
    pub fn entries(&self) -> f64 {
        all(&self.0).map(|outcome| outcome.entries as f64).sum()
    }

    /// True if it is not for this tool, should it be found in a folder.
    #[wasm_bindgen(getter, js_name = isForeign)]
    pub fn is_foreign(&self) -> bool {
        self.0.foreign.is_some()
    }

    /// How often each code was found, as JSON.
    pub fn counts(&self) -> String {
        let mut counts = BTreeMap::new();
        for ((code, severity), (count, _)) in all(&self.0).flat_map(|outcome| &outcome.checked.groups) {
            let own: &mut u64 = counts.entry((*code, *severity)).or_default();
            *own = own.saturating_add(*count);
        }
        progress::counts(counts.into_iter().map(|((code, severity), count)| (code, severity, count)))
    }
}

/// An outcome and those inside.
fn all(outcome: &api::Outcome) -> impl Iterator<Item = &api::Outcome> {
    iter::once(outcome).chain(&outcome.inside)
}

impl From<api::Outcome> for Outcome {
    fn from(outcome: api::Outcome) -> Outcome {
        Outcome(outcome)
    }
}

/// Puts outcomes together into a report.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Run(api::Run);

#[wasm_bindgen]
impl Run {
    /// A run without inputs yet.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> Run {
        Run(api::Run::new(options.core()))
    }

    /// Adds what became of an input.
    pub fn add(&mut self, outcome: Outcome) {
        self.0.add(outcome.0);
    }

    /// Lists a file that is not for this tool.
    pub fn skip(&mut self, name: String, reason: &JsValue) {
        self.0.skip(name, options::reason(reason));
    }

    /// Says that not everything was looked at, and what ended it.
    pub fn stopped(&mut self, by: &str) {
        self.0.stopped(by);
    }

    /// The report as JSON.
    pub fn finish(self) -> String {
        self.0.finish().to_json()
    }
}

/// What only the whole module does with a run.
#[cfg(feature = "whole")]
#[wasm_bindgen]
impl Run {
    /// The report as JSON, without what an earlier report has.
    ///
    /// # Errors
    ///
    /// If the earlier report is none, or stored less than it counted.
    #[wasm_bindgen(js_name = finishSince)]
    pub fn finish_since(self, baseline: &str) -> Result<String, JsValue> {
        crate::dump_index::since(self.0.finish(), baseline)
    }
}
