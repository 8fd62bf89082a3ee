//! Transfers against the responses of servers.

use alloc::format;

use resourcesync::{fixity::Digester, value::Algorithm};

use super::*;

/// The SHA-256 of `abc`.
const ABC: &str = "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn resource(length: Option<u64>) -> ListedResource {
    let uri = "http://example.com/a".to_string();
    let lastmod = Some("2020-01-01T00:00:00Z".to_string());
    ListedResource { loc: uri.clone(), uri, lastmod, hash: Some(ABC.to_string()), length, ..ListedResource::default() }
}

fn ok(modified: Option<&str>) -> Head {
    Head { status: 200, modified: modified.map(ToString::to_string), ..Head::default() }
}

fn fetch(transfer: &mut Transfer<'_>, head: Head, body: &[u8]) -> Ending {
    transfer.request();
    if transfer.answer(head) != Body::Ignore {
        transfer.push(body);
    }
    transfer.end()
}

#[test]
fn what_is_listed_is_verified_as_it_arrives() {
    let resource = resource(Some(3));
    let mut transfer = Transfer::new(&resource, None);
    assert_eq!(transfer.request().accept_encoding, "identity");
    assert_eq!(transfer.answer(ok(None)), Body::Store);
    assert!(transfer.push(b"a") && transfer.push(b"bc"));
    let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
    assert_eq!((fixity.length, fixity.by, fixity.hashes.to_string().as_str()), (3, Verified::Digest, ABC));
}

#[test]
fn other_bytes_are_fetched_once_more_and_then_given_up() {
    let resource = resource(None);
    let mut transfer = Transfer::new(&resource, None);
    assert_eq!(fetch(&mut transfer, ok(None), b"abd"), Ending::Again);
    assert!(transfer.request().no_cache);
    transfer.answer(ok(None));
    transfer.push(b"abd");
    let Ending::Failed(failure) = transfer.end() else { panic!("{transfer:?}") };
    assert_eq!((failure.code, failure.seen.length), (ItemCode::Digest, Some(3)));
}

#[test]
fn the_listed_state_is_fetched_from_its_memento() {
    let memento = Some("http://example.com/a/2020".to_string());
    let resource = ListedResource { memento, ..resource(None) };
    let mut transfer = Transfer::new(&resource, None);
    for _ in 0..2 {
        assert_eq!(transfer.request().uri, resource.uri);
        transfer.answer(ok(None));
        transfer.push(b"abd");
        assert_eq!(transfer.end(), Ending::Again);
    }
    assert_eq!(Some(transfer.request().uri), resource.memento);
    transfer.answer(ok(None));
    transfer.push(b"abc");
    assert!(matches!(transfer.end(), Ending::Verified(_)));
}

#[test]
fn a_memento_does_not_show_whether_a_resource_is_still_in_that_state() {
    let memento = Some("http://example.com/a/2020".to_string());
    let asked = ListedResource { memento, may_be_deleted: true, ..resource(None) };
    for resource in [ListedResource { may_be_deleted: false, only_at_loc: true, ..asked.clone() }, asked] {
        let mut transfer = Transfer::new(&resource, None);
        assert_eq!(fetch(&mut transfer, ok(None), b"abd"), Ending::Again);
        let Ending::Failed(failure) = fetch(&mut transfer, ok(None), b"abd") else { panic!("{transfer:?}") };
        assert_eq!((failure.code, transfer.uri()), (ItemCode::Digest, resource.loc.as_str()));
    }
}

#[test]
fn other_bytes_of_a_later_time_are_deferred() {
    let resource = resource(None);
    for (modified, is_deferred) in [("Thu, 02 Jan 2020 00:00:00 GMT", true), ("Tue, 31 Dec 2019 00:00:00 GMT", false)] {
        let mut transfer = Transfer::new(&resource, None);
        fetch(&mut transfer, ok(Some(modified)), b"abd");
        let ending = fetch(&mut transfer, ok(Some(modified)), b"abd");
        assert_eq!(matches!(ending, Ending::Deferred(_)), is_deferred, "{modified}");
    }
}

#[test]
fn newer_bytes_are_accepted_where_the_user_does_whatever_their_length() {
    let resource = resource(Some(2));
    let mut transfer = Transfer::new(&resource, None).accepting_newer();
    let newer = || ok(Some("Thu, 02 Jan 2020 00:00:00 GMT"));
    assert_eq!(fetch(&mut transfer, newer(), b"abcd"), Ending::Again);
    transfer.request();
    transfer.answer(newer());
    assert!(transfer.push(b"abc") && transfer.push(b"d"));
    let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
    assert_eq!((fixity.by, fixity.length), (Verified::Nothing, 4));
    let mut transfer = Transfer::new(&resource, None).accepting_newer();
    let older = || ok(Some("Tue, 31 Dec 2019 00:00:00 GMT"));
    fetch(&mut transfer, older(), b"abcd");
    assert!(matches!(fetch(&mut transfer, older(), b"abcd"), Ending::Failed(_)));
}

