//! An explanation in Markdown.

use alloc::{format, string::String};

use super::Explanation;

pub(super) fn write(about: &Explanation) -> String {
    let titles = about.titles;
    let mut page = format!("# {}\n\n", about.title());
    page.push_str(&format!("## {}\n\n", titles.codes));
    for row in &about.rows {
        page.push_str(&format!("- **{}**: {}\n", row.code, about.weight(row)));
    }
    page.push_str(&format!("\n## {}\n\n> {}\n", titles.message, about.message(about.row.message)));
    for (title, prose) in about.prose() {
        page.push_str(&format!("\n## {title}\n\n{prose}\n"));
    }
    for (title, example) in about.examples() {
        page.push_str(&format!("\n## {title}\n\n```xml\n{}\n```\n", example.trim_end()));
    }
    if !about.others.is_empty() {
        page.push_str(&format!("\n{}: {}\n", titles.others, about.others.join(", ")));
    }
    if !about.details.is_empty() {
        page.push_str(&format!("\n## {}\n\n", titles.details));
        about
            .details
            .iter()
            .for_each(|row| page.push_str(&format!("- **{}**: {}\n", row.code, about.message(row.message))));
    }
    page
}
