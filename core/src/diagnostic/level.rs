//! How strongly the standard asks for something, and how severe it is not to do it.

/// How strongly the standard asks for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// MUST.
    Must,
    /// MUST NOT.
    MustNot,
    /// SHOULD.
    Should,
    /// SHOULD NOT.
    ShouldNot,
    /// MAY.
    May,
    /// The standard says MUST in one place and MAY in another.
    MustOrMay,
}

impl Level {
    /// The word of the standard.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Must => "MUST",
            Level::MustNot => "MUST NOT",
            Level::Should => "SHOULD",
            Level::ShouldNot => "SHOULD NOT",
            Level::May => "MAY",
            Level::MustOrMay => "MUST / MAY",
        }
    }
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works in practice, or breaks a SHOULD.
    Warning,
    /// Makes the document invalid.
    Error,
}

impl Severity {
    /// The severity of this name.
    pub fn find(name: &str) -> Option<Severity> {
        [Severity::Error, Severity::Warning, Severity::Info].into_iter().find(|severity| severity.as_str() == name)
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
