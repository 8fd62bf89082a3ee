//! Report outputs and formats.

use std::{fs, process::Stdio};

use resourcesync::report::Format;

use resourcesync_tests::{
    package::{Raw, Zip, manifest},
    server::{Server, reply},
};

use crate::bench::{Bench, gzip, list, wrong};

#[cfg(unix)]
#[test]
fn an_output_that_is_an_input_is_rejected_before_anything_is_read() {
    let bench = Bench::new("outputs-inputs");
    let text = list(2);
    bench.put("in.xml", &text).put("folder/in.xml", &text).put("paths", "in.xml\n");
    std::os::unix::fs::symlink("in.xml", bench.path("symbolic.xml")).unwrap();
    fs::hard_link(bench.path("in.xml"), bench.path("hard.xml")).unwrap();
    let json = ["validate", "--format", "json", "--output"];
    for (output, inputs) in [
        ("in.xml", &["in.xml"][..]),
        ("symbolic.xml", &["in.xml"]),
        ("hard.xml", &["in.xml"]),
        ("in.xml", &["symbolic.xml"]),
        ("./folder/../in.xml", &["folder/in.xml", "in.xml"]),
        ("folder/in.xml", &["folder"]),
        ("in.xml", &["--files-from", "paths"]),
        ("paths", &["--files-from", "paths"]),
        ("folder/in.xml", &["--follow", "--base-uri", "http://example.com/", "folder"]),
    ] {
        let ran = bench.run(&[&json[..], &[output], inputs].concat()).ends(2);
        assert!(ran.err.contains("cannot be an output"), "{ran:?}");
    }
    let rest: [&[&str]; 5] = [
        &["diff", "in.xml", "folder/in.xml", "--output", "in.xml"],
        &["diff", "folder", "in.xml", "--output", "folder/in.xml"],
        &["fix", "in.xml", "--output", "hard.xml"],
        &["build", "folder", "--base-uri", "https://example.com/", "--out", "folder"],
        &["dump", "folder", "--base-uri", "https://example.com/", "--out", "./folder"],
    ];
    for args in rest {
        let ran = bench.run(args).ends(2);
        assert!(ran.err.contains("input"), "{ran:?}");
    }
    for file in ["in.xml", "hard.xml", "symbolic.xml", "folder/in.xml"] {
        assert_eq!(bench.read(file), text, "{file}");
    }
    assert_eq!(bench.read("paths"), "in.xml\n");
    // A new file in a folder that is validated replaces nothing.
    bench.run(&[&json[..], &["folder/report.json", "folder"]].concat()).ends(0);
}

