//! Many repositories in one run.

use std::sync::Arc;

use resourcesync_tests::{
    oai::Repository,
    server::{Server, reply},
};

use super::{FAST, serve};
use crate::bench::Bench;

#[test]
fn several_repositories_get_a_folder_each_and_one_table() {
    let bench = Bench::new("oai-many");
    let (one, other) = (serve(&Arc::new(Repository::new(3, 2))), serve(&Arc::new(Repository::new(4, 2))));
    let broken = Server::new(|_, stream| reply(stream, "200 OK", &["Content-Type: text/html"], b"<html>"));
    let file = format!(
        "url,prefix,set,contact\n{},oai_dc,odd,a@example.org\n{},,,\n{},,,\n",
        one.url("/oai"),
        other.url("/oai"),
        broken.url("/oai")
    );
    bench.put("all.csv", file);
    let run = |more: &[&str], status| {
        let args = ["oai", "harvest", "--repositories", "all.csv", "--into", "stores"];
        bench.run(&[&args[..], &FAST, more].concat()).ends(status).out
    };
    let rows: serde_json::Value = serde_json::from_str(&run(&["--format", "json"], 2)).unwrap();
    let statuses: Vec<&str> = (0..3).map(|at| rows[at]["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["complete", "complete", "incomplete"]);
    assert_eq!((&rows[0]["counts"]["created"], &rows[1]["counts"]["created"]), (&2.into(), &4.into()));
    assert_eq!(rows[0]["contact"][0], "admin@a.example");
    assert!(one.seen().iter().all(|asked| asked.header("from") == Some("a@example.org")));
    let folder = rows[0]["folder"].as_str().unwrap();
    assert!(folder.ends_with("_oai_oai_dc_odd") && bench.path(folder).join("catalogue.jsonl").exists(), "{folder}");

    let text = run(&[], 2);
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.starts_with("repository") && text.contains("incomplete"), "{text}");
    let csv = run(&["--format", "csv"], 2);
    assert!(csv.starts_with("repository,status,new,changed,deleted,quarantined,reason,contact\n"), "{csv}");
    let table = run(&["--format", "markdown", "--lang", "ja"], 2);
    assert!(table.starts_with("| リポジトリ | 状態 |") && table.contains("未完了"), "{table}");
}

#[test]
fn one_host_is_never_harvested_twice_at_the_same_time() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    let bench = Bench::new("oai-many-one-host");
    let repository = Arc::new(Repository::new(40, 2));
    let (at_once, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted, greatest) = (at_once.clone(), most.clone());
    let server = Server::new(move |asked, stream| {
        greatest.fetch_max(counted.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let outcome = reply(stream, "200 OK", &["Content-Type: text/xml"], &repository.respond(&super::query(asked)));
        counted.fetch_sub(1, Ordering::SeqCst);
        outcome
    });
    let (one, other) = (server.url("/one"), server.url("/other"));
    bench.run(&[&["oai", "harvest", "--into", "stores"][..], &FAST, &[&one, &other]].concat()).ends(0);
    assert_eq!(most.load(Ordering::SeqCst), 1);
    let paths = server.paths();
    let first_of_other = paths.iter().position(|path| path.starts_with("/other")).unwrap();
    assert!(paths[first_of_other..].iter().all(|path| path.starts_with("/other")), "{paths:?}");
}

#[test]
fn a_host_that_requests_a_long_wait_gets_no_request_for_the_next_repository() {
    let bench = Bench::new("oai-many-busy");
    let busy = |_: &_, stream: &mut _| reply(stream, "503 Service Unavailable", &["Retry-After: 86400"], b"");
    let server = Server::new(busy);
    let (one, other) = (server.url("/one"), server.url("/other"));
    let args = [&["oai", "harvest", "--format", "json", "--into", "stores"][..], &FAST, &[&one, &other]].concat();
    let ran = bench.run(&args).ends(2);
    let rows: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    for at in 0..2 {
        assert_eq!(rows[at]["status"], "incomplete", "{rows}");
        assert!(rows[at]["retryAt"].is_string(), "{rows}");
    }
    assert_eq!(server.paths(), ["/one?verb=Identify"]);
}

#[test]
fn stores_are_continued_together() {
    let bench = Bench::new("oai-many-stores");
    let server = serve(&Arc::new(Repository::new(3, 2)));
    let url = server.url("/oai");
    for store in ["one", "other"] {
        bench.run(&[&["oai", "harvest", "--into", store][..], &FAST, &[&url]].concat()).ends(0);
    }
    let table = bench.run(&[&["oai", "harvest"][..], &FAST, &["one", "other"]].concat()).ends(0).out;
    assert_eq!(table.lines().count(), 3, "{table}");
    let ran = bench.run(&[&["oai", "harvest"][..], &FAST, &["one", &url]].concat()).ends(2);
    assert!(ran.err.contains("--into DIR"), "{ran:?}");
}

#[test]
fn a_folder_of_stores_is_continued() {
    let bench = Bench::new("oai-many-folder");
    let repository = Arc::new(Repository::new(3, 2));
    let server = serve(&repository);
    let (one, other) = (server.url("/one"), server.url("/other"));
    bench.run(&[&["oai", "harvest", "--into", "stores"][..], &FAST, &[&one, &other]].concat()).ends(0);
    bench.put("stores/notes.txt", "mine");
    repository.put("4", "2026-01-01T12:00:00Z", Some("first"));
    let ran = bench.run(&[&["oai", "harvest", "--format", "json"][..], &FAST, &["stores"]].concat()).ends(0).json();
    for at in 0..2 {
        assert_eq!((&ran[at]["status"], &ran[at]["counts"]["created"]), (&"complete".into(), &1.into()), "{ran}");
    }
    bench.put("empty/notes.txt", "mine");
    let ran = bench.run(&[&["oai", "harvest"][..], &FAST, &["empty"]].concat()).ends(2);
    assert!(ran.err.contains("empty is neither"), "{ran:?}");
}

/// Harvests the repositories of a table.
fn table(bench: &Bench, table: impl AsRef<[u8]>, more: &[&str], status: i32) -> crate::bench::Ran {
    bench.put("all.csv", table);
    let args = ["oai", "harvest", "--repositories", "all.csv", "--into", "stores", "--format", "json"];
    bench.run(&[&args[..], &FAST, more].concat()).ends(status)
}

#[test]
fn a_cell_has_several_formats_and_alternatives() {
    let bench = Bench::new("oai-many-formats");
    let server = |formats: &[&str]| {
        let mut repository = Repository::new(3, 2);
        repository.formats = formats.iter().map(|format| (*format).to_owned()).collect();
        serve(&Arc::new(repository))
    };
    let new = server(&["oai_dc", "jpcoar_1.0", "jpcoar_2.0"]);
    let old = server(&["oai_dc", "jpcoar_1.0"]);
    let plain = server(&["oai_dc"]);
    let choice = "jpcoar_2.0|jpcoar_1.0|oai_dc";
    let (new_url, old_url, plain_url) = (new.url("/oai"), old.url("/oai"), plain.url("/oai"));
    let rows = format!(
        "url,prefix\n{new_url},{choice}\n{old_url},{choice}\n{plain_url},{choice}\n{new_url}/b,oai_dc;jpcoar_2.0\n{new_url}/c,\"oai_dc, jpcoar_1.0\"\n"
    );
    let json = table(&bench, rows, &[], 0).json();
    let formats = |at: usize| {
        let store = json[at]["folder"].as_str().unwrap();
        let listed = bench.run(&["oai", "list", store]).ends(0).out;
        let all: std::collections::BTreeSet<String> =
            listed.lines().map(|line| line.split('\t').nth(1).unwrap().to_owned()).collect();
        all.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(formats(0), ["jpcoar_2.0"]);
    assert_eq!(formats(1), ["jpcoar_1.0"]);
    assert_eq!(formats(2), ["oai_dc"]);
    assert_eq!(formats(3), ["jpcoar_2.0", "oai_dc"]);
    assert_eq!(formats(4), ["jpcoar_1.0", "oai_dc"]);
    // The next harvest keeps the format with which the store began.
    let again = bench.run(&[&["oai", "harvest", "--format", "json"][..], &FAST, &["stores"]].concat()).ends(0).json();
    assert!(again.as_array().unwrap().iter().all(|row| row["counts"]["created"] == 0), "{again}");
    let ran = table(&bench, format!("url,prefix\n{plain_url}/x,lido|marcxml\n"), &[], 2);
    assert!(ran.out.contains("oai_dc") && ran.out.contains("lido"), "{ran:?}");
}

#[test]
fn rows_that_are_no_repository_are_named_and_skipped() {
    let bench = Bench::new("oai-many-rows");
    let server = serve(&Arc::new(Repository::new(3, 2)));
    let url = server.url("/oai");
    let rows = format!("url,prefix\r\n# the first one\r\n{url},\r\n\r\nftp://a.example/,\r\n");
    let ran = table(&bench, &rows, &[], 2);
    assert_eq!(ran.json()["status"], "complete");
    assert!(ran.err.contains("all.csv:2: `# the first one`") && ran.err.contains("all.csv:5: `ftp"), "{ran:?}");
    let ran = table(&bench, &rows, &["--lang", "ja"], 2);
    assert!(ran.err.contains("all.csv:5: `ftp://a.example/` は"), "{ran:?}");
    // A comment is none that was meant.
    table(&bench, rows.replace("ftp://a.example/,", "# ftp://a.example/,"), &[], 0);
    for (rows, why) in [
        ("url,prefix\n".to_owned(), "all.csv names no repository"),
        (format!("url,url\n{url},{url}\n"), "all.csv: several columns are named url"),
        (
            format!("url;prefix\n{url};oai_dc\n"),
            "no column is named url, there are `url;prefix`; columns are separated by commas",
        ),
        (format!("url,prefix\n{url},oai_dc,lido\n"), "this row has more cells than there are columns"),
    ] {
        let ran = table(&bench, rows, &[], 2);
        assert!(ran.err.contains(why), "{ran:?}");
    }
}

#[test]
fn a_table_of_thirty_repositories_in_shift_jis_is_read() {
    let bench = Bench::new("oai-many-shift-jis");
    let server = serve(&Arc::new(Repository::new(3, 2)));
    // A column with the names of universities, as a spreadsheet in Japanese saves it.
    let name = b"\x93\x8c\x8b\x9e\x91\xe5\x8a\x77";
    let mut rows = b"\x91\xe5\x8a\x77\x96\xbc,url,prefix\r\n".to_vec();
    for number in 0..30 {
        rows.extend_from_slice(name);
        rows.extend_from_slice(format!(",{},oai_dc\r\n", server.url(&format!("/{number}/oai"))).as_bytes());
    }
    let ran = table(&bench, &rows, &[], 0);
    let harvested = ran.json();
    assert_eq!(harvested.as_array().unwrap().len(), 30, "{harvested}");
    assert!(harvested.as_array().unwrap().iter().all(|row| row["status"] == "complete"), "{harvested}");
    assert!(ran.err.contains("all.csv was read as Shift_JIS"), "{ran:?}");
    // One of them as a Source.
    let end = rows.iter().position(|byte| *byte == b'\n').unwrap();
    let rows = rows[..end + 1 + rows[end + 1..].iter().position(|byte| *byte == b'\n').unwrap()].to_vec();
    bench.put("one.csv", rows);
    let args = [
        "oai",
        "bridge",
        "--repositories",
        "one.csv",
        "--out",
        "public",
        "--base-uri",
        "http://source.example/",
        "--lang",
        "ja",
    ];
    let ran = bench.run(&[&args[..], &FAST].concat()).ends(0);
    assert!(ran.err.contains("one.csv を Shift_JIS として読み取りました"), "{ran:?}");
    assert!(bench.path("public/.well-known/resourcesync").exists());
}

#[test]
fn a_table_with_a_quote_that_is_not_closed_is_refused() {
    let bench = Bench::new("oai-many-quote");
    bench.put("all.csv", "url,contact\r\nhttp://127.0.0.1:1/a,\"x\r\nhttp://127.0.0.1:1/b,y\r\n");
    let ran = bench.run(&["oai", "harvest", "--repositories", "all.csv", "--into", "stores"]).ends(2);
    assert!(ran.err.contains("all.csv:2: the quote that opens a field here is not closed"), "{ran:?}");
    assert!(!bench.path("stores").exists());
}

#[test]
fn a_table_in_an_unknown_encoding_is_to_be_saved_as_utf_8() {
    let bench = Bench::new("oai-many-encoding");
    let rows = b"url,contact\r\nhttp://127.0.0.1:9/oai,caf\xff\r\n";
    let ran = table(&bench, rows, &[], 2);
    assert!(ran.err.contains("all.csv: the file is neither UTF-8 nor Shift_JIS"), "{ran:?}");
    bench.put("all.csv", rows);
    let args = ["oai", "harvest", "--repositories", "all.csv", "--into", "stores", "--lang", "ja"];
    let ran = bench.run(&args).ends(2);
    assert!(ran.err.contains("UTF-8 で保存し直して"), "{ran:?}");
}
