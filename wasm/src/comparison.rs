//! What changed from one report to another.

use resourcesync::report::{self, Report};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Format, fail},
    object::object,
};

/// Compares a report with an earlier one: `{ fixed, new, same, counts }`.
///
/// # Errors
///
/// If one of them is not a report.
#[wasm_bindgen]
pub fn compare(before: &str, after: &str) -> Result<JsValue, JsValue> {
    let read = |json| Report::from_json(json).map_err(|error| fail(Format, &error));
    Ok(object(&report::compare(&read(before)?, &read(after)?)))
}
