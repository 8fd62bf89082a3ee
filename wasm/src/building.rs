//! A document being built: invalid parts are rejected before they are written.

use resourcesync::{
    api::{self, Refused},
    model::Kind,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Option as BadOption, fail, refuse},
    options::Options,
    plain,
};

/// A document being built.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Builder(api::Builder);

#[wasm_bindgen]
impl Builder {
    /// Starts a document of a kind with its head.
    ///
    /// # Errors
    ///
    /// If the head is invalid or incomplete.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, kind: &str, head: &JsValue) -> Result<Builder, JsValue> {
        let kind = Kind::parse(kind).map_err(|error| fail(BadOption, &format!("kind: {error}")))?;
        let head = plain::head(head).map_err(|message| fail(BadOption, &message))?;
        api::Builder::from_plain(kind, &head, options.core()).map(Builder).map_err(refused)
    }

    /// Adds an entry; a rejected one changes nothing.
    ///
    /// # Errors
    ///
    /// If it is invalid, or invalid at this position.
    pub fn push(&mut self, entry: &JsValue) -> Result<(), JsValue> {
        let entry = plain::entry(entry).map_err(|message| fail(BadOption, &message))?;
        self.0.push_plain(&entry).map_err(refused)
    }

    /// What was built since the last call.
    pub fn take(&mut self) -> String {
        self.0.take()
    }

    /// Ends the document and gives the rest.
    ///
    /// # Errors
    ///
    /// If something is wrong with the document as a whole.
    pub fn finish(self) -> Result<String, JsValue> {
        self.0.finish().map_err(refused)
    }

    /// Entries so far.
    #[wasm_bindgen(getter)]
    pub fn entries(&self) -> f64 {
        self.0.entries() as f64
    }

    /// Bytes so far, those taken away among them.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.0.bytes() as f64
    }
}

fn refused(refused: Refused) -> JsValue {
    refuse(refused.diagnostic(), refused.is_full())
}
