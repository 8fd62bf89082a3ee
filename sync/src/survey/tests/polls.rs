//! Later runs: conditional requests, unchanged documents, and indexes that are read again.

use resourcesync::model::Kind;

use super::*;

/// Status, header fields and body of a response.
type Sent = (u16, Vec<(&'static str, &'static str)>, String);

/// Runs a survey against this server: the result and the requests.
fn drive(mut survey: Survey, serve: &dyn Fn(&Request) -> Sent) -> (Findings, Vec<Request>) {
    let mut requests = Vec::new();
    while let Step::Read(request) = survey.next() {
        let (status, headers, body) = serve(&request);
        let headers = headers.into_iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        survey.answer(Head { uri: request.uri.clone(), status, headers });
        survey.push(body.as_bytes());
        survey.end();
        requests.push(request);
    }
    (survey.finish(), requests)
}

fn uris(requests: &[Request]) -> Vec<&str> {
    requests.iter().map(|request| request.uri.trim_start_matches(HOST)).collect()
}

/// The index of these tests.
fn indexed_at(at: &str) -> String {
    index(&["http://a.example/m"])
        .replace(r#""2020-01-01T00:00:00Z""#, &format!(r#""{at}" completed="2020-01-02T00:00:00Z""#))
}

/// What the source of these tests sends.
fn sent(request: &Request) -> Sent {
    match source().with("http://a.example/list", &[&indexed_at("2020-01-01T00:00:00Z")]).pages.get(&request.uri) {
        Some(pages) => (200, Vec::new(), String::from_utf8(pages[0].clone()).unwrap()),
        None if request.uri.ends_with("/m") => (200, Vec::new(), list("2020-01-02T00:00:00Z", &["http://a.example/1"])),
        None => (404, Vec::new(), String::new()),
    }
}

fn again(before: &Findings) -> Survey {
    Survey::new(HOST, before.remembered.clone(), true, NOW, &Limits::default())
}

#[test]
fn unchanged_documents_keep_their_roles_kinds_and_times() {
    let (first, _) = drive(survey(HOST), &sent);
    let (found, requests) = drive(again(&first), &sent);
    assert!(found.is_unchanged && found.lists_complete);
    assert_eq!(uris(&requests), [".well-known/resourcesync", "cap", "list", "m"]);
    assert_eq!(requests.iter().map(|request| request.is_start).collect::<Vec<_>>(), [true, false, false, false]);
    let read = |uri: &str, role, kind, at: Option<&str>| Read {
        uri: format!("{HOST}{uri}"),
        role,
        kind,
        entries: 0,
        at: at.map(ToString::to_string),
        unread: None,
        is_same: true,
    };
    let expected = [
        read(".well-known/resourcesync", Role::Description, Kind::SourceDescription, None),
        read("cap", Role::CapabilityList, Kind::CapabilityList, None),
        read("list", Role::List, Kind::ResourceList, Some("2020-01-01T00:00:00Z")),
        read("m", Role::Member, Kind::ResourceList, Some("2020-01-02T00:00:00Z")),
    ];
    assert_eq!(found.documents, expected);
}

#[test]
fn documents_that_were_read_have_their_kinds_entries_and_times() {
    let (found, requests) = drive(survey(HOST), &sent);
    assert_eq!(uris(&requests), [".well-known/resourcesync", "cap", "list", "m", "list"]);
    let read = |read: &Read| (read.role, read.kind, read.entries, read.at.clone(), read.is_same);
    let (index, member) = (Some("2020-01-01T00:00:00Z".to_string()), Some("2020-01-02T00:00:00Z".to_string()));
    let expected = [
        (Role::Description, Kind::SourceDescription, 1, None, false),
        (Role::CapabilityList, Kind::CapabilityList, 2, None, false),
        (Role::List, Kind::ResourceListIndex, 1, index, false),
        (Role::Member, Kind::ResourceList, 1, member, false),
    ];
    assert_eq!(found.documents.iter().map(read).collect::<Vec<_>>(), expected);
    assert_eq!((found.listed, found.unreadable_entries, found.lists_complete, found.is_unchanged), (1, 0, true, false));
}

#[test]
fn later_requests_are_conditional_by_the_tag_and_else_by_the_date() {
    const DATE: (&str, &str) = ("Date", "Thu, 02 Jan 2020 12:00:00 GMT");
    const MODIFIED: (&str, &str) = ("Last-Modified", "Thu, 02 Jan 2020 11:00:00 GMT");
    let serve = |request: &Request| {
        let (status, _, body) = sent(request);
        let mut headers = vec![DATE, MODIFIED];
        if request.uri.ends_with("/list") {
            headers.push(("ETag", "\"v1\""));
        }
        (status, headers, body)
    };
    let (first, requests) = drive(survey(HOST), &serve);
    let condition = |request: &Request| (request.etag.clone(), request.modified.clone());
    let (tag, date) = (Some("\"v1\"".to_string()), Some(MODIFIED.1.to_string()));
    let mut expected = vec![(None, None); 4];
    // Its member and the index are asked again at the end.
    expected.extend([(None, date.clone()), (tag.clone(), None)]);
    assert_eq!(requests.iter().map(condition).collect::<Vec<_>>(), expected);
    let (_, requests) = drive(again(&first), &|_| (304, Vec::new(), String::new()));
    let expected = [(None, date.clone()), (None, date.clone()), (tag, None), (None, date)];
    assert_eq!(requests.iter().map(condition).collect::<Vec<_>>(), expected);
}

#[test]
fn a_document_that_cannot_be_polled_is_looked_for_from_the_start() {
    let (first, _) = drive(survey(HOST), &sent);
    for status in [404, 503] {
        let serve = |request: &Request| match request.uri.ends_with("/cap") && !request.is_start {
            true => (status, Vec::new(), String::new()),
            false => sent(request),
        };
        let (found, requests) = drive(again(&first), &serve);
        assert!(!found.is_unchanged && !found.lists_complete, "{status}");
        assert_eq!(uris(&requests), [".well-known/resourcesync", "cap", ".well-known/resourcesync", "cap"]);
    }
    let mut survey = again(&first);
    survey.next();
    survey.failed(Reason::new(ReasonCode::ConnectionClosed));
    assert!(survey.events().contains(&Event::Restarted));
    assert!(matches!(survey.next(), Step::Read(request) if request.uri.ends_with("resourcesync")));
}

#[test]
fn an_index_that_cannot_be_read_again_is_another_snapshot() {
    for status in [304, 200, 404, 503] {
        let count = core::cell::Cell::new(0);
        let serve = |request: &Request| {
            let is_index = request.uri.ends_with("/list");
            count.set(count.get() + u32::from(is_index));
            match is_index && count.get() == 2 && status != 200 {
                true => (status, Vec::new(), String::new()),
                false => sent(request),
            }
        };
        let (found, requests) = drive(survey(HOST), &serve);
        let attempts = if status == 200 { 1 } else { 2 };
        assert_eq!((found.mixed, found.lists_complete), (None, true), "{status}");
        assert_eq!(uris(&requests).iter().filter(|uri| **uri == "list").count(), 2 * attempts, "{status}");
    }
    let mut survey = survey("http://a.example/list");
    while let Step::Read(request) = survey.next() {
        let (status, _, body) = sent(&request);
        survey.answer(Head { uri: request.uri, status, headers: Vec::new() });
        match request.is_start || body.contains("/1<") {
            true => {
                survey.push(body.as_bytes());
                survey.end();
            }
            false => survey.failed(Reason::new(ReasonCode::ConnectionClosed)),
        }
    }
    let found = survey.finish();
    assert_eq!((found.mixed.as_deref(), found.lists_complete), (Some("http://a.example/list"), true));
}

#[test]
fn a_snapshot_is_tried_three_times() {
    let count = core::cell::Cell::new(0);
    let serve = |request: &Request| match request.uri.ends_with("/list") {
        true => {
            count.set(count.get() + 1);
            let at = format!("2020-01-01T00:00:{:02}Z", count.get());
            (200, Vec::new(), indexed_at(&at))
        }
        false => sent(request),
    };
    let (found, requests) = drive(survey(HOST), &serve);
    assert_eq!(uris(&requests).iter().filter(|uri| **uri == "list").count(), 6);
    assert_eq!(found.mixed.as_deref(), Some("http://a.example/list"));
}

#[test]
fn the_clock_of_a_poll_is_kept_where_documents_are_read_from_the_start() {
    let (first, _) = drive(survey(HOST), &sent);
    let is_first = core::cell::Cell::new(true);
    let serve = |request: &Request| match is_first.take() {
        true => (503, vec![("Date", "Thu, 02 Jan 2020 12:00:00 GMT")], String::new()),
        false => sent(request),
    };
    let (found, _) = drive(again(&first), &serve);
    assert_eq!((found.date, found.lists_complete), (Some(1_577_966_400), true));
}

#[test]
fn a_server_that_says_unchanged_without_being_asked_is_not_believed() {
    let (first, _) = drive(survey(HOST), &sent);
    let (found, _) = drive(again(&first), &|_| (304, Vec::new(), String::new()));
    assert!(!found.is_unchanged && !found.lists_complete);
}

#[test]
fn nothing_is_listed_by_documents_of_which_only_the_digest_counts() {
    let pages = |request: &Request| {
        let next = r#"<rs:ln rel="next" href="http://a.example/l?2"/>"#;
        let page = list("2020-01-01T00:00:00Z", &["http://a.example/1"]);
        if request.uri.contains('?') { page } else { page.replacen("<rs:md", &format!("{next}<rs:md"), 1) }
    };
    let count = |mut survey: Survey| {
        let mut listed = 0;
        while let Step::Read(request) = survey.next() {
            let body = pages(&request);
            survey.answer(Head { uri: request.uri, status: 200, headers: Vec::new() });
            survey.push(body.as_bytes());
            survey.end();
            listed += survey.events().iter().filter(|event| matches!(event, Event::Listed(..))).count();
        }
        (listed, survey.finish())
    };
    let (listed, found) = count(survey("http://a.example/l"));
    assert_eq!((listed, found.lists_complete, found.documents.len()), (2, true, 2));
    let again = Survey::new("http://a.example/l", found.remembered, true, NOW, &Limits::default());
    let (listed, found) = count(again);
    assert_eq!((listed, found.is_unchanged), (0, true));
}
