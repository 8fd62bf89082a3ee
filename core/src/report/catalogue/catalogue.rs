//! The catalogue as rows with all texts of a code in one language, rendered for people and programs.

mod explanation;
mod explanation_markdown;
mod explanation_text;
mod table;

use alloc::{string::String, vec, vec::Vec};

use serde::Serialize;

pub use self::{
    explanation::{Explanation, ExplanationError},
    table::table,
};
use super::{Lang, SelectorError};
use crate::{
    diagnostic::{Code, Level, Severity},
    edit_distance::nearest,
    rules::Rule,
    xml::Detail,
};

/// The code with details, `XML-nn`.
const WITH_DETAILS: Code = Code::GEN_01;

/// A code and the rule that reports it.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// `RL-03`, or `XML-07` for a detail of `GEN-01`.
    pub code: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// The name of the detail, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'static str>,
    /// MUST, SHOULD …; like `derived` and `section`, absent for codes outside the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// True if the standard implies the requirement but does not state it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<bool>,
    /// The severity before profile and configuration.
    pub severity: Severity,
    /// The section of the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<&'static str>,
    /// The message; `{name}` stands for an argument.
    pub message: &'static str,
    /// One line on how to fix it.
    pub help: &'static str,
    /// The requirement.
    pub what: &'static str,
    /// Why it matters to a harvester.
    pub why: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    /// A document that violates it; absent if no single document can.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub wrong: &'static str,
    /// The same document, corrected.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub right: &'static str,
}

impl Row {
    fn of(code: Code, lang: Lang) -> Row {
        let rule = Rule::of(code);
        let requirement = code.requirement();
        let texts = &rule.texts;
        let (message, help, words) = match lang {
            Lang::En => (rule.message, rule.help, &texts.en),
            Lang::Ja => (texts.message_ja, texts.help_ja, &texts.ja),
        };
        Row {
            code: code.id(),
            rule: rule.name,
            detail: None,
            level: requirement.level.map(Level::as_str),
            derived: requirement.level.map(|_| requirement.derived),
            severity: requirement.severity,
            section: requirement.section,
            message,
            help,
            what: words.what,
            why: words.why,
            fix: words.fix,
            wrong: texts.wrong,
            right: texts.right,
        }
    }

    fn of_detail(detail: Detail, lang: Lang) -> Row {
        let message = match lang {
            Lang::En => detail.message(),
            Lang::Ja => detail.message_ja(),
        };
        // The examples are of another detail.
        Row {
            code: detail.code(),
            detail: Some(detail.name()),
            message,
            wrong: "",
            right: "",
            ..Row::of(Code::GEN_01, lang)
        }
    }
}

impl Row {
    /// True if a code, family, detail, rule or `derived` selects it. A detail is also selected by whatever selects its
    /// code.
    fn is_of(&self, name: &str) -> bool {
        let is_code = |code: &str| {
            let family = code.split_once('-').map_or(code, |(family, _)| family);
            code.eq_ignore_ascii_case(name) || family.eq_ignore_ascii_case(name)
        };
        let own = if self.detail.is_some() { WITH_DETAILS.id() } else { self.code };
        self.code.eq_ignore_ascii_case(name)
            || is_code(own)
            || self.rule == name
            || (name == "derived" && self.derived == Some(true))
    }
}

/// Codes with all their texts in one language, of this crate and of the crates based on it.
#[derive(Debug, Clone)]
pub struct Catalogue {
    lang: Lang,
    rows: Vec<Row>,
}

impl Catalogue {
    /// The codes of this crate; the details of `GEN-01` come last.
    pub fn new(lang: Lang) -> Catalogue {
        let details = Detail::ALL.iter().map(|detail| Row::of_detail(*detail, lang));
        Catalogue { lang, rows: Code::all().map(|code| Row::of(code, lang)).chain(details).collect() }
    }

    /// Appends the codes of another crate.
    pub fn with(mut self, rows: impl IntoIterator<Item = Row>) -> Catalogue {
        self.rows.extend(rows);
        self
    }

    /// All rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows of these codes, families, details, rules and `derived`; all rows if there are no names.
    ///
    /// # Errors
    ///
    /// If a name is unknown.
    pub fn select(&self, names: &[impl AsRef<str>]) -> Result<Vec<Row>, SelectorError> {
        let names: Vec<&str> = names.iter().map(|name| name.as_ref().trim()).collect();
        for name in &names {
            if !self.rows.iter().any(|row| row.is_of(name)) {
                return Err(self.unknown(name));
            }
        }
        let is_wanted = |row: &&Row| names.is_empty() || names.iter().any(|name| row.is_of(name));
        Ok(self.rows.iter().filter(is_wanted).cloned().collect())
    }

    /// The explanation of a code (`RL-03`), a rule (`missing-at`) or a detail of GEN-01 (`XML-07`).
    ///
    /// # Errors
    ///
    /// If the name is unknown, or if it selects many codes.
    pub fn explain(&self, name: &str) -> Result<Explanation, ExplanationError> {
        let code = name.to_ascii_uppercase();
        let rows: Vec<Row> = match self.rows.iter().find(|row| row.code == code) {
            Some(row) => vec![row.clone()],
            None => self.rows.iter().filter(|row| row.rule == name && row.detail.is_none()).cloned().collect(),
        };
        let Some(row) = rows.first().cloned() else {
            return Err(match self.rows.iter().any(|row| row.is_of(name)) {
                true => ExplanationError::Many(name.into()),
                false => ExplanationError::Unknown(self.unknown(name)),
            });
        };
        Ok(Explanation::new(self, rows, row))
    }

    fn unknown(&self, name: &str) -> SelectorError {
        let names = self.rows.iter().filter(|row| row.detail.is_none()).flat_map(|row| [row.rule, row.code]);
        SelectorError { name: name.into(), suggestion: nearest(name, names) }
    }
}

/// Rows as JSON, indented; `rules --format json` and `explain --format json`.
pub fn to_json(rows: &[Row]) -> String {
    // Texts and booleans with string keys: serializing cannot fail.
    let mut json = serde_json::to_string_pretty(rows).unwrap_or_default();
    json.push('\n');
    json
}
