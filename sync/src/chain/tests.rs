//! What a chain does without transcripts: broken bodies, early ends, limits, and the runs after a baseline.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
};

use super::*;

mod set_back;
mod taken_back;

/// 2020-01-02T12:00:00Z.
const NOW: i64 = 1_577_966_400;
const SET: &str = "http://a.example/cap";
const CHANGES: &str = "http://a.example/changes";
const NAMESPACES: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

fn change_list(interval: &str, changes: &[(&str, &str)]) -> String {
    let entry = |(uri, time): &(&str, &str)| {
        format!(r#"<url><loc>http://a.example/{uri}</loc><rs:md change="updated" datetime="{time}"/></url>"#)
    };
    let entries: String = changes.iter().map(entry).collect();
    format!(r#"<urlset {NAMESPACES}><rs:md capability="changelist" {interval}/>{entries}</urlset>"#)
}

fn index(members: &[&str]) -> String {
    let entries: String = members.iter().map(|uri| format!("<sitemap><loc>{uri}</loc></sitemap>")).collect();
    format!(r#"<sitemapindex {NAMESPACES}><rs:md capability="changelist"/>{entries}</sitemapindex>"#)
}

fn capabilities() -> String {
    format!(
        r#"<urlset {NAMESPACES}><rs:md capability="capabilitylist"/><url><loc>{CHANGES}</loc><rs:md capability="changelist"/></url></urlset>"#
    )
}

/// After a baseline.
fn baseline() -> Checkpoint {
    Checkpoint {
        set: SET.to_string(),
        as_of: Some("2020-01-01T10:00:00Z".to_string()),
        sources: vec![CHANGES.to_string()],
        consulted: NOW - 60,
        ..Checkpoint::default()
    }
}

fn chain(before: Checkpoint) -> Chain {
    Chain::new(before, NOW, &Limits::default())
}

fn head(uri: &str, status: u16, headers: &[(&str, &str)]) -> Head {
    let headers = headers.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
    Head { uri: uri.to_string(), status, headers }
}

/// The next request, which has to be for this document.
fn request(chain: &mut Chain, uri: &str) {
    match chain.next() {
        Step::Read(request) => assert_eq!(request.uri, uri),
        Step::Done => panic!("{uri} is not requested"),
    }
}

/// A request for this document, and its response.
fn serve(chain: &mut Chain, uri: &str, headers: &[(&str, &str)], body: &str) {
    request(chain, uri);
    chain.answer(head(uri, if body.is_empty() { 404 } else { 200 }, headers));
    chain.push(body.as_bytes());
    chain.end();
}

fn unread(followed: &Followed) -> Vec<(&str, Role)> {
    followed.documents.iter().filter(|read| read.unread.is_some()).map(|read| (&*read.uri, read.role)).collect()
}

const OPEN: &str = r#"from="2020-01-01T09:00:00Z""#;

#[test]
fn changes_are_complete_only_where_they_were_followed() {
    let complete = [State::Unchanged, State::Continued, State::Next, State::Rewritten];
    let others = [State::Gap, State::Unread, State::Older, State::Absent];
    assert!(complete.into_iter().all(State::is_complete));
    assert!(!others.into_iter().any(State::is_complete));
}

#[test]
fn a_body_that_broke_off_is_requested_again_and_nothing_of_it_counts() {
    let mut chain = chain(baseline());
    let body = change_list(OPEN, &[("1", "2020-01-01T11:00:00Z")]);
    chain.again();
    request(&mut chain, CHANGES);
    chain.answer(head(CHANGES, 200, &[]));
    chain.push(body.split_at(body.len() - 3).0.as_bytes());
    assert!(matches!(*chain.events(), [Event::Changed(1, _)]));
    chain.again();
    assert_eq!(chain.events(), [Event::Dropped(1)]);
    serve(&mut chain, CHANGES, &[], &body);
    assert!(matches!(*chain.events(), [Event::Changed(2, _), Event::Counts(2)]));
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!(followed.state, State::Continued);
    assert_eq!(followed.order, [Part { document: 2, order: Order::Forward, from: 0 }]);
}

#[test]
fn a_body_that_fails_leaves_its_document_unread() {
    let mut chain = chain(baseline());
    chain.failed(Reason::new(ReasonCode::ConnectionClosed));
    assert!(chain.events().is_empty());
    request(&mut chain, CHANGES);
    chain.answer(head(CHANGES, 200, &[]));
    chain.push(change_list(OPEN, &[("1", "2020-01-01T11:00:00Z")]).as_bytes());
    chain.failed(Reason::new(ReasonCode::ConnectionClosed));
    assert_eq!(chain.events().last(), Some(&Event::Dropped(1)));
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!((followed.state, &followed.checkpoint), (State::Unread, &baseline()));
    assert_eq!(unread(&followed), [(CHANGES, Role::Changes)]);
}

#[test]
fn what_is_called_out_of_turn_changes_nothing() {
    let mut chain = chain(baseline());
    chain.answer(head(CHANGES, 200, &[]));
    chain.push(b"<urlset");
    chain.end();
    assert!(chain.events().is_empty());
    serve(&mut chain, CHANGES, &[], &change_list(OPEN, &[]));
    chain.end();
    assert_eq!(chain.next(), Step::Done);
    assert_eq!(chain.finish().documents.len(), 1);
}

#[test]
fn a_chain_that_is_stopped_leaves_the_document_of_the_moment_unread() {
    let reason = Reason::other("enough");
    let open = |uri: &str| Open { uri: uri.to_string(), ..Open::default() };
    let polled = || Checkpoint { open: vec![open("http://a.example/one"), open("http://a.example/two")], ..baseline() };
    let stopped = |mut chain: Chain| {
        chain.stop(&reason);
        assert_eq!(chain.next(), Step::Done);
        let events = chain.events();
        (events, chain.finish())
    };
    let waiting = chain(polled());
    let mut requested = chain(polled());
    request(&mut requested, "http://a.example/one");
    let mut reading = chain(polled());
    request(&mut reading, "http://a.example/one");
    reading.answer(head("http://a.example/one", 200, &[]));
    for (chain, number) in [(waiting, 0), (requested, 0), (reading, 1)] {
        let (events, followed) = stopped(chain);
        assert_eq!(events, [Event::Dropped(number)]);
        assert_eq!((followed.state, &followed.checkpoint), (State::Unread, &polled()));
        assert_eq!(unread(&followed), [("http://a.example/one", Role::ChangeList)]);
    }
    let (_, followed) = stopped(chain(baseline()));
    assert_eq!(unread(&followed), [(SET, Role::ChangeList)]);
}

#[test]
fn a_chain_that_has_ended_is_not_stopped() {
    let mut chain = chain(baseline());
    serve(&mut chain, CHANGES, &[], &change_list(OPEN, &[]));
    assert_eq!(chain.next(), Step::Done);
    chain.events();
    chain.stop(&Reason::other("too late"));
    assert!(chain.events().is_empty());
    assert_eq!(chain.finish().state, State::Unchanged);
}

#[test]
fn a_missing_list_is_a_gap_unless_a_baseline_was_read_just_now() {
    for (is_after, state) in [(false, State::Gap), (true, State::Unread)] {
        let mut chain = chain(baseline());
        if is_after {
            chain = chain.after_baseline();
        }
        for _ in 0..2 {
            serve(&mut chain, CHANGES, &[], &index(&["http://a.example/gone", "http://a.example/here"]));
            serve(&mut chain, "http://a.example/gone", &[], "");
            serve(&mut chain, "http://a.example/here", &[], &change_list(OPEN, &[]));
        }
        assert_eq!(chain.next(), Step::Done);
        assert_eq!(chain.finish().state, state);
    }
}

#[test]
fn a_list_that_begins_after_the_baseline_leaves_a_hole_where_that_is_accepted() {
    let later = change_list(r#"from="2020-01-01T12:00:00Z""#, &[("1", "2020-01-01T13:00:00Z")]);
    let mut chain = chain(baseline()).beginning_later();
    serve(&mut chain, CHANGES, &[], &later);
    serve(&mut chain, CHANGES, &[], &later);
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!((followed.state, &followed.gap), (State::Continued, &None));
    let hole =
        Gap { after: Some("2020-01-01T10:00:00Z".to_string()), before: Some("2020-01-01T12:00:00Z".to_string()) };
    assert_eq!(followed.checkpoint.hole, Some(hole));
    assert_eq!(followed.checkpoint.proven(), Some("2020-01-01T10:00:00Z"));
    let mut chain = self::chain(followed.checkpoint.clone());
    serve(&mut chain, CHANGES, &[], &later);
    assert_eq!(chain.next(), Step::Done);
    assert_eq!(chain.finish().checkpoint.hole, followed.checkpoint.hole);
}

#[test]
fn the_first_list_to_expire_decides_when_to_poll() {
    let uris = ["http://a.example/a", "http://a.example/b", "http://a.example/c", "http://a.example/d"];
    let mut chain = chain(baseline());
    serve(&mut chain, CHANGES, &[("Cache-Control", "max-age=5")], &index(&uris));
    for (uri, control) in uris.into_iter().zip(["no-store", "max-age=60", "max-age=30", "private"]) {
        serve(&mut chain, uri, &[("Cache-Control", control)], &change_list(OPEN, &[]));
    }
    assert_eq!(chain.next(), Step::Done);
    assert_eq!(chain.finish().fresh_for, Some(30));
}

#[test]
fn the_clock_of_the_server_never_goes_back() {
    let two = ["http://a.example/a", "http://a.example/b"];
    let mut chain = chain(baseline());
    serve(&mut chain, CHANGES, &[("Date", "Thu, 02 Jan 2020 12:30:00 GMT")], &index(&two));
    serve(&mut chain, two[0], &[("Date", "Thu, 02 Jan 2020 12:00:00 GMT")], &change_list(OPEN, &[]));
    let late = change_list(OPEN, &[("1", "2020-01-02T12:20:00Z")]);
    serve(&mut chain, two[1], &[], &late);
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!(followed.checkpoint.as_of.as_deref(), Some("2020-01-02T12:20:00Z"));
    assert_eq!(followed.checkpoint.consulted, 1_577_968_200);
}

#[test]
fn an_index_of_more_documents_than_the_limit_is_not_followed() {
    for (members, is_read) in [(1, true), (2, false)] {
        let mut chain = chain(baseline());
        chain.seen = (2..DOCUMENTS).map(|number| number.to_string()).collect();
        let uris = ["http://a.example/one", "http://a.example/two"];
        serve(&mut chain, CHANGES, &[], &index(&uris[..members]));
        match is_read {
            true => request(&mut chain, uris[0]),
            false => {
                assert_eq!(chain.next(), Step::Done);
                let followed = chain.finish();
                let reason = followed.documents.last().and_then(|read| read.unread.clone());
                assert_eq!((followed.state, reason), (State::Unread, Some(Reason::new(ReasonCode::DocumentLimit))));
            }
        }
    }
}

#[test]
fn a_list_that_is_read_again_as_a_whole_is_requested_without_a_condition() {
    let uris = ["http://a.example/one", "http://a.example/two"];
    let mut marks = marks::Marks::default();
    marks.note("http://a.example/1", Time::read(Some("2020-01-01T10:00:00Z")).map(|time| time.seconds()));
    let open = |uri: &str| Open {
        uri: uri.to_string(),
        from: Some("2020-01-01T09:00:00Z".to_string()),
        entries: 1,
        prefix: "00".to_string(),
        last: Some("2020-01-01T10:00:00Z".to_string()),
        marks: marks.to_text(),
        etag: None,
        modified: Some("Wed, 01 Jan 2020 10:00:00 GMT".to_string()),
    };
    let before = Checkpoint { open: uris.map(open).to_vec(), ..baseline() };
    let rewritten = change_list(OPEN, &[("1", "2020-01-01T10:00:00Z")]);
    let again = |status| {
        let mut chain = chain(before.clone());
        serve(&mut chain, uris[0], &[], &rewritten);
        request(&mut chain, uris[1]);
        chain.answer(head(uris[1], 304, &[]));
        chain.end();
        let Step::Read(request) = chain.next() else { panic!("it is not read again") };
        assert_eq!((&*request.uri, request.etag, request.modified), (uris[1], None, None));
        chain.answer(head(uris[1], status, &[]));
        chain.push(rewritten.as_bytes());
        chain.end();
        assert_eq!(chain.next(), Step::Done);
        chain.finish().state
    };
    assert_eq!((again(200), again(304)), (State::Rewritten, State::Unread));
}

#[test]
fn a_date_is_trusted_for_a_day() {
    let (date, tag) = (Some("Wed, 01 Jan 2020 10:00:00 GMT".to_string()), Some("\"1\"".to_string()));
    let open = |etag: Option<String>| Open {
        uri: CHANGES.to_string(),
        from: Some("2020-01-01T09:00:00Z".to_string()),
        entries: 1,
        etag,
        modified: date.clone(),
        ..Open::default()
    };
    for (age, etag, expected) in
        [(DAY - 1, None, (None, date.clone())), (DAY, None, (None, None)), (DAY, tag.clone(), (tag.clone(), None))]
    {
        let before = Checkpoint { open: vec![open(etag)], consulted: NOW - age, ..baseline() };
        let Step::Read(request) = chain(before).next() else { panic!("nothing is requested") };
        assert_eq!((request.etag, request.modified), expected, "{age}");
    }
}

/// What follows where each document is served with these bytes, or is missing.
fn follow(mut chain: Chain, documents: &[(&str, &str)]) -> Followed {
    while let Step::Read(request) = chain.next() {
        let body = documents.iter().find(|(uri, _)| *uri == request.uri).map(|(_, body)| *body);
        chain.answer(head(&request.uri, if body.is_some() { 200 } else { 404 }, &[]));
        chain.push(body.unwrap_or_default().as_bytes());
        chain.end();
    }
    chain.finish()
}

/// A list that begins later than the one before ends, because the index is the one from before its replacement.
#[test]
fn an_index_that_its_members_do_not_continue_is_read_again() {
    let (one, two) = ("http://a.example/one", "http://a.example/two");
    let later = change_list(r#"from="2020-01-01T12:00:00Z""#, &[("2", "2020-01-01T13:00:00Z")]);
    let closed =
        change_list(r#"from="2020-01-01T09:00:00Z" until="2020-01-01T12:00:00Z""#, &[("1", "2020-01-01T11:00:00Z")]);
    for begins_later in [false, true] {
        let mut chain = chain(baseline());
        if begins_later {
            chain = chain.after_baseline().beginning_later();
        }
        serve(&mut chain, CHANGES, &[], &index(&[two]));
        serve(&mut chain, two, &[], &later);
        if !begins_later {
            serve(&mut chain, SET, &[], &capabilities());
        }
        chain.events();
        let Step::Read(request) = chain.next() else { panic!("nothing is read again") };
        assert_eq!((&*request.uri, request.no_cache, request.pause), (CHANGES, true, 2));
        let numbers: Vec<Event> = (1..=if begins_later { 2 } else { 3 }).map(Event::Dropped).collect();
        assert_eq!(chain.events(), numbers);
        chain.answer(head(CHANGES, 200, &[]));
        chain.push(index(&[one, two]).as_bytes());
        chain.end();
        serve(&mut chain, one, &[], &closed);
        serve(&mut chain, two, &[], &later);
        assert_eq!(chain.next(), Step::Done);
        let followed = chain.finish();
        assert_eq!((followed.state, followed.order.len(), &followed.checkpoint.hole), (State::Next, 2, &None));
    }
}

#[test]
fn changes_before_the_first_list_are_processed_once_the_index_has_them() {
    let (one, two) = ("http://a.example/one", "http://a.example/two");
    let later = change_list(r#"from="2020-01-01T12:00:00Z""#, &[("2", "2020-01-01T13:00:00Z")]);
    let mut chain = chain(baseline()).after_baseline().beginning_later();
    for _ in 0..2 {
        serve(&mut chain, CHANGES, &[], &index(&[two]));
        serve(&mut chain, two, &[], &later);
    }
    assert_eq!(chain.next(), Step::Done);
    let before = chain.finish().checkpoint;
    assert!(before.hole.is_some());
    // The index is requested although the open list continues.
    let mut chain = self::chain(before.clone());
    serve(&mut chain, two, &[], &later);
    serve(&mut chain, CHANGES, &[], &index(&[two]));
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!((followed.state, &followed.checkpoint.hole), (State::Unchanged, &before.hole));
    let mut chain = self::chain(before.clone());
    serve(&mut chain, two, &[], &later);
    let closed =
        change_list(r#"from="2020-01-01T09:00:00Z" until="2020-01-01T12:00:00Z""#, &[("1", "2020-01-01T11:00:00Z")]);
    serve(&mut chain, CHANGES, &[], &index(&[one, two]));
    serve(&mut chain, one, &[], &closed);
    serve(&mut chain, CHANGES, &[], &index(&[one, two]));
    serve(&mut chain, one, &[], &closed);
    serve(&mut chain, two, &[], &later);
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!((followed.state, &followed.checkpoint.hole, followed.order.len()), (State::Next, &None, 2));
    assert_eq!(followed.checkpoint.proven(), Some("2020-01-01T13:00:00Z"));
}

#[test]
fn a_list_that_ends_earlier_than_its_index_states_is_a_gap() {
    let uri = "http://a.example/one";
    let page = index(&[uri]).replace("</loc>", r#"</loc><rs:md until="2020-01-01T12:00:00Z"/>"#);
    for (interval, state) in [
        (OPEN.to_string(), State::Gap),
        (format!(r#"{OPEN} until="2020-01-01T11:30:00Z""#), State::Gap),
        (format!(r#"{OPEN} until="2020-01-01T12:00:00Z""#), State::Next),
        (format!(r#"{OPEN} until="2020-01-01T12:30:00Z""#), State::Next),
    ] {
        let mut chain = chain(baseline()).after_baseline();
        while let Step::Read(request) = chain.next() {
            let body = match &*request.uri {
                CHANGES => page.clone(),
                SET => capabilities(),
                _ => change_list(&interval, &[("1", "2020-01-01T11:00:00Z")]),
            };
            chain.answer(head(&request.uri, 200, &[]));
            chain.push(body.as_bytes());
            chain.end();
        }
        let followed = chain.finish();
        assert_eq!(followed.state, state, "{interval}");
        assert_eq!(followed.gap.is_some(), state == State::Gap);
    }
}

/// A cache has the closed list that was at the URI of the open one before.
#[test]
fn an_index_that_a_closed_list_contradicts_is_read_again_by_the_next_run() {
    let page = index(&["http://a.example/one"]).replace("</loc>", r#"</loc><rs:md from="2020-01-01T10:00:00Z"/>"#);
    for (interval, is_known) in [
        (format!(r#"{OPEN} until="2020-01-01T10:00:00Z""#), false),
        (r#"from="2020-01-01T10:00:00Z" until="2020-01-01T11:30:00Z""#.to_string(), true),
        (r#"from="2020-01-01T10:00:00Z""#.to_string(), true),
    ] {
        let mut chain = chain(baseline()).after_baseline();
        while let Step::Read(request) = chain.next() {
            let body = match &*request.uri {
                CHANGES => page.clone(),
                SET => capabilities(),
                _ => change_list(&interval, &[]),
            };
            chain.answer(head(&request.uri, 200, &[("etag", "\"1\"")]));
            chain.push(body.as_bytes());
            chain.end();
        }
        let followed = chain.finish();
        assert!(followed.state.is_complete(), "{followed:?}");
        assert_eq!(followed.checkpoint.documents.iter().any(|known| known.uri == CHANGES), is_known, "{interval}");
    }
}

#[test]
fn an_older_list_is_read_again_past_caches_before_it_is_refused() {
    let seen = crate::checkpoint::Seen { until: Some("2020-01-01T10:00:00Z".to_string()), from: None };
    let closed = |until: &str| change_list(&format!(r#"from="2020-01-01T08:00:00Z" until="{until}""#), &[]);
    let (old, new) = (closed("2020-01-01T09:30:00Z"), closed("2020-01-01T10:00:00Z"));
    for (bodies, state) in [([&old, &new], State::Unchanged), ([&old, &old], State::Older)] {
        let mut chain = chain(Checkpoint { seen: seen.clone(), ..baseline() });
        for body in bodies {
            serve(&mut chain, CHANGES, &[], body);
            serve(&mut chain, SET, &[], &capabilities());
        }
        assert_eq!(chain.next(), Step::Done);
        assert_eq!(chain.finish().state, state);
    }
}

/// The Capability List names only the last Change List; the stored one is of a copy of it that a cache had.
#[test]
fn a_closed_list_that_the_capability_list_no_longer_names_makes_nothing_older() {
    let (one, two) = (CHANGES, "http://a.example/changes-2");
    let seen = crate::checkpoint::Seen { until: Some("2020-01-01T10:00:00Z".to_string()), from: None };
    let closed = change_list(r#"from="2020-01-01T08:00:00Z" until="2020-01-01T09:00:00Z""#, &[]);
    let open = change_list(r#"from="2020-01-01T09:30:00Z""#, &[("1", "2020-01-01T11:00:00Z")]);
    let hole = Some(Gap { after: None, before: Some("2020-01-01T07:00:00Z".to_string()) });
    let members = index(&["http://a.example/changes-1"]);
    for (hole, has_index) in [(None, false), (hole, false), (None, true)] {
        let mut chain = chain(Checkpoint { seen: seen.clone(), hole, ..baseline() });
        if has_index {
            serve(&mut chain, one, &[], &members);
            serve(&mut chain, "http://a.example/changes-1", &[], &closed);
        } else {
            serve(&mut chain, one, &[], &closed);
        }
        serve(&mut chain, SET, &[], &capabilities().replace(CHANGES, two));
        serve(&mut chain, two, &[], &open);
        assert_eq!(chain.next(), Step::Done);
        let followed = chain.finish();
        assert_eq!((followed.state, followed.older), (State::Continued, Vec::new()));
        assert_eq!(followed.checkpoint.sources, [two]);
    }
}

#[test]
fn older_lists_are_refused_although_the_capability_list_names_other_ones_than_before() {
    let (one, two) = (CHANGES, "http://a.example/changes-0");
    let seen = crate::checkpoint::Seen { until: Some("2020-01-01T10:00:00Z".to_string()), from: None };
    let closed = |until: &str| change_list(&format!(r#"from="2020-01-01T08:00:00Z" until="{until}""#), &[]);
    for has_index in [false, true] {
        let mut chain = chain(Checkpoint { seen: seen.clone(), ..baseline() });
        for _ in 0..2 {
            serve(&mut chain, one, &[], &closed("2020-01-01T09:00:00Z"));
            serve(&mut chain, SET, &[], &capabilities().replace(CHANGES, two));
            if has_index {
                serve(&mut chain, two, &[], &index(&["http://a.example/changes-1"]));
                serve(&mut chain, "http://a.example/changes-1", &[], &closed("2020-01-01T09:30:00Z"));
            } else {
                serve(&mut chain, two, &[], &closed("2020-01-01T09:30:00Z"));
            }
        }
        assert_eq!(chain.next(), Step::Done);
        let followed = chain.finish();
        assert_eq!((followed.state, followed.older.len()), (State::Older, 1));
    }
}

#[test]
fn an_open_list_without_the_changes_of_the_closed_one_before_it_is_a_gap() {
    let seen = crate::checkpoint::Seen { until: Some("2020-01-01T10:00:00Z".to_string()), from: None };
    let open = |last| change_list(r#"from="2020-01-01T08:00:00Z""#, &[("1", last)]);
    let cases = [("2020-01-01T09:00:00Z", State::Gap), ("2020-01-01T11:00:00Z", State::Continued)];
    for (last, state) in cases {
        let mut chain = chain(Checkpoint { seen: seen.clone(), ..baseline() });
        for _ in 0..if state == State::Gap { 2 } else { 1 } {
            serve(&mut chain, CHANGES, &[], &open(last));
            if state == State::Gap {
                serve(&mut chain, SET, &[], &capabilities());
            }
        }
        assert_eq!(chain.next(), Step::Done);
        let followed = chain.finish();
        assert_eq!(followed.state, state, "{followed:?}");
        let after = followed.gap.and_then(|gap| gap.after);
        assert_eq!(after.as_deref(), (state == State::Gap).then_some("2020-01-01T10:00:00Z"));
    }
}

/// Before there is no hole any more, the sources are read although the open list continues.
#[test]
fn a_list_is_older_only_once_the_capability_list_has_been_asked() {
    let (one, two) = ("http://a.example/one", "http://a.example/two");
    let open = Open { uri: one.to_string(), from: Some("2020-01-01T09:30:00Z".to_string()), ..Open::default() };
    let hole = Some(Gap { after: None, before: Some("2020-01-01T07:00:00Z".to_string()) });
    let seen = crate::checkpoint::Seen { until: Some("2020-01-01T10:00:00Z".to_string()), from: None };
    let mut chain = chain(Checkpoint { open: vec![open], hole, seen, ..baseline() });
    serve(&mut chain, one, &[], &change_list(r#"from="2020-01-01T09:30:00Z""#, &[]));
    let closed = change_list(r#"from="2020-01-01T08:00:00Z" until="2020-01-01T09:00:00Z""#, &[]);
    serve(&mut chain, CHANGES, &[], &closed);
    serve(&mut chain, SET, &[], &capabilities().replace(CHANGES, two));
    serve(&mut chain, two, &[], &change_list(r#"from="2020-01-01T09:30:00Z""#, &[]));
    assert_eq!(chain.next(), Step::Done);
    assert_eq!(chain.finish().state, State::Unchanged);
}

#[test]
fn a_list_that_was_open_and_is_closed_now_is_not_older_than_the_lists_after_it() {
    let (one, two) = ("http://a.example/one", "http://a.example/two");
    let open = |uri: &str, from: &str| Open { uri: uri.to_string(), from: Some(from.to_string()), ..Open::default() };
    let before = Checkpoint {
        open: vec![open(one, "2020-01-01T08:00:00Z"), open(two, "2020-01-01T10:00:00Z")],
        seen: crate::checkpoint::Seen { until: Some("2020-01-01T10:00:00Z".to_string()), from: None },
        ..baseline()
    };
    let mut chain = chain(before);
    let closed = r#"from="2020-01-01T08:00:00Z" until="2020-01-01T09:00:00Z""#;
    serve(&mut chain, one, &[], &change_list(closed, &[("1", "2020-01-01T08:30:00Z")]));
    serve(&mut chain, two, &[], &change_list(r#"from="2020-01-01T10:00:00Z""#, &[]));
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!((followed.state, followed.older), (State::Next, Vec::new()));
}

#[test]
fn one_of_several_open_lists_that_is_lost_and_not_continued_is_a_gap() {
    let (one, two) = ("http://a.example/one", "http://a.example/two");
    let open = |uri: &str, from: &str| Open { uri: uri.to_string(), from: Some(from.to_string()), ..Open::default() };
    let later = change_list(r#"from="2020-01-01T10:00:00Z""#, &[]);
    for (start, state) in [("2020-01-01T08:00:00Z", State::Gap), ("2020-01-01T10:00:00Z", State::Unchanged)] {
        let before = Checkpoint { open: vec![open(one, start), open(two, "2020-01-01T10:00:00Z")], ..baseline() };
        let mut chain = chain(before);
        for _ in 0..if state == State::Gap { 2 } else { 1 } {
            serve(&mut chain, one, &[], "");
            serve(&mut chain, two, &[], &later);
            serve(&mut chain, CHANGES, &[], &index(&[two]));
            if state == State::Gap {
                serve(&mut chain, SET, &[], &capabilities());
            }
        }
        assert_eq!(chain.next(), Step::Done);
        assert_eq!(chain.finish().state, state);
    }
}

#[test]
fn a_list_that_follows_new_changes_is_read_again_from_its_first_entry() {
    let (one, two) = ("http://a.example/one", "http://a.example/two");
    let first = &[("1", "2020-01-01T08:30:00Z")][..];
    let (from_one, from_two) = (r#"from="2020-01-01T08:00:00Z""#, r#"from="2020-01-01T10:00:00Z""#);
    let last = change_list(from_two, &[("2", "2020-01-01T11:00:00Z")]);
    let mut chain = chain(baseline());
    serve(&mut chain, CHANGES, &[], &index(&[one, two]));
    for _ in 0..2 {
        serve(&mut chain, one, &[], &change_list(from_one, first));
        serve(&mut chain, two, &[("ETag", "\"v1\"")], &last);
        if chain.again.no_cache() {
            break;
        }
        serve(&mut chain, CHANGES, &[], &index(&[one, two]));
    }
    assert_eq!(chain.next(), Step::Done);
    let before = chain.finish().checkpoint;
    assert_eq!(before.open.len(), 2);
    let mut chain = self::chain(before);
    let more = change_list(from_one, &[first, &[("2", "2020-01-01T09:30:00Z")]].concat());
    serve(&mut chain, one, &[], &more);
    request(&mut chain, two);
    chain.answer(head(two, 304, &[]));
    chain.end();
    serve(&mut chain, two, &[], &last);
    assert_eq!(chain.next(), Step::Done);
    let from: Vec<u64> = chain.finish().order.iter().map(|part| part.from).collect();
    assert_eq!(from, [1, 0]);
}

/// What a cache had of the open list ends before the Resource Lists; what follows there is in them already.
#[test]
fn changes_before_the_resource_lists_count_no_more_when_they_arrive() {
    let first = ("1", "2020-01-01T09:30:00Z");
    let mut one = chain(Checkpoint { baseline: baseline().as_of, ..baseline() });
    serve(&mut one, CHANGES, &[], &change_list(OPEN, &[first]));
    assert_eq!(one.next(), Step::Done);
    let before = one.finish().checkpoint;
    assert_eq!((&before.as_of, &before.baseline), (&baseline().as_of, &baseline().as_of));

    let later = [first, ("2", "2020-01-01T09:40:00Z"), ("3", "2020-01-01T10:30:00Z")];
    for (baseline, expected) in [(before.baseline.clone(), &["3"][..]), (None, &["2", "3"])] {
        let mut next = chain(Checkpoint { baseline, ..before.clone() });
        serve(&mut next, CHANGES, &[], &change_list(OPEN, &later));
        let changed = |event| match event {
            Event::Changed(_, change) if change.position >= 1 => change.resource.map(|resource| resource.uri),
            _ => None,
        };
        let changed: Vec<String> = next.events().into_iter().filter_map(changed).collect();
        assert_eq!(changed, expected.iter().map(|name| format!("http://a.example/{name}")).collect::<Vec<_>>());
        assert_eq!(next.next(), Step::Done);
        assert_eq!(next.finish().state, State::Continued);
    }
}

#[test]
fn a_change_without_a_time_is_before_the_one_that_follows_it() {
    let timeless = r#"<url><loc>http://a.example/1</loc><rs:md change="deleted"/></url>"#;
    for (next, from) in [("2020-01-01T09:30:00Z", 2), ("2020-01-01T10:30:00Z", 0)] {
        let body = change_list(OPEN, &[("2", next)]);
        let body = body.replacen("<url>", &format!("{timeless}<url>"), 1);
        let mut chain = chain(baseline());
        serve(&mut chain, CHANGES, &[], &body);
        assert_eq!(chain.next(), Step::Done);
        assert_eq!(chain.finish().order, [Part { document: 1, order: Order::Forward, from }]);
    }
}

/// The times of the index are those of a wrong clock, and the open list was not yet written with it.
#[test]
fn a_list_that_begins_later_than_all_that_was_read_of_it_is_of_an_earlier_state() {
    let member = "http://a.example/changes-0";
    let open = change_list(OPEN, &[("1", "2020-01-01T11:00:00Z")]);
    let interval = |uri: &str, interval: &str| format!("<loc>{uri}</loc><rs:md {interval}/>");
    for (year, state) in [(2030, State::Gap), (2020, State::Continued)] {
        let [first, second] = ["08", "09"].map(|hour| format!("{year}-01-01T{hour}:00:00Z"));
        let closed = change_list(&format!(r#"from="{first}" until="{second}""#), &[]);
        let (closed_from, open_from) = (format!(r#"from="{first}""#), format!(r#"from="{second}""#));
        let members = index(&[member, "http://a.example/open"])
            .replace(&format!("<loc>{member}</loc>"), &interval(member, &closed_from))
            .replace("<loc>http://a.example/open</loc>", &interval("http://a.example/open", &open_from));
        let mut chain = chain(baseline());
        let is_gap = state == State::Gap;
        for _ in 0..if is_gap { 2 } else { 1 } {
            serve(&mut chain, CHANGES, &[], &members);
            serve(&mut chain, member, &[], &closed);
            serve(&mut chain, "http://a.example/open", &[], &open);
            if is_gap {
                serve(&mut chain, SET, &[], &capabilities());
            }
        }
        assert_eq!(chain.next(), Step::Done);
        let followed = chain.finish();
        assert_eq!(followed.state, state, "{followed:?}");
    }
}

#[test]
fn lists_that_end_in_the_second_of_the_copy_are_read_once() {
    let names = ["http://a.example/1", "http://a.example/2", "http://a.example/3"];
    let ends = [("09:00:00", "10:00:00"), ("10:00:00", "10:00:00"), ("10:00:00", "11:00:00")];
    let interval = |(from, until): (&str, &str)| format!(r#"from="2020-01-01T{from}Z" until="2020-01-01T{until}Z""#);
    let changes = |place: usize| {
        let time = if place == 2 { "2020-01-01T11:00:00Z" } else { "2020-01-01T10:00:00Z" };
        change_list(&interval(ends[place]), &[(["a", "b", "c"][place], time)])
    };
    let mut before = baseline();
    for published in 1..=3 {
        let claims = names.iter().zip(ends).take(published);
        let page = claims.fold(index(&names[..published]), |page, (name, times)| {
            page.replace(&format!("{name}</loc>"), &format!("{name}</loc><rs:md {}/>", interval(times)))
        });
        for has_new in [true, false] {
            let mut chain = chain(before.clone());
            serve(&mut chain, CHANGES, &[], &if has_new { page.clone() } else { page.replace("><", "> <") });
            if has_new {
                serve(&mut chain, names[published - 1], &[], &changes(published - 1));
            }
            assert_eq!(chain.next(), Step::Done, "{published} {has_new}");
            let followed = chain.finish();
            assert_eq!(
                (followed.state, followed.order.len()),
                if has_new { (State::Next, 1) } else { (State::Unchanged, 0) }
            );
            before = followed.checkpoint;
        }
    }
    assert_eq!(before.proven(), Some("2020-01-01T11:00:00Z"));
}

#[test]
fn a_change_after_the_end_of_its_list_moves_the_copy_to_that_end_only() {
    let interval = r#"from="2020-01-01T10:00:00Z" until="2020-01-01T11:00:00Z""#;
    for (time, as_of) in
        [("2020-01-01T12:30:00Z", "2020-01-01T11:00:00Z"), ("2020-01-01T10:30:00Z", "2020-01-01T11:00:00Z")]
    {
        let list = change_list(interval, &[("a", time)]);
        let followed = follow(chain(baseline()), &[(SET, &capabilities()), (CHANGES, &list)]);
        assert_eq!(followed.checkpoint.as_of.as_deref(), Some(as_of), "{followed:?}");
    }
}

#[test]
fn a_list_that_ends_on_the_day_of_the_copy_is_read_once() {
    let (one, two) = ("http://a.example/one", "http://a.example/two");
    let processed = ("1", "2020-01-01T10:30:00Z");
    let mut chain = chain(baseline());
    serve(&mut chain, CHANGES, &[], &change_list(r#"from="2019-12-31""#, &[processed]));
    assert_eq!(chain.next(), Step::Done);
    let before = chain.finish().checkpoint;
    let ends = [r#"from="2019-12-31" until="2020-01-01""#, r#"from="2020-01-01""#];
    let page = [one, two].iter().zip(ends).fold(index(&[one, two]), |page, (name, times)| {
        page.replace(&format!("{name}</loc>"), &format!("{name}</loc><rs:md {times}/>"))
    });
    let closed = change_list(ends[0], &[processed, ("2", "2020-01-01T10:40:00Z")]);
    let later = change_list(ends[1], &[("3", "2020-01-01T10:50:00Z")]);
    let mut chain = self::chain(before);
    serve(&mut chain, CHANGES, &[], &page);
    serve(&mut chain, one, &[], &closed);
    serve(&mut chain, two, &[], &later);
    assert_eq!(chain.next(), Step::Done);
    let followed = chain.finish();
    assert_eq!((followed.state, followed.order.len()), (State::Next, 2));
    assert_eq!(followed.checkpoint.proven(), Some("2020-01-01T10:50:00Z"));
    let mut chain = self::chain(followed.checkpoint);
    serve(&mut chain, two, &[], &later);
    assert_eq!(chain.next(), Step::Done);
    assert_eq!(chain.finish().state, State::Unchanged);
}

#[test]
fn a_list_whose_beginning_is_known_to_the_day_is_not_older() {
    let mut before = baseline();
    before.seen.from = Some("2020-01-01T09:30:00Z".to_string());
    for (from, is_older) in [("2020-01-01", false), ("2019-12-31", true)] {
        let mut chain = chain(before.clone());
        let list = change_list(&format!(r#"from="{from}""#), &[("1", "2020-01-01T10:30:00Z")]);
        while let Step::Read(request) = chain.next() {
            chain.answer(head(&request.uri, 200, &[]));
            chain.push(if request.uri == CHANGES { list.clone() } else { capabilities() }.as_bytes());
            chain.end();
        }
        assert_eq!(chain.finish().state == State::Older, is_older, "{from}");
    }
}
