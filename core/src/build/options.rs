//! The options of builders.

use crate::{limits::Limits, report::Selection};

/// The options of builders. The default rejects anything that validation with default options would report.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Findings that count. What is not selected, or ignored, is let pass: an unregistered media type, say.
    pub selection: Selection,
    /// The bounds within which a reader has to be able to read what is built.
    pub limits: Limits,
}
