//! What every ledger of a copy does, in one suite for all of them.

use resourcesync_sync::{
    Action, Change, Checkpoint, ListedResource, StoredState,
    chain::{Order, Part},
    ledger::{Changes, Ledger, RelatedResources, Settled, StoredResource, Versions},
    reduce::Presence,
    report::ItemCode,
    survey::Remembered,
};

/// A ledger of which a copy can be begun.
pub(crate) trait Subject: Ledger<Error: std::fmt::Debug> {
    /// A new ledger.
    fn fresh() -> Self;
    /// Ends a run and begins the next, which has no plan yet; its number.
    fn next_run(&mut self) -> u64;
    /// Removes a stored resource.
    fn remove(&mut self, stored: &StoredResource);
    /// Records a version as kept.
    fn keep(&mut self, version: &ListedResource);
}

/// The cases of the suite, by their names.
pub(crate) fn cases<L: Subject>() -> Vec<(&'static str, fn())> {
    vec![
        ("a_resource_is_found_by_its_uri_and_keeps_its_number", resources::<L>),
        ("the_plan_has_each_resource_once_and_in_order", plan::<L>),
        ("the_plan_of_a_document_is_forgotten_alone", plan_of_documents::<L>),
        ("of_several_changes_the_last_one_counts", changes::<L>),
        ("a_deletion_of_another_spelling_leaves_it_to_the_server", spellings::<L>),
        ("a_document_without_order_leaves_it_to_the_server", unordered::<L>),
        ("a_resource_that_another_set_lists_is_not_deleted", sets::<L>),
        ("what_a_set_listed_before_counts_unless_lists_are_compared", sets_of_before::<L>),
        ("what_is_settled_is_kept_for_the_next_run", settled::<L>),
        ("a_link_counts_until_its_entry_is_gone", related::<L>),
        ("what_is_listed_itself_is_no_related_resource", related_and_listed::<L>),
        ("a_version_is_due_until_it_is_kept_or_gone", versions::<L>),
        ("what_could_not_be_stored_is_tried_again_until_it_is", retries::<L>),
        ("unconfirmed_changes_wait_for_a_list", unconfirmed::<L>),
    ]
}

pub(crate) fn resource(name: &str) -> ListedResource {
    let uri = format!("http://a.example/{name}");
    ListedResource { loc: uri.clone(), uri, ..ListedResource::default() }
}

pub(crate) fn stored(name: &str, size: u64) -> StoredResource {
    let uri = resource(name).uri;
    StoredResource { id: 0, uri, path: None, state: StoredState { size, ..StoredState::default() }, mtime: 0 }
}

/// A change in the minute with this number.
pub(crate) fn change(name: &str, position: u64, is_deleted: bool, minute: u64) -> Change {
    let datetime = Some(format!("2024-01-01T00:{minute:02}:00Z"));
    Change { position, resource: Some(resource(name)), is_deleted, datetime, identity: String::new() }
}

/// The change with another spelling of the URI.
pub(crate) fn spelled(mut change: Change) -> Change {
    if let Some(resource) = &mut change.resource {
        let (base, name) = resource.loc.rsplit_once('/').unwrap();
        resource.loc = name.bytes().fold(format!("{base}/"), |loc, byte| format!("{loc}%{byte:x}"));
    }
    change
}

pub(crate) fn part(document: u32, order: Order) -> Part {
    Part { document, order, from: 0 }
}

/// The last changes, as text.
pub(crate) fn last<L: Ledger<Error: std::fmt::Debug>>(ledger: &L) -> Vec<String> {
    let mut lines: Vec<String> = ledger
        .last_changes(0, 100)
        .unwrap()
        .into_iter()
        .map(|(_, change)| {
            let verb = match change.presence {
                Presence::Present => "present",
                Presence::Deleted => "deleted",
                Presence::Unknown => "unknown",
            };
            format!("{} {verb}", change.resource.loc.rsplit('/').next().unwrap_or_default())
        })
        .collect();
    lines.sort();
    lines
}

pub(crate) fn add<L: Changes<Error: std::fmt::Debug>>(ledger: &mut L, document: u32, changes: &[Change]) {
    let mut list = changes.iter().map(|change| (document, change.clone())).collect();
    ledger.add_changes(&mut list).unwrap();
    assert!(list.is_empty());
}

