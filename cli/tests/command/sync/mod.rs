//! `sync` and `audit`, against Sources that `build` writes.

mod audit;
#[cfg(target_os = "linux")]
mod bounds;
mod changes;
#[cfg(target_os = "linux")]
mod crash;
mod dumps;
#[cfg(target_os = "linux")]
mod full;
mod history;
mod many;
mod options;
mod peers;
mod related;
mod sets;

use std::{
    collections::BTreeMap,
    fs, io,
    net::TcpStream,
    path::{Path, PathBuf},
};

use resourcesync_tests::server::{Asked, Server, reply};

use crate::bench::{Bench, Ran};

/// Removes waits between requests to the loopback interface.
const FAST: [&str; 2] = ["--limit", "http_requests_per_second=0"];

/// Serves a folder like a web server.
fn serve(folder: PathBuf) -> Server {
    Server::new(move |asked, stream| respond(&folder, asked, stream))
}

fn respond(folder: &Path, asked: &Asked, stream: &mut TcpStream) -> io::Result<()> {
    let path = asked.path.split('?').next().unwrap_or_default();
    match fs::read(folder.join(decoded(path.trim_start_matches('/')))) {
        Ok(body) => {
            let tag = format!("\"{:x}-{}\"", body.len(), crc32fast::hash(&body));
            if asked.header("if-none-match") == Some(&tag) {
                return reply(stream, "304 Not Modified", &[], b"");
            }
            reply(stream, "200 OK", &[&format!("ETag: {tag}")], &body)
        }
        Err(_) => reply(stream, "404 Not Found", &[], b"no such page"),
    }
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Publishes `public/files` next to itself, for this server.
fn publish(bench: &Bench, server: &Server, time: &str) {
    let at = format!("2024-05-01T{time}Z");
    let (base, documents) = (server.url("/files/"), server.url("/docs/"));
    let args = ["build", "served/files", "--out", "served/docs", "--max-delete", "100", "--at", &at];
    bench.run(&[&args[..], &["--base-uri", &base, "--documents-uri", &documents]].concat()).ends(0);
}

fn start(server: &Server) -> String {
    server.url("/docs/.well-known/resourcesync")
}

fn sync(bench: &Bench, args: &[&str]) -> Ran {
    bench.run(&[&["sync"], &FAST[..], args].concat())
}

/// The files below a folder, by their names.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => waiting.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    // A run may just have removed it.
                    if let Ok(body) = fs::read(&path) {
                        found.insert(name, body);
                    }
                }
            }
        }
    }
    found
}

/// The files of a copy of this server.
fn copied(bench: &Bench, server: &Server, copy: &str) -> BTreeMap<String, Vec<u8>> {
    tree(&bench.path(&format!("{copy}/{}/files", server.place().replace(':', "^"))))
}

#[test]
fn a_source_of_five_thousand_files_is_copied_and_found_unchanged_in_three_requests() {
    let bench = Bench::new("sync-whole");
    for number in 0..5_000 {
        bench.put(&format!("served/files/{}/{number}.txt", number % 50), format!("{number} ").repeat(number % 40));
    }
    for name in ["a b.txt", "日本語/資料 一.pdf", "Ünï/é", "100%.txt", "a+b&c;d=e", "con", "[x]{y}", "~", "#1", "q?x"]
    {
        bench.put(&format!("served/files/{name}"), name);
    }
    let server = serve(bench.path("served"));
    publish(&bench, &server, "00:00:00");
    let ran = sync(&bench, &["--format", "json", &start(&server), "copy"]).ends(0);
    let report = ran.json();
    assert_eq!(report["run"]["outcome"], "in-step");
    assert_eq!(report["counts"]["created"], 5_010);
    let (copy, files) = (copied(&bench, &server, "copy"), tree(&bench.path("served/files")));
    assert_eq!(copy.len(), files.len());
    let (copies, bodies): (Vec<_>, Vec<_>) = (copy.values().collect(), files.values().collect());
    assert!(bodies.iter().all(|body| copies.contains(body)));
    for (name, body) in
        files.iter().filter(|(name, _)| !name.contains(['%', '#', '?', '[', '{', ';']) && *name != "con")
    {
        assert_eq!(copy.get(name), Some(body), "{name}");
    }
    let before = server.seen().len();
    let text = sync(&bench, &["copy"]).ends(0).out;
    assert!(text.contains("IN STEP: 5,010 resources held"), "{text}");
    assert!(server.seen().len() - before <= 3, "{:?}", &server.paths()[before..]);
    let text = bench.run(&["audit", "--offline", "copy"]).ends(0).out;
    assert!(text.contains("NO DIFFERENCE: 5,010 equal\n"), "{text}");
}

/// A small Source and a copy of it.
fn small(name: &str) -> (Bench, Server) {
    let bench = Bench::new(name);
    for number in 0..30 {
        bench.put(&format!("served/files/{number}.txt"), format!("{number} ").repeat(30));
    }
    let server = serve(bench.path("served"));
    publish(&bench, &server, "00:00:00");
    (bench, server)
}

