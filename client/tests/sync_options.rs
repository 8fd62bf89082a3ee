//! What the options of a copy do: names, state, selection, age and trash.

use std::{fs, path::Path, time::Duration};

use resourcesync::api::plain::Link;
use resourcesync_client::{
    Cancel,
    destination::{self, Inventoried, Options, Republished, Selection, SyncError, audit, inventory},
};
use resourcesync_sync::{Layout, Map, conclude::Outcome, guard::MaxDelete, report::Report};

use crate::source::{Place, Source, run, run_with, tree};

fn with(source: &Source, place: &Place, options: &Options) -> Report {
    run_with(&source.start(), &place.copy(), options).unwrap()
}

fn all() -> Options {
    Options::default().with(|run| run.max_delete = Some(MaxDelete::Percent(100)))
}

fn bodies(folder: &Path) -> Vec<Vec<u8>> {
    let mut bodies: Vec<_> = tree(folder).into_iter().map(|(_, body)| body).collect();
    bodies.sort();
    bodies
}

#[test]
fn what_is_not_selected_is_neither_fetched_nor_deleted() {
    let place = Place::new("selected");
    let source = Source::new();
    for path in ["/theses/1.pdf", "/theses/2.tmp", "/other/3.pdf"] {
        source.put(path, path);
    }
    source.put("/theses/long.pdf", "long ".repeat(100));
    source.publish();
    let selection = Selection {
        include: vec!["theses/**".to_owned()],
        exclude: vec!["*.tmp".to_owned()],
        max_length: Some(100),
        ..Selection::default()
    };
    let options = all().with(|run| run.selection = selection);
    let report = with(&source, &place, &options);
    assert_eq!((report.run.outcome, report.counts.created, report.counts.skipped), (Outcome::InStep, 1, 3));
    source.clear_log();
    with(&source, &place, &options);
    assert!(source.log().len() <= 3, "{:?}", source.log());

    // Everything; then a part again: the rest stays.
    assert_eq!(with(&source, &place, &all()).counts.created, 3);
    let report = with(&source, &place, &options);
    assert_eq!((report.counts.deleted, report.counts.skipped, report.counts.unchanged), (0, 3, 1));
    assert_eq!(tree(&place.copy()).len(), 4);
    // Also where it is no longer listed at all.
    source.remove("/other/3.pdf");
    source.publish();
    assert_eq!(with(&source, &place, &options).counts.deleted, 0);
    assert_eq!(with(&source, &place, &all()).counts.deleted, 1);
}

#[test]
fn a_copy_of_some_sets_stays_one_of_these_sets() {
    let place = Place::new("sets");
    let source = Source::new();
    source.put("/a", "a");
    source.publish();
    let named = |uri: &str| all().with(|run| run.reading.sets = vec![uri.to_owned()]);
    let missing = with(&source, &Place::new("sets-missing"), &named(&format!("{}other.xml", source.start())));
    assert_eq!((missing.run.outcome, missing.counts.created), (Outcome::Incomplete, 0));
    let set = named(&format!("{}capabilitylist.xml", source.start()));
    assert_eq!(with(&source, &place, &set).run.outcome, Outcome::InStep);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    let other = run_with(&source.start(), &place.copy(), &named(&format!("{}other.xml", source.start())));
    assert!(matches!(other, Err(SyncError::OtherSets { .. })), "{other:?}");
}

#[test]
fn files_are_renamed_to_another_layout_without_a_request_for_them() {
    let place = Place::new("relayout");
    let source = Source::new();
    for path in ["/A/b", "/a", "/a/b?c", "/%E6%97%A5", "/x/", "/d/e/f", "/d/e"] {
        source.put(path, path);
    }
    source.publish();
    run(&source, &place.copy());
    let before = bodies(&place.copy());
    let map = Map::new(&format!("{}d/", source.start()), "data/d").unwrap();
    for (layout, maps) in
        [(Layout::Portable, vec![]), (Layout::Hash, vec![]), (Layout::Uri, vec![map]), (Layout::Portable, vec![])]
    {
        let options = all().with(|run| {
            run.placing.layout = Some(layout);
            run.placing.maps = maps;
        });
        let refused = run_with(&source.start(), &place.copy(), &options);
        assert!(matches!(refused, Err(SyncError::OtherLayout { .. })));
        source.clear_log();
        let report = with(&source, &place, &options.clone().with(|run| run.placing.relayout = true));
        assert_eq!((report.run.outcome, report.counts.conflicts), (Outcome::InStep, 0), "{layout:?} {report:?}");
        assert!(source.log().len() <= 3, "{:?}", source.log());
        assert_eq!(bodies(&place.copy()), before);
        assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, 7, "{layout:?}");
        // From here on it is the layout of the copy; and no file is of the one before.
        assert_eq!(with(&source, &place, &all().with(|run| run.reading.full = true)).counts.unchanged, 7);
        if layout != Layout::Uri {
            let fresh = Place::new("relayout-fresh");
            with(
                &source,
                &fresh,
                &all().with(|run| {
                    run.placing.layout = Some(layout);
                    run.placing.maps = options.settings.placing.maps;
                }),
            );
            let listed = |place: &Place| {
                tree(&place.copy()).into_iter().map(|(name, _)| name.replace('^', "")).collect::<Vec<_>>()
            };
            if layout == Layout::Hash {
                assert_eq!(listed(&place), listed(&fresh));
            }
        }
    }
}

