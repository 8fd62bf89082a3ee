//! The times of a Source: when its lists expire, how old they are, and the clock of its server.

use super::*;

type Headers<'a> = &'a [(&'a str, &'a str)];

fn head(headers: Headers) -> Head {
    let headers = headers.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
    Head { uri: "http://a.example/l".to_string(), status: 200, headers }
}

#[test]
fn a_response_expires_as_the_server_says() {
    const DATE: (&str, &str) = ("Date", "Thu, 02 Jan 2020 12:00:00 GMT");
    const EXPIRES: (&str, &str) = ("EXPIRES", " Thu, 02 Jan 2020 12:01:30 GMT ");
    let cases: [(Headers, Option<u64>); 13] = [
        (&[], None),
        (&[("cache-control", "max-age=60")], Some(60)),
        (&[("Cache-Control", "private,Max-Age=\"60\"")], Some(60)),
        (&[("Cache-Control", "max-age=60"), ("Age", "20")], Some(40)),
        (&[("Cache-Control", "max-age=60"), ("Age", "100")], Some(0)),
        (&[("Cache-Control", "no-store, max-age=60")], None),
        (&[("Cache-Control", "max-age=60, no-cache")], None),
        (&[("Cache-Control", "max-age=60, no-cache=\"set-cookie\"")], None),
        (&[("Cache-Control", "max-age=soon")], None),
        (&[DATE, EXPIRES], Some(90)),
        (&[DATE, EXPIRES, ("Cache-Control", "max-age=5")], Some(5)),
        (&[EXPIRES], None),
        (&[DATE, ("Expires", "Thu, 02 Jan 2020 11:59:00 GMT")], None),
    ];
    for (headers, seconds) in cases {
        assert_eq!(head(headers).fresh_for(), seconds, "{headers:?}");
    }
}

#[test]
fn the_first_list_to_expire_decides_when_to_poll() {
    let control = |uri: &str, value: &str| (uri.to_string(), ("Cache-Control".to_string(), value.to_string()));
    let mut server = indexed(&[&index(&["http://a.example/m1", "http://a.example/m2"])])
        .with("http://a.example/cap", &[&capabilities(&[("http://a.example/index", "resourcelist")])]);
    let of = |server: &mut Server| server.read(survey("http://a.example/cap"), 64).0.fresh_for;
    assert_eq!(of(&mut server), None);
    server
        .headers
        .extend([control("http://a.example/cap", "max-age=5"), control("http://a.example/index", "max-age=60")]);
    assert_eq!(of(&mut server), Some(60));
    server.headers.extend([control("http://a.example/m1", "max-age=30"), control("http://a.example/m2", "max-age=90")]);
    assert_eq!(of(&mut server), Some(30));
}

#[test]
fn the_clock_is_that_of_the_last_response_that_has_one() {
    let mut server = source();
    let date = ("Date".to_string(), "Thu, 02 Jan 2020 12:00:00 GMT".to_string());
    server.headers.insert("http://a.example/cap".to_string(), date);
    assert_eq!(server.read(survey(HOST), 64).0.date, Some(1_577_966_400));
}

