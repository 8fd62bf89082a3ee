//! The options of builders.

use crate::{limits::Limits, report::Selection};

/// The options of builders. The default rejects anything that validation with default options would report.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Findings that cause rejection. Deselected and ignored findings are accepted, for example an
    /// unregistered media type.
    pub selection: Selection,
    /// The limits within which readers must be able to read the result.
    pub limits: Limits,
}
