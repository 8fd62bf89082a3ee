//! Similar names: collisions on other file systems, and near misses of a `path`.

use alloc::{borrow::Cow, collections::BTreeMap, string::String};
use core::hash::Hasher;

use siphasher::sip::SipHasher13;
use unicode_normalization::UnicodeNormalization;

use super::{
    archive::{Archive, What},
    name::is_joiner,
};
use crate::value::percent_decoded;

/// Maximum members compared per key.
const MAX_ALIKE: usize = 16;
/// Maximum parent folders checked per member.
const MAX_DEPTH: usize = 256;

/// A name without case and normalization form: equal keys collide on case-insensitive or normalizing file
/// systems.
pub(super) fn folded(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            name.to_ascii_lowercase().into()
        } else {
            name.into()
        };
    }
    // Lowercase, uppercase and lowercase again, so that ß, ẞ and SS become equal, and the two small sigmas. Some systems
    // ignore joiners.
    let lower = name.nfc().filter(|character| !is_joiner(*character)).flat_map(char::to_lowercase);
    let even: String = lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    even.nfc().collect::<String>().into()
}

/// A name without escapes, backslashes and prefixes.
fn bare(name: &str) -> Cow<'_, str> {
    let name = if name.contains('\\') { Cow::Owned(name.replace('\\', "/")) } else { Cow::Borrowed(name) };
    let name = if name.contains('%') { Cow::Owned(percent_decoded(&name)) } else { name };
    match name.trim_start_matches(['.', '/']) {
        rest if rest.len() == name.len() => name,
        rest => Cow::Owned(rest.into()),
    }
}

/// A hash that is equal for all similar names.
pub(crate) fn key(name: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(folded(&bare(name)).as_bytes());
    hasher.finish()
}

/// The difference between two similar names; `None` if they are not similar.
pub(super) fn difference(wanted: &str, name: &str) -> Option<&'static str> {
    if folded(wanted) == folded(name) {
        let seen = |name: &'_ str| name.nfc().filter(|character| !is_joiner(*character)).collect::<String>();
        let same_form = seen(wanted) == seen(name);
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

/// A collision of two members: the first, the second, and the name of the second or its folder.
pub(crate) type Tell<'t> = dyn FnMut(u32, u32, &str) + 't;

/// Reports each selected member whose name, or that of a parent folder, differs from that of another selected member only
/// in case or normalization form.
pub(crate) fn collisions(archive: &Archive, take: &dyn Fn(u32) -> bool, tell: &mut Tell<'_>) {
    let text = |index: u32| core::str::from_utf8(archive.name(index)).unwrap_or("");
    for alike in archive.by_key.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        let mut first_of: BTreeMap<String, u32> = BTreeMap::new();
        for (_, index) in alike.iter().filter(|(_, index)| take(*index)) {
            let first = *first_of.entry(folded(text(*index)).into_owned()).or_insert(*index);
            if text(first) != text(*index) {
                tell(first, *index, text(*index));
            }
        }
    }
    inside_files(archive, take, tell);
}

/// Reports files whose name is that of another member's parent folder.
fn inside_files(archive: &Archive, take: &dyn Fn(u32) -> bool, tell: &mut Tell<'_>) {
    let text = |index: u32| core::str::from_utf8(archive.name(index)).unwrap_or("");
    let is_file = |index: u32| archive.get(index).is_some_and(|member| member.what != What::Directory);
    let mut last_parent = "";
    for index in archive.by_name.iter().filter(|index| take(**index)) {
        let name = text(*index);
        let Some((parent, _)) = name.rsplit_once('/') else { continue };
        // Already computed for the previous member.
        let known = last_parent;
        last_parent = parent;
        let is_known =
            |folder: &str| known.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let folders = name.match_indices('/').filter_map(|(at, _)| name.get(..at)).take(MAX_DEPTH);
        for folder in folders.filter(|folder| !folder.is_empty() && !is_known(folder)) {
            let file = alike(archive, key(folder)).find(|file| {
                is_file(*file) && take(*file) && text(*file) != folder && folded(text(*file)) == folded(folder)
            });
            if let Some(file) = file {
                tell(file, *index, folder);
                break;
            }
        }
    }
}

/// The first members with this key.
fn alike(archive: &Archive, key: u64) -> impl Iterator<Item = u32> {
    let at = archive.by_key.partition_point(|(own, _)| *own < key);
    let alike = archive.by_key.get(at..).unwrap_or(&[]).iter();
    alike.take_while(move |(own, _)| *own == key).take(MAX_ALIKE).map(|(_, index)| *index)
}

/// The member with the most similar name, and the difference.
pub(super) fn near(archive: &Archive, wanted: &str) -> Option<(u32, &'static str)> {
    alike(archive, key(wanted)).find_map(|index| {
        let name = core::str::from_utf8(archive.name(index)).ok()?;
        difference(wanted, name).map(|how| (index, how))
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
            ("Straße", "STRAẞE", "near-case"),
            ("می\u{200c}خ", "میخ", "near-unicode"),
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
