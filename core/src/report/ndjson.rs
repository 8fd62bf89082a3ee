//! NDJSON: the parts of a report, one JSON object per line.

use alloc::string::String;

use serde::Serialize;

use super::{Diagnostic, Group, Input, Report, RunInfo, Skipped, Summary, Tool, Verdict, json_line};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    #[serde(rename_all = "camelCase")]
    Start {
        format: &'a str,
        format_version: u32,
        tool: &'a Tool,
        run: &'a RunInfo,
    },
    Input(&'a Input),
    Skipped(&'a Skipped),
    Diagnostic(&'a Diagnostic),
    Group(&'a Group),
    Suppressed(&'a Group),
    #[serde(rename_all = "camelCase")]
    Summary {
        verdict: Verdict,
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        after_filters: bool,
        summary: &'a Summary,
    },
}

pub(super) fn render(report: &Report) -> String {
    let start = Line::Start {
        format: &report.format,
        format_version: report.format_version,
        tool: &report.tool,
        run: &report.run,
    };
    let mut out = String::new();
    let lines = [start]
        .into_iter()
        .chain(report.inputs.iter().map(Line::Input))
        .chain(report.skipped.iter().map(Line::Skipped))
        .chain(report.diagnostics.iter().map(Line::Diagnostic))
        .chain(report.groups.iter().map(Line::Group))
        .chain(report.suppressed.iter().map(Line::Suppressed))
        .chain([Line::Summary {
            verdict: report.verdict,
            after_filters: report.after_filters,
            summary: &report.summary,
        }]);
    for line in lines {
        // As with the report itself, serializing cannot fail.
        out.push_str(&json_line(&line).unwrap_or_default());
    }
    out
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::report::sample;

    #[test]
    fn every_line_is_an_object_that_says_its_type() {
        let report = sample::hostile();
        let written = render(&report);
        let types: Vec<String> = written
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].as_str().unwrap().into())
            .collect();
        assert_eq!(
            types,
            [
                "start",
                "input",
                "input",
                "skipped",
                "diagnostic",
                "diagnostic",
                "group",
                "group",
                "suppressed",
                "summary"
            ]
        );
        assert!(written.starts_with(r#"{"type":"start","format":"resourcesync-report","formatVersion":1,"#));
    }

    #[test]
    fn a_finding_is_the_same_as_in_the_report() {
        let report = sample::hostile();
        let written = render(&report);
        let found: Vec<Diagnostic> = written
            .lines()
            .filter(|line| line.starts_with(r#"{"type":"diagnostic""#))
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(found, report.diagnostics);
    }
}
