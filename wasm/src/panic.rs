//! The message of a panic, for the error that reports it.

use std::{
    panic,
    sync::{Mutex, Once, PoisonError},
};

use wasm_bindgen::prelude::wasm_bindgen;

static LAST: Mutex<Option<String>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// Installs a hook that stores the message of a panic.
#[wasm_bindgen(start)]
pub fn listen() {
    HOOK.call_once(|| {
        panic::set_hook(Box::new(|info| {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string());
        }));
    });
}

/// The message of the panic that ended this instance, if any.
#[wasm_bindgen(js_name = lastPanic)]
pub fn last_panic() -> Option<String> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).take()
}
