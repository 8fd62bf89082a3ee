//! The configuration file, selection and limits.

use crate::bench::{Bench, Ran, codes, list, wrong};

#[test]
fn a_configuration_above_the_working_folder_is_used() {
    let bench = Bench::new("settings-found");
    bench.put("resourcesync.toml", "[validate]\nignore = ['RL-03']\n").put("deep/er/a.xml", wrong());
    let run = |args: &[&str]| {
        let output = bench.command(args).current_dir(bench.path("deep/er")).output().unwrap();
        output.status.code()
    };
    assert_eq!(run(&["validate", "a.xml"]), Some(0));
    assert_eq!(run(&["validate", "--no-config", "a.xml"]), Some(1));
    assert_eq!(run(&["validate", "--ignore", "ADV", "a.xml"]), Some(1), "the command line wins");
    // The root of a repository is the last folder searched.
    bench.put("deep/.git/HEAD", "");
    assert_eq!(run(&["validate", "a.xml"]), Some(1));
    assert_eq!(run(&["validate", "--config", "../../resourcesync.toml", "a.xml"]), Some(0));
}

#[test]
fn every_key_does_what_it_says() {
    let bench = Bench::new("settings-keys");
    bench.put("a.xml", wrong());
    let status = |toml: &str| {
        bench.put("c.toml", toml);
        bench.run(&["validate", "--config", "c.toml", "a.xml"]).status
    };
    assert_eq!(status(""), Some(1));
    assert_eq!(status("[validate]\nselect = ['CL']"), Some(0));
    assert_eq!(status("[validate]\nignore = ['missing-at']"), Some(0));
    assert_eq!(status("[validate]\nseverity = { RL-03 = 'warning' }"), Some(0));
    assert_eq!(status("[validate]\nfail-on = 'warning'\n[validate.severity]\nRL-03 = 'warning'"), Some(1));
    assert_eq!(status("[validate]\nignore = ['RL-03']\n[limits]\nentries = 1"), Some(2));
    bench.put("c.toml", "lang = 'ja'\n[validate]\nprofile = 'strict'");
    assert!(bench.run(&["validate", "--config", "c.toml", "a.xml"]).ends(1).out.contains("スナップショット"));
    assert!(
        !bench
            .run(&["validate", "--config", "c.toml", "--lang", "en", "a.xml"])
            .ends(1)
            .out
            .contains("スナップショット")
    );
    let report = bench.run(&["validate", "--config", "c.toml", "--format", "json", "a.xml"]).json();
    assert_eq!(report["run"]["profile"], "strict");
}

#[test]
fn what_search_engines_reject_is_reported_only_on_request() {
    let bench = Bench::new("settings-search-engines");
    bench.put("a.xml", list(1)).put("c.toml", "[validate]\nprofile = 'search-engines'");
    let found = |args: &[&str]| {
        let report = bench.run(&[&["validate", "--format", "json"], args, &["a.xml"]].concat()).json();
        (codes(&report), report["suppressed"].as_array().map_or(0, Vec::len))
    };
    let none = Vec::<String>::new();
    // What is off is not suppressed.
    assert_eq!(found(&[]), (none.clone(), 0));
    assert_eq!(found(&["--profile", "strict"]), (none.clone(), 0));
    assert_eq!(found(&["--select", "RL"]), (none.clone(), 0));
    for on in [
        &["--profile", "search-engines"][..],
        &["--select", "SEO"],
        &["--select", "harvester-elements"],
        &["--config", "c.toml"],
    ] {
        assert_eq!(found(on), (vec!["SEO-02".to_owned()], 0), "{on:?}");
    }
    for filtered in [["--ignore", "SEO"], ["--ignore", "SEO-02"], ["--select", "RL"]] {
        assert_eq!(
            found(&[&["--profile", "search-engines"], &filtered[..]].concat()),
            (none.clone(), 1),
            "{filtered:?}"
        );
    }
    let refused = bench.run(&["oai", "validate", "--profile", "search-engines", "http://127.0.0.1:9/"]).ends(2);
    assert!(refused.err.contains("standard, strict"), "{refused:?}");
}

