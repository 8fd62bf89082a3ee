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
