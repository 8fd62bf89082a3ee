//! Following Change Lists: the state machine.

use resourcesync_sync::Follower;
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

    /// The result, as JSON; nothing if it was taken already.
    pub fn finish(&mut self) -> Option<String> {
        self.0.take().and_then(|machine| serde_json::to_string(&machine.finish()).ok())
    }
}

documents!(SyncFollower);
