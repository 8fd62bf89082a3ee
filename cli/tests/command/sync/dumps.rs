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