#[test]
fn formats_go_where_they_are_told() {
    let bench = Bench::new("outputs-pairs");
    bench.put("a.xml", wrong());
    let ran = bench
        .run(&["validate", "--format", "json", "--output", "r.json", "--format", "sarif", "-o", "r.sarif", "a.xml"])
        .ends(1);
    assert!(ran.out.contains("error[RL-03]"), "the text still goes to standard output: {ran:?}");
    assert_eq!(bench.read("r.json"), bench.run(&["validate", "--format", "json", "a.xml"]).out);
    assert!(bench.read("r.sarif").contains("\"2.1.0\""));
    let ran = bench.run(&["validate", "--format", "json", "--format", "text", "--output", "r.txt", "a.xml"]).ends(1);
    assert_eq!(ran.out, bench.read("r.json"));
    assert!(bench.read("r.txt").contains("error[RL-03]"));
    for format in Format::ALL.iter().map(|format| format.as_str()) {
        assert!(!bench.run(&["validate", "--format", format, "a.xml"]).ends(1).out.is_empty(), "{format}");
    }
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_old_one() {
    let bench = Bench::new("outputs-atomic");
    bench.put("a.xml", list(1)).put("r.json", "old").put("folder/x", "");
    for place in ["no/such/r.json", "folder", "a.xml/r.json"] {
        let ran = bench.run(&["validate", "--format", "json", "--output", place, "a.xml"]).ends(2);
        assert!(ran.err.contains("cannot be written") && ran.out.is_empty(), "{ran:?}");
    }
    bench.run(&["validate", "--format", "json", "--output", "r.json", "a.xml"]).ends(0);
    assert!(bench.read("r.json").starts_with('{'));
    let left: Vec<_> = fs::read_dir(bench.path(".")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_report_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let bench = Bench::new("outputs-link");
    bench.put("a.xml", list(1)).put("real/r.json", "old");
    fs::set_permissions(bench.path("real/r.json"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/r.json", bench.path("r.json")).unwrap();
    bench.run(&["validate", "--format", "json", "--output", "r.json", "a.xml"]).ends(0);
    assert!(bench.path("r.json").is_symlink());
    assert!(bench.read("real/r.json").starts_with('{'));
    assert_eq!(fs::metadata(bench.path("real/r.json")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let bench = Bench::new("outputs-full");
    bench.put("a.xml", list(1)).put("b.xml", wrong());
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    for args in [
        &["validate", "a.xml"] as &[&str],
        &["rules"],
        &["explain", "RL-03"],
        &["completions", "bash"],
        &["man"],
        &["--version"],
    ] {
        let output = bench.command(args).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("no space left on the device"), "{args:?}");
    }
    let output = bench.command(&["validate", "b.xml"]).stdout(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "findings take precedence: {output:?}");
    let ran = bench.run(&["validate", "--format", "json", "--output", "/dev/full", "a.xml"]).ends(2);
    assert!(ran.out.contains("VALID"), "other outputs are written: {ran:?}");
    bench.run(&["validate", "--format", "json", "--output", "/dev/null", "a.xml"]).ends(0);
    assert!(fs::metadata("/dev/null").unwrap().len() == 0);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_changes_nothing() {
    let bench = Bench::new("outputs-pipe");
    bench.put("a.xml", wrong());
    for (args, status) in [(&["validate", "a.xml"] as &[&str], 1), (&["rules", "--format", "json"], 0)] {
        let mut child = bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(status), 0), "{args:?}");
    }
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let bench = Bench::new("outputs-color");
    bench.put("a.xml", wrong());
    let coloured = |args: &[&str], set: &[(&str, &str)]| {
        let output = bench.command(args).envs(set.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    let plain = ["validate", "a.xml"];
    let always = ["validate", "--color", "always", "a.xml"];
    assert!(!coloured(&plain, &[]));
    assert!(coloured(&plain, &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&plain, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&always, &[("NO_COLOR", "1")]), "what is asked for on the command line wins");
    assert!(!coloured(&["validate", "--color", "never", "a.xml"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["validate", "--color", "always", "--format", "json", "a.xml"], &[]));
    bench.run(&["validate", "--color", "sometimes", "a.xml"]).ends(2);
}

#[test]
fn quiet_says_nothing_when_all_is_well() {
    let bench = Bench::new("outputs-quiet");
    bench.put("a.xml", list(1)).put("b.xml", wrong());
    assert_eq!(bench.run(&["validate", "-q", "a.xml"]).ends(0).out, "");
    assert!(bench.run(&["validate", "-q", "b.xml"]).ends(1).out.contains("RL-03"));
    assert!(!bench.run(&["validate", "-q", "no.xml"]).ends(2).out.is_empty());
    assert!(bench.run(&["validate", "-q", "--format", "json", "a.xml"]).ends(0).out.starts_with('{'));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let bench = Bench::new("outputs-same");
    for number in 0..30 {
        let xml = if number % 3 == 0 { wrong() } else { list(number * 40) };
        bench.put(&format!("site/{number}.xml"), &xml).put(&format!("site/{number}.xml.gz"), gzip(xml.as_bytes()));
    }
    bench.put("site/feed.xml", "<rss/>");
    let report = |jobs| bench.run(&["validate", "--format", "json", "--jobs", jobs, "site", "no.xml"]).ends(1).out;
    let first = report("1");
    assert!(["1", "2", "8"].iter().all(|jobs| report(jobs) == first));
}

#[test]
fn a_baseline_leaves_what_is_new() {
    let bench = Bench::new("outputs-baseline");
    bench.put("a.xml", wrong());
    bench.run(&["validate", "--format", "json", "--output", "before.json", "a.xml"]).ends(1);
    let report = bench.run(&["validate", "--format", "json", "--baseline", "before.json", "a.xml"]).ends(0).json();
    assert_eq!((report["summary"]["errors"].as_u64(), report["summary"]["suppressed"].as_u64()), (Some(0), Some(1)));
    bench.put("a.xml", wrong().replacen("http://example.com/0", "nowhere", 1));
    let report = bench.run(&["validate", "--format", "json", "--baseline", "before.json", "a.xml"]).ends(1).json();
    assert_eq!(report["summary"]["errors"], 1);
    bench.put("b.xml", list(3).replace("http://example.com/", "x"));
    bench.run(&["validate", "--format", "json", "--output", "part.json", "--max-per-rule", "1", "b.xml"]).ends(1);
    for place in ["no.json", "a.xml", "part.json"] {
        let ran = bench.run(&["validate", "--baseline", place, "a.xml"]).ends(2);
        assert!(ran.err.contains("the baseline") && ran.out.is_empty(), "{ran:?}");
    }
}

#[test]
fn as_many_findings_as_asked_for() {
    let bench = Bench::new("outputs-max");
    bench.put("a.xml", list(300).replace("http://example.com/", "x"));
    let stored = |more: &[&str]| {
        let args: Vec<_> = ["validate", "--format", "json", "a.xml"].iter().chain(more).copied().collect();
        let report = bench.run(&args).ends(1).json();
        assert!(report["summary"]["errors"].as_u64().unwrap() >= 300);
        let groups = report["groups"].as_array().unwrap().clone();
        groups.iter().find(|group| group["code"] == "GEN-11").unwrap()["stored"].as_u64().unwrap()
    };
    assert_eq!(stored(&[]), 100);
    assert_eq!(stored(&["--max-per-rule", "7"]), 7);
    assert_eq!(stored(&["--max-per-rule", "0"]), 300);
    let shown = |more: &[&str]| {
        let args: Vec<_> = ["validate", "a.xml"].iter().chain(more).copied().collect();
        bench.run(&args).ends(1).out.matches("error[GEN-11]").count()
    };
    assert_eq!(shown(&[]), 5);
    assert_eq!(shown(&["--max-per-rule", "7"]), 7);
    assert_eq!(shown(&["--max-per-rule", "0"]), 300);
}

#[test]
fn no_json_of_any_command_has_characters_that_a_terminal_obeys() {
    const WILD: &str = "\u{9b}31m\u{85}\u{202e}";
    const ESCAPED: &str = "\\u009b31m\\u0085\\u202e";
    let bench = Bench::new("outputs-escaped");
    let member = [Raw::deflated("manifest.xml", manifest("").as_bytes()), Raw::stored(&format!("a{WILD}"), b"x")];
    bench.put("part1.zip", Zip::build(&member).bytes).put("files/1", "1");
    let sets = format!(
        r#"<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2024-05-01T00:00:00Z</responseDate>
<request verb="ListSets">http://127.0.0.1/</request><ListSets><set><setSpec>a</setSpec><setName>{WILD}</setName></set></ListSets></OAI-PMH>"#
    );
    let server = Server::new(move |_, stream| reply(stream, "200 OK", &["Content-Type: text/xml"], sets.as_bytes()));
    let url = server.url("/oai");
    let missing = format!("no{WILD}");
    for args in [
        &["list", "part1.zip", "--format", "json"] as &[&str],
        &[
            "build",
            "files",
            "--base-uri",
            "https://a.example/",
            "--out",
            "public",
            "--type-map",
            &missing,
            "--format",
            "json",
        ],
        &[
            "dump",
            "files",
            "--base-uri",
            "https://a.example/",
            "--out",
            "d",
            "--type-map",
            &missing,
            "--format",
            "json",
        ],
        &["oai", "list", "--sets", "--format", "json", "--skip-waits", &url],
    ] {
        let ran = bench.run(args);
        let wild = ran.out.chars().find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
        assert!(ran.out.contains(ESCAPED) && wild.is_none(), "{ran:?}");
    }
}

#[test]
fn all_findings_are_streamed_with_the_bytes_of_a_whole_report() {
    let bench = Bench::new("outputs-streamed");
    for number in 0..12 {
        let xml =
            list(number * 30).replace("http://example.com/", if number % 3 == 0 { "x" } else { "http://example.com/" });
        bench.put(&format!("site/{number}.xml"), xml.replace("<url>", "<url x='y'>"));
    }
    bench.put("site/feed.xml", "<rss/>").put("site/part1.zip", resourcesync_tests::package::package("unlisted"));
    bench
        .put("site/empty.xml", list(3))
        .put("resourcesync.toml", "[validate]\nignore = ['RL']")
        .put("site/b.xml", wrong());
    for format in ["json", "ndjson", "text"] {
        let run = |more: &[&str]| {
            let args = ["validate", "--max-per-rule", "0", "site", "no.xml", "--format", format];
            bench.run(&[&args, more].concat()).ends(1)
        };
        // CSV needs all findings at once.
        run(&["--output", "whole", "--format", "csv"]);
        let streamed = run(&[]);
        assert_eq!(streamed.out, bench.read("whole"), "{format}");
        assert!(streamed.out.matches("GEN-11").count() > 500, "{format}");
        run(&["--output", "file", "--format", if format == "json" { "ndjson" } else { "json" }]);
        assert_eq!(bench.read("file"), streamed.out, "{format}");
    }
    bench.put("clean/a.xml", list(2));
    let report = bench.run(&["validate", "--no-config", "--max-per-rule", "0", "--format", "json", "clean"]).ends(0);
    assert_eq!(report.json()["diagnostics"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_url_is_rejected_by_name_where_only_files_are_read() {
    let bench = Bench::new("outputs-urls");
    bench.put("a.xml", list(1));
    let url = "https://example.com/a.xml";
    for args in [&["fix", url] as &[&str], &["diff", url, "a.xml"], &["diff", "a.xml", url]] {
        let ran = bench.run(args).ends(2);
        assert_eq!(
            ran.err,
            format!(
                "error: {url} is a URL; download it first (`validate`, `list`, `extract`, `sync` and `oai` accept URLs)\n"
            )
        );
    }
}
