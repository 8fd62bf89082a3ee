//! A document being built: invalid parts are rejected before they are written.

use resourcesync::{
    api::{self, Refused},
    build::Accepted,
    model::Kind,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Option as BadOption, fail, refuse},
    options::Options,
    outbox::json_of,
    plain,
};

/// A document being built.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Builder {
    inner: Option<api::Builder>,
    /// The findings of the finished document.
    accepted: Accepted,
}

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
        let inner = api::Builder::from_plain(kind, &head, options.of_builders()).map_err(refused)?;
        Ok(Builder { inner: Some(inner), accepted: Accepted::default() })
    }

    /// Adds an entry; a rejected one changes nothing.
    ///
    /// # Errors
    ///
    /// If it is invalid, or invalid at this position.
    pub fn push(&mut self, entry: &JsValue) -> Result<(), JsValue> {
        let entry = plain::entry(entry).map_err(|message| fail(BadOption, &message))?;
        self.open()?.push_plain(&entry).map_err(refused)
    }

    /// What was built since the last call.
    ///
    /// # Errors
    ///
    /// If the document is finished.
    pub fn take(&mut self) -> Result<String, JsValue> {
        Ok(self.open()?.take())
    }

    /// Ends the document and gives the rest.
    ///
    /// # Errors
    ///
    /// If something is wrong with the document as a whole.
    pub fn finish(&mut self) -> Result<String, JsValue> {
        let builder = self.inner.take().ok_or_else(finished)?;
        builder.finish_into(&mut self.accepted).map_err(refused)
    }

    /// The findings so far that did not cause rejection: `{ diagnostics, counts }`, as JSON.
    pub fn accepted(&self) -> String {
        json_of(self.inner.as_ref().map_or(&self.accepted, |builder| builder.accepted()))
    }

    /// Entries so far.
    ///
    /// # Errors
    ///
    /// If the document is finished.
    pub fn entries(&self) -> Result<f64, JsValue> {
        self.inner.as_ref().map(|builder| builder.entries() as f64).ok_or_else(finished)
    }

    /// Bytes so far, those taken away among them.
    ///
    /// # Errors
    ///
    /// If the document is finished.
    pub fn bytes(&self) -> Result<f64, JsValue> {
        self.inner.as_ref().map(|builder| builder.bytes() as f64).ok_or_else(finished)
    }
}

impl Builder {
    fn open(&mut self) -> Result<&mut api::Builder, JsValue> {
        self.inner.as_mut().ok_or_else(finished)
    }
}

fn finished() -> JsValue {
    fail(BadOption, "this document is finished: nothing can be added")
}

fn refused(refused: Refused) -> JsValue {
    refuse(refused.diagnostic(), refused.is_full())
}
