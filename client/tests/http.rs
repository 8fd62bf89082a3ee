//! Tests of the HTTP client beyond the needs of the command: bodies, conditions, callers' headers, single attempts.
#![allow(missing_docs, clippy::unwrap_used)]

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use resourcesync_client::{
    Cancel,
    http::{
        Attempts, Client, ClientOptions, Condition, ErrorKind, HeaderError, Policy, Received, Recordings, Redirects,
        Request, Response, fetch,
    },
};
use resourcesync_tests::server::{Asked, Server, raw, redirect, reply, silence};

fn client(start: &str, options: ClientOptions) -> Arc<Client> {
    let mut policy = Policy::default();
    policy.start(start).unwrap();
    policy.limits.http_requests_per_second = 0;
    Arc::new(Client::new(policy, options).unwrap())
}

fn text(mut response: Response) -> String {
    let mut text = String::new();
    response.body.read_to_string(&mut text).unwrap();
    text
}

/// Responds with the method, some headers and the body of the request.
fn echo(asked: &Asked, stream: &mut TcpStream) -> std::io::Result<()> {
    let header = |name| asked.header(name).unwrap_or("-").to_owned();
    let said = [asked.method.clone(), header("content-type"), header("x-own"), header("accept")].join(" ");
    reply(stream, "200 OK", &[], &[said.as_bytes(), b"\n", &asked.body].concat())
}

/// A file with this name for a recording.
fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("resourcesync-{name}-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn recorded(path: &Path) -> ClientOptions {
    let mut recordings = Recordings::default();
    recordings.record(path).unwrap();
    ClientOptions { recordings, ..ClientOptions::default() }
}

fn replayed(path: &Path) -> ClientOptions {
    let mut recordings = Recordings::default();
    recordings.replay(path).unwrap();
    ClientOptions { recordings, ..ClientOptions::default() }
}

#[test]
fn a_body_is_posted_with_its_media_type_and_the_callers_headers() {
    let server = Server::new(echo);
    let client = client(&server.url("/"), ClientOptions::default());
    let request =
        Request::post(server.url("/hub"), "application/x-www-form-urlencoded", b"hub.mode=subscribe".to_vec());
    let request = request.unwrap().header("X-Own", "mine").unwrap().header("Accept", "text/plain").unwrap();
    let response = client.fetch(&request).unwrap();
    assert_eq!(text(response), "POST application/x-www-form-urlencoded mine text/plain\nhub.mode=subscribe");
    assert_eq!(server.seen()[0].header("content-length"), Some("18"));
}

#[test]
fn a_header_that_would_change_the_request_is_refused() {
    for name in ["Host", "Content-Length", "Range", "If-None-Match", "Proxy-Authorization", "Accept-Encoding"] {
        let refused = Request::get("http://a.example/").header(name, "x").unwrap_err();
        assert_eq!(refused, HeaderError::Reserved(name.to_owned()));
    }
    assert!(Request::get("http://a.example/").header("X-Own", "a\r\nHost: b").is_err());
    assert!(Request::get("http://a.example/").header("X Own", "a").is_err());
}

#[test]
fn a_post_is_sent_again_only_where_the_redirect_keeps_it() {
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/307" => reply(stream, "307 Temporary Redirect", &["Location: /here"], b""),
        "/303" => reply(stream, "303 See Other", &["Location: /here"], b"see there"),
        _ => echo(asked, stream),
    });
    let client = client(&server.url("/"), ClientOptions::default());
    let post = |path| client.fetch(&Request::post(server.url(path), "text/plain", b"body".to_vec()).unwrap()).unwrap();
    let kept = post("/307");
    assert_eq!((kept.status, kept.uri.clone()), (200, server.url("/here")));
    assert_eq!(text(kept), "POST text/plain - */*\nbody");
    let other = post("/303");
    assert_eq!((other.status, other.headers.first("location")), (303, Some("/here")));
    assert_eq!(text(other), "see there");
    assert_eq!(server.paths(), ["/307", "/here", "/303"]);
}

