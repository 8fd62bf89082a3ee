//! The output about rules, and help.

use resourcesync::report::Lang;

use crate::{
    bench::{Bench, Ran, wrong},
    options::helps,
};

#[test]
fn a_code_a_rule_and_a_detail_are_explained() {
    let bench = Bench::new("words-explain");
    let out = bench.run(&["explain", "rl-03"]).ends(0).out;
    assert!(out.starts_with("RL-03 missing-at") && out.contains("Why it matters") && out.contains("<urlset"), "{out}");
    assert!(out.contains("RLI-03"), "{out}");
    let out = bench.run(&["explain", "missing-at", "--lang", "ja"]).ends(0).out;
    assert!(out.starts_with("missing-at") && out.contains("RDM-03") && out.contains("スナップショット"), "{out}");
    let out = bench.run(&["explain", "XML-07"]).ends(0).out;
    assert!(out.contains("truncated-comment") && out.contains("detail of GEN-01"), "{out}");
    assert!(bench.run(&["explain", "GEN-01"]).ends(0).out.contains("XML-43"));
    assert!(bench.run(&["explain", "RL-03", "--format", "markdown"]).ends(0).out.contains("```xml"));
    let row = bench.run(&["explain", "RL-03", "--format", "json"]).ends(0).json();
    assert_eq!((row.as_array().unwrap().len(), &row[0]["rule"]), (1, &"missing-at".into()));
}

#[test]
fn an_unknown_name_gets_a_suggestion() {
    let bench = Bench::new("words-unknown");
    let ran = bench.run(&["explain", "mising-at"]).ends(2);
    assert_eq!(ran.err, "error: unknown code, family or rule `mising-at`; did you mean `missing-at`?\n");
    let ran = bench.run(&["explain", "CL"]).ends(2);
    assert!(ran.err.contains("rules --select CL"), "{ran:?}");
    bench.run(&["rules", "--select", "mising-at"]).ends(2);
}

