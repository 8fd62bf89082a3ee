//! The crawl of a whole Source: fetches and responses.

use std::collections::BTreeMap;

use resourcesync::{
    api::{self, CrawlOptions, CrawlStep, Fetch, FetchError, FetchOutcome, Response},
    report::Report,
};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{
        Kind::{Format, Option as BadOption},
        fail, first_line,
    },
    object::{Out, object},
    options::Options,
    origin,
    verification::Verification,
};

/// A crawl.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Crawler {
    inner: api::Crawler,
    /// Fetches without an outcome yet.
    open: BTreeMap<u64, Fetch>,
}

#[wasm_bindgen]
impl Crawler {
    /// Creates a crawl from an object like [`CrawlOptions`]; `earlier` is the report of an earlier crawl.
    ///
    /// # Errors
    ///
    /// If a value of the object or the report is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, crawl: &JsValue, earlier: Option<String>) -> Result<Crawler, JsValue> {
        let mut crawl: CrawlOptions = taken(crawl)?;
        crawl.earlier =
            earlier.map(|json| Report::from_json(&json)).transpose().map_err(|error| fail(Format, &error))?;
        Ok(Crawler { inner: api::Crawler::new(options.core().clone(), crawl), open: BTreeMap::new() })
    }

    /// The next fetch; `wait` for the outcome of one in progress; `done` at the end.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn poll(&mut self) -> Out<JsValue> {
        Ok(match self.inner.poll() {
            CrawlStep::Fetch(fetch) => {
                let request = object(&fetch);
                self.open.insert(fetch.id, fetch);
                request
            }
            CrawlStep::Wait => "wait".into(),
            CrawlStep::Done => "done".into(),
        })
    }

    /// Starts reading the body of a response.
    ///
    /// # Errors
    ///
    /// If it does not belong to a fetch in progress, or is not a response.
    pub fn reader(&self, id: f64, response: &JsValue) -> Result<ResponseReader, JsValue> {
        let response: Response = taken(response)?;
        Ok(ResponseReader(self.inner.readers().reader(self.fetch(id)?, response)))
    }

    /// Ends the body, which was read as far as needed.
    pub fn handle(&mut self, id: f64, reader: ResponseReader) {
        self.open.remove(&(id as u64));
        self.inner.handle(reader.0.finish());
    }

    /// Ends the body, since the rest cannot be read.
    #[wasm_bindgen(js_name = failBody)]
    pub fn fail_body(&mut self, id: f64, reader: ResponseReader, reason: &JsValue) {
        self.open.remove(&(id as u64));
        self.inner.handle(reader.0.fail(origin::reason(reason)));
    }

    /// Reports that there is no response: `{ notFound | skipped | failed: { reason } }`.
    ///
    /// # Errors
    ///
    /// If it does not belong to a fetch in progress, or the object is not such an error.
    pub fn fail(&mut self, id: f64, error: &JsValue) -> Result<(), JsValue> {
        let error: FetchError = taken(error)?;
        let outcome = FetchOutcome::failed(self.fetch(id)?, error);
        self.open.remove(&(id as u64));
        self.inner.handle(outcome);
        Ok(())
    }

    /// Starts verifying a package.
    ///
    /// # Errors
    ///
    /// If it does not belong to a fetch in progress.
    pub fn verification(&self, id: f64, size: f64, block: usize) -> Result<Verification, JsValue> {
        Ok(Verification::of(self.inner.readers().verification(self.fetch(id)?, size as u64), block))
    }

    /// Supplies the outcome of a verified package.
    ///
    /// # Errors
    ///
    /// If it does not belong to a fetch in progress, or is not a response.
    #[wasm_bindgen(js_name = handlePackage)]
    pub fn handle_package(&mut self, id: f64, response: &JsValue, verification: Verification) -> Result<(), JsValue> {
        let response: Response = taken(response)?;
        let (package, outcome) = verification.ended();
        let outcome = FetchOutcome::package(self.fetch(id)?, response, outcome, package);
        self.open.remove(&(id as u64));
        self.inner.handle(outcome);
        Ok(())
    }

    /// The number of documents and packages fetched so far, and of their entries.
    pub fn progress(&self) -> Vec<f64> {
        let (documents, entries) = self.inner.progress();
        vec![documents as f64, entries as f64]
    }

    /// The report as JSON, without the findings of an earlier report.
    ///
    /// # Errors
    ///
    /// If the earlier report is invalid, or stored fewer findings than it counted.
    pub fn finish(self, baseline: Option<String>) -> Result<String, JsValue> {
        let report = self.inner.finish();
        match baseline {
            Some(baseline) => crate::outcome::since(report, &baseline),
            None => Ok(report.to_json()),
        }
    }
}

impl Crawler {
    fn fetch(&self, id: f64) -> Result<&Fetch, JsValue> {
        self.open.get(&(id as u64)).ok_or_else(|| fail(BadOption, "this is not an open fetch"))
    }
}

/// The body of a response being read.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ResponseReader(api::ResponseReader<'static>);

#[wasm_bindgen]
impl ResponseReader {
    /// False once further bytes are irrelevant.
    #[wasm_bindgen(js_name = wantsMore)]
    pub fn wants_more(&self) -> bool {
        self.0.wants_more()
    }

    /// Reads the next window.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }
}

/// Plain values from objects.
fn taken<T: DeserializeOwned>(given: &JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(given.clone()).map_err(|error| fail(BadOption, &first_line(&error.to_string())))
}