fn resources<L: Subject>() {
    let mut ledger = L::fresh();
    let run = ledger.next_run();
    ledger.adopted(stored("a", 1), run).unwrap();
    ledger.adopted(stored("b", 2), run).unwrap();
    let first = ledger.find(&resource("a").uri).unwrap().unwrap();
    assert_eq!((first.state.size, ledger.totals().unwrap()), (1, (2, 3)));
    ledger.adopted(stored("a", 10), run + 1).unwrap();
    let again = ledger.find(&resource("a").uri).unwrap().unwrap();
    assert_eq!((again.id, again.state.size, ledger.totals().unwrap()), (first.id, 10, (2, 12)));
    let mut seen = Vec::new();
    ledger
        .each(&mut |stored, run| {
            seen.push((stored.id, run));
            Ok(())
        })
        .unwrap();
    assert_eq!(seen, [(first.id, run + 1), (first.id + 1, run)]);
    let listed = ListedResource { length: Some(10), lastmod: Some("2024-01-01".to_owned()), ..resource("a") };
    ledger.listed_as(&listed).unwrap();
    ledger.listed_as(&resource("a")).unwrap();
    let state = ledger.find(&resource("a").uri).unwrap().unwrap().state;
    assert_eq!((state.length, state.lastmod.as_deref()), (Some(10), Some("2024-01-01")));
    ledger.verified(&ListedResource { hash: Some("md5:00".to_owned()), ..resource("a") }).unwrap();
    let state = ledger.find(&resource("a").uri).unwrap().unwrap().state;
    assert_eq!((state.hash.as_deref(), state.length, state.lastmod), (Some("md5:00"), None, None));
    ledger.mark_deleted(&again).unwrap();
    assert_eq!(ledger.marked_deleted().unwrap().len(), 1);
    ledger.remove(&again);
    assert!(ledger.marked_deleted().unwrap().is_empty());
    assert_eq!((ledger.find(&resource("a").uri).unwrap(), ledger.totals().unwrap()), (None, (1, 2)));
}

fn plan<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    for (name, length) in [("a", Some(1)), ("b", None), ("c", Some(3)), ("a", Some(7))] {
        ledger.plan(1, Action::Fetch, &ListedResource { length, ..resource(name) }).unwrap();
    }
    assert_eq!(ledger.planned().unwrap(), (3, 10));
    let all = ledger.planned_after(0, 10).unwrap();
    let names = |rows: &[resourcesync_sync::ledger::Planned]| -> Vec<String> {
        rows.iter().map(|row| row.resource.uri.rsplit('/').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(names(&all), ["b", "c", "a"]);
    assert_eq!(names(&ledger.planned_after(all[0].sequence, 1).unwrap()), ["c"]);
    assert_eq!(ledger.planned_of(&resource("c").uri).unwrap().as_ref(), Some(&all[1]));
    assert_eq!(ledger.unplan(&resource("c").uri).unwrap(), Some(all[1].resource.clone()));
    assert_eq!(ledger.planned_of(&resource("c").uri).unwrap(), None);
    assert_eq!(ledger.unplan(&resource("c").uri).unwrap(), None);
    assert_eq!(names(&ledger.planned_after(0, 10).unwrap()), ["b", "a"]);
}

fn plan_of_documents<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    ledger.plan(1, Action::Fetch, &resource("a")).unwrap();
    ledger.plan(2, Action::Hash, &resource("b")).unwrap();
    ledger.forget_plan(Some(1)).unwrap();
    let left = ledger.planned_after(0, 10).unwrap();
    assert_eq!((left.len(), left[0].action), (1, Action::Hash));
    ledger.forget_plan(None).unwrap();
    assert_eq!(ledger.planned().unwrap(), (0, 0));
}

fn changes<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    add(&mut ledger, 1, &[change("a", 0, false, 1), change("b", 1, true, 2), change("a", 2, true, 3)]);
    add(&mut ledger, 2, &[change("b", 0, false, 9), change("b", 1, true, 8), change("c", 2, false, 7)]);
    add(&mut ledger, 3, &[change("d", 0, false, 9)]);
    ledger.drop_changes(3).unwrap();
    ledger.reduce(&[part(1, Order::Forward), part(2, Order::Reverse)], "set").unwrap();
    assert_eq!(last(&ledger), ["a deleted", "b present", "c present"]);
    assert!(ledger.has_change(&resource("c").uri).unwrap() && !ledger.has_change(&resource("d").uri).unwrap());
    ledger.forget_changes().unwrap();
    assert!(last(&ledger).is_empty());
}

