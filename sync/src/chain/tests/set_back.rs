//! Sources whose clock was ahead of the time and has been set back.

use super::*;

/// Lists below an index, by their names, with their intervals and changes.
type Lists<'a> = [(&'a str, &'a str, &'a [(&'a str, &'a str)])];

/// The run after one with other lists.
fn followed(before: &Followed, lists: &Lists<'_>) -> Followed {
    after(before.checkpoint.clone(), lists, true)
}

/// A run; the index states the intervals, or only the lists do.
fn after(before: Checkpoint, lists: &Lists<'_>, states_intervals: bool) -> Followed {
    let uri = |name: &str| format!("http://a.example/{name}");
    let entry = |(name, interval, _): &(&str, &str, &[(&str, &str)])| {
        let interval = if states_intervals { *interval } else { "" };
        format!("<sitemap><loc>{}</loc><rs:md {interval}/></sitemap>", uri(name))
    };
    let entries: String = lists.iter().map(entry).collect();
    let index = format!(r#"<sitemapindex {NAMESPACES}><rs:md capability="changelist"/>{entries}</sitemapindex>"#);
    let list = |(name, interval, changes): &(&str, &str, &[(&str, &str)])| {
        let link = format!(r#"<rs:ln rel="index" href="{CHANGES}"/><rs:md"#);
        (uri(name), change_list(interval, changes).replacen("<rs:md", &link, 1))
    };
    let mut documents = vec![(CHANGES.to_string(), index), (SET.to_string(), capabilities())];
    documents.extend(lists.iter().map(list));
    let documents: Vec<(&str, &str)> = documents.iter().map(|(uri, body)| (&**uri, &**body)).collect();
    follow(chain(before), &documents)
}

const AHEAD: &str = r#"from="2020-01-01T10:00:00Z" until="2020-01-01T12:00:00Z""#;
const OF_A: &[(&str, &str)] = &[("a", "2020-01-01T11:59:00Z")];
const OF_B: &[(&str, &str)] = &[("b", "2020-01-01T11:05:00Z")];
const LATER: &[(&str, &str)] = &[("a", "2020-01-01T12:50:00Z")];

#[test]
fn a_new_list_within_the_time_of_one_that_was_processed_is_a_gap() {
    let within = r#"from="2020-01-01T11:01:00Z" until="2020-01-01T11:10:00Z""#;
    let next = r#"from="2020-01-01T11:10:00Z" until="2020-01-01T13:00:00Z""#;
    for states_intervals in [true, false] {
        let first = after(baseline(), &[("1", AHEAD, OF_A)], states_intervals);
        assert_eq!(first.state, State::Next);
        let lists = [("1", AHEAD, OF_A), ("2", within, OF_B), ("3", next, LATER)];
        for number in [2, 3] {
            let now = after(first.checkpoint.clone(), &lists[..number], states_intervals);
            let gap = Some(Gap { after: Some("2020-01-01T11:01:00Z".to_string()), before: None });
            assert_eq!((now.state, now.gap), (State::Gap, gap), "{states_intervals} {number}");
        }
        // The Resource Lists have its changes.
        let listed = Checkpoint { baseline: Some("2020-01-01T11:10:00Z".to_string()), ..first.checkpoint };
        assert_eq!(after(listed, &lists, states_intervals).state, State::Next);
    }
    // One that was there before, as that of a day within that of a week.
    let first = after(baseline(), &[("2", within, OF_B), ("1", AHEAD, OF_A)], true);
    let second = followed(&first, &[("2", within, OF_B), ("1", AHEAD, OF_A), ("3", next, LATER)]);
    assert_eq!((first.state, second.state), (State::Next, State::Next));
    // A state of an earlier version does not have them, and gets them now.
    let unknown = Checkpoint { inner: None, ..first.checkpoint };
    assert_eq!(after(unknown, &[("1", AHEAD, OF_A), ("2", within, OF_B), ("3", next, LATER)], true).state, State::Next);
}

#[test]
fn an_open_list_that_was_closed_before_its_last_change_is_a_gap() {
    let closed = r#"from="2020-01-01T10:00:00Z" until="2020-01-01T11:10:00Z""#;
    let open = r#"from="2020-01-01T11:10:00Z""#;
    let both = [OF_A, OF_B].concat();
    let first = after(baseline(), &[("open", r#"from="2020-01-01T10:00:00Z""#, OF_A)], true);
    assert_eq!(first.state, State::Continued);
    for changes in [&[][..], LATER] {
        let now = followed(&first, &[("1", closed, &both), ("open", open, changes)]);
        let gap = Some(Gap { after: Some("2020-01-01T11:10:00Z".to_string()), before: None });
        assert_eq!((now.state, now.gap), (State::Gap, gap), "{changes:?}");
    }
    // It has lost its beginning; nothing was closed.
    assert_eq!(followed(&first, &[("open", open, LATER)]).state, State::Rewritten);
    let closed = r#"from="2020-01-01T10:00:00Z" until="2020-01-01T12:00:00Z""#;
    let next = [("1", closed, OF_A), ("open", r#"from="2020-01-01T12:00:00Z""#, LATER)];
    assert_eq!(followed(&first, &next).state, State::Next);
}

#[test]
fn a_closed_list_beside_an_open_one_of_the_same_beginning_is_no_gap() {
    let of_day = r#"from="2020-01-01T10:00:00Z""#;
    let hour = r#"from="2020-01-01T10:00:00Z" until="2020-01-01T11:00:00Z""#;
    let both = [&[("b", "2020-01-01T10:30:00Z")], OF_A].concat();
    let first = after(baseline(), &[("day", of_day, &both)], true);
    let now = followed(&first, &[("hour", hour, &both[..1]), ("day", of_day, &both)]);
    assert_ne!(now.state, State::Gap, "{now:?}");
    let now = followed(&first, &[("hour", hour, &both), ("day", r#"from="2020-01-01T11:00:00Z""#, LATER)]);
    assert_eq!(now.state, State::Gap, "{now:?}");
}
