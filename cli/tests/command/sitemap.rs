//! `build --from-sitemap`: resources of a sitemap, an index, or a plain list of URIs.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
    thread,
};

use serde_json::json;

use crate::{
    bench::{Bench, Ran, gzip},
    build::flawless,
};

fn sitemap(root: &str, entries: &[(&str, &str)]) -> String {
    let entry = if root == "urlset" { "url" } else { "sitemap" };
    let entries: String = entries
        .iter()
        .map(|(loc, lastmod)| {
            let lastmod = if lastmod.is_empty() { String::new() } else { format!("<lastmod>{lastmod}</lastmod>") };
            format!("<{entry}><loc>{loc}</loc>{lastmod}</{entry}>")
        })
        .collect();
    format!("<?xml version=\"1.0\"?><{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</{root}>")
}

fn build(bench: &Bench, start: &str, more: &[&str]) -> Ran {
    let args = ["build", "--from-sitemap", start, "--base-uri", "https://example.com/", "--out", "public"];
    bench.run(&[&args[..], more].concat())
}

#[test]
fn a_sitemap_is_published_with_its_times_and_later_runs_find_the_changes() {
    let bench = Bench::new("sitemap");
    let (a, b) = (("https://example.com/a", "2024-05-01"), ("https://example.com/b?x=1&amp;y=2", ""));
    bench.put("sitemap.xml", sitemap("urlset", &[a, b]));
    build(&bench, "sitemap.xml", &[]).ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains("<lastmod>2024-05-01</lastmod>") && list.contains("b?x=1&amp;y=2"), "{list}");
    assert!(!list.contains("length="), "{list}");
    flawless(&bench, "public");
    let changed = ("https://example.com/a", "2024-05-02T10:00:00+09:00");
    bench.put("sitemap.xml", sitemap("urlset", &[changed, b]));
    let ran = build(&bench, "sitemap.xml", &["--format", "json"]).ends(0).json();
    assert_eq!(ran["changes"], json!({"updated": 1}));
    assert!(build(&bench, "sitemap.xml", &[]).ends(0).out.contains("nothing has changed"));
}

#[test]
fn lengths_and_digests_are_those_of_the_files_in_the_folder_of_map() {
    let bench = Bench::new("sitemap-map");
    bench
        .put("site/a", "abc")
        .put("site/docs/index.html", "<p>")
        .put("site/maps/two.txt", "https://example.com/docs/\n");
    bench.put("site/maps/one.xml.gz", gzip(sitemap("urlset", &[("https://example.com/a", "")]).as_bytes()));
    let members = [("https://example.com/maps/one.xml.gz", ""), ("https://example.com/maps/two.txt", "2024-01-01")];
    bench.put("index.xml", sitemap("sitemapindex", &members));
    let unmapped = build(&bench, "index.xml", &[]).ends(2);
    assert!(unmapped.err.contains("--map") && !bench.path("public").exists(), "{unmapped:?}");
    let map = ["--map", "https://example.com/=site", "--hash", "md5"];
    build(&bench, "index.xml", &map).ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains("hash=\"md5:900150983cd24fb0d6963f7d28e17f72\"") && list.contains("length=\"3\""), "{list}");
    assert!(list.contains("https://example.com/docs/"), "{list}");
    bench.put("site/maps/two.txt", "https://example.com/docs/\nhttps://example.com/gone\n");
    let missing = build(&bench, "index.xml", &map).ends(2);
    assert!(missing.err.contains("https://example.com/gone is not in its folder"), "{missing:?}");
}

#[test]
fn what_is_no_sitemap_is_refused_and_nothing_is_published() {
    let bench = Bench::new("sitemap-wrong");
    let nested = sitemap("sitemapindex", &[("https://example.com/nested.xml", "")]);
    bench.put("site/nested.xml", &nested).put("index.xml", &nested);
    bench.put("page.xml", "<html><body/></html>").put("empty.txt", " \n").put("list.txt", "https://example.com/a\nb\n");
    bench.put("local.xml", sitemap("urlset", &[("https://example.com/a", "2024-05-01 10:00:00")]));
    bench.put("torn.xml", sitemap("urlset", &[("https://example.com/a", "")]).replace("</urlset>", ""));
    bench.put("twice.txt", "https://example.com/a\nhttps://example.com/a\n");
    let long = format!("https://example.com/{}", "a".repeat(70_000));
    bench.put("long.xml", sitemap("urlset", &[(&long, "")])).put("long.txt", format!("{long}\n"));
    for (file, words) in [
        ("page.xml", "root element is `html`"),
        ("long.xml", "entry 1: its `loc` is not a URI of at most 65,536 bytes"),
        ("long.txt", "long.txt:1: the line is not a URI of at most 65,536 bytes"),
        ("empty.txt", "is empty"),
        ("list.txt", "list.txt:2: `b` is not an absolute URI"),
        ("local.xml", "--zone"),
        ("torn.xml", "not well-formed"),
        ("twice.txt", "https://example.com/a"),
        ("index.xml", "index in an index"),
        ("none.xml", "none.xml could not be read"),
    ] {
        let refused = build(&bench, file, &["--map", "https://example.com/nested.xml=site"]);
        let map = ["--map", "https://example.com/=site"];
        let refused = if file == "index.xml" { build(&bench, file, &map) } else { refused };
        assert!(refused.err.contains(words), "{file}: {refused:?}");
        drop(refused.ends(2));
        assert!(!bench.path("public").exists(), "{file}");
    }
    build(&bench, "local.xml", &["--zone", "+09:00"]).ends(0);
    assert!(bench.read("public/resourcelist.xml").contains("2024-05-01T10:00:00+09:00"));
}

