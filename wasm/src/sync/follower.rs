//! Following Change Lists: the state machine.

use resourcesync::diagnostic::Reason;
use resourcesync_sync::{Follower, survey::Head};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::wrong;

/// Reads the Change Lists since a checkpoint.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SyncFollower(Option<Follower>);

#[wasm_bindgen]
impl SyncFollower {
    /// From options as JSON.
    ///
    /// # Errors
    ///
    /// If they are invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<SyncFollower, JsValue> {
        let options = serde_json::from_str(options).map_err(|error| wrong(&format!("checkpoint: {error}")))?;
        Ok(SyncFollower(Some(Follower::new(options))))
    }

    /// The next document to request, as JSON; nothing at the end.
    pub fn poll(&mut self) -> Option<String> {
        self.0.as_mut()?.next().and_then(|request| serde_json::to_string(&request).ok())
    }

    /// The head of a response, as JSON.
    ///
    /// # Errors
    ///
    /// If it is invalid.
    pub fn answer(&mut self, head: &str) -> Result<(), JsValue> {
        let head: Head = serde_json::from_str(head).map_err(|error| wrong(&error.to_string()))?;
        if let Some(machine) = &mut self.0 {
            machine.answer(head);
        }
        Ok(())
    }

    /// Bytes of its body.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(machine) = &mut self.0 {
            machine.push(bytes);
        }
    }

    /// The end of its body.
    pub fn end(&mut self) {
        if let Some(machine) = &mut self.0 {
            machine.end();
        }
    }

    /// There is no response, or it broke off.
    pub fn failed(&mut self, reason: &str) {
        if let Some(machine) = &mut self.0 {
            machine.failed(Reason::other(reason));
        }
    }

    /// The result, as JSON; nothing if it was taken already.
    pub fn finish(&mut self) -> Option<String> {
        self.0.take().and_then(|machine| serde_json::to_string(&machine.finish()).ok())
    }
}
