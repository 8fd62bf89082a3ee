//! Runs the commands in the README files as printed, and compares tables in the documentation with the code.

use std::{fs, path::Path};

use crate::{bench::Bench, build::flawless};

/// A code block: its language and its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    for (at, part) in page.split("```").enumerate() {
        if at % 2 == 1 {
            blocks.push(part.split_once('\n').unwrap());
        }
    }
    blocks
}

/// Runs each `cargo run --release -- …` of a page in a copy of the sample documents. Returns their number.
fn run(name: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let bench = Bench::new(&format!("readme-{name}"));
    for sample in ["resourcelist.xml", "files/about.txt", "files/stations.csv"] {
        let path = Path::new("docs/samples").join(sample);
        bench.put(path.to_str().unwrap(), fs::read(root.join(&path)).unwrap());
    }
    let page = fs::read_to_string(root.join(name)).unwrap();
    let blocks = blocks(&page);
    let mut count = 0;
    for (at, (_, text)) in blocks.iter().enumerate().filter(|(_, (language, _))| *language == "sh") {
        let commands = text.lines().filter_map(|line| line.strip_prefix("cargo run --release -- "));
        for command in commands {
            let ran = bench.run(&command.split(' ').collect::<Vec<_>>());
            // The output that is shown ends with the verdict.
            match blocks.get(at + 1) {
                Some(("text", shown)) => assert_eq!((ran.out.as_str(), ran.status), (*shown, Some(1)), "{command}"),
                _ => assert_eq!(ran.status, Some(0), "{command}: {ran:#?}"),
            }
            count += 1;
        }
    }
    count
}

/// Compares a table of limits with their defaults: rows that begin with the name and the default.
fn documents(page: &str, names: &[&str], default: impl Fn(&str) -> Option<u64>) {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page)).unwrap();
    for name in names {
        let row = text.lines().find_map(|line| line.strip_prefix(&format!("| `{name}` | ")));
        let shown = row.and_then(|row| row.split(" |").next()).unwrap_or_else(|| panic!("{name} is not in {page}"));
        let (number, unit) = shown.split_once(' ').unwrap_or((shown, ""));
        let unit = ["", "KiB", "MiB", "GiB"].iter().position(|known| *known == unit).unwrap();
        let value = number.replace(',', "").parse::<u64>().ok().map(|number| number << (10 * unit));
        assert_eq!(value, default(name), "{name} in {page}");
    }
}

#[test]
fn every_limit_of_http_and_of_harvests_is_documented_with_its_default() {
    let http = resourcesync_client::http::Limits::default();
    documents("docs/http.md", resourcesync_client::http::Limits::NAMES, |name| http.get(name));
    let oai = resourcesync_oai::limits::Limits::default();
    documents("docs/oai.md", resourcesync_oai::limits::Limits::NAMES, |name| oai.get(name));
}

/// The code blocks of a page without the comments of its shell commands, which are in its language.
fn examples(name: &str) -> Vec<String> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap();
    let without_comment = |line: &str| line.split("  # ").next().unwrap_or_default().trim_end().to_owned();
    let lines = |text: &str| text.lines().map(without_comment).collect::<Vec<_>>().join("\n");
    blocks(&page).into_iter().map(|(language, text)| format!("{language}\n{}", lines(text))).collect()
}

#[test]
fn a_page_has_the_same_examples_in_both_languages() {
    for name in ["build", "ci", "sidecars", "python/django", "python/flask", "python/invenio"] {
        let (english, japanese) = (examples(&format!("docs/{name}.md")), examples(&format!("docs/{name}.ja.md")));
        assert!(!english.is_empty());
        assert_eq!(english, japanese, "docs/{name}.md");
    }
}

/// The value in backticks that is the last one of a text.
fn named(text: &str) -> &str {
    text.rsplit('`').nth(1).unwrap()
}

#[test]
fn the_three_ways_to_publish_run_as_printed_in_both_languages() {
    for name in ["docs/build.md", "docs/build.ja.md"] {
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap();
        let start = page.split("\n## ").next().unwrap();
        let bench = Bench::new(&format!("three-ways{}", name.len()));
        bench.put("files/report.pdf", b"one");
        let mut commands = 0;
        let parts: Vec<&str> = start.split("```").collect();
        for pair in parts.chunks_exact(2) {
            let (language, text) = pair[1].split_once('\n').unwrap();
            match language {
                "sh" => {
                    let command = text.trim_end().strip_prefix("resourcesync ").unwrap();
                    bench.run(&command.split(' ').collect::<Vec<_>>()).ends(0);
                    commands += 1;
                }
                "csv" => {
                    bench.put(named(pair[0]), text);
                }
                _ => panic!("{language} in {name}"),
            }
        }
        assert_eq!(commands, 3, "{name}");
        for folder in ["public", "catalogue"] {
            flawless(&bench, folder);
        }
        let changes = bench.read("catalogue/changelist.xml");
        assert!(changes.contains("change=\"created\"") && changes.contains("change=\"deleted\""), "{changes}");
    }
}

#[test]
fn the_commands_in_the_readme_run_as_printed() {
    assert_eq!(run("README.md"), 4);
}

#[test]
fn the_commands_in_the_japanese_readme_run_as_printed() {
    assert_eq!(run("README.ja.md"), 4);
}
