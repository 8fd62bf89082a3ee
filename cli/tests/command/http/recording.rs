//! Recordings: written, replayed, continued, revalidated.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, list, wrong};
use resourcesync_tests::server::{Server, raw, reply};

#[test]
fn a_replay_gives_the_same_report_without_any_network() {
    let bench = Bench::new("http-replay");
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/redirected" => reply(stream, "302 Found", &["Location: /wrong"], b""),
        "/wrong" => reply(stream, "200 OK", &["Content-Encoding: identity"], wrong().as_bytes()),
        "/missing" => reply(stream, "404 Not Found", &[], b"nothing"),
        "/cut" => raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<urlset>"),
        "/silent" => raw(stream, b""),
        "/busy" if asked.before == 0 => reply(stream, "503 Busy", &["Retry-After: 0"], b""),
        _ => reply(stream, "200 OK", &[], list(2_000).as_bytes()),
    });
    let paths = ["/redirected", "/missing", "/cut", "/silent", "/busy", "/large"];
    let mut urls: Vec<String> = paths.iter().map(|path| server.url(path)).collect();
    urls.push("http://127.0.0.1:1/refused".to_owned());
    let run = |more: &[&str]| {
        let mut args = vec!["validate", "--format", "json", "--limit", "http_retries=1"];
        args.extend(urls.iter().map(String::as_str));
        args.extend(more);
        bench.run(&args)
    };
    let recorded = run(&["--record", "r.har"]).ends(1);
    let before = server.seen().len();
    drop(server);
    let replayed = run(&["--replay", "r.har"]).ends(1);
    assert_eq!(recorded.out, replayed.out);
    assert!(before > 6);
    let ran = run(&["--record", "s.har", "--output", "s.har"]).ends(2);
    assert!(ran.err.contains("need different files"), "{ran:?}");
    // Responses that were not recorded are not requested.
    let ran = bench.run(&["validate", "--replay", "r.har", "http://127.0.0.1:2/other"]).ends(2);
    assert!(ran.out.contains("not in the recording"), "{ran:?}");
}

#[test]
fn an_interrupted_run_goes_on_from_its_recording() {
    let bench = Bench::new("http-resume");
    let server = Server::new(|asked, stream| match (asked.path.as_str(), asked.before) {
        ("/b.xml", 0) => reply(stream, "500 Oops", &[], b""),
        _ => reply(stream, "200 OK", &[], list(40).as_bytes()),
    });
    let (a, b) = (server.url("/a.xml"), server.url("/b.xml"));
    let run = |status| {
        bench.run(&["validate", "--format", "json", "--jobs", "1", "--resume", "r.har", &a, &b]).ends(status).json()
    };
    run(2);
    assert_eq!(server.paths(), ["/a.xml", "/b.xml"]);
    // The process ended in the middle of an entry.
    let text = bench.read("r.har");
    let entries = text.strip_suffix("\n]}}\n").unwrap();
    bench.put("r.har", format!("{entries},\n{{\"startedDateTime\":\"20"));
    assert_eq!(run(0)["inputs"][1]["entries"], 40);
    assert_eq!(server.paths()[2..], ["/b.xml"]);
    // Now the recording is complete and can be replayed.
    run(0);
    assert_eq!(server.seen().len(), 3);
    bench.run(&["validate", "--replay", "r.har", &a, &b]).ends(0);
    // An exchange without an end is requested again.
    let text = bench.read("r.har");
    bench.put("r.har", text.replace("\"end\":\"whole\",", ""));
    run(0);
    assert_eq!(server.seen().len(), 5);
}

