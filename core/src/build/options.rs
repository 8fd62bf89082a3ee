//! What a builder may let pass.

use crate::{limits::Limits, report::Selection};

/// How to build. The default refuses whatever validating with default options would find.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Findings that count. What is not selected, or ignored, is let pass: an unregistered media type, say.
    pub selection: Selection,
    /// The bounds within which a reader has to be able to read what is built.
    pub limits: Limits,
}
