//! A self-contained HTML page without scripts.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Diagnostic, Group, Lang, Report, Verdict,
    escape::markup,
    frame::{CUT, Frame},
    i18n::{
        labels::{counted, fill, grouped},
        of_report,
    },
    outline::{ByGroup, Outline, Row, by_group, key, name},
};
use crate::diagnostic::Severity;

const STYLE: &str = include_str!("report.css");

/// Blocks scripts and requests, whatever the page contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

pub(super) fn render(report: &Report, lang: Lang) -> String {
    let outline = Outline::new(report, lang);
    let phrases = outline.phrases;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
        <meta name=\"referrer\" content=\"no-referrer\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <title>{}: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        phrases.tag,
        markup(&outline.qualified(phrases.verdict(report.verdict))),
        markup(phrases.title),
    );
    out.push_str(&format!("<h1>{}</h1>\n", markup(phrases.title)));
    let class = verdict_class(report.verdict);
    out.push_str(&format!("<p class=\"verdict {class}\">{}</p>\n", markup(&outline.verdict_line())));
    for gap in outline.hints().into_iter().chain(outline.gaps()).chain(outline.filters()) {
        out.push_str(&format!("<p class=\"gap\">{}</p>\n", markup(&gap)));
    }
    inputs(&mut out, &outline);
    findings(&mut out, &outline);
    skipped(&mut out, &outline);
    let (tool, version) = (markup(&report.tool.name), markup(&report.tool.version));
    out.push_str(&format!(
        "</main>\n<footer>{tool} {version} · {}</footer>\n</body>\n</html>\n",
        markup(&report.run.profile)
    ));
    out
}

fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Valid => "valid",
        Verdict::Undetermined => "undetermined",
        Verdict::Invalid => "invalid",
    }
}

/// The head of a table; columns of numbers are right-aligned.
fn head(out: &mut String, words: &[&str], numbers: &[&str]) {
    let cell = |class: &str, word: &str| format!("<th scope=\"col\"{class}>{}</th>", markup(word));
    let words = words.iter().map(|word| cell("", word));
    let cells: String = words.chain(numbers.iter().map(|word| cell(" class=\"number\"", word))).collect();
    out.push_str(&format!("<div class=\"scroll\"><table>\n<thead><tr>{cells}</tr></thead>\n<tbody>\n"));
}

fn inputs(out: &mut String, outline: &Outline<'_>) {
    let phrases = outline.phrases;
    out.push_str(&format!("<h2>{}</h2>\n", markup(phrases.inputs_head)));
    head(
        out,
        &[phrases.name_head, phrases.kind_head, phrases.verdict_head],
        &[phrases.entries_head, phrases.size_head],
    );
    for input in &outline.report.inputs {
        out.push_str(&format!(
            "<tr><td><code>{}</code></td><td>{}</td><td class=\"{}\">{}</td>\
            <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
            markup(&name(outline.report, input.id)),
            markup(outline.kind(input)),
            verdict_class(input.verdict),
            markup(phrases.verdict(input.verdict)),
            grouped(input.entries),
            markup(&phrases.size(input.bytes)),
        ));
    }
    out.push_str("</tbody>\n</table></div>\n");
}

fn findings(out: &mut String, outline: &Outline<'_>) {
    let report = outline.report;
    let rows = outline.rows();
    out.push_str(&format!("<h2>{}</h2>\n", markup(outline.phrases.findings_head)));
    if rows.is_empty() {
        out.push_str(&format!("<p>{}</p>\n", markup(outline.phrases.no_findings)));
    }
    let findings = by_group(report);
    let mut groups: BTreeMap<(&str, Severity), Vec<&Group>> = BTreeMap::new();
    for group in &report.groups {
        groups.entry((&group.code, group.severity)).or_default().push(group);
    }
    for (at, row) in rows.iter().enumerate() {
        let own = groups.get(&(row.code, row.severity)).map_or(&[][..], |own| own);
        section(out, outline, row, own, &findings, at == 0);
    }
}