fn spellings<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    let changes = [
        change("a", 0, false, 1),
        spelled(change("a", 1, true, 1)),
        change("b", 2, false, 1),
        spelled(change("b", 3, false, 1)),
        change("b", 4, true, 1),
        change("c", 5, false, 1),
        spelled(change("c", 6, true, 2)),
        change("c", 7, true, 3),
        change("d", 8, true, 1),
        spelled(change("d", 9, false, 1)),
    ];
    add(&mut ledger, 1, &changes);
    ledger.reduce(&[part(1, Order::Forward)], "set").unwrap();
    assert_eq!(last(&ledger), ["%62 unknown", "%64 present", "a unknown", "c deleted"]);
}

fn unordered<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    add(&mut ledger, 1, &[change("a", 0, true, 1), change("a", 1, false, 2), change("b", 2, false, 1)]);
    ledger.reduce(&[part(1, Order::None)], "set").unwrap();
    assert_eq!(last(&ledger), ["a unknown", "b present"]);
}

fn sets<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    add(&mut ledger, 1, &[change("a", 0, true, 5), change("b", 1, true, 5), change("c", 2, true, 5)]);
    ledger.reduce(&[part(1, Order::Forward)], "one").unwrap();
    add(&mut ledger, 2, &[change("a", 0, false, 4), change("b", 1, true, 4)]);
    ledger.reduce(&[part(2, Order::Forward)], "two").unwrap();
    ledger.note_listing(7, "two", &resource("c").uri).unwrap();
    assert!(!ledger.combine(true).unwrap());
    assert_eq!(last(&ledger), ["a present", "b deleted"]);
}

fn sets_of_before<L: Subject>() {
    for (compares_lists, expected) in [(false, &[][..]), (true, &["a deleted"][..])] {
        let mut ledger = L::fresh();
        ledger.next_run();
        ledger.note_listing(1, "one", &resource("a").uri).unwrap();
        assert!(!ledger.is_shared(&resource("a").uri).unwrap());
        ledger.note_listing(2, "two", &resource("a").uri).unwrap();
        assert!(ledger.is_shared(&resource("a").uri).unwrap() && !ledger.is_shared(&resource("b").uri).unwrap());
        settle(&mut ledger);
        ledger.next_run();
        add(&mut ledger, 1, &[change("a", 0, true, 5)]);
        ledger.reduce(&[part(1, Order::Forward)], "one").unwrap();
        assert!(!ledger.combine(compares_lists).unwrap());
        assert_eq!(last(&ledger), expected);
    }
}

pub(crate) fn settle<L: Ledger<Error: std::fmt::Debug>>(ledger: &mut L) {
    let (documents, checkpoints) =
        (Remembered::default(), [Checkpoint { set: "one".to_owned(), ..Checkpoint::default() }]);
    let settled = Settled { documents: &documents, checkpoints: &checkpoints, options: "yes", described: 5, kept: 2 };
    ledger.settle(&settled).unwrap();
}

fn settled<L: Subject>() {
    let mut ledger = L::fresh();
    assert_eq!((ledger.settled().unwrap(), ledger.described().unwrap(), ledger.kept().unwrap()), (None, None, 0));
    let run = ledger.next_run();
    ledger.adopted(stored("a", 1), run).unwrap();
    let kept = ledger.find(&resource("a").uri).unwrap().unwrap();
    ledger.retry_later(&resource("a"), ItemCode::Missing, run).unwrap();
    ledger.retry_later(&resource("b"), ItemCode::Missing, run).unwrap();
    ledger.mark_deleted(&kept).unwrap();
    settle(&mut ledger);
    assert_eq!((ledger.settled().unwrap().as_deref(), ledger.kept().unwrap()), (Some("yes"), 2));
    assert_eq!((ledger.described().unwrap(), ledger.checkpoints().unwrap().len()), (Some(5), 1));
    // What is kept although the Source deleted it is not tried again.
    assert_eq!(ledger.retries().unwrap(), [resource("b")]);
    ledger.unsettle(false, Some(7)).unwrap();
    assert_eq!((ledger.settled().unwrap().as_deref(), ledger.retries().unwrap().len()), (Some("no"), 1));
    ledger.unsettle(true, None).unwrap();
    assert!(ledger.retries().unwrap().is_empty());
    assert_eq!(ledger.begun().unwrap(), Some(7));
    settle(&mut ledger);
    assert_eq!(ledger.begun().unwrap(), None);
    ledger.settle_changes(&[], 0).unwrap();
    assert_eq!((ledger.checkpoints().unwrap().len(), ledger.kept().unwrap()), (0, 2));
    ledger.put_described(9).unwrap();
    ledger.settle_changes(&[], 3).unwrap();
    assert_eq!((ledger.described().unwrap(), ledger.kept().unwrap()), (Some(9), 3));
}

