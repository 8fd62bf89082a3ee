//! A text for the vendor of the software that writes the documents, as a person would send it.

use alloc::{format, string::String};

use super::words::{
    LETTER_COUNT, LETTER_END, LETTER_FINE, LETTER_LEAD, LETTER_MORE, LETTER_PLACE, LETTER_RESULT, LETTER_SUBJECT,
};
use crate::report::{
    Diagnostic, FamilyWords, Verdict,
    escape::visible,
    frame::{CUT, Frame},
    i18n::labels::{counted, fill, grouped},
    outline::{Outline, Row, name},
};

/// Kinds of findings that are described.
const MOST: usize = 12;

pub(super) fn of(outline: &Outline<'_>) -> String {
    let (report, lang) = (outline.report, outline.lang);
    let is_wrong = report.verdict == Verdict::Invalid;
    let [subject, lead, end] = match report.family.words {
        Some(own) => {
            let subject = if is_wrong { own.subject } else { own.subject_fine };
            [subject, own.lead, own.end].map(|words| FamilyWords::of(words, lang))
        }
        None => {
            [if is_wrong { LETTER_SUBJECT } else { LETTER_FINE }, LETTER_LEAD, LETTER_END].map(|words| words.of(lang))
        }
    };
    let tool = [("tool", &*visible(&report.tool.name)), ("version", &*visible(&report.tool.version))];
    let mut out = format!("{subject}\n\n{}\n", fill(lead, &tool));
    out.push_str(&format!("{}\n", fill(LETTER_RESULT.of(lang), &[("line", &outline.verdict_line())])));
    let rows = outline.rows();
    for (at, row) in rows.iter().take(MOST).enumerate() {
        let first = report.diagnostics.iter().find(|found| found.code == row.code && found.severity == row.severity);
        item(&mut out, outline, at.saturating_add(1), row, first);
    }
    let more = rows.len().saturating_sub(MOST);
    if more > 0 {
        out.push_str(&format!("\n{}\n", fill(LETTER_MORE.of(lang), &[("n", &grouped(more as u64))])));
    }
    if !rows.is_empty() {
        out.push_str(&format!("\n{end}\n"));
    }
    out
}

/// One kind of finding, with its first occurrence.
fn item(out: &mut String, outline: &Outline<'_>, number: usize, row: &Row<'_>, first: Option<&Diagnostic>) {
    let (phrases, lang) = (outline.phrases, outline.lang);
    let counts =
        [("findings", &*counted(phrases.findings, row.count)), ("inputs", &*counted(phrases.inputs, row.inputs))];
    let count = fill(LETTER_COUNT.of(lang), &counts);
    let (severity, code) = (phrases.severity(row.severity), visible(row.code));
    out.push_str(&format!("\n{number}. {code} ({severity}): {count}\n"));
    let Some(found) = first else { return };
    out.push_str(&format!("   {}\n", visible(&outline.message(found))));
    if let Some(origin) = outline.origin(found) {
        out.push_str(&format!("   {}\n", visible(&origin)));
    }
    let name = visible(&name(outline.report, found.input));
    let place = found.span.map_or(name.clone(), |span| format!("{name}:{}:{}", span.start.line, span.start.column));
    out.push_str(&format!("   {}\n", fill(LETTER_PLACE.of(lang), &[("place", &place)])));
    if let Some(excerpt) = &found.excerpt {
        let frame = Frame::new(excerpt, Some(100));
        let cut = |cut: bool| if cut { CUT } else { "" };
        let (left, right) = (cut(frame.cut_left), cut(frame.cut_right));
        out.push_str(&format!("     {left}{}{}{}{right}\n", frame.before, frame.marked, frame.after));
    }
    let help = outline.help(found);
    if !help.is_empty() {
        out.push_str(&format!("   {}{}\n", phrases.help, visible(&help)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Lang, sample};

    #[test]
    fn the_letter_says_what_is_wrong_where_and_what_to_do() {
        let report = sample::one();
        let letter = of(&Outline::new(&report, Lang::En));
        let lines: alloc::vec::Vec<&str> = letter.lines().skip(5).collect();
        let expected = [
            "1. AT-07 (error): 1 finding in 1 input",
            "   `md5` digest with 3 hexadecimal digits instead of 32",
            "   MUST (derived): Z39.99-2017 §7",
            "   For example: list.xml:37:18",
            "     …<rs:md hash=\"md5:xyz\" length=\"8876\"/>",
            "   help: recompute the digest",
        ];
        assert_eq!(lines.get(..6), Some(&expected[..]), "{letter}");
        assert!(of(&Outline::new(&sample::clean(), Lang::En)).starts_with(LETTER_FINE.of(Lang::En)));
    }
}
