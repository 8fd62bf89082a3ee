//! Publishing does not lose data: what is incomplete, foreign or damaged leaves the published Source as it was.

use std::fs;

use crate::{
    bench::{Bench, Ran},
    build::{build, flawless, tree},
};

/// A CSV inventory of so many resources.
fn csv(resources: u64) -> String {
    let mut text = String::from("uri,md5,length\n");
    for number in 0..resources {
        text.push_str(&format!("https://example.com/{number},{number:032x},{number}\n"));
    }
    text
}

/// The same as lines of JSON.
fn jsonl(resources: u64) -> String {
    let line = |number| format!("{{\"uri\":\"https://example.com/{number}\",\"length\":{number}}}\n");
    (0..resources).map(line).collect()
}

/// Publishes an inventory that comes through a pipe.
fn pipe(bench: &Bench, how: &str, input: &str, more: &[&str]) -> Ran {
    let args = ["build", how, "-", "--base-uri", "https://example.com/", "--out", "public", "--quiet"];
    let args: Vec<&str> = args.into_iter().filter(|arg| how != "--stdin" || *arg != "-").collect();
    bench.feed(&[&args[..], more].concat(), input.as_bytes())
}

/// Runs something that fails, and holds the published Source to be as it was.
#[track_caller]
fn refused(bench: &Bench, status: i32, said: &str, run: impl FnOnce() -> Ran) {
    let before = tree(&bench.path("public"));
    let ran = run().ends(status);
    assert!(ran.err.contains(said), "{said}: {ran:?}");
    assert_eq!(tree(&bench.path("public")), before, "the Source changed: {ran:?}");
    flawless(bench, "public");
}

#[test]
fn an_empty_input_publishes_nothing() {
    let bench = Bench::new("publishing-empty");
    pipe(&bench, "--from-csv", &csv(30), &[]).ends(0);
    refused(&bench, 2, "there is no header", || pipe(&bench, "--from-csv", "", &[]));
    refused(&bench, 2, "the input is empty", || pipe(&bench, "--from-jsonl", "", &[]));
    refused(&bench, 2, "the input is empty", || pipe(&bench, "--stdin", "\n", &[]));
    refused(&bench, 1, "30 of 30 published resources would be deleted", || pipe(&bench, "--from-csv", &csv(0), &[]));
    refused(&bench, 1, "--max-delete", || pipe(&bench, "--stdin", "#end\n", &["--end-marker", "#end"]));
    refused(&bench, 2, "there is no header", || {
        bench.run(&["build", "--from-csv", "/dev/null", "--base-uri", "https://example.com/", "--out", "public"])
    });
    pipe(&bench, "--from-csv", &csv(0), &["--max-delete", "100%"]).ends(0);
    assert!(!bench.read("public/resourcelist.xml").contains("<url>"));
    flawless(&bench, "public");

    let folder = Bench::new("publishing-empty-folder");
    for number in 0..3 {
        folder.put(&format!("files/{number}"), "text");
    }
    build(&folder, "09:00:00", &[]).ends(0);
    fs::rename(folder.path("files"), folder.path("mounted")).unwrap();
    fs::create_dir(folder.path("files")).unwrap();
    refused(&folder, 1, "3 of 3 published resources would be deleted", || build(&folder, "10:00:00", &[]));
    fs::remove_dir(folder.path("files")).unwrap();
    refused(&folder, 2, "could not be read", || build(&folder, "10:00:00", &[]));
}

#[test]
fn an_input_that_is_cut_off_publishes_nothing() {
    let bench = Bench::new("publishing-cut");
    pipe(&bench, "--from-csv", &csv(1000), &[]).ends(0);
    refused(&bench, 1, "101 of 1000 published resources would be deleted", || {
        pipe(&bench, "--from-csv", &csv(899), &[])
    });
    let text = csv(1000);
    let inside = text.get(..text.len() - 2).unwrap();
    refused(&bench, 2, "the last line has no line break", || pipe(&bench, "--from-csv", inside, &[]));
    let (marker, few) = (["--end-marker", "#end"], csv(995));
    refused(&bench, 2, "ends without the end marker `#end`", || pipe(&bench, "--from-csv", &few, &marker));
    refused(&bench, 2, "lines after the end marker", || {
        pipe(&bench, "--from-csv", &(csv(995) + "#end\nhttps://example.com/x,,1\n"), &marker)
    });
    refused(&bench, 1, "the input has 995 entries, not 1000", || {
        pipe(&bench, "--from-csv", &few, &["--expect-entries", "1000"])
    });
    refused(&bench, 1, "995 entries, less than 100%", || {
        pipe(&bench, "--from-csv", &few, &["--expect-entries", "100%"])
    });
    pipe(&bench, "--from-csv", &(csv(995) + "#end\n"), &["--end-marker", "#end", "--expect-entries", "99%"]).ends(0);
    assert_eq!(bench.read("public/changelist-1.xml").matches("change=\"deleted\"").count(), 5);

    let lines = Bench::new("publishing-cut-lines");
    pipe(&lines, "--from-jsonl", &(jsonl(50) + "#end\n"), &marker).ends(0);
    refused(&lines, 2, "ends without the end marker", || pipe(&lines, "--from-jsonl", &jsonl(49), &marker));
    refused(&lines, 1, "25 of 50 published resources would be deleted", || {
        pipe(&lines, "--from-jsonl", &jsonl(25), &[])
    });
    pipe(&lines, "--from-jsonl", &jsonl(25), &["--max-delete", "25"]).ends(0);
    flawless(&lines, "public");
}
