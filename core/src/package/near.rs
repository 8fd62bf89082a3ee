//! Names that are nearly the same: what collides on other file systems, and what a `path` may have meant.

use alloc::{borrow::Cow, collections::BTreeMap, string::String};
use core::hash::Hasher;

use siphasher::sip::SipHasher13;
use unicode_normalization::UnicodeNormalization;

use super::archive::Archive;
use crate::words::percent_decoded;

/// Without case and form: equal on file systems that mind neither.
pub(super) fn folded(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            name.to_ascii_lowercase().into()
        } else {
            name.into()
        };
    }
    // Up and down again, so that ß meets SS and the two small sigmas meet.
    let even: String = name.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    even.nfc().collect::<String>().into()
}

/// What is left of a name without escapes, backslashes and what may stand before it.
fn bare(name: &str) -> Cow<'_, str> {
    let name = if name.contains('\\') { Cow::Owned(name.replace('\\', "/")) } else { Cow::Borrowed(name) };
    let name = if name.contains('%') { Cow::Owned(percent_decoded(&name)) } else { name };
    match name.trim_start_matches(['.', '/']) {
        rest if rest.len() == name.len() => name,
        rest => Cow::Owned(rest.into()),
    }
}

/// The same number for all names that are nearly the same.
pub(crate) fn key(name: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(folded(&bare(name)).as_bytes());
    hasher.finish()
}

/// How one name differs from another that is nearly the same; `None` if it is farther away.
pub(super) fn difference(wanted: &str, name: &str) -> Option<&'static str> {
    if folded(wanted) == folded(name) {
        let same_form = wanted.nfc().eq(name.nfc());
        return Some(if same_form { "near-unicode" } else { "near-case" });
    }
    if wanted.trim_start_matches(['.', '/']) == name.trim_start_matches(['.', '/']) {
        return Some("near-slash");
    }
    if wanted.replace('\\', "/") == name.replace('\\', "/") {
        return Some("near-backslash");
    }
    if percent_decoded(wanted) == percent_decoded(name) {
        return Some("near-percent");
    }
    (folded(&bare(wanted)) == folded(&bare(name))).then_some("near-spelling")
}

/// Tells each taken member whose name is, case and form aside, that of one taken before; the earlier one goes first.
pub(crate) fn collisions(archive: &Archive, take: &dyn Fn(u32) -> bool, tell: &mut dyn FnMut(u32, u32)) {
    let text = |index: u32| core::str::from_utf8(archive.name(index)).unwrap_or("");
    for alike in archive.by_key.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        let mut first_of: BTreeMap<String, u32> = BTreeMap::new();
        for (_, index) in alike.iter().filter(|(_, index)| take(*index)) {
            let first = *first_of.entry(folded(text(*index)).into_owned()).or_insert(*index);
            if text(first) != text(*index) {
                tell(first, *index);
            }
        }
    }
}

/// The member whose name is nearly this, and how it differs.
pub(super) fn near(archive: &Archive, wanted: &str) -> Option<(u32, &'static str)> {
    let key = key(wanted);
    let at = archive.by_key.partition_point(|(own, _)| *own < key);
    let alike = archive.by_key.get(at..)?.iter().take_while(|(own, _)| *own == key);
    alike.take(16).find_map(|(_, index)| {
        let name = core::str::from_utf8(archive.name(*index)).ok()?;
        difference(wanted, name).map(|how| (*index, how))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_is_named_by_its_kind() {
        for (wanted, name, how) in [
            ("res/a b.pdf", "res/a%20b.pdf", "near-percent"),
            ("res/A.pdf", "res/a.pdf", "near-case"),
            ("が.pdf", "か\u{3099}.pdf", "near-unicode"),
            ("a/b", "a\\b", "near-backslash"),
            ("a", "./a", "near-slash"),
            ("Straße", "STRASSE", "near-case"),
            ("A b", "a%20b", "near-spelling"),
        ] {
            assert_eq!(difference(wanted, name), Some(how), "{wanted} {name}");
            assert_eq!(key(wanted), key(name), "{wanted} {name}");
        }
        assert_eq!(difference("a", "b"), None);
        assert_eq!(percent_decoded("100%"), "100%");
        assert_eq!(percent_decoded("%ff"), "%ff");
    }
}
