//! The harvest as a state machine.

use resourcesync_oai::harvest::{HarvestOptions, Session};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::{
    exchange::{failure, head, moment},
    record::packed,
};
use crate::fail::wrong;

/// A harvest: returns requests, and receives the responses.
#[wasm_bindgen]
pub struct OaiMachine {
    inner: Session,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl OaiMachine {
    /// Begins a harvest with options as JSON.
    ///
    /// # Errors
    ///
    /// If they are invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(url: &str, options: &str, now: f64, seed: f64) -> Result<OaiMachine, JsValue> {
        let options: HarvestOptions = serde_json::from_str(options).map_err(|error| wrong(&error.to_string()))?;
        let plan = options.plan(url, moment(seed).0).map_err(|error| wrong(&error))?;
        Ok(OaiMachine { inner: Session::new(plan, moment(now)), bytes: Vec::new() })
    }

    /// The next step, as JSON.
    pub fn step(&mut self, now: f64) -> String {
        serde_json::to_string(&self.inner.step(moment(now))).unwrap_or_default()
    }

    /// The format of the records that are read.
    pub fn prefix(&self) -> Option<String> {
        self.inner.prefix().map(str::to_owned)
    }

    /// The head of the response, as JSON. With `is_hashed` JavaScript computes the SHA-256 of the body, and passes it to `hashed` at the end.
    ///
    /// # Errors
    ///
    /// If it is invalid.
    pub fn begin(&mut self, now: f64, head: &str, is_hashed: bool) -> Result<(), JsValue> {
        self.inner.begin(moment(now), self::head(head)?);
        if is_hashed {
            self.inner.hash_elsewhere();
        }
        Ok(())
    }

    /// The SHA-256 of the bytes that were pushed.
    ///
    /// # Errors
    ///
    /// If it does not have 32 bytes.
    pub fn hashed(&mut self, sha256: &[u8]) -> Result<(), JsValue> {
        self.inner.hashed(sha256.try_into().map_err(|_| wrong("a SHA-256 has 32 bytes"))?);
        Ok(())
    }

    /// Bytes of its body; false once further bytes make no difference.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.inner.push(bytes)
    }

    /// The end of its body: the records as JSON, if the page counts.
    pub fn end(&mut self, now: f64) -> String {
        let records = self.inner.end(moment(now));
        self.packed(&records)
    }

    /// There is no response, or it broke off.
    pub fn failed(&mut self, now: f64, reason: &str, is_timeout: bool) -> String {
        let records = self.inner.failed(moment(now), failure(is_timeout), reason);
        self.packed(&records)
    }

    /// The bytes of the records that were returned last.
    pub fn bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Ends the harvest.
    pub fn interrupt(&mut self, now: f64) {
        self.inner.interrupt(moment(now));
    }

    /// The proof as JSON, at the end.
    pub fn proof(&self) -> Option<String> {
        self.inner.proof().and_then(|proof| serde_json::to_string(proof).ok())
    }

    fn packed(&mut self, records: &[resourcesync_oai::page::Record]) -> String {
        self.bytes.clear();
        packed(records, &mut self.bytes)
    }
}
