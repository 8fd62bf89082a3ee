//! The hub, in a separate module. Values are passed as JSON, bodies as bytes.

use js_sys::{Array, Function};
use resourcesync_notify::api::EmbeddedHub;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{fail::wrong, turns::within};

/// A hub inside an application.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NotifyHub(EmbeddedHub);

#[wasm_bindgen]
impl NotifyHub {
    /// From options and state as JSON.
    ///
    /// # Errors
    ///
    /// If one of them means nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, state: &str) -> Result<NotifyHub, JsValue> {
        EmbeddedHub::from_json(options, Some(state)).map(NotifyHub).map_err(|error| wrong(&error))
    }

    /// Takes an input, and everything that is due, at a moment in milliseconds; `random` fills an array. Outputs as JSON, each followed by
    /// its body.
    ///
    /// # Errors
    ///
    /// If the input is invalid.
    pub fn turn(&mut self, now: f64, random: &Function, input: &str, body: Option<Vec<u8>>) -> Result<Array, JsValue> {
        within(now, random, |moment| self.0.turn(moment, input, body.as_deref()))
    }

    /// Takes an input of the state machine alone.
    ///
    /// # Errors
    ///
    /// If the input is invalid.
    pub fn step(&mut self, now: f64, random: &Function, input: &str) -> Result<Array, JsValue> {
        within(now, random, |moment| self.0.step(moment, input))
    }

    /// Whether requests to a callback may be sent to an address of its host.
    pub fn allows(&self, uri: &str, address: &str) -> bool {
        self.0.allows(uri, address)
    }
}
