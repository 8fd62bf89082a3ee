//! Sources with Resource Dumps, as `build` writes them.

use super::*;

#[test]
fn what_build_packs_is_copied_by_the_manifests_alone() {
    let bench = Bench::new("sync-dump");
    for number in 0..300 {
        bench.put(&format!("served/files/{}/{number}.txt", number % 7), format!("{number} ").repeat(number % 40));
    }
    let server = serve(bench.path("served"));
    let (base, documents) = (server.url("/files/"), server.url("/docs/"));
    let args = ["build", "served/files", "--dump", "--out", "served/docs", "--at", "2024-05-01T00:00:00Z"];
    bench.run(&[&args[..], &["--base-uri", &base, "--documents-uri", &documents]].concat()).ends(0);
    let ran = sync(&bench, &["--plan", "dump", "--format", "json", &start(&server), "copy"]).ends(0);
    let report = ran.json();
    assert_eq!(
        (&report["run"]["outcome"], &report["counts"]["created"]),
        (&"in-step".into(), &300.into()),
        "{report:#}"
    );
    assert_eq!(report["plan"]["packages"]["chosen"], true, "{report:#}");
    assert_eq!(report["plan"]["packages"]["supplied"], 300, "{report:#}");
    assert!(report["items"].as_array().unwrap().iter().all(|item| item["bytesFrom"] == "package"), "{report:#}");
    assert_eq!(copied(&bench, &server, "copy"), tree(&bench.path("served/files")));
    let ran = sync(&bench, &["--plan", "dump", "--format", "json", "copy"]).ends(0);
    assert_eq!(ran.json()["plan"]["why"], "nothing-changed");
    bench.run(&["audit", "copy"]).ends(0);

    // The text says why.
    let ran = sync(&bench, &["--plan", "dump", &start(&server), "again"]).ends(0);
    assert!(ran.out.contains("  packages") && ran.out.contains("300 resources supplied"), "{}", ran.out);
}

#[test]
fn a_copy_that_is_published_and_copied_again_is_equal_and_names_where_it_came_from() {
    let bench = Bench::new("sync-round-trip");
    for number in 0..60 {
        bench.put(&format!("served/files/{}/{number}.txt", number % 7), format!("{number} ").repeat(number % 40));
    }
    bench.put("served/files/日本語/a b.txt", "names that are encoded");
    let server = serve(bench.path("served"));
    publish(&bench, &server, "00:00:00");
    sync(&bench, &[&start(&server), "copy"]).ends(0);

    // What the copy holds becomes a Source with a dump.
    let other = serve(bench.path("."));
    let (base, documents) = (other.url("/copy/"), other.url("/docs/"));
    let inventory = bench.run(&["inventory", "--base-uri", &base, "copy"]).ends(0).out;
    assert_eq!(inventory.lines().count(), 61);
    bench.put("inventory.jsonl", &inventory);
    let args = ["build", "--from-jsonl", "inventory.jsonl", "--dump", "--out", "docs", "--at", "2024-06-01T00:00:00Z"];
    bench.run(&[&args[..], &["--base-uri", &base, "--documents-uri", &documents]].concat()).ends(0);
    let list = fs::read_to_string(bench.path("docs/resourcelist.xml")).unwrap();
    for uri in [server.url("/files/3/3.txt"), server.url("/files/0/0.txt")] {
        assert!(list.contains(&format!(r#"<rs:ln rel="via" href="{uri}"/>"#)), "{uri} {list}");
    }

    for plan in ["auto", "dump"] {
        let ran = sync(&bench, &["--plan", plan, "--format", "json", &start(&other), plan]).ends(0);
        let report = ran.json();
        assert_eq!(
            (&report["counts"]["created"], &report["verified"]["digest"]),
            (&61.into(), &61.into()),
            "{report:#}"
        );
        let again = tree(&bench.path(&format!("{plan}/{}", other.place().replace(':', "^"))));
        let below = |name: &str| name.split_once("/files/").unwrap().1.to_owned();
        let again: BTreeMap<String, Vec<u8>> = again.into_iter().map(|(name, body)| (below(&name), body)).collect();
        assert_eq!(again, copied(&bench, &server, "copy"), "{plan}");
    }
    assert_eq!(copied(&bench, &server, "copy").len(), 61);
    // Who copies the copy, whether by its lists or by its manifests, passes on where it came from first.
    let origin = format!(r#""links":[{{"href":"{}"#, server.url("/files/"));
    let own = other.url("");
    for plan in ["auto", "dump"] {
        let held = |options: &[&str]| {
            bench.run(&[&["inventory", "--base-uri", "https://third.example/"], options, &[plan]].concat()).ends(0).out
        };
        let (lines, table) = (held(&[]), held(&["--format", "csv"]));
        assert_eq!(
            (lines.matches(&origin).count(), table.matches(&server.url("/files/")).count()),
            (61, 61),
            "{lines}"
        );
        assert!(!lines.contains(&own) && !table.contains(&own) && !held(&["--no-via"]).contains("via"), "{lines}");
    }
}