#[test]
fn each_outcome_has_its_status_and_its_words() {
    let (bench, server) = small("sync-status");
    let uri = start(&server);
    let text = sync(&bench, &["--dry-run", &uri, "copy"]).ends(0).out;
    assert!(text.contains("would be  created 30") && text.contains("nothing was written"), "{text}");
    assert!(!bench.path("copy").exists());
    sync(&bench, &[&uri, "copy"]).ends(0);
    let text = sync(&bench, &["--lang", "ja", "copy"]).ends(0).out;
    assert!(text.contains("同期済み"), "{text}");
    assert_eq!(sync(&bench, &["--quiet", "copy"]).ends(0).out, "");

    for number in 0..25 {
        fs::remove_file(bench.path(&format!("served/files/{number}.txt"))).unwrap();
    }
    publish(&bench, &server, "00:01:00");
    let refused = sync(&bench, &["copy"]).ends(1).out;
    assert!(refused.contains("error[SYN-01]") && refused.contains("REFUSED"), "{refused}");
    assert_eq!(copied(&bench, &server, "copy").len(), 30);
    sync(&bench, &["--max-delete", "100%", "copy"]).ends(0);
    assert_eq!(copied(&bench, &server, "copy").len(), 5);

    bench.put("served/files/26.txt", "other");
    let missing = sync(&bench, &["--full", "copy"]).ends(0).out;
    assert!(missing.contains("unchanged 5"), "{missing}");
    publish(&bench, &server, "00:02:00");
    bench.put("served/files/26.txt", "otter");
    let failed = sync(&bench, &["copy"]).ends(2).out;
    assert!(failed.contains("[AT-09]") && failed.contains("NOT IN STEP"), "{failed}");

    bench.run(&["sync", "copy", "elsewhere"]).ends(2);
    bench.run(&["sync", "https://example.com/"]).ends(2);
    bench.run(&["sync", "served"]).ends(2);
    bench.run(&["audit", "--offline", "served"]).ends(2);
    bench.run(&["audit", "https://example.com/", "copy"]).ends(2);
    sync(&bench, &[&server.url("/other"), "copy"]).ends(2);
}

#[test]
fn the_report_is_the_same_as_json_as_lines_and_in_a_file() {
    let (bench, server) = small("sync-formats");
    let lines = sync(&bench, &["--format", "ndjson", &start(&server), "copy"]).ends(0).out;
    let values: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values.iter().filter(|value| value["type"] == "item").count(), 30);
    assert_eq!(values.last().unwrap()["report"]["format"], "resourcesync-sync-report");
    sync(&bench, &["--format", "json", "--output", "report.json", "copy"]).ends(0);
    let report: serde_json::Value = serde_json::from_str(&bench.read("report.json")).unwrap();
    assert_eq!((&report["plan"]["why"], &report["counts"]["unchanged"]), (&"nothing-changed".into(), &30.into()));
}

#[test]
fn every_code_of_sync_is_explained_in_both_languages() {
    let bench = Bench::new("sync-explain");
    for row in resourcesync_sync::catalogue::ROWS {
        let texts = row.texts.unwrap();
        assert!(bench.run(&["explain", row.id]).ends(0).out.contains(texts.en[0].split(' ').next().unwrap()));
        let page = bench.run(&["explain", "--lang", "ja", "--format", "markdown", row.name]).ends(0).out;
        assert!(page.contains(texts.ja[0]), "{page}");
    }
}

#[test]
fn damage_is_found_by_an_audit() {
    let (bench, server) = small("sync-audit");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    let host = format!("copy/{}/files", server.place().replace(':', "^"));
    bench.put(&format!("{host}/1.txt"), "x");
    fs::remove_file(bench.path(&format!("{host}/2.txt"))).unwrap();
    let text = bench.run(&["audit", "--offline", "copy"]).ends(1).out;
    assert!(text.contains("\n* http") && text.contains("\n- http"), "{text}");
    assert!(text.contains("DIFFERENT: 28 equal, 1 missing, 1 changed here"), "{text}");
    assert_eq!(bench.run(&["audit", "--offline", "--quick", "--format", "json", "copy"]).ends(1).json()["equal"], 28);
    sync(&bench, &["--full", "copy"]).ends(0);
    bench.run(&["audit", "--offline", "copy"]).ends(0);
}

#[test]
fn credentials_are_neither_in_the_copy_nor_in_the_report() {
    let (bench, server) = small("sync-secret");
    let header = format!("{}=X-Key:hunter2-secret", server.url("").trim_end_matches('/'));
    let out = sync(&bench, &["--header", &header, "--format", "json", &start(&server), "copy"]).ends(0).out;
    assert!(server.seen().iter().all(|asked| asked.header("x-key") == Some("hunter2-secret")));
    assert!(!out.contains("hunter2"));
    for (name, bytes) in tree(&bench.path("copy")) {
        assert!(!bytes.windows(7).any(|window| window == b"hunter2"), "{name}");
    }
}