/// A server of these paths, and the paths that were requested.
fn server(files: Vec<(&'static str, String)>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/", listener.local_addr().unwrap());
    let (requested, own) = (Arc::new(Mutex::new(Vec::new())), base.clone());
    let log = Arc::clone(&requested);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let path = lines.next().and_then(|line| Some(line.split(' ').nth(1)?.to_owned())).unwrap_or_default();
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let body = files.iter().find(|(name, _)| path == format!("/{name}"));
            let body = body.map(|(_, body)| body.replace("BASE/", &own));
            let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
            let body = body.unwrap_or_default();
            log.lock().unwrap().push(path);
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nLast-Modified: Wed, 01 May 2024 10:00:00 GMT\r\n\
                 Content-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = (&stream).write_all((head + &body).as_bytes());
        }
    });
    (base, requested)
}

#[test]
fn resources_are_requested_once_for_each_time_that_the_sitemap_states() {
    let bench = Bench::new("sitemap-fetch");
    let index = sitemap("sitemapindex", &[("BASE/one.xml", "")]);
    let one = sitemap("urlset", &[("BASE/a", "2024-05-01"), ("BASE/b", "")]);
    let files = vec![("sitemap.xml", index), ("one.xml", one), ("a", "abc".to_owned()), ("b", "b".to_owned())];
    let (base, requested) = server(files);
    let start = format!("{base}sitemap.xml");
    let host = base.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let args = ["build", "--from-sitemap", &start, "--base-uri", &base, "--out", "public", "--allow-host", &host];
    bench.run(&args).ends(0);
    assert_eq!(*requested.lock().unwrap(), ["/sitemap.xml", "/one.xml"], "resources only on request");
    requested.lock().unwrap().clear();
    bench.run(&[&args[..], &["--fetch", "--hash", "md5"]].concat()).ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains("md5:900150983cd24fb0d6963f7d28e17f72\" length=\"3\" type=\"text/plain\""), "{list}");
    assert!(list.contains("<lastmod>2024-05-01</lastmod>") && list.contains("<lastmod>2024-05-01T10:00:00Z"), "{list}");
    requested.lock().unwrap().clear();
    let again = bench.run(&[&args[..], &["--fetch", "--hash", "md5"]].concat()).ends(0);
    assert!(again.out.contains("nothing has changed"), "{again:?}");
    let mut paths = requested.lock().unwrap().clone();
    paths.sort();
    assert_eq!(paths, ["/b", "/one.xml", "/sitemap.xml"], "a has the time of the previous run");
    // Other hosts are not requested.
    let elsewhere = sitemap("urlset", &[("http://127.0.0.2:9/x", "")]);
    let (base, _) = server(vec![("sitemap.xml", elsewhere)]);
    let (start, host) =
        (format!("{base}sitemap.xml"), base.trim_start_matches("http://").trim_end_matches('/').to_owned());
    let args =
        ["build", "--from-sitemap", &start, "--base-uri", &base, "--out", "other", "--allow-host", &host, "--fetch"];
    let refused = bench.run(&args).ends(2);
    assert!(refused.err.contains("http://127.0.0.2:9/x") && !bench.path("other").exists(), "{refused:?}");
}

#[test]
fn a_list_from_a_pipe_that_was_cut_is_refused() {
    let bench = Bench::new("sitemap-cut");
    let args = ["build", "--from-sitemap", "-", "--base-uri", "https://example.com/", "--out", "public"];
    let list = "https://example.com/a\nhttps://example.com/bcd";
    let ran = bench.feed(&args, list.as_bytes()).ends(2);
    assert!(ran.err.contains(":2: the last line has no line break"), "{ran:?}");
    bench.feed(&args, format!("{list}\n").as_bytes()).ends(0);
    // A file has its end.
    bench.put("list.txt", list);
    build(&bench, "list.txt", &[]).ends(0);
}
