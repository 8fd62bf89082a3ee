//! Objects on their way out: objects, not Maps; 64-bit numbers exact.

use js_sys::Number;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::plain::{DEEPEST, mapped};

/// The result of an export that returns an object. It is never an error.
///
/// With a second result the call is not made part of the code around it. V8 of node 20 makes it one where a single reference
/// is the result, and aborts when that code turns out to be wrong during the call.
#[cfg(feature = "whole")]
pub(crate) type Out<T> = Result<T, JsValue>;

/// An object of JavaScript.
pub(crate) fn object(value: &impl Serialize) -> JsValue {
    let numbers = Serializer::new().serialize_maps_as_objects(true);
    // Only a number above 2^53 cannot be one there; then its neighbours are exact as well.
    let written = value.serialize(&numbers);
    let exact = numbers.serialize_large_number_types_as_bigints(true);
    written.or_else(|_| value.serialize(&exact).map(|all| mapped(&all, &small, DEEPEST))).unwrap_or_default()
}

/// The number that a `bigint` is exactly, so that it does not depend on its neighbours which of them it is.
fn small(value: &JsValue) -> JsValue {
    let number = u64::try_from(value.clone()).ok().map(|number| number as f64);
    number.filter(|number| *number <= Number::MAX_SAFE_INTEGER).map_or_else(|| value.clone(), JsValue::from_f64)
}
