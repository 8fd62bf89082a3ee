//! What is done about one resource, and whether its bytes are those that are listed.

use resourcesync::value::Datetime;
use resourcesync_sync::{
    Action, ListedResource, Local, decide,
    decide::Requirements,
    ledger::as_listed,
    transfer::{Unlisted, Verifier},
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::wrong;

/// What a Destination does about a listed resource, given what it stores of it, both as JSON, and the moment with which it was last in step.
///
/// # Errors
///
/// If one of them is invalid.
#[wasm_bindgen(js_name = decide)]
pub fn action(listed: &str, stored: Option<String>, since: Option<String>) -> Result<String, JsValue> {
    let listed = resource(listed)?;
    let stored = stored.map(|json| resource(&json)).transpose()?;
    let state = stored.as_ref().map(as_listed);
    let since = since
        .map(|since| since.parse::<Datetime>())
        .transpose()
        .map_err(|error| wrong(&format!("`since`: {error}")))?;
    let required = Requirements { digest: false, known_at: since.map(|since| since.to_unix().0) };
    let action: Action = decide(&listed, state.as_ref().map(|state| (state, Local::Intact)), required);
    Ok(action.as_str().to_owned())
}

/// Compares bytes with what is listed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SyncVerifier(Verifier);

#[wasm_bindgen]
impl SyncVerifier {
    /// For a listed resource as JSON.
    ///
    /// # Errors
    ///
    /// If it is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(listed: &str) -> Result<SyncVerifier, JsValue> {
        Ok(SyncVerifier(Verifier::new(&resource(listed)?)))
    }

    /// Bytes; false if they are more than listed.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.0.push(bytes)
    }

    /// What differs: `length` or `digest`; nothing if all is as listed.
    pub fn finish(&mut self) -> Option<String> {
        let differs = self.0.differs()?;
        Some(match differs {
            Unlisted::Length => "length".to_owned(),
            Unlisted::Digest => "digest".to_owned(),
        })
    }

    /// What the bytes were compared with: `digest`, `length` or `nothing`.
    pub fn by(&self) -> String {
        self.0.by().as_str().to_owned()
    }
}

/// What a program knows of a resource; anything else that it has is left out.
#[derive(serde::Deserialize, Default)]
#[serde(default)]
struct Known {
    uri: String,
    hash: Option<String>,
    length: Option<u64>,
    lastmod: Option<String>,
    encoding: Option<String>,
}

fn resource(json: &str) -> Result<ListedResource, JsValue> {
    let Known { uri, hash, length, lastmod, encoding } =
        serde_json::from_str(json).map_err(|error| wrong(&error.to_string()))?;
    Ok(ListedResource { loc: uri.clone(), uri, hash, length, lastmod, encoding, ..ListedResource::default() })
}
