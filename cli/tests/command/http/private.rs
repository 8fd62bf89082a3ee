//! Credentials and proxies: headers for one server that must not reach another.

use std::io::Write;

use crate::bench::{Bench, list};
use resourcesync_tests::server::{Server, redirect, reply};

#[test]
fn a_header_goes_to_its_origin_and_nowhere_else() {
    let bench = Bench::new("http-secrets");
    let other = Server::of([("/list.xml", list(1).into_bytes())]);
    let to = other.url("/list.xml");
    let server = Server::new(move |asked, stream| match asked.path.as_str() {
        "/away" => redirect(stream, &to),
        _ => reply(stream, "200 OK", &["Set-Cookie: session=s3cret-cookie"], list(1).as_bytes()),
    });
    bench.put("token", "s3cret-token\n");
    let origin = server.url("");
    let (header, token) = (format!("{origin}=X-Key:env:OWN_KEY"), format!("{origin}=file:token"));
    let (here, away) = (server.url("/here"), server.url("/away"));
    let args = [
        "validate",
        "--format",
        "json",
        "--header",
        &header,
        "--token",
        &token,
        "--allow-host",
        &other.place(),
        "--record",
        "r.har",
        &here,
        &away,
    ];
    let output = bench.command(&args).env("OWN_KEY", "s3cret-key").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for asked in server.seen() {
        assert_eq!(asked.header("x-key"), Some("s3cret-key"));
        assert_eq!(asked.header("authorization"), Some("Bearer s3cret-token"));
    }
    let [asked] = other.seen().try_into().unwrap();
    assert_eq!((asked.header("x-key"), asked.header("authorization"), asked.header("cookie")), (None, None, None));
    for text in
        [bench.read("r.har"), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap()]
    {
        assert!(!text.contains("s3cret"), "{text}");
    }
}

#[test]
fn a_secret_that_is_wrongly_given_is_not_repeated() {
    let bench = Bench::new("http-wrong-secrets");
    for args in [
        ["--header", "http://127.0.0.1=s3cret"],
        ["--header", "http://127.0.0.1/path=X:s3cret"],
        ["--header", "http://127.0.0.1=Range:s3cret"],
        ["--token", "http://127.0.0.1=s3cret"],
        ["--proxy", "socks5://user:s3cret@127.0.0.1:1"],
        ["--proxy", "http://user:s3cret@"],
    ] {
        let ran = bench.run(&[&["validate", "http://127.0.0.1:1/"][..], &args[..]].concat()).ends(2);
        assert!(!ran.err.is_empty() && !ran.err.contains("s3cret") && ran.out.is_empty(), "{ran:?}");
    }
}

#[test]
fn a_proxy_is_gone_through_and_can_be_gone_round() {
    let bench = Bench::new("http-proxy");
    let proxy = Server::new(|asked, stream| match asked.method.as_str() {
        "CONNECT" => stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n"),
        _ => reply(stream, "200 OK", &[], list(5).as_bytes()),
    });
    let url = "http://repository.invalid/list.xml";
    let report = bench.run(&["validate", "--format", "json", "--proxy", &proxy.url(""), url]).ends(0).json();
    assert_eq!(report["inputs"][0]["entries"], 5);
    assert_eq!(proxy.paths(), ["repository.invalid:80", "/list.xml"]);
    let from_environment = |more: &[&str]| {
        let mut command = bench.command(&[&["validate", "--limit", "http_retries=0", url][..], more].concat());
        command.env("ALL_PROXY", proxy.url("")).output().unwrap().status.code()
    };
    assert_eq!((from_environment(&[]), from_environment(&["--proxy", "none"])), (Some(0), Some(2)));
    // A proxy does not circumvent the policy.
    let before = proxy.seen().len();
    let ran = bench
        .run(&["validate", "--proxy", &proxy.url(""), "--allow-host", "*", "http://u:p@repository.invalid/"])
        .ends(2);
    assert!(ran.err.contains("user name"), "{ran:?}");
    assert_eq!(proxy.seen().len(), before);
}
