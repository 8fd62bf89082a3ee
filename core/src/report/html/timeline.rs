//! The timeline: when each document of a Source begins and ends, as text and as a bar.

use alloc::{format, string::String, vec::Vec};

use super::{
    bilingual::Page,
    words::{OPEN, PERIOD, TIMELINE},
};
use crate::{
    report::{Input, escape::markup, i18n::labels::fill, outline::name},
    value::Datetime,
};

/// Documents on the timeline.
const MOST: usize = 60;

/// A document on the timeline, in seconds since 1970.
struct Row<'a> {
    input: &'a Input,
    begin: i64,
    /// `None` while it is open.
    end: Option<i64>,
}

pub(super) fn render(page: &mut Page<'_>) {
    let report = page.report;
    let mut rows: Vec<Row<'_>> = report.inputs.iter().filter_map(row).collect();
    rows.sort_by_key(|row| (row.begin, row.input.id));
    let Some(first) = rows.first().map(|row| row.begin) else { return };
    // An open interval reaches to the latest change.
    let changes = report.sets.iter().filter_map(|set| seconds(set.newest_change.as_ref()));
    let last = rows.iter().map(|row| row.end.unwrap_or(row.begin)).chain(changes).max().unwrap_or(first);
    page.heading(TIMELINE);
    page.push("<div class=\"scroll\" tabindex=\"0\"><table class=\"timeline\">\n<thead><tr><th scope=\"col\">");
    page.said(&|outline| markup(outline.phrases.name_head));
    page.push("</th><th scope=\"col\">");
    page.said(&|outline| markup(outline.phrases.kind_head));
    page.push("</th><th scope=\"col\">");
    page.words(PERIOD);
    page.push("</th><td></td></tr></thead>\n<tbody>\n");
    for row in rows.iter().take(MOST) {
        page.push(&format!("<tr><td><code>{}</code></td><td>", markup(&name(report, row.input.id))));
        page.said(&|outline| markup(outline.kind(row.input)));
        page.push("</td><td>");
        page.said(&|outline| markup(&period(row, OPEN.of(outline.lang))));
        let (left, width) = place(row, first, last);
        let open = if row.end.is_none() { " class=\"open\"" } else { "" };
        page.push(&format!(
            "</td><td aria-hidden=\"true\"><i{open} style=\"margin-left:{left}%;width:{width}%\"></i></td></tr>\n"
        ));
    }
    page.push("</tbody>\n</table></div>\n");
    let more = rows.len().saturating_sub(MOST);
    if more > 0 {
        page.push("<p class=\"more\">");
        page.said(&|outline| outline.and_more(more).map_or(String::new(), |more| markup(&more)));
        page.push("</p>\n");
    }
}

/// A document whose times can be placed.
fn row(input: &Input) -> Option<Row<'_>> {
    let times = &input.times;
    match seconds(times.from.as_ref()) {
        Some(begin) => Some(Row { input, begin, end: seconds(times.until.as_ref()) }),
        None => {
            let begin = seconds(times.at.as_ref())?;
            Some(Row { input, begin, end: Some(seconds(times.completed.as_ref()).unwrap_or(begin)) })
        }
    }
}

/// Seconds since 1970.
fn seconds(text: Option<&String>) -> Option<i64> {
    Some(text?.parse::<Datetime>().ok()?.to_unix().0)
}

/// What the document states, as written.
fn period(row: &Row<'_>, open: &str) -> String {
    let times = &row.input.times;
    let (begin, end) = match &times.from {
        Some(from) => (Some(from), times.until.as_ref()),
        None => (times.at.as_ref(), times.completed.as_ref()),
    };
    let begin = begin.map_or("", String::as_str);
    match end {
        Some(end) => format!("{begin} – {end}"),
        None if row.end.is_none() => fill(open, &[("from", begin)]),
        None => begin.into(),
    }
}

/// Where the bar begins and how wide it is, in percent; an open one reaches to the end.
fn place(row: &Row<'_>, first: i64, last: i64) -> (i64, i64) {
    let whole = last.saturating_sub(first);
    let share =
        |moment: i64| moment.saturating_sub(first).saturating_mul(100).checked_div(whole).unwrap_or(0).clamp(0, 100);
    let (left, right) = (share(row.begin), row.end.map_or(100, share));
    (left.min(99), right.saturating_sub(left).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Lang, Times, sample};

    fn dated(id: u64, times: [Option<&str>; 4]) -> Input {
        let [at, completed, from, until] = times.map(|time| time.map(String::from));
        Input { times: Times { at, completed, from, until }, ..sample::input(id) }
    }

    #[test]
    fn documents_are_placed_between_the_first_and_the_last_moment() {
        let mut report = sample::clean();
        report.inputs = alloc::vec![
            dated(0, [None, None, Some("2026-01-03T00:00:00Z"), None]),
            dated(1, [None, None, Some("2026-01-01T00:00:00Z"), Some("2026-01-03T00:00:00Z")]),
            dated(2, [Some("2026-01-05T00:00:00Z"), None, None, None]),
            dated(3, [Some("<b>"), None, None, None]),
            sample::input(4),
        ];
        let mut page = Page::new(&report, Lang::En);
        render(&mut page);
        let bars: Vec<&str> = page.out.split("<i").skip(1).filter_map(|bar| bar.split('>').next()).collect();
        let expected = [
            " style=\"margin-left:0%;width:50%\"",
            " class=\"open\" style=\"margin-left:50%;width:50%\"",
            " style=\"margin-left:99%;width:1%\"",
        ];
        assert_eq!(bars, expected, "{}", page.out);
        for text in ["2026-01-01T00:00:00Z – 2026-01-03T00:00:00Z", "since 2026-01-03T00:00:00Z"] {
            assert!(page.out.contains(text), "{}", page.out);
        }
        assert!(!page.out.contains("<b>"));
    }

    #[test]
    fn a_report_without_times_has_no_timeline() {
        let report = sample::one();
        let mut page = Page::new(&report, Lang::En);
        render(&mut page);
        assert!(page.out.is_empty());
    }
}
