//! `audit` against the Source: each kind of difference, and what cannot be compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
    sync::{Arc, Mutex},
};

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_tests::server::{Server, reply};
use serde_json::Value;

use super::{FAST, copied, publish, small, start, sync};
use crate::bench::{Bench, Ran};

fn audit(bench: &Bench, args: &[&str]) -> Ran {
    bench.run(&[&["audit"], &FAST[..], args].concat())
}

/// The differences of a report: sign and last part of the path of the URI.
fn differences(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let name = |uri: String| uri.rsplit('/').next().unwrap().to_owned();
    let list = report["differences"].as_array().unwrap().iter();
    list.map(|one| (text(&one["sign"]), name(text(&one["uri"])))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(sign, name)| ((*sign).to_owned(), (*name).to_owned())).collect()
}

type Pages = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A Source of one list at `/list`, whose pages a test changes.
struct Small {
    bench: Bench,
    server: Server,
    pages: Pages,
}

impl Small {
    fn new(name: &str) -> Small {
        let pages = Pages::default();
        let shared = pages.clone();
        let server = Server::new(move |asked, stream| {
            // A page for one request only hides the one behind it.
            let first = format!("1:{}", asked.path);
            let page = shared.lock().unwrap().remove(&first);
            let page = page.or_else(|| shared.lock().unwrap().get(&asked.path).cloned());
            match page {
                Some(body) => reply(stream, "200 OK", &[], &body),
                None => reply(stream, "404 Not Found", &[], b"no such page"),
            }
        });
        Small { bench: Bench::new(name), server, pages }
    }

    fn serve(&self, path: &str, body: &str) -> &Small {
        self.pages.lock().unwrap().insert(path.to_owned(), body.as_bytes().to_vec());
        self
    }

    /// A list of entries: name and what is listed of it.
    fn list(&self, minute: u32, entries: &[(&str, &str)]) -> String {
        let entries: String = entries
            .iter()
            .map(|(name, listed)| format!("<url><loc>{}</loc>{listed}</url>", self.server.url(&format!("/{name}"))))
            .collect();
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\"><rs:md capability=\"resourcelist\" at=\"2024-05-01T00:{minute:02}:00Z\"/>{entries}</urlset>"
        )
    }

    fn start(&self) -> String {
        self.server.url("/list")
    }

    /// The file of a resource.
    fn file(&self, name: &str) -> String {
        format!("copy/{}/{name}", self.server.place().replace(':', "^"))
    }
}

/// What is listed of a body.
fn md(algorithm: Algorithm, body: &str) -> String {
    let mut digester = Digester::new([algorithm]);
    digester.push(body.as_bytes());
    format!("<rs:md hash=\"{}\" length=\"{}\"/>", digester.finish(), body.len())
}

