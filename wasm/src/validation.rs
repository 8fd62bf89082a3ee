//! A document being validated: bytes are pushed in windows.

use resourcesync::api::{self, is_package};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    options::Options,
    origin::{origin, reason as reason_of},
    outcome::Outcome,
    progress,
};

/// True if these first bytes are those of a ZIP.
#[wasm_bindgen(js_name = isPackage)]
pub fn is_zip(head: &[u8]) -> bool {
    is_package(head)
}

/// A document being validated.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Validation {
    inner: api::Validation<'static>,
    /// The number of findings already returned.
    shown: usize,
}

#[wasm_bindgen]
impl Validation {
    /// Starts a document.
    ///
    /// # Errors
    ///
    /// If `via` is unknown.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, name: String, uri: Option<String>, via: &str) -> Result<Validation, JsValue> {
        let origin = origin(name, uri, via)?;
        Ok(Validation { inner: api::Validation::new(options.core().clone(), origin), shown: 0 })
    }

    /// Reads the next window.
    pub fn push(&mut self, bytes: &[u8]) {
        self.inner.push(bytes);
    }

    /// False once more bytes cannot change the result.
    #[wasm_bindgen(js_name = wantsMore)]
    pub fn wants_more(&self) -> bool {
        self.inner.wants_more()
    }

    /// The number of entries read so far.
    #[wasm_bindgen(getter)]
    pub fn entries(&self) -> f64 {
        self.inner.entries() as f64
    }

    /// The number of findings by code so far, as JSON.
    pub fn counts(&self) -> String {
        progress::counts(self.inner.counts())
    }

    /// The findings that were not returned yet, as JSON; `undefined` if there are none.
    pub fn fresh(&mut self) -> Option<String> {
        let all = self.inner.diagnostics();
        let fresh = all.get(self.shown..).unwrap_or_default();
        self.shown = all.len();
        (!fresh.is_empty()).then(|| progress::diagnostics(fresh))
    }

    /// Ends the input.
    pub fn finish(self) -> Outcome {
        self.inner.finish().into()
    }

    /// Ends the input early, with the reason why the rest cannot be read.
    pub fn unreadable(self, reason: &JsValue) -> Outcome {
        self.inner.unreadable(reason_of(reason)).into()
    }
}

#[cfg(feature = "whole")]
impl Validation {
    pub(crate) fn of(inner: api::Validation<'static>) -> Validation {
        Validation { inner, shown: 0 }
    }
}
