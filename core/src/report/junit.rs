//! JUnit XML: a suite for each input, a case for each code found in it.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{
    Diagnostic, Group, Input, Report, Status, Verdict,
    escape::{markup, visible},
    outline::{ByGroup, by_group, key, name, rule},
};
use crate::diagnostic::Severity;

pub(super) fn render(report: &Report) -> String {
    let groups = by_input(report);
    let findings = by_group(report);
    let none = Vec::new();
    let suites =
        report.inputs.iter().map(|input| suite(report, input, groups.get(&input.id).unwrap_or(&none), &findings));
    let mut suites: Vec<Suite> = suites.collect();
    if report.run.status != Status::Completed {
        suites.push(unfinished(report));
    }
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).fold(0, usize::saturating_add);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = counts(sum(|suite| suite.tests), sum(|suite| suite.failures), sum(|suite| suite.errors));
    out.push_str(&format!("<testsuites name=\"resourcesync\" {counts}>\n"));
    for suite in &suites {
        out.push_str(&suite.xml);
    }
    out.push_str("</testsuites>\n");
    out
}

/// A rendered suite, and its counts for the totals.
#[derive(Default)]
struct Suite {
    tests: usize,
    failures: usize,
    errors: usize,
    xml: String,
}

impl Suite {
    fn case(&mut self, class: &str, name: &str, body: &str) {
        self.tests = self.tests.saturating_add(1);
        let end = if body.is_empty() { "/>\n".into() } else { format!(">\n{body}    </testcase>\n") };
        self.xml.push_str(&format!("    <testcase classname=\"{}\" name=\"{}\"{end}", markup(class), markup(name)));
    }

    fn close(mut self, name: &str) -> Suite {
        let counts = counts(self.tests, self.failures, self.errors);
        self.xml = format!("  <testsuite name=\"{}\" {counts}>\n{}  </testsuite>\n", markup(name), self.xml);
        self
    }
}

fn counts(tests: usize, failures: usize, errors: usize) -> String {
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")
}

fn by_input(report: &Report) -> BTreeMap<u64, Vec<&Group>> {
    let mut groups: BTreeMap<u64, Vec<&Group>> = BTreeMap::new();
    for group in &report.groups {
        groups.entry(group.input).or_default().push(group);
    }
    groups
}

fn suite(report: &Report, input: &Input, groups: &[&Group], findings: &ByGroup<'_>) -> Suite {
    let name = name(report, input.id);
    let mut suite = Suite { xml: properties(report, input), ..Suite::default() };
    for group in groups {
        let found = findings.get(&key(group)).map_or(&[][..], |found| found);
        let text = text(found, group, &name);
        let title = format!("{} {}", group.code, rule(report, &group.code));
        let body = if group.severity == Severity::Error {
            suite.failures = suite.failures.saturating_add(1);
            let message = found.first().map_or(&*group.code, |found| &found.message);
            let times = if group.count == 1 { String::new() } else { format!("{} times: ", group.count) };
            format!(
                "      <failure type=\"{}\" message=\"{times}{}\">{text}</failure>\n",
                markup(&group.code),
                markup(message)
            )
        } else {
            format!("      <system-out>{text}</system-out>\n")
        };
        suite.case(&name, &title, &body);
    }
    if input.verdict == Verdict::Undetermined {
        suite.errors = suite.errors.saturating_add(1);
        suite.case(&name, "validation", "      <error type=\"undetermined\" message=\"incompletely checked\"/>\n");
    } else if suite.tests == 0 {
        suite.case(&name, "validation", "");
    }
    suite.close(&name)
}

/// The configuration that applied, and what filters or a baseline suppressed in an input.
fn properties(report: &Report, input: &Input) -> String {
    let property = |name: &str, value: &str| format!("      <property name=\"{name}\" value=\"{}\"/>\n", markup(value));
    let configuration = report.run.configuration.as_ref().map(|name| property("configuration", name));
    let suppressed = report.suppressed.iter().filter(|group| group.input == input.id);
    let suppressed = suppressed
        .map(|group| property("suppressed", &format!("{} {} ({} findings)", group.severity, group.code, group.count)));
    let properties: String = configuration.into_iter().chain(suppressed).collect();
    if properties.is_empty() { properties } else { format!("    <properties>\n{properties}    </properties>\n") }
}

/// One line for each finding.
fn text(findings: &[&Diagnostic], group: &Group, name: &str) -> String {
    let mut text = String::new();
    for found in findings {
        text.push_str(&format!("{}: {}", group.severity, visible(name)));
        if let Some(span) = found.span {
            text.push_str(&format!(":{}:{}", span.start.line, span.start.column));
        }
        text.push_str(&format!(": {}\n", visible(&found.message)));
        if let Some(loc) = found.shown_loc() {
            text.push_str(&format!("  entry: {}\n", visible(&loc)));
        }
        text.push_str(&format!("  help: {}\n", visible(&found.help)));
    }
    let more = group.count.saturating_sub(group.stored);
    if more > 0 {
        text.push_str(&format!("{more} more were counted and not stored\n"));
    }
    // Line breaks were written by us and stay; the rest is checked again.
    text.lines().map(|line| format!("{}\n", markup(line))).collect()
}

/// An incomplete run has its own suite.
fn unfinished(report: &Report) -> Suite {
    let word = if report.run.status == Status::Failed { "failed" } else { "stopped" };
    let by = markup(report.run.stopped_by.as_deref().unwrap_or("?"));
    let mut suite = Suite { errors: 1, ..Suite::default() };
    suite.case("resourcesync", "run", &format!("      <error type=\"{word}\" message=\"run {word}: {by}\"/>\n"));
    suite.close("run")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{api, report::sample};

    #[test]
    fn hostile_names_and_values_leave_it_well_formed() {
        let written = render(&sample::hostile());
        let read = api::validate(written.as_bytes(), api::InputOrigin::named("junit.xml"), &api::Options::default());
        assert!(read.groups.iter().all(|group| group.code != "GEN-01"), "{written}");
    }

    #[test]
    fn an_error_is_a_failure_and_a_clean_input_passes() {
        let written = render(&sample::one());
        assert!(written.contains(r#"<testsuites name="resourcesync" tests="1" failures="1" errors="0">"#), "{written}");
        assert!(written.contains(r#"name="AT-07 digest-length">"#));
        let clean = render(&sample::clean());
        assert!(clean.contains(r#"<testcase classname="list.xml" name="validation"/>"#), "{clean}");
    }

    #[test]
    fn what_was_suppressed_is_a_property() {
        let written = render(&sample::filtered());
        assert!(written.contains(r#"<property name="configuration" value="../resourcesync.toml"/>"#), "{written}");
        assert!(written.contains(r#"<property name="suppressed" value="error AT-07 (2 findings)"/>"#), "{written}");
    }

    #[test]
    fn what_was_not_checked_is_an_error() {
        let mut report = sample::clean();
        report.inputs[0].verdict = Verdict::Undetermined;
        report.run.status = Status::Stopped;
        report.run.stopped_by = Some("interrupt".into());
        let written = render(&report);
        assert!(written.contains(r#"tests="2" failures="0" errors="2""#), "{written}");
        assert!(written.contains("run stopped: interrupt"));
    }
}