fn retries<L: Subject>() {
    let mut ledger = L::fresh();
    let run = ledger.next_run();
    ledger.retry_later(&resource("b"), ItemCode::Digest, run).unwrap();
    ledger.retry_later(&resource("a"), ItemCode::Newer, run).unwrap();
    let newer = ListedResource { length: Some(3), ..resource("a") };
    ledger.renew_retry(&newer).unwrap();
    ledger.renew_retry(&resource("c")).unwrap();
    assert_eq!(ledger.retries().unwrap(), [newer, resource("b")]);
    ledger.adopted(stored("a", 3), run).unwrap();
    ledger.forget_retry(&resource("b").uri).unwrap();
    assert!(ledger.retries().unwrap().is_empty());
}

/// The related resources of a ledger that are not listed, and what nothing links to any more.
pub(crate) fn links<L: RelatedResources<Error: std::fmt::Debug>>(ledger: &L, compares_lists: bool) -> [Vec<String>; 2] {
    let name = |uri: &str| uri.rsplit('/').next().unwrap_or_default().to_owned();
    let noted = ledger.related_after(0, 100, compares_lists).unwrap();
    let gone = ledger.unrelated_after("", 100, compares_lists).unwrap();
    [noted.iter().map(|(_, resource)| name(&resource.uri)).collect(), gone.iter().map(|uri| name(uri)).collect()]
}

fn related<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    let (a, b) = (resource("a").uri, resource("b").uri);
    for (document, entry, related) in [(1, &a, "m"), (1, &b, "m"), (2, &a, "n"), (3, &a, "o")] {
        ledger.note_related(document, entry, &resource(related)).unwrap();
    }
    ledger.forget_related(Some(3)).unwrap();
    assert_eq!(links(&ledger, true), [vec!["m", "m", "n"], vec![]]);
    let first = ledger.related_after(0, 1, true).unwrap();
    assert_eq!(ledger.related_after(first[0].0, 1, true).unwrap()[0].1, resource("m"));
    settle(&mut ledger);
    ledger.next_run();
    assert_eq!(links(&ledger, false), [vec![""; 0], vec![]]);
    assert!(ledger.is_known(&resource("n").uri).unwrap() && !ledger.is_known(&resource("o").uri).unwrap());
    ledger.note_unlisted(&a).unwrap();
    assert_eq!(links(&ledger, false), [vec![], vec!["n"]]);
    assert!(!ledger.is_related(&resource("n").uri).unwrap());
    // Another entry links to it now.
    ledger.note_related(0, &b, &resource("n")).unwrap();
    assert_eq!(links(&ledger, false), [vec!["n"], vec![]]);
    assert!(ledger.is_related(&resource("n").uri).unwrap() && !ledger.is_related(&resource("o").uri).unwrap());
    ledger.settle_changes(&[], 0).unwrap();
    ledger.next_run();
    ledger.note_unlisted(&b).unwrap();
    assert_eq!(links(&ledger, false), [vec![], vec!["m", "n"]]);
    ledger.note_related(0, &b, &resource("m")).unwrap();
    assert_eq!(links(&ledger, false), [vec!["m"], vec!["n"]]);
    // A comparison with lists takes the place of what was known before.
    settle(&mut ledger);
    ledger.next_run();
    assert!(ledger.is_known(&resource("m").uri).unwrap() && !ledger.is_known(&resource("n").uri).unwrap());
    // A run that does not end.
    for name in ["n", "p"] {
        ledger.note_related(0, &a, &resource(name)).unwrap();
    }
    ledger.keep_links(&resource("p").uri).unwrap();
    ledger.next_run();
    assert!(ledger.is_related(&resource("p").uri).unwrap() && !ledger.is_related(&resource("n").uri).unwrap());
}

