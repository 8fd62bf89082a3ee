//! An explanation for a terminal.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use super::Explanation;

/// Columns of prose.
const WIDTH: usize = 88;

impl Explanation {
    /// Renders it for a terminal.
    pub fn to_text(&self) -> String {
        let titles = self.titles;
        let mut text = format!("{}\n\n", self.title());
        for row in &self.rows {
            text.push_str(&format!("  {:<8} {}\n", row.code, self.weight(row)));
        }
        let mut section = |title: &str, body: &str| text.push_str(&format!("\n{title}\n{body}"));
        section(titles.message, &wrapped(&self.message(self.row.message)));
        for (title, prose) in self.prose() {
            section(title, &wrapped(prose));
        }
        for (title, example) in self.examples() {
            section(title, &indented(example));
        }
        if !self.others.is_empty() {
            section(titles.others, &wrapped(&self.others.join(", ")));
        }
        if !self.details.is_empty() {
            let lines: Vec<_> =
                self.details.iter().map(|row| format!("  {}  {}\n", row.code, self.message(row.message))).collect();
            section(titles.details, &lines.concat());
        }
        text
    }
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
