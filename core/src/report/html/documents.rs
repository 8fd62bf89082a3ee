//! The documents, each below the one that leads to it, with its verdict and the number of its findings.

use alloc::{collections::BTreeMap, format, string::String};

use super::{bilingual::Page, words::DOCUMENTS};
use crate::report::{
    escape::markup,
    i18n::labels::{Phrases, grouped},
    outline::name,
};

/// Documents in the table.
const MOST: usize = 150;

/// The class of columns with numbers.
const NUMBER: &str = " class=\"number\"";

/// The head of a column.
fn head(page: &mut Page<'_>, class: &str, label: &dyn Fn(&Phrases) -> &'static str) {
    page.push(&format!("<th scope=\"col\"{class}>"));
    page.said(&|outline| markup(label(outline.phrases)));
    page.push("</th>");
}

pub(super) fn render(page: &mut Page<'_>) {
    let report = page.report;
    if page.first().is_walk() {
        page.heading(DOCUMENTS);
    } else {
        page.label(|phrases| phrases.inputs_head);
    }
    page.push("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>");
    head(page, "", &|phrases| phrases.name_head);
    head(page, "", &|phrases| phrases.kind_head);
    head(page, "", &|phrases| phrases.verdict_head);
    head(page, NUMBER, &|phrases| phrases.findings_head);
    head(page, NUMBER, &|phrases| phrases.entries_head);
    head(page, NUMBER, &|phrases| phrases.size_head);
    page.push("</tr></thead>\n<tbody>\n");
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for group in &report.groups {
        let count = counts.entry(group.input).or_default();
        *count = count.saturating_add(group.count);
    }
    let order = page.first().walk();
    for (depth, input) in order.iter().take(MOST) {
        page.push(&format!(
            "<tr><td class=\"depth-{depth}\"><code>{}</code></td><td>",
            markup(&name(report, input.id))
        ));
        page.said(&|outline| markup(outline.kind(input)));
        page.push(&format!("</td><td class=\"{}\">", input.verdict.as_str()));
        page.said(&|outline| markup(outline.phrases.verdict(input.verdict)));
        page.push(&format!(
            "</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">",
            counts.get(&input.id).map_or(String::new(), |count| grouped(*count)),
            grouped(input.entries)
        ));
        page.said(&|outline| markup(&outline.phrases.size(input.bytes)));
        page.push("</td></tr>\n");
    }
    page.push("</tbody>\n</table></div>\n");
    let more = order.len().saturating_sub(MOST);
    if more > 0 {
        page.push("<p class=\"more\">");
        page.said(&|outline| outline.and_more(more).map_or(String::new(), |more| markup(&more)));
        page.push("</p>\n");
    }
}
