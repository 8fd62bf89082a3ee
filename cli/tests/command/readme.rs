//! Runs the commands in the README files as printed, and compares tables in the documentation with the code.

use std::{fs, path::Path};

use crate::bench::Bench;

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
    // Exists once the command is built.
    fs::create_dir(bench.path("target")).unwrap();
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

#[test]
fn every_http_limit_is_documented_with_its_default() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/http.md")).unwrap();
    let limits = resourcesync_client::http::Limits::default();
    for name in resourcesync_client::http::Limits::NAMES {
        let row = page.lines().find_map(|line| line.strip_prefix(&format!("| `{name}` | ")));
        let shown =
            row.and_then(|row| row.split(" |").next()).unwrap_or_else(|| panic!("{name} is not in docs/http.md"));
        let value = shown
            .strip_suffix(" GiB")
            .map_or(shown.replace(',', "").parse(), |gib| gib.parse().map(|gib: u64| gib << 30));
        assert_eq!(value.ok(), limits.get(name), "{name}");
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
