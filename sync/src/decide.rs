//! Decides the action for one resource.

use resourcesync::{named_enum, value::Hashes};

use crate::{
    held::{Held, Local},
    wanted::{Wanted, moment},
};

named_enum! {
    /// The action for a listed resource.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Action {
        /// None: the stored resource is as listed.
        Keep = "keep",
        /// Hash the file by the listed algorithms: keep it if the digests match, otherwise fetch.
        Hash = "hash",
        /// Fetch with a conditional request (304 keeps it).
        Check = "check",
        /// Fetch.
        Fetch = "fetch",
        /// None: no digest is listed, but one is required.
        Refuse = "refuse",
        /// Fetch, or delete if the server says that it is gone: the order of the changes of the resource is unknown.
        Ask = "ask",
    }
}

/// The requirements of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Requirements {
    /// A resource without a listed digest is not accepted.
    pub digest: bool,
}

/// The action for a listed resource, stored or not.
///
/// ```
/// use resourcesync_sync::{Action, Held, Local, Wanted, decide, decide::Requirements};
///
/// let md5 = "md5:1584abdf8ebdc9802ac0c6a7402c03b6".to_string();
/// let uri = "http://example.com/a".to_string();
/// let wanted = Wanted { uri: uri.clone(), loc: uri, hash: Some(md5.clone()), ..Wanted::default() };
/// let held = Held { hash: Some(md5), ..Held::default() };
/// assert_eq!(decide(&wanted, None, Requirements::default()), Action::Fetch);
/// assert_eq!(decide(&wanted, Some((&held, Local::Intact)), Requirements::default()), Action::Keep);
/// assert_eq!(decide(&wanted, Some((&held, Local::Changed)), Requirements::default()), Action::Fetch);
/// ```
pub fn decide(wanted: &Wanted, held: Option<(&Held, Local)>, required: Requirements) -> Action {
    let listed = wanted.hashes();
    let has_digest = listed.iter().next().is_some();
    if required.digest && !has_digest {
        return Action::Refuse;
    }
    let Some((held, Local::Intact)) = held else { return Action::Fetch };
    let other_length = wanted.length.is_some() && held.length.is_some() && wanted.length != held.length;
    let other_coding = wanted.encoding.is_none() && held.is_decoded();
    if other_length || other_coding {
        return Action::Fetch;
    }
    if has_digest {
        return by_digest(&listed, wanted, held);
    }
    let same_moment = match (&wanted.lastmod, &held.lastmod) {
        (Some(listed), Some(own)) => {
            listed == own || moment(listed).zip(moment(own)).is_some_and(|(listed, own)| listed.start() == own.start())
        }
        _ => false,
    };
    match (same_moment && wanted.length == held.length, held.has_validator()) {
        (true, _) => Action::Keep,
        (false, true) => Action::Check,
        (false, false) => Action::Fetch,
    }
}

/// True if the file of another resource has the listed bytes: it shares a digest with the entry, and none differs.
pub fn has_bytes_of(wanted: &Wanted, held: &Held) -> bool {
    let is_plain = wanted.encoding.is_none() && !held.is_decoded();
    let same_length = wanted.length.is_none_or(|length| length == held.size);
    is_plain && same_length && crate::audit::by_digest(&wanted.hashes(), &held.hashes()) == Some(true)
}

