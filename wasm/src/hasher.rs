//! Digests of pushed bytes.

use resourcesync::{
    api::Digester,
    value::{Algorithm, Hashes},
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::{Kind::Option as BadOption, fail};

/// Computes digests.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Hasher(Digester);

#[wasm_bindgen]
impl Hasher {
    /// Creates a hasher for the algorithms with these names.
    ///
    /// # Errors
    ///
    /// If one of them is unknown.
    #[wasm_bindgen(constructor)]
    pub fn new(names: Vec<String>) -> Result<Hasher, JsValue> {
        let known = |name: &String| Algorithm::KNOWN.into_iter().find(|algorithm| algorithm.as_str() == name);
        let algorithms = names.iter().map(|name| known(name).ok_or(name)).collect::<Result<Vec<_>, _>>();
        let algorithms = algorithms.map_err(|name| {
            let all: Vec<_> = Algorithm::KNOWN.iter().map(|algorithm| algorithm.as_str().to_owned()).collect();
            fail(BadOption, &format!("algorithms: `{name}` is none of {}", all.join(", ")))
        })?;
        Ok(Hasher(Digester::new(algorithms)))
    }

    /// Hashes more bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// Returns the digests in the form of a `hash` attribute.
    pub fn finish(self) -> String {
        let hashes: Hashes = self.0.finish();
        hashes.to_string()
    }
}
