//! Servers with TLS.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    sync::Arc,
    thread,
};

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use crate::bench::{Bench, list};
use resourcesync_tests::server::Server;

const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command/http/tls/ca.pem");
const CERTIFICATE: &[u8] = include_bytes!("tls/server.pem");
const KEY: &[u8] = include_bytes!("tls/server.key");

/// Serves a document over TLS, or a redirect; returns the port.
fn serve(redirect: Option<String>) -> u16 {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap();
    let config = Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(config.clone()).unwrap();
            let mut stream = BufReader::new(StreamOwned::new(connection, stream.unwrap()));
            let mut line = String::new();
            // A client that does not trust the certificate disconnects before its request.
            while stream.read_line(&mut line).is_ok_and(|length| length > 2) {
                line.clear();
            }
            let body = list(6);
            let answer = match &redirect {
                Some(to) => format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"),
                None => format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
            };
            let _ = stream.get_mut().write_all(answer.as_bytes());
            stream.get_mut().conn.send_close_notify();
            let _ = stream.get_mut().flush();
        }
    });
    port
}

#[test]
fn only_a_certificate_of_a_trusted_authority_for_that_host_is_taken() {
    let bench = Bench::new("tls-trust");
    let port = serve(None);
    let url = format!("https://localhost:{port}/list.xml");
    let ran = bench.run(&["validate", &url]).ends(2);
    assert!(ran.out.contains("TLS: invalid peer certificate"), "{ran:?}");
    let report = bench.run(&["validate", "--format", "json", "--ca-file", AUTHORITY, &url]).ends(0).json();
    assert_eq!(report["inputs"][0]["entries"], 6);
    let other = format!("https://127.0.0.2:{port}/list.xml");
    bench.run(&["validate", "--ca-file", AUTHORITY, &other, "--limit", "http_retries=0"]).ends(2);
    bench.put("empty.pem", "").put("wrong.pem", "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n");
    for file in ["empty.pem", "wrong.pem", "missing.pem"] {
        let ran = bench.run(&["validate", "--ca-file", file, &url]).ends(2);
        assert!(ran.err.contains("--ca-file"), "{ran:?}");
    }
}

#[test]
fn a_server_that_does_not_shake_hands_is_given_up() {
    let bench = Bench::new("tls-silent");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/list.xml", listener.local_addr().unwrap());
    let limits = ["--limit", "http_connect_seconds=1", "--limit", "http_retries=0"];
    let ran = bench.run(&[&["validate", &url][..], &limits[..]].concat()).ends(2);
    assert!(ran.out.contains("connect timeout after 1 s (limit http_connect_seconds)"), "{ran:?}");
}

#[test]
fn a_redirect_from_https_to_http_is_not_followed() {
    let bench = Bench::new("tls-downgrade");
    let plain = Server::of([("/list.xml", list(1).into_bytes())]);
    let port = serve(Some(plain.url("/list.xml")));
    let url = format!("https://localhost:{port}/list.xml");
    let ran = bench.run(&["validate", "--ca-file", AUTHORITY, "--allow-host", &plain.place(), &url]).ends(2);
    assert!(ran.out.contains("redirect from https to http is not followed"), "{ran:?}");
    assert!(plain.seen().is_empty());
    // A harvest does not either.
    let base = format!("https://localhost:{port}/oai");
    let ran = bench.run(&["oai", "harvest", "--ca-file", AUTHORITY, "--allow-host", &plain.place(), &base]).ends(2);
    assert!(ran.err.contains("redirect from https to http is not followed"), "{ran:?}");
    assert!(plain.seen().is_empty());
}

#[test]
fn a_server_without_tls_is_told_from_one_with_it() {
    let bench = Bench::new("tls-none");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/list.xml", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream.read_exact(&mut [0; 16]).unwrap();
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
        }
    });
    let ran = bench.run(&["validate", &url, "--limit", "http_retries=0"]).ends(2);
    assert!(ran.out.contains("TLS: "), "{ran:?}");
}
