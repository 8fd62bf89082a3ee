//! What became of inputs, and the report made of it.

use std::{collections::BTreeMap, iter, sync::Arc};

use resourcesync::{
    api::{self, Scan},
    report::{self, Report},
    rules::{Package, Packages},
    value::Hashes,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    choice::Options,
    fail::{Kind::Format, fail},
    found,
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
        found::counts(counts.into_iter().map(|((code, severity), count)| (code, severity, count)))
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
    pub fn skip(&mut self, name: String, reason: &str) {
        self.0.skip(name, reason);
    }

    /// Says that not everything was looked at, and what ended it.
    pub fn stopped(&mut self, by: &str) {
        self.0.stopped(by);
    }

    /// The report as JSON; what an earlier report has is taken off.
    ///
    /// # Errors
    ///
    /// If the earlier report is none, or stored less than it counted.
    pub fn finish(self, baseline: Option<String>) -> Result<String, JsValue> {
        finished(self.0.finish(), baseline)
    }
}

/// A report as JSON, without what an earlier report has.
pub(crate) fn finished(mut report: Report, baseline: Option<String>) -> Result<String, JsValue> {
    if let Some(baseline) = baseline {
        let wrong = |error: String| fail(Format, &format!("baseline: {error}"));
        let earlier = Report::from_json(&baseline).map_err(wrong)?;
        report::subtract(&mut report, &earlier).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(report.to_json())
}

/// What documents and packages given together say of each other.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Beside {
    inner: api::Beside,
    packages: Option<Arc<Packages>>,
}

#[wasm_bindgen]
impl Beside {
    /// Nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Beside {
        Beside::default()
    }

    /// Notes what a document lists.
    pub fn scanned(&mut self, name: &str, scanning: Scanning) {
        self.inner.scanned(last(name), scanning.0.finish());
    }

    /// Says that every document was scanned and every package verified.
    pub fn settle(&mut self) {
        self.packages = self.inner.packages().map(Arc::new);
    }
}

impl Beside {
    pub(crate) fn wanted(&self, name: &str) -> Hashes {
        self.inner.wanted(last(name))
    }

    pub(crate) fn note(&mut self, package: Package) {
        let name = last(&package.name).to_owned();
        self.inner.verified(name, package);
    }

    pub(crate) fn packages(&self) -> Option<Arc<Packages>> {
        self.packages.clone()
    }
}

fn last(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A document being looked at for what it lists.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Scanning(Scan);

#[wasm_bindgen]
impl Scanning {
    /// At the beginning of a document.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> Scanning {
        Scanning(Scan::new(&options.core().limits))
    }

    /// Takes the next window; false once no more is of interest.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.0.push(bytes)
    }
}
