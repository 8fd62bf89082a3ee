//! Patches in place of transfers: used only where the result is what is listed.

use std::fs;

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_client::destination::Options;
use resourcesync_sync::{
    conclude::Outcome,
    destination::{OPTIONS, Takes},
    report::{BytesFrom, Report},
};

use crate::source::{LENGTH, Place, Source, describe, document, publish, run, run_with, tree};

const PATCH: &str = "http://www.openarchives.org/rs/terms/patch";
const JSON: &str = "application/json-patch+json";

fn digest(body: &str) -> String {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(body.as_bytes());
    digester.finish().to_string()
}

/// A document that is longer than its patches.
fn record(title: &str) -> String {
    format!(r#"{{"title":"{title}","number":1.0,"text":"{}"}}"#, "x".repeat(400))
}

fn xml_record(title: &str) -> String {
    format!("<?xml version='1.0'?>\n<record title='{title}'  >{}</record>\n", "<text>x</text>\n".repeat(30))
}

fn patch(title: &str) -> String {
    format!(r#"[{{"op":"replace","path":"/title","value":"{title}"}}]"#)
}

/// A change of the record at a minute, with attributes of its patch link; none if they are empty.
fn change(source: &Source, minute: u32, body: &str, link: &str) -> String {
    let (hash, length) = (digest(body), body.len());
    let md = format!(
        r#"<rs:md change="updated" datetime="2024-05-01T00:{minute:02}:00Z" hash="{hash}" length="{length}"/>"#
    );
    let link = if link.is_empty() { String::new() } else { format!(r#"<rs:ln rel="{PATCH}" {link}/>"#) };
    format!("<url><loc>{}r/record</loc>{md}{link}</url>", source.start())
}

fn link(source: &Source, media_type: &str, patch: &str) -> String {
    let (start, hash, length) = (source.start(), digest(patch), patch.len());
    format!(r#"href="{start}patch" type="{media_type}" hash="{hash}" length="{length}""#)
}

/// A Source with a record, copied once.
fn copied(name: &str, body: &str) -> (Place, Source) {
    let (place, source) = (Place::new(name), Source::new());
    describe(&source, &["a"]);
    publish(&source, "a", "2024-05-01T00:00:00Z", &[], &[]);
    source.serve("/r/record", body.as_bytes());
    let md = format!(r#"hash="{}" length="{}""#, digest(body), body.len());
    let head = r#"capability="resourcelist" at="2024-05-01T00:00:00Z""#;
    source.serve("/a/list.xml", &document(&source, head, &[("r/record", &md)]));
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    (place, source)
}

/// The record changes.
fn list_changes(source: &Source, body: &str, changes: &[String]) {
    source.serve("/r/record", body.as_bytes());
    let empty = document(source, r#"capability="changelist" from="2024-05-01T00:00:00Z""#, &[]);
    let list = String::from_utf8(empty).unwrap().replace("</urlset>", &(changes.concat() + "</urlset>"));
    source.serve("/a/changes.xml", list.as_bytes());
    source.clear_log();
}

fn from(report: &Report) -> Option<BytesFrom> {
    report.items.iter().find_map(|item| item.bytes_from)
}

fn held(place: &Place) -> String {
    String::from_utf8(tree(&place.copy()).remove(0).1).unwrap()
}

#[test]
fn a_patch_takes_the_place_of_a_transfer_if_its_result_is_what_is_listed() {
    let indented = format!("{{\n  \"title\": \"new\",\n  \"number\": 1.0,\n  \"text\": \"{}\"\n}}\n", "x".repeat(400));
    for (name, media_type, patch, after) in [
        ("json", JSON, patch("new"), record("new")),
        ("draft", "application/json-patch; charset=utf-8", patch("new"), record("new")),
        ("merge", "application/merge-patch+json", r#"{"title":"new"}"#.to_owned(), indented),
        (
            "xml",
            "application/xml-patch+xml",
            r#"<patch><replace sel="record/@title">new</replace></patch>"#.to_owned(),
            xml_record("new"),
        ),
    ] {
        let before = if name == "xml" { xml_record("old") } else { record("old") };
        let (place, source) = copied(&format!("patches-{name}"), &before);
        source.serve("/patch", patch.as_bytes());
        list_changes(&source, &after, &[change(&source, 1, &after, &link(&source, media_type, &patch))]);
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, from(&report)), (Outcome::InStep, Some(BytesFrom::Patch)), "{name} {report:?}");
        assert_eq!((report.bytes, report.verified.digest), (patch.len() as u64, 1), "{name}");
        assert_eq!(report.items[0].origin, Some(format!("{}patch", source.start())), "{name}");
        assert_eq!((held(&place), source.log().contains(&"/r/record".to_owned())), (after, false), "{name}");
        assert_eq!(fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count(), 0);
    }
}

#[test]
fn a_patch_that_does_not_lead_to_the_listed_state_is_discarded_and_named() {
    for name in ["result", "fits", "json", "digest", "missing"] {
        let (place, source) = copied(&format!("patches-wrong-{name}"), &record("old"));
        let patch = match name {
            "result" => patch("other"),
            "fits" => r#"[{"op":"remove","path":"/none"}]"#.to_owned(),
            "json" => "<patch/>".to_owned(),
            _ => patch("new"),
        };
        if name != "missing" {
            source.serve("/patch", if name == "digest" { patch.to_uppercase() } else { patch.clone() }.as_bytes());
        }
        let after = record("new");
        list_changes(&source, &after, &[change(&source, 1, &after, &link(&source, JSON, &patch))]);
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, from(&report)), (Outcome::InStep, Some(BytesFrom::Loc)), "{name} {report:?}");
        let found = report.diagnostics.iter().find(|finding| finding.code == "SYN-13").unwrap();
        assert!(found.message.contains("/patch"), "{name} {}", found.message);
        assert_eq!(held(&place), after, "{name}");
    }
}

#[test]
fn a_patch_is_not_requested_where_it_does_not_lead_from_what_is_stored_or_does_not_pay() {
    for name in ["two-steps", "local", "never", "unknown", "long", "other-host", "undigested"] {
        let (place, source) = copied(&format!("patches-unused-{name}"), &record("old"));
        let (patch, after) = (patch("new"), record("new"));
        source.serve("/patch", patch.as_bytes());
        let own = link(&source, JSON, &patch);
        let own = match name {
            "unknown" => own.replace(JSON, "application/x-diff"),
            "long" => own.replace(&format!(r#"length="{}""#, patch.len()), r#"length="300""#),
            "other-host" => own.replace(&source.start(), "http://other.example/"),
            _ => own,
        };
        let mut last = change(&source, 2, &after, &own);
        if name == "undigested" {
            last = last.replace(&format!(r#"hash="{}""#, digest(&after)), "");
        }
        let between = change(&source, 1, &record("between"), "");
        let changes = if name == "two-steps" { vec![between, last] } else { vec![last] };
        if name == "local" {
            let file = place.copy().join(tree(&place.copy()).remove(0).0);
            fs::write(file, "changed here").unwrap();
        }
        list_changes(&source, &after, &changes);
        let options = Options::default().with(|run| run.fetching.avoids_patches = name == "never");
        let report = run_with(&source.start(), &place.copy(), &options).unwrap();
        assert_eq!((report.run.outcome, from(&report)), (Outcome::InStep, Some(BytesFrom::Loc)), "{name} {report:?}");
        assert_eq!((held(&place), source.log().contains(&"/patch".to_owned())), (after, false), "{name}");
        assert!(report.diagnostics.iter().all(|finding| finding.code != "SYN-13"), "{name}");
    }
}

#[test]
fn what_is_selected_by_its_type_is_followed_through_change_lists() {
    let (place, source) = (Place::new("patches-types"), Source::new());
    describe(&source, &["a"]);
    publish(&source, "a", "2024-05-01T00:00:00Z", &[], &[]);
    source.serve("/text", b"one..");
    source.serve("/image", b"two..");
    let md = |media_type: &str| format!(r#"type="{media_type}" {LENGTH}"#);
    let (text, image) = (md("text/plain"), md("image/png"));
    let head = r#"capability="resourcelist" at="2024-05-01T00:00:00Z""#;
    source.serve("/a/list.xml", &document(&source, head, &[("text", &text), ("image", &image)]));
    let options = Options::default().with(|run| run.selection.types.push("text/plain".to_owned()));
    assert_eq!(run_with(&source.start(), &place.copy(), &options).unwrap().counts.created, 1);
    source.serve("/text", b"new..");
    let changed = |md: &str| format!(r#"change="updated" datetime="2024-05-01T00:01:00Z" {md}"#);
    let (text, image) = (changed(&text), changed(&image));
    let head = r#"capability="changelist" from="2024-05-01T00:00:00Z""#;
    source.serve("/a/changes.xml", &document(&source, head, &[("text", &text), ("image", &image)]));
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert_eq!((report.counts.updated, report.counts.skipped, held(&place)), (1, 1, "new..".to_owned()), "{report:?}");
}

#[cfg(unix)]
#[test]
fn a_program_of_the_user_applies_patches_of_its_type_and_only_what_is_listed_is_used() {
    use std::os::unix::fs::PermissionsExt;

    let option = OPTIONS.iter().find(|option| option.name == "patch-with").unwrap();
    let Takes::Pairs(patch_with) = option.takes else { panic!("it takes pairs") };
    let replace = r#"sed "s/old/$(cat "$2")/" "$1" > "$3""#;
    let cases = [
        ("right", replace.to_owned(), None),
        ("other", format!("{replace}; echo >> \"$3\""), Some("not what is listed")),
        ("fails", "echo changed > \"$1\"; exit 3".to_owned(), Some("exit status: 3")),
        ("nothing", "exit 0".to_owned(), Some("made no file")),
        ("link", "ln -s \"$1\" \"$3\"".to_owned(), Some("made no file")),
        ("endless", "exec yes > \"$3\"".to_owned(), Some("more than is listed")),
        ("absent", String::new(), Some("could not be run")),
    ];
    let folder = Place::new("patches-programs");
    // All are written before one is run: a file that is open for writing cannot be run.
    for (name, script, _) in cases.iter().filter(|(_, script, _)| !script.is_empty()) {
        let path = folder.0.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (name, _, why) in cases {
        let (place, source) = copied(&format!("patches-program-{name}"), &record("old"));
        source.serve("/patch", b"new");
        let after = record("new");
        list_changes(&source, &after, &[change(&source, 1, &after, &link(&source, "application/x-words", "new"))]);
        let mut options = Options::default();
        let program = folder.0.join(name).to_str().unwrap().to_owned();
        patch_with(&mut options.settings, "application/X-Words", &program).unwrap();
        for wrong in ["words", "a/b/c", "a/b;c", "a/b=c"] {
            assert!(patch_with(&mut options.settings, wrong, &program).is_err(), "{wrong}");
        }
        let report = run_with(&source.start(), &place.copy(), &options).unwrap();
        let expected = if why.is_none() { BytesFrom::Patch } else { BytesFrom::Loc };
        assert_eq!((report.run.outcome, from(&report)), (Outcome::InStep, Some(expected)), "{name} {report:?}");
        let found = report.diagnostics.iter().find(|finding| finding.code == "SYN-13");
        assert_eq!(found.is_some(), why.is_some(), "{name}");
        assert!(found.is_none_or(|found| found.message.contains(why.unwrap())), "{name} {found:?}");
        assert_eq!(held(&place), after, "{name}");
        assert_eq!(fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count(), 0, "{name}");
    }
}
