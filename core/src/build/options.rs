//! The options of builders.

use crate::{diagnostic::Severity, limits::Limits, report::Selection};

/// The options of builders. The default rejects anything that validation with default options would report.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Findings that cause rejection. Deselected and ignored findings are accepted, for example an
    /// unregistered media type.
    pub selection: Selection,
    /// The limits within which readers must be able to read the result.
    pub limits: Limits,
    /// The lowest severity that causes rejection; less severe findings are collected, see [`Builder::accepted`](super::Builder::accepted).
    pub fail_on: Severity,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions { selection: Selection::default(), limits: Limits::default(), fail_on: Severity::Info }
    }
}
