//! File systems that are full or read-only: old copies stay, staging is cleared, and the next run goes on.

use std::{collections::BTreeMap, fs};

use resourcesync_tests::server::{Server, reply};

use super::{FAST, tree};
use crate::bench::Bench;

/// The size of the file system.
const ROOM: usize = 1 << 20;

/// Serves lists `/first`, `/second` (with lengths) and `/third` (without), and resources `/r/N`; a list is at `/list` when its name is in the file
/// `now`.
fn serve(bench: &Bench) -> Server {
    let now = bench.path("now");
    Server::new(move |asked, stream| {
        let base = format!("http://{}", asked.header("host").unwrap());
        let state = fs::read_to_string(&now).unwrap();
        if asked.path != "/list" {
            let number = asked.path.trim_start_matches("/r/").parse().unwrap();
            return reply(stream, "200 OK", &[], &body(number, &state));
        }
        let mut page = String::from(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">"#,
        );
        let minute = ["first", "second", "third"].iter().position(|name| *name == state).unwrap();
        page += &format!("<rs:md capability=\"resourcelist\" at=\"2024-05-01T00:{minute:02}:00Z\"/>");
        for number in 0..8 {
            let length = body(number, &state).len();
            let listed = if state == "third" { String::new() } else { format!("<rs:md length=\"{length}\"/>") };
            page += &format!(
                "<url><loc>{base}/r/{number}</loc><lastmod>2024-05-01T00:{minute:02}:00Z</lastmod>{listed}</url>"
            );
        }
        page += "</urlset>";
        reply(stream, "200 OK", &[], page.as_bytes())
    })
}

/// All bodies of `first` fit; two of the others do not.
fn body(number: usize, state: &str) -> Vec<u8> {
    let length = if state == "first" { 10_000 } else { ROOM * 2 / 3 };
    format!("{state} {number} ").repeat(length / 8).into_bytes()
}

#[test]
fn a_file_system_that_is_full_or_read_only_keeps_the_old_copies() {
    let bench = Bench::new("sync-full");
    let server = serve(&bench);
    let list = server.url("/list");
    let tool = bench.command(&[]).get_program().to_str().unwrap().to_owned();
    // Each step: what is listed, the status, and a copy of the folder afterwards. The file system exists in this process only.
    let script = format!(
        "set -u; mkdir disk; mount -t tmpfs -o size={ROOM} tmpfs disk
        step() {{ printf %s \"$1\" >now; '{tool}' sync {} --limit http_retries=0 --format json '{list}' disk/copy >\"$2.json\" 2>\"$2.err\"
            echo $? >\"$2.status\"; cp -a disk/copy \"$2\"; }}
        step first a; step second b; step third c
        mount -o remount,ro disk; step third d
        mount -o remount,rw,size={}m disk; step third e",
        FAST.join(" "),
        (16 * ROOM) >> 20
    );
    bench.with_own_mounts(&script);
    let status = |step: &str| bench.read(&format!("{step}.status")).trim().parse::<i32>().unwrap();
    let held = |step: &str| -> BTreeMap<String, Vec<u8>> {
        let files = tree(&bench.path(step)).into_iter();
        files.filter(|(name, _)| !name.starts_with(".resourcesync")).collect()
    };
    let report = |step: &str| serde_json::from_str::<serde_json::Value>(&bench.read(&format!("{step}.json"))).unwrap();
    let is_staged = |step: &str| tree(&bench.path(&format!("{step}/.resourcesync/staging"))).len();
    assert_eq!((status("a"), held("a").len()), (0, 8));
    // What is listed does not fit, so nothing is requested.
    assert_eq!((status("b"), held("b")), (2, held("a")), "{:#}", report("b"));
    let codes = |step: &str| report(step)["diagnostics"][0]["code"].as_str().unwrap().to_owned();
    assert_eq!((codes("b"), &report("b")["bytes"]), ("SYN-15".to_owned(), &0.into()));
    // Without lengths, that is found out when the disk is full.
    assert_eq!(status("c"), 2, "{:#}", report("c"));
    assert_eq!((codes("c"), is_staged("c")), ("SYN-15".to_owned(), 0));
    for (name, now) in held("c") {
        let number = name.rsplit('/').next().unwrap().parse().unwrap();
        assert!([body(number, "first"), body(number, "third")].contains(&now), "{name}");
    }
    assert_eq!((held("c").len(), status("d"), held("d")), (8, 2, held("c")));
    assert_eq!((status("e"), held("e").len()), (0, 8), "{:#}", report("e"));
    assert!(held("e").values().all(|now| now.starts_with(b"third")));
}
