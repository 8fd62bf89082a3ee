//! What is taken into account beside an input: packages given with documents, an earlier report.

use std::sync::Arc;

use resourcesync::{
    api::{self, DumpScan},
    report::{self, Report},
    rules::{KnownPackage, KnownPackages},
    value::Hashes,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Format, fail},
    options::Options,
};

/// A report as JSON, without what an earlier report has.
pub(crate) fn since(mut report: Report, baseline: &str) -> Result<String, JsValue> {
    let wrong = |error: String| fail(Format, &format!("baseline: {error}"));
    let earlier = Report::from_json(baseline).map_err(wrong)?;
    report::subtract(&mut report, &earlier).map_err(|error| wrong(error.to_string()))?;
    Ok(report.to_json())
}

/// What documents and packages given together say of each other.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct DumpIndex {
    inner: api::DumpIndex,
    packages: Option<Arc<KnownPackages>>,
}

#[wasm_bindgen]
impl DumpIndex {
    /// Nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> DumpIndex {
        DumpIndex::default()
    }

    /// Adds what a document lists.
    #[wasm_bindgen(js_name = addDump)]
    pub fn add_dump(&mut self, name: &str, scanning: Scanning) {
        self.inner.add_dump(last(name), scanning.0.finish());
    }

    /// Says that every document was scanned and every package verified.
    pub fn settle(&mut self) {
        self.packages = self.inner.packages().map(Arc::new);
    }
}

impl DumpIndex {
    pub(crate) fn listed_digests(&self, name: &str) -> Option<Hashes> {
        self.inner.listed_digests(last(name))
    }

    pub(crate) fn note(&mut self, package: KnownPackage) {
        let name = last(&package.name).to_owned();
        self.inner.add_package(name, package);
    }

    pub(crate) fn packages(&self) -> Option<Arc<KnownPackages>> {
        self.packages.clone()
    }
}

fn last(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A document being looked at for what it lists.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Scanning(DumpScan);

#[wasm_bindgen]
impl Scanning {
    /// At the beginning of a document.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> Scanning {
        Scanning(DumpScan::new(&options.core().limits))
    }

    /// Takes the next window; false once no more is of interest.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.0.push(bytes)
    }
}
