//! Findings below the severity that builders reject.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::Serialize;

use crate::report::Diagnostic;

/// Findings stored per code; more are only counted, so that memory does not grow with the document.
const STORED: u64 = 100;

/// Findings that did not prevent building, since they are below [`BuildOptions::fail_on`](super::BuildOptions::fail_on).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Accepted {
    /// The first 100 findings of each code.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of findings of each code.
    pub counts: BTreeMap<String, u64>,
}

impl Accepted {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let count = self.counts.entry(diagnostic.code.clone()).or_default();
        *count = count.saturating_add(1);
        if *count <= STORED {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds the findings of another document.
    pub(super) fn append(&mut self, other: Accepted) {
        let mut rest = other.counts;
        for diagnostic in other.diagnostics {
            if let Some(count) = rest.get_mut(&diagnostic.code) {
                *count = count.saturating_sub(1);
            }
            self.push(diagnostic);
        }
        for (code, count) in rest.into_iter().filter(|(_, count)| *count > 0) {
            let own = self.counts.entry(code).or_default();
            *own = own.saturating_add(count);
        }
    }
}
