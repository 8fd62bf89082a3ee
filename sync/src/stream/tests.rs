//! What lies between two positions, in documents that are kept in memory.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use resourcesync::{api::ItemReader, model::Item};

use super::*;

/// 2020-01-02T12:00:00Z.
const NOW: i64 = 1_577_966_400;
const SET: &str = "http://a.example/cap";
const NAMESPACES: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

fn change_list(from: u32, until: Option<u32>, changes: &[(&str, u32)]) -> String {
    let time = |hour: u32| format!("2020-01-01T{hour:02}:00:00Z");
    let entry = |(uri, hour): &(&str, u32)| {
        format!(r#"<url><loc>http://a.example/{uri}</loc><rs:md change="updated" datetime="{}"/></url>"#, time(*hour))
    };
    let entries: String = changes.iter().map(entry).collect();
    let until = until.map(|hour| format!(r#"until="{}""#, time(hour))).unwrap_or_default();
    format!(r#"<urlset {NAMESPACES}><rs:md capability="changelist" from="{}" {until}/>{entries}</urlset>"#, time(from))
}

/// The documents of a set whose lists are below an index.
fn site(lists: &[(&str, String)]) -> BTreeMap<String, String> {
    let members: String =
        lists.iter().map(|(name, _)| format!("<sitemap><loc>http://a.example/{name}</loc></sitemap>")).collect();
    let index = format!(r#"<sitemapindex {NAMESPACES}><rs:md capability="changelist"/>{members}</sitemapindex>"#);
    let capabilities = format!(
        r#"<urlset {NAMESPACES}><rs:md capability="capabilitylist"/><url><loc>http://a.example/index</loc><rs:md capability="changelist"/></url></urlset>"#
    );
    let mut site: BTreeMap<String, String> =
        lists.iter().map(|(name, list)| (format!("http://a.example/{name}"), list.clone())).collect();
    site.insert("http://a.example/index".to_string(), index);
    site.insert(SET.to_string(), capabilities);
    site
}

fn start() -> Position {
    Position { checkpoint: Checkpoint { set: SET.to_string(), ..Checkpoint::default() }, ..Position::default() }
}

fn options(position: Position) -> StreamOptions {
    StreamOptions {
        position,
        known: None,
        now: NOW,
        on_gap: Treatment::Fail,
        on_rewrite: Treatment::Fail,
        on_unreadable: Treatment::Row,
        most: 1000,
        most_entries: None,
    }
}

fn advance(site: &BTreeMap<String, String>, options: StreamOptions) -> Advance {
    let mut stream = Stream::new(options, &Limits::default());
    while let Step::Read(request) = stream.next() {
        let body = site.get(&request.uri);
        let status = if body.is_some() { 200 } else { 404 };
        stream.answer(Head { uri: request.uri, status, headers: Vec::new() });
        stream.push(body.map_or("", String::as_str).as_bytes());
        stream.end();
    }
    stream.finish()
}

/// The resources of a slice, and whether its list still has them.
fn entries(site: &BTreeMap<String, String>, slice: &Slice) -> (Vec<String>, bool) {
    let (mut reading, mut found) = (ItemReader::new(&Limits::default()), SliceReader::new(slice.clone()));
    let mut uris = Vec::new();
    let mut take = |item: Item<'_>| {
        if let Item::Entry(entry) = item
            && found.take(entry)
        {
            uris.push(entry.uri().map(|uri| uri.as_str().replace("http://a.example/", "")).unwrap_or_default());
        }
    };
    let text = site.get(&slice.uri).map_or("", String::as_str);
    let _ = reading.push(text.as_bytes(), &mut take);
    let _ = reading.finish(&mut take);
    (uris, found.is_same())
}

fn all(site: &BTreeMap<String, String>, position: &Position) -> Vec<String> {
    position.slices.iter().flat_map(|slice| entries(site, slice).0).collect()
}

#[test]
fn the_slices_of_a_position_are_the_entries_since_the_last_one() {
    let one = site(&[("1", change_list(1, None, &[("a", 1), ("b", 1)]))]);
    let first = advance(&one, options(start())).position.unwrap_or_default();
    assert_eq!(all(&one, &first), ["a", "b"]);
    assert_eq!(advance(&one, options(first.clone())).position, None);
    let two = site(&[
        ("1", change_list(1, Some(3), &[("a", 1), ("b", 1), ("a", 1), ("c", 2)])),
        ("2", change_list(3, None, &[("d", 4)])),
    ]);
    let second = advance(&two, options(first.clone())).position.unwrap_or_default();
    assert_eq!(all(&two, &second), ["a", "c", "d"]);
    // The earlier position is read from the longer list as well.
    assert_eq!(all(&two, &first), ["a", "b"]);
    // Positions are plain values.
    let text = serde_json::to_string(&second).unwrap_or_default();
    let back: Position = serde_json::from_str(&text).unwrap_or_default();
    assert_eq!(serde_json::to_string(&back).unwrap_or_default(), text);
    assert_eq!(advance(&two, options(back)).position, None);
}

#[test]
fn entries_that_follow_a_list_with_news_are_not_repeated() {
    // Read while the first one was being closed, both lists are open, and the first one grows nevertheless.
    let one = site(&[("1", change_list(1, None, &[("a", 1)])), ("2", change_list(3, None, &[("c", 3)]))]);
    let first = advance(&one, options(start())).position.unwrap_or_default();
    assert_eq!(all(&one, &first), ["a", "c"]);
    let two = site(&[("1", change_list(1, Some(3), &[("a", 1), ("b", 2)])), ("2", change_list(3, None, &[("c", 3)]))]);
    let second = advance(&two, options(first)).position.unwrap_or_default();
    assert_eq!(all(&two, &second), ["b"]);
}

#[test]
fn a_slice_is_the_same_only_if_the_list_begins_with_the_same_entries() {
    let one = site(&[("1", change_list(1, None, &[("a", 1), ("b", 2)]))]);
    let position = advance(&one, options(start())).position.unwrap_or_default();
    let slice = position.slices.first().cloned().unwrap_or_default();
    assert_eq!((slice.from, slice.entries), (0, 2));
    assert!(entries(&one, &slice).1);
    let others: [&[(&str, u32)]; 4] = [&[("a", 1)], &[("b", 2), ("a", 1)], &[("a", 1), ("b", 3)], &[]];
    for other in others {
        assert!(!entries(&site(&[("1", change_list(1, None, other))]), &slice).1, "{other:?}");
    }
    assert!(entries(&site(&[("1", change_list(1, None, &[("a", 1), ("b", 2), ("c", 2)]))]), &slice).1);
    assert_eq!(
        lost(&slice),
        "[SYN-27] the entries 1 to 2 of `http://a.example/1` were changed or removed, so that their batch cannot be read again"
    );
}

#[test]
fn entries_before_the_last_moment_are_left_out_where_order_does_not_show_it() {
    let one = site(&[("1", change_list(1, Some(3), &[("a", 1)]))]);
    let first = advance(&one, options(start())).position.unwrap_or_default();
    let two = site(&[
        ("1", change_list(1, Some(3), &[("a", 1)])),
        ("2", change_list(2, Some(5), &[("d", 5), ("b", 2), ("c", 4)])),
    ]);
    let second = advance(&two, options(first)).position.unwrap_or_default();
    assert_eq!(all(&two, &second), ["d", "c"]);
}

#[test]
fn changes_in_no_list_end_the_stream_or_are_part_of_the_position() {
    let one = site(&[("1", change_list(1, None, &[("a", 1)]))]);
    let first = advance(&one, options(start())).position.unwrap_or_default();
    let two = site(&[("2", change_list(5, None, &[("e", 5)]))]);
    let failed = advance(&two, options(first.clone()));
    assert_eq!(failed.position, None);
    let words = "[SYN-25] no Change List contains the changes between 2020-01-01T01:00:00Z and 2020-01-01T05:00:00Z";
    assert!(failed.failure.is_some_and(|failure| failure.starts_with(words)));
    let crossed =
        advance(&two, StreamOptions { on_gap: Treatment::Row, ..options(first) }).position.unwrap_or_default();
    assert!(crossed.problem.as_ref().is_some_and(|problem| problem.starts_with(words)));
    assert_eq!(all(&two, &crossed), ["e"]);
    // Later the stream is whole again.
    let three = site(&[("2", change_list(5, None, &[("e", 5), ("f", 6)]))]);
    let third = advance(&three, options(crossed)).position.unwrap_or_default();
    assert_eq!((all(&three, &third), third.problem), (alloc::vec!["f".to_string()], None));
}

#[test]
fn a_rewritten_list_ends_the_stream_or_is_read_again() {
    let one = site(&[("1", change_list(1, None, &[("a", 1), ("b", 2)]))]);
    let first = advance(&one, options(start())).position.unwrap_or_default();
    let two = site(&[("1", change_list(1, None, &[("x", 1), ("b", 2), ("c", 3)]))]);
    let failed = advance(&two, options(first.clone()));
    assert!(failed.failure.is_some_and(|failure| failure.starts_with("[SYN-26]")) && failed.position.is_none());
    let again = StreamOptions { on_rewrite: Treatment::Row, ..options(first) };
    let again = advance(&two, again).position.unwrap_or_default();
    assert_eq!(all(&two, &again), ["x", "b", "c"]);
    assert!(again.problem.is_some_and(|problem| problem.starts_with("[SYN-26]")));
}

#[test]
fn a_gap_does_not_hide_that_a_list_was_rewritten() {
    let one = site(&[("1", change_list(1, None, &[("a", 1), ("b", 2)]))]);
    let first = advance(&one, options(start())).position.unwrap_or_default();
    let two = site(&[("1", change_list(1, Some(3), &[("x", 1), ("b", 2)])), ("2", change_list(5, None, &[("e", 5)]))]);
    let crossing = StreamOptions { on_gap: Treatment::Row, ..options(first) };
    let failed = advance(&two, crossing.clone());
    assert!(failed.position.is_none());
    assert!(failed.failure.as_ref().is_some_and(|failure| failure.starts_with("[SYN-26]")), "{:?}", failed.failure);
    let again = StreamOptions { on_rewrite: Treatment::Row, ..crossing };
    let again = advance(&two, again).position.unwrap_or_default();
    assert_eq!(all(&two, &again), ["x", "b", "e"]);
    let problem = again.problem.unwrap_or_default();
    assert!(problem.starts_with("[SYN-25]") && problem.contains("; [SYN-26]"), "{problem}");
}

#[test]
fn what_cannot_be_read_is_a_problem_until_it_can() {
    let list = change_list(1, None, &[("a", 1)]);
    let cut = site(&[("1", list[..list.len() - 20].to_string())]);
    let failed = advance(&cut, StreamOptions { on_unreadable: Treatment::Fail, ..options(start()) });
    assert!(failed.failure.is_some_and(|failure| failure.starts_with("[SYN-16] `http://a.example/1`")));
    assert_eq!(advance(&cut, StreamOptions { on_unreadable: Treatment::Skip, ..options(start()) }).position, None);
    let position = advance(&cut, options(start())).position.unwrap_or_default();
    assert!(position.slices.is_empty() && position.problem.is_some() && position.checkpoint == start().checkpoint);
    assert_eq!(advance(&cut, options(position.clone())).position, None);
    let whole = site(&[("1", list)]);
    let next = advance(&whole, options(position)).position.unwrap_or_default();
    assert_eq!((all(&whole, &next), next.problem), (alloc::vec!["a".to_string()], None));
}

#[test]
fn a_position_has_a_bounded_number_of_slices() {
    let lists: Vec<(String, String)> = (0..5_u32)
        .map(|at| (format!("{at}"), change_list(at, (at < 4).then_some(at + 1), &[(&*format!("r{at}"), at)])))
        .collect();
    let lists: Vec<(&str, String)> = lists.iter().map(|(name, list)| (name.as_str(), list.clone())).collect();
    let site = site(&lists);
    let steps = |most, most_entries| {
        let mut position = start();
        let mut steps = Vec::new();
        loop {
            let Advance { position: next, has_more, .. } =
                advance(&site, StreamOptions { most, most_entries, ..options(position.clone()) });
            let Some(next) = next else { return steps };
            steps.push((all(&site, &next), has_more));
            position = next;
        }
    };
    let step = |uris: &[&str], has_more| (uris.iter().map(ToString::to_string).collect::<Vec<_>>(), has_more);
    let two = [step(&["r0", "r1"], true), step(&["r2", "r3"], true), step(&["r4"], false)];
    assert_eq!(steps(2, None), two);
    assert_eq!(steps(1000, Some(2)), two);
    assert_eq!(steps(2, Some(5)), two);
    let three = [step(&["r0", "r1", "r2"], true), step(&["r3", "r4"], false)];
    assert_eq!(steps(1000, Some(3)), three);
    assert_eq!(steps(1000, Some(0)).len(), 5);
    assert_eq!(steps(1000, Some(5)).len(), 1);
}

#[test]
fn a_closed_list_is_read_once_although_the_next_one_begins_when_it_ends() {
    let one = site(&[("1", change_list(1, None, &[("a", 1), ("b", 3)]))]);
    let first = advance(&one, options(start())).position.unwrap_or_default();
    // Its last change, its end, the next list and the first change of that have the same time.
    let two = site(&[("1", change_list(1, Some(3), &[("a", 1), ("b", 3)])), ("2", change_list(3, None, &[("c", 3)]))]);
    let second = advance(&two, options(first)).position.unwrap_or_default();
    assert_eq!(all(&two, &second), ["c"]);
    let three = site(&[
        ("1", change_list(1, Some(3), &[("a", 1), ("b", 3)])),
        ("2", change_list(3, None, &[("c", 3), ("d", 3)])),
    ]);
    let third = advance(&three, options(second.clone())).position.unwrap_or_default();
    assert_eq!(all(&three, &third), ["d"]);
    // A list that begins and ends at this time is new.
    let four = site(&[
        ("1", change_list(1, Some(3), &[("a", 1), ("b", 3)])),
        ("2", change_list(3, Some(3), &[("c", 3), ("d", 3)])),
        ("3", change_list(3, Some(3), &[("e", 3)])),
        ("4", change_list(3, None, &[])),
    ]);
    let fourth = advance(&four, options(third)).position.unwrap_or_default();
    assert_eq!(all(&four, &fourth), ["e"]);
    assert_eq!(advance(&four, options(fourth)).position, None);
    // A closed list is not changed.
    let other =
        site(&[("1", change_list(1, Some(3), &[("x", 1), ("b", 3)])), ("2", change_list(3, None, &[("c", 3)]))]);
    assert!(advance(&other, options(second)).failure.is_some_and(|failure| failure.starts_with("[SYN-26]")));
}

/// A list with its interval, and the changes in it.
type Dated<'a> = (&'a str, u32, Option<u32>, &'a [(&'a str, u32)]);

/// The same with an index that states the intervals.
fn dated(lists: &[Dated<'_>]) -> BTreeMap<String, String> {
    let lists: Vec<(&str, String, String)> = lists
        .iter()
        .map(|(name, from, until, changes)| {
            let list = change_list(*from, *until, changes);
            let metadata = list.split("<rs:md").nth(1).and_then(|text| text.split('>').next()).unwrap_or_default();
            let member = format!("<sitemap><loc>http://a.example/{name}</loc><rs:md{metadata}></sitemap>");
            (*name, list, member)
        })
        .collect();
    let members: String = lists.iter().map(|(_, _, member)| member.as_str()).collect();
    let plain: Vec<(&str, String)> = lists.iter().map(|(name, list, _)| (*name, list.clone())).collect();
    let mut site = site(&plain);
    let index = format!(r#"<sitemapindex {NAMESPACES}><rs:md capability="changelist"/>{members}</sitemapindex>"#);
    site.insert("http://a.example/index".to_string(), index);
    site
}

/// All entries of a stream over these states of a site.
fn stream(states: &[BTreeMap<String, String>]) -> Vec<Vec<String>> {
    let mut position = start();
    let mut read = Vec::new();
    for site in states {
        let Advance { position: next, failure, .. } = advance(site, options(position.clone()));
        assert_eq!(failure, None);
        read.push(next.as_ref().map(|next| all(site, next)).unwrap_or_default());
        position = next.unwrap_or(position);
        assert_eq!(position.problem, None);
    }
    read
}

#[test]
fn one_of_several_open_lists_that_is_closed_elsewhere_is_read_to_its_end() {
    let both = dated(&[("a", 1, None, &[("1", 1)]), ("b", 1, None, &[("2", 2)])]);
    let closed = dated(&[("a2", 1, Some(8), &[("1", 1), ("3", 7)]), ("b", 1, None, &[("2", 2)])]);
    assert_eq!(stream(&[both, closed.clone(), closed]), [vec!["1", "2"], vec!["3"], vec![]]);
    // The other one has later changes already.
    let both = dated(&[("a", 1, None, &[("1", 1)]), ("b", 3, None, &[("2", 5)])]);
    let closed = dated(&[("a2", 1, Some(3), &[("1", 1), ("3", 2)]), ("b", 3, None, &[("2", 5)])]);
    let more = dated(&[("a2", 1, Some(3), &[("1", 1), ("3", 2)]), ("b", 3, None, &[("2", 5), ("4", 6)])]);
    assert_eq!(stream(&[both, closed, more]), [vec!["1", "2"], vec!["3"], vec!["4"]]);
}

#[test]
fn entries_are_new_whatever_their_times_are() {
    let list = |changes: &[(&str, u32)]| dated(&[("a", 1, None, changes)]);
    let states = [
        list(&[("1", 2), ("2", 4)]),
        list(&[("1", 2), ("2", 4), ("3", 3)]),
        list(&[("1", 2), ("2", 4), ("3", 3), ("4", 5)]),
    ];
    assert_eq!(stream(&states), [vec!["1", "2"], vec!["3"], vec!["4"]]);
}

#[test]
fn only_entries_dated_before_the_end_of_the_last_list_were_read() {
    let one = dated(&[("a", 1, Some(5), &[("1", 2)])]);
    let two = dated(&[("a", 1, Some(5), &[("1", 2)]), ("b", 5, None, &[("2", 3), ("3", 4), ("4", 4), ("5", 6)])]);
    let undated: BTreeMap<String, String> = two.iter().map(|(uri, text)| (uri.clone(), undated(text, "3"))).collect();
    assert_eq!(stream(&[one, undated]), [vec!["1"], vec!["3", "5"]]);
}

/// A list in which an entry has no time.
fn undated(list: &str, uri: &str) -> String {
    let entry = format!("http://a.example/{uri}</loc>");
    let Some((before, after)) = list.split_once(&entry) else { return list.to_string() };
    let (own, rest) = after.split_once("/>").unwrap_or_default();
    let metadata = own.split(" datetime").next().unwrap_or_default();
    format!("{before}{entry}{metadata}/>{rest}")
}
