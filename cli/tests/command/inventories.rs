//! Inventories as CSV or JSON, `diff` and `dump`.

use std::{fs, process::Command};

use resourcesync::{
    api::plain,
    build::{Difference, diff},
    model::{AnyField, Shape},
    value::Datetime,
};

use crate::{
    bench::{Bench, Ran, list},
    build::flawless,
};

fn from(bench: &Bench, how: &str, file: &str, time: &str) -> Ran {
    let at = format!("2024-05-01T{time}Z");
    bench.run(&["build", how, file, "--base-uri", "https://example.com/", "--out", "public", "--at", &at])
}

const CSV: &str = "\
uri,path,length,lastmod,type,md5,link:describedby
https://example.com/1,,5,2024-04-01T00:00:00Z,text/plain,0cc175b9c0f1b6a831c399e269772661,https://example.com/1.json
https://example.com/2,files/two.txt,,,,,
";

#[test]
fn an_inventory_needs_no_folder() {
    let bench = Bench::new("inventory-csv");
    bench.put("items.csv", CSV).put("files/two.txt", "two");
    from(&bench, "--from-csv", "items.csv", "09:00:00").ends(0);
    flawless(&bench, "public");
    let published = bench.read("public/resourcelist.xml");
    assert!(published.contains("rel=\"describedby\" href=\"https://example.com/1.json\""), "{published}");
    assert!(
        published.contains("hash=\"md5:0cc175b9c0f1b6a831c399e269772661\" length=\"5\" type=\"text/plain\""),
        "{published}"
    );
    // The file provides all metadata that a harvester needs.
    assert!(
        published.contains("hash=\"sha-256:") && published.contains("length=\"3\" type=\"text/plain\""),
        "{published}"
    );
    bench.put("items.csv", CSV.replace("0cc1", "1cc1").replace("https://example.com/2,", "https://example.com/3,"));
    let ran = from(&bench, "--from-csv", "items.csv", "10:00:00").ends(0);
    assert!(ran.out.contains("(1 created, 1 deleted, 1 updated)"), "{ran:?}");
    flawless(&bench, "public");
}

#[test]
fn lines_of_json_may_come_on_standard_input_and_name_sets() {
    let bench = Bench::new("inventory-jsonl");
    let lines = r#"{"uri":"https://example.com/b","set":"two","length":1,"hashes":{"sha-1":"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"}}
{"uri":"https://example.com/a","set":"one","links":[{"rel":"duplicate","href":"https://mirror.example.com/a","pri":1}]}
"#;
    let args = ["build", "--stdin", "--base-uri", "https://example.com/", "--out", "public"];
    bench.feed(&args, lines.as_bytes()).ends(0);
    flawless(&bench, "public");
    assert!(bench.read("public/one/resourcelist.xml").contains("rel=\"duplicate\""));
    assert!(bench.read("public/two/resourcelist.xml").contains("sha-1:86f7"));
}

