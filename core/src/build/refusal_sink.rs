//! Collects the findings that prevent building.

use alloc::vec::Vec;

use super::{BuildOptions, Refused, refused::diagnostic};
use crate::{
    diagnostic::{Finding, Severity, Sink},
    report::Diagnostic,
};

/// Collects the findings that the options do not accept.
pub(super) struct RefusalSink<'a> {
    options: &'a BuildOptions,
    found: Vec<(Finding, Severity)>,
    /// Findings below the severity that causes rejection.
    accepted: Vec<(Finding, Severity)>,
}

impl<'a> RefusalSink<'a> {
    pub(super) fn new(options: &'a BuildOptions) -> RefusalSink<'a> {
        RefusalSink { options, found: Vec::new(), accepted: Vec::new() }
    }

    /// Adds a finding that no option can accept, because no reader could read the output.
    pub(super) fn insist(&mut self, finding: Finding) {
        let severity = finding.code.requirement().severity;
        self.found.push((finding, severity));
    }

    /// Returns the findings as an error, if there are any, or else those that were accepted.
    pub(super) fn verdict(self) -> Result<Vec<Diagnostic>, Refused> {
        match Refused::of(self.found) {
            Some(refused) => Err(refused),
            None => Ok(self.accepted.into_iter().map(|(finding, severity)| diagnostic(finding, severity)).collect()),
        }
    }
}

impl Sink for RefusalSink<'_> {
    fn found(&mut self, finding: Finding) {
        match self.options.selection.severity(&finding) {
            Some(severity) if severity < self.options.fail_on => self.accepted.push((finding, severity)),
            Some(severity) => self.found.push((finding, severity)),
            None => {}
        }
    }

    fn wants(&self, finding: &Finding) -> bool {
        self.options.selection.severity(finding).is_some()
    }
}
