//! What is concluded from documents that do not belong together: of two snapshots, replaced while they are read, from a cache, or from a
//! wrong clock.

use std::sync::{Arc, Mutex};

use resourcesync_client::destination::Options;
use resourcesync_sync::{conclude::Outcome, report::Report};

use crate::source::{LENGTH, Place, Source, describe, document, run, run_with, tree};

fn minute(minute: u64) -> String {
    format!("2024-05-01T00:{minute:02}:00Z")
}

/// A Resource List of this minute.
fn list(source: &Source, at: u64, listed: &[&str]) -> Vec<u8> {
    let listed: Vec<(&str, &str)> = listed.iter().map(|path| (*path, LENGTH)).collect();
    document(source, &format!(r#"capability="resourcelist" at="{}""#, minute(at)), &listed)
}

/// An index; its members with their attributes.
fn index(source: &Source, head: &str, members: &[(&str, &str)]) -> Vec<u8> {
    let text = String::from_utf8(document(source, head, members)).unwrap();
    text.replace("urlset", "sitemapindex").replace("<url>", "<sitemap>").replace("</url>", "</sitemap>").into_bytes()
}

fn capabilities(source: &Source, with_changes: bool) -> Vec<u8> {
    let lists = [("list.xml", r#"capability="resourcelist""#), ("changes.xml", r#"capability="changelist""#)];
    document(source, r#"capability="capabilitylist""#, &lists[..=usize::from(with_changes)])
}

/// A Source of three resources with this Capability List.
fn source(with_changes: bool) -> Source {
    let source = Source::new();
    ["/one", "/two", "/three"].into_iter().for_each(|path| source.put(path, "first"));
    describe(&source, &["set"]);
    source.serve("/set/caps.xml", &capabilities(&source, with_changes));
    source
}

/// An index of two Resource Lists, of which the second has this time instead.
fn two_lists(source: &Source, at: u64, first: &[&str], second: &[&str], actual: u64, states: bool) {
    let time = minute(at);
    let md = if states { format!(r#"at="{time}""#) } else { String::new() };
    let members = [("a.xml", &*md), ("b.xml", &*md)];
    source.serve("/list.xml", &index(source, &format!(r#"capability="resourcelist" at="{time}""#), &members));
    source.serve("/a.xml", &list(source, at, first));
    source.serve("/b.xml", &list(source, actual, second));
}

fn names(place: &Place) -> Vec<String> {
    tree(&place.copy()).into_iter().map(|(name, _)| name.rsplit('/').next().unwrap().to_owned()).collect()
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|finding| &*finding.code).collect()
}

fn in_step(report: &Report) -> (Outcome, Option<&str>) {
    (report.run.outcome, report.as_of.as_deref())
}

/// An open Change List.
fn open(source: &Source, from: u64, changes: &[(&str, u64)]) -> Vec<u8> {
    closed(source, &format!(r#"from="{}""#, minute(from)), changes)
}

fn closed(source: &Source, interval: &str, changes: &[(&str, u64)]) -> Vec<u8> {
    let md = |at: &u64| format!(r#"change="updated" datetime="{}" {LENGTH}"#, minute(*at));
    let changes: Vec<(&str, String)> = changes.iter().map(|(path, at)| (*path, md(at))).collect();
    let changes: Vec<(&str, &str)> = changes.iter().map(|(path, md)| (*path, &**md)).collect();
    document(source, &format!(r#"capability="changelist" {interval}"#), &changes)
}

fn interval(from: u64, until: u64) -> String {
    format!(r#"from="{}" until="{}""#, minute(from), minute(until))
}

#[test]
fn a_member_of_an_earlier_snapshot_deletes_nothing_and_the_copy_is_not_in_step() {
    for (states, with_changes) in [(true, false), (false, false), (true, true)] {
        let place = Place::new(&format!("mixed-{states}-{with_changes}"));
        let source = source(with_changes);
        source.serve("/changes.xml", &open(&source, 10, &[]));
        two_lists(&source, 10, &["one", "two"], &["three"], 10, states);
        assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
        // `two` moves from the first list to the second one, of which a cache has the old state.
        two_lists(&source, 20, &["one"], &["three"], 10, states);
        source.serve("/changes.xml", &open(&source, 20, &[]));
        for baseline in [false, true] {
            let report =
                run_with(&source.start(), &place.copy(), &Options::default().with(|run| run.reading.full = baseline))
                    .unwrap();
            assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::Incomplete, 0), "{report:?}");
            assert!(codes(&report).contains(&"SYN-05"), "{report:?}");
            assert_eq!(names(&place), ["one", "three", "two"]);
        }
        // A change since does not hide it.
        source.serve("/changes.xml", &open(&source, 20, &[("one", 25)]));
        assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Incomplete);
        two_lists(&source, 20, &["one"], &["three", "two"], 20, states);
        let report = run(&source, &place.copy());
        let as_of = if with_changes { minute(25) } else { minute(20) };
        assert_eq!(in_step(&report), (Outcome::InStep, Some(&*as_of)), "{report:?}");
        assert_eq!(names(&place), ["one", "three", "two"]);
    }
}

#[test]
fn members_that_were_replaced_meanwhile_are_read_again() {
    let (place, source) = (Place::new("replaced"), source(false));
    two_lists(&source, 10, &["one", "two"], &["three"], 10, true);
    run(&source, &place.copy());
    two_lists(&source, 20, &["one"], &["three", "two"], 20, true);
    let (old, asked) = (list(&source, 10, &["three"]), Mutex::new(0));
    source.script(move |request| {
        let mut asked = asked.lock().unwrap();
        *asked += u32::from(request.path == "/b.xml");
        let is_old = request.path == "/b.xml" && *asked == 1;
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", old.len());
        is_old.then(|| [head.as_bytes(), &old].concat())
    });
    let report = run(&source, &place.copy());
    assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(20))), "{report:?}");
    assert!(!codes(&report).contains(&"SYN-05"));
    assert_eq!(names(&place), ["one", "three", "two"]);
}

/// A Source whose Change List Index has these lists.
fn changes(source: &Source, members: &[&str]) {
    let members: Vec<(&str, &str)> = members.iter().map(|path| (*path, "")).collect();
    source.serve("/changes.xml", &index(source, r#"capability="changelist""#, &members));
}

#[test]
fn changes_that_a_rotation_hides_are_processed_once_the_index_shows_them() {
    let (place, source) = (Place::new("rotated"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    // The index is still the old one, and the open list is already the next one.
    changes(&source, &["open.xml"]);
    source.put("/four", "first");
    source.serve("/closed.xml", &closed(&source, &interval(10, 20), &[("four", 15)]));
    source.serve("/open.xml", &open(&source, 20, &[]));
    let report = run(&source, &place.copy());
    assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(10))), "{report:?}");
    assert!(codes(&report).contains(&"SYN-04"));
    changes(&source, &["closed.xml", "open.xml"]);
    let report = run(&source, &place.copy());
    assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(20))), "{report:?}");
    assert_eq!(names(&place), ["four", "one", "three", "two"]);
    assert!(!codes(&report).contains(&"SYN-04"));
}

#[test]
fn an_index_that_is_replaced_while_it_is_read_is_read_again() {
    let (place, source) = (Place::new("rotates"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    source.put("/four", "first");
    changes(&source, &["closed.xml", "open.xml"]);
    source.serve("/closed.xml", &closed(&source, &interval(10, 20), &[("four", 15)]));
    source.serve("/open.xml", &open(&source, 20, &[]));
    let (old, asked) = (index(&source, r#"capability="changelist""#, &[("open.xml", "")]), Arc::new(Mutex::new(0)));
    let count = asked.clone();
    source.script(move |request| {
        let mut asked = asked.lock().unwrap();
        *asked += u32::from(request.path == "/changes.xml");
        let is_old = request.path == "/changes.xml" && *asked == 1;
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", old.len());
        is_old.then(|| [head.as_bytes(), &old].concat())
    });
    let report = run(&source, &place.copy());
    assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(20))), "{report:?}");
    assert_eq!((names(&place).len(), *count.lock().unwrap()), (4, 2));
}

#[test]
fn changes_that_are_missing_after_what_is_stored_are_never_in_step() {
    let (place, source) = (Place::new("gap-after"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    changes(&source, &["open.xml"]);
    source.serve("/open.xml", &open(&source, 10, &[]));
    assert_eq!(in_step(&run(&source, &place.copy())), (Outcome::InStep, Some(&*minute(10))));
    // A cache still has the previous index.
    source.put("/four", "first");
    source.put("/five", "first");
    source.serve("/closed.xml", &closed(&source, &interval(10, 20), &[("four", 15)]));
    source.serve("/open.xml", &open(&source, 20, &[("five", 25)]));
    for baseline in [true, false] {
        let report =
            run_with(&source.start(), &place.copy(), &Options::default().with(|run| run.reading.full = baseline))
                .unwrap();
        assert_eq!(in_step(&report), (Outcome::Incomplete, Some(&*minute(10))), "{report:?}");
        assert_eq!(names(&place).len(), 3);
    }
    changes(&source, &["closed.xml", "open.xml"]);
    let report = run(&source, &place.copy());
    assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(25))), "{report:?}");
    assert_eq!(names(&place).len(), 5);
}

#[test]
fn a_closed_list_that_ends_earlier_than_its_index_states_is_no_end() {
    let (place, source) = (Place::new("shortened"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    ["/four", "/five"].into_iter().for_each(|path| source.put(path, "first"));
    let until = format!(r#"until="{}""#, minute(20));
    let members = [("closed.xml", &*until), ("open.xml", "")];
    source.serve("/changes.xml", &index(&source, r#"capability="changelist""#, &members));
    // A cache has the list of when it was open.
    source.serve("/closed.xml", &open(&source, 10, &[("four", 15)]));
    source.serve("/open.xml", &open(&source, 20, &[]));
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Incomplete);
    source.serve("/closed.xml", &closed(&source, &interval(10, 20), &[("four", 15), ("five", 18)]));
    assert_eq!(in_step(&run(&source, &place.copy())), (Outcome::InStep, Some(&*minute(20))));
    assert_eq!(names(&place).len(), 5);
}

#[test]
fn a_time_in_the_future_is_not_claimed_and_the_next_list_is_accepted() {
    for with_changes in [false, true] {
        let (place, source) = (Place::new(&format!("future-{with_changes}")), source(with_changes));
        source.serve("/changes.xml", &open(&source, 10, &[]));
        let listed = ["one", "two", "three"];
        source.serve("/list.xml", &list(&source, 10, &listed));
        assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
        let future = String::from_utf8(list(&source, 20, &listed[..2])).unwrap().replace("2024-05-01", "2099-05-01");
        source.serve("/list.xml", future.as_bytes());
        for _ in 0..2 {
            let options = Options::default().with(|run| run.reading.full = with_changes);
            let report = run_with(&source.start(), &place.copy(), &options).unwrap();
            assert_eq!(in_step(&report), (Outcome::InStep, None), "{report:?}");
            let ahead = report.diagnostics.iter().filter(|finding| finding.code == "SYN-03");
            let named: Vec<bool> = ahead.map(|finding| finding.message.contains("list.xml")).collect();
            assert!(named.iter().all(|is_named| *is_named), "{report:?}");
        }
        source.serve("/list.xml", &list(&source, 30, &listed));
        source.serve("/changes.xml", &open(&source, 30, &[]));
        let report = run(&source, &place.copy());
        assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(30))), "{report:?}");
        assert_eq!(names(&place).len(), 3);
    }
}

#[test]
fn a_closed_list_of_which_a_cache_had_the_open_state_is_not_refused_for_ever() {
    let (place, source) = (Place::new("refusal"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    changes(&source, &["first.xml", "second.xml", "open.xml"]);
    source.serve("/first.xml", &open(&source, 10, &[("one", 12)]));
    source.serve("/second.xml", &closed(&source, &interval(20, 30), &[("two", 25)]));
    source.serve("/open.xml", &open(&source, 30, &[]));
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    source.put("/four", "first");
    source.serve("/first.xml", &closed(&source, &interval(10, 20), &[("one", 12), ("four", 18)]));
    let report = run(&source, &place.copy());
    assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(30))), "{report:?}");
    assert_eq!(names(&place).len(), 4);
}

#[test]
fn a_refusal_ends_when_the_source_is_right_again() {
    let (place, source) = (Place::new("refused-once"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    let two = |last: (&str, u64)| closed(&source, &interval(10, last.1), &[("one", 12), last]);
    for (end, is_stale) in [(20, false), (30, false), (20, true), (30, false), (40, false)] {
        source.serve("/changes.xml", &two(("two", end)));
        let report = run(&source, &place.copy());
        let outcome = if is_stale { Outcome::Refused } else { Outcome::InStep };
        assert_eq!(report.run.outcome, outcome, "{end} {report:?}");
    }
}

#[test]
fn a_resource_list_that_the_user_names_is_copied_without_its_capability_list() {
    let (place, source) = (Place::new("no-capability-list"), Source::new());
    source.put("/one", "first");
    source.publish();
    source.hide("/capabilitylist.xml");
    let start = format!("{}resourcelist.xml", source.start());
    for _ in 0..2 {
        let report = run_with(&start, &place.copy(), &Options::default()).unwrap();
        assert_eq!((report.run.outcome, names(&place)), (Outcome::InStep, vec!["one".to_owned()]), "{report:?}");
    }
    let report = run_with(&start, &place.copy(), &Options::default().with(|run| run.reading.full = true)).unwrap();
    assert_eq!((report.run.outcome, codes(&report)), (Outcome::InStep, vec!["SYN-16"]), "{report:?}");
}

#[test]
fn change_lists_that_lead_to_an_earlier_moment_than_before_change_nothing() {
    let (place, source) = (Place::new("earlier"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    source.put("/four", "first");
    source.serve("/changes.xml", &open(&source, 10, &[("four", 15)]));
    assert_eq!(in_step(&run(&source, &place.copy())), (Outcome::InStep, Some(&*minute(15))));
    // The Source has written its Change List with the times of a wrong clock.
    let right = String::from_utf8(open(&source, 10, &[("four", 15)])).unwrap();
    let wrong = right.replace("datetime=\"2024-", "datetime=\"2014-");
    source.serve("/changes.xml", wrong.as_bytes());
    let report =
        run_with(&source.start(), &place.copy(), &Options::default().with(|run| run.reading.full = true)).unwrap();
    assert_eq!(in_step(&report), (Outcome::Incomplete, Some(&*minute(15))), "{report:?}");
    assert!(codes(&report).contains(&"SYN-04"), "{report:?}");
    assert_eq!(names(&place).len(), 4);
}

/// Nothing shows whether the deletion is from before the Resource List that has the resource.
#[test]
fn the_server_is_asked_about_a_deletion_without_a_time_of_a_listed_resource() {
    for is_gone in [false, true] {
        let (place, source) = (Place::new(&format!("timeless-{is_gone}")), source(true));
        source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
        let timeless = [("two", r#"change="deleted""#)];
        source.serve(
            "/changes.xml",
            &document(&source, &format!(r#"capability="changelist" from="{}""#, minute(5)), &timeless),
        );
        if is_gone {
            source.hide("/two");
        }
        let report = run(&source, &place.copy());
        assert_eq!(in_step(&report), (Outcome::InStep, Some(&*minute(10))), "{report:?}");
        assert_eq!(names(&place), if is_gone { &["one", "three"][..] } else { &["one", "three", "two"] });
    }
}

#[test]
fn a_list_of_the_future_does_not_delete_what_change_lists_had_since_the_last_one() {
    let (place, source) = (Place::new("future-deletion"), source(true));
    source.serve("/list.xml", &list(&source, 10, &["one", "two", "three"]));
    source.put("/four", "first");
    source.serve("/changes.xml", &open(&source, 10, &[("four", 15)]));
    assert_eq!(in_step(&run(&source, &place.copy())), (Outcome::InStep, Some(&*minute(15))));
    let future = String::from_utf8(list(&source, 12, &["one", "two", "three"])).unwrap();
    source.serve("/list.xml", future.replace("2024-05-01", "2099-05-01").as_bytes());
    let full = Options::default().with(|run| run.reading.full = true);
    let report = run_with(&source.start(), &place.copy(), &full).unwrap();
    assert_eq!((report.run.outcome, report.counts.deleted, report.counts.withheld), (Outcome::Incomplete, 0, 1));
    assert!(codes(&report).contains(&"SYN-03"), "{report:?}");
    let accepting = Options::default().with(|run| run.reading.accept_older = true);
    let report = run_with(&source.start(), &place.copy(), &accepting).unwrap();
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
}

#[test]
fn two_changes_of_one_second_are_two_changes() {
    let (place, source) = (Place::new("one-second"), source(true));
    let second = "<lastmod>2024-05-01T00:05:00Z</lastmod>";
    let md = r#"change="updated" datetime="2024-05-01T00:05:00Z" length="6""#;
    let with_lastmod = |bytes: Vec<u8>| {
        String::from_utf8(bytes).unwrap().replace("</loc><rs:md change", &format!("</loc>{second}<rs:md change"))
    };
    let changes = |count: usize| {
        let entries = vec![("one", md); count];
        with_lastmod(document(&source, &format!(r#"capability="changelist" from="{}""#, minute(1)), &entries))
    };
    source.serve("/list.xml", &list(&source, 1, &["one"]));
    for (count, body) in [(0, "first"), (1, "second"), (2, "third.")] {
        source.put("/one", body);
        source.serve("/changes.xml", changes(count).as_bytes());
        let report = run(&source, &place.copy());
        assert_eq!(in_step(&report).0, Outcome::InStep, "{count} {report:?}");
        assert_eq!(tree(&place.copy())[0].1, body.as_bytes(), "{count}");
    }
    // What is listed as it was is not requested again.
    source.clear_log();
    run(&source, &place.copy());
    assert!(!source.log().contains(&"/one".to_owned()), "{:?}", source.log());
}
