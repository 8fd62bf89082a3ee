//! Compares a stored resource with its entry in a list: what an audit reports.

use serde::{Deserialize, Serialize};

use crate::{digests::by_digest, listed_resource::ListedResource, stored_state::StoredState};

/// The result for one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// The file is unchanged since it was verified, and is as listed.
    Equal,
    /// It is listed, and its file is missing.
    Missing,
    /// It is listed, and no run could store it as listed: a debt.
    Debt,
    /// It is stored, and not listed.
    Extra,
    /// The file is unchanged, and the Source lists another state.
    Behind,
    /// The file is unchanged, and the original that the Source names has other bytes.
    Diverged,
    /// The file has other bytes than those that were verified.
    Damaged,
    /// The file is unchanged, and cannot be compared: nothing is listed, or the changes since the list are not known.
    Unverifiable,
    /// The file could not be read.
    Unreadable,
}

impl Sign {
    /// One character, as printed by tools that compare folders.
    pub fn as_char(self) -> char {
        match self {
            Sign::Equal => '=',
            Sign::Missing | Sign::Debt => '-',
            Sign::Extra => '+',
            Sign::Behind | Sign::Diverged | Sign::Damaged => '*',
            Sign::Unverifiable => '?',
            Sign::Unreadable => '!',
        }
    }

    /// True if the copy and the Source differ.
    pub fn is_difference(self) -> bool {
        !matches!(self, Sign::Equal | Sign::Unverifiable | Sign::Unreadable)
    }
}

/// How the record of a stored resource compares with its entry, whatever its file is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// It has a listed digest, or the listed length if no digest is listed.
    Same,
    /// It has another digest or length.
    Other,
    /// Only digests of algorithms are listed that were not computed when it was stored.
    Hash,
    /// There is nothing to compare by.
    Nothing,
}

/// Compares the record of a stored resource with its entry.
pub fn relate(resource: &ListedResource, state: &StoredState) -> Relation {
    let own_length = state.length.or_else(|| resource.encoding.is_none().then_some(state.size));
    let same_length = resource.length.zip(own_length).map(|(listed, own)| listed == own);
    let other_coding = resource.encoding.is_none() && state.is_decoded();
    if same_length == Some(false) || other_coding {
        return Relation::Other;
    }
    let listed = resource.hashes();
    if listed.iter().next().is_some() {
        return match by_digest(&listed, &state.hashes()) {
            Some(true) => Relation::Same,
            Some(false) => Relation::Other,
            // The listed digests are of the coding, and the file is decoded.
            None if resource.encoding.is_some() => Relation::Nothing,
            None => Relation::Hash,
        };
    }
    let is_newer = resource.lastmod.is_some() && resource.lastmod != state.lastmod;
    if same_length == Some(true) && !is_newer { Relation::Same } else { Relation::Nothing }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const MD5: &str = "md5:900150983cd24fb0d6963f7d28e17f72";
    const OTHER: &str = "md5:1584abdf8ebdc9802ac0c6a7402c03b6";
    const SHA1: &str = "sha-1:a9993e364706816aba3e25717850c26c9cd0d89d";

    fn resource(hash: &str, length: Option<u64>) -> ListedResource {
        ListedResource { hash: (!hash.is_empty()).then(|| hash.to_string()), length, ..ListedResource::default() }
    }

    #[test]
    fn a_digest_decides_else_the_length_and_else_nothing_does() {
        let state = StoredState { hash: Some(MD5.to_string()), length: Some(3), size: 3, ..StoredState::default() };
        for (hash, length, relation) in [
            (MD5, Some(3), Relation::Same),
            (MD5, None, Relation::Same),
            (MD5, Some(4), Relation::Other),
            (OTHER, Some(3), Relation::Other),
            (SHA1, Some(3), Relation::Hash),
            ("", Some(3), Relation::Same),
            ("", Some(4), Relation::Other),
            ("", None, Relation::Nothing),
        ] {
            assert_eq!(relate(&resource(hash, length), &state), relation, "{hash} {length:?}");
        }
        let later = ListedResource { lastmod: Some("2024-01-01".to_string()), ..resource("", Some(3)) };
        assert_eq!(relate(&later, &state), Relation::Nothing);
        assert_eq!(relate(&later, &StoredState { lastmod: later.lastmod.clone(), ..state.clone() }), Relation::Same);
        let coded = ListedResource { encoding: Some("gzip".to_string()), ..resource(SHA1, Some(3)) };
        assert_eq!(relate(&coded, &state), Relation::Nothing);
    }

    #[test]
    fn a_decoded_file_differs_from_what_is_listed_without_a_coding() {
        let hash = alloc::format!("sha-256:{}", "11".repeat(32));
        let state = StoredState {
            hash: Some(hash.clone()),
            length: Some(3),
            sha256: "00".repeat(32),
            size: 9,
            ..StoredState::default()
        };
        assert_eq!(relate(&resource(&hash, Some(3)), &state), Relation::Other);
        let coded = ListedResource { encoding: Some("gzip".to_string()), ..resource(&hash, Some(3)) };
        assert_eq!(relate(&coded, &state), Relation::Same);
    }

    #[test]
    fn a_length_that_was_not_listed_is_that_of_the_file() {
        let state = StoredState { size: 3, ..StoredState::default() };
        assert_eq!(relate(&resource("", Some(3)), &state), Relation::Same);
        assert_eq!(relate(&resource("", Some(4)), &state), Relation::Other);
    }

    #[test]
    fn signs_are_those_of_tools_that_compare_folders() {
        let all = [
            Sign::Equal,
            Sign::Missing,
            Sign::Debt,
            Sign::Extra,
            Sign::Behind,
            Sign::Diverged,
            Sign::Damaged,
            Sign::Unverifiable,
            Sign::Unreadable,
        ];
        assert_eq!(all.map(Sign::as_char), ['=', '-', '-', '+', '*', '*', '*', '?', '!']);
        assert_eq!(all.map(Sign::is_difference), [false, true, true, true, true, true, true, false, false]);
    }
}
