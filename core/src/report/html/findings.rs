//! The findings, by code: some in full, more as places.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    bilingual::{Page, coded},
    words::{MORE_PLACES, WHY},
};
use crate::report::{
    Diagnostic,
    escape::markup,
    frame::{CUT, Frame},
    i18n::labels::{counted, fill, grouped},
    outline::{Outline, Row, name},
};

/// Findings in full, of each code and in all.
const FULL: usize = 3;
const FULL_IN_ALL: usize = 60;
/// Further findings as places, of each code and in all.
const PLACES: usize = 50;
const PLACES_IN_ALL: usize = 400;
/// Codes that are open, and codes that are explained.
const OPEN: usize = 8;
const EXPLAINED: usize = 30;

pub(super) fn render(page: &mut Page<'_>) {
    let rows = page.first().rows();
    page.label(|phrases| phrases.findings_head);
    if rows.is_empty() {
        page.push("<p>");
        page.said(&|outline| markup(outline.phrases.no_findings));
        page.push("</p>\n");
    }
    let mut room = Room { full: FULL_IN_ALL, places: PLACES_IN_ALL };
    for (at, row) in rows.iter().enumerate() {
        section(page, row, at, &mut room);
    }
}

/// What the page still has room for.
struct Room {
    full: usize,
    places: usize,
}

/// All findings of one code and severity.
fn section(page: &mut Page<'_>, row: &Row<'_>, at: usize, room: &mut Room) {
    let report = page.report;
    let of_row = |found: &&Diagnostic| found.code == row.code && found.severity == row.severity;
    let own: Vec<&Diagnostic> = report.diagnostics.iter().filter(of_row).collect();
    let first = own.first().copied();
    let is_same = first.is_some_and(|first| own.iter().all(|found| found.message == first.message));
    page.push(&format!(
        "<details class=\"{}\"{}>\n<summary><span class=\"severity\">",
        row.severity,
        if at < OPEN { " open" } else { "" }
    ));
    page.said(&|outline| markup(outline.phrases.severity(row.severity)));
    page.push(&format!("</span> <strong>{}</strong> <span class=\"what\">", markup(row.code)));
    page.said(&|outline| match first {
        Some(found) if is_same => coded(&outline.message(found)),
        _ => headline(row, outline),
    });
    page.push("</span> <span class=\"count\">");
    page.said(&|Outline { phrases, .. }| {
        format!("{} · {}", counted(phrases.findings, row.count), counted(phrases.inputs, row.inputs))
    });
    page.push("</span></summary>\n");
    if let Some(found) = first {
        page.push("<p class=\"origin\">");
        page.said(&|outline| outline.origin(found).map_or(String::new(), |origin| markup(&origin)));
        page.push("</p>\n");
    }
    if at < EXPLAINED {
        why(page, row);
    }
    let full = own.len().min(FULL).min(room.full);
    room.full = room.full.saturating_sub(full);
    for found in own.iter().take(full) {
        finding(page, found, is_same);
    }
    let places = own.len().saturating_sub(full).min(PLACES).min(room.places);
    room.places = room.places.saturating_sub(places);
    if places > 0 {
        page.push("<p class=\"more\">");
        page.words(MORE_PLACES);
        page.push("</p>\n<ul class=\"places\">\n");
        for found in own.iter().skip(full).take(places) {
            page.push("<li>");
            place(page, found);
            if !is_same {
                page.push(" ");
                page.said(&|outline| coded(&outline.message(found)));
            }
            page.push("</li>\n");
        }
        page.push("</ul>\n");
    }
    let left = row.count.saturating_sub(full.saturating_add(places) as u64);
    if left > 0 {
        page.push("<p class=\"more\">");
        page.said(&|outline| markup(&fill(outline.phrases.and_more, &[("n", &grouped(left))])));
        page.push("</p>\n");
    }
    page.push("</details>\n");
}

/// What the rule demands, where its findings differ.
fn headline(row: &Row<'_>, outline: &Outline<'_>) -> String {
    explanation(row, outline).map_or_else(|| markup(row.rule), |(what, _)| coded(what))
}

/// Why the rule exists.
fn why(page: &mut Page<'_>, row: &Row<'_>) {
    if explanation(row, &page.first()).is_none() {
        return;
    }
    page.push("<p class=\"why\"><strong>");
    page.words(WHY);
    page.push("</strong> ");
    page.said(&|outline| explanation(row, outline).map_or(String::new(), |(_, why)| coded(why)));
    page.push("</p>\n");
}

/// What a rule demands and why, if the library has the texts of rules.
#[cfg(feature = "texts")]
fn explanation(row: &Row<'_>, outline: &Outline<'_>) -> Option<(&'static str, &'static str)> {
    use crate::{diagnostic::Code, report::Lang, rules::Rule};
    let Some(code) = Code::find(row.code) else {
        let texts = outline.report.family.find(row.code)?.texts?;
        let [what, why, _] = match outline.lang {
            Lang::En => texts.en,
            Lang::Ja => texts.ja,
        };
        return Some((what, why));
    };
    let texts = &Rule::of(code).texts;
    let own = match outline.lang {
        Lang::En => &texts.en,
        Lang::Ja => &texts.ja,
    };
    Some((own.what, own.why))
}

#[cfg(not(feature = "texts"))]
fn explanation(_: &Row<'_>, _: &Outline<'_>) -> Option<(&'static str, &'static str)> {
    None
}

/// Where a finding is.
fn place(page: &mut Page<'_>, found: &Diagnostic) {
    let name = name(page.report, found.input);
    let place = found.span.map_or(name.clone(), |span| format!("{name}:{}:{}", span.start.line, span.start.column));
    page.push(&format!("<code>{}</code>", markup(&place)));
    if let Some(entry) = &found.entry {
        page.push(" · ");
        page.said(&|outline| markup(&fill(outline.phrases.entry, &[("n", &entry.index.to_string())])));
        if let Some(loc) = found.shown_loc() {
            page.push(&format!(" · <code>{}</code>", markup(&loc)));
        }
    }
}

fn finding(page: &mut Page<'_>, found: &Diagnostic, is_said: bool) {
    page.push("<article>\n");
    if !is_said {
        page.push("<p class=\"message\">");
        page.said(&|outline| coded(&outline.message(found)));
        page.push("</p>\n");
    }
    page.push("<p class=\"place\">");
    place(page, found);
    page.push("</p>\n");
    if let Some(excerpt) = &found.excerpt {
        let frame = Frame::new(excerpt, None);
        let cut = |cut: bool| if cut { CUT } else { "" };
        page.push(&format!(
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
    let notes = |outline: &Outline<'_>| -> Vec<String> {
        let related = found.related.iter().map(|related| outline.related(found, related));
        let detail = outline.detail(found).map(|detail| format!("{}{detail}", outline.phrases.detail));
        let help = Some(outline.help(found)).filter(|help| !help.is_empty());
        let help = help.map(|help| format!("{}{help}", outline.phrases.help));
        related.chain(detail).chain(help).collect()
    };
    let count = notes(&page.first()).len();
    if count > 0 {
        page.push("<ul>\n");
        for at in 0..count {
            page.push("<li>");
            page.said(&|outline| notes(outline).get(at).map_or(String::new(), |note| coded(note)));
            page.push("</li>\n");
        }
        page.push("</ul>\n");
    }
    page.push("</article>\n");
}
