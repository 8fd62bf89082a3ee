//! `build`: publications, changes, and failing runs.

use std::{collections::BTreeMap, fs, path::Path};

use crate::bench::{Bench, Ran, codes, names};

pub(crate) const BASE: [&str; 4] =
    ["--base-uri", "https://example.com/files/", "--documents-uri", "https://example.com/"];

/// Publishes `files` as `public` at a time of one day.
pub(crate) fn build(bench: &Bench, time: &str, more: &[&str]) -> Ran {
    let at = format!("2024-05-01T{time}Z");
    let mut args = vec!["build", "files", "--out", "public", "--at", &at];
    args.extend(BASE);
    args.extend(more);
    bench.run(&args)
}

/// Asserts that the published documents are valid, without findings.
#[track_caller]
pub(crate) fn flawless(bench: &Bench, folder: &str) -> Ran {
    let ran = bench.run(&["validate", "--format", "json", folder]).ends(0);
    assert_eq!(codes(&ran.json()), [""; 0], "{ran:?}");
    ran
}

/// Every file below a folder, by path.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder_) = waiting.pop() {
        for entry in fs::read_dir(folder_).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                files.insert(path.strip_prefix(folder).unwrap().display().to_string(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Asserts that a crawl of the whole Source, with packages and resources, has no findings.
#[track_caller]
fn followed(bench: &Bench) {
    for (name, bytes) in tree(&bench.path("public")) {
        bench.put(&format!("site/{name}"), bytes);
    }
    for (name, bytes) in tree(&bench.path("files")) {
        bench.put(&format!("site/files/{name}"), bytes);
    }
    let args = [
        "validate",
        "--follow",
        "--base-uri",
        "https://example.com/",
        "--resources",
        "all",
        "--format",
        "json",
        "site",
    ];
    let ran = bench.run(&args).ends(0);
    assert_eq!(codes(&ran.json()), [""; 0], "{ran:?}");
}

/// Names that are awkward in URIs or XML.
const AWKWARD: [(&str, &str); 6] = [
    ("a b.txt", "a%20b.txt"),
    ("日本/論文.pdf", "%E6%97%A5%E6%9C%AC/%E8%AB%96%E6%96%87.pdf"),
    ("100%.csv", "100%25.csv"),
    ("#1?x&y=z", "%231%3Fx%26y%3Dz"),
    ("line\nend.xml", "line%0Aend.xml"),
    ("<\"quoted\">'", "%3C%22quoted%22%3E%27"),
];

#[test]
fn a_folder_becomes_a_source_and_then_what_changed() {
    let bench = Bench::new("build-source");
    for (name, _) in AWKWARD {
        bench.put(&format!("files/{name}"), name);
    }
    let ran = build(&bench, "09:00:00", &["--dump", "--hash", "md5,sha-256"]).ends(0);
    assert_eq!(ran.out, "public: 6 resources, 8 files written\n");
    flawless(&bench, "public");
    let list = bench.read("public/resourcelist.xml");
    for (_, encoded) in AWKWARD {
        assert!(list.contains(&format!("<loc>https://example.com/files/{encoded}</loc>")), "{encoded}: {list}");
    }
    assert!(list.contains("hash=\"md5:") && list.contains(" sha-256:") && list.contains("type=\"application/pdf\""));

    bench.put("files/new.txt", "new").put("files/a b.txt", "other");
    fs::remove_file(bench.path("files/100%.csv")).unwrap();
    let dry = build(&bench, "10:00:00", &["--dump", "--hash", "md5,sha-256", "--dry-run"]).ends(0);
    let expected = "deleted https://example.com/files/100%25.csv\nupdated https://example.com/files/a%20b.txt\n\
                    created https://example.com/files/new.txt\n";
    assert_eq!(dry.out, expected);
    let ran = build(&bench, "10:00:00", &["--dump", "--hash", "md5,sha-256"]).ends(0);
    assert!(ran.out.starts_with("public: 6 resources (1 created, 1 deleted, 1 updated)"), "{ran:?}");
    let report = flawless(&bench, "public").json();
    assert!(names(&report, "inputs").contains(&"public/changedump-1.zip!/manifest.xml"), "{report}");
    let changes = bench.read("public/changelist.xml");
    assert_eq!(changes.matches("datetime=\"2024-05-01T10:00:00Z\"").count(), 3);
    followed(&bench);
    let again = build(&bench, "11:00:00", &["--dump", "--hash", "md5,sha-256"]).ends(0);
    assert_eq!(again.out, "nothing has changed since 2024-05-01T10:00:00Z\n");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let bench = Bench::new("build-same");
    for number in 0..30 {
        bench.put(&format!("files/{}/{number}.txt", number % 4), format!("text {number}"));
    }
    build(&bench, "09:00:00", &["--dump", "--jobs", "1"]).ends(0);
    fs::rename(bench.path("public"), bench.path("first")).unwrap();
    fs::remove_dir_all(bench.path("public.resourcesync")).unwrap();
    build(&bench, "09:00:00", &["--dump", "--jobs", "4"]).ends(0);
    assert_eq!(tree(&bench.path("first")), tree(&bench.path("public")));
}

#[test]
fn lists_are_closed_continued_and_dropped() {
    let bench = Bench::new("build-rotate");
    bench.put("files/0", "0");
    let more = ["--rotate", "2", "--keep", "2"];
    build(&bench, "08:00:00", &more).ends(0);
    for hour in 9..20 {
        bench.put(&format!("files/{hour}"), format!("{hour}")).put("files/0", format!("{hour} more"));
        let ran = build(&bench, &format!("{hour:02}:00:00"), &more).ends(0);
        flawless(&bench, "public");
        assert!(ran.out.contains("1 created, 1 updated"), "{ran:?}");
    }
    let index = bench.read("public/changelist.xml");
    assert_eq!(index.matches("until=").count(), 2, "two closed lists stay: {index}");
    let lists = tree(&bench.path("public")).keys().filter(|name| name.starts_with("changelist-")).count();
    assert_eq!(lists, 3, "and the open one");
    assert!(!bench.path("public/changelist-1.xml").exists());
}

#[test]
fn a_closed_list_is_the_same_file_in_each_generation() {
    let bench = Bench::new("build-linked");
    bench.put("files/0", "0");
    build(&bench, "08:00:00", &["--rotate", "1"]).ends(0);
    for hour in [9, 10] {
        bench.put("files/0", format!("{hour} more"));
        build(&bench, &format!("{hour:02}:00:00"), &["--rotate", "1", "--keep-generations", "1"]).ends(0);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert!(fs::metadata(bench.path("public/changelist-1.xml")).unwrap().nlink() > 1);
        assert!(bench.path("public.resourcesync/3/public/changelist-1.xml").exists(), "the generation before stays");
    }
    flawless(&bench, "public");
}

#[test]
fn sets_have_capability_lists_of_their_own() {
    let bench = Bench::new("build-sets");
    bench
        .put("files/theses/1.pdf", "1")
        .put("files/data/a.csv", "a")
        .put("files/data/b.csv", "b")
        .put("files/x.txt", "x");
    let sets = ["--set", "theses=theses/", "--set", "tables=*.csv", "--describedby", "https://example.com/about"];
    let ran = build(&bench, "09:00:00", &sets).ends(0);
    assert!(ran.err.contains("excluded 1 path: no matching --set, such as x.txt"), "{ran:?}");
    flawless(&bench, "public");
    assert_eq!(bench.read("public/.well-known/resourcesync").matches("capabilitylist.xml").count(), 2);
    assert_eq!(bench.read("public/tables/resourcelist.xml").matches("<url>").count(), 2);
    assert!(!bench.path("public/about.html").exists(), "a description was named");
    bench.put("files/theses/2.pdf", "2");
    build(&bench, "10:00:00", &sets).ends(0);
    flawless(&bench, "public");
    assert_eq!(bench.read("public/theses/changelist.xml").matches("<url>").count(), 1);
    assert_eq!(bench.read("public/tables/changelist.xml").matches("<url>").count(), 0);
}

#[test]
fn packed_documents_are_read_as_well() {
    let bench = Bench::new("build-gzip");
    bench.put("files/1", "1");
    build(&bench, "09:00:00", &["--gzip", "--dump"]).ends(0);
    bench.put("files/1", "one");
    build(&bench, "10:00:00", &["--gzip", "--dump", "--rotate", "1"]).ends(0);
    let report = flawless(&bench, "public").json();
    assert!(names(&report, "inputs").contains(&"public/changelist-1.xml.gz"), "{report}");
    let ran = build(&bench, "11:00:00", &[]).ends(2);
    assert!(ran.err.contains("--gzip"), "{ran:?}");
}

#[test]
fn what_is_left_out_is_said_and_our_own_folders_are_no_resources() {
    let bench = Bench::new("build-left");
    bench.put("1", "1").put(".hidden/2", "2");
    #[cfg(unix)]
    std::os::unix::fs::symlink("1", bench.path("link")).unwrap();
    for at in ["09:00:00", "10:00:00"] {
        let at = format!("2024-05-01T{at}Z");
        let ran = bench
            .run(&["build", ".", "--base-uri", "https://example.com", "--out", "public", "--at", &at, "--force"])
            .ends(0);
        assert!(ran.out.starts_with("public: 1 resource,"), "{ran:?}");
        assert!(ran.err.contains("name begins with a dot"), "{ran:?}");
        #[cfg(unix)]
        assert!(ran.err.contains("excluded 1 path: symbolic link (use --follow-symlinks), such as link"), "{ran:?}");
    }
}

#[test]
fn what_is_wrong_is_refused_before_anything_is_made() {
    let bench = Bench::new("build-refused");
    bench.put("files/1", "1").put("other/index.html", "mine").put("file", "");
    let refused = |args: &[&str], said: &str| {
        let ran = bench.run(&[&["build"], args].concat()).ends(2);
        assert!(ran.err.contains(said) && ran.out.is_empty(), "{said}: {ran:?}");
    };
    refused(&["files", "--base-uri", "example.com", "--out", "public"], "not an absolute URI");
    refused(&["files", "--base-uri", "https://example.com/?x", "--out", "public"], "without query");
    refused(&["files", "--base-uri", "ftp://example.com/", "--out", "public"], "http or https");
    refused(&["files", "--out", "public"], "--base-uri");
    refused(&["none", "--base-uri", "https://example.com", "--out", "public"], "no such file or folder");
    refused(&["file", "--base-uri", "https://example.com", "--out", "public"], "is not a folder");
    refused(
        &["files", "--base-uri", "https://example.com", "--out", "other"],
        "is no folder that this command updates",
    );
    refused(&["files", "--base-uri", "https://example.com", "--out", "no/such/public"], "no such file or folder");
    refused(&["files", "--base-uri", "https://example.com", "--out", "public", "--hash", "crc"], "md5, sha-1");
    refused(&["files", "--base-uri", "https://example.com", "--out", "public", "--set", "../x=*"], "name for a set");
    bench.put("files/resourcelist.xml", "");
    refused(
        &["files", "--base-uri", "https://example.com", "--out", "public"],
        "has the URI of a document of the Source",
    );
    assert!(!bench.path("public").exists() && !bench.path("public.resourcesync").exists());
    assert_eq!(bench.read("other/index.html"), "mine");
}

#[test]
fn a_source_goes_on_only_as_it_began() {
    let bench = Bench::new("build-goes-on");
    bench.put("files/1", "1");
    build(&bench, "09:00:00", &[]).ends(0);
    let ran = bench.run(&["build", "files", "--base-uri", "https://example.org", "--out", "public"]).ends(2);
    assert!(ran.err.contains("--base-uri is https://example.org/, but"), "{ran:?}");
    let ran = bench.run(&["build", "files", "--base-uri", "https://me:secret@example.com", "--out", "other"]).ends(2);
    assert!(ran.err.contains("fragment and user information") && !bench.path("other").exists(), "{ran:?}");
    assert!(build(&bench, "08:00:00", &[]).ends(2).err.contains("--at must be later than the previous run"));
    fs::rename(bench.path("public.resourcesync/1/state.json"), bench.path("state")).unwrap();
    assert!(build(&bench, "10:00:00", &[]).ends(2).err.contains("has no state"));
    fs::rename(bench.path("state"), bench.path("public.resourcesync/1/state.json")).unwrap();
    build(&bench, "10:00:00", &[]).ends(0);
}

#[test]
fn an_empty_source_is_a_source() {
    let bench = Bench::new("build-empty");
    fs::create_dir_all(bench.path("files")).unwrap();
    build(&bench, "09:00:00", &["--dump"]).ends(0);
    flawless(&bench, "public");
    bench.put("files/1", "1");
    build(&bench, "10:00:00", &["--dump"]).ends(0);
    fs::remove_file(bench.path("files/1")).unwrap();
    build(&bench, "11:00:00", &["--dump", "--max-delete", "1"]).ends(0);
    flawless(&bench, "public");
    assert_eq!(bench.read("public/changelist.xml").matches("<url>").count(), 2);
}

#[cfg(unix)]
#[test]
fn who_could_read_the_old_generation_can_read_the_new_one() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new("build-permissions");
    bench.put("files/1", "1");
    build(&bench, "09:00:00", &[]).ends(0);
    fs::set_permissions(bench.path("public"), fs::Permissions::from_mode(0o751)).unwrap();
    build(&bench, "10:00:00", &["--force"]).ends(0);
    assert_eq!(fs::metadata(bench.path("public")).unwrap().permissions().mode() & 0o777, 0o751);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_not_taken_for_deleted() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new("build-unreadable");
    bench.put("files/1", "1").put("files/2", "2");
    build(&bench, "09:00:00", &[]).ends(0);
    bench.put("files/2", "two");
    fs::set_permissions(bench.path("files/2"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(bench.path("files/2")).is_ok() {
        // For root every file is readable.
        return;
    }
    let ran = build(&bench, "10:00:00", &[]).ends(2);
    assert!(ran.err.contains("files/2: permission denied") && ran.err.contains("nothing was published"), "{ran:?}");
    assert_eq!(bench.read("public/.generation"), "1\n");
}

/// The files that are published from a folder with these options.
#[cfg(unix)]
fn published(bench: &Bench, more: &[&str]) -> (String, Ran) {
    let _ = fs::remove_dir_all(bench.path("public.resourcesync"));
    let _ = fs::remove_dir_all(bench.path("public"));
    let ran = build(bench, "00:00:00", more);
    let list = bench.read("public/resourcelist.xml");
    let names = list.split("<loc>https://example.com/files/").skip(1).map(|rest| rest.split('<').next().unwrap());
    (names.collect::<Vec<_>>().join(" "), ran)
}

#[cfg(unix)]
#[test]
fn files_are_included_and_excluded_by_patterns() {
    let bench = Bench::new("build-include");
    for name in ["a.pdf", "a.tmp", "theses/b.pdf", "theses/drafts/c.pdf", "theses/note.txt", "private/d.pdf"] {
        bench.put(&format!("files/{name}"), name);
    }
    let (names, ran) = published(&bench, &["--include", "*.pdf", "--exclude", "drafts", "--exclude", "/private/"]);
    assert_eq!(names, "a.pdf theses/b.pdf");
    for words in ["excluded 2 paths: matching --exclude", "excluded 2 paths: no matching --include"] {
        assert!(ran.err.contains(words), "{ran:?}");
    }
    assert_eq!(published(&bench, &["--include", "theses/*", "--exclude", "**/*.pdf"]).0, "theses/note.txt");
    bench.put("a.csv", "uri\nhttps://example.com/a\n");
    let args = ["build", "--from-csv", "a.csv", "--base-uri", "https://example.com/", "--out", "other"];
    bench.run(&[&args[..], &["--exclude", "*.tmp"]].concat()).ends(2);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_within_the_folder_only() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new("build-links");
    bench.put("secret", "not published").put("outside/x", "x").put("files/a/one", "1").put("files/b/two", "2");
    for (link, target) in [
        ("files/file", "a/one"),
        ("files/a/other", "../b"),
        ("files/b/back", "../a"),
        ("files/b/up", ".."),
        ("files/self", "self"),
        ("files/gone", "nowhere"),
        ("files/secret", "../secret"),
        ("files/tree", "../outside"),
    ] {
        symlink(target, bench.path(link)).unwrap();
    }
    let (names, ran) = published(&bench, &["--follow-symlinks"]);
    assert_eq!(names, "a/one a/other/two b/back/one b/two file");
    assert!(ran.err.contains("excluded 4 paths: symbolic link that leads out of the folder, or nowhere"), "{ran:?}");
    assert!(ran.err.contains("paths: symbolic link to a folder above it"), "{ran:?}");
    assert_eq!(published(&bench, &[]).0, "a/one b/two");
}

#[test]
fn a_state_is_rebuilt_from_the_lists_of_the_source_alone() {
    let bench = Bench::new("build-rebuild");
    bench.put("files/a", "a").put("files/b", "b");
    build(&bench, "09:00:00", &["--dump"]).ends(0);
    // Files of others whose names begin as those of documents do.
    let list = bench.read("public/resourcelist.xml");
    bench
        .put("public/resourcelist-before-move.xml", list.replace("files/b", "files/c"))
        .put("public/changelist-notes.txt", "mine");
    let rebuild = || bench.run(&[&["build", "files", "--rebuild-state", "--out", "public"], &BASE[..]].concat());
    let before = tree(&bench.path("public"));
    assert!(rebuild().ends(0).out.contains("2 resources"));
    assert_eq!(tree(&bench.path("public")), before);
    bench.run(&["build", "--verify-state", "--out", "public"]).ends(0);
    bench.put("files/c", "c");
    assert!(build(&bench, "10:00:00", &["--dump"]).ends(0).out.contains("1 created"));
    assert_eq!(bench.read("public/changelist-notes.txt"), "mine");
    // One that cannot be read, or that names a resource twice, is no basis.
    let list = bench.read("public/resourcelist.xml");
    let entry = list.split("<url>").nth(1).unwrap();
    for damaged in [String::new(), list.replacen("<url>", &format!("<url>{entry}<url>"), 1)] {
        bench.put("public/resourcelist.xml", damaged);
        rebuild().ends(2);
    }
    bench.put("public/resourcelist.xml", list);
    bench.run(&["build", "--verify-state", "--out", "public"]).ends(0);
    // The package of a Resource Dump is verified as well.
    let mut package = fs::read(bench.path("public/resourcedump-1.zip")).unwrap();
    let middle = package.len() / 2;
    package[middle] ^= 1;
    bench.put("public/resourcedump-1.zip", package);
    assert!(bench.run(&["build", "--verify-state", "--out", "public"]).ends(2).err.contains("resourcedump-1.zip"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_published_is_sent_although_it_cannot_be_printed() {
    let bench = Bench::new("build-unprinted");
    bench.put("files/a", "a");
    let hub = ["--hub", "http://127.0.0.1:1/", "--topics-uri", "https://hub.example/topics/"];
    build(&bench, "09:00:00", &hub).ends(0);
    bench.put("files/b", "b");
    let own = bench.command(
        &[&["build", "files", "--out", "public", "--at", "2024-05-01T10:00:00Z"], &BASE[..], &hub[..]].concat(),
    );
    let mut command = std::process::Command::new(own.get_program());
    command
        .args(own.get_args())
        .current_dir(bench.path("."))
        .stdout(fs::File::options().write(true).open("/dev/full").unwrap());
    let ran = Ran::from(command.stderr(std::process::Stdio::piped()).output().unwrap()).ends(2);
    assert!(ran.err.contains("127.0.0.1:1"), "{ran:?}");
}
