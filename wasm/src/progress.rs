//! The findings so far, as JSON.

use resourcesync::{
    diagnostic::{Code, Severity},
    report::Diagnostic,
};
use serde::Serialize;

/// The number of findings of a code.
#[derive(Serialize)]
struct Count {
    code: &'static str,
    severity: Severity,
    count: u64,
}

pub(crate) fn counts(counts: impl Iterator<Item = (Code, Severity, u64)>) -> String {
    let counts = counts.map(|(code, severity, count)| Count { code: code.id(), severity, count });
    // Values with string keys and without floats: serializing cannot fail.
    serde_json::to_string(&counts.collect::<Vec<_>>()).unwrap_or_default()
}

pub(crate) fn diagnostics(diagnostics: &[Diagnostic]) -> String {
    serde_json::to_string(diagnostics).unwrap_or_default()
}