#[test]
fn a_body_ends_at_its_listed_length() {
    let resource = resource(Some(3));
    let mut transfer = Transfer::new(&resource, None);
    transfer.request();
    transfer.answer(ok(None));
    assert!(transfer.push(b"abc") && !transfer.push(b"d"));
    assert_eq!(transfer.end(), Ending::Again);
    let Ending::Failed(failure) = fetch(&mut transfer, ok(None), b"ab") else { panic!("{transfer:?}") };
    assert_eq!((failure.code, failure.seen.length), (ItemCode::Length, Some(2)));
}

#[test]
fn the_server_may_say_that_nothing_changed_only_if_it_was_asked() {
    let state =
        StoredState { etag: Some("\"1\"".to_string()), modified: Some("x".to_string()), ..StoredState::default() };
    let resource = ListedResource { hash: None, ..resource(None) };
    let mut transfer = Transfer::new(&resource, Some(&state));
    let request = transfer.request();
    assert_eq!((request.etag.as_deref(), request.modified), (Some("\"1\""), None));
    transfer.answer(Head { status: 304, ..Head::default() });
    assert_eq!(transfer.end(), Ending::Same);
    let mut transfer = Transfer::new(&resource, None);
    assert!(matches!(fetch(&mut transfer, Head { status: 304, ..Head::default() }, b""), Ending::Failed(_)));
}

#[test]
fn a_cache_that_may_have_an_older_state_is_passed_if_no_digest_would_show_it() {
    // Listed since midnight.
    let unverified = ListedResource { hash: None, ..resource(None) };
    let head = |status, age: Option<&str>, time: &str| Head {
        status,
        age: age.map(ToString::to_string),
        date: Some(format!("Wed, 01 Jan 2020 {time} GMT")),
        ..Head::default()
    };
    let state = StoredState { etag: Some("\"1\"".to_string()), ..StoredState::default() };
    for (resource, head, is_passed) in [
        (&unverified, head(200, Some("3600"), "00:59:59"), true),
        (&unverified, head(304, Some("3600"), "00:59:59"), true),
        (&unverified, head(200, Some("3600"), "01:00:00"), false),
        (&unverified, head(200, Some("0"), "00:00:00"), false),
        (&unverified, head(200, Some("old"), "00:00:00"), false),
        (&unverified, head(200, None, "00:00:00"), false),
        (&resource(None), head(200, Some("3600"), "00:59:59"), false),
        (&ListedResource { lastmod: None, ..unverified.clone() }, head(200, Some("3600"), "00:59:59"), false),
    ] {
        let mut transfer = Transfer::new(resource, Some(&state));
        let ending = fetch(&mut transfer, head.clone(), b"abc");
        assert_eq!(ending == Ending::Again, is_passed, "{resource:?} {head:?}");
        // What comes past caches counts, whatever they say.
        if is_passed {
            assert!(transfer.request().no_cache);
            transfer.answer(head);
            transfer.push(b"abc");
            assert!(matches!(transfer.end(), Ending::Verified(_) | Ending::Same));
        }
    }
}

#[test]
fn a_date_counts_only_if_its_second_was_over() {
    let date = |second: u32| format!("Thu, 02 Jan 2020 00:00:{second:02} GMT");
    let resource = resource(None);
    for (sent, is_kept) in [(Some(date(0)), false), (Some(date(1)), false), (Some(date(2)), true), (None, false)] {
        let mut transfer = Transfer::new(&resource, None);
        let head = Head { date: sent, ..ok(Some(&date(0))) };
        let Ending::Verified(fixity) = fetch(&mut transfer, head, b"abc") else { panic!("{transfer:?}") };
        assert_eq!(fixity.modified.is_some(), is_kept);
    }
}

#[test]
fn a_listed_resource_that_is_gone_is_missing_and_that_does_not_pass() {
    let resource = resource(None);
    for (status, code, is_transient) in [
        (404, ItemCode::Missing, false),
        (410, ItemCode::Missing, false),
        (503, ItemCode::Unreadable, true),
        (403, ItemCode::Unreadable, false),
    ] {
        let ending = fetch(&mut Transfer::new(&resource, None), Head { status, ..Head::default() }, b"");
        let Ending::Failed(failure) = ending else { panic!("{status}") };
        assert_eq!((failure.code, failure.is_transient), (code, is_transient), "{status}");
    }
}

/// `abc` as gzip.
const GZIP: &[u8] =
    &[31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1, 3, 0, 252, 255, 97, 98, 99, 0xc2, 0x41, 0x24, 0x35, 3, 0, 0, 0];

