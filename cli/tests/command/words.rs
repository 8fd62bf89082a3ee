//! The output about rules, and help.

use resourcesync::report::Lang;

use crate::bench::{Bench, Ran, wrong};

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
        assert!(long.lines().all(|line| line.chars().count() <= 100), "{long}");
    }
    let version = bench.run(&["--version"]).ends(0).out;
    assert_eq!(version, format!("resourcesync {}\n", env!("CARGO_PKG_VERSION")));
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
    bench.run(&["man", "vaildate"]).ends(2);
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
    let times = ["--up", "http://example.com/c", "--from", "2024-05-02T00:00:00Z", "--at", "2024-05-01T00:00:00Z"];
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
