//! An explanation in Markdown.

use alloc::{format, string::String};

use super::Explanation;

impl Explanation {
    /// Renders it for a web page.
    pub fn to_markdown(&self) -> String {
        let titles = self.titles;
        let mut page = format!("# {}\n\n", self.title());
        page.push_str(&format!("## {}\n\n", titles.codes));
        for row in &self.rows {
            page.push_str(&format!("- **{}**: {}\n", row.code, self.weight(row)));
        }
        page.push_str(&format!("\n## {}\n\n> {}\n", titles.message, self.message(self.row.message)));
        for (title, prose) in self.prose() {
            page.push_str(&format!("\n## {title}\n\n{prose}\n"));
        }
        for (title, example) in self.examples() {
            page.push_str(&format!("\n## {title}\n\n```xml\n{}\n```\n", example.trim_end()));
        }
        if !self.others.is_empty() {
            page.push_str(&format!("\n{}: {}\n", titles.others, self.others.join(", ")));
        }
        if !self.details.is_empty() {
            page.push_str(&format!("\n## {}\n\n", titles.details));
            self.details
                .iter()
                .for_each(|row| page.push_str(&format!("- **{}**: {}\n", row.code, self.message(row.message))));
        }
        page
    }
}
