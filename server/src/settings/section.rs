//! A table of the configuration: its keys are checked, and its values read with their places.

use std::borrow::Cow;

use resourcesync::edit_distance::unknown;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A byte offset and a problem.
pub(super) type Complaint = (usize, String);

/// A table whose keys are known.
pub(super) struct Section<'t, 'i> {
    table: &'t DeTable<'i>,
    /// Its byte offset.
    pub(super) at: usize,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl<'t, 'i> Section<'t, 'i> {
    /// Checks the keys of a table.
    pub(super) fn new(table: &'t DeTable<'i>, at: usize, names: &[&str]) -> Result<Section<'t, 'i>, Complaint> {
        let mut keys: Vec<&Spanned<Cow<'i, str>>> = table.keys().collect();
        keys.sort_by_key(|key| key.span().start);
        for key in keys {
            let name: &str = key.get_ref();
            if !names.contains(&name) {
                return Err((key.span().start, unknown("key", name, names.iter().copied())));
            }
        }
        Ok(Section { table, at })
    }

    fn value(&self, name: &str) -> Option<&'t Value<'i>> {
        self.table.get(name)
    }

    /// The place of a value, or of the table.
    pub(super) fn place(&self, name: &str) -> usize {
        self.value(name).map_or(self.at, |value| value.span().start)
    }

    /// The complaint about a missing key.
    pub(super) fn missing(&self, name: &str) -> Complaint {
        (self.at, format!("`{name}` is missing"))
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&'t str>, Complaint> {
        self.value(name).map(text).transpose()
    }

    pub(super) fn needed_text(&self, name: &str) -> Result<&'t str, Complaint> {
        self.text(name)?.ok_or_else(|| self.missing(name))
    }

    /// A text that is parsed.
    pub(super) fn parsed<T>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Complaint> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        parse(text).map(Some).map_err(|problem| (self.place(name), problem))
    }

    pub(super) fn truth(&self, name: &str) -> Result<Option<bool>, Complaint> {
        match self.value(name).map(|value| (value.span().start, value.get_ref())) {
            None => Ok(None),
            Some((_, DeValue::Boolean(truth))) => Ok(Some(*truth)),
            Some((at, _)) => Err((at, "expected true or false".to_owned())),
        }
    }

    fn list(&self, name: &str) -> Result<Option<Vec<&'t Value<'i>>>, Complaint> {
        match self.value(name).map(|value| (value.span().start, value.get_ref())) {
            None => Ok(None),
            Some((_, DeValue::Array(items))) => Ok(Some(items.iter().collect())),
            Some((at, _)) => Err((at, format!("expected a list of values for `{name}`"))),
        }
    }

    /// The texts of a list, with their places.
    pub(super) fn texts(&self, name: &str) -> Result<Option<Vec<(usize, &'t str)>>, Complaint> {
        let Some(items) = self.list(name)? else { return Ok(None) };
        items.into_iter().map(|item| Ok((item.span().start, text(item)?))).collect::<Result<_, _>>().map(Some)
    }

    /// The whole numbers of a list, with their places.
    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<(usize, u64)>>, Complaint> {
        let Some(items) = self.list(name)? else { return Ok(None) };
        let number = |item: &'t Value<'i>| match item.get_ref() {
            DeValue::Integer(digits) => u64::from_str_radix(digits.as_str(), digits.radix())
                .map(|number| (item.span().start, number))
                .map_err(|_| (item.span().start, "expected a whole number".to_owned())),
            _ => Err((item.span().start, "expected a whole number".to_owned())),
        };
        items.into_iter().map(number).collect::<Result<_, _>>().map(Some)
    }

    /// A table.
    pub(super) fn section(&self, name: &str, names: &[&str]) -> Result<Option<Section<'t, 'i>>, Complaint> {
        self.value(name).map(|value| table(value, name, names)).transpose()
    }

    /// A list of tables.
    pub(super) fn sections(&self, name: &str, names: &[&str]) -> Result<Vec<Section<'t, 'i>>, Complaint> {
        self.list(name)?.unwrap_or_default().into_iter().map(|value| table(value, name, names)).collect()
    }
}

fn text<'t>(value: &'t Value<'_>) -> Result<&'t str, Complaint> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => Err((value.span().start, "expected a text in quotes".to_owned())),
    }
}

fn table<'t, 'i>(value: &'t Value<'i>, name: &str, names: &[&str]) -> Result<Section<'t, 'i>, Complaint> {
    let at = value.span().start;
    match value.get_ref() {
        DeValue::Table(table) => Section::new(table, at, names),
        _ => Err((at, format!("expected a table `{name}`"))),
    }
}
