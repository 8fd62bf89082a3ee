//! The options of the formats for people.

use super::Lang;

/// Options of the formats for people. Formats for machines have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Render {
    /// The language of text, Markdown, HTML and CSV.
    pub lang: Lang,
    /// Text is coloured for a terminal.
    pub color: bool,
    /// Findings that text and Markdown show for each code, severity and input; 0 shows all.
    pub max_per_rule: u64,
    /// Columns of the terminal: code frames in text are cut to fit. `None` shows excerpts whole.
    pub width: Option<u32>,
}

impl Default for Render {
    fn default() -> Render {
        Render { lang: Lang::En, color: false, max_per_rule: 5, width: Some(120) }
    }
}