#[test]
fn complaints_name_the_line_and_nothing_is_published() {
    let bench = Bench::new("inventory-wrong");
    let json = r#"{"uri":"https://example.com/a","lenght":5}"#;
    let digest = "ab".repeat(32);
    let whole = |length| format!("uri,path,length,sha-256\nhttps://example.com/2,files/two.txt,{length},{digest}\n");
    for (file, content, said) in [
        ("a.csv", CSV.replace(",5,", ",five,"), "a.csv:2: length `five` is not a whole number"),
        (
            "b.csv",
            CSV.replace("https://example.com/1,", "https://example.com/a b,"),
            "percent-encode it, as in `https://example.com/a%20b`",
        ),
        ("c.csv", CSV.replace("2024-04-01T", "2024-04-31T"), "c.csv:2: lastmod"),
        ("d.csv", CSV.replace("0cc1", "xyz"), "d.csv:2: `md5:xyz"),
        (
            "e.csv",
            CSV.replace("https://example.com/2,", "https://example.com/1,"),
            "e.csv: https://example.com/1 is listed twice, in lines 2 and 3",
        ),
        ("f.csv", CSV.replace("two.txt,", "none.txt,"), "f.csv:3: files/none.txt: no such file or folder"),
        ("g.csv", CSV.replace("two.txt,,", "two.txt,7,"), "states a length of 7, but the file has 3"),
        // Nothing of the file itself has to be read.
        ("k.csv", whole(7), "states a length of 7, but the file has 3"),
        ("n.csv", "<html>no table</html>\n".to_owned(), "n.csv:1: it is HTML or XML, not CSV"),
        ("h.jsonl", format!("{json}\n"), "h.jsonl:1: column 39: unknown field `lenght`"),
        ("i.jsonl", "{\"uri\":1}\n".to_owned(), "i.jsonl:1: column"),
        (
            "j.jsonl",
            "\n{\"uri\":\"https://example.com/a\",\"set\":\"../b\"}\n".to_owned(),
            "j.jsonl:2: `../b` is not a valid name for a set",
        ),
    ] {
        bench.put(file, content).put("files/two.txt", "two");
        let how = if file.ends_with("csv") { "--from-csv" } else { "--from-jsonl" };
        let ran = from(&bench, how, file, "09:00:00").ends(2);
        assert!(ran.err.contains(said), "{said}: {ran:?}");
        assert!(!bench.path("public").exists());
    }
    assert!(from(&bench, "--from-csv", "files", "09:00:00").ends(2).err.contains("files is a folder"));
    bench.put("l.csv", whole(3));
    from(&bench, "--from-csv", "l.csv", "09:00:00").ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains("<lastmod>") && list.contains("type=\"text/plain\""), "the file has them: {list}");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let bench = Bench::new("inventory-fifo");
    assert!(Command::new("mkfifo").arg(bench.path("fifo")).status().unwrap().success());
    let digest = "ab".repeat(32);
    for rest in [",", &format!("3,{digest}")] {
        bench.put("items.csv", format!("uri,path,length,sha-256\nhttps://example.com/1,fifo,{rest}\n"));
        let ran = from(&bench, "--from-csv", "items.csv", "09:00:00").ends(2);
        assert!(ran.err.contains("not a regular file"), "{ran:?}");
    }
}

#[test]
fn two_lists_are_compared_in_words_and_as_a_change_list() {
    let bench = Bench::new("diff");
    let new = list(4).replace("example.com/1<", "example.com/x<").replace("T09:00:00Z", "T19:00:00Z");
    let new = new.replacen("2013-01-02T13:00:00Z", "2013-01-03T12:00:00Z", 1);
    bench.put("old.xml", list(4)).put("new.xml", new);
    let ran = bench.run(&["diff", "old.xml", "new.xml"]).ends(0);
    let expected = "updated http://example.com/0\ndeleted http://example.com/1\ncreated http://example.com/x\n";
    assert_eq!(ran.out, expected);
    let up = ["--up", "http://example.com/capabilitylist.xml"];
    let ran = bench.run(&[&["diff", "old.xml", "new.xml", "--output", "changelist.xml"], &up[..]].concat()).ends(0);
    assert_eq!(ran.out, "");
    flawless(&bench, "changelist.xml");
    let changes = bench.read("changelist.xml");
    assert!(changes.contains("from=\"2013-01-03T09:00:00Z\""), "{changes}");
    assert!(changes.contains("change=\"updated\" datetime=\"2013-01-03T12:00:00Z\""), "its lastmod tells: {changes}");
    assert!(changes.contains("change=\"deleted\" datetime=\"2013-01-03T19:00:00Z\""), "{changes}");

    bench
        .put("old.csv", "uri,md5\nhttp://example.com/a,0cc175b9c0f1b6a831c399e269772661\n")
        .put("new.csv", "uri,md5\n");
    assert_eq!(bench.run(&["diff", "old.csv", "new.csv"]).ends(0).out, "deleted http://example.com/a\n");
    let ran = bench.run(&[&["diff", "old.csv", "new.csv"], &up[..]].concat()).ends(2);
    assert!(ran.err.contains("--since"), "{ran:?}");
    assert!(bench.run(&["diff", "changelist.xml", "new.xml"]).ends(2).err.contains("is not a Resource List"));
    // What a server that is busy sends is no list without resources.
    bench.put("busy.xml", "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>busy</body></html>");
    let ran = bench.run(&["diff", "new.xml", "busy.xml"]).ends(2);
    assert!(ran.out.is_empty() && ran.err.contains("it has no root `rs:md`"), "{ran:?}");
    bench.put("cut.xml", "<urlset>");
    assert!(bench.run(&["diff", "cut.xml", "new.xml"]).ends(2).err.contains("not well-formed"));
}

