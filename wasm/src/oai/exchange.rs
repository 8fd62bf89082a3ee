//! The heads of responses and moments, as JavaScript passes them.

use resourcesync_oai::harvest::{Failure, Moment, ResponseHead};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::fail::wrong;

/// The head of a response.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    status: u16,
    content_type: Option<String>,
    content_encoding: Option<String>,
    retry_after: Option<String>,
    date: Option<String>,
}

/// A head from JSON.
///
/// # Errors
///
/// If it is invalid.
pub(super) fn head(json: &str) -> Result<ResponseHead, JsValue> {
    let head: Head = serde_json::from_str(json).map_err(|error| wrong(&error.to_string()))?;
    let Head { status, content_type, content_encoding, retry_after, date } = head;
    Ok(ResponseHead { status, content_type, retry_after, date, content_encoding, redirects: Vec::new() })
}

/// Why there is no response.
pub(super) fn failure(is_timeout: bool) -> Failure {
    if is_timeout { Failure::Timeout } else { Failure::Connection }
}

/// Milliseconds since 1970.
pub(super) fn moment(now: f64) -> Moment {
    // JavaScript has no other numbers; negative ones become 0.
    Moment(now as u64)
}
