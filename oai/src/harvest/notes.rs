//! Counts notes.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::diagnostic::Arg;
use serde::{Deserialize, Serialize};

use crate::{catalogue::Code, note::Note};

/// Notes by code: the number, the arguments of the first one, and the first records concerned.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notes(Vec<Noted>);

/// All notes of one code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Noted {
    /// The requirement.
    pub code: Code,
    /// The number of notes.
    pub count: u64,
    /// The arguments of the message of the first note.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, Arg>,
    /// The first records concerned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<String>,
}

/// Maximum records named per code.
const NAMED: usize = 20;
/// Maximum characters of a value.
const LONGEST: usize = 500;

impl Notes {
    /// Counts a note.
    pub fn add(&mut self, note: &Note) {
        let args = note.args.iter().map(|(name, value)| {
            let value = match value {
                Arg::Text(text) => Arg::Text(text.chars().take(LONGEST).collect()),
                value => value.clone(),
            };
            (name.to_string(), value)
        });
        let noted = Noted {
            code: note.code,
            count: 1,
            args: args.collect(),
            identifiers: note.identifier.iter().cloned().collect(),
        };
        self.merge(noted);
    }

    /// Adds the notes of another.
    pub fn extend(&mut self, other: Notes) {
        other.0.into_iter().for_each(|noted| self.merge(noted));
    }

    fn merge(&mut self, noted: Noted) {
        match self.0.binary_search_by_key(&noted.code, |own| own.code) {
            Err(at) => self.0.insert(at, noted),
            Ok(at) => {
                let Some(own) = self.0.get_mut(at) else { return };
                own.count = own.count.saturating_add(noted.count);
                let room = NAMED.saturating_sub(own.identifiers.len());
                own.identifiers.extend(noted.identifiers.into_iter().take(room));
            }
        }
    }

    /// Names records in the note of a code.
    pub(super) fn name(&mut self, code: Code, identifiers: impl Iterator<Item = String>) {
        if let Some(noted) = self.0.iter_mut().find(|noted| noted.code == code) {
            let room = NAMED.saturating_sub(noted.identifiers.len());
            noted.identifiers.extend(identifiers.take(room));
        }
    }

    /// In the order of the catalogue.
    pub fn iter(&self) -> impl Iterator<Item = &Noted> {
        self.0.iter()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those of one code.
    pub fn of(&self, code: Code) -> Option<&Noted> {
        self.0.iter().find(|noted| noted.code == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn notes_are_counted_by_code() {
        let mut notes = Notes::default();
        for number in 0..30_u64 {
            notes.add(&Note::new(Code::OAI_32).of(&format!("{number}")).arg("value", "x"));
        }
        notes.add(&Note::new(Code::OAI_02));
        let mut both = notes.clone();
        both.extend(notes);
        let all: Vec<_> = both.iter().map(|noted| (noted.code.id(), noted.count, noted.identifiers.len())).collect();
        assert_eq!(all, [("OAI-02", 2, 0), ("OAI-32", 60, 20)]);
    }
}
