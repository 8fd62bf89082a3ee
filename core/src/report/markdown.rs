//! Markdown for a job summary: the verdict, a table by code, and collapsed findings.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Diagnostic, Group, Render, Report,
    escape::{fence, markdown, markdown_cell, markdown_code, markup},
    frame::{CUT, Frame},
    i18n::labels::{counted, fill, grouped},
    outline::{ByGroup, Outline, by_group, key, name},
};

pub(super) fn render(report: &Report, options: &Render) -> String {
    let outline = Outline::new(report, options.lang);
    let mut out = format!("### {}\n", markdown(&outline.verdict_line()));
    for line in outline.hints().into_iter().chain(outline.gaps()).chain(outline.filters()).chain(outline.skipped()) {
        out.push_str(&format!("\n{}\n", markdown(&line)));
    }
    table(&mut out, &outline);
    let findings = by_group(report);
    let mut at = 0;
    while let Some(first) = report.groups.get(at) {
        let own: Vec<&Group> = report.groups.iter().skip(at).take_while(|group| group.input == first.input).collect();
        at = at.saturating_add(own.len());
        input(&mut out, &outline, &own, &findings, options.max_per_rule);
    }
    out
}

fn table(out: &mut String, outline: &Outline<'_>) {
    let rows = outline.rows();
    let phrases = outline.phrases;
    if rows.is_empty() {
        return;
    }
    let head = [phrases.code_head, phrases.rule_head, phrases.severity_head, phrases.count_head, phrases.inputs_head];
    out.push_str(&format!("\n| {} |\n| --- | --- | --- | ---: | ---: |\n", head.join(" | ")));
    for row in rows {
        let cells = [
            markdown(row.code),
            markdown_code(row.rule),
            markdown(phrases.severity(row.severity)),
            grouped(row.count),
            grouped(row.inputs),
        ];
        out.push_str(&format!("| {} |\n", cells.map(|cell| markdown_cell(&cell)).join(" | ")));
    }
}

/// The findings of one input, by code.
fn input(out: &mut String, outline: &Outline<'_>, groups: &[&Group], findings: &ByGroup<'_>, max_per_rule: u64) {
    let Some(first) = groups.first() else { return };
    let count = groups.iter().map(|group| group.count).fold(0, u64::saturating_add);
    let name = markup(&name(outline.report, first.input));
    let count = counted(outline.phrases.findings, count);
    // Inside HTML Markdown is not parsed, but bare links may be.
    out.push_str(&format!("\n<details><summary><code>{}</code>: {count}</summary>\n", name.replace(':', "&#58;")));
    for group in groups {
        let most = if max_per_rule == 0 { u64::MAX } else { max_per_rule };
        let found = findings.get(&key(group)).map_or(&[][..], |found| found);
        let mut shown = 0_u64;
        for found in found.iter().take(usize::try_from(most).unwrap_or(usize::MAX)) {
            finding(out, outline, found);
            shown = shown.saturating_add(1);
        }
        if let Some(line) = outline.omitted(group, shown) {
            out.push_str(&format!("\n{}\n", markdown(&line)));
        }
    }
    out.push_str("\n</details>\n");
}

fn finding(out: &mut String, outline: &Outline<'_>, found: &Diagnostic) {
    let severity = outline.phrases.severity(found.severity);
    let title = markdown(&format!("{severity}[{}] `{}`", found.code, found.rule));
    out.push_str(&format!("\n**{title}**: {}\\\n{}\n", markdown(&outline.message(found)), place(outline, found)));
    if let Some(excerpt) = &found.excerpt {
        let frame = Frame::new(excerpt, None);
        let cut = |cut: bool| if cut { CUT } else { "" };
        let code = [cut(frame.cut_left), &frame.before, &frame.marked, &frame.after, cut(frame.cut_right)].concat();
        let fence = fence(&code, 3);
        let (indent, marks) = (" ".repeat(frame.indent()), "^".repeat(frame.carets()));
        out.push_str(&format!("\n{fence}text\n{code}\n{indent}{marks}\n{fence}\n"));
    }
    let notes: Vec<String> = found.related.iter().map(|related| outline.related(found, related)).collect();
    let detail = outline.detail(found).map(|detail| format!("{}{detail}", outline.phrases.detail));
    let help = Some(outline.help(found)).filter(|help| !help.is_empty());
    let help = help.map(|help| format!("{}{help}", outline.phrases.help));
    out.push('\n');
    for note in notes.into_iter().chain(detail).chain(outline.origin(found)).chain(help) {
        out.push_str(&format!("- {}\n", markdown(&note)));
    }
}

/// Line, column and entry.
fn place(outline: &Outline<'_>, found: &Diagnostic) -> String {
    let mut parts: Vec<String> = Vec::new();
    let name = name(outline.report, found.input);
    parts.push(markdown_code(
        &found.span.map_or(name.clone(), |span| format!("{name}:{}:{}", span.start.line, span.start.column)),
    ));
    if let Some(entry) = &found.entry {
        parts.push(fill(outline.phrases.entry, &[("n", &entry.index.to_string())]));
        parts.extend(found.shown_loc().as_deref().map(markdown_code));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_report_is_a_heading_a_table_and_folded_findings() {
        let written = render(&sample::one(), &Render::default());
        let expected = r"### INVALID: 1 error in 1 input, 3 entries, 1.2 kB

| code | rule | severity | count | inputs |
| --- | --- | --- | ---: | ---: |
| AT-07 | `digest-length` | error | 1 | 1 |

<details><summary><code>list.xml</code>: 1 finding</summary>

**error\[AT-07\] `digest-length`**: `md5` digest with 3 hexadecimal digits instead of 32\
`list.xml:37:18` entry 36 `http://example.com/res/36`
";
        assert!(written.starts_with(expected), "{written}");
        assert!(
            written.contains("```text\n…<rs:md hash=\"md5:xyz\" length=\"8876\"/>\n              ^^^^^^^\n```\n"),
            "{written}"
        );
    }

    /// A line without its code spans as defined by CommonMark: from a run of backticks to the next of the same
    /// length.
    fn without_code(line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some(at) = rest.find('`') {
            let (before, from) = rest.split_at(at);
            let run = from.len() - from.trim_start_matches('`').len();
            let within = &from[run..];
            let fence = "`".repeat(run);
            let ends = within.match_indices(&*fence).map(|(end, _)| end);
            let is_whole = |end: &usize| !within[..*end].ends_with('`') && !within[end + run..].starts_with('`');
            let end = ends.filter(|end| *end > 0).find(is_whole).unwrap_or_else(|| panic!("open code: {line}"));
            out.push_str(if before.ends_with('\\') { panic!("escaped backtick before code: {line}") } else { before });
            rest = &within[end + run..];
        }
        out + rest
    }

    #[test]
    fn hostile_text_is_no_markup() {
        let written = render(&sample::hostile(), &Render::default());
        let mut open: Option<String> = None;
        for line in written.lines() {
            let ticks: String = line.chars().take_while(|c| *c == '`').collect();
            match &open {
                Some(fence) if *fence == line => open = None,
                Some(fence) => assert!(ticks.len() < fence.len(), "{line}"),
                None if ticks.len() >= 3 && line[ticks.len()..] == *"text" => open = Some(ticks),
                None if line.starts_with("<details>") => assert!(!line.contains("<img"), "{line}"),
                None => {
                    let plain = without_code(&line.replace("\\`", ""));
                    assert!(!plain.contains("<img") && !plain.contains("</s"), "{line}");
                }
            }
        }
        assert_eq!(open, None);
    }
}
