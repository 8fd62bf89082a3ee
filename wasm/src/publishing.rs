//! A whole Source being written, as a sequence of actions on files.

use js_sys::Array;
use resourcesync::build::{self, CapabilityEntry, ChangeHistory, DumpHistory, Settings};
use serde::Deserialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    convert::{entry, failed, uri},
    fail::{first_line, wrong},
    object::Out,
    options::Options,
    outbox::{Shared, done, drained},
    plain::moment,
};

/// The options of a publication.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Given {
    describedby: Option<String>,
    suffix: Option<String>,
    max_document_entries: Option<u64>,
    max_document_bytes: Option<u64>,
    max_package_entries: Option<u64>,
    max_package_bytes: Option<u64>,
}

/// A whole Source being written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Publication {
    inner: build::Publication<Shared>,
    outbox: Shared,
}

#[wasm_bindgen]
impl Publication {
    /// Starts a publication below a base URI, at a point in time.
    ///
    /// # Errors
    ///
    /// If one of them or a setting is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, base: &str, at: &str, given: &JsValue) -> Result<Publication, JsValue> {
        let given: Given =
            serde_wasm_bindgen::from_value(given.clone()).map_err(|error| wrong(&first_line(&error.to_string())))?;
        let mut settings = Settings::default();
        settings.options = options.of_builders();
        settings.describedby = given.describedby.as_deref().map(uri).transpose()?;
        settings.suffix = given.suffix.unwrap_or(settings.suffix);
        settings.max_document_entries = given.max_document_entries.unwrap_or(settings.max_document_entries);
        settings.max_document_bytes = given.max_document_bytes.unwrap_or(settings.max_document_bytes);
        settings.max_package_entries = given.max_package_entries.unwrap_or(settings.max_package_entries);
        settings.max_package_bytes = given.max_package_bytes.unwrap_or(settings.max_package_bytes);
        let outbox = Shared::default();
        let inner = build::Publication::new(outbox.clone(), uri(base)?, moment(at)?, settings).map_err(failed)?;
        Ok(Publication { inner, outbox })
    }

    /// Starts a set; ends the previous one.
    ///
    /// # Errors
    ///
    /// If its name or description is invalid, or the previous set is invalid.
    pub fn set(&mut self, name: &str, describedby: Option<String>) -> Result<(), JsValue> {
        let describedby = describedby.as_deref().map(uri).transpose()?;
        self.inner.set(name, describedby).map_err(failed)
    }

    /// Adds to the Capability List something that is published by other means; with a hub, a notification
    /// channel.
    ///
    /// # Errors
    ///
    /// If there is no set, or one of them is invalid.
    pub fn announce(&mut self, capability: &str, at: &str, hub: Option<String>) -> Result<(), JsValue> {
        let capability = capability.parse().map_err(|_| wrong(&format!("`{capability}` is not a capability")))?;
        let entry = match hub {
            Some(hub) => CapabilityEntry::channel(capability, uri(at)?, uri(&hub)?),
            None => CapabilityEntry::new(capability, uri(at)?),
        };
        self.inner.announce(entry).map_err(failed)
    }

    /// Starts the Resource List of the set; `expected` entries will follow.
    ///
    /// # Errors
    ///
    /// If there is no set, or the previous section is invalid.
    #[wasm_bindgen(js_name = beginResourceList)]
    pub fn begin_resource_list(&mut self, expected: Option<f64>) -> Result<(), JsValue> {
        self.inner.begin_resource_list(expected.map(|count| count as u64)).map_err(failed)
    }

    /// Starts the Change Lists of the set.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`], and if the history is invalid.
    #[wasm_bindgen(js_name = beginChangeLists)]
    pub fn begin_change_lists(&mut self, history: &JsValue, close: Option<String>) -> Result<(), JsValue> {
        let history = match history.as_string() {
            Some(since) => ChangeHistory::since(moment(&since)?),
            None => serde_wasm_bindgen::from_value(history.clone())
                .map_err(|error| wrong(&first_line(&error.to_string())))?,
        };
        self.inner.begin_change_lists(history, close.as_deref().map(moment).transpose()?).map_err(failed)
    }

    /// Starts the Resource Dump of the set.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`].
    #[wasm_bindgen(js_name = beginResourceDump)]
    pub fn begin_resource_dump(&mut self) -> Result<(), JsValue> {
        self.inner.begin_resource_dump().map_err(failed)
    }

    /// Starts the Change Dump of the set.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_change_lists`].
    #[wasm_bindgen(js_name = beginChangeDump)]
    pub fn begin_change_dump(&mut self, history: &JsValue) -> Result<(), JsValue> {
        let history = match history.as_string() {
            Some(since) => DumpHistory::since(moment(&since)?),
            None => serde_wasm_bindgen::from_value(history.clone())
                .map_err(|error| wrong(&first_line(&error.to_string())))?,
        };
        self.inner.begin_change_dump(history).map_err(failed)
    }

    /// Adds a resource or a change to the current section.
    ///
    /// # Errors
    ///
    /// If it is invalid, or invalid at this position.
    pub fn push(&mut self, given: &JsValue) -> Result<(), JsValue> {
        self.inner.push(entry(given)?).map_err(failed)
    }

    /// Adds bytes of the current entry to a dump.
    ///
    /// # Errors
    ///
    /// If there is no current dump.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.inner.write(bytes).map_err(failed)
    }

    /// The actions on files, in order: a path starts one, bytes are appended, `null` ends it.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn take(&mut self) -> Out<Array> {
        Ok(drained(&self.outbox))
    }

    /// Ends the publication: `{ steps, published, accepted }`, with the last actions on files and the accepted findings as JSON.
    ///
    /// # Errors
    ///
    /// If the publication is invalid.
    pub fn finish(self) -> Result<JsValue, JsValue> {
        let published = self.inner.finish().map_err(failed)?;
        Ok(done(published, &self.outbox))
    }
}
