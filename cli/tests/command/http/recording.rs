//! Recordings: written, replayed, continued, revalidated.

use std::fs;

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
    let recorded = run(&["--record", "r.jsonl"]).ends(1);
    let before = server.seen().len();
    drop(server);
    let replayed = run(&["--replay", "r.jsonl"]).ends(1);
    assert_eq!(recorded.out, replayed.out);
    assert!(before > 6);
    // Responses that were not recorded are not requested.
    let ran = bench.run(&["validate", "--replay", "r.jsonl", "http://127.0.0.1:2/other"]).ends(2);
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
        bench.run(&["validate", "--format", "json", "--jobs", "1", "--resume", "r.jsonl", &a, &b]).ends(status).json()
    };
    run(2);
    assert_eq!(server.paths(), ["/a.xml", "/b.xml"]);
    // The process ended in the middle of a line.
    let text = bench.read("r.jsonl");
    bench.put("r.jsonl", format!("{text}{{\"id\":2,\"met"));
    assert_eq!(run(0)["inputs"][1]["entries"], 40);
    assert_eq!(server.paths()[2..], ["/b.xml"]);
    // Now the recording is complete and can be replayed.
    run(0);
    assert_eq!(server.seen().len(), 3);
    bench.run(&["validate", "--replay", "r.jsonl", &a, &b]).ends(0);
    // An exchange without an end is requested again.
    let text = bench.read("r.jsonl");
    let unfinished: String =
        text.lines().filter(|line| !line.contains("\"end\"")).map(|line| format!("{line}\n")).collect();
    bench.put("r.jsonl", unfinished);
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
    assert_eq!(run(&["--record", "one.jsonl"]), [3, 4]);
    assert_eq!(run(&["--revalidate", "one.jsonl", "--record", "two.jsonl"]), [3, 5]);
    assert!(
        server.seen()[2..]
            .iter()
            .all(|asked| asked.header("if-none-match").or(asked.header("if-modified-since")).is_some())
    );
    // The new recording is complete by itself.
    fs::remove_file(bench.path("one.jsonl")).unwrap();
    assert_eq!(run(&["--replay", "two.jsonl"]), [3, 5]);
    bench.run(&["validate", &etag, "--revalidate", "two.jsonl", "--record", "two.jsonl"]).ends(2);
    assert_eq!(run(&["--replay", "two.jsonl"]), [3, 5]);
}

#[test]
fn what_is_not_a_recording_is_refused() {
    let bench = Bench::new("http-not-recording");
    let form = "{\"format\":\"resourcesync-recording\",\"formatVersion\":1}\n";
    let cases = [
        String::new(),
        "not JSON\n".to_owned(),
        "{\"format\":\"har\",\"formatVersion\":1}\n".to_owned(),
        form.replace(":1}", ":2}"),
        format!("{form}{{\"id\":7,\"body\":\"AAAA\"}}\n"),
        format!("{form}{{\"id\":0,\"method\":\"GET\",\"uri\":\"http://a/\",\"status\":\"many\"}}\n"),
        format!("{form}{}\n", " ".repeat(5 << 20)),
    ];
    for case in &cases {
        bench.put("r.jsonl", case);
        let ran = bench.run(&["validate", "--replay", "r.jsonl", "http://127.0.0.1:1/"]).ends(2);
        assert!(ran.err.contains("r.jsonl cannot be used"), "{ran:?}");
    }
    bench.run(&["validate", "--replay", "no-such-file", "http://127.0.0.1:1/"]).ends(2);
    // Invalid base64 is detected during replay.
    let damaged = format!(
        "{form}{{\"id\":0,\"method\":\"GET\",\"uri\":\"http://127.0.0.1:1/\",\"status\":200}}\n{{\"id\":0,\"body\":\"*\"}}\n{{\"id\":0,\"end\":\"whole\"}}\n"
    );
    bench.put("r.jsonl", damaged);
    let ran = bench.run(&["validate", "--replay", "r.jsonl", "http://127.0.0.1:1/"]).ends(2);
    assert!(ran.out.contains("the recording is corrupted"), "{ran:?}");
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
        bench.run(&["validate", "--record", "r.jsonl", &url]).ends(0);
    }
    // Without a URL there is nothing to record.
    let ran = bench.run(&["validate", "--record", "other.jsonl", "list.xml"]).ends(2);
    assert!(ran.err.contains("--record requires a URL") && !bench.path("other.jsonl").exists(), "{ran:?}");
    bench.run(&["validate", "--follow", "--base-uri", "http://example.com/", "--replay", "r.jsonl", "."]).ends(2);
}

#[cfg(unix)]
#[test]
fn a_recording_that_is_read_is_not_written_over_by_any_of_its_names() {
    let bench = Bench::new("http-recording-same");
    let server = Server::of([("/a.xml", list(1).into_bytes())]);
    let url = server.url("/a.xml");
    bench.run(&["validate", &url, "--record", "r.jsonl"]).ends(0);
    let before = bench.read("r.jsonl");
    std::os::unix::fs::symlink("r.jsonl", bench.path("symbolic.jsonl")).unwrap();
    std::fs::hard_link(bench.path("r.jsonl"), bench.path("hard.jsonl")).unwrap();
    for other in ["r.jsonl", "./r.jsonl", "symbolic.jsonl", "hard.jsonl"] {
        for (read, write) in [("--replay", "--record"), ("--revalidate", "--record"), ("--revalidate", "--resume")] {
            bench.run(&["validate", &url, read, "r.jsonl", write, other]).ends(2);
            assert_eq!(bench.read("r.jsonl"), before, "{read} {write} {other}");
        }
    }
}
