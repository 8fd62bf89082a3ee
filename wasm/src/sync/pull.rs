//! Runs whose resources the program takes, and what runs would do.

use resourcesync_sync::pull::{Forecast, Pull};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::wrong;

/// One run.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SyncPull(Option<Pull>);

#[wasm_bindgen]
impl SyncPull {
    /// From options as JSON.
    ///
    /// # Errors
    ///
    /// If they are invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<SyncPull, JsValue> {
        Ok(SyncPull(Some(Pull::new(read(options)?).map_err(|error| wrong(&error))?)))
    }

    /// The next step, as JSON; nothing once the result was taken.
    pub fn poll(&mut self) -> Option<String> {
        self.0.as_mut().and_then(|machine| serde_json::to_string(&machine.next()).ok())
    }

    /// The report and the checkpoint, as JSON; nothing if they were taken already.
    pub fn finish(&mut self, ended: &str) -> Option<Vec<String>> {
        let pulled = self.0.take()?.finish(ended);
        let report = serde_json::to_string(&pulled.report).ok()?;
        let checkpoint = pulled.checkpoint.and_then(|own| serde_json::to_string(&own).ok());
        Some([report].into_iter().chain(checkpoint).collect())
    }
}

/// What runs would do.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SyncForecast(Option<Forecast>);

#[wasm_bindgen]
impl SyncForecast {
    /// From options as JSON, and a moment.
    ///
    /// # Errors
    ///
    /// If they are invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, since: Option<String>) -> Result<SyncForecast, JsValue> {
        Ok(SyncForecast(Some(Forecast::new(read(options)?, since).map_err(|error| wrong(&error))?)))
    }

    /// The next document to request, as JSON; nothing at the end.
    pub fn poll(&mut self) -> Option<String> {
        self.0.as_mut()?.next().and_then(|request| serde_json::to_string(&request).ok())
    }

    /// The reports, as JSON, at the end.
    pub fn finish(&mut self) -> Option<String> {
        self.0.take()?.finish().and_then(|outlook| serde_json::to_string(&outlook).ok())
    }
}

documents!(SyncPull);
documents!(SyncForecast);

fn read<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|error| wrong(&error.to_string()))
}