#[test]
fn what_has_not_changed_is_taken_from_an_earlier_recording() {
    let bench = Bench::new("http-revalidate");
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/etag.xml" if asked.header("if-none-match") == Some("\"v1\"") => {
            reply(stream, "304 Not Modified", &["ETag: \"v1\""], b"")
        }
        "/etag.xml" => reply(stream, "200 OK", &["ETag: \"v1\""], list(3).as_bytes()),
        "/date.xml" if asked.header("if-modified-since").is_some() => reply(stream, "200 OK", &[], list(5).as_bytes()),
        _ => reply(stream, "200 OK", &["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], list(4).as_bytes()),
    });
    let (etag, date) = (server.url("/etag.xml"), server.url("/date.xml"));
    let run = |more: &[&str]| {
        let report = bench.run(&[&["validate", "--format", "json", &etag, &date][..], more].concat()).ends(0).json();
        let entries = |at: usize| report["inputs"][at]["entries"].as_u64().unwrap();
        [entries(0), entries(1)]
    };
    assert_eq!(run(&["--record", "one.har"]), [3, 4]);
    assert_eq!(run(&["--revalidate", "one.har", "--record", "two.har"]), [3, 5]);
    assert!(
        server.seen()[2..]
            .iter()
            .all(|asked| asked.header("if-none-match").or(asked.header("if-modified-since")).is_some())
    );
    // The new recording is complete by itself.
    fs::remove_file(bench.path("one.har")).unwrap();
    assert_eq!(run(&["--replay", "two.har"]), [3, 5]);
    bench.run(&["validate", &etag, "--revalidate", "two.har", "--record", "two.har"]).ends(2);
    assert_eq!(run(&["--replay", "two.har"]), [3, 5]);
}

#[test]
fn what_is_not_a_recording_is_refused() {
    let bench = Bench::new("http-not-recording");
    let form = "{\"format\":\"resourcesync-recording\",\"formatVersion\":1}\n";
    let exchange = "{\"id\":0,\"method\":\"GET\",\"uri\":\"http://127.0.0.1:1/\",\"status\":200}\n";
    let entry = "{\"request\":{\"method\":\"GET\",\"url\":\"http://a/\"},\"response\":{\"status\":200,\"headers\":[],\"content\":{}}}";
    let har = |entries: &str| format!("{{\"log\":{{\"entries\":[{entries}]}}}}");
    let cases = [
        String::new(),
        "not JSON\n".to_owned(),
        "{\"format\":\"other\",\"formatVersion\":1}\n".to_owned(),
        form.replace(":1}", ":2}"),
        format!("{form}{{\"id\":7,\"body\":\"AAAA\"}}\n"),
        format!("{form}{{\"id\":0,\"method\":\"GET\",\"uri\":\"http://a/\",\"status\":\"many\"}}\n"),
        format!("{form}{exchange}{{\"id\":0,\"body\":\"*\"}}\n{{\"id\":0,\"end\":\"whole\"}}\n"),
        format!("{form}{}\n", " ".repeat(5 << 20)),
        "{\"log\":{}}".to_owned(),
        har("{}"),
        har(&entry.replace("200", "\"many\"")),
        har(&entry.replace("\"content\":{}", "\"content\":{\"text\":\"*\",\"encoding\":\"base64\"}")),
        format!("{} {{}}", har(entry)),
        har(&" ".repeat(65 << 20)),
    ];
    for case in &cases {
        bench.put("r.har", case);
        let ran = bench.run(&["validate", "--replay", "r.har", "http://127.0.0.1:1/"]).ends(2);
        assert!(ran.err.contains("r.har cannot be used"), "{ran:?}");
    }
    bench.run(&["validate", "--replay", "no-such-file", "http://127.0.0.1:1/"]).ends(2);
}

#[test]
fn what_another_program_did_not_record_is_not_judged() {
    let bench = Bench::new("http-other-recording");
    let entry = |headers: &str, content: &str| {
        let url = "\"http://127.0.0.1:1/\"";
        format!(
            "{{\"log\":{{\"entries\":[{{\"request\":{{\"method\":\"GET\",\"url\":{url}}},\
             \"response\":{{\"status\":200,\"headers\":[{headers}],\"content\":{content}}}}}]}}}}"
        )
    };
    let text = serde_json::to_string(&list(1)).unwrap();
    let length = |length: usize| format!("{{\"name\":\"Content-Length\",\"value\":\"{length}\"}}");
    let whole = list(1).len();
    for (headers, content, status) in [
        (String::new(), format!("{{\"size\":{whole},\"text\":{text}}}"), 0),
        (length(whole), format!("{{\"text\":{text}}}"), 0),
        // Left out, or cut.
        (String::new(), format!("{{\"size\":{whole}}}"), 2),
        (String::new(), format!("{{\"size\":{},\"text\":{text}}}", whole + 1), 2),
        (length(whole), "{}".to_owned(), 2),
    ] {
        bench.put("r.har", entry(&headers, &content));
        let ran = bench.run(&["validate", "--replay", "r.har", "http://127.0.0.1:1/"]).ends(status);
        assert_eq!(
            ran.out.contains("not in the recording") || ran.err.contains("not in the recording"),
            status == 2,
            "{ran:?}"
        );
    }
}