#[test]
fn a_source_and_its_sets_are_as_old_as_the_oldest_list() {
    let page = index(&["http://a.example/m1", "http://a.example/m2"])
        .replace("m1</loc>", r#"m1</loc><rs:md at="2020-01-01T23:00:00Z"/>"#)
        .replace("m2</loc>", r#"m2</loc><rs:md at="2019-12-31T23:30:00Z"/>"#);
    let mut server = indexed(&[&page])
        .with("http://a.example/cap", &[&capabilities(&[("http://a.example/index", "resourcelist")])])
        .with("http://a.example/m1", &[&list("2020-01-02T00:00:00+01:00", &[])])
        .with("http://a.example/m2", &[&list("2019-12-31T23:30:00Z", &[])]);
    let (found, _) = server.read(survey("http://a.example/cap"), 64);
    assert_eq!(found.remembered.as_of(), Some("2019-12-31T23:30:00Z"));
    let (uri, at) = ("http://a.example/cap".to_string(), Some("2019-12-31T23:30:00Z".to_string()));
    let set = Set { uri, at, ..Set::default() };
    assert_eq!(found.sets, [set]);
}

#[test]
fn a_list_without_a_time_makes_its_set_timeless_and_a_member_does_not() {
    let timeless = document("urlset", r#"<rs:md capability="resourcelist"/>"#, &["<loc>http://a.example/1</loc>"]);
    let set = |server: Server| {
        let mut server = server.with(
            "http://a.example/cap",
            &[&capabilities(&[("http://a.example/index", "resourcelist"), ("http://a.example/changes", "changelist")])],
        );
        let (found, _) = server.read(survey("http://a.example/cap"), 64);
        assert_eq!((found.sets.len(), &*found.sets[0].uri), (1, "http://a.example/cap"));
        assert_eq!(found.sets[0].changes, ["http://a.example/changes"]);
        (found.sets[0].at.clone(), found.sets[0].is_timeless)
    };
    let at = Some("2020-01-01T00:00:00Z".to_string());
    let page = index(&["http://a.example/m1", "http://a.example/m2"]);
    assert_eq!(set(indexed(&[&page]).with("http://a.example/m1", &[&timeless])), (at.clone(), false));
    let bare = page.replace(r#" at="2020-01-01T00:00:00Z""#, "");
    assert_eq!(set(indexed(&[&bare])), (at, true));
    assert_eq!(set(indexed(&[&timeless])), (None, true));
}

#[test]
fn a_list_with_the_same_time_and_another_content_is_noted() {
    let (found, _) = source().read(survey(HOST), 64);
    let again = || Survey::new(HOST, found.remembered.clone(), false, NOW, &Limits::default());
    let at = "2020-01-02T00:00:00Z";
    let mut other = source().with("http://a.example/list", &[&list(at, &["http://a.example/3"])]);
    let rewritten = [("http://a.example/list".to_string(), at.to_string())];
    assert_eq!(other.read(again(), 64).0.rewritten, rewritten);
    assert_eq!(other.read(again().accepting_older(), 64).0.rewritten, []);
    let (same, _) = source().read(again(), 64);
    assert_eq!((same.rewritten, same.older.len(), same.lists_complete), (Vec::new(), 0, true));
    let mut newer = source().with("http://a.example/list", &[&list("2020-01-03T00:00:00Z", &[])]);
    let (newer, _) = newer.read(again(), 64);
    assert_eq!((newer.rewritten, newer.older.len()), (Vec::new(), 0));
}

#[test]
fn of_equal_times_the_first_spelling_is_kept() {
    let mut set = Set::default();
    for at in ["2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00Z"] {
        set.note(Some(at), false);
    }
    assert_eq!(set.at.as_deref(), Some("2020-01-01T01:00:00+01:00"));
}

/// A survey of an index, with the times that it states for its two members, and those of these.
fn snapshot(head: &str, stated: [&str; 2], members: [&str; 2]) -> (Findings, usize) {
    let entries = ["m1", "m2"].iter().zip(stated);
    let entries: Vec<String> =
        entries.map(|(uri, md)| format!("<loc>http://a.example/{uri}</loc><rs:md {md}/>")).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let page = document("sitemapindex", &format!(r#"<rs:md capability="resourcelist" {head}/>"#), &entries);
    let member = |md: &str, uri: &str| {
        document("urlset", &format!(r#"<rs:md capability="resourcelist" {md}/>"#), &[&format!("<loc>{uri}</loc>")])
    };
    let mut server = indexed(&[&page])
        .with("http://a.example/m1", &[&member(members[0], "http://a.example/1")])
        .with("http://a.example/m2", &[&member(members[1], "http://a.example/2")]);
    let (found, _) = server.read(survey("http://a.example/index"), 64);
    (found, server.log.iter().filter(|uri| uri.ends_with("/m1")).count())
}

#[test]
fn members_are_of_one_snapshot_if_their_times_agree_with_their_index() {
    let at = |second: u32| format!(r#"at="2020-01-01T00:00:{second:02}Z""#);
    let (ten, twenty) = (&*at(10), &*at(20));
    let until = |from: &str, second: u32| format!(r#"{from} completed="2020-01-01T00:00:{second:02}Z""#);
    let day = r#"at="2020-01-01""#;
    let (long, short) = (&*until(ten, 30), &*until(ten, 15));
    for (head, stated, members, is_one) in [
        (twenty, [twenty, twenty], [twenty, twenty], true),
        (twenty, [twenty, twenty], [twenty, ten], false),
        (ten, [ten, twenty], [ten, twenty], true),
        (ten, [ten, twenty], [ten, ten], false),
        ("", [ten, ""], [ten, twenty], true),
        ("", [twenty, ""], [ten, twenty], false),
        // The index states no times of its members.
        (ten, ["", ""], [ten, ten], true),
        (ten, ["", ""], [ten, twenty], false),
        (twenty, ["", ""], [ten, twenty], false),
        (long, ["", ""], [ten, twenty], true),
        (short, ["", ""], [ten, twenty], false),
        ("", ["", ""], [ten, ten], true),
        ("", ["", ""], [ten, twenty], false),
        // Times that are not written are those of the index.
        (twenty, [twenty, twenty], ["", twenty], true),
        // An index that states a day agrees with each of its moments, and its members with each other.
        (day, ["", ""], [ten, ten], true),
        (day, ["", ""], [day, ten], true),
        (day, ["", ""], [ten, twenty], false),
        (day, [day, day], [ten, twenty], false),
        (day, [day, ""], [ten, ten], true),
        (&*format!(r#"{day} completed="2020-01-01""#), ["", ""], [ten, twenty], true),
        (twenty, ["", long], [twenty, ten], true),
        (twenty, ["", long], [twenty, short], false),
    ] {
        let (found, readings) = snapshot(head, stated, members);
        let mixed = (!is_one).then_some("http://a.example/index");
        assert_eq!(found.mixed.as_deref(), mixed, "{head} {stated:?} {members:?}");
        assert_eq!(
            (readings, found.lists_complete),
            (if is_one { 2 } else { 4 }, true),
            "{head} {stated:?} {members:?}"
        );
    }
}

#[test]
fn members_that_could_change_without_another_time_are_read_again() {
    let index = |at: &str| {
        let entries = ["m1", "m2"].map(|uri| format!("<loc>http://a.example/{uri}</loc>"));
        document("sitemapindex", &format!(r#"<rs:md capability="resourcelist" {at}/>"#), &[&entries[0], &entries[1]])
    };
    let member = |uris: &[&str]| {
        let entries: Vec<String> = uris.iter().map(|uri| format!("<loc>http://a.example/{uri}</loc>")).collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        document("urlset", r#"<rs:md capability="resourcelist"/>"#, &entries)
    };
    // A resource moves from the second member to the first, after that was read.
    let (before, after) = (member(&["1"]), member(&["1", "moved"]));
    for (at, is_noticed) in [
        (r#"at="2020-09-13""#, true),
        (r#"at="2020-09-13T12:26:40Z""#, true),
        // The clocks are not the same.
        (r#"at="2020-09-13T12:27:00Z""#, true),
        (r#"at="2020-09""#, true),
        ("", true),
        (r#"at="2020-09-12""#, false),
        (r#"at="2020-09-13T12:26:39Z""#, false),
    ] {
        for has_tags in [true, false] {
            let mut server = indexed(&[&index(at)])
                .with("http://a.example/m1", &[&before, &after])
                .with("http://a.example/m2", &[&member(&["2"])]);
            server.has_tags = has_tags;
            let (found, listed) = server.read(survey("http://a.example/index"), 64);
            // Where the server can say that nothing changed, it is asked in any case.
            assert_eq!(listed.iter().any(|uri| uri.ends_with("moved")), is_noticed || has_tags, "{at} {has_tags}");
            assert!(found.lists_complete && found.mixed.is_none(), "{at} {has_tags}");
        }
    }
}

#[test]
fn two_members_with_one_body_are_no_whole_list() {
    let at = "2020-01-01T00:00:00Z";
    let page = index(&["http://a.example/m1", "http://a.example/m2"]);
    let one = list(at, &["http://a.example/1"]);
    for (other, is_whole) in [(&one, false), (&list(at, &["http://a.example/2"]), true)] {
        let mut server = indexed(&[&page]).with("http://a.example/m1", &[&one]).with("http://a.example/m2", &[other]);
        assert_eq!(server.read(survey("http://a.example/index"), 64).0.lists_complete, is_whole);
    }
    // Lists without entries are equal.
    let empty = list(at, &[]);
    let mut server = indexed(&[&page]).with("http://a.example/m1", &[&empty]).with("http://a.example/m2", &[&empty]);
    assert!(server.read(survey("http://a.example/index"), 64).0.lists_complete);
    // An index that is one of its members, and a second page that is the first.
    let own = index(&["http://a.example/m1", "http://a.example/index"]);
    assert!(!indexed(&[&own]).read(survey("http://a.example/index"), 64).0.lists_complete);
    let paged =
        format!(r#"<rs:ln rel="next" href="http://a.example/p2"/><rs:md capability="resourcelist" at="{at}"/>"#);
    let paged = document("urlset", &paged, &["<loc>http://a.example/1</loc>"]);
    let mut server = indexed(&[&page]).with("http://a.example/p1", &[&paged]).with("http://a.example/p2", &[&paged]);
    assert!(!server.read(survey("http://a.example/p1"), 64).0.lists_complete);
}

#[test]
fn members_of_another_snapshot_are_read_again_after_a_pause_and_past_caches() {
    let page = index(&["http://a.example/m1", "http://a.example/m2"]);
    let old = list("2019-12-31T00:00:00Z", &["http://a.example/1"]);
    let new = list("2020-01-01T00:00:00Z", &["http://a.example/1"]);
    let mut server = indexed(&[&page]).with("http://a.example/m1", &[&old, &new]);
    let mut survey = survey("http://a.example/index");
    let mut asked = Vec::new();
    while let Step::Read(request) = survey.next() {
        let versions = server.pages.get_mut(&request.uri).unwrap();
        let page = if versions.len() > 1 { versions.remove(0) } else { versions[0].clone() };
        asked.push((request.uri.trim_start_matches(HOST).to_string(), request.no_cache, request.pause));
        survey.answer(Head { uri: request.uri, status: 200, headers: Vec::new() });
        survey.push(&page);
        survey.end();
    }
    let asked: Vec<_> = asked.iter().map(|(uri, no_cache, pause)| (&**uri, *no_cache, *pause)).collect();
    let again = [("index", true, 2), ("m1", true, 0), ("m2", true, 0), ("index", true, 0)];
    assert_eq!(asked, [&[("index", false, 0), ("m1", false, 0)][..], &again].concat());
    let found = survey.finish();
    assert!(found.mixed.is_none() && found.lists_complete);
}

#[test]
fn pages_with_other_times_are_no_snapshot() {
    let next =
        r#"<rs:ln rel="next" href="http://a.example/p2"/><rs:md capability="resourcelist" at="2020-01-01T00:00:00Z"/>"#;
    let first = document("urlset", next, &["<loc>http://a.example/1</loc>"]);
    for (at, mixed) in [("2020-01-01T00:00:00Z", None), ("2020-01-02T00:00:00Z", Some("http://a.example/p1"))] {
        let mut server = Server::new(&[("http://a.example/p1", &first), ("http://a.example/p2", &list(at, &[]))]);
        assert_eq!(server.read(survey("http://a.example/p1"), 64).0.mixed.as_deref(), mixed);
    }
}

#[test]
fn an_older_list_is_read_again_past_caches_before_it_is_refused() {
    let (before, _) = source().read(survey(HOST), 64);
    let old = list("2020-01-01T00:00:00Z", &[]);
    let again = || Survey::new(HOST, before.remembered.clone(), false, NOW, &Limits::default());
    let good = source().pages["http://a.example/list"][0].clone();
    let mut server = source().with("http://a.example/list", &[&old, core::str::from_utf8(&good).unwrap()]);
    let (found, listed) = server.read(again(), 64);
    assert_eq!((found.older.len(), found.lists_complete, listed.len()), (0, true, 2));
    let (found, _) = source().with("http://a.example/list", &[&old]).read(again(), 64);
    assert_eq!((found.older.len(), found.lists_complete), (1, false));
}

#[test]
fn a_time_in_the_future_is_reported_and_is_neither_claimed_nor_remembered() {
    let (before, _) = source().read(survey(HOST), 64);
    let future = list("2099-01-01T00:00:00Z", &["http://a.example/1"]);
    let read = |before: &Findings, mut server: Server| {
        server.read(Survey::new(HOST, before.remembered.clone(), false, NOW, &Limits::default()), 64).0
    };
    for before in [Findings::default(), before] {
        let found = read(&before, source().with("http://a.example/list", &[&future]));
        assert_eq!(found.ahead, [("http://a.example/list".to_string(), "2099-01-01T00:00:00Z".to_string())]);
        assert!(found.lists_complete && found.older.is_empty());
        assert_eq!((found.remembered.as_of(), found.sets[0].at.as_deref()), (None, None));
        assert!(found.sets[0].is_timeless);
        let later = read(&found, source());
        assert_eq!((later.older.len(), later.ahead.len(), later.lists_complete), (0, 0, true));
        assert_eq!(later.remembered.as_of(), Some("2020-01-02T00:00:00Z"));
        // What was seen before the time in the future still counts.
        let old = source().with("http://a.example/list", &[&list("2019-01-01T00:00:00Z", &[])]);
        assert_eq!(read(&found, old).older.len(), before.remembered.documents.len().min(1));
    }
    // A server that is as far ahead is not believed either.
    let mut server = source().with("http://a.example/list", &[&future]);
    let date = ("Date".to_string(), "Thu, 01 Jan 2099 00:00:00 GMT".to_string());
    server.headers.insert("http://a.example/list".to_string(), date);
    assert_eq!(read(&Findings::default(), server).ahead.len(), 1);
}

#[test]
fn a_time_that_was_reached_before_is_not_ahead_of_a_server_whose_clock_is_behind() {
    let (before, _) = source().read(survey(HOST), 64);
    let behind = |at: &str| {
        let mut server = source().with("http://a.example/list", &[&list(at, &["http://a.example/1"])]);
        let date = ("Date".to_string(), "Wed, 01 Jan 2014 00:00:00 GMT".to_string());
        server.headers.insert("http://a.example/list".to_string(), date);
        server
    };
    let again = || Survey::new(HOST, before.remembered.clone(), false, NOW, &Limits::default());
    let reached = Checkpoint { as_of: Some("2020-01-04T00:00:00Z".to_string()), ..Checkpoint::default() };
    for (at, survey, is_ahead) in [
        ("2020-01-02T00:00:00Z", again(), false),
        ("2020-01-03T00:00:00Z", again(), true),
        ("2020-01-03T00:00:00Z", again().having_reached(core::slice::from_ref(&reached)), false),
        ("2020-01-05T00:00:00Z", again().having_reached(&[reached]), true),
    ] {
        assert_eq!(behind(at).read(survey, 64).0.ahead.len(), usize::from(is_ahead), "{at}");
    }
}

#[test]
fn a_list_that_was_ahead_of_a_wrong_clock_is_compared_with_the_right_one() {
    let at = "2020-01-02T00:00:00Z";
    let server = || source().with("http://a.example/list", &[&list(at, &["http://a.example/1"])]);
    let mut behind = server();
    let date = ("Date".to_string(), "Wed, 01 Jan 2014 00:00:00 GMT".to_string());
    behind.headers.insert("http://a.example/list".to_string(), date);
    let (found, _) = behind.read(survey(HOST), 64);
    assert_eq!((found.ahead.len(), found.sets[0].at.as_deref()), (1, None));
    let (later, _) = server().read(Survey::new(HOST, found.remembered, true, NOW, &Limits::default()), 64);
    assert_eq!((later.is_unchanged, later.ahead.len(), later.sets[0].at.as_deref()), (false, 0, Some(at)));
    let (last, _) = server().read(Survey::new(HOST, later.remembered, true, NOW, &Limits::default()), 64);
    assert!(last.is_unchanged);
}
