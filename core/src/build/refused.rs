//! The error of builders.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::{cmp::Reverse, fmt};

use crate::{
    diagnostic::{Code, Finding, Severity},
    model::Kind,
    report::{self, Diagnostic, Lang},
};

/// The findings that prevented a step. Nothing was written, and the document is unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    first: Box<Diagnostic>,
    others: Vec<Diagnostic>,
}

impl Refused {
    /// For a resource whose URI was listed before, in a list that is split: no single document shows it.
    #[must_use]
    pub fn repeated(uri: &str) -> Refused {
        Finding::new(Code::RL_13).arg("kind", Kind::ResourceList).arg("value", uri).into()
    }

    /// The findings, most severe first; `None` if there are none.
    pub(super) fn of(mut found: Vec<(Finding, Severity)>) -> Option<Refused> {
        found.sort_by_key(|(_, severity)| Reverse(*severity));
        let mut diagnostics = found.into_iter().map(|(finding, severity)| diagnostic(finding, severity));
        Some(Refused { first: Box::new(diagnostics.next()?), others: diagnostics.collect() })
    }

    /// The most severe finding: code, message, help, and the entry and attribute concerned.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.first
    }

    /// All findings, most severe first.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        core::iter::once(&*self.first).chain(&self.others)
    }

    /// The code of the most severe finding, such as `GEN-11`.
    pub fn code(&self) -> &str {
        &self.first.code
    }

    /// The message, in one line.
    pub fn message(&self, lang: Lang) -> String {
        self.first.message_in(lang)
    }

    /// How to fix it, in one line.
    pub fn help(&self, lang: Lang) -> String {
        self.first.help_in(lang)
    }

    /// True if the only problem is that the document is full (50,000 entries, 50 MB): start another one.
    pub fn is_full(&self) -> bool {
        self.diagnostics().all(|diagnostic| ["GEN-18", "GEN-19"].contains(&&*diagnostic.code))
    }
}

pub(super) fn diagnostic(mut finding: Finding, severity: Severity) -> Diagnostic {
    // There is no text yet to point to.
    finding.span = None;
    finding.related.clear();
    report::diagnostic(&finding, severity, None)
}

/// The findings that no option can accept.
impl From<Finding> for Refused {
    fn from(finding: Finding) -> Refused {
        let severity = finding.code.requirement().severity;
        Refused { first: Box::new(diagnostic(finding, severity)), others: Vec::new() }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { code, message, entry, .. } = &*self.first;
        write!(f, "{message} ({code}")?;
        if let Some(entry) = entry {
            write!(f, ", entry {}", entry.index)?;
            entry.loc.as_ref().map_or(Ok(()), |loc| write!(f, " `{loc}`"))?;
        }
        f.write_str(")")
    }
}

impl core::error::Error for Refused {}