#[test]
fn every_rule_is_listed() {
    let bench = Bench::new("words-rules");
    let rows = bench.run(&["rules", "--format", "json"]).ends(0).json();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), resourcesync_client::catalogue(Lang::En).rows().len());
    for family in ["RL-", "XML-", "SYN-", "HUB-", "OAI-"] {
        assert!(rows.iter().any(|row| row["code"].as_str().is_some_and(|code| code.starts_with(family))), "{family}");
    }
    for row in rows {
        for field in ["code", "rule", "severity", "message", "help", "what", "why", "fix"] {
            assert!(row[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {row}");
        }
    }
    let text = bench.run(&["rules"]).ends(0).out;
    assert_eq!(text.lines().count(), rows.len() + 1);
    let text = bench.run(&["rules", "--select", "CL", "--lang", "ja"]).ends(0).out;
    assert!(text.lines().skip(1).all(|line| line.starts_with("CL-")), "{text}");
    let text = bench.run(&["rules", "--select", "XML-07,RL-03"]).ends(0).out;
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn help_has_examples() {
    let bench = Bench::new("words-help");
    assert!(bench.run(&["--help"]).ends(0).out.contains("Exit status"));
    for command in
        ["validate", "list", "extract", "sync", "audit", "inventory", "explain", "rules", "completions", "man"]
    {
        let long = bench.run(&[command, "--help"]).ends(0).out;
        assert!(long.contains(&format!("  resourcesync {command}")), "{long}");
        assert!(bench.run(&[command, "-h"]).ends(0).out.len() < long.len());
    }
    let version = bench.run(&["--version"]).ends(0).out;
    assert_eq!(version, format!("resourcesync {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn short_help_fits_on_a_page_and_names_the_rest() {
    let bench = Bench::new("words-short-help");
    let helps = helps(&bench);
    assert!(helps.len() > 30, "{}", helps.len());
    for (names, short, long) in &helps {
        let name = names.join(" ");
        assert!(short.lines().count() <= 40, "{name}: {} lines\n{short}", short.lines().count());
        for text in [short, long] {
            assert!(
                text.lines().all(|line| line.chars().count() <= 100 || line.starts_with("Usage:")),
                "{name}\n{text}"
            );
        }
        let last = short.trim_end().lines().last().unwrap();
        // A subcommand without examples shows all of its options.
        if long.contains("\nExamples:") {
            for more in ["--help", "help http", "help limits"] {
                assert!(last.contains(more), "{name}: {last}");
            }
        }
        assert!(!long.contains("document_bytes=1073741824"), "{name} repeats the limits");
    }
}

#[test]
fn help_of_a_subcommand_is_its_long_help() {
    let bench = Bench::new("words-help-subcommand");
    for names in [&["validate"] as &[&str], &["oai", "harvest"], &[]] {
        let help = bench.run(&[&["help"], names].concat()).ends(0).out;
        assert_eq!(help, bench.run(&[names, &["--help"]].concat()).ends(0).out, "{names:?}");
    }
    for names in [&["vaildate"] as &[&str], &["oai", "vaildate"], &["limits", "validate"]] {
        let ran = bench.run(&[&["help"], names].concat()).ends(2);
        assert!(ran.err.contains("there is no subcommand or page"), "{ran:?}");
    }
}

#[test]
fn limits_and_http_have_pages_of_their_own() {
    let bench = Bench::new("words-help-pages");
    let limits = bench.run(&["help", "limits"]).ends(0).out;
    let lines: Vec<&str> = limits.lines().collect();
    let core = resourcesync::limits::Limits::NAMES.iter();
    let names: Vec<&str> = core.chain(resourcesync_client::http::Limits::NAMES).copied().collect();
    for name in names.iter().chain(&["oai_pages"]) {
        let at = lines.iter().position(|line| line.starts_with(&format!("  {name}="))).expect(name);
        assert!(lines[at + 1].starts_with("      ") && lines[at + 1].len() > 20, "{name}: {}", lines[at + 1]);
    }
    assert!(limits.contains("  document_bytes=1073741824\n      Bytes of one unpacked document."), "{limits}");
    let http = bench.run(&["help", "http"]).ends(0).out;
    for option in ["--allow-host", "--token", "--from", "--proxy", "--ca-file", "--record", "--revalidate"] {
        assert!(http.contains(option), "{option}: {http}");
    }
    for page in [limits, http] {
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
    }
}

#[test]
fn no_explanation_prints_the_placeholders_of_a_message() {
    for lang in [Lang::En, Lang::Ja] {
        let catalogue = resourcesync_client::catalogue(lang);
        for row in catalogue.rows() {
            let explanation = catalogue.explain(row.code).unwrap();
            let markdown = explanation.to_markdown();
            for text in [explanation.to_text(), markdown] {
                // Examples in JSON have braces of their own.
                let text = text.split(row.wrong).next().filter(|_| !row.wrong.is_empty()).unwrap_or(&text);
                assert!(!text.contains("{kind}") && !text.contains("`{"), "{}: {text}", row.code);
            }
        }
    }
    let bench = Bench::new("words-placeholders");
    let message = |args: &[&str]| bench.run(&[&["explain"], args].concat()).ends(0).out;
    assert!(message(&["RL-03"]).contains("the root's `rs:md` of this Resource List has no `at`"));
    assert!(message(&["CAP-04"]).contains("the Capability List has no `up` link"));
    assert!(message(&["missing-at"]).contains("of this KIND has no `at`"));
    assert!(message(&["RL-03", "--lang", "ja"]).contains("リソースリスト"));
    // For programs, it is the template.
    assert!(message(&["RL-03", "--format", "json"]).contains("{kind}"));
}

#[test]
fn a_long_value_is_cut_in_every_format_for_people() {
    let bench = Bench::new("words-long");
    let long = "x".repeat(70_000);
    bench.put("a.xml", crate::bench::list(1).replace("example.com/0", &format!("example.com/{long}")));
    for format in ["text", "markdown", "html", "github", "junit"] {
        let out = bench.run(&["validate", "--format", format, "a.xml"]).ends(2).out;
        assert!(out.contains("LIM-07"), "{out}");
        let longest = out.lines().map(str::len).max().unwrap();
        assert!(longest < 2_000, "{format}: {longest}");
    }
}

#[test]
fn counts_have_the_right_number() {
    let bench = Bench::new("words-plurals");
    bench.put("one/a.txt", "a").put("two/a.txt", "a").put("two/b.txt", "b");
    let base = ["--base-uri", "https://example.com/"];
    let run = |args: &[&str]| bench.run(&[args, &base].concat()).ends(0).out;
    assert_eq!(run(&["build", "one", "--out", "dry", "--dry-run"]), "1 resource would be published\n");
    assert!(run(&["build", "one", "--out", "public"]).starts_with("public: 1 resource, "));
    let state = run(&["build", "one", "--out", "public", "--verify-state"]);
    assert!(state.contains(": 1 resource, 0 changes in open Change Lists"), "{state}");
    assert_eq!(run(&["dump", "one", "--out", "dump"]), "dump: 1 resource in 1 package\n");
    assert_eq!(run(&["dump", "two", "--out", "dumps", "--package-entries", "1"]), "dumps: 2 resources in 2 packages\n");
    let mut package = std::fs::read_dir(bench.path("dump")).unwrap().map(|entry| entry.unwrap().path());
    let package = package.find(|path| path.extension().is_some_and(|end| end == "zip")).unwrap();
    let out = bench.run(&["extract", package.to_str().unwrap(), "out", "--uri", "*a.txt"]).ends(0).out;
    assert_eq!(out, "1 file, 1 byte, written to out\n");
}

#[test]
fn a_source_stays_compressed_or_not_and_the_refusal_names_the_option() {
    let bench = Bench::new("words-gzip");
    bench.put("files/a.txt", "a");
    let build = |out: &str, more: &[&str]| {
        bench.run(&[&["build", "files", "--base-uri", "https://example.com/", "--out", out], more].concat())
    };
    build("packed", &["--gzip"]).ends(0);
    build("plain", &[]).ends(0);
    let ran = build("packed", &[]).ends(2);
    assert!(ran.err.contains("--out was published with --gzip; repeat the option"), "{ran:?}");
    let ran = build("plain", &["--gzip"]).ends(2);
    assert!(ran.err.contains("--out was published without --gzip; omit the option"), "{ran:?}");
}

#[test]
fn notes_are_in_the_language_of_the_user() {
    let bench = Bench::new("words-notes");
    bench.put("a.xml", wrong());
    let ran = bench.run(&["fix", "a.xml", "--lang", "ja"]).ends(1);
    assert!(ran.err.contains("一意に決まる修正はありません") && ran.err.contains("残っている指摘"), "{ran:?}");
    let ran = bench.run(&["fix", "a.xml"]).ends(1);
    assert!(ran.err.contains("no unambiguous repairs") && ran.err.contains("remaining findings"), "{ran:?}");
    bench.put("bad.zip", "PK\u{3}\u{4}");
    let ran = bench.run(&["extract", "bad.zip", "out", "--lang", "ja"]);
    assert!(ran.err.contains("何も書き込まれていません"), "{ran:?}");

    bench.put("files/1", "1").put("files/.hidden", "2").put("files/.more", "3").put("list", "");
    let dry_run = ["build", "files", "--base-uri", "https://example.com/", "--out", "public", "--dry-run", "--lang"];
    for (lang, expected) in [
        ("en", "warning: excluded 2 paths: name begins with a dot (use --hidden), such as ."),
        ("ja", "警告: 2 件を除外しました（ドットで始まる名前。--hidden で公開）: ."),
    ] {
        let ran = bench.run(&[&dry_run[..], &[lang]].concat()).ends(0);
        assert!(ran.err.starts_with(expected), "{ran:?}");
    }
    let ran = bench.run(&["validate", "--files-from", "list", "--lang", "ja"]);
    assert!(ran.err.starts_with("警告: リスト list が空のため"), "{ran:?}");
    bench.put("bad.xml", "<urlset/>");
    let ran = bench.run(&[
        "notify",
        "--hub",
        "https://a.example/",
        "--topic",
        "https://a.example/t",
        "bad.xml",
        "--lang",
        "ja",
    ]);
    assert!(ran.err.starts_with("エラー[GEN-03]: bad.xml: ") && ran.err.contains("何も送信していません"), "{ran:?}");
}

#[test]
fn shells_and_man_are_served() {
    let bench = Bench::new("words-shells");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(bench.run(&["completions", shell]).ends(0).out.contains("max-per-rule"), "{shell}");
    }
    bench.run(&["completions", "dos"]).ends(2);
    assert!(bench.run(&["man"]).ends(0).out.contains(".TH resourcesync 1"));
    let page = bench.run(&["man", "validate"]).ends(0).out;
    assert!(page.contains(".TH resourcesync-validate 1") && page.contains("files\\-from"), "{page}");
    let page = bench.run(&["man", "oai", "harvest"]).ends(0).out;
    assert!(page.contains(".TH resourcesync-oai-harvest 1"), "{page}");
    bench.run(&["man", "vaildate"]).ends(2);
    bench.run(&["man", "oai", "validates"]).ends(2);
}

#[test]
fn the_language_is_that_of_the_option_then_of_the_environment_then_of_the_locale() {
    let bench = Bench::new("words-language");
    bench.put("a.xml", wrong()).put("files/1", "1").put("ja.toml", "lang = \"ja\"\n");
    let is_japanese = |args: &[&str], variables: &[(&str, &str)]| {
        let ran: Ran = bench.command(args).envs(variables.iter().copied()).output().unwrap().into();
        let text = ran.out + &ran.err;
        assert!(!text.is_empty(), "{args:?}");
        text.chars().any(|character| ('\u{3040}'..='\u{30ff}').contains(&character))
    };
    let (ja, en) = (("LANG", "ja_JP.UTF-8"), ("LANG", "en_GB.UTF-8"));
    let validate = ["validate", "a.xml"];
    for (variables, expected) in [
        (&[] as &[_], false),
        (&[ja], true),
        (&[en], false),
        (&[("LANG", "C")], false),
        (&[ja, ("LC_MESSAGES", "en_US")], false),
        (&[en, ("LC_MESSAGES", "en_US"), ("LC_ALL", "ja_JP.eucJP")], true),
        (&[ja, ("LC_ALL", "")], true),
        (&[ja, ("RESOURCESYNC_LANG", "en")], false),
        (&[en, ("RESOURCESYNC_LANG", "ja")], true),
    ] {
        assert_eq!(is_japanese(&validate, variables), expected, "{variables:?}");
    }
    assert!(!is_japanese(&["validate", "--lang", "en", "a.xml"], &[ja, ("RESOURCESYNC_LANG", "ja")]));
    assert!(is_japanese(&["validate", "--config", "ja.toml", "a.xml"], &[en]));
    assert!(!is_japanese(&["validate", "--config", "ja.toml", "a.xml"], &[("RESOURCESYNC_LANG", "en")]));
    // Every subcommand with words of its own.
    let base = ["--base-uri", "https://example.com/"];
    for args in [
        &["build", "files", "--out", "public", "--dry-run"] as &[&str],
        &["dump", "files", "--out", "dump"],
        &["build", "files", "--out", "public"],
    ] {
        assert!(is_japanese(&[args, &base].concat(), &[ja]), "{args:?}");
    }
    bench.put("old.csv", "uri\nhttp://example.com/a\n").put("new.csv", "uri\n");
    let times = ["--up", "http://example.com/c", "--since", "2024-05-02T00:00:00Z", "--at", "2024-05-01T00:00:00Z"];
    let diff = [&["diff", "old.csv", "new.csv"], &times[..]].concat();
    assert!(is_japanese(&diff, &[ja]), "a refusal is a finding");
    for args in [&["explain", "RL-03"] as &[&str], &["rules"], &["fix", "a.xml"]] {
        assert!(is_japanese(args, &[ja]), "{args:?}");
    }
    // What programs read does not depend on the locale.
    for args in [
        &["explain", "RL-03", "--format", "json"] as &[&str],
        &["rules", "--format", "json"],
        &["validate", "--format", "json", "a.xml"],
        &["build", "files", "--base-uri", "https://example.com/", "--out", "public", "--format", "json"],
    ] {
        assert!(!is_japanese(args, &[ja]), "{args:?}");
    }
    assert!(is_japanese(&["explain", "RL-03", "--format", "json", "--lang", "ja"], &[]));
}
