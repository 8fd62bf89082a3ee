//! CSV: one row per finding.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Diagnostic, Input, Lang, Report,
    escape::visible,
    outline::{Outline, by_group, key, name},
};

const HEAD: [&str; 14] = [
    "input", "verdict", "severity", "code", "rule", "line", "column", "entry", "loc", "path", "message", "help",
    "level", "section",
];

/// A table as defined by RFC 4180, with the byte order mark by which spreadsheets detect UTF-8. Inputs without
/// findings, findings that were counted but not stored, and inputs that were not checked have their own rows.
pub(super) fn render(report: &Report, lang: Lang) -> String {
    let outline = Outline::new(report, lang);
    let mut out = String::from("\u{feff}");
    row(&mut out, HEAD.map(String::from));
    let findings = by_group(report);
    for input in &report.inputs {
        let mut groups = report.groups.iter().filter(|group| group.input == input.id).peekable();
        if groups.peek().is_none() {
            say(&mut out, &outline, Some(input), outline.phrases.no_findings);
        }
        for group in groups {
            let own = findings.get(&key(group)).map_or(&[][..], |own| own);
            own.iter().for_each(|found| finding(&mut out, &outline, input, found));
            if let Some(line) = outline.omitted(group, own.len() as u64) {
                say(&mut out, &outline, Some(input), &line);
            }
        }
    }
    for line in outline.hints().into_iter().chain(outline.gaps()).chain(outline.filters()).chain(outline.skipped()) {
        say(&mut out, &outline, None, &line);
    }
    out
}

fn finding(out: &mut String, outline: &Outline<'_>, input: &Input, found: &Diagnostic) {
    let start = found.span.map(|span| span.start);
    let entry = found.entry.as_ref();
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    row(
        out,
        [
            name(outline.report, input.id),
            outline.phrases.verdict(input.verdict).to_string(),
            outline.phrases.severity(found.severity).to_string(),
            found.code.clone(),
            found.rule.clone(),
            number(start.map(|start| start.line.into())),
            number(start.map(|start| start.column.into())),
            number(entry.map(|entry| entry.index)),
            entry.and_then(|entry| entry.loc.clone()).unwrap_or_default(),
            found.path.clone().unwrap_or_default(),
            outline.message(found),
            outline.help(found),
            found.level.clone().unwrap_or_default(),
            found.section.clone().unwrap_or_default(),
        ],
    );
}

/// Writes a row for an input, or for the run.
fn say(out: &mut String, outline: &Outline<'_>, input: Option<&Input>, line: &str) {
    let mut cells = HEAD.map(|_| String::new());
    let verdict = input.map_or(outline.report.verdict, |input| input.verdict);
    let [own, verdict_cell, .., message, _, _, _] = &mut cells;
    *own = input.map_or(String::new(), |input| name(outline.report, input.id));
    *verdict_cell = outline.phrases.verdict(verdict).to_string();
    *message = line.to_string();
    row(out, cells);
}

fn row(out: &mut String, cells: [String; HEAD.len()]) {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    out.push_str(&cells.join(","));
    out.push_str("\r\n");
}

/// Visible text as one cell. Spreadsheets evaluate text that starts like a formula, so it is prefixed with an
/// apostrophe.
fn cell(text: &str) -> String {
    let mut text = visible(text);
    if text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        text.insert(0, '\'');
    }
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_finding_is_a_row() {
        let written = render(&sample::one(), Lang::En);
        let expected = "\u{feff}input,verdict,severity,code,rule,line,column,entry,loc,path,message,help,level,section\r\n\
            list.xml,invalid,error,AT-07,digest-length,37,18,36,http://example.com/res/36,/urlset/url[36]/rs:md/@hash,\
            `md5` digest with 3 hexadecimal digits instead of 32,recompute the digest,MUST,Z39.99-2017 §7\r\n";
        assert_eq!(written, expected);
    }

    #[test]
    fn what_is_not_in_the_rows_is_said() {
        let mut report = sample::one();
        report.groups[0].count = 7;
        report.inputs.push(sample::input(1));
        let written = render(&report, Lang::En);
        let rows: Vec<&str> = written.lines().skip(2).collect();
        assert!(rows[0].contains("… 6 more AT-07 in this input (1 stored"), "{written}");
        assert_eq!(rows[1], "list.xml,valid,,,,,,,,,no findings,,,");
    }

    #[test]
    fn no_cell_is_a_formula_or_breaks_out() {
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("@x"), "'@x");
        assert_eq!(cell("a\"b,\n"), "\"a\"\"b,\\u{a}\"");
        for line in render(&sample::hostile(), Lang::En).split("\r\n") {
            assert!(!line.contains(['\r', '\n']) && line.matches('"').count() % 2 == 0, "{line}");
        }
    }
}
