//! Workflow commands of GitHub Actions: each finding an annotation.

use alloc::{format, string::String};

use super::{
    Lang, Report, Status, TextSpan, Verdict,
    escape::{workflow_message, workflow_property},
    outline::{Outline, input, name, outermost, rule},
};
use crate::diagnostic::Severity;

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for found in &report.diagnostics {
        let title = format!("{} {}", found.code, found.rule);
        let mut text = found.message.clone();
        if let (Some(loc), true) = (found.shown_loc(), found.code != "GEN-01") {
            text = format!("{text} (entry {loc})");
        }
        let help =
            if found.help.is_empty() { String::new() } else { format!("%0Ahelp: {}", workflow_message(&found.help)) };
        push(&mut out, report, found.severity, Some((found.input, found.span)), &title, &text, &help);
    }
    for group in report.groups.iter().filter(|group| group.stored < group.count) {
        let title = format!("{} {}", group.code, rule(report, &group.code));
        let more = group.count.saturating_sub(group.stored);
        let text = format!("{more} more {} in {} counted but not listed", group.code, name(report, group.input));
        push(&mut out, report, group.severity, Some((group.input, None)), &title, &text, "");
    }
    // Undetermined inputs have a finding with the reason; a run that ended early has none.
    if report.run.status != Status::Completed {
        let severity = if report.verdict == Verdict::Invalid { Severity::Warning } else { Severity::Error };
        for gap in Outline::new(report, Lang::En).gaps().iter().rev().take(1) {
            push(&mut out, report, severity, None, "run", gap, "");
        }
    }
    let outline = Outline::new(report, Lang::En);
    let filters = outline.filters();
    if !filters.is_empty() {
        let verdict = if report.after_filters { "invalid without filters; " } else { "" };
        push(&mut out, report, Severity::Info, None, "filters", &format!("{verdict}{}", filters.join("; ")), "");
    }
    out
}

fn push(
    out: &mut String,
    report: &Report,
    severity: Severity,
    place: Option<(u64, Option<TextSpan>)>,
    title: &str,
    text: &str,
    help: &str,
) {
    let command = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    out.push_str("::");
    out.push_str(command);
    let mut separator = ' ';
    let mut property = |name: &str, value: &str| {
        out.push(separator);
        out.push_str(&format!("{name}={}", workflow_property(value)));
        separator = ',';
    };
    // Annotations refer to lines of a file in the repository; members of packages and web pages have none.
    let mut prefix = String::new();
    if let Some((id, span)) = place {
        let own = input(report, id);
        let outer = outermost(report, id).filter(|outer| !outer.name.contains("://"));
        let inside = outer.is_some() && own.is_some_and(|own| own.package().is_some());
        if let Some(outer) = outer {
            property("file", &outer.name);
        }
        match span {
            Some(span) if outer.is_some() && !inside => {
                property("line", &format!("{}", span.start.line));
                property("endLine", &format!("{}", span.end.line));
                // Columns are rejected for multi-line annotations.
                if span.start.line == span.end.line {
                    property("col", &format!("{}", span.start.column));
                    property("endColumn", &format!("{}", span.end.column));
                }
            }
            Some(span) => prefix = format!("{}:{}:{}: ", name(report, id), span.start.line, span.start.column),
            None if outer.is_none() || inside => prefix = format!("{}: ", name(report, id)),
            None => {}
        }
    }
    property("title", title);
    out.push_str("::");
    out.push_str(&workflow_message(&prefix));
    out.push_str(&workflow_message(text));
    out.push_str(help);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Point, sample};

    #[test]
    fn a_finding_is_one_command() {
        let written = render(&sample::one());
        assert!(
            written.starts_with(
                "::error file=list.xml,line=37,endLine=37,col=18,endColumn=25,title=AT-07 digest-length::`md5` digest"
            ),
            "{written}"
        );
        assert_eq!(written.lines().count(), 1);
    }

    #[test]
    fn a_place_of_several_lines_has_no_columns() {
        let mut report = sample::one();
        report.diagnostics[0].span.as_mut().unwrap().end = Point { line: 39, column: 2 };
        assert!(render(&report).starts_with("::error file=list.xml,line=37,endLine=39,title="));
    }

    #[test]
    fn hostile_values_stay_inside_their_command() {
        let written = render(&sample::hostile());
        assert_eq!(written.lines().count(), 4);
        assert!(
            written
                .lines()
                .all(|line| ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start))),
            "{written}"
        );
        assert_eq!(written.matches("::error file=").count(), 1);
    }

    #[test]
    fn a_page_of_the_web_is_named_in_the_message() {
        let mut report = sample::one();
        report.inputs[0].name = "https://example.com/list.xml".into();
        let written = render(&report);
        assert!(
            written.starts_with("::error title=AT-07 digest-length::https://example.com/list.xml:37:18: `md5`"),
            "{written}"
        );
    }
}