fn related_and_listed<L: Subject>() {
    let mut ledger = L::fresh();
    let run = ledger.next_run();
    ledger.adopted(stored("m", 1), run).unwrap();
    ledger.adopted(stored("other", 1), run).unwrap();
    let (a, m) = (resource("a").uri, resource("m").uri);
    ledger.note_related(1, &a, &resource("m")).unwrap();
    ledger.note_listed(2, &m).unwrap();
    ledger.note_listed(2, &resource("other").uri).unwrap();
    ledger.note_listed(2, &resource("unselected").uri).unwrap();
    assert_eq!(links(&ledger, true), [vec![""; 0], vec![]]);
    settle(&mut ledger);
    ledger.next_run();
    // Of what is stored and linked to by nothing it need not be known that it is listed.
    let known = ["m", "other", "unselected"].map(|name| ledger.is_known(&resource(name).uri).unwrap());
    assert_eq!(known, [true, false, true]);
    ledger.note_related(0, &a, &resource("m")).unwrap();
    ledger.note_related(0, &a, &resource("unselected")).unwrap();
    assert_eq!((links(&ledger, false), links(&ledger, true)[0].len()), ([vec![], vec![]], 2));
    ledger.note_unlisted(&a).unwrap();
    assert_eq!(links(&ledger, false), [vec![""; 0], vec![]]);
    ledger.note_unlisted(&m).unwrap();
    assert_eq!(links(&ledger, false)[1], ["m"]);
    ledger.note_listed(0, &m).unwrap();
    assert_eq!(links(&ledger, false), [vec![""; 0], vec![]]);
}

/// A version of a resource, with its digest.
pub(crate) fn version(name: &str, hash: &str) -> ListedResource {
    ListedResource { hash: Some(hash.to_owned()), ..resource(name) }
}

/// The versions to be kept, as text.
pub(crate) fn due<L: Versions<Error: std::fmt::Debug>>(ledger: &L) -> Vec<String> {
    let text = |resource: &ListedResource| format!("{} {}", &resource.loc[17..], resource.hash.as_deref().unwrap());
    let all = ledger.versions_after(0, 100).unwrap();
    assert_eq!(ledger.versions_due().unwrap(), all.len() as u64);
    all.iter().map(|(_, resource)| text(resource)).collect()
}

fn versions<L: Subject>() {
    let mut ledger = L::fresh();
    ledger.next_run();
    for version in [version("a", "md5:1"), version("a", "md5:2"), version("b", "md5:1"), version("a", "md5:1")] {
        ledger.note_version(&version).unwrap();
    }
    assert_eq!(due(&ledger), ["a md5:1", "a md5:2", "b md5:1"]);
    let first = ledger.versions_after(0, 1).unwrap();
    assert_eq!(ledger.versions_after(first[0].0, 1).unwrap()[0].1, version("a", "md5:2"));
    ledger.keep(&version("a", "md5:2"));
    ledger.forget_version(&version("b", "md5:1")).unwrap();
    // What is due is known to the next run, and what is kept is not due again.
    ledger.next_run();
    ledger.note_version(&version("a", "md5:2")).unwrap();
    assert_eq!(due(&ledger), ["a md5:1"]);
    ledger.note_version(&version("b", "md5:1")).unwrap();
    assert_eq!(due(&ledger), ["a md5:1", "b md5:1"]);
}

fn unconfirmed<L: Subject>() {
    let mut ledger = L::fresh();
    let run = ledger.next_run();
    assert_eq!(ledger.unconfirmed().unwrap(), (0, 0));
    let (early, late) = (change("a", 0, false, 1), change("b", 1, true, 9));
    ledger.note_unconfirmed(&[&early, &late], run, 100).unwrap();
    assert_eq!(ledger.unconfirmed().unwrap(), (2, 1));
    assert!(ledger.lacks_unconfirmed(early.nanoseconds(), 0).unwrap());
    assert!(ledger.lacks_unconfirmed(None, 100).unwrap() && !ledger.lacks_unconfirmed(None, 99).unwrap());
    add(&mut ledger, 1, std::slice::from_ref(&early));
    ledger.reduce(&[part(1, Order::Forward)], "set").unwrap();
    assert!(!ledger.lacks_unconfirmed(early.nanoseconds(), 0).unwrap());
    ledger.confirm().unwrap();
    assert_eq!(ledger.unconfirmed().unwrap(), (1, 1));
    ledger.retry_later(&resource("b"), ItemCode::Missing, run).unwrap();
    ledger.forget_failed(run).unwrap();
    assert_eq!((ledger.unconfirmed().unwrap(), ledger.retries().unwrap().len()), ((0, 0), 0));
}
