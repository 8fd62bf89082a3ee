//! Lines of JSON.

use alloc::vec::Vec;

use serde::Serialize;

/// A value as a line of JSON.
pub(super) fn line(value: &impl Serialize) -> Vec<u8> {
    // All keys are strings and every value exists in JSON, so serializing cannot fail.
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}
