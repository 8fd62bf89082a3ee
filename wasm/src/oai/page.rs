//! Reads single responses.

use resourcesync_oai::{limits::Limits, whole_page::PageBuilder};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

use super::record::packed;

/// A page being read.
#[wasm_bindgen]
pub struct OaiPage {
    inner: Option<PageBuilder>,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl OaiPage {
    /// Reads a page; the charset is that of `Content-Type`.
    #[wasm_bindgen(constructor)]
    pub fn new(charset: Option<String>) -> OaiPage {
        OaiPage { inner: Some(PageBuilder::new(&Limits::default(), charset.as_deref())), bytes: Vec::new() }
    }

    /// The next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(page) = &mut self.inner {
            page.push(bytes);
        }
    }

    /// Records, headers and everything else, as JSON.
    pub fn finish(&mut self) -> String {
        let Some(page) = self.inner.take().map(PageBuilder::finish) else { return String::new() };
        let records = packed(&page.records, &mut self.bytes);
        let headers: Vec<Value> = page
            .headers
            .iter()
            .map(|header| {
                let datestamp = header.datestamp.as_ref().map(|stamp| &stamp.text);
                let (identifier, sets) = (&header.identifier, &header.sets);
                serde_json::json!({"identifier": identifier, "datestamp": datestamp, "isDeleted": header.is_deleted, "sets": sets})
            })
            .collect();
        let facts = serde_json::to_string(&page.facts).unwrap_or_default();
        serde_json::json!([records, headers, facts]).to_string()
    }

    /// The bytes of its records.
    pub fn bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}
