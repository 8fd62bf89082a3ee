//! `resourcesync serve`: a published folder over HTTP.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

use crate::bench::Bench;

/// The running command, which is ended with the test.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(bench: &Bench, folder: &str) -> Served {
        let mut command = bench.command(&["serve", folder, "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("not for production"), "{line}");
        let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Served { child, address }
    }

    /// The head and the body of an answer.
    fn get(&self, path: &str, fields: &str) -> (String, Vec<u8>) {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: x\r\n{fields}\r\n"))
    }

    fn send(&self, request: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 4..].to_vec())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn a_published_folder_is_served_with_ranges_conditions_and_compression() {
    let bench = Bench::new("serve");
    bench.put("secret", "secret").put("files/a.bin", "0123456789");
    bench.run(&["build", "files", "--base-uri", "https://example.com/", "--out", "public"]).ends(0);
    bench.put("public/sub/a.bin", "0123456789");
    let served = Served::start(&bench, "public");
    let list = bench.read("public/resourcelist.xml");
    let (head, body) = served.get("/resourcelist.xml", "");
    assert!(head.starts_with("HTTP/1.1 200 ") && body == list.as_bytes(), "{head}");
    assert_eq!(field(&head, "Content-Type"), Some("application/xml"));
    let tag = field(&head, "ETag").unwrap().to_owned();
    let (head, body) = served.get("/resourcelist.xml", &format!("If-None-Match: {tag}\r\n"));
    assert!(head.starts_with("HTTP/1.1 304 ") && body.is_empty(), "{head}");
    let (head, body) = served.get("/resourcelist.xml", "Accept-Encoding: gzip\r\n");
    assert!(field(&head, "Content-Encoding") == Some("gzip") && body.starts_with(&[0x1f, 0x8b]), "{head}");
    let (head, _) = served.get("/.well-known/resourcesync", "");
    assert_eq!(field(&head, "Content-Type"), Some("application/xml"));
    let (head, body) = served.get("/sub/a.bin", "Range: bytes=2-4\r\n");
    assert!(head.starts_with("HTTP/1.1 206 ") && body == b"234", "{head}");
    assert_eq!(field(&head, "Content-Range"), Some("bytes 2-4/10"));
    assert!(served.get("/sub/a.bin", "Range: bytes=10-\r\n").0.starts_with("HTTP/1.1 416 "));
    let (head, body) = served.send("HEAD /sub/a.bin HTTP/1.1\r\n\r\n");
    assert!(field(&head, "Content-Length") == Some("10") && body.is_empty(), "{head}");
    let (head, body) = served.send("HEAD /resourcelist.xml HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n");
    assert!(field(&head, "Content-Encoding") == Some("gzip") && body.is_empty(), "{head}");
    let (head, body) = served.send("HEAD /none HTTP/1.1\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 404 ") && body.is_empty(), "{head}");
    assert!(served.get(&format!("http://{}/sub/a.bin", served.address), "").0.starts_with("HTTP/1.1 200 "));
    for path in ["/../secret", "/%2e%2e/secret", "/none", "/sub"] {
        assert!(served.get(path, "").0.starts_with("HTTP/1.1 404 "), "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret", bench.path("public/link")).unwrap();
        assert!(served.get("/link", "").0.starts_with("HTTP/1.1 404 "));
        // One that is opened waits for its other end.
        assert!(std::process::Command::new("mkfifo").arg(bench.path("public/pipe")).status().unwrap().success());
        assert!(served.get("/pipe", "").0.starts_with("HTTP/1.1 404 "));
        std::fs::remove_file(bench.path("public/pipe")).unwrap();
    }
    assert!(served.send("POST / HTTP/1.1\r\n\r\n").0.starts_with("HTTP/1.1 405 "));
    // What is published meanwhile is served.
    bench.put("files/b.bin", "b");
    bench.run(&["build", "files", "--base-uri", "https://example.com/", "--out", "public"]).ends(0);
    assert!(String::from_utf8(served.get("/changelist.xml", "").1).unwrap().contains("b.bin"));
    assert!(bench.run(&["serve", "none"]).ends(2).err.contains("none is not a folder"));
}
