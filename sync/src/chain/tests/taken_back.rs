//! Lists of Sources that were restored from an earlier state.

use super::*;

/// The state after a list is replaced by another one.
fn replaced(before: &str, after: &str) -> Followed {
    let capabilities = capabilities();
    let first = follow(chain(baseline()), &[(CHANGES, before), (SET, &capabilities)]);
    assert_eq!(first.state, State::Continued);
    follow(chain(first.checkpoint), &[(CHANGES, after), (SET, &capabilities)])
}

#[test]
fn a_rewritten_list_has_what_was_processed_or_changes_are_missing() {
    let times = ["10:10", "10:20", "10:30", "10:40"].map(|time| format!("2020-01-01T{time}:00Z"));
    let [first, second, third, fourth] = times.each_ref().map(String::as_str);
    let before = change_list(OPEN, &[("a", first), ("b", second), ("c", third)]);
    let state = |interval: &str, changes: &[(&str, &str)]| replaced(&before, &change_list(interval, changes)).state;
    for (interval, changes) in [
        // One change of each resource, or the newest first.
        (OPEN, [("b", second), ("c", third), ("a", fourth)]),
        (OPEN, [("c", third), ("b", second), ("a", first)]),
        // Without those that are older than the list.
        (r#"from="2020-01-01T10:15:00Z""#, [("b", second), ("c", third), ("d", fourth)]),
        ("", [("b", second), ("c", third), ("d", fourth)]),
    ] {
        assert_eq!(state(interval, &changes), State::Rewritten, "{interval} {changes:?}");
    }
    for (interval, changes) in [
        // A Source that was restored from its state at 10:10 or 10:20, and changed something since.
        (OPEN, [("a", first), ("d", third), ("d", fourth)]),
        (OPEN, [("a", first), ("b", second), ("d", fourth)]),
        (r#"from="2020-01-01T10:20:00Z""#, [("c", third), ("d", third), ("d", fourth)]),
        // An earlier change of a resource does not stand for a later one.
        (OPEN, [("a", first), ("c", second), ("b", fourth)]),
    ] {
        let followed = replaced(&before, &change_list(interval, &changes));
        assert_eq!((followed.state, followed.order.len()), (State::Gap, 0), "{interval} {changes:?}");
    }
    let taken_back = replaced(&before, &change_list(OPEN, &[("a", first), ("b", second), ("d", fourth)]));
    assert_eq!(taken_back.gap, Some(Gap { after: Some(third.to_string()), before: None }));
}

#[test]
fn a_rewritten_list_of_an_earlier_version_s_checkpoint_is_a_gap() {
    let capabilities = capabilities();
    let (one, two) = ("2020-01-01T10:10:00Z", "2020-01-01T10:20:00Z");
    let list = change_list(OPEN, &[("a", one)]);
    let mut checkpoint = follow(chain(baseline()), &[(CHANGES, &list), (SET, &capabilities)]).checkpoint;
    checkpoint.open.iter_mut().for_each(|open| open.marks.clear());
    let rewritten = change_list(OPEN, &[("b", one), ("a", two)]);
    let state = |list: &str| follow(chain(checkpoint.clone()), &[(CHANGES, list), (SET, &capabilities)]).state;
    assert_eq!(state(&rewritten), State::Gap);
    assert_eq!(state(&change_list(OPEN, &[("a", one), ("b", two)])), State::Continued);
}

/// The list before the open one was longer when the Source was restored: it was not closed yet.
#[test]
fn a_list_that_contains_the_time_of_the_next_one_is_a_gap() {
    let capabilities = capabilities();
    let one = "http://a.example/one";
    let closed = |until: &str, time: &str| {
        change_list(&format!(r#"from="2020-01-01T09:00:00Z" until="2020-01-01T{until}:00Z""#), &[("a", time)])
    };
    let before = closed("11:00", "2020-01-01T10:30:00Z");
    let (open, index) = (change_list(r#"from="2020-01-01T11:00:00Z""#, &[]), index(&[one, CHANGES]));
    let set = "http://a.example/changes/index";
    let capabilities = capabilities.replace(CHANGES, set);
    let start = Checkpoint { sources: vec![set.to_string()], ..baseline() };
    let first = follow(chain(start), &[(set, &index), (one, &before), (CHANGES, &open), (SET, &capabilities)]);
    assert_eq!((first.state, first.checkpoint.open.len()), (State::Next, 1));
    let after = closed("12:00", "2020-01-01T10:40:00Z");
    let open = change_list(r#"from="2020-01-01T12:00:00Z""#, &[("c", "2020-01-01T12:30:00Z")]);
    let second =
        follow(chain(first.checkpoint), &[(set, &index), (one, &after), (CHANGES, &open), (SET, &capabilities)]);
    assert_eq!(second.state, State::Gap);
}
