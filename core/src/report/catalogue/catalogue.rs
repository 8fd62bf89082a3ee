//! The codes of this crate and of those based on it, selected by name.

use alloc::{vec, vec::Vec};

use super::{Explanation, ExplanationError, Row};
use crate::{
    diagnostic::Code,
    edit_distance::nearest,
    report::{Lang, SelectorError},
    xml::Detail,
};

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
        Ok(Explanation::new((&self.rows, self.lang), rows, row))
    }

    fn unknown(&self, name: &str) -> SelectorError {
        let names = self.rows.iter().filter(|row| row.detail.is_none()).flat_map(|row| [row.rule, row.code]);
        SelectorError { name: name.into(), suggestion: nearest(name, names) }
    }
}