#[test]
fn a_copy_in_step_has_no_difference_and_each_kind_of_difference_is_found() {
    let source = Small::new("audit-kinds");
    let bench = &source.bench;
    let names = ["same", "here", "there", "gone", "extra", "plain", "unread", "later"];
    for name in names {
        source.serve(&format!("/{name}"), name);
    }
    let listed: Vec<(&str, String)> = names
        .into_iter()
        .filter(|name| *name != "later")
        .map(|name| (name, if name == "plain" { String::new() } else { md(Algorithm::Md5, name) }))
        .collect();
    let entries = |listed: &[(&str, String)]| -> String {
        let all: Vec<(&str, &str)> = listed.iter().map(|(name, md)| (*name, &**md)).collect();
        source.list(if all.len() > 6 { 1 } else { 2 }, &all)
    };
    source.serve("/list", &entries(&listed));
    sync(bench, &[&source.start(), "copy"]).ends(0);
    // One of which nothing is listed is neither equal nor different.
    let report = audit(bench, &["--format", "json", &source.start(), "copy"]).ends(2).json();
    assert_eq!(
        (&report["outcome"], &report["equal"], &report["counts"]["unverifiable"]),
        (&"undetermined".into(), &6.into(), &1.into())
    );
    assert_eq!(differences(&report), pairs(&[("unverifiable", "plain")]));

    bench.put(&source.file("here"), "HERE");
    fs::remove_file(bench.path(&source.file("gone"))).unwrap();
    bench.put(&source.file("mine"), "a file of others");
    // A folder in the place of the file: nobody can read it as a file, whoever runs the test.
    let mut listed = listed;
    listed.retain(|(name, _)| *name != "extra");
    listed.iter_mut().find(|(name, _)| *name == "there").unwrap().1 = md(Algorithm::Md5, "THERE!");
    listed.push(("later", md(Algorithm::Md5, "later")));
    source.serve("/list", &entries(&listed).replace("T00:01:00Z", "T00:02:00Z"));
    let report = audit(bench, &["--format", "json", "--verbose", "copy"]).ends(1).json();
    assert_eq!(report["outcome"], "different");
    let expected = [
        ("extra", "extra"),
        ("missing", "gone"),
        ("damaged", "here"),
        ("missing", "later"),
        ("unverifiable", "plain"),
        ("behind", "there"),
    ];
    assert_eq!(differences(&report), pairs(&expected), "{report:#}");
    assert_eq!(report["equal"], 2);
    assert_eq!(report["counts"]["foreign"], 1);
    assert!(report["foreign"][0].as_str().unwrap().ends_with("/mine"), "{report:#}");
    let text = audit(bench, &["copy"]).ends(1).out;
    for part in ["+ http", "- http", "* http", "? http", "behind the Source", "changed here", "1 file of others"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(audit(bench, &["--lang", "ja", "copy"]).ends(1).out.contains("相違あり: 一致 2 件、不足 2 件"));
    assert_eq!(audit(bench, &["--offline", "--format", "json", "copy"]).ends(1).json()["online"], false);

    // It is `sync` that repairs.
    let text = audit(bench, &["--repair", "copy"]).ends(2).out;
    assert!(text.contains("DIFFERENT") && text.contains("FAILED 1"), "{text}");
    source.serve("/there", "THERE!");
    assert!(audit(bench, &["--repair", "copy"]).ends(0).out.contains("IN STEP"));
    let report = audit(bench, &["--format", "json", "copy"]).ends(2).json();
    assert_eq!(differences(&report), pairs(&[("unverifiable", "plain")]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_be_read_is_no_difference_and_not_equal() {
    use std::os::unix::fs::PermissionsExt;
    let (bench, server) = small("audit-unreadable");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    let file = bench.path(&format!("copy/{}/files/7.txt", server.place().replace(':', "^")));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    // Also where the test is run by root, who may read everything.
    let own = bench.command(&[&["audit"], &FAST[..], &["--format", "json", "copy"]].concat());
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-dac_override,-dac_read_search"]);
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    if !is_root {
        command = Command::new("env");
    }
    let ran: Ran =
        command.arg(own.get_program()).args(own.get_args()).current_dir(bench.path("")).output().unwrap().into();
    let report = ran.ends(2).json();
    assert_eq!(report["outcome"], "undetermined");
    assert_eq!(differences(&report), pairs(&[("unreadable", "7.txt")]));
    assert!(report["differences"][0]["cause"].is_object());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    audit(&bench, &["copy"]).ends(0);
}

#[test]
fn what_is_not_listed_is_named_only_if_every_list_was_read() {
    let source = Small::new("audit-unread");
    let md = md(Algorithm::Md5, "a");
    source.serve("/a", "a").serve("/b", "a").serve("/list", &source.list(1, &[("a", &md), ("b", &md)]));
    sync(&source.bench, &[&source.start(), "copy"]).ends(0);
    let whole = source.list(2, &[("a", &md)]);
    source.serve("/list", &whole[..whole.len() - 3]);
    let report = audit(&source.bench, &["--format", "json", "copy"]).ends(2).json();
    assert_eq!((&report["outcome"], differences(&report)), (&"undetermined".into(), vec![]));
    assert_eq!(report["diagnostics"][0]["code"], "SYN-16");
    source.serve(
        "/list",
        &source.list(2, &[("a", &md), ("no uri at all", &md)]).replace(&source.server.url("/no"), "no"),
    );
    let report = audit(&source.bench, &["--format", "json", "copy"]).ends(2).json();
    assert_eq!((differences(&report), &report["diagnostics"][0]["code"]), (vec![], &"SYN-17".into()));
    source.serve("/list", &whole);
    assert_eq!(
        differences(&audit(&source.bench, &["--format", "json", "copy"]).ends(1).json()),
        pairs(&[("extra", "b")])
    );
}

#[test]
fn what_changes_meanwhile_is_read_again_before_it_is_reported() {
    let source = Small::new("audit-meanwhile");
    let (old, new) = (md(Algorithm::Md5, "old"), md(Algorithm::Md5, "new"));
    source.serve("/a", "new").serve("/list", &source.list(2, &[("a", &new)]));
    sync(&source.bench, &[&source.start(), "copy"]).ends(0);
    // The list is replaced after it was read.
    source.serve("1:/list", &source.list(2, &[("a", &old), ("b", &old)]));
    audit(&source.bench, &["copy"]).ends(0);
    assert_eq!(source.server.paths().iter().filter(|path| *path == "/list").count(), 1 + 3);
}

#[test]
fn other_digests_are_computed_and_bytes_are_compared_if_nothing_is_listed() {
    let source = Small::new("audit-digests");
    source.serve("/a", "a").serve("/b", "b").serve("/c", "c");
    source.serve("/list", &source.list(1, &[("a", &md(Algorithm::Md5, "a")), ("b", ""), ("c", "")]));
    sync(&source.bench, &[&source.start(), "copy"]).ends(0);
    source.serve("/c", "C");
    source.serve("/list", &source.list(2, &[("a", &md(Algorithm::Sha1, "a")), ("b", ""), ("c", "")]));
    let report = audit(&source.bench, &["--format", "json", "copy"]).ends(2).json();
    assert_eq!(differences(&report), pairs(&[("unverifiable", "b"), ("unverifiable", "c")]));
    let report = audit(&source.bench, &["--format", "json", "--download", "copy"]).ends(1).json();
    assert_eq!(differences(&report), pairs(&[("behind", "c")]));
    source.serve("/list", &source.list(3, &[("a", &md(Algorithm::Sha1, "A")), ("b", ""), ("c", "")]));
    let report = audit(&source.bench, &["--format", "json", "copy"]).ends(1).json();
    assert_eq!(differences(&report)[0], pairs(&[("behind", "a")])[0]);
}

#[test]
fn an_audit_agrees_with_sha256sum_and_a_quick_one_reads_no_file() {
    let (bench, server) = small("audit-sha256sum");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    bench.put("sums", bench.run(&["inventory", "--format", "sha256sum", "copy"]).ends(0).out);
    let folder = bench.path(&format!("copy/{}/files", server.place().replace(':', "^")));
    let touch = |name: &str, body: &str| {
        let path = folder.join(name);
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, body).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    };
    let held = fs::read_to_string(folder.join("3.txt")).unwrap();
    touch("3.txt", &held.to_uppercase().replace('3', "4"));
    touch("5.txt", "shorter");
    fs::remove_file(folder.join("9.txt")).unwrap();
    let checked = Command::new("sha256sum").args(["--check", "sums"]).current_dir(bench.path("")).output().unwrap();
    let failed: BTreeSet<String> = String::from_utf8(checked.stdout)
        .unwrap()
        .lines()
        .filter(|line| line.contains("FAILED"))
        .map(|line| line.split(':').next().unwrap().rsplit('/').next().unwrap().to_owned())
        .collect();
    let report = audit(&bench, &["--format", "json", "copy"]).ends(1).json();
    let found: BTreeSet<String> = differences(&report).into_iter().map(|(_, name)| name).collect();
    assert_eq!((found.len(), &found), (3, &failed));
    let quick = audit(&bench, &["--quick", "--format", "json", "copy"]).ends(1).json();
    assert_eq!(differences(&quick), pairs(&[("damaged", "5.txt"), ("missing", "9.txt")]));
    // A baseline does not see what has the same size and time; a repair does.
    sync(&bench, &["--full", "copy"]).ends(0);
    assert_eq!(
        differences(&audit(&bench, &["--format", "json", "copy"]).ends(1).json()),
        pairs(&[("damaged", "3.txt")])
    );
    audit(&bench, &["--repair", "copy"]).ends(0);
    assert_eq!(copied(&bench, &server, "copy"), super::tree(&bench.path("served/files")));
    bench.put("served/files/new.txt", "new");
    publish(&bench, &server, "00:01:00");
    assert_eq!(
        differences(&audit(&bench, &["--format", "json", "copy"]).ends(1).json()),
        pairs(&[("missing", "new.txt")])
    );
    let selected = ["--exclude", "*.txt", "--format", "json", "copy"];
    let report = audit(&bench, &selected).ends(2).json();
    assert_eq!((&report["outcome"], &report["counts"]["skipped"]), (&"undetermined".into(), &31.into()));
    // What is listed in a state that is not selected is compared with nothing.
    sync(&bench, &["copy"]).ends(0);
    bench.put("served/files/1.txt", "longer than all others ".repeat(100));
    publish(&bench, &server, "00:02:00");
    let report = audit(&bench, &["--max-length", "1000", "--format", "json", "copy"]).ends(0).json();
    assert_eq!((&report["equal"], &report["counts"]["skipped"]), (&30.into(), &1.into()), "{report}");
}

#[test]
fn an_audit_via_compares_with_the_originals_whose_hosts_are_allowed() {
    let (source, origin) = (Small::new("audit-via"), Small::new("audit-via-origin"));
    let listed = |name: &str| {
        let link = format!(r#"<rs:ln rel="via" href="{}"/>"#, origin.server.url(&format!("/{name}")));
        format!("{}{link}", md(Algorithm::Md5, "bytes"))
    };
    let (a, b) = (listed("a"), listed("b"));
    source.serve("/a", "bytes").serve("/b", "bytes").serve("/list", &source.list(1, &[("a", &a), ("b", &b)]));
    origin.serve("/a", "bytes").serve("/b", "bytes");
    sync(&source.bench, &[&source.start(), "copy"]).ends(0);
    let allowed = ["--via", "--allow-host", &origin.server.place()];
    let via = |args: &[&str]| audit(&source.bench, &[&allowed[..], args, &["copy"]].concat());
    assert!(via(&[]).ends(0).out.contains("2 compared with their originals"));
    let text = audit(&source.bench, &["--via", "copy"]).ends(2).out;
    assert!(text.contains("? http") && text.contains("0 compared with their originals"), "{text}");
    origin.serve("/b", "other");
    assert!(via(&[]).ends(1).out.contains("differs from its original"));
    assert!(via(&["--lang", "ja"]).ends(1).out.contains("原本と相違 1 件"));
    let report = via(&["--format", "json"]).ends(1).json();
    assert_eq!((differences(&report), &report["originals"]), (pairs(&[("diverged", "b")]), &2.into()));
    audit(&source.bench, &["--via", "--offline", "copy"]).ends(2);
}

#[test]
fn every_via_link_is_compared_and_the_worst_counts() {
    let (source, origin) = (Small::new("audit-vias"), Small::new("audit-vias-origin"));
    let link = |name: &str| format!(r#"<rs:ln rel="via" href="{}"/>"#, origin.server.url(&format!("/{name}")));
    let listed = format!("{}{}{}", md(Algorithm::Md5, "bytes"), link("a"), link("b"));
    source.serve("/a", "bytes").serve("/list", &source.list(1, &[("a", &listed)]));
    origin.serve("/a", "bytes").serve("/b", "bytes");
    sync(&source.bench, &[&source.start(), "copy"]).ends(0);
    let via = || audit(&source.bench, &["--via", "--allow-host", &origin.server.place(), "copy"]);
    assert!(via().ends(0).out.contains("1 compared with their originals"));
    origin.serve("/b", "other");
    assert!(via().ends(1).out.contains("differs from its original"));
}

#[test]
fn a_change_that_no_run_has_seen_is_not_equal_by_its_length() {
    let source = Small::new("audit-unseen");
    let bench = &source.bench;
    let length = r#"<rs:md length="5"/>"#;
    let up = |name: &str| format!(r#"<rs:ln rel="up" href="{}"/>"#, source.server.url(name));
    let list = source.list(1, &[("a", length)]).replace("<url>", &format!("{}<url>", up("/caps")));
    let ns = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\"";
    let caps = format!(
        "<urlset {ns}>{}<rs:md capability=\"capabilitylist\"/><url><loc>{}</loc><rs:md capability=\"resourcelist\"/></url><url><loc>{}</loc><rs:md capability=\"changelist\"/></url></urlset>",
        up("/source"),
        source.server.url("/list"),
        source.server.url("/changes")
    );
    let changes = |entries: &str| {
        format!(
            "<urlset {ns}>{}<rs:md capability=\"changelist\" from=\"2024-05-01T00:01:00Z\"/>{entries}</urlset>",
            up("/caps")
        )
    };
    source.serve("/a", "first").serve("/list", &list).serve("/caps", &caps).serve("/changes", &changes(""));
    sync(bench, &[&source.server.url("/caps"), "copy"]).ends(0);
    audit(bench, &["copy"]).ends(0);
    let updated = format!(
        "<url><loc>{}</loc><rs:md change=\"updated\" datetime=\"2024-05-01T01:00:00Z\" length=\"5\"/></url>",
        source.server.url("/a")
    );
    source.serve("/a", "other").serve("/changes", &changes(&updated));
    let report = audit(bench, &["--format", "json", "copy"]).ends(2).json();
    assert_eq!(differences(&report), pairs(&[("unverifiable", "a")]), "{report:#}");
    let report = audit(bench, &["--download", "--format", "json", "copy"]).ends(1).json();
    assert_eq!(differences(&report), pairs(&[("behind", "a")]), "{report:#}");
    sync(bench, &["copy"]).ends(0);
    audit(bench, &["copy"]).ends(0);
}

#[test]
fn what_is_damaged_is_repaired_however_many_differences_are_listed() {
    let source = Small::new("audit-repair-all");
    let names = ["a", "b", "c"];
    let listed: Vec<(&str, String)> = names.iter().map(|name| (*name, md(Algorithm::Md5, name))).collect();
    let listed: Vec<(&str, &str)> = listed.iter().map(|(name, md)| (*name, &**md)).collect();
    for name in names {
        source.serve(&format!("/{name}"), name);
    }
    source.serve("/list", &source.list(1, &listed));
    sync(&source.bench, &[&source.start(), "copy"]).ends(0);
    for name in names {
        let path = source.bench.path(&source.file(name));
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "?").unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    }
    let report = audit(&source.bench, &["--max-listed", "1", "--format", "json", "copy"]).ends(1).json();
    assert_eq!((report["differences"].as_array().unwrap().len(), &report["leftOut"]), (1, &2.into()));
    audit(&source.bench, &["--repair", "--max-listed", "1", "copy"]).ends(0);
    audit(&source.bench, &["--offline", "copy"]).ends(0);
    // What is not selected is not compared.
    source.bench.put(&source.file("a"), "?");
    audit(&source.bench, &["--offline", "--exclude", "a", "copy"]).ends(0);
    audit(&source.bench, &["--offline", "--exclude", "b", "copy"]).ends(1);
}

#[test]
fn a_folder_into_which_nothing_was_read_is_no_copy() {
    let source = Small::new("audit-never");
    sync(&source.bench, &[&source.start(), "copy"]).ends(2);
    assert!(audit(&source.bench, &["--offline", &source.start(), "copy"]).ends(2).err.contains("no copy"));
}
