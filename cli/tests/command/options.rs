//! The options that every subcommand that prints has, and the page about them.

use std::{fmt::Write, fs, path::Path};

use crate::bench::{Bench, wrong};

/// The common options as `--help` lists them.
const COMMON: [(&str, &str); 5] = [
    ("--lang", "--lang <LANG>"),
    ("--color", "--color <WHEN>"),
    ("--quiet", "-q, --quiet"),
    ("--format", "--format <FORMAT>"),
    ("--output", "-o, --output <"),
];

/// Subcommands without some of them, and why.
const WITHOUT: [(&str, &[&str], &str); 6] = [
    ("completions", &["--lang", "--color", "--quiet", "--format", "--output"], "prints a script for a shell"),
    ("man", &["--lang", "--color", "--quiet", "--format", "--output"], "prints a page for `man`"),
    ("hub serve", &["--lang", "--color", "--quiet", "--format", "--output"], "runs until it is stopped"),
    ("hub backup", &["--lang", "--color", "--quiet", "--format", "--output"], "prints nothing"),
    ("serve", &["--output", "--format"], "prints its address and runs until it is stopped"),
    ("listen", &["--output"], "prints until it is stopped; `--log` appends its events to a file"),
];

/// The names below "Commands:" of a help text.
fn subcommands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("    "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Every subcommand and what its `-h` and `--help` print.
pub(crate) fn helps(bench: &Bench) -> Vec<(Vec<String>, String, String)> {
    let (mut helps, mut left) = (Vec::new(), vec![Vec::<String>::new()]);
    while let Some(names) = left.pop() {
        let run = |option| {
            let args: Vec<&str> = names.iter().map(String::as_str).chain([option]).collect();
            bench.run(&args).ends(0).out
        };
        let (short, long) = (run("-h"), run("--help"));
        left.extend(subcommands(&short).into_iter().filter(|name| name != "help").map(|name| {
            let mut names = names.clone();
            names.push(name);
            names
        }));
        helps.push((names, short, long));
    }
    helps
}

const PAGE: &str = "\
# Common options

Every subcommand that prints has these options, with the same meaning:

| Option | Meaning |
| --- | --- |
| `--lang LANG` | language of the output: `en` or `ja`; by default that of `RESOURCESYNC_LANG`, of the configuration, then of the locale |
| `--color WHEN` | colours: `auto`, `always` or `never`; `NO_COLOR` and `CLICOLOR_FORCE` are honoured |
| `-q`, `--quiet` | no progress and no notes, and no summary if the exit status is 0; what was requested is printed, and errors are |
| `--format FORMAT` | the format of the output |
| `-o`, `--output FILE` | write the output to a file, which is replaced atomically when it is complete; `-` is standard output. With `validate`, each `--output` belongs to the `--format` before it; with `fix`, FILE gets the repaired document; with `diff`, the list of changes as text, or the Change List of `--up` |
| `--config FILE`, `--no-config` | another configuration than the nearest `resourcesync.toml`, or none ([configuration.md](configuration.md)); `hub serve` and `hub backup` have them, too |

`-h` shows the options that most runs need, `--help` all of them; `resourcesync help http` is about requests, `resourcesync help limits` lists every limit.

The following table is printed by the test `command::options` (`BLESS=1`).

";

#[test]
fn every_subcommand_that_prints_has_the_common_options() {
    let bench = Bench::new("options-table");
    let mut helps = helps(&bench);
    helps.sort();
    let mut page = String::from(PAGE);
    page.push_str("| Subcommand | `--lang` | `--color` | `--quiet` | `--output` | `--format` |\n| --- | --- | --- | --- | --- | --- |\n");
    let mut notes = String::new();
    // Subcommands with subcommands of their own print nothing else.
    for (names, _, long) in helps.iter().filter(|(_, _, long)| !long.contains("\nCommands:\n")) {
        let name = names.join(" ");
        let without = WITHOUT.iter().find(|(own, ..)| *own == name);
        let mut cells = Vec::new();
        for (option, form) in COMMON {
            let has = long.lines().any(|line| line.trim_start().starts_with(form));
            assert_eq!(
                has,
                !without.is_some_and(|(_, missing, _)| missing.contains(&option)),
                "{name} {option}\n{long}"
            );
            cells.push((option, if has { "yes" } else { "–" }.to_owned()));
        }
        for (option, cell) in &mut cells {
            if *option == "--format" && cell == "yes" {
                let args: Vec<&str> = names.iter().map(String::as_str).chain(["--format", "?"]).collect();
                let ran = bench.run(&args).ends(2);
                let values = ran.err.split("[possible values: ").nth(1).and_then(|rest| rest.split(']').next());
                *cell = values.unwrap_or_else(|| panic!("{name}: {ran:?}")).to_owned();
            }
        }
        cells.sort_by_key(|(option, _)| *option == "--format");
        let cells: Vec<String> = cells.into_iter().map(|(_, cell)| cell).collect();
        writeln!(page, "| `{name}` | {} |", cells.join(" | ")).unwrap();
        if let Some((.., why)) = without {
            writeln!(notes, "- `{name}` {why}.").unwrap();
        }
    }
    write!(page, "\n{notes}").unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/options.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), page, "run the test with BLESS=1");
}