#[test]
fn a_recording_is_written_over_nothing_else() {
    let bench = Bench::new("http-record-over");
    let server = Server::of([("/a.xml", list(1).into_bytes())]);
    let url = server.url("/a.xml");
    bench.put("list.xml", list(2));
    let ran = bench.run(&["validate", "--record", "list.xml", &url]).ends(2);
    assert!(ran.err.contains("is not a recording"), "{ran:?}");
    assert_eq!((bench.read("list.xml"), server.seen().len()), (list(2), 0));
    for _ in 0..2 {
        bench.run(&["validate", "--record", "r.har", &url]).ends(0);
    }
    // Without a URL there is nothing to record.
    let ran = bench.run(&["validate", "--record", "other.har", "list.xml"]).ends(2);
    assert!(ran.err.contains("--record requires a URL") && !bench.path("other.har").exists(), "{ran:?}");
    bench.run(&["validate", "--follow", "--base-uri", "http://example.com/", "--replay", "r.har", "."]).ends(2);
}

#[cfg(unix)]
#[test]
fn a_recording_that_is_read_is_not_written_over_by_any_of_its_names() {
    let bench = Bench::new("http-recording-same");
    let server = Server::of([("/a.xml", list(1).into_bytes())]);
    let url = server.url("/a.xml");
    bench.run(&["validate", &url, "--record", "r.har"]).ends(0);
    let before = bench.read("r.har");
    std::os::unix::fs::symlink("r.har", bench.path("symbolic.har")).unwrap();
    std::fs::hard_link(bench.path("r.har"), bench.path("hard.har")).unwrap();
    for other in ["r.har", "./r.har", "symbolic.har", "hard.har"] {
        for (read, write) in [("--replay", "--record"), ("--revalidate", "--record"), ("--revalidate", "--resume")] {
            bench.run(&["validate", &url, read, "r.har", write, other]).ends(2);
            assert_eq!(bench.read("r.har"), before, "{read} {write} {other}");
        }
    }
}

/// The entries of an archive, after a look at every member that HAR 1.2 requires.
fn archived(text: &str) -> Vec<Value> {
    let archive: Value = serde_json::from_str(text).unwrap();
    let log = &archive["log"];
    assert!(log["version"] == "1.2" && log["creator"]["name"].is_string() && log["creator"]["version"].is_string());
    let entries = log["entries"].as_array().unwrap().clone();
    for entry in &entries {
        let (asked, answered) = (&entry["request"], &entry["response"]);
        for text in [&entry["startedDateTime"], &asked["method"], &asked["url"], &asked["httpVersion"]] {
            assert!(text.is_string(), "{entry}");
        }
        for text in ["statusText", "httpVersion", "redirectURL"] {
            assert!(answered[text].is_string(), "{entry}");
        }
        for message in [asked, answered] {
            let has_lists = message["cookies"].is_array() && message["headers"].is_array();
            assert!(has_lists && message["headersSize"].is_i64() && message["bodySize"].is_i64(), "{entry}");
        }
        let content = &answered["content"];
        assert!(asked["queryString"].is_array() && answered["status"].is_u64() && entry["cache"].is_object());
        assert!(content["size"].is_u64() && content["mimeType"].is_string(), "{entry}");
        let timings = ["send", "wait", "receive"].map(|name| entry["timings"][name].as_u64().unwrap());
        assert_eq!(entry["time"].as_u64(), Some(timings.iter().sum()), "{entry}");
    }
    entries
}