#[test]
fn the_command_reports_the_differences_that_the_core_reports() {
    let bench = Bench::new("diff-core");
    let list = |entries: &str| {
        format!(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:x="urn:x">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/><rs:md capability="resourcelist" at="2024-01-01T00:00:00Z"/>{entries}</urlset>"#
        )
    };
    let more = "<changefreq>daily</changefreq><priority>0.5</priority>";
    let whole = format!("<url><loc>http://example.com/6</loc>{more}<rs:md length=\"1\"/><x:y>z</x:y></url>");
    let md = |number: u8, other: &str| format!(r#"<url><loc>http://example.com/{number}</loc><rs:md {other}/></url>"#);
    let hash = r#"hash="md5:0cc175b9c0f1b6a831c399e269772661""#;
    let linked = |to: &str| format!(r#"{hash}/><rs:ln rel="describedby" href="http://example.com/{to}""#);
    let same = md(4, &format!(r#"{hash} length="1""#));
    let old = list(&(md(1, hash) + &md(2, &linked("a")) + &md(5, hash) + &same));
    let new = list(
        &(md(1, &format!(r#"{hash} encoding="gzip""#))
            + &md(2, &linked("b"))
            + &md(3, &format!(r#"{hash} encoding="gzip""#))
            + &md(4, hash)
            + &whole),
    );
    bench.put("old.xml", &old).put("new.xml", &new);
    let out = bench.run(&["diff", "old.xml", "new.xml"]).ends(0).out;

    let entries = |text: &str| {
        let plain = resourcesync::api::read(text.as_bytes(), &Default::default()).unwrap();
        let mut entries: Vec<_> = plain.entries.iter().map(|entry| entry.to_model(Shape::UrlSet)).collect();
        entries.sort_by_key(|entry| entry.loc[0].field.text().into_owned());
        entries
    };
    let found: Vec<Difference> = diff(entries(&old), entries(&new)).collect::<Result<_, _>>().unwrap();
    let mut lines: Vec<String> = found
        .iter()
        .map(|found| {
            let change = match found {
                Difference::Created(_) => "created",
                Difference::Updated { .. } => "updated",
                Difference::Deleted(_) => "deleted",
            };
            format!("{change} {}\n", found.uri())
        })
        .collect();
    lines.sort_by_key(|line| line.split(' ').nth(1).map(str::to_owned));
    assert_eq!(out, lines.concat());
    let expected = "updated http://example.com/1\nupdated http://example.com/2\ncreated http://example.com/3\ndeleted http://example.com/5\ncreated http://example.com/6\n";
    assert_eq!(out, expected);
    let up =
        ["diff", "old.xml", "new.xml", "--up", "http://example.com/capabilitylist.xml", "--at", "2024-01-02T00:00:00Z"];
    let changes = bench.run(&up).ends(0).out;
    assert_eq!(changes.matches("encoding=\"gzip\"").count(), 2, "{changes}");
    assert!(changes.contains(">z</") && changes.contains("<priority>0.5</priority>"), "{changes}");
    let at: Datetime = "2024-01-02T00:00:00Z".parse().unwrap();
    let mut listed: Vec<_> = found.iter().map(|found| plain::Entry::from(&found.change(at.clone()))).collect();
    listed.sort_by(|a, b| a.uri.cmp(&b.uri));
    assert_eq!(resourcesync::api::read(changes.as_bytes(), &Default::default()).unwrap().entries, listed);
}

#[test]
fn folders_of_lists_are_compared_too() {
    let bench = Bench::new("diff-generations");
    bench.put("files/1", "1").put("files/2", "2");
    let build = |at: &str| {
        let args = ["build", "files", "--base-uri", "https://example.com/", "--out", "public", "--at", at];
        bench.run(&[&args[..], &["--keep-generations", "1"]].concat()).ends(0)
    };
    build("2024-05-01T09:00:00Z");
    bench.put("files/1", "one");
    build("2024-05-01T10:00:00Z");
    let ran = bench.run(&["diff", "public.resourcesync/2/public", "public"]).ends(0);
    assert_eq!(ran.out, "updated https://example.com/1\n");
}

#[test]
fn a_dump_is_split_and_read_by_others() {
    let bench = Bench::new("dump");
    for number in 0..25 {
        bench.put(&format!("files/日本 {number}.txt"), format!("text {number}").repeat(number + 1));
    }
    let args = ["dump", "files", "--base-uri", "https://example.com/", "--out", "dump", "--package-entries", "10"];
    let ran = bench.run(&args).ends(0);
    assert_eq!(ran.out, "dump: 25 resources in 3 packages\n");
    flawless(&bench, "dump");
    assert!(!bench.path("dump.resourcesync").exists() && !bench.path("dump/.generation").exists());
    let ran = bench.run(&args).ends(2);
    assert!(ran.err.contains("is no folder that this command updates"), "{ran:?}");
    let script = "import sys, zipfile\nfor name in sys.argv[1:]:\n    z = zipfile.ZipFile(name)\n    assert z.testzip() is None\n    print(len(z.namelist()))";
    let zips: Vec<_> = (1..=3).map(|number| bench.path(&format!("dump/resourcedump-{number}.zip"))).collect();
    if let Ok(python) = Command::new("python3").args(["-c", script]).args(&zips).output() {
        assert_eq!(String::from_utf8_lossy(&python.stdout), "11\n11\n6\n", "{python:?}");
    }
    for zip in &zips {
        if let Ok(unzip) = Command::new("unzip").arg("-tq").arg(zip).output() {
            assert!(unzip.status.success(), "{unzip:?}");
        }
    }
    for entry in fs::read_dir(bench.path("dump")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "xml")
            && let Ok(xmllint) = Command::new("xmllint").args(["--noout", "--nonet"]).arg(&path).output()
        {
            assert!(xmllint.status.success(), "{xmllint:?}");
        }
    }
}

#[test]
fn times_of_databases_are_read_if_they_have_a_zone() {
    let bench = Bench::new("inventories-psql");
    for (lastmod, published) in [
        ("2024-01-31 12:00:00+00", "2024-01-31T12:00:00+00:00"),
        ("2024-01-31 12:00:00.123456+09", "2024-01-31T12:00:00.123456+09:00"),
        ("2024-01-31 12:00:00-03:30", "2024-01-31T12:00:00-03:30"),
        ("2024-01-31 12:00:00Z", "2024-01-31T12:00:00Z"),
        ("2024-01-31", "2024-01-31"),
    ] {
        bench.put("items.csv", format!("uri,lastmod\nhttps://example.com/1,{lastmod}\n"));
        bench.put("items.jsonl", format!("{{\"uri\":\"https://example.com/1\",\"lastmod\":\"{lastmod}\"}}\n"));
        for (how, file) in [("--from-csv", "items.csv"), ("--from-jsonl", "items.jsonl")] {
            for name in ["public", "public.resourcesync"] {
                let _ = fs::remove_dir_all(bench.path(name));
            }
            from(&bench, how, file, "09:00:00").ends(0);
            let list = bench.read("public/resourcelist.xml");
            assert!(list.contains(&format!("<lastmod>{published}</lastmod>")), "{lastmod}: {list}");
            flawless(&bench, "public");
        }
    }
    for (lastmod, said) in [
        ("2024-01-31 12:00:00", "has no time zone"),
        ("2024-01-31 12:00:00.5", "has no time zone"),
        ("2024-01-31 12:00:00+9", "is not a datetime"),
        ("31.1.2024 12:00:00+00", "is not a datetime"),
        ("yesterday+00", "is not a datetime"),
    ] {
        bench.put("items.csv", format!("uri,lastmod\nhttps://example.com/1,{lastmod}\n"));
        let ran = from(&bench, "--from-csv", "items.csv", "10:00:00").ends(2);
        assert!(ran.err.contains(said) && ran.err.contains("items.csv:2"), "{lastmod}: {ran:?}");
    }
}

#[test]
fn the_result_of_publishing_is_available_as_json() {
    let bench = Bench::new("inventories-json");
    bench.put("files/1", "1").put("files/2", "2").put("files/.hidden", "");
    let build = |at: &str, more: &[&str]| {
        let base =
            ["build", "files", "--base-uri", "https://example.com/", "--out", "public", "--format", "json", "--at"];
        bench.run(&[&base[..], &[&format!("2024-05-01T{at}Z")], more].concat())
    };
    let dry = build("09:00:00", &["--dry-run"]).ends(0).json();
    assert_eq!((&dry["result"], &dry["resources"]), (&"dry-run".into(), &2.into()));
    let first = build("09:00:00", &[]).ends(0).json();
    assert_eq!((&first["format"], &first["formatVersion"]), (&"resourcesync-publish-report".into(), &1.into()));
    assert_eq!((&first["command"], &first["result"]), (&"build".into(), &"written".into()));
    assert_eq!((&first["out"], &first["at"]), (&"public".into(), &"2024-05-01T09:00:00Z".into()));
    assert!(first["written"].as_array().unwrap().contains(&"resourcelist.xml".into()), "{first}");
    assert!(first["warnings"][0].as_str().unwrap().contains("begins with a dot"), "{first}");
    bench.put("files/2", "22").put("files/3", "3");
    assert_eq!(
        build("10:00:00", &["--dry-run"]).ends(0).json()["changes"],
        serde_json::json!({"created": 1, "updated": 1})
    );
    let second = build("10:00:00", &[]).ends(0).json();
    assert_eq!(second["changes"], serde_json::json!({"created": 1, "updated": 1}));
    let third = build("11:00:00", &[]).ends(0).json();
    assert_eq!((&third["result"], &third["at"]), (&"unchanged".into(), &"2024-05-01T10:00:00Z".into()));
    assert_eq!(build("11:00:00", &["--verify-state"]).ends(0).json()["result"], "verified");
    fs::remove_file(bench.path("files/1")).unwrap();
    let refused = build("11:00:00", &["--max-delete", "0"]).ends(1).json();
    assert_eq!(refused["result"], "refused");
    assert!(refused["error"].as_str().unwrap().contains("--max-delete 1"), "{refused}");
    let failed = build("08:00:00", &[]).ends(2).json();
    assert_eq!((&failed["result"], failed["error"].is_string()), (&"failed".into(), true));

    let dump = ["dump", "files", "--base-uri", "https://example.com/", "--out", "dump", "--format", "json"];
    let dump = bench.run(&dump).ends(0).json();
    assert_eq!((&dump["command"], &dump["resources"], &dump["packages"]), (&"dump".into(), &2.into(), &1.into()));

    bench.put("old.xml", list(4)).put("new.xml", list(6));
    let diff = bench.run(&["diff", "old.xml", "new.xml", "--format", "json"]).ends(0).json();
    assert_eq!((&diff["result"], &diff["changes"]), (&"compared".into(), &serde_json::json!({"created": 2})));
    let up = ["diff", "old.xml", "new.xml", "--format", "json", "--up", "http://example.com/capabilitylist.xml"];
    assert!(bench.run(&up).ends(2).err.contains("requires --output"));
    let written = bench.run(&[&up[..], &["--output", "changelist.xml"]].concat()).ends(0).json();
    assert_eq!((&written["result"], &written["out"]), (&"written".into(), &"changelist.xml".into()));
    assert!(bench.read("changelist.xml").contains("created"));
}

#[test]
fn lines_are_counted_alike_whatever_ends_them() {
    let bench = Bench::new("inventory-crlf");
    let wrong = CSV.replace("https://example.com/2,", "https://example.com/2 ,");
    for (file, line_break) in [("unix.csv", "\n"), ("windows.csv", "\r\n")] {
        bench.put(file, wrong.replace('\n', line_break)).put("files/two.txt", "two");
        let ran = from(&bench, "--from-csv", file, "09:00:00").ends(2);
        assert!(ran.err.contains(&format!("{file}:3: `https://example.com/2 `")), "{ran:?}");
    }
}

#[test]
fn an_inventory_in_another_encoding_is_named_with_a_remedy() {
    let bench = Bench::new("inventory-encoding");
    bench.put("theses.jsonl", b"{\"uri\":\"https://example.com/\x98\x5f\"}\n");
    let neither = b"uri,link:describedby\r\nhttps://example.com/1,\x98\x5f\xff\r\n";
    bench.put("neither.csv", neither);
    for (how, place) in [("--from-csv", "neither.csv:2"), ("--from-jsonl", "theses.jsonl:1")] {
        let file = place.split(':').next().unwrap();
        let ran = from(&bench, how, file, "09:00:00").ends(2);
        assert!(ran.err.contains(&format!("{place}: the line is not UTF-8")), "{ran:?}");
        assert!(ran.err.contains("save the file as UTF-8"), "{ran:?}");
        let base = ["build", how, file, "--base-uri", "https://example.com/", "--out", "public", "--lang", "ja"];
        let ran = bench.run(&base).ends(2);
        assert!(ran.err.contains(place) && ran.err.contains("UTF-8 で保存してください"), "{ran:?}");
    }
}

#[test]
fn a_spreadsheet_is_read_as_it_was_saved() {
    let bench = Bench::new("inventory-spreadsheet");
    // Shift_JIS, local times, and columns of the spreadsheet: "ハンドル", "更新日", "題名" with "論文".
    let header = b"\x83\x6e\x83\x93\x83\x68\x83\x8b,\x8d\x58\x90\x56\x93\xfa,\x91\xe8\x96\xbc\r\n";
    let sheet = [&header[..], b"https://example.com/1,2024-05-01 09:00:00,\x98\x5f\x95\xb6\r\n"].concat();
    bench.put("theses.csv", sheet);
    let base = ["build", "--from-csv", "theses.csv", "--base-uri", "https://example.com/", "--out", "public"];
    let build = |more: &[&str]| bench.run(&[&base[..], more].concat());
    for (more, words) in [
        (&[][..], "unknown column `ハンドル`"),
        (&["--ignore-columns", "all"], "column `uri` is missing; the header has `ハンドル`, `更新日`, `題名`"),
        (&["--column", "uri=handle"], "column `handle` for `uri` is missing; the header has `ハンドル`"),
        (&["--column", "uri=ハンドル", "--ignore-columns", "更新日"], "unknown column `題名`"),
        (&["--column", "uri=ハンドル", "--column", "lastmod=更新日", "--ignore-columns", "all"], "--zone +09:00"),
        (&["--column", "uri"], "such as uri=handle"),
        (&["--zone", "Tokyo"], "such as +09:00"),
        (&["--encoding", "sjis2"], "such as utf-8, shift_jis"),
    ] {
        let refused = build(more).ends(2);
        assert!(refused.err.contains(words), "{words}: {refused:?}");
    }
    let columns = ["--column", "uri=ハンドル", "--column", "lastmod=更新日", "--ignore-columns", "題名"];
    let ran = build(&[&columns[..], &["--zone", "+09:00"]].concat()).ends(0);
    assert!(ran.err.contains("theses.csv was read as Shift_JIS"), "{ran:?}");
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains("<lastmod>2024-05-01T09:00:00+09:00</lastmod>"), "{list}");
    let given = build(&[&columns[..], &["--zone", "+09:00", "--encoding", "shift_jis"]].concat()).ends(0);
    assert!(!given.err.contains("Shift_JIS") && given.out.contains("nothing has changed"), "{given:?}");
}

#[test]
fn the_rows_of_a_table_describe_the_files_of_a_folder() {
    let bench = Bench::new("inventory-folder");
    bench.put("files/a b.pdf", "one").put("files/sub/c.pdf", "three").put("files/notes.txt", "x");
    let base = ["build", "files", "--from-csv", "items.csv", "--base-uri", "https://example.com/", "--out", "public"];
    let build = |table: &str, more: &[&str]| {
        bench.put("items.csv", table);
        bench.run(&[&base[..], more].concat())
    };
    let table = "path,uri,link:describedby,lastmod\na b.pdf,,https://example.com/1,2024-05-01T00:00:00Z\n\
                 sub/c.pdf,https://example.com/handle/2,https://example.com/2,\n";
    for (table, words) in [
        (table, "files that are not in items.csv: 1, such as notes.txt"),
        ("path\na b.pdf\nnone.pdf\n", "items.csv:3: there is no file none.pdf in files"),
        ("path\na b.pdf\n./a b.pdf\n", "items.csv:3: its file is that of line 2"),
        ("path,length\na b.pdf,9\n", "items.csv:2: the table states a length of 9, but the file has 3"),
        ("uri\nhttps://elsewhere.example/1\n", "items.csv:2: the row has neither"),
        ("title\nx\n", "unknown column `title`"),
    ] {
        let refused = build(table, &[]).ends(2);
        assert!(refused.err.contains(words), "{words}: {refused:?}");
    }
    let skipped = build(table, &["--unlisted", "skip"]).ends(0);
    assert!(skipped.err.contains("not in the table, such as notes.txt"), "{skipped:?}");
    let list = bench.read("public/resourcelist.xml");
    assert!(
        list.contains("<loc>https://example.com/a%20b.pdf</loc>") && list.contains("https://example.com/handle/2"),
        "{list}"
    );
    assert!(
        list.contains("https://example.com/1\"") && !list.contains("notes.txt") && list.contains("sha-256:"),
        "{list}"
    );
    let again = build(table, &["--unlisted", "skip"]).ends(0);
    assert!(again.out.contains("nothing has changed"), "{again:?}");
    build(table, &["--unlisted", "publish"]).ends(0);
    assert!(bench.read("public/changelist.xml").contains("notes.txt"));
    // What the row states counts, though the file is as before.
    let later = table.replace("2024-05-01", "2024-05-02").replace("https://example.com/1,", "https://example.com/3,");
    build(&later, &["--unlisted", "publish"]).ends(0);
    assert!(bench.read("public/resourcelist.xml").contains("2024-05-02"));
}

#[test]
fn files_outside_the_folder_of_an_inventory_are_refused_unless_allowed() {
    let bench = Bench::new("inventory-outside");
    bench.put("secret", "secret").put("data/inside", "inside").put("data/..dots", "dots");
    let outside = bench.path("secret").display().to_string();
    for path in ["../secret", outside.as_str(), "sub/../../secret", "link"] {
        bench.put("data/sub/x", "");
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink("../secret", bench.path("data/link"));
        if !bench.path("data").join(path).exists() {
            continue;
        }
        bench.put("data/items.csv", format!("uri,path\nhttps://example.com/1,{path}\n"));
        bench.put("data/items.jsonl", format!("{{\"uri\":\"https://example.com/1\",\"path\":\"{path}\"}}\n"));
        for (how, file) in [("--from-csv", "data/items.csv"), ("--from-jsonl", "data/items.jsonl")] {
            for command in ["build", "dump"] {
                let args = [command, how, file, "--base-uri", "https://example.com/", "--out", "public"];
                let ran = bench.run(&args).ends(2);
                let line = if file.ends_with("csv") { 2 } else { 1 };
                assert!(
                    ran.err.contains(&format!("{file}:{line}: ")) && ran.err.contains("is outside data"),
                    "{ran:?}"
                );
                assert!(ran.err.contains("--allow-outside") && !bench.path("public").exists(), "{ran:?}");
                bench.run(&[&args[..], &["--allow-outside"]].concat()).ends(0);
                for left in ["public", "public.resourcesync"] {
                    let _ = fs::remove_dir_all(bench.path(left));
                }
            }
        }
    }
    bench.put("data/items.csv", "uri,path\nhttps://example.com/1,inside\nhttps://example.com/2,..dots\n");
    from(&bench, "--from-csv", "data/items.csv", "09:00:00").ends(0);
    // Only the lists are compared; no file is read.
    bench.put("data/items.csv", "uri,path\nhttps://example.com/1,../secret\n");
    bench.run(&["diff", "data/items.csv", "data/items.csv"]).ends(0);
}

#[test]
fn a_dump_without_what_cannot_be_read_is_not_complete() {
    let bench = Bench::new("dump-skipped");
    bench.put("a", "a").put("items.csv", "uri,path\nhttps://example.com/a,a\nhttps://example.com/b,b\n");
    let args = ["dump", "--from-csv", "items.csv", "--base-uri", "https://example.com/", "--out", "dump"];
    assert!(bench.run(&args).ends(2).err.contains("items.csv:3: b: no such file"));
    let ran = bench.run(&[&args[..], &["--skip-unreadable"]].concat()).ends(2);
    assert!(ran.err.contains("skipped items.csv:3: b") && ran.out.contains("1 resource in 1 package"), "{ran:?}");
    flawless(&bench, "dump");
}

#[test]
fn changes_are_printed_as_json_entries_and_by_the_exit_status() {
    let bench = Bench::new("diff-json");
    let new = list(4).replace("example.com/1<", "example.com/x<");
    bench.put("old.xml", list(4)).put("new.xml", &new);
    let json = bench.run(&["diff", "old.xml", "new.xml", "--format", "json"]).ends(0).json();
    assert_eq!(json["changes"], serde_json::json!({"created": 1, "deleted": 1}));
    let expected = serde_json::json!([
        {"uri": "http://example.com/1", "change": "deleted"},
        {"uri": "http://example.com/x", "lastmod": "2013-01-02T13:00:00Z", "change": "created"},
    ]);
    assert_eq!(json["entries"], expected);
    let ran = bench.run(&["diff", "old.xml", "new.xml", "--format", "ndjson"]).ends(0);
    let lines: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(serde_json::Value::from(lines), expected);
    let same = bench.run(&["diff", "old.xml", "old.xml", "--format", "json", "--exit-code"]).ends(0).json();
    assert_eq!((&same["entries"], &same["changes"]), (&serde_json::json!([]), &serde_json::json!({})));

    for format in ["text", "json", "ndjson"] {
        bench.run(&["diff", "old.xml", "new.xml", "--exit-code", "--format", format]).ends(1);
        bench.run(&["diff", "old.xml", "old.xml", "--exit-code", "--format", format]).ends(0);
    }
    let up = ["--exit-code", "--up", "http://example.com/capabilitylist.xml", "--at", "2013-01-04T00:00:00Z"];
    assert!(bench.run(&[&["diff", "old.xml", "new.xml"], &up[..]].concat()).ends(1).out.contains("<urlset"));

    let lines = "deleted http://example.com/1\ncreated http://example.com/x\n";
    assert_eq!(bench.feed(&["diff", "old.xml", "-"], new.as_bytes()).ends(0).out, lines);
    assert_eq!(bench.feed(&["diff", "old.xml", "-"], &crate::bench::gzip(new.as_bytes())).ends(0).out, lines);
    let jsonl = "{\"uri\": \"http://example.com/0\", \"lastmod\": \"2013-01-02T13:00:00Z\"}\n";
    let deleted = "deleted http://example.com/1\ndeleted http://example.com/2\ndeleted http://example.com/3\n";
    assert_eq!(bench.feed(&["diff", "old.xml", "-"], jsonl.as_bytes()).ends(0).out, deleted);
    let csv = b"uri,lastmod\r\nhttp://example.com/0,2013-01-02T13:00:00Z\r\n";
    assert_eq!(bench.feed(&["diff", "-", "old.xml"], csv).ends(0).out, deleted.replace("deleted", "created"));
    let ran = bench.feed(&["diff", "-", "-"], csv).ends(2);
    assert!(ran.err.contains("only one of OLD and NEW"), "{ran:?}");
    let twice = b"uri\nhttp://example.com/0\nhttp://example.com/0\n";
    let ran = bench.feed(&["diff", "old.xml", "-", "--format", "json"], twice).ends(2);
    assert!(ran.err.contains("-: http://example.com/0 is listed twice"), "{ran:?}");
    assert_eq!(ran.json()["result"], "failed");
}

#[test]
fn values_that_cannot_be_read_are_named() {
    let bench = Bench::new("diff-malformed");
    let with = |md: &str| list(3).replacen("</loc>", &format!("</loc><rs:md {md}/>"), 2);
    bench
        .put("old.xml", with(r#"hash="md5:yyy""#))
        .put("new.xml", with(r#"hash="md5:zzz" length="x""#))
        .put("good.xml", list(3));
    let ran = bench.run(&["diff", "old.xml", "new.xml"]).ends(0);
    for name in ["old", "new"] {
        assert!(
            ran.err.contains(&format!("{name}.xml: 2 entries have a value that cannot be read, first in line")),
            "{ran:?}"
        );
    }
    let warnings = bench.run(&["diff", "good.xml", "new.xml", "--format", "json"]).ends(0).json()["warnings"].clone();
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    assert_eq!(bench.run(&["diff", "good.xml", "good.xml"]).ends(0).err, "");
}

#[test]
fn lists_in_folders_are_compared_as_a_whole() {
    let bench = Bench::new("diff-folders");
    bench
        .put("old/resourcelist.xml", list(3))
        .put("old/resourcelist-copy.xml", list(3))
        .put("new/resourcelist.xml", list(3));
    assert_eq!(bench.run(&["diff", "old", "new"]).ends(0).out, "");
    bench.put("new/resourcelist.xml", "");
    bench.run(&["diff", "old", "new"]).ends(2);
    bench.put("old/books.xml", list(4).replace("example.com/", "example.net/")).put("new/resourcelist.xml", list(3));
    for cut in
        ["", "<?xml version=\"1.0\"?>", "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">", "<urls"]
    {
        bench.put("new/books.xml", cut);
        let ran = bench.run(&["diff", "old", "new"]).ends(2);
        assert!(
            ran.err.contains("books.xml") && ran.err.contains("help: it may be a list that was cut"),
            "{cut}: {ran:?}"
        );
    }
    // A resource may be anything.
    bench.put("new/books.xml", "<html><p>").put("new/notes.xml", "<urlset/>");
    assert_eq!(bench.run(&["diff", "old", "new"]).ends(0).out.lines().count(), 4);
    fs::remove_file(bench.path("old/books.xml")).unwrap();
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
        <rs:md capability=\"resourcelist\" at=\"2013-01-03T09:00:00Z\"/><sitemap><loc>http://example.com/resourcelist-1.xml</loc></sitemap>\
        <sitemap><loc>http://example.com/resourcelist-2.xml</loc></sitemap></sitemapindex>";
    bench.put("new/resourcelist.xml", index).put("new/resourcelist-1.xml", list(3));
    let ran = bench.run(&["diff", "old", "new"]).ends(2);
    assert!(ran.err.contains("resourcelist-2.xml, which is not in the folder"), "{ran:?}");
    bench.put("new/resourcelist-2.xml", list(1)).put("new/resourcelist-3.xml", list(2));
    let ran = bench.run(&["diff", "old", "new"]).ends(2);
    assert!(ran.err.contains("resourcelist-3.xml is a list that the index of its folder does not name"), "{ran:?}");
    fs::remove_file(bench.path("new/resourcelist-3.xml")).unwrap();
    bench.put("new/resourcelist-2.xml", list(4).replace("example.com/", "example.org/"));
    assert_eq!(bench.run(&["diff", "old", "new"]).ends(0).out.lines().count(), 4);
}
