//! Memory: it grows neither with the number of listed resources nor with bodies, while the system limits it.

use std::{io::Write, net::TcpStream, process::Command};

use resourcesync_tests::server::{Server, reply};

use super::FAST;
use crate::bench::{Bench, Ran, gzip};

/// The limit of memory that a run may fill, SQLite and the stacks of threads included.
const FILLED: u64 = 64 << 20;
/// Members of the index, and entries of each: a million in release builds.
const LISTS: usize = if cfg!(debug_assertions) { 3 } else { 20 };
const ENTRIES: usize = if cfg!(debug_assertions) { 20_000 } else { 50_000 };
/// Bytes after which a body without a listed length ends at its limit.
const BODY: usize = 2 * FILLED as usize;

const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

fn limited(bench: &Bench, args: &[&str]) -> Ran {
    let own = bench.command(&[&["sync"], &FAST[..], args].concat());
    let mut command = Command::new("prlimit");
    command.arg(format!("--data={FILLED}")).arg(own.get_program()).args(own.get_args());
    command.current_dir(bench.path("."));
    command.output().unwrap().into()
}

fn chunked(stream: &mut TcpStream, parts: impl Iterator<Item = String>) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    for part in parts {
        write!(stream, "{:x}\r\n{part}\r\n", part.len())?;
    }
    stream.write_all(b"0\r\n\r\n")
}

fn list(base: &str, entries: &str) -> String {
    format!(
        "<urlset {HEAD}><rs:md capability=\"resourcelist\" at=\"2024-05-01T00:00:00Z\"/>{}</urlset>",
        entries.replace("{base}", base)
    )
}

#[test]
fn a_million_listed_resources_take_no_more_memory_than_a_few() {
    let bench = Bench::new("sync-bounds-listed");
    let server = Server::new(move |asked, stream| {
        let base = format!("http://{}", asked.header("host").unwrap());
        if asked.path == "/index" {
            let member = |at| format!("<sitemap><loc>{base}/{at}</loc></sitemap>");
            let members: String = (0..LISTS).map(member).collect();
            let page = list("", &members).replace("urlset", "sitemapindex");
            return reply(stream, "200 OK", &[], page.as_bytes());
        }
        let Ok(at) = asked.path.trim_start_matches('/').parse::<usize>() else {
            return reply(stream, "404 Not Found", &[], b"");
        };
        let frame = list("", "");
        let (head, tail) = frame.split_at(frame.len() - "</urlset>".len());
        let entries = (0..ENTRIES).map(|number| {
            let number = at * ENTRIES + number;
            format!(
                "<url><loc>{base}/r/{number:07}</loc><rs:md hash=\"md5:{number:032x}\" length=\"{}\"/></url>",
                number % 1_000
            )
        });
        chunked(stream, [head.to_owned()].into_iter().chain(entries).chain([tail.to_owned()]))
    });
    let args = ["--max-bytes", "0", "--format", "json", &server.url("/index"), "copy"];
    let report = limited(&bench, &args).ends(2).json();
    assert_eq!(report["plan"]["requests"], LISTS * ENTRIES, "{report:#}");
    assert_eq!(report["counts"]["left"], LISTS * ENTRIES);
}

#[test]
fn bodies_without_end_take_no_memory_and_leave_nothing() {
    let bench = Bench::new("sync-bounds-endless");
    let bomb = gzip(&vec![0; 16 << 20]);
    let server = Server::new(move |asked, stream| {
        let base = format!("http://{}", asked.header("host").unwrap());
        let endless = |part: String| std::iter::repeat_n(part, usize::MAX);
        match &*asked.path {
            "/list" => {
                let entries = "<url><loc>{base}/listed</loc><rs:md length=\"10\"/></url><url><loc>{base}/unlisted</loc></url><url><loc>{base}/bomb</loc></url>";
                reply(stream, "200 OK", &[], list(&base, entries).as_bytes())
            }
            "/endless-list" => {
                let frame = list("", "");
                let head = frame.trim_end_matches("</urlset>").to_owned();
                chunked(stream, [head].into_iter().chain(endless(" ".repeat(16 << 10))))
            }
            "/bomb" => reply(stream, "200 OK", &["Content-Encoding: gzip"], &bomb),
            _ => chunked(stream, endless("x".repeat(16 << 10))),
        }
    });
    let body = format!("http_body_bytes={BODY}");
    let limits = ["--limit", &body, "--limit", "http_retries=0", "--format", "json"];
    let list = server.url("/list");
    let report = limited(&bench, &[&limits[..], &[&list, "copy"]].concat()).ends(2).json();
    assert_eq!((&report["counts"]["failed"], &report["held"]["resources"]), (&3.into(), &0.into()), "{report:#}");
    assert_eq!(std::fs::read_dir(bench.path("copy/.resourcesync/staging")).unwrap().count(), 0);
    let document = ["--limit", "document_bytes=33554432"];
    let list = server.url("/endless-list");
    let report = limited(&bench, &[&limits[..], &document, &[&list, "other"]].concat()).ends(2).json();
    assert_eq!((&report["documents"][0]["status"], &report["held"]["resources"]), (&"unread".into(), &0.into()));
}