fn coded(coding: &str) -> Head {
    Head { content_encoding: Some(coding.to_string()), ..ok(None) }
}

fn digest(bytes: &[u8]) -> String {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(bytes);
    digester.finish().to_string()
}

#[test]
fn the_listed_digest_decides_whether_a_coding_is_that_of_the_resource() {
    let sent = ListedResource { hash: Some(digest(GZIP)), ..resource(Some(GZIP.len() as u64)) };
    let length = ListedResource { hash: None, ..sent.clone() };
    let listed = ListedResource { encoding: Some("gzip".to_string()), ..sent.clone() };
    let (decoded, nothing) = (resource(Some(3)), ListedResource { hash: None, ..resource(None) });
    for (resource, is_coded, hash) in [
        (&sent, false, digest(GZIP)),
        (&length, false, digest(GZIP)),
        (&listed, true, digest(GZIP)),
        (&decoded, true, ABC.to_string()),
        (&nothing, true, ABC.to_string()),
    ] {
        let mut transfer = Transfer::new(resource, None);
        let Ending::Verified(fixity) = fetch(&mut transfer, coded("X-GZip"), GZIP) else { panic!("{resource:?}") };
        assert_eq!((fixity.is_coded, fixity.hashes.to_string()), (is_coded, hash), "{resource:?}");
    }
    // What is not gzip, although the server says so, may still be the resource.
    let plain = resource(Some(3));
    let Ending::Verified(fixity) = fetch(&mut Transfer::new(&plain, None), coded("gzip"), b"abc") else { panic!() };
    assert!(!fixity.is_coded);
    for resource in [ListedResource { hash: None, ..resource(None) }, resource(Some(4))] {
        let ending = fetch(&mut Transfer::new(&resource, None), coded("gzip"), b"abc");
        let reason = match ending {
            Ending::Failed(failure) => failure.reason,
            ending => panic!("{ending:?}"),
        };
        assert_eq!(reason.map(|reason| reason.code), Some(ReasonCode::InvalidGzip));
    }
}

#[test]
fn a_coded_body_ends_where_neither_its_bytes_nor_the_decoded_ones_are_as_long_as_listed() {
    let own = resource(Some(2));
    let mut transfer = Transfer::new(&own, None);
    transfer.request();
    transfer.answer(coded("gzip"));
    // The first three decoded bytes are there before its end.
    assert!(transfer.push(&GZIP[..15]) && !transfer.push(&GZIP[15..18]));
    assert_eq!(transfer.end(), Ending::Again);
    let mut transfer = Transfer::new(&own, None).inflating(200);
    transfer.request();
    transfer.answer(coded("gzip"));
    assert!(transfer.push(b"a") && transfer.push(b"b") && !transfer.push(b"c"));
}

#[test]
fn codings_that_are_not_undone_are_stored_only_if_their_bytes_are_listed() {
    let (listed, nothing) = (resource(None), ListedResource { hash: None, ..resource(None) });
    let ending = fetch(&mut Transfer::new(&listed, None), coded("x-compress"), b"abc");
    assert!(matches!(ending, Ending::Verified(Fixity { is_coded: false, .. })), "{ending:?}");
    for (resource, body) in [(&listed, b"abd"), (&nothing, b"abc")] {
        let ending = fetch(&mut Transfer::new(resource, None), coded("br"), body);
        let Ending::Failed(failure) = ending else { panic!("{ending:?}") };
        assert_eq!(failure.reason.map(|reason| reason.code), Some(ReasonCode::ContentEncoding));
    }
}

#[test]
fn codings_are_requested_as_listed_and_others_are_not_stored() {
    let gzip = ListedResource { encoding: Some("gzip".to_string()), ..resource(None) };
    let mut transfer = Transfer::new(&gzip, None);
    assert_eq!(transfer.request().accept_encoding, "gzip");
    assert_eq!(transfer.answer(coded("GZIP")), Body::Store);
    assert_eq!(transfer.answer(coded("br")), Body::Ignore);
    assert!(matches!(transfer.end(), Ending::Failed(_)));
}

fn tagged(etag: &str) -> Head {
    Head { etag: Some(etag.to_string()), ..ok(None) }
}

fn part(etag: Option<&str>, range: &str) -> Head {
    let range = Some(range.to_string());
    Head { status: 206, etag: etag.map(ToString::to_string), content_range: range, ..Head::default() }
}

/// A transfer whose first response was cut off after a byte.
fn cut(resource: &ListedResource) -> Transfer<'_> {
    let mut transfer = Transfer::new(resource, None);
    assert_eq!(transfer.request().rest, None);
    assert_eq!(transfer.answer(tagged("\"1\"")), Body::Store);
    transfer.push(b"a");
    assert!(transfer.cut());
    let request = transfer.request();
    assert_eq!((request.rest, request.no_cache), (Some((1, "\"1\"".to_string())), false));
    transfer
}

