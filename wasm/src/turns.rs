//! Inputs of the state machines: with a time and random bytes of JavaScript.

use js_sys::{Array, Function, Uint8Array};
use resourcesync_notify::{
    api::{TurnError, Turned},
    moment::{Moment, Timestamp},
};
use wasm_bindgen::JsValue;

use crate::fail::{refuse, wrong};

/// Runs a turn with a time and random bytes of JavaScript.
pub(crate) fn within(
    now: f64,
    random: &Function,
    turn: impl FnOnce(&mut Moment<'_>) -> Result<Vec<Turned>, TurnError>,
) -> Result<Array, JsValue> {
    let fill = |bytes: &mut [u8]| -> Result<(), JsValue> {
        let array = Uint8Array::new_with_length(bytes.len() as u32);
        random.call1(&JsValue::UNDEFINED, &array)?;
        array.copy_to(bytes);
        Ok(())
    };
    let outputs = Moment::with_random(Timestamp::from_millis(now as i64), fill, turn)?;
    outputs.map(array).map_err(|error| match &error {
        TurnError::Rejected(rejected) => {
            rejected.first().map_or_else(|| wrong(&error.to_string()), |found| refuse(found, false))
        }
        _ => wrong(&error.to_string()),
    })
}

/// Outputs: each as JSON, followed by its body.
pub(crate) fn array(outputs: Vec<Turned>) -> Array {
    let array = Array::new();
    for (json, body) in outputs {
        array.push(&json.into());
        array.push(&body.map_or(JsValue::UNDEFINED, |body| Uint8Array::from(&*body).into()));
    }
    array
}
