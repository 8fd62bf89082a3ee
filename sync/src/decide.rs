//! Decides the action for one resource.

use resourcesync::{
    named_enum,
    value::{Datetime, Hashes, Precision},
};

use crate::{
    listed_resource::{ListedResource, moment},
    stored_state::{Local, StoredState},
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

/// What decides beside the two states of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Requirements {
    /// A resource without a listed digest is not accepted.
    pub digest: bool,
    /// When all that is stored was as listed, in seconds since 1970; `None` if that is not known. What was modified since may have been
    /// modified again within the precision of its `lastmod`.
    pub known_at: Option<i64>,
}

/// The action for a listed resource, stored or not.
///
/// ```
/// use resourcesync_sync::{Action, StoredState, Local, ListedResource, decide, decide::Requirements};
///
/// let md5 = "md5:1584abdf8ebdc9802ac0c6a7402c03b6".to_string();
/// let uri = "http://example.com/a".to_string();
/// let wanted = ListedResource { uri: uri.clone(), loc: uri, hash: Some(md5.clone()), ..ListedResource::default() };
/// let held = StoredState { hash: Some(md5), ..StoredState::default() };
/// assert_eq!(decide(&wanted, None, Requirements::default()), Action::Fetch);
/// assert_eq!(decide(&wanted, Some((&held, Local::Intact)), Requirements::default()), Action::Keep);
/// assert_eq!(decide(&wanted, Some((&held, Local::Changed)), Requirements::default()), Action::Fetch);
/// ```
pub fn decide(resource: &ListedResource, state: Option<(&StoredState, Local)>, required: Requirements) -> Action {
    let listed = resource.hashes();
    let has_digest = listed.iter().next().is_some();
    if required.digest && !has_digest {
        return Action::Refuse;
    }
    let Some((state, Local::Intact)) = state else { return Action::Fetch };
    let other_length = resource.length.is_some() && state.length.is_some() && resource.length != state.length;
    let other_coding = resource.encoding.is_none() && state.is_decoded();
    if other_length || other_coding {
        return Action::Fetch;
    }
    if has_digest {
        return by_digest(&listed, resource, state);
    }
    let listed_and_own = resource.modified().zip(state.lastmod.as_deref().and_then(moment));
    let is_same = listed_and_own.zip(required.known_at).is_some_and(|((listed, own), known_at)| {
        listed.start() == own.start() && [listed, own].iter().all(|modified| last_second(modified) < known_at)
    });
    match (is_same && resource.length == state.length, state.has_validator()) {
        (true, _) => Action::Keep,
        (false, true) => Action::Check,
        (false, false) => Action::Fetch,
    }
}

/// The last second that is written like this, since 1970.
fn last_second(modified: &Datetime) -> i64 {
    const DAY: i64 = 86_400;
    let seconds = match modified.precision() {
        Precision::Year => 366 * DAY,
        Precision::Month => 31 * DAY,
        Precision::Day => DAY,
        Precision::Minute => 60,
        Precision::Second | Precision::Fraction => 1,
    };
    // A date without time ends half a day later where it ends last.
    let zone = if modified.is_partial() { DAY / 2 } else { 0 };
    modified.to_unix().0.saturating_add(seconds).saturating_add(zone).saturating_sub(1)
}

/// True if the file of another resource has the listed bytes: it shares a digest with the entry, and none differs.
pub fn has_bytes_of(resource: &ListedResource, state: &StoredState) -> bool {
    let is_plain = resource.encoding.is_none() && !state.is_decoded();
    let same_length = resource.length.is_none_or(|length| length == state.size);
    is_plain && same_length && crate::digests::by_digest(&resource.hashes(), &state.hashes()) == Some(true)
}