#[test]
fn the_state_may_be_in_another_folder_and_belongs_to_one_copy() {
    let place = Place::new("state");
    let source = Source::new();
    source.put("/a", "a");
    source.publish();
    let state = place.0.join("states");
    let options = Options { state: Some(state.clone()), ..all() };
    assert_eq!(with(&source, &place, &options).run.outcome, Outcome::InStep);
    assert!(state.join("state.sqlite").exists() && !place.copy().join(".resourcesync/state.sqlite").exists());
    assert_eq!(audit(&place.copy(), Some(&state), false, &Cancel::default()).unwrap().compared.equal, 1);
    assert!(matches!(audit(&place.copy(), None, false, &Cancel::default()), Err(SyncError::NotACopy)));
    let other = run_with(&source.start(), &place.0.join("other"), &options);
    assert!(matches!(other, Err(SyncError::OtherFolder { .. })), "{other:?}");
    assert!(tree(&place.0.join("other")).is_empty());
}

#[test]
fn a_copy_whose_files_are_gone_is_not_in_step() {
    let place = Place::new("gone");
    let source = Source::new();
    for path in ["/a", "/b"] {
        source.put(path, path);
    }
    source.publish();
    let elsewhere = Options { state: Some(place.0.join("states")), ..all() };
    for options in [elsewhere, all()] {
        assert_eq!(with(&source, &place, &options).run.outcome, Outcome::InStep);
        let [host] = &*fs::read_dir(place.copy())
            .unwrap()
            .map(|one| one.unwrap().path())
            .filter(|path| !path.ends_with(".resourcesync"))
            .collect::<Vec<_>>()
        else {
            panic!("one folder, of the host");
        };
        // One is not missed without `full`.
        fs::remove_file(host.join("a")).unwrap();
        assert_eq!(with(&source, &place, &options).run.outcome, Outcome::InStep);
        fs::remove_dir_all(host).unwrap();
        for how in 0..3 {
            let refused = options.clone().with(|run| {
                run.dry_run = how == 0;
                run.placing.relayout = how == 2;
                run.placing.layout = (how == 2).then_some(Layout::Portable);
            });
            let refused = run_with(&source.start(), &place.copy(), &refused);
            assert!(matches!(refused, Err(SyncError::NoFiles)), "{refused:?}");
        }
        assert!(tree(&place.copy()).is_empty());
        let full = with(&source, &place, &options.clone().with(|run| run.reading.full = true));
        assert_eq!((full.run.outcome, tree(&place.copy()).len()), (Outcome::InStep, 2));
        fs::remove_dir_all(place.copy()).unwrap();
    }
}

#[test]
fn a_damaged_state_is_made_again_from_the_files_and_the_lists() {
    let place = Place::new("rebuild");
    let source = Source::new();
    for path in ["/a", "/b", "/c", "/d"] {
        source.put(path, path);
    }
    source.publish();
    with(&source, &place, &all().with(|run| run.placing.layout = Some(Layout::Portable)));
    fs::write(place.copy().join(".resourcesync/state.sqlite"), "damaged ".repeat(1000)).unwrap();
    let file = |name: &str| place.copy().join(source.host().replace(':', "^")).join(name);
    let host = tree(&place.copy())[0].0.split('/').next().unwrap().to_owned();
    assert_eq!(host, source.host().replace(':', "^"));
    fs::write(file("b"), "changed").unwrap();
    fs::remove_file(file("c")).unwrap();
    assert!(matches!(run_with(&source.start(), &place.copy(), &all()), Err(SyncError::State(_))));
    source.clear_log();
    let report = with(
        &source,
        &place,
        &all().with(|run| {
            run.placing.rebuild = true;
            run.placing.layout = Some(Layout::Portable);
        }),
    );
    assert_eq!(
        (report.run.outcome, report.counts.adopted, report.counts.created),
        (Outcome::InStep, 2, 2),
        "{report:?}"
    );
    assert!(!source.log().iter().any(|path| path == "/a" || path == "/d"));
    assert_eq!(bodies(&place.copy()), [b"/a", b"/b", b"/c", b"/d"]);
    // What was replaced is in the trash until the run after.
    assert!(place.copy().join(".resourcesync/trash").read_dir().unwrap().count() > 0);
    assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, 4);
    assert_eq!(with(&source, &place, &all()).run.outcome, Outcome::InStep);
}

