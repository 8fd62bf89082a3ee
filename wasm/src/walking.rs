//! A walk over a whole Source: what to fetch next, and what came of it.

use std::collections::BTreeMap;

use resourcesync::{
    api::{self, Fetch, Following, Missed, Next, PackageDepth, Response, Visited},
    report::Report,
};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    beside,
    choice::Options,
    fail::{
        Kind::{Format, Option as BadOption},
        fail, first_line,
    },
    plain::{Out, object},
    verification::Verification,
};

/// A walk.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Walk {
    inner: api::Walk,
    options: api::Options,
    /// The same for packages.
    verifying: api::Options,
    /// Asked for and not answered.
    open: BTreeMap<u64, Fetch>,
}

#[wasm_bindgen]
impl Walk {
    /// At the starts of an object like [`Following`]; `earlier` is a report of an earlier walk.
    ///
    /// # Errors
    ///
    /// If something in the object means nothing, or the report is none.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, following: &JsValue, earlier: Option<String>) -> Result<Walk, JsValue> {
        let mut following: Following = taken(following)?;
        following.earlier =
            earlier.map(|json| Report::from_json(&json)).transpose().map_err(|error| fail(Format, &error))?;
        let options = options.core().clone();
        let mut verifying = options.clone();
        verifying.no_fixity |= following.packages == PackageDepth::Structure;
        Ok(Walk { inner: api::Walk::new(options.clone(), following), options, verifying, open: BTreeMap::new() })
    }

    /// What to fetch next; `wait` before something is answered, `done` when there is nothing more.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn poll(&mut self) -> Out<JsValue> {
        Ok(match self.inner.poll() {
            Next::Fetch(fetch) => {
                let asked = object(&fetch);
                self.open.insert(fetch.id, fetch);
                asked
            }
            Next::Wait => "wait".into(),
            Next::Done => "done".into(),
        })
    }

    /// Something answers: its bytes go to the visit.
    ///
    /// # Errors
    ///
    /// If it was not asked for, or the answer is none.
    pub fn visit(&self, id: f64, response: &JsValue) -> Result<Visit, JsValue> {
        let response: Response = taken(response)?;
        Ok(Visit(api::Visit::owning(self.options.clone(), self.asked(id)?, response)))
    }

    /// All bytes of an answer were read.
    pub fn visited(&mut self, id: f64, visit: Visit) {
        self.open.remove(&(id as u64));
        self.inner.handle(visit.0.finish());
    }

    /// An answer broke off.
    pub fn cut(&mut self, id: f64, visit: Visit, reason: &str) {
        self.open.remove(&(id as u64));
        self.inner.handle(visit.0.cut(reason));
    }

    /// Something could not be had: `{ missing | leftOut | failed: { reason } }`.
    ///
    /// # Errors
    ///
    /// If it was not asked for, or the object says nothing.
    pub fn missed(&mut self, id: f64, missed: &JsValue) -> Result<(), JsValue> {
        let missed: Missed = taken(missed)?;
        let visited = Visited::missed(self.asked(id)?, missed);
        self.open.remove(&(id as u64));
        self.inner.handle(visited);
        Ok(())
    }

    /// Begins to verify a package that was asked for.
    ///
    /// # Errors
    ///
    /// If it was not asked for.
    pub fn verification(&self, id: f64, size: f64, block: usize) -> Result<Verification, JsValue> {
        Ok(Verification::on_the_way(self.verifying.clone(), self.asked(id)?, size as u64, block))
    }

    /// A package was verified.
    ///
    /// # Errors
    ///
    /// If it was not asked for, or the answer is none.
    pub fn verified(&mut self, id: f64, response: &JsValue, verification: Verification) -> Result<(), JsValue> {
        let response: Response = taken(response)?;
        let (package, outcome) = verification.ended();
        let visited = Visited::package(self.asked(id)?, response, outcome, package);
        self.open.remove(&(id as u64));
        self.inner.handle(visited);
        Ok(())
    }

    /// Documents and packages that were had so far, and the entries in them.
    pub fn progress(&self) -> Vec<f64> {
        let (documents, entries) = self.inner.progress();
        vec![documents as f64, entries as f64]
    }

    /// The report as JSON; what an earlier report has is taken off.
    ///
    /// # Errors
    ///
    /// If the earlier report is none, or stored less than it counted.
    pub fn finish(self, baseline: Option<String>) -> Result<String, JsValue> {
        let report = self.inner.finish();
        match baseline {
            Some(baseline) => beside::since(report, &baseline),
            None => Ok(report.to_json()),
        }
    }
}

impl Walk {
    fn asked(&self, id: f64) -> Result<&Fetch, JsValue> {
        self.open.get(&(id as u64)).ok_or_else(|| fail(BadOption, "this was not asked for"))
    }
}

/// A document being read on a walk.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Visit(api::Visit<'static>);

#[wasm_bindgen]
impl Visit {
    /// False once no more bytes are of interest.
    #[wasm_bindgen(js_name = wantsMore)]
    pub fn wants_more(&self) -> bool {
        self.0.wants_more()
    }

    /// Takes the next window.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }
}

/// A link header, a status, a start: plain values from objects.
fn taken<T: DeserializeOwned>(given: &JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(given.clone()).map_err(|error| fail(BadOption, &first_line(&error.to_string())))
}
