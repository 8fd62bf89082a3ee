//! Copies of Sources, in a separate module: what changed, and whether bytes are those that are listed. Values are passed as JSON, bodies as bytes.

/// What each machine that asks for documents takes of a response.
macro_rules! documents {
    ($machine:ident) => {
        #[wasm_bindgen]
        impl $machine {
            /// The head of a response, as JSON.
            ///
            /// # Errors
            ///
            /// If it is invalid.
            pub fn answer(&mut self, head: &str) -> Result<(), JsValue> {
                let head = serde_json::from_str(head).map_err(|error| wrong(&error.to_string()))?;
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
                    machine.failed(resourcesync::diagnostic::Reason::other(reason));
                }
            }
        }
    };
}

pub mod follower;
pub mod pull;
pub mod resource;