#[test]
fn a_resource_newer_than_its_list_is_stored_only_where_the_user_accepts_that() {
    let place = Place::new("newer");
    let source = Source::new();
    source.put("/a", "old");
    source.lastmod("2024-01-01T00:00:00Z");
    source.publish();
    source.serve("/a", b"new and longer");
    source.modified("/a", "Thu, 01 Feb 2024 00:00:00 GMT");
    let report = with(&source, &place, &all());
    assert_eq!((report.run.outcome, report.counts.deferred), (Outcome::Incomplete, 1));
    let report = with(&source, &place, &all().with(|run| run.fetching.accept_newer = true));
    assert_eq!((report.run.outcome, report.verified.nothing), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(bodies(&place.copy()), [b"new and longer"]);
    assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, 1);
}

#[test]
fn a_source_that_stopped_publishing_is_noticed() {
    let place = Place::new("age");
    let source = Source::new();
    source.put("/a", "a");
    source.publish_at("2024-01-01T00:00:00Z");
    let limited = |days: u64| all().with(|run| run.reading.max_age = Some(Duration::from_secs(days * 86_400)));
    let report = with(&source, &place, &limited(7));
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::Incomplete, 1));
    assert_eq!(report.diagnostics[0].code, "SYN-07");
    assert_eq!(with(&source, &place, &limited(7)).run.outcome, Outcome::Incomplete);
    assert_eq!(with(&source, &place, &limited(1_000_000)).run.outcome, Outcome::InStep);
}

#[test]
fn the_trash_is_kept_as_long_as_the_user_wants() {
    let place = Place::new("trash-kept");
    let source = Source::new();
    (0..4).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    run(&source, &place.copy());
    let trash = || fs::read_dir(place.copy().join(".resourcesync/trash")).map_or(0, Iterator::count);
    let kept = all().with(|run| run.placing.trash = Some(Duration::from_secs(86_400)));
    for number in 0..2 {
        source.remove(&format!("/{number}"));
        source.publish();
        with(&source, &place, &kept);
        assert_eq!(trash(), number + 1);
    }
    with(&source, &place, &kept);
    assert_eq!(trash(), 2);
    run(&source, &place.copy());
    assert_eq!(trash(), 0);
}

#[test]
fn a_file_of_others_in_the_place_of_a_folder_goes_to_the_trash_if_the_user_wants() {
    let place = Place::new("trash-names");
    let source = Source::new();
    source.put("/a/b", "b");
    source.publish();
    let host = place.copy().join(source.host().replace(':', "^"));
    fs::create_dir_all(&host).unwrap();
    fs::write(host.join("a"), "a file of others").unwrap();
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Refused);
    let report = with(&source, &place, &all().with(|run| run.placing.overwrite = true));
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    assert_eq!(bodies(&place.copy()), [b"b"]);
    let trash = place.copy().join(format!(".resourcesync/trash/2/{}/a", source.host().replace(':', "^")));
    assert_eq!(fs::read(trash).unwrap(), b"a file of others");
}