/// All findings of one code and severity; the first section is open.
fn section(
    out: &mut String,
    outline: &Outline<'_>,
    row: &Row<'_>,
    groups: &[&Group],
    findings: &ByGroup<'_>,
    open: bool,
) {
    let phrases = outline.phrases;
    out.push_str(&format!(
        "<details{}>\n<summary><span class=\"severity {}\">{}</span> <strong>{}</strong> {} \
        <span class=\"count\">{} · {}</span></summary>\n",
        if open { " open" } else { "" },
        row.severity,
        markup(phrases.severity(row.severity)),
        markup(row.code),
        markup(row.rule),
        counted(phrases.findings, row.count),
        counted(phrases.inputs, row.inputs),
    ));
    let first = groups.iter().filter_map(|group| findings.get(&key(group))?.first()).next();
    if let Some(origin) = first.and_then(|found| outline.origin(found)) {
        out.push_str(&format!("<p class=\"origin\">{}</p>\n", markup(&origin)));
    }
    for group in groups {
        let own = findings.get(&key(group)).map_or(&[][..], |own| own);
        for found in own {
            finding(out, outline, found);
        }
        if let Some(line) = outline.omitted(group, own.len() as u64) {
            let name = name(outline.report, group.input);
            out.push_str(&format!("<p class=\"more\"><code>{}</code>: {}</p>\n", markup(&name), markup(&line)));
        }
    }
    out.push_str("</details>\n");
}

fn finding(out: &mut String, outline: &Outline<'_>, found: &Diagnostic) {
    let name = name(outline.report, found.input);
    let place = found.span.map_or(name.clone(), |span| format!("{name}:{}:{}", span.start.line, span.start.column));
    out.push_str(&format!("<article>\n<p class=\"message\">{}</p>\n", coded(&outline.message(found))));
    out.push_str(&format!("<p class=\"place\"><code>{}</code>", markup(&place)));
    if let Some(entry) = &found.entry {
        out.push_str(&format!(" · {}", markup(&fill(outline.phrases.entry, &[("n", &entry.index.to_string())]))));
        if let Some(loc) = found.shown_loc() {
            out.push_str(&format!(" · <code>{}</code>", markup(&loc)));
        }
    }
    out.push_str("</p>\n");
    if let Some(excerpt) = &found.excerpt {
        let frame = Frame::new(excerpt, None);
        let cut = |cut: bool| if cut { CUT } else { "" };
        out.push_str(&format!(
            "<pre><span class=\"line\">{}</span>{}{}<mark class=\"{}\">{}</mark>{}{}</pre>\n",
            excerpt.line,
            cut(frame.cut_left),
            markup(&frame.before),
            found.severity,
            markup(&frame.marked),
            markup(&frame.after),
            cut(frame.cut_right),
        ));
    }
    let related = found.related.iter().map(|related| outline.related(found, related));
    let detail = outline.detail(found).map(|detail| format!("{}{detail}", outline.phrases.detail));
    let help = Some(outline.help(found)).filter(|help| !help.is_empty());
    let help = help.map(|help| format!("{}{help}", outline.phrases.help));
    out.push_str("<ul>\n");
    for note in related.chain(detail).chain(help) {
        out.push_str(&format!("<li>{}</li>\n", coded(&note)));
    }
    out.push_str("</ul>\n</article>\n");
}

fn skipped(out: &mut String, outline: &Outline<'_>) {
    let (skipped, phrases) = (&outline.report.skipped, outline.phrases);
    if skipped.is_empty() {
        return;
    }
    out.push_str(&format!("<h2>{}</h2>\n", markup(phrases.skipped_head)));
    head(out, &[phrases.name_head, phrases.reason_head], &[]);
    for file in skipped {
        out.push_str(&format!(
            "<tr><td><code>{}</code></td><td>{}</td></tr>\n",
            markup(&file.name),
            markup(&of_report(&file.reason, file.cause.as_ref(), outline.lang))
        ));
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// Text in which backticks delimit code.
fn coded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else { break };
        out.push_str(&format!("{}<code>{}</code>", markup(before), markup(code)));
        rest = after;
    }
    out.push_str(&markup(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_finding_has_its_code_frame() {
        let written = render(&sample::one(), Lang::En);
        assert!(
            written.contains("…&lt;rs:md hash=&quot;<mark class=\"error\">md5:xyz</mark>&quot; length="),
            "{written}"
        );
        assert!(written.contains("<code>md5</code> digest with 3"));
    }

    #[test]
    fn hostile_text_is_text() {
        let written = render(&sample::hostile(), Lang::En);
        assert!(
            !written.contains("<img") && !written.contains("<script") && !written.contains("</script"),
            "{written}"
        );
        for word in ["href", " src=", "url(", "@import"] {
            let found = written.matches(word).count();
            // Only as text of the hostile string itself.
            assert_eq!(found, written.matches("&lt;img src=x").count() * usize::from(word == " src="), "{word}");
        }
    }

    #[test]
    #[cfg(feature = "texts")]
    fn the_page_speaks_the_language_asked_for() {
        let written = render(&sample::one(), Lang::Ja);
        assert!(written.contains("<html lang=\"ja\">") && written.contains("不適合: エラー 1 件"), "{written}");
        assert!(written.contains("16 進数で 32 桁が必要"), "{written}");
    }
}