#[test]
fn a_redirect_is_the_answer_where_none_is_to_be_followed() {
    let server = Server::new(|_, stream| redirect(stream, "/elsewhere"));
    let client = client(&server.url("/"), ClientOptions::default());
    let request = Request { redirects: Redirects::Return, ..Request::get(server.url("/")) };
    assert_eq!(client.fetch(&request).unwrap().status, 302);
    assert_eq!(server.paths(), ["/"]);
}

#[test]
fn a_callers_header_does_not_follow_a_redirect_to_another_origin() {
    let other = Server::new(echo);
    let to = other.url("/");
    let server = Server::new(move |_, stream| redirect(stream, &to));
    let mut policy = Policy::default();
    policy.start(&server.url("/")).unwrap();
    policy.start(&other.url("/")).unwrap();
    let client = Client::new(policy, ClientOptions::default()).unwrap();
    let request = Request::get(server.url("/")).header("X-Own", "s3cret").unwrap().header("Accept", "a/b").unwrap();
    assert_eq!(text(client.fetch(&request).unwrap()), "GET - - a/b\n");
    assert_eq!(server.seen()[0].header("x-own"), Some("s3cret"));
}

#[test]
fn a_condition_is_sent_and_its_answer_is_304() {
    let server = Server::new(|asked, stream| {
        let is_known = asked.header("if-none-match") == Some("\"1\"") || asked.header("if-modified-since").is_some();
        reply(stream, if is_known { "304 Not Modified" } else { "200 OK" }, &["ETag: \"1\""], b"")
    });
    let client = client(&server.url("/"), ClientOptions::default());
    let status = |condition| client.fetch(&Request { condition, ..Request::get(server.url("/")) }).unwrap().status;
    assert_eq!(status(None), 200);
    assert_eq!(status(Some(Condition::NoneMatch("\"1\"".to_owned()))), 304);
    assert_eq!(status(Some(Condition::NoneMatch("\"2\"".to_owned()))), 200);
    assert_eq!(status(Some(Condition::ModifiedSince("Sun, 06 Nov 1994 08:49:37 GMT".to_owned()))), 304);
}

#[test]
fn a_busy_server_is_asked_once_and_its_wait_is_returned() {
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/date" => {
            let headers = ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:59:37 GMT"];
            reply(stream, "429 Too Many Requests", &headers, b"")
        }
        "/hint" => reply(stream, "200 OK", &["Retry-After: 7"], b""),
        _ => reply(stream, "503 Busy", &["Retry-After: 86400"], b"come back tomorrow"),
    });
    let client = client(&server.url("/"), ClientOptions::default());
    let get = |path| client.fetch(&Request::get(server.url(path))).unwrap();
    let busy = get("/busy");
    assert_eq!((busy.status, busy.is_temporary(), busy.retry_after()), (503, true, Some(Duration::from_secs(86_400))));
    assert_eq!(text(busy), "come back tomorrow");
    assert_eq!(get("/date").retry_after(), Some(Duration::from_secs(600)));
    let hint = get("/hint");
    assert_eq!((hint.is_temporary(), hint.retry_after()), (false, Some(Duration::from_secs(7))));
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn a_failure_reports_how_much_had_been_received() {
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/nothing" => raw(stream, b""),
        "/head" => raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n"),
        _ => raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n<urlset>"),
    });
    let client = client(&server.url("/"), ClientOptions::default());
    let error = client.fetch(&Request::get(server.url("/nothing"))).unwrap_err();
    assert_eq!((error.kind, error.received, error.is_temporary()), (ErrorKind::Cut, Received::Nothing, true));
    for (path, received) in [("/head", Received::Head), ("/part", Received::Part)] {
        let mut response = client.fetch(&Request::get(server.url(path))).unwrap();
        let error = response.body.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(resourcesync_client::http::Error::of(&error).unwrap().received, received, "{path}");
    }
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn all_tries_of_one_thing_are_counted_together() {
    let server = Server::new(|_, stream| reply(stream, "503 Busy", &["Retry-After: 0"], b""));
    let client = client(&server.url("/"), ClientOptions::default());
    let mut attempts = Attempts::new(&client);
    assert!(attempts.again());
    assert_eq!(fetch(&client, &Request::get(server.url("/")), &mut attempts).unwrap().status, 503);
    // Two retries by default, one of which was used before.
    assert_eq!(server.seen().len(), 2);
    assert_eq!(fetch(&client, &Request::get(server.url("/")), &mut attempts).unwrap().status, 503);
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn a_cancel_token_stops_its_own_run_and_no_other() {
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/silent" => silence(stream),
        "/stalled" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n<urlset>")?;
            silence(stream)
        }
        _ => echo(asked, stream),
    });
    let other = client(&server.url("/"), ClientOptions::default());
    for path in ["/silent", "/stalled"] {
        let cancel = Cancel::default();
        let own = client(&server.url("/"), ClientOptions { cancel: cancel.clone(), ..ClientOptions::default() });
        let (give, ended) = mpsc::channel();
        let url = server.url(path);
        thread::spawn(move || {
            let outcome = own.fetch(&Request::get(url)).map(|mut response| response.body.read_to_end(&mut Vec::new()));
            give.send(match outcome {
                Ok(read) => resourcesync_client::http::Error::of(&read.unwrap_err()).unwrap().kind,
                Err(error) => error.kind,
            })
        });
        while !server.paths().contains(&path.to_owned()) {
            thread::yield_now();
        }
        cancel.cancel();
        assert_eq!(ended.recv().unwrap(), ErrorKind::Interrupted, "{path}");
    }
    assert_eq!(text(other.fetch(&Request::get(server.url("/"))).unwrap()), "GET - - */*\n");
}