#[test]
fn a_body_that_is_cut_off_continues_and_is_verified_as_a_whole() {
    for length in [None, Some(3)] {
        for etag in [None, Some("\"1\"")] {
            let resource = resource(length);
            let mut transfer = cut(&resource);
            assert_eq!(transfer.answer(part(etag, "bytes 1-2/3")), Body::Append);
            transfer.push(b"b");
            assert!(transfer.cut());
            assert_eq!(transfer.request().rest.map(|(from, _)| from), Some(2));
            assert_eq!(transfer.answer(part(etag, " bytes 2-2/3 ")), Body::Append);
            transfer.push(b"c");
            let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
            assert_eq!((fixity.length, fixity.hashes.to_string().as_str()), (3, ABC));
        }
    }
}

#[test]
fn a_part_of_another_version_or_range_is_not_appended() {
    let resource = resource(Some(3));
    for head in [
        part(Some("\"2\""), "bytes 1-2/3"),
        part(Some("W/\"1\""), "bytes 1-2/3"),
        part(None, "bytes 0-2/3"),
        part(None, "bytes 2-2/3"),
        part(None, "bytes 1-1/3"),
        part(None, "bytes 1-3/4"),
        part(None, "bytes 1-2/*"),
        part(None, "bytes 1-0/1"),
        part(None, "bytes +1-2/3"),
        part(None, "items 1-2/3"),
        Head { content_range: None, ..part(None, "") },
        Head { content_encoding: Some("gzip".to_string()), ..part(None, "bytes 1-2/3") },
        Head { status: 416, ..Head::default() },
        Head { status: 412, ..Head::default() },
    ] {
        let mut transfer = cut(&resource);
        assert_eq!(transfer.answer(head.clone()), Body::Ignore, "{head:?}");
        assert_eq!(transfer.end(), Ending::Again, "{head:?}");
        assert_eq!(transfer.request().rest, None);
        // Without a request for a part there is none.
        assert_eq!(transfer.answer(part(None, "bytes 1-2/3")), Body::Ignore);
        assert!(matches!(transfer.end(), Ending::Failed(_)));
    }
}

#[test]
fn a_changed_version_starts_over() {
    let resource = resource(Some(3));
    let mut transfer = cut(&resource);
    assert_eq!(transfer.answer(tagged("\"2\"")), Body::Store);
    transfer.push(b"abc");
    assert!(matches!(transfer.end(), Ending::Verified(_)));
}

#[test]
fn parts_that_do_not_fit_together_are_no_attempt() {
    let resource = resource(Some(3));
    let mut transfer = cut(&resource);
    assert_eq!(transfer.answer(part(None, "bytes 1-2/3")), Body::Append);
    transfer.push(b"xx");
    assert_eq!(transfer.end(), Ending::Again);
    assert_eq!(fetch(&mut transfer, ok(None), b"xxx"), Ending::Again);
    assert!(matches!(fetch(&mut transfer, ok(None), b"abc"), Ending::Verified(_)));
}

#[test]
fn only_a_plain_body_with_a_strong_entity_tag_continues() {
    let resource = resource(None);
    for (head, is_resumed) in [
        (tagged("\"1\""), true),
        (tagged("W/\"1\""), false),
        (tagged("1"), false),
        (tagged("\""), false),
        (ok(None), false),
        (Head { content_encoding: Some("gzip".to_string()), ..tagged("\"1\"") }, false),
        (Head { status: 203, ..tagged("\"1\"") }, false),
    ] {
        let mut transfer = Transfer::new(&resource, None);
        transfer.request();
        transfer.answer(head.clone());
        transfer.push(b"a");
        assert_eq!(transfer.cut(), is_resumed, "{head:?}");
        assert_eq!(transfer.request().rest.is_some(), is_resumed, "{head:?}");
    }
}

#[test]
fn bytes_of_an_earlier_run_continue_only_towards_a_digest() {
    let own = resource(None);
    let mut transfer = Transfer::new(&own, None);
    assert!(!transfer.resume("W/\"1\""));
    assert!(transfer.resume("\"1\""));
    transfer.push(b"ab");
    assert_eq!(transfer.request().rest, Some((2, "\"1\"".to_string())));
    assert_eq!(transfer.answer(part(None, "bytes 2-2/3")), Body::Append);
    transfer.push(b"c");
    assert!(matches!(transfer.end(), Ending::Verified(_)));
    let unlisted = ListedResource { hash: None, ..resource(Some(3)) };
    assert!(!Transfer::new(&unlisted, None).resume("\"1\""));
}