#[test]
fn links_of_a_resource_are_passed_on_as_they_were_listed_last() {
    let (place, source) = (Place::new("links"), Source::new());
    source.put("/a", "a");
    source.put("/b", "b");
    let mut minute = 0;
    let mut run_with_links = |links: &str| {
        minute += 1;
        source.publish_at(&format!("2024-05-01T00:{minute:02}:00Z"));
        let list = String::from_utf8(source.body("/resourcelist.xml")).unwrap();
        source.serve("/resourcelist.xml", list.replacen("</url>", &format!("{links}</url>"), 1).as_bytes());
        source.clear_log();
        let report = run(&source, &place.copy());
        assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
        assert!(minute == 1 || !source.log().contains(&"/a".to_owned()), "links alone are no reason to fetch");
        let mut held = Vec::new();
        let mut take = |Inventoried { uri, links, .. }: Inventoried| {
            held.push((uri.rsplit_once('/').unwrap().1.to_owned(), links));
            Ok(())
        };
        inventory(&place.copy(), None, &Republished::default(), &mut take).unwrap();
        held
    };
    let link =
        |rel: &str, href: &str| Link { rel: Some(rel.to_owned()), href: Some(href.to_owned()), ..Link::default() };
    let via =
        r#"<rs:ln rel="via" href="https://origin.example/a" length="1" hash="md5:0cc175b9c0f1b6a831c399e269772661"/>"#;
    let others = r#"<rs:ln rel="describedby" href="https://origin.example/a.xml"/><rs:ln rel="collection" href="https://c.example/"/>
        <rs:ln rel="duplicate" href="https://mirror.example/a"/>"#;
    let held = run_with_links(&format!("{via}{others}"));
    let [passed, described] = &*held[0].1 else { panic!("{held:?}") };
    assert_eq!((passed.href.as_deref(), passed.length), (Some("https://origin.example/a"), Some(1)));
    assert!(!passed.hashes.is_empty(), "{passed:?}");
    assert_eq!(*described, link("describedby", "https://origin.example/a.xml"));
    assert_eq!(held[1], ("b".to_owned(), Vec::new()));
    let held = run_with_links(r#"<rs:ln rel="via" href="https://other.example/a"/>"#);
    assert_eq!(held[0].1, [link("via", "https://other.example/a")]);
    assert_eq!(run_with_links("")[0].1, []);
}

#[test]
fn an_inventory_lists_what_is_held_in_the_order_of_the_uris() {
    let place = Place::new("inventory");
    let source = Source::new();
    for path in ["/b", "/a", "/a/b", "/c%20d"] {
        source.put(path, path);
    }
    source.lastmod("2024-01-01T00:00:00Z");
    source.publish();
    run(&source, &place.copy());
    let mut found = Vec::new();
    inventory(&place.copy(), None, &Republished::default(), &mut |own| {
        found.push(own.resource);
        Ok(())
    })
    .unwrap();
    let uris: Vec<_> = found.iter().map(|holding| holding.uri.trim_start_matches(&source.start()).to_owned()).collect();
    assert_eq!(uris, ["a", "a/b", "b", "c%20d"]);
    for holding in found {
        let body = fs::read(place.copy().join(&holding.path)).unwrap();
        let mut digester =
            resourcesync::fixity::Digester::new(holding.hashes.iter().map(|hash| hash.algorithm.clone()));
        digester.push(&body);
        assert_eq!((digester.finish(), holding.length), (holding.hashes, body.len() as u64));
        assert_eq!(holding.lastmod.unwrap().to_string(), "2024-01-01T00:00:00Z");
    }
}

#[test]
fn a_run_whose_time_is_over_while_it_reads_lists_is_not_in_step_and_deletes_nothing() {
    let place = Place::new("late-lists");
    let source = Source::new();
    (0..30).for_each(|number| source.put(&format!("/{number}"), "body"));
    source.publish();
    run(&source, &place.copy());
    source.remove("/1");
    source.publish();
    // No document is requested.
    source.clear_log();
    let none = Options::default().with(|run| run.max_time = Some(Duration::ZERO));
    let report = run_with(&source.start(), &place.copy(), &none).unwrap();
    assert_eq!((report.run.outcome, source.log().len()), (Outcome::Incomplete, 0), "{report:?}");
    assert!(report.documents.iter().any(|document| document.cause.is_some()), "{report:?}");
    assert!(report.diagnostics.iter().any(|finding| finding.code == "SYN-14"), "{report:?}");
    // The last document takes longer than the run may.
    source.script(|asked| {
        if asked.path == "/resourcelist.xml" {
            std::thread::sleep(Duration::from_millis(1_500));
        }
        None
    });
    let short = Options::default().with(|run| run.max_time = Some(Duration::from_millis(1_000)));
    let report = run_with(&source.start(), &place.copy(), &short).unwrap();
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::Incomplete, 0), "{report:?}");
    assert_eq!(tree(&place.copy()).len(), 30);
    source.script(|_| None);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
}