#[test]
fn an_option_has_one_meaning() {
    let bench = Bench::new("options-meaning");
    for (names, _, long) in helps(&bench) {
        let name = names.join(" ");
        let options = long.lines().take_while(|line| *line != "Examples:").map(str::trim_start);
        for line in options.filter(|line| line.starts_with('-')) {
            let has = |option: &str| line.split([' ', ',', '=', '[']).any(|word| word == option);
            assert!(!has("--from") || line.contains("--from <ADDRESS>"), "{name}: {line}");
            assert!(!has("--baseline") || ["validate", "oai validate"].contains(&name.as_str()), "{name}: {line}");
            assert!(!has("--map") || line.contains("--map <URI=DIR>"), "{name}: {line}");
            assert!(!has("--full") || name == "sync", "{name}: {line}");
            assert!(!has("--out") || line.contains("--out <DIR>"), "{name}: {line}");
            assert!(!has("-v") || has("--verbose"), "{name}: {line}");
            assert!(!has("-o") || has("--output"), "{name}: {line}");
            assert!(!has("-q") || has("--quiet"), "{name}: {line}");
        }
    }
}

#[test]
fn output_goes_to_a_file_that_is_complete_or_unchanged() {
    let bench = Bench::new("options-output");
    bench.put("files/a.txt", "a");
    bench.run(&["dump", "files", "--base-uri", "https://example.com/", "--out", "dump"]).ends(0);
    let packages = fs::read_dir(bench.path("dump")).unwrap().map(|entry| entry.unwrap().path());
    let package = packages.into_iter().find(|path| path.extension().is_some_and(|end| end == "zip")).unwrap();
    let package = package.to_str().unwrap();
    let build = ["build", "files", "--base-uri", "https://example.com/", "--out", "public", "--dry-run"];
    for (status, args) in [
        (0, &["explain", "RL-03"] as &[&str]),
        (0, &["rules", "--format", "json"]),
        (0, &["list", package]),
        (0, &["list", package, "--format", "json"]),
        (0, &["extract", package, "out", "--dry-run"]),
        (0, &build),
    ] {
        let printed = bench.run(args).ends(status).out;
        assert!(!printed.is_empty(), "{args:?}");
        let ran = bench.run(&[args, &["-o", "result"]].concat()).ends(status);
        assert!(ran.out.is_empty(), "{ran:?}");
        assert_eq!(bench.read("result"), printed, "{args:?}");
        assert_eq!(bench.run(&[args, &["--output", "-"]].concat()).ends(status).out, printed, "{args:?}");
    }
    // An error leaves the file as it was; an input is never replaced.
    bench.put("result", "before");
    bench.run(&["explain", "mising-at", "-o", "result"]).ends(2);
    assert_eq!(bench.read("result"), "before");
    let bytes = fs::read(package).unwrap();
    let ran = bench.run(&["list", package, "-o", package]).ends(2);
    assert!(ran.err.contains("is an input"), "{ran:?}");
    assert_eq!(fs::read(package).unwrap(), bytes);
    bench.run(&["rules", "-o", "no/such/folder/rules"]).ends(2);
}

#[test]
fn color_applies_to_messages_of_every_subcommand() {
    let bench = Bench::new("options-color");
    let explain = |when: &str| bench.run(&["explain", "mising-at", "--color", when]).ends(2).err;
    assert!(explain("always").starts_with("\u{1b}[1;31merror\u{1b}[0m: "), "{}", explain("always"));
    for when in ["never", "auto"] {
        assert!(explain(when).starts_with("error: "), "{}", explain(when));
    }
}

#[test]
fn results_are_data_on_request() {
    let bench = Bench::new("options-json");
    bench.put("files/a.txt", "a").put("a.xml", wrong().replace("capability=", "capabilty="));
    bench.run(&["dump", "files", "--base-uri", "https://example.com/", "--out", "dump"]).ends(0);
    let packages = fs::read_dir(bench.path("dump")).unwrap().map(|entry| entry.unwrap().path());
    let package = packages.into_iter().find(|path| path.extension().is_some_and(|end| end == "zip")).unwrap();
    let extract = ["extract", package.to_str().unwrap(), "out", "--uri", "*", "--format", "json"];
    let value = bench.run(&[&extract[..], &["--dry-run"]].concat()).ends(0).json();
    assert_eq!((&value["result"], value["files"].as_array().unwrap().len()), (&"dry-run".into(), 1), "{value}");
    let value = bench.run(&extract).ends(0).json();
    assert_eq!((&value["result"], &value["bytes"], &value["folder"]), (&"written".into(), &1.into(), &"out".into()));
    bench.put("bad.zip", "PK\u{3}\u{4}");
    let value = bench.run(&["extract", "bad.zip", "out", "--format", "json"]).json();
    assert!(value["diagnostics"].is_array() || value["groups"].is_array(), "{value}");

    let ran = bench.run(&["fix", "a.xml", "--format", "json"]);
    let value = ran.json();
    assert!(value["repairs"].is_array() && value["report"]["groups"].is_array() && ran.err.is_empty(), "{ran:?}");
    bench.run(&["fix", "a.xml", "--format", "json", "--output", "-"]).ends(2);

    bench.run(&["build", "files", "--base-uri", "https://example.com/", "--out", "public"]).ends(0);
    let value = bench.run(&["notify", "public", "--format", "json"]).ends(0).json();
    assert_eq!(value, serde_json::json!({ "accepted": [], "pending": [], "refused": false }));
    assert_eq!(bench.run(&["notify", "public", "--lang", "ja"]).ends(0).out, "未送信の通知はありません\n");
    let value = bench.run(&["notify", "public", "--discard", "--format", "json"]).ends(0).json();
    assert_eq!(value["discarded"], 0);
}
