//! `merge`: the report of several runs is that of one, or is rejected.

use crate::bench::{Bench, list, wrong};

/// Two documents and their reports, made with these options.
fn reports(name: &str, more: &[&str]) -> Bench {
    let bench = Bench::new(name);
    bench.put("a.xml", wrong()).put("b.xml", list(3));
    for part in ["a", "b"] {
        let document = format!("{part}.xml");
        let report = bench.run(&[&["validate", "--format", "json", &document], more].concat());
        bench.put(&format!("{part}.json"), report.out);
    }
    bench
}

#[test]
fn a_merged_report_is_the_one_of_a_single_run_in_every_format() {
    for more in
        [&[][..], &["--max-per-rule", "0"], &["--profile", "strict", "--ignore", "ADV,CL-01", "--limit", "depth=9"]]
    {
        let bench = reports("merge-same", more);
        for format in ["json", "text", "sarif", "junit", "html"] {
            let whole = bench.run(&[&["validate", "--format", format, "a.xml", "b.xml"], more].concat()).ends(1);
            let merged = bench.run(&["merge", "--format", format, "a.json", "b.json"]).ends(1);
            assert_eq!((merged.out, merged.err), (whole.out, String::new()), "{format} {more:?}");
        }
    }
}

#[test]
fn the_exit_status_is_that_of_validate_and_the_output_is_replaced_as_a_whole() {
    let bench = reports("merge-status", &[]);
    assert_eq!(bench.run(&["merge", "b.json", "--output", "all.json"]).ends(0).out, "");
    assert_eq!(bench.read("all.json"), bench.read("b.json"));
    bench.run(&["merge", "a.json", "all.json", "-o", "all.json"]).ends(2);
    assert_eq!(bench.read("all.json"), bench.read("b.json"));
    let unread = bench.run(&["validate", "--format", "json", "none.xml"]).ends(2).out;
    bench.put("none.json", unread).run(&["merge", "b.json", "none.json"]).ends(2);
    bench.run(&["merge", "b.json", "none.json", "a.json"]).ends(1);
    let warned = bench.run(&["validate", "--severity", "RL-03=warning", "--format", "json", "a.xml"]).ends(0).out;
    bench.put("warned.json", warned).run(&["merge", "warned.json"]).ends(0);
    bench.run(&["merge", "warned.json", "--fail-on", "warning"]).ends(1);
}

#[test]
fn reports_can_be_named_in_a_list() {
    let bench = reports("merge-list", &[]);
    let merged = bench.run(&["merge", "a.json", "b.json"]).out;
    assert_eq!(bench.feed(&["merge", "--files-from", "-"], b"a.json\nb.json\n").ends(1).out, merged);
    assert_eq!(bench.feed(&["merge", "a.json", "-0", "--files-from", "-"], b"b.json\0").ends(1).out, merged);
    let nothing = bench.feed(&["merge", "--files-from", "-"], b"").ends(2);
    assert_eq!((nothing.out.as_str(), nothing.err.as_str()), ("", "error: there is no report to merge\n"));
}

#[test]
fn a_report_that_cannot_be_merged_is_named_in_the_language_of_the_user() {
    let bench = reports("merge-refused", &[]);
    let other = bench.run(&["validate", "--max-per-rule", "7", "--format", "json", "b.xml"]).out;
    bench.put("seven.json", other).put("broken.json", "{");
    let said = |args: &[&str]| bench.run(&[&["merge"], args].concat()).ends(2).err;
    assert_eq!(
        said(&["a.json", "seven.json"]),
        "error: seven.json cannot be merged: its max-per-rule differs from that of the first report; create both with the same options\n"
    );
    assert_eq!(
        said(&["--lang", "ja", "a.json", "seven.json"]),
        "error: seven.json は統合できません: max-per-rule が最初のレポートと異なる。同じオプションでの再作成が必要\n"
    );
    assert!(said(&["a.json", "broken.json"]).starts_with("error: the report broken.json is not a report: "));
    assert_eq!(said(&["none.json"]), "error: the report none.json could not be read: no such file or folder\n");
    bench.put("all.json", bench.run(&["validate", "--max-per-rule", "0", "--format", "json", "b.xml"]).out);
    let compared = bench.run(&["validate", "--baseline", "all.json", "--format", "json", "b.xml"]).ends(0).out;
    assert!(compared.contains("\"baseline\": true"), "{compared}");
    let error = bench.put("compared.json", compared).run(&["merge", "compared.json"]).ends(2).err;
    assert!(error.starts_with("error: compared.json cannot be merged: a baseline was subtracted"), "{error}");
}