#[test]
fn a_folder_is_bound_to_a_source_by_the_first_list_that_is_read() {
    let place = Place::new("bound");
    let (wrong, right) = (Source::new(), Source::new());
    right.put("/a", "a");
    right.publish();
    assert_eq!(run(&wrong, &place.copy()).run.outcome, Outcome::Incomplete);
    assert_eq!(destination::source(&place.copy(), None).unwrap(), None);
    assert_eq!(run(&right, &place.copy()).run.outcome, Outcome::InStep);
    assert_eq!(destination::source(&place.copy(), None).unwrap(), Some(right.start()));
    let refused = run_with(&wrong.start(), &place.copy(), &Options::default());
    assert!(matches!(refused, Err(SyncError::OtherSource { .. })));
    // A Source that lists nothing is one nevertheless.
    let (place, empty) = (Place::new("bound-empty"), Source::new());
    empty.publish();
    assert_eq!(run(&empty, &place.copy()).run.outcome, Outcome::InStep);
    let refused = run_with(&right.start(), &place.copy(), &Options::default());
    assert!(matches!(refused, Err(SyncError::OtherSource { .. })));
}

/// Lists Change Lists next to the Resource List.
fn publish_changes(source: &Source, from: &str, changes: &[(&str, &str, &str, &str)]) {
    const HEAD: &str =
        r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;
    let start = source.start();
    let named = |name: &str, capability: &str| {
        format!(r#"<url><loc>{start}{name}</loc><rs:md capability="{capability}"/></url>"#)
    };
    let lists = named("resourcelist.xml", "resourcelist") + &named("changes.xml", "changelist");
    let capabilities = format!(r#"<urlset {HEAD}><rs:md capability="capabilitylist"/>{lists}</urlset>"#);
    source.serve("/capabilitylist.xml", capabilities.as_bytes());
    let mut entries = String::new();
    for (path, change, datetime, body) in changes {
        let length = if body.is_empty() { String::new() } else { format!(r#" length="{}""#, body.len()) };
        entries +=
            &format!(r#"<url><loc>{start}{path}</loc><rs:md change="{change}" datetime="{datetime}"{length}/></url>"#);
    }
    let list = format!(r#"<urlset {HEAD}><rs:md capability="changelist" from="{from}"/>{entries}</urlset>"#);
    source.serve("/changes.xml", list.as_bytes());
}

#[test]
fn changes_that_no_list_contains_leave_as_of_at_the_resource_list_until_there_is_a_newer_one() {
    let place = Place::new("hole");
    let source = Source::new();
    ["/a", "/b", "/c"].into_iter().for_each(|path| source.put(path, "first"));
    source.publish_at("2024-05-01T00:00:00Z");
    publish_changes(&source, "2024-05-01T00:00:05Z", &[]);
    let gaps = |report: &Report| {
        let gaps = report.diagnostics.iter().filter(|finding| finding.code == "SYN-04");
        gaps.map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.as_of.as_deref()), (Outcome::InStep, Some("2024-05-01T00:00:00Z")));
    assert!(gaps(&report)[0].contains("between 2024-05-01T00:00:00Z and 2024-05-01T00:00:05Z"), "{report:?}");
    // What is listed since is applied, and read with few requests.
    source.serve("/b", b"second");
    source.remove("/c");
    let second = ("b", "updated", "2024-05-01T00:01:00Z", "second");
    let deleted = ("c", "deleted", "2024-05-01T00:02:00Z", "");
    publish_changes(&source, "2024-05-01T00:00:05Z", &[second, deleted]);
    for (updated, deleted) in [(1, 1), (0, 0)] {
        source.clear_log();
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, report.as_of.as_deref()), (Outcome::InStep, Some("2024-05-01T00:00:00Z")));
        assert_eq!((report.counts.updated, report.counts.deleted), (updated, deleted), "{report:?}");
        assert_eq!(gaps(&report).len(), 1);
        assert!(source.log().len() <= 6, "{:?}", source.log());
    }
    assert_eq!(bodies(&place.copy()), [b"first".to_vec(), b"second".to_vec()]);
    // A newer Resource List shows the rest.
    source.put("/b", "second");
    source.put("/a", "between");
    source.publish_at("2024-05-01T00:03:00Z");
    publish_changes(&source, "2024-05-01T00:00:05Z", &[second, deleted]);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.as_of.as_deref()), (Outcome::InStep, Some("2024-05-01T00:03:00Z")));
    assert_eq!((gaps(&report).len(), report.counts.updated), (0, 1), "{report:?}");
    // Changes that are missing after that are a gap: the copy is later than the Resource List.
    publish_changes(
        &source,
        "2024-05-01T00:00:05Z",
        &[second, deleted, ("a", "updated", "2024-05-01T00:05:00Z", "later")],
    );
    source.serve("/a", b"later");
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    publish_changes(&source, "2024-05-01T00:09:00Z", &[]);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, gaps(&report).len()), (Outcome::Incomplete, 1), "{report:?}");
    assert_eq!(bodies(&place.copy()), [b"later".to_vec(), b"second".to_vec()]);
}
