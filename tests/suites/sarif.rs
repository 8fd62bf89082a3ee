//! SARIF output is valid for an independent implementation, and as complete as the report.

use resourcesync::{
    api::validate,
    report::{Format, Render, render},
};
use resourcesync_tests::all;
use serde_sarif::sarif::Sarif;

#[test]
fn every_report_reads_as_sarif_with_all_its_findings() {
    let mut results = 0;
    for case in all().into_iter().filter(|case| case.bytes().len() < 20_000) {
        let report = validate(&case.bytes(), case.source(), &case.options());
        let text = render(&report, Format::Sarif, &Render::default());
        let sarif: Sarif = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", case.name()));
        assert_eq!(sarif.runs.len(), 1);
        let own = sarif.runs[0].results.as_ref().map_or(0, Vec::len);
        assert_eq!(own, report.diagnostics.len(), "{}", case.name());
        results += own;
    }
    assert!(results > 1000, "only {results} findings");
}
