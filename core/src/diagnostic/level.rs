//! Requirement levels of the standard, and severities of findings.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::named_enum;

named_enum! {
    /// A requirement level of the standard.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Level {
        /// MUST.
        Must = "MUST",
        /// MUST NOT.
        MustNot = "MUST NOT",
        /// SHOULD.
        Should = "SHOULD",
        /// SHOULD NOT.
        ShouldNot = "SHOULD NOT",
        /// MAY.
        May = "MAY",
        /// MUST in one place of the standard and MAY in another.
        MustOrMay = "MUST / MAY",
    }
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Informational.
    Info,
    /// Works in practice, or breaks a SHOULD.
    Warning,
    /// Makes the document invalid.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Severity {
    /// All severities, most severe first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

    /// The severity of this name.
    pub fn find(name: &str) -> Option<Severity> {
        Severity::ALL.into_iter().find(|severity| severity.as_str() == name)
    }

    /// `error`, `warning` or `info`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}