#[test]
fn what_a_configuration_cannot_say_is_refused_with_its_line() {
    let bench = Bench::new("settings-wrong");
    bench.put("a.xml", list(1));
    for (toml, words) in [
        ("[validate]\nselct = ['RL']\n", "resourcesync.toml:2: unknown key `selct`; did you mean `select`?"),
        (
            "\n[validate]\nselect = ['mising-at']",
            "resourcesync.toml:3: unknown code, family or rule `mising-at`; did you mean `missing-at`?",
        ),
        ("[validate]\nprofile = 'strikt'", "resourcesync.toml:2: `strikt` is not standard or strict"),
        ("[limits]\ndept = 3", "resourcesync.toml:2: unknown limit `dept`; did you mean `depth`?"),
        ("[validate.severity]\nRL-03 = 'fatal'", "resourcesync.toml:2: `fatal` is not error, warning or info"),
        ("[validate]\nselect = 'RL'", "resourcesync.toml:2: expected a list of values in brackets"),
        ("select = [", "resourcesync.toml:1: "),
    ] {
        let ran = bench.put("resourcesync.toml", toml).run(&["validate", "a.xml"]).ends(2);
        assert!(ran.err.contains(words) && ran.out.is_empty(), "{ran:?}");
    }
    bench.run(&["validate", "--config", "no.toml", "a.xml"]).ends(2);
    bench.run(&["validate", "--config", "no.toml", "--no-config", "a.xml"]).ends(2);
}

#[test]
fn findings_are_selected_by_any_of_their_names() {
    let bench = Bench::new("settings-select");
    bench.put("a.xml", wrong());
    for (option, names, status) in [
        ("--select", "RL", 1),
        ("--select", "CL,rl-03", 1),
        ("--select", "missing-at", 1),
        ("--select", "RLI", 0),
        ("--select", "derived", 0),
        ("--ignore", "missing-at, CL", 0),
    ] {
        bench.run(&["validate", option, names, "a.xml"]).ends(status);
    }
    let report = bench.run(&["validate", "--select", "CL", "--format", "json", "a.xml"]).json();
    assert_eq!(report["summary"]["suppressed"], 1);
}

#[test]
fn the_expected_kind_is_held_against_the_document() {
    let bench = Bench::new("settings-expect");
    bench.put("a.xml", list(1));
    bench.run(&["validate", "--expect", "resource-list", "a.xml"]).ends(0);
    bench.run(&["validate", "--expect", "change-list", "a.xml"]).ends(1);
    let ran = bench.run(&["validate", "--expect", "resource-lst", "a.xml"]).ends(2);
    assert!(ran.err.contains("resource-list"), "{ran:?}");
}

#[test]
fn a_limit_leaves_a_doubt() {
    let bench = Bench::new("settings-limit");
    bench.put("a.xml", list(10));
    let report = bench.run(&["validate", "--limit", "entries=3", "--format", "json", "a.xml"]).ends(2).json();
    assert_eq!(codes(&report), ["LIM-02"]);
    bench.run(&["validate", "--limit", "document-bytes=100", "a.xml"]).ends(2);
}