#[test]
fn a_recording_is_an_archive_that_other_programs_open() {
    let bench = Bench::new("http-archive");
    let long = list(40_000);
    let server = Server::new({
        let long = long.clone();
        move |asked, stream| match asked.path.as_str() {
            "/long.xml" => reply(stream, "200 OK", &["Content-Type: application/xml"], long.as_bytes()),
            "/binary" => reply(stream, "200 OK", &["Set-Cookie: s3cret"], &[0xff, 0, 0xfe]),
            "/moved" => reply(stream, "302 Found", &["Location: /short.xml"], b""),
            "/silent" => raw(stream, b""),
            _ => reply(stream, "200 OK", &[], "<urlset>\u{65e5}</urlset>".as_bytes()),
        }
    });
    let urls: Vec<String> = ["/long.xml", "/binary", "/moved", "/silent"].map(|path| server.url(path)).to_vec();
    let run = |more: &[&str]| {
        let mut args = vec!["validate", "--format", "json", "--limit", "http_retries=0"];
        args.extend(urls.iter().map(String::as_str));
        bench.run(&[&args, more].concat())
    };
    let recorded = run(&["--record", "r.har"]);
    let text = bench.read("r.har");
    assert!(!text.contains("s3cret"));
    let entries = archived(&text);
    let of = |path: &str| {
        let is_own = |entry: &&Value| entry["request"]["url"].as_str().unwrap().ends_with(path);
        entries.iter().filter(is_own).map(|entry| &entry["response"]).collect::<Vec<_>>()
    };
    // A long body is in parts.
    let parts: Vec<_> = of("/long.xml").iter().map(|own| own["content"]["text"].as_str().unwrap()).collect();
    assert!(parts.len() > 1 && parts.concat() == long && parts.iter().all(|part| part.len() < 2 << 20));
    assert_eq!(of("/binary")[0]["content"]["encoding"], "base64");
    assert_eq!(of("/moved")[0]["redirectURL"], "/short.xml");
    assert_eq!(of("/short.xml")[0]["content"]["text"], "<urlset>\u{65e5}</urlset>");
    assert_eq!(of("/silent")[0]["status"], 0);
    drop(server);
    let replayed = run(&["--replay", "r.har"]);
    assert_eq!((recorded.out, recorded.status), (replayed.out, replayed.status));
}

#[test]
fn an_archive_of_a_browser_is_replayed() {
    let bench = Bench::new("http-browser");
    let har = serde_json::json!({ "log": { "version": "1.2", "pages": [{ "id": "1" }], "entries": [{
        "request": { "method": "GET", "url": "http://127.0.0.1:1/a.xml", "headers": [{ "name": "Accept", "value": "*/*" }] },
        "response": { "status": 200, "headers": [
            { "name": ":status", "value": "200" },
            { "name": "Content-Encoding", "value": "gzip" },
            { "name": "Content-Length", "value": "7" },
        ], "content": { "size": 9, "text": list(3) } },
    }] } });
    bench.put("r.har", serde_json::to_string_pretty(&har).unwrap());
    bench.run(&["validate", "--replay", "r.har", "http://127.0.0.1:1/a.xml"]).ends(0);
    let before = bench.read("r.har");
    for option in ["--record", "--resume"] {
        let ran = bench.run(&["validate", option, "r.har", "http://127.0.0.1:1/a.xml"]).ends(2);
        assert!(ran.err.contains("is not a recording of this program") && bench.read("r.har") == before, "{ran:?}");
    }
}

#[test]
fn a_recording_in_the_format_before_is_read_and_continued_as_an_archive() {
    let bench = Bench::new("http-lines");
    let server = Server::of([("/b.xml", list(1).into_bytes())]);
    let url = server.url("/b.xml");
    // "<urlset" and the rest of an empty document, of which two windows were read.
    bench.put(
        "r.har",
        "{\"format\":\"resourcesync-recording\",\"formatVersion\":1}\n\
         {\"id\":0,\"method\":\"GET\",\"uri\":\"http://127.0.0.1:1/a.xml\",\"status\":200,\"headers\":[[\"etag\",\"\\\"1\\\"\"]]}\n\
         {\"id\":1,\"method\":\"GET\",\"uri\":\"http://127.0.0.1:1/c.xml\",\"end\":\"failed\",\"error\":{\"kind\":\"connection\",\"message\":\"no\"}}\n\
         {\"id\":0,\"body\":\"PHVybHNldA==\"}\n{\"id\":0,\"body\":\"Lz4=\"}\n{\"id\":0,\"end\":\"whole\"}\n{\"id\":2,\"met",
    );
    let replayed = |file: &str| {
        let args = ["validate", "--format", "json", "--replay", file, "http://127.0.0.1:1/a.xml"];
        let report = bench.run(&args).json();
        assert_eq!(report["inputs"][0]["bytes"], 9, "{report}");
        report
    };
    let before = replayed("r.har");
    let ran = bench.run(&["validate", "--resume", "r.har", &url]).ends(0);
    assert!(ran.err.contains("the end of r.har is missing"), "{ran:?}");
    let urls: Vec<Value> = archived(&bench.read("r.har")).iter().map(|own| own["request"]["url"].clone()).collect();
    assert_eq!(urls, ["http://127.0.0.1:1/a.xml", &url]);
    assert_eq!(replayed("r.har"), before);
}
