//! A package being written, whose output is taken in chunks.

use js_sys::{Object, Reflect, Uint8Array};
use resourcesync::{build::PackageWriter, model::Kind};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    convert::{entry, failed},
    fail::wrong,
    options::Options,
    outbox::json_of,
    plain,
};

/// A package being written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Packing(PackageWriter);

#[wasm_bindgen]
impl Packing {
    /// Starts a package with a manifest of a kind.
    ///
    /// # Errors
    ///
    /// If the kind is not that of a manifest, or its head is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, kind: &str, head: &JsValue) -> Result<Packing, JsValue> {
        let kind = Kind::parse(kind).map_err(|error| wrong(&format!("kind: {error}")))?;
        let (head, _) = plain::head(head).map_err(|message| wrong(&message))?.to_model();
        PackageWriter::new(kind, head, options.of_builders())
            .map(Packing)
            .map_err(|refused| failed::<String>(refused.into()))
    }

    /// Adds an entry; its bytes follow.
    ///
    /// # Errors
    ///
    /// If it is invalid, or the bytes of the previous one did not match its description.
    pub fn push(&mut self, given: &JsValue) -> Result<(), JsValue> {
        self.0.push(entry(given)?).map_err(failed)
    }

    /// Adds bytes of the current entry.
    ///
    /// # Errors
    ///
    /// If there is no entry with bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.write(bytes).map_err(failed)
    }

    /// Returns the output written since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        self.0.take()
    }

    /// Ends the package: `{ rest, manifest, length, sha256, accepted }`, the accepted findings as JSON.
    ///
    /// # Errors
    ///
    /// If the last entry or the manifest as a whole is invalid.
    pub fn finish(self) -> Result<JsValue, JsValue> {
        let packed = self.0.finish().map_err(failed)?;
        let done = Object::new();
        let properties: [(&str, JsValue); 5] = [
            ("rest", Uint8Array::from(packed.rest.as_slice()).into()),
            ("manifest", packed.manifest.into()),
            ("length", (packed.length as f64).into()),
            ("sha256", packed.sha256.into()),
            ("accepted", json_of(&packed.accepted).into()),
        ];
        for (name, value) in properties {
            // Setting a property of a new object cannot fail.
            let _ = Reflect::set(&done, &name.into(), &value);
        }
        Ok(done.into())
    }
}
