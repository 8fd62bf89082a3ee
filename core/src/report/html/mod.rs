//! A self-contained HTML page to pass on, without scripts: in every language, with a text for the vendor, and with the report itself.

mod bilingual;
mod carried;
mod documents;
mod findings;
mod letter;
mod timeline;
mod words;

use alloc::{format, string::String};

use super::{
    Lang, Report,
    escape::markup,
    i18n::{
        labels::{counted, grouped},
        of_report,
    },
    outline::{Outline, name},
};
use bilingual::Page;
use words::{CARRIED, LETTER, LETTER_HINT, READ_CAUSES, SETS};

const STYLE: &str = include_str!("report.css");

/// Blocks scripts and requests, whatever the page contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// By this readers recognise that the page contains a report.
const GENERATOR: &str = "resourcesync report";

pub(super) fn render(report: &Report, lang: Lang) -> String {
    let mut page = Page::new(report, lang);
    let first = page.first();
    page.push(&format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"{GENERATOR}\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
        <meta name=\"referrer\" content=\"no-referrer\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <title>{}: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        first.phrases.tag,
        markup(&first.qualified(first.phrases.verdict(report.verdict))),
        markup(first.title()),
    ));
    // The choice of language is before everything that it chooses, in the same element.
    page.push("<main>\n");
    page.switch();
    head(&mut page);
    findings::render(&mut page);
    letter(&mut page);
    documents::render(&mut page);
    sets(&mut page);
    timeline::render(&mut page);
    skipped(&mut page);
    let (tool, version) = (markup(&report.tool.name), markup(&report.tool.version));
    page.push(&format!("<footer>\n<p>{tool} {version} · {}</p>\n<p>", markup(&report.run.profile)));
    page.words(CARRIED);
    page.push("</p>\n</footer>\n</main>\n");
    page.push(&carried::template(report));
    page.push("</body>\n</html>\n");
    page.out
}

/// The verdict, what it is about, the numbers, and what explains them.
fn head(page: &mut Page<'_>) {
    let report = page.report;
    page.push(&format!("<header class=\"{}\">\n<p class=\"title\">", report.verdict.as_str()));
    page.said(&|outline| markup(outline.title()));
    page.push("</p>\n<h1>");
    page.said(&|outline| markup(&outline.qualified(outline.phrases.verdict(report.verdict))));
    page.push("</h1>\n");
    if let Some(input) = report.inputs.first() {
        page.push(&format!("<p class=\"of\"><code>{}</code>", markup(&name(report, input.id))));
        page.said(&|outline| {
            let more = outline.and_more(report.inputs.len().saturating_sub(1));
            more.map_or(String::new(), |more| format!(" {}", markup(&more)))
        });
        page.push("</p>\n");
    }
    page.push("<ul class=\"numbers\">\n");
    let summary = report.summary;
    let counts = [("error", summary.errors), ("warning", summary.warnings), ("info", summary.infos)];
    for (at, (class, count)) in counts.into_iter().enumerate() {
        if count > 0 {
            page.push(&format!("<li class=\"{class}\">"));
            page.said(&|Outline { phrases, .. }| {
                let forms = [phrases.errors, phrases.warnings, phrases.infos];
                forms.get(at).map_or(String::new(), |forms| markup(&counted(*forms, count)))
            });
            page.push("</li>\n");
        }
    }
    page.push("<li>");
    page.said(&|Outline { phrases, .. }| {
        let (inputs, entries) = (counted(phrases.inputs, summary.inputs), counted(phrases.entries, summary.entries));
        markup(&[inputs, entries, phrases.size(summary.bytes)].join(phrases.comma))
    });
    page.push("</li>\n</ul>\n</header>\n");
    let lines = |outline: &Outline<'_>| [outline.hints(), outline.gaps(), outline.filters()].concat();
    let count = lines(&page.first()).len();
    if count > 0 {
        page.push("<section class=\"causes\">\n");
        page.heading(READ_CAUSES);
        page.push("<ul>\n");
        for at in 0..count {
            page.push("<li>");
            page.said(&|outline| lines(outline).get(at).map_or(String::new(), |line| bilingual::coded(line)));
            page.push("</li>\n");
        }
        page.push("</ul>\n</section>\n");
    }
}

/// The text for the vendor, if there is anything to say.
fn letter(page: &mut Page<'_>) {
    if page.report.groups.is_empty() {
        return;
    }
    page.heading(LETTER);
    page.push("<p class=\"dim\">");
    page.words(LETTER_HINT);
    page.push("</p>\n<pre class=\"letter\">");
    page.said(&|outline| markup_lines(&letter::of(outline)));
    page.push("</pre>\n");
}

/// What each set of resources contains.
fn sets(page: &mut Page<'_>) {
    const MOST: usize = 50;
    let count = page.first().sets(MOST).len();
    if count == 0 {
        return;
    }
    page.heading(SETS);
    page.push("<ul class=\"sets\">\n");
    for at in 0..count {
        page.push("<li>");
        page.said(&|outline| outline.sets(MOST).get(at).map_or(String::new(), |line| markup(line)));
        page.push("</li>\n");
    }
    page.push("</ul>\n");
}

fn skipped(page: &mut Page<'_>) {
    const MOST: usize = 50;
    let skipped = &page.report.skipped;
    if skipped.is_empty() {
        return;
    }
    page.label(|phrases| phrases.skipped_head);
    page.push("<ul class=\"skipped\">\n");
    for file in skipped.iter().take(MOST) {
        page.push(&format!("<li><code>{}</code> ", markup(&file.name)));
        page.said(&|outline| markup(&of_report(&file.reason, file.cause.as_ref(), outline.lang)));
        page.push("</li>\n");
    }
    if skipped.len() > MOST {
        page.push(&format!("<li>… {}</li>\n", grouped(skipped.len().saturating_sub(MOST) as u64)));
    }
    page.push("</ul>\n");
}

/// Text of several lines.
fn markup_lines(text: &str) -> String {
    text.lines().map(markup).collect::<alloc::vec::Vec<_>>().join("\n")
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
    fn the_page_begins_with_the_language_asked_for_and_has_both() {
        let written = render(&sample::one(), Lang::Ja);
        assert!(written.contains("<html lang=\"ja\">") && written.contains("id=\"show-ja\" checked"), "{written}");
        assert!(written.contains("16 進数で 32 桁が必要"), "{written}");
        assert!(written.contains("hexadecimal digits instead of 32"), "{written}");
    }

    #[test]
    fn ten_thousand_findings_stay_below_400_kilobytes() {
        let written = render(&sample::many(100, 100), Lang::En);
        assert!(written.len() < 400_000, "{} bytes", written.len());
    }
}
