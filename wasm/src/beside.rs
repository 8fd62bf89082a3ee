//! What is taken into account beside an input: packages given with documents, an earlier report.

use std::sync::Arc;

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
    pub(crate) fn wanted(&self, name: &str) -> Option<Hashes> {
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