fn by_digest(listed: &Hashes, wanted: &Wanted, held: &Held) -> Action {
    let own = held.hashes();
    let mut is_shared = false;
    for hash in listed.iter() {
        match own.get(&hash.algorithm) {
            Some(digest) if *digest == *hash.digest => is_shared = true,
            Some(_) => return Action::Fetch,
            None => {}
        }
    }
    match (is_shared, &wanted.encoding) {
        (true, _) => Action::Keep,
        (false, None) => Action::Hash,
        // The stored bytes are decoded, but the listed digests are of the encoded ones.
        (false, Some(_)) => Action::Fetch,
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const A: &str = "md5:1584abdf8ebdc9802ac0c6a7402c03b6";
    const B: &str = "md5:1584abdf8ebdc9802ac0c6a7402c03b7";
    const SHA: &str = "sha-1:a9993e364706816aba3e25717850c26c9cd0d89d";

    fn wanted(hash: &str, length: Option<u64>, lastmod: &str) -> Wanted {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_string());
        let uri = "http://example.com/a".to_string();
        Wanted { loc: uri.clone(), uri, lastmod: some(lastmod), hash: some(hash), length, ..Wanted::default() }
    }

    fn held(hash: &str, length: Option<u64>, lastmod: &str) -> Held {
        let Wanted { lastmod, hash, length, .. } = wanted(hash, length, lastmod);
        Held { hash, length, lastmod, ..Held::default() }
    }

    fn of(wanted: &Wanted, held: &Held) -> Action {
        decide(wanted, Some((held, Local::Intact)), Requirements::default())
    }

    #[test]
    fn a_digest_decides_whatever_else_is_listed() {
        assert_eq!(of(&wanted(A, Some(1), "2020-01-01"), &held(A, None, "2019-01-01")), Action::Keep);
        assert_eq!(of(&wanted(B, Some(1), "2020-01-01"), &held(A, Some(1), "2020-01-01")), Action::Fetch);
        assert_eq!(of(&wanted(A, Some(1), ""), &held(A, Some(2), "")), Action::Fetch);
        assert_eq!(of(&wanted(SHA, Some(1), ""), &held(A, Some(1), "")), Action::Hash);
        let two = alloc::format!("{A} {SHA}");
        assert_eq!(of(&wanted(&two, None, ""), &held(A, None, "")), Action::Keep);
        let other = alloc::format!("{B} {SHA}");
        assert_eq!(of(&wanted(&other, None, ""), &held(&two, None, "")), Action::Fetch);
    }

    #[test]
    fn without_a_digest_time_and_length_decide_and_else_the_server_is_asked() {
        let same = "2020-01-01T00:00:00Z";
        assert_eq!(of(&wanted("", Some(1), same), &held("", Some(1), "2020-01-01T01:00:00+01:00")), Action::Keep);
        assert_eq!(of(&wanted("", None, ""), &held("", None, "")), Action::Fetch);
        let with_tag = Held { etag: Some("\"a\"".to_string()), ..held("", None, same) };
        assert_eq!(of(&wanted("", None, "2021-01-01"), &with_tag), Action::Check);
        assert_eq!(of(&wanted("", None, ""), &with_tag), Action::Check);
        assert_eq!(of(&wanted("", None, same), &with_tag), Action::Keep);
    }

    #[test]
    fn digests_of_unknown_algorithms_are_none() {
        let unknown = wanted("blake3:00ff", None, "");
        assert_eq!(
            decide(&Wanted { hash: None, ..unknown.clone() }, None, Requirements { digest: true }),
            Action::Refuse
        );
        assert_eq!(decide(&unknown, None, Requirements::default()), Action::Fetch);
    }

    #[test]
    fn an_encoded_resource_is_not_hashed_locally() {
        let gzip = Wanted { encoding: Some("gzip".to_string()), ..wanted(SHA, None, "") };
        assert_eq!(of(&gzip, &held(A, None, "")), Action::Fetch);
    }

    #[test]
    fn a_decoded_file_is_not_the_resource_that_is_listed_without_a_coding() {
        let coded = "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let own = Held { sha256: "00".repeat(32), ..held(coded, Some(1), "") };
        assert_eq!(of(&wanted(coded, Some(1), ""), &own), Action::Fetch);
        let gzip = Wanted { encoding: Some("gzip".to_string()), ..wanted(coded, Some(1), "") };
        assert_eq!(of(&gzip, &own), Action::Keep);
        let plain = Held { sha256: coded.split_once(':').unwrap().1.to_string(), ..own };
        assert_eq!(of(&wanted(coded, Some(1), ""), &plain), Action::Keep);
    }

    #[test]
    fn another_resource_has_the_bytes_if_a_digest_is_shared_and_none_differs() {
        let own = Held { size: 1, ..held(&alloc::format!("{A} {SHA}"), None, "") };
        let is = |hash: &str, length| has_bytes_of(&wanted(hash, length, ""), &own);
        assert!(is(A, None) && is(SHA, Some(1)));
        assert!(!is("", Some(1)) && !is(A, Some(2)) && !is(B, None) && !is(&alloc::format!("{B} {SHA}"), None));
        let gzip = Wanted { encoding: Some("gzip".to_string()), ..wanted(A, None, "") };
        assert!(!has_bytes_of(&gzip, &own));
    }

    #[test]
    fn a_file_that_was_changed_or_removed_is_fetched() {
        for local in [Local::Changed, Local::Missing] {
            let own = held(A, None, "");
            assert_eq!(decide(&wanted(A, None, ""), Some((&own, local)), Requirements::default()), Action::Fetch);
        }
    }
}