#[test]
fn a_report_names_the_configuration_that_applied_and_what_it_suppressed() {
    let bench = Bench::new("settings-named");
    bench
        .put("a.xml", wrong())
        .put("resourcesync.toml", "[validate]\nignore = [\"RL\"]\n")
        .put(".git", "")
        .put("sub/b.xml", wrong());
    let report = bench.run(&["validate", "--format", "json", "a.xml"]).ends(0).json();
    assert_eq!((&report["verdict"], &report["afterFilters"]), (&"valid".into(), &true.into()));
    assert_eq!(report["run"]["configuration"], "resourcesync.toml");
    let suppressed = &report["suppressed"];
    assert_eq!((&suppressed[0]["code"], &suppressed[0]["severity"]), (&"RL-03".into(), &"error".into()));
    let ran =
        bench.command(&["validate", "--format", "json", "b.xml"]).current_dir(bench.path("sub")).output().unwrap();
    let ran = Ran::from(ran).ends(0);
    assert_eq!(ran.json()["run"]["configuration"], "../resourcesync.toml");
    let ran = bench.run(&["validate", "a.xml"]).ends(0);
    assert!(ran.out.starts_with("VALID after filters: "), "{ran:?}");
    assert!(ran.out.contains("configuration: resourcesync.toml\n  suppressed: RL-03 (1 error)\n"), "{ran:?}");
    let ran = bench.run(&["validate", "--lang", "ja", "a.xml"]).ends(0);
    assert!(
        ran.out.contains("適合（フィルタ適用後）") && ran.out.contains("設定ファイル: resourcesync.toml"),
        "{ran:?}"
    );
    // A configuration that suppresses nothing is named too; without one nothing is.
    bench.put("resourcesync.toml", "[validate]\nignore = [\"ADV\"]\n");
    let report = bench.run(&["validate", "--format", "json", "a.xml"]).ends(1).json();
    assert_eq!(report["run"]["configuration"], "resourcesync.toml");
    assert!(report.get("afterFilters").is_none(), "{report}");
    let report = bench.run(&["validate", "--no-config", "--ignore", "RL", "--format", "json", "a.xml"]).ends(0).json();
    assert!(report["afterFilters"] == true && report["run"].get("configuration").is_none(), "{report}");
}

#[cfg(unix)]
#[test]
fn the_configuration_of_another_user_is_ignored_with_a_warning() {
    let bench = Bench::new("settings-owner");
    bench.put("a.xml", wrong()).put("resourcesync.toml", "[validate]\nignore = [\"RL\"]\n").put(".git", "");
    bench.run(&["validate", "a.xml"]).ends(0);
    // Only root can give a file away.
    if let Err(error) = std::os::unix::fs::chown(bench.path("resourcesync.toml"), Some(12_345), None) {
        assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
        return;
    }
    let ran = bench.run(&["validate", "a.xml"]).ends(1);
    assert!(ran.err.contains("resourcesync.toml belongs to another user and is ignored"), "{ran:?}");
    let ran = bench.run(&["validate", "--config", "resourcesync.toml", "a.xml"]).ends(0);
    assert_eq!(ran.err, "");
}

#[test]
fn every_subcommand_reads_its_table_which_its_arguments_replace() {
    let bench = Bench::new("settings-tables");
    bench.put("files/a.txt", "a").put("files/b.csv", "b").put(
        "resourcesync.toml",
        "lang = 'ja'\n[dump]\nhash = ['md5']\ninclude = ['*.txt']\n[limits]\noai_pages = 1\n[hub]\nof = 'a hub'\n",
    );
    let dump = |out: &str, more: &[&str]| {
        let args = ["dump", "files", "--base-uri", "http://example.com/", "--out", out, "--format", "json"];
        let report = bench.run(&[&args, more].concat()).ends(0).json();
        let list = bench.read(&format!("{out}/resourcedump.xml"));
        let package = list.split("</loc>").next().unwrap().rsplit('/').next().unwrap();
        let members = bench.run(&["list", &format!("{out}/{package}"), "--format", "json"]).ends(0).out;
        (report["resources"].as_u64(), members.contains("md5:"))
    };
    assert_eq!(dump("configured", &[]), (Some(1), true));
    assert_eq!(dump("replaced", &["--include", "*", "--hash", "sha-256"]), (Some(2), false));
    assert!(bench.run(&["explain", "RL-03"]).ends(0).out.contains("スナップショット"));
    assert!(!bench.run(&["explain", "RL-03", "--lang", "en"]).ends(0).out.contains("スナップショット"));
    // Another subcommand has its own table, but reads all of them.
    bench.put("other.toml", "[dump]\nhash = ['md4']\n");
    let ran = bench.run(&["rules", "--config", "other.toml"]).ends(2);
    assert!(ran.err.contains("other.toml:2: "), "{ran:?}");
}