fn by_digest(listed: &Hashes, resource: &ListedResource, state: &StoredState) -> Action {
    let own = state.hashes();
    let mut is_shared = false;
    for hash in listed.iter() {
        match own.get(&hash.algorithm) {
            Some(digest) if *digest == *hash.digest => is_shared = true,
            Some(_) => return Action::Fetch,
            None => {}
        }
    }
    match (is_shared, &resource.encoding) {
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

    fn resource(hash: &str, length: Option<u64>, lastmod: &str) -> ListedResource {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_string());
        let uri = "http://example.com/a".to_string();
        ListedResource {
            loc: uri.clone(),
            uri,
            lastmod: some(lastmod),
            hash: some(hash),
            length,
            ..ListedResource::default()
        }
    }

    fn state(hash: &str, length: Option<u64>, lastmod: &str) -> StoredState {
        let ListedResource { lastmod, hash, length, .. } = resource(hash, length, lastmod);
        StoredState { hash, length, lastmod, ..StoredState::default() }
    }

    fn of(resource: &ListedResource, state: &StoredState) -> Action {
        decide(resource, Some((state, Local::Intact)), known_at("2030-01-01T00:00:00Z"))
    }

    fn known_at(time: &str) -> Requirements {
        Requirements { digest: false, known_at: moment(time).map(|time| time.to_unix().0) }
    }

    #[test]
    fn a_digest_decides_whatever_else_is_listed() {
        assert_eq!(of(&resource(A, Some(1), "2020-01-01"), &state(A, None, "2019-01-01")), Action::Keep);
        assert_eq!(of(&resource(B, Some(1), "2020-01-01"), &state(A, Some(1), "2020-01-01")), Action::Fetch);
        assert_eq!(of(&resource(A, Some(1), ""), &state(A, Some(2), "")), Action::Fetch);
        assert_eq!(of(&resource(SHA, Some(1), ""), &state(A, Some(1), "")), Action::Hash);
        let two = alloc::format!("{A} {SHA}");
        assert_eq!(of(&resource(&two, None, ""), &state(A, None, "")), Action::Keep);
        let other = alloc::format!("{B} {SHA}");
        assert_eq!(of(&resource(&other, None, ""), &state(&two, None, "")), Action::Fetch);
    }

    #[test]
    fn without_a_digest_time_and_length_decide_and_else_the_server_is_asked() {
        let same = "2020-01-01T00:00:00Z";
        assert_eq!(of(&resource("", Some(1), same), &state("", Some(1), "2020-01-01T01:00:00+01:00")), Action::Keep);
        assert_eq!(of(&resource("", None, ""), &state("", None, "")), Action::Fetch);
        let with_tag = StoredState { etag: Some("\"a\"".to_string()), ..state("", None, same) };
        assert_eq!(of(&resource("", None, "2021-01-01"), &with_tag), Action::Check);
        assert_eq!(of(&resource("", None, ""), &with_tag), Action::Check);
        assert_eq!(of(&resource("", None, same), &with_tag), Action::Keep);
    }

    #[test]
    fn what_was_modified_since_all_was_known_may_have_been_modified_again() {
        for (lastmod, known, action) in [
            ("2020-01-01T00:00:00Z", "2020-01-01T00:00:01Z", Action::Keep),
            ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.9Z", Action::Fetch),
            ("2020-01-01T00:00:00.1Z", "2020-01-01T00:00:00.9Z", Action::Fetch),
            ("2020-01-01T00:00:09Z", "2020-01-01T00:00:00Z", Action::Fetch),
            ("2020-01-01T00:00Z", "2020-01-01T00:00:59Z", Action::Fetch),
            ("2020-01-01T00:00Z", "2020-01-01T00:01:00Z", Action::Keep),
            ("2020-01-01", "2020-01-02T11:59:59Z", Action::Fetch),
            ("2020-01-01", "2020-01-02T12:00:00Z", Action::Keep),
            ("2020-01", "2020-01-31T23:00:00Z", Action::Fetch),
            ("2020", "2020-12-31T23:00:00Z", Action::Fetch),
            ("2020", "2021-01-02T12:00:00Z", Action::Keep),
        ] {
            let (listed, own) = (resource("", Some(1), lastmod), state("", Some(1), lastmod));
            assert_eq!(decide(&listed, Some((&own, Local::Intact)), known_at(known)), action, "{lastmod} {known}");
        }
        let (listed, own) = (resource("", Some(1), "2020"), state("", Some(1), "2020"));
        assert_eq!(decide(&listed, Some((&own, Local::Intact)), Requirements::default()), Action::Fetch);
    }

    #[test]
    fn digests_of_unknown_algorithms_are_none() {
        let unknown = resource("blake3:00ff", None, "");
        assert_eq!(
            decide(
                &ListedResource { hash: None, ..unknown.clone() },
                None,
                Requirements { digest: true, known_at: None }
            ),
            Action::Refuse
        );
        assert_eq!(decide(&unknown, None, Requirements::default()), Action::Fetch);
    }

    #[test]
    fn an_encoded_resource_is_not_hashed_locally() {
        let gzip = ListedResource { encoding: Some("gzip".to_string()), ..resource(SHA, None, "") };
        assert_eq!(of(&gzip, &state(A, None, "")), Action::Fetch);
    }

    #[test]
    fn a_decoded_file_is_not_the_resource_that_is_listed_without_a_coding() {
        let coded = "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let own = StoredState { sha256: "00".repeat(32), ..state(coded, Some(1), "") };
        assert_eq!(of(&resource(coded, Some(1), ""), &own), Action::Fetch);
        let gzip = ListedResource { encoding: Some("gzip".to_string()), ..resource(coded, Some(1), "") };
        assert_eq!(of(&gzip, &own), Action::Keep);
        let plain = StoredState { sha256: coded.split_once(':').unwrap().1.to_string(), ..own };
        assert_eq!(of(&resource(coded, Some(1), ""), &plain), Action::Keep);
    }

    #[test]
    fn another_resource_has_the_bytes_if_a_digest_is_shared_and_none_differs() {
        let own = StoredState { size: 1, ..state(&alloc::format!("{A} {SHA}"), None, "") };
        let is = |hash: &str, length| has_bytes_of(&resource(hash, length, ""), &own);
        assert!(is(A, None) && is(SHA, Some(1)));
        assert!(!is("", Some(1)) && !is(A, Some(2)) && !is(B, None) && !is(&alloc::format!("{B} {SHA}"), None));
        let gzip = ListedResource { encoding: Some("gzip".to_string()), ..resource(A, None, "") };
        assert!(!has_bytes_of(&gzip, &own));
    }

    #[test]
    fn a_file_that_was_changed_or_removed_is_fetched() {
        for local in [Local::Changed, Local::Missing] {
            let own = state(A, None, "");
            assert_eq!(decide(&resource(A, None, ""), Some((&own, local)), Requirements::default()), Action::Fetch);
        }
    }
}
