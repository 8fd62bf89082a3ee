//! The parts of a report that grow with its inputs.

use alloc::{string::ToString, vec::Vec};

use super::finding_budget::Stored;
use crate::report::{
    FORMAT, FORMAT_VERSION, Family, Group, Input, Report, ResourceSet, RunInfo, Skipped, Summary, Tool, Verdict,
};

/// What the inputs of a run, or the reports that are merged, contribute to the report, in order.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) summary: Summary,
    pub(super) inputs: Vec<Input>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) sets: Vec<ResourceSet>,
    pub(super) groups: Vec<Group>,
    pub(super) suppressed: Vec<Group>,
    pub(super) stored: Stored,
}

impl Parts {
    pub(super) fn new(max_per_rule: u64) -> Parts {
        Parts {
            summary: Summary::default(),
            inputs: Vec::new(),
            skipped: Vec::new(),
            sets: Vec::new(),
            groups: Vec::new(),
            suppressed: Vec::new(),
            stored: Stored::new(max_per_rule),
        }
    }

    /// Returns the report, with the findings over the limit dropped and the counts of stored findings corrected.
    pub(super) fn finish(mut self, run: RunInfo, verdict: Verdict) -> Report {
        self.summary.inputs = self.inputs.len() as u64;
        self.stored.keep();
        for group in &mut self.groups {
            let key = (group.input, group.code.clone(), group.severity);
            if let Some(dropped) = self.stored.dropped.get(&key) {
                group.stored = group.stored.saturating_sub(*dropped);
                self.summary.stored = self.summary.stored.saturating_sub(*dropped);
            }
        }
        let mut report = Report {
            format: FORMAT.to_string(),
            format_version: FORMAT_VERSION,
            tool: Tool::this(),
            run,
            verdict,
            after_filters: false,
            summary: self.summary,
            inputs: self.inputs,
            skipped: self.skipped,
            sets: self.sets,
            groups: self.groups,
            suppressed: self.suppressed,
            diagnostics: self.stored.list,
            family: Family::default(),
        };
        report.mark_filtered();
        report
    }
}
