//! Collects the findings that prevent building.

use alloc::vec::Vec;

use super::Refused;
use crate::{
    diagnostic::{Finding, Severity, Sink},
    report::Selection,
};

/// Collects the findings that the options do not accept.
pub(super) struct RefusalSink<'a> {
    selection: &'a Selection,
    found: Vec<(Finding, Severity)>,
}

impl<'a> RefusalSink<'a> {
    pub(super) fn new(selection: &'a Selection) -> RefusalSink<'a> {
        RefusalSink { selection, found: Vec::new() }
    }

    /// Adds a finding that no option can accept, because no reader could read the output.
    pub(super) fn insist(&mut self, finding: Finding) {
        let severity = finding.code.requirement().severity;
        self.found.push((finding, severity));
    }

    /// Returns the findings as an error, if there are any.
    pub(super) fn verdict(self) -> Result<(), Refused> {
        Refused::of(self.found).map_or(Ok(()), Err)
    }
}

impl Sink for RefusalSink<'_> {
    fn found(&mut self, finding: Finding) {
        if let Some(severity) = self.selection.severity(&finding) {
            self.found.push((finding, severity));
        }
    }

    fn wants(&self, finding: &Finding) -> bool {
        self.selection.severity(finding).is_some()
    }
}
