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
    let page = index(&["http://a.example/m1", "http://a.example/m2"]);
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
    let again = || Survey::new(HOST, found.remembered.clone(), false, &Limits::default());
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
