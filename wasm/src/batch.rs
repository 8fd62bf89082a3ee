//! Inputs that are validated together, in an order of reading chosen by the core.

use resourcesync::api::{self, DumpScan, InputOrigin, Task};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Option as BadOption, fail},
    options::Options,
    origin::{self, origin},
    outcome::{Outcome, since},
    validation::Validation,
    verification::Verification,
};

/// Inputs that are validated together.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Batch {
    inner: api::Batch,
    options: api::Options,
}

/// The next task.
#[derive(Debug, Serialize)]
#[serde(tag = "task", rename_all = "lowercase")]
enum Next {
    Sniff { input: usize, scan: bool },
    Scan { input: usize },
    Verify { input: usize },
    Validate { input: usize },
    Done,
}

#[wasm_bindgen]
impl Batch {
    /// Creates a batch without inputs.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> Batch {
        Batch { inner: api::Batch::new(options.core()), options: options.core().clone() }
    }

    /// Adds an input and returns its number. `again` is true if it can be read several times.
    ///
    /// # Errors
    ///
    /// If `via` means nothing.
    pub fn input(&mut self, name: String, uri: Option<String>, via: &str, again: bool) -> Result<usize, JsValue> {
        let origin = origin(name, uri, via)?;
        let file = again.then(|| last(&origin.name).to_owned());
        Ok(self.inner.input(origin, file.as_deref()))
    }

    /// Adds a skipped file, with the reason.
    pub fn skip(&mut self, name: String, reason: &JsValue) {
        self.inner.skip(name, origin::reason(reason));
    }

    /// Marks the end of a folder.
    #[wasm_bindgen(js_name = endFolder)]
    pub fn end_folder(&mut self, name: String) {
        self.inner.end_folder(InputOrigin::named(name));
    }

    /// The next task: an object with `task` and `input`. Each must be done before the next one is requested.
    ///
    /// # Errors
    ///
    /// Never: the values are plain.
    pub fn poll(&mut self) -> Result<JsValue, JsValue> {
        let next = match self.inner.poll() {
            Task::Sniff { input, scan } => Next::Sniff { input, scan },
            Task::Scan(input) => Next::Scan { input },
            Task::Verify(input) => Next::Verify { input },
            Task::Validate(input) => Next::Validate { input },
            Task::Wait | Task::Done => Next::Done,
        };
        Ok(serde_wasm_bindgen::to_value(&next)?)
    }

    /// Supplies the first bytes of an input, none if it cannot be read; and the result of its scan, if there
    /// was one.
    pub fn sniffed(&mut self, input: usize, head: &[u8], scanning: Option<Scanning>) {
        self.inner.sniffed(input, head, scanning.map(|scanning| scanning.0.finish()));
    }

    /// Supplies the packages that a document lists; `undefined` if it cannot be read.
    pub fn scanned(&mut self, input: usize, scanning: Option<Scanning>) {
        self.inner.scanned(input, scanning.map(|scanning| scanning.0.finish()));
    }

    /// Starts validating a document, with the packages of the batch.
    ///
    /// # Errors
    ///
    /// If there is no input of this number.
    pub fn validation(&self, input: usize) -> Result<Validation, JsValue> {
        let validation = api::Validation::new(self.options.clone(), self.origin(input)?);
        Ok(Validation::of(match self.inner.packages() {
            Some(packages) => validation.with_packages(packages.clone()),
            None => validation,
        }))
    }

    /// Starts verifying a package of a given size, read in blocks of about a given size, with the digests that dumps list.
    ///
    /// # Errors
    ///
    /// If there is no input of this number.
    pub fn verification(&self, input: usize, size: f64, block: usize) -> Result<Verification, JsValue> {
        let inner = api::Verification::new(self.options.clone(), self.origin(input)?, size as u64);
        let inner = match self.inner.listed_digests(input) {
            Some(hashes) => inner.with_digests(&hashes),
            None => inner,
        };
        Ok(Verification::of(inner, block))
    }

    /// Supplies the outcome of an input.
    pub fn ended(&mut self, input: usize, outcome: Outcome) {
        let (outcome, package) = outcome.into_parts();
        match package {
            Some(package) => self.inner.verified(input, outcome, package),
            None => self.inner.validated(input, outcome),
        }
    }

    /// The report as JSON; without the findings of an earlier report, if one is given.
    ///
    /// # Errors
    ///
    /// If the earlier report is invalid, or stored fewer findings than it counted.
    pub fn finish(self, baseline: Option<String>) -> Result<String, JsValue> {
        let report = self.inner.finish();
        match baseline {
            Some(baseline) => since(report, &baseline),
            None => Ok(report.to_json()),
        }
    }
}

impl Batch {
    fn origin(&self, input: usize) -> Result<InputOrigin, JsValue> {
        self.inner.origin(input).cloned().ok_or_else(|| fail(BadOption, "there is no such input"))
    }
}

fn last(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A document being scanned for listed packages.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Scanning(DumpScan);

#[wasm_bindgen]
impl Scanning {
    /// Starts a scan.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> Scanning {
        Scanning(DumpScan::new(&options.core().limits))
    }

    /// Reads the next window; false once the rest is irrelevant.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.0.push(bytes)
    }
}
