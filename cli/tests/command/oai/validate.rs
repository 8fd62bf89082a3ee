//! `oai validate`: the check of a provider over HTTP, its report and its exit status.

use std::{
    fs,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use resourcesync_tests::{
    oai::{Edit, Profile, Provider},
    server::{Server, for_ever, reply},
};
use serde_json::{Value, json};

use super::query;
use crate::bench::{Bench, gzip};

const FAST: [&str; 2] = ["--skip-waits", "--quiet"];

/// A server for a provider, with its base URL.
fn serve(profile: &str, edits: &[Value], compresses: bool) -> (Server, String) {
    let provider: Arc<OnceLock<Mutex<Provider>>> = Arc::default();
    let own = provider.clone();
    let server = Server::new(move |asked, stream| {
        let accepted = asked.header("accept-encoding").unwrap_or_default();
        let is_post = !asked.body.is_empty();
        let mut provider = own.get().unwrap().lock().unwrap();
        let response = provider.respond(&query_of(asked), is_post, accepted == "identity");
        drop(provider);
        let mut headers: Vec<String> =
            response.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let body = match compresses && accepted.contains("gzip") {
            true => {
                headers.push("Content-Encoding: gzip".into());
                gzip(&response.body)
            }
            false => response.body,
        };
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        reply(stream, &format!("{} X", response.status), &headers, &body)
    });
    let url = server.url("/oai");
    let edits: Vec<Edit> = edits.iter().cloned().map(|edit| serde_json::from_value(edit).unwrap()).collect();
    let made = Provider::new(Profile::named(profile).at(&url), edits);
    assert!(provider.set(Mutex::new(made)).is_ok());
    (server, url)
}

fn query_of(asked: &resourcesync_tests::server::Asked) -> String {
    if asked.body.is_empty() && !asked.path.contains('?') { String::new() } else { query(asked) }
}

fn wrong_address() -> Value {
    json!({"on": ["verb=Identify", "!noSuchArgument", "!verb=Identify&verb"], "replace": [["admin@a.example", "admin@localhost"]]})
}

#[test]
fn a_good_repository_is_valid() {
    let bench = Bench::new("oai-validate");
    let (server, url) = serve("plain", &[], false);
    let ran = bench.run(&[&["oai", "validate", "--from", "me@example.org"][..], &FAST[..1], &[&url]].concat()).ends(0);
    assert!(ran.out.contains("VALID: no findings"), "{}", ran.out);
    let asked = server.seen();
    assert!((33..=50).contains(&asked.len()), "{}", asked.len());
    assert!(asked.iter().all(|asked| asked.header("from") == Some("me@example.org")));
    let accepted = |value| asked.iter().filter(|asked| asked.header("accept-encoding") == Some(value)).count();
    assert_eq!((accepted("identity"), accepted("gzip;q=1.0, identity;q=0.5")), (1, asked.len() - 1));
}

#[test]
fn a_repository_that_compresses_announces_it() {
    let bench = Bench::new("oai-validate-gzip");
    let (_server, url) = serve("inveniordm", &[], true);
    let ran = bench.run(&[&["oai", "validate", "--format", "json"][..], &FAST, &[&url]].concat()).ends(0);
    assert!(!ran.out.contains("OAI-16"), "{}", ran.out);
    let (_server, url) = serve("plain", &[], true);
    let ran = bench.run(&[&["oai", "validate", "--format", "json"][..], &FAST, &[&url]].concat()).ends(0);
    assert!(ran.out.contains("OAI-16") && ran.out.contains("does not name it"), "{}", ran.out);
}

#[test]
fn the_exit_status_follows_the_findings() {
    let bench = Bench::new("oai-validate-status");
    let (_server, url) = serve("plain", &[wrong_address()], false);
    for (more, status) in [
        (&[][..], 1),
        (&["--ignore", "OAI-17"][..], 0),
        (&["--ignore", "admin-email"][..], 0),
        (&["--select", "OAI-50,OAI-51"][..], 0),
        (&["--severity", "OAI-17=warning"][..], 0),
        (&["--severity", "OAI-17=warning", "--fail-on", "warning"][..], 1),
        (&["--select", "OIA-17"][..], 2),
        (&["--severity", "OAI-17=bad"][..], 2),
        (&["--post"][..], 2),
    ] {
        bench.run(&[&["oai", "validate"][..], &FAST, more, &[&url]].concat()).ends(status);
    }
    let ran = bench.run(&[&["oai", "validate", "--ignore", "OAI-17", "--skip-waits"][..], &[&url]].concat()).ends(0);
    assert!(ran.out.contains("VALID after filters"), "{}", ran.out);
    let ran = bench.run(&["oai", "validate", "--select", "OAI-71", &url]).ends(2);
    assert!(ran.err.contains("did you mean"), "{}", ran.err);
}

#[test]
fn a_server_that_refuses_is_undetermined() {
    let bench = Bench::new("oai-validate-403");
    let (server, url) = serve("plain", &[json!({"on": ["verb=ListSets"], "status": 403, "body": "no"})], false);
    let ran = bench.run(&[&["oai", "validate"][..], &FAST, &[&url]].concat()).ends(2);
    assert!(ran.out.contains("the server refused a request"), "{}", ran.out);
    assert_eq!(server.seen().len(), 5);
    let ran = bench.run(&[&["oai", "validate", "--lang", "ja"][..], &FAST, &[&url]].concat()).ends(2);
    assert!(ran.out.contains("サーバが要求を拒否"), "{}", ran.out);
    let (server, url) = serve("plain", &[json!({"status": 503, "headers": {"retry-after": "30"}})], false);
    bench.run(&[&["oai", "validate", "--max-wait", "10"][..], &FAST, &[&url]].concat()).ends(2);
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn a_report_can_be_sent_and_compared() {
    let bench = Bench::new("oai-validate-report");
    let (_server, url) = serve("plain", &[wrong_address()], false);
    let (markdown, json, again) = (bench.path("report.md"), bench.path("report.json"), bench.path("again.json"));
    let (markdown_at, json_at) = (markdown.to_str().unwrap(), json.to_str().unwrap());
    let har = bench.path("check.har");
    let har = har.to_str().unwrap();
    let to = ["--format", "markdown", "--output", markdown_at, "--format", "json", "--output", json_at];
    let more = ["--lang", "ja", "--max-per-rule", "0", "--record", har];
    bench.run(&[&["oai", "validate"][..], &FAST, &to, &more, &[&url]].concat()).ends(1);
    let text = fs::read_to_string(&markdown).unwrap();
    let named = format!("検証先: {url}");
    for words in [&*named, "不適合", "実際に読まれるメールアドレスを記載してください"] {
        // Markdown escapes what could become a link.
        assert!(text.replace('\\', "").replace("&#58;", ":").contains(words), "{text}");
    }
    let report: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(report["inputs"][0]["kind"], "oai-response");
    assert_eq!(report["inputs"][0]["name"], "Identify");
    assert_eq!(report["diagnostics"][0]["code"], "OAI-17");
    // The recording is the same check, without network access.
    let replay = ["--max-per-rule", "0", "--format", "json", "--output", again.to_str().unwrap(), "--replay", har];
    bench.run(&[&["oai", "validate", "--quiet"][..], &replay, &[&url]].concat()).ends(1);
    assert_eq!(fs::read(&json).unwrap(), fs::read(&again).unwrap());
    bench.run(&[&["oai", "validate"][..], &FAST, &["--baseline", json_at, &url]].concat()).ends(0);
}

#[test]
fn single_responses_are_read_from_files() {
    let bench = Bench::new("oai-validate-file");
    let mut provider = Provider::new(Profile::named("plain"), vec![serde_json::from_value(wrong_address()).unwrap()]);
    let mut write = |name: &str, query: &str| {
        let path = bench.path(name);
        fs::write(&path, provider.respond(query, false, false).body).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let identify = write("identify.xml", "verb=Identify");
    let records = write("records.xml", "verb=ListRecords&metadataPrefix=oai_dc");
    bench.run(&["oai", "validate", "--quiet", &records]).ends(0);
    let ran = bench.run(&["oai", "validate", &identify, &records]).ends(1);
    assert!(ran.out.contains("OAI-17") && ran.out.contains("identify.xml"), "{}", ran.out);
    bench.run(&["oai", "validate", "--quiet", bench.path("missing.xml").to_str().unwrap()]).ends(2);
    bench.run(&["oai", "validate", "--quiet", &records, "http://127.0.0.1:9/oai"]).ends(2);
}

#[test]
fn each_response_of_a_recording_is_an_input() {
    let bench = Bench::new("oai-validate-har");
    let (_server, url) = serve("plain", &[wrong_address()], true);
    let har = bench.path("check.har");
    let har = har.to_str().unwrap();
    bench.run(&[&["oai", "validate", "--record", har][..], &FAST, &[&url]].concat()).ends(1);
    let ran = bench.run(&["oai", "validate", "--quiet", "--format", "json", har]).ends(1);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(report["inputs"].as_array().unwrap().len() > 30, "{}", ran.out);
    assert_eq!(report["inputs"][0]["name"], format!("{har}: Identify"));
    assert_eq!(report["inputs"][0]["uri"], format!("{url}?verb=Identify"));
    assert_eq!(report["diagnostics"][0]["code"], "OAI-17");
    let empty = bench.path("empty.har");
    fs::write(&empty, r#"{"log":{"version":"1.2","entries":[]}}"#).unwrap();
    let ran = bench.run(&["oai", "validate", "--quiet", "--format", "json", empty.to_str().unwrap()]).ends(2);
    assert!(ran.out.contains("no response of an OAI-PMH repository"), "{}", ran.out);
}

#[test]
fn hostile_servers_end_a_check() {
    let bench = Bench::new("oai-validate-hostile");
    let head =
        b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\">";
    let endless = Server::new(move |_, stream| for_ever(stream, head, &[b' '; 4096], Duration::ZERO));
    let limit = ["--limit", "oai_page_bytes=1000000"];
    let ran = bench.run(&[&["oai", "validate"][..], &FAST, &limit, &[&endless.url("/oai")]].concat());
    assert!(ran.out.contains("LIM-40"), "{}", ran.out);
    assert_eq!(endless.seen().len(), 1);
    let doctype = b"<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><OAI-PMH>&b;</OAI-PMH>";
    let entities = Server::new(move |_, stream| reply(stream, "200 OK", &["Content-Type: text/xml"], doctype));
    let ran = bench.run(&[&["oai", "validate"][..], &FAST, &[&entities.url("/oai")]].concat()).ends(1);
    assert!(ran.out.contains("OAI-08") && !ran.out.contains("root:"), "{}", ran.out);
    let page = Server::new(|_, stream| reply(stream, "200 OK", &["Content-Type: text/html"], b"<html>Sign in</html>"));
    let ran = bench.run(&[&["oai", "validate"][..], &FAST, &[&page.url("/oai")]].concat()).ends(1);
    assert!(ran.out.contains("OAI-01"), "{}", ran.out);
}

#[test]
fn a_rule_is_explained() {
    let bench = Bench::new("oai-validate-explain");
    let ran = bench.run(&["explain", "OAI-50"]).ends(0);
    assert!(ran.out.contains("error code of the protocol"), "{}", ran.out);
    let ran = bench.run(&["explain", "OAI-17", "--lang", "ja"]).ends(0);
    assert!(ran.out.contains("メールアドレス") && ran.out.contains("admin at a.example"), "{}", ran.out);
}
