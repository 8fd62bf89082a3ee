//! How the columns of a table are read that was not made for this command.

use encoding_rs::Encoding;
use resourcesync::value::Datetime;

/// The columns, times and text of a table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Names of columns: that of an inventory, and that of the table.
    pub columns: Vec<(String, String)>,
    /// Columns that are not read.
    pub ignored: Ignored,
    /// The offset of times without one, such as `+09:00`.
    pub zone: Option<Zone>,
    /// The encoding; recognized by default.
    pub encoding: Option<TextEncoding>,
}

/// Columns that are not read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ignored {
    /// None: an unknown column is an error.
    #[default]
    None,
    /// Those of these names.
    Named(Vec<String>),
    /// All that are unknown.
    Unknown,
}

/// An offset from UTC, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(String);

/// The encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding(pub(super) &'static Encoding);

impl TextEncoding {
    /// The encoding of this name; `None` if it is unknown.
    #[must_use]
    pub fn parse(name: &str) -> Option<TextEncoding> {
        Encoding::for_label(name.as_bytes()).map(TextEncoding)
    }
}

impl Zone {
    /// Parses `Z` or an offset such as `+09:00`; `None` if it is neither.
    #[must_use]
    pub fn parse(text: &str) -> Option<Zone> {
        format!("2000-01-01T00:00:00{text}").parse::<Datetime>().ok().map(|_| Zone(text.to_owned()))
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Table {
    /// The name that an inventory has for a column; `None` if the column is not read.
    pub(super) fn name<'a>(&'a self, column: &'a str) -> Option<&'a str> {
        if let Some((own, _)) = self.columns.iter().find(|(_, theirs)| theirs == column) {
            return Some(own);
        }
        let is_ignored = match &self.ignored {
            Ignored::Named(names) => names.iter().any(|name| name == column),
            Ignored::None | Ignored::Unknown => false,
        };
        // A column whose name another one was given has none.
        let is_replaced = self.columns.iter().any(|(own, _)| own == column);
        (!is_ignored && !is_replaced).then_some(column)
    }

    /// True if unknown columns are not read.
    pub(super) fn ignores_unknown(&self) -> bool {
        self.ignored == Ignored::Unknown
    }

    /// Why a table with this header cannot be read: a column that was named is missing.
    pub(super) fn missing<'a>(&self, header: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
        let is_missing = |(_, theirs): &&(String, String)| header.clone().all(|column| column != theirs);
        let (own, theirs) = self.columns.iter().find(is_missing)?;
        let names = header.clone().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        Some(format!("column `{theirs}` for `{own}` is missing; the header has {names}"))
    }
}
