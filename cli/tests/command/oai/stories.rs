//! The examples of docs/oai.md, run as they stand, against a repository on this machine.

use std::{fs, path::Path, sync::Arc};

use resourcesync_tests::{
    oai::Repository,
    server::{Server, reply},
};

use super::{FAST, serve};
use crate::bench::Bench;

/// The commands of a section of a page, by the headings below it.
fn commands(page: &str, section: &str) -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page)).unwrap();
    let section = text.split(&format!("\n## {section}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
    let example = |text: &str| {
        let (heading, body) = text.split_once('\n').unwrap();
        let blocks = body.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
        let lines = blocks.flat_map(|block| {
            let block = block.replace("\\\n", " ");
            block.lines().map(str::to_owned).collect::<Vec<_>>()
        });
        (heading.to_owned(), lines.filter(|line| line.starts_with("resourcesync ")).collect())
    };
    section.split("\n### ").skip(1).map(example).collect()
}

/// The words of a command line, without its comment, and the file to which its output goes.
fn words(line: &str) -> (Vec<String>, Option<String>) {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for character in line.split(" # ").next().unwrap().chars() {
        match character {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    let to = words.iter().position(|word| word == ">").map(|at| words.split_off(at).pop().unwrap());
    (words, to)
}

/// The place of the examples.
struct Stage {
    bench: Bench,
    repository: Server,
    hub: Server,
}

impl Stage {
    fn new(name: &str) -> Stage {
        let mut repository = Repository::new(25, 10);
        repository.formats = ["oai_dc", "mets", "jpcoar_1.0"].map(String::from).to_vec();
        let repository = serve(&Arc::new(repository));
        let bench = Bench::new(name);
        bench.put("repositories.csv", format!("url,contact\n{},me@example.org\n", repository.url("/oai")));
        Stage { bench, repository, hub: Server::new(|_, stream| reply(stream, "200 OK", &[], b"")) }
    }

    /// Runs a command; `oai validate` may find something.
    fn run(&self, line: &str) {
        let (words, to) = words(line);
        let own = |word: &String| match word.as_str() {
            "https://repository.example/oai" | "https://dspace.example.org/server/oai/request" => {
                self.repository.url("/oai")
            }
            "https://hub.example.org/" => self.hub.url("/"),
            other => other.to_owned(),
        };
        // A service would not end.
        let mut words: Vec<String> =
            words.iter().skip(1).filter(|word| !word.starts_with("--watch")).map(own).collect();
        let is_requesting = words[0] == "oai";
        if is_requesting {
            words.extend(FAST.map(String::from));
        }
        let ran = self.bench.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let is_fine =
            ran.status == Some(0) || words.get(1).is_some_and(|word| word == "validate") && ran.status == Some(1);
        assert!(is_fine, "{line}: {ran:#?}");
        if let Some(file) = to {
            self.bench.put(&file, ran.out);
        }
    }

    /// The digests of the records of a store.
    fn digests(&self, store: &str) -> Vec<String> {
        let text = self.bench.read(&format!("{store}/catalogue.jsonl"));
        text.lines().map(|line| line.split("\"sha256\":\"").nth(1).unwrap()[..64].to_owned()).collect()
    }

    fn check(&self, number: usize) {
        let has = |file: &str, text: &str| {
            let content = self.bench.read(file);
            assert!(content.contains(text), "{file}: {content}");
        };
        match number {
            0 => {
                has("weekly.md", "| リポジトリ | 状態 |");
                has("weekly.md", "admin@a.example");
                let store = fs::read_dir(self.bench.path("weekly")).unwrap().next().unwrap().unwrap().file_name();
                has(&format!("weekly/{}/catalogue.jsonl", store.to_str().unwrap()), "\"prefix\":\"jpcoar_1.0\"");
                has("report.md", "OAI-");
            }
            1 => assert_eq!(self.digests("big").len(), 25),
            2 => {
                has("report.html", "<html");
                has("before.har", "verb=Identify");
                has("before.json", "\"format\": \"resourcesync-report\"");
            }
            3 => {
                has("public/mets/resourcelist.xml", "rel=\"collection\"");
                has("public/oai_dc/capabilitylist.xml", &self.hub.url("/"));
            }
            // The examples of the pages for other languages are run by their tests.
            4 => {}
            5 => {
                assert_eq!(self.digests("again"), self.digests("kept"));
                has("archived/oai_dc/resourcedump-1-manifest.xml", &self.digests("kept")[0]);
            }
            _ => panic!("an example that no test checks"),
        }
    }
}

#[test]
fn every_example_does_what_the_page_says() {
    let examples = commands("oai.md", "Examples");
    assert_eq!(examples.len(), 6, "{examples:?}");
    for (number, (heading, lines)) in examples.iter().enumerate() {
        let stage = Stage::new(&format!("oai-story-{number}"));
        lines.iter().for_each(|line| stage.run(line));
        assert!(!lines.is_empty() || heading.contains("client of your own"), "{heading}");
        stage.check(number);
    }
    // The Japanese page has some of them, with other comments.
    let plain = |lines: &[String]| lines.iter().map(|line| words(line)).collect::<Vec<_>>();
    let all: Vec<_> = examples.iter().map(|(_, lines)| plain(lines)).collect();
    let japanese = commands("oai.ja.md", "使用例");
    assert!(!japanese.is_empty());
    for (heading, lines) in japanese {
        assert!(all.contains(&plain(&lines)), "{heading}");
    }
}
