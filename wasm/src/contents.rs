//! The members of a package that was verified, and their bytes.

use js_sys::{Array, Uint8Array};
use resourcesync::{
    api::{self, List},
    report::Report,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Format, fail, refuse},
    object::{Out, object},
    verification::offset_and_length,
};

/// What is in a package.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Contents(pub(crate) api::Contents);

#[wasm_bindgen]
impl Contents {
    /// What the manifest is.
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        self.0.kind().as_str().to_owned()
    }

    /// All members, in the order of the archive.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn members(&self) -> Out<Array> {
        Ok(self.0.members().map(|member| object(&member)).collect())
    }

    /// What the manifest lists and no member belongs to.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn absent(&self) -> Out<Array> {
        Ok(self.0.absent().map(object).collect())
    }

    /// Begins to unpack a member; nothing if it must not be, or has no bytes.
    pub fn unpack(&self, index: u32) -> Option<Unpack> {
        self.0.unpack(index).map(Unpack)
    }

    /// What `resourcesync list --format json` writes.
    ///
    /// # Errors
    ///
    /// If the text is no report.
    pub fn list(&self, report: &str) -> Result<String, JsValue> {
        let report = Report::from_json(report).map_err(|error| fail(Format, &error))?;
        Ok(List::new(&report, &self.0).to_json())
    }
}

/// A member being unpacked.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Unpack(api::Unpack);

#[wasm_bindgen]
impl Unpack {
    /// Offset and length of the bytes of the package it needs next; nothing once it has all.
    pub fn wants(&self) -> Option<Vec<f64>> {
        self.0.wants().map(|range| offset_and_length(&range))
    }

    /// Takes a part of the bytes that were wanted; gives what they unpack to.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn give(&mut self, bytes: &[u8]) -> Out<Array> {
        let parts = Array::new();
        self.0.give(bytes, &mut |unpacked| {
            parts.push(&Uint8Array::from(unpacked));
        });
        Ok(parts)
    }

    /// Says whether what was given is what archive and manifest say.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn finish(self) -> Result<(), JsValue> {
        self.0.finish().map_err(|diagnostic| refuse(&diagnostic, false))
    }
}