#[test]
fn a_wait_for_a_busy_server_ends_when_the_run_is_cancelled() {
    let server = Server::new(|_, stream| reply(stream, "503 Busy", &["Retry-After: 300"], b""));
    let cancel = Cancel::default();
    let own = client(&server.url("/"), ClientOptions { cancel: cancel.clone(), ..ClientOptions::default() });
    let url = server.url("/");
    let waiting = thread::spawn(move || {
        let mut attempts = Attempts::new(&own);
        fetch(&own, &Request::get(url), &mut attempts).unwrap_err().kind
    });
    while server.seen().is_empty() {
        thread::yield_now();
    }
    cancel.cancel();
    assert_eq!(waiting.join().unwrap(), ErrorKind::Interrupted);
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn a_recording_tells_requests_apart_by_method_body_condition_and_headers() {
    let server = Server::new(|asked, stream| match asked.header("if-none-match") {
        Some(_) => reply(stream, "304 Not Modified", &[], b""),
        None => echo(asked, stream),
    });
    let path = file("recorded-post");
    let url = server.url("/");
    let post = |body: &str| Request::post(url.as_str(), "text/plain", body.as_bytes().to_vec()).unwrap();
    let get = || Request::get(url.as_str());
    let conditional = Request { condition: Some(Condition::NoneMatch("\"1\"".to_owned())), ..get() };
    let requests = [post("one"), post("two"), get(), conditional, get().header("Accept", "a/b").unwrap(), post("one")];
    let answers = |client: &Client| -> Vec<(u16, String)> {
        requests.iter().map(|request| client.fetch(request).unwrap()).map(|own| (own.status, text(own))).collect()
    };
    let live = answers(&client(&url, recorded(&path)));
    assert_eq!(live[0], (200, "POST text/plain - */*\none".to_owned()));
    assert_eq!((live[2].0, live[3].0), (200, 304));
    assert_eq!(answers(&client(&url, replayed(&path))), live);
    assert_eq!(server.seen().len(), requests.len());
    let missing = client(&url, replayed(&path)).fetch(&post("three")).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::NotRecorded);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_recording_has_nothing_of_a_callers_credentials() {
    let server = Server::new(echo);
    let path = file("recorded-secret");
    let request = |token: &str| Request::get(server.url("/")).header("Authorization", token).unwrap();
    client(&server.url("/"), recorded(&path)).fetch(&request("Bearer one")).map(text).unwrap();
    assert_eq!(server.seen()[0].header("authorization"), Some("Bearer one"));
    assert!(!std::fs::read_to_string(&path).unwrap().contains("requestHeaders"));
    // The same request with another token has the same response.
    assert!(client(&server.url("/"), replayed(&path)).fetch(&request("Bearer two")).is_ok());
    std::fs::remove_file(path).unwrap();
}
