//! The members of a verified package, and their bytes.

use std::ops::Range;

use js_sys::{Array, Uint8Array};
use resourcesync::{
    api::{self, List},
    report::Report,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Format, fail, refuse},
    object::{Out, object},
};

/// The contents of a package.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Contents(pub(crate) api::Contents);

#[wasm_bindgen]
impl Contents {
    /// The kind of the manifest.
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

    /// Entries of the manifest without a member.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn absent(&self) -> Out<Array> {
        Ok(self.0.absent().map(object).collect())
    }

    /// Starts unpacking a member; `undefined` if that is not allowed, or it has no bytes.
    pub fn unpack(&self, index: u32) -> Option<Unpack> {
        self.0.unpack(index).map(Unpack)
    }

    /// The output of `resourcesync list --format json`.
    ///
    /// # Errors
    ///
    /// If the text is not a report.
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
    /// Offset and length of the bytes of the package needed next; `undefined` once it has all.
    pub fn wants(&self) -> Option<Vec<f64>> {
        self.0.wants().map(|range| offset_and_length(&range))
    }

    /// Takes a part of the requested bytes; returns the unpacked bytes.
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

    /// Verifies the unpacked bytes against archive and manifest.
    ///
    /// # Errors
    ///
    /// If they do not match.
    pub fn finish(self) -> Result<(), JsValue> {
        self.0.finish().map_err(|diagnostic| refuse(&diagnostic, false))
    }
}

pub(crate) fn offset_and_length(range: &Range<u64>) -> Vec<f64> {
    vec![range.start as f64, range.end.saturating_sub(range.start) as f64]
}
