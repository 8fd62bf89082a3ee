//! Merges reports.

use resourcesync::{api, report::Report};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::{Kind::Format, fail};

/// Merges reports one by one.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Merger(api::Merger);

#[wasm_bindgen]
impl Merger {
    /// Creates a merger without reports.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Merger {
        Merger::default()
    }

    /// Adds the next report, as JSON.
    ///
    /// # Errors
    ///
    /// If it is not a report, or cannot be merged with those before it.
    pub fn add(&mut self, json: &str) -> Result<(), JsValue> {
        let report = Report::from_json(json).map_err(|error| fail(Format, &error))?;
        self.0.add(report).map_err(|error| fail(Format, &error.to_string()))
    }

    /// The merged report as JSON.
    ///
    /// # Errors
    ///
    /// If none was added.
    pub fn finish(self) -> Result<String, JsValue> {
        let report = self.0.finish().map_err(|error| fail(Format, &error.to_string()))?;
        Ok(report.to_json())
    }
}
