//! An explanation for a terminal.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use super::Explanation;

/// Columns of prose.
const WIDTH: usize = 88;

pub(super) fn write(about: &Explanation) -> String {
    let titles = about.titles;
    let mut text = format!("{}\n\n", about.title());
    for row in &about.rows {
        text.push_str(&format!("  {:<8} {}\n", row.code, about.weight(row)));
    }
    let mut section = |title: &str, body: &str| text.push_str(&format!("\n{title}\n{body}"));
    section(titles.message, &wrapped(&about.message(about.row.message)));
    for (title, prose) in about.prose() {
        section(title, &wrapped(prose));
    }
    for (title, example) in about.examples() {
        section(title, &indented(example));
    }
    if !about.others.is_empty() {
        section(titles.others, &wrapped(&about.others.join(", ")));
    }
    if !about.details.is_empty() {
        let lines: Vec<_> =
            about.details.iter().map(|row| format!("  {}  {}\n", row.code, about.message(row.message))).collect();
        section(titles.details, &lines.concat());
    }
    text
}

fn indented(text: &str) -> String {
    text.trim_end()
        .lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
        .collect()
}

/// Breaks between words; text without spaces is left to the terminal.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count().saturating_add(word.chars().count()) >= WIDTH {
            lines.push_str(&format!("  {line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push_str(&format!("  {line}\n"));
    lines
}
