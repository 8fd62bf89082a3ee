//! Several Sources by one configuration.

use std::{
    env,
    fmt::Write,
    fs, io,
    net::TcpStream,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use resourcesync_tests::server::{Asked, Server, reply};

use crate::bench::Bench;

/// Sources of a run; `SOURCES=n` runs n.
const SOURCES: usize = 30;

/// Serves any number of Sources of two resources each, at `/0/`, `/1/` …
fn respond(host: &str, path: &str, stream: &mut TcpStream) -> io::Result<()> {
    let (source, document) = path[1..].split_once('/').unwrap_or((&path[1..], ""));
    let base = format!("http://{host}/{source}");
    let list = |capability: &str, up: &str, entries: &str| {
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
             <rs:ln rel=\"up\" href=\"{base}/{up}\"/><rs:md capability=\"{capability}\"{}/>{entries}</urlset>",
            if capability == "resourcelist" { " at=\"2024-05-01T00:00:00Z\"" } else { "" }
        )
    };
    let body = match document {
        "capabilitylist.xml" => {
            let entry = format!("<url><loc>{base}/resourcelist.xml</loc><rs:md capability=\"resourcelist\"/></url>");
            list("capabilitylist", "description.xml", &entry)
        }
        "resourcelist.xml" => {
            let entry = |name: &str| format!("<url><loc>{base}/{name}</loc><rs:md length=\"{}\"/></url>", name.len());
            list("resourcelist", "capabilitylist.xml", &(entry("a.txt") + &entry("bb.txt")))
        }
        "a.txt" | "bb.txt" => document.to_owned(),
        _ => return reply(stream, "404 Not Found", &[], b"no such page"),
    };
    reply(stream, "200 OK", &[], body.as_bytes())
}

fn start(host: &str, number: usize) -> String {
    format!("http://{host}/{number}/capabilitylist.xml")
}

fn host(asked: &Asked) -> String {
    asked.header("host").unwrap_or_default().to_owned()
}

#[test]
fn one_source_that_fails_does_not_end_the_others() {
    let count = env::var("SOURCES").ok().map_or(SOURCES, |text| text.parse().unwrap());
    let server = Server::new(|asked, stream| respond(&host(asked), &asked.path, stream));
    let bench = Bench::new("sync-many");
    let hosts = [server.place(), format!("localhost:{}", server.port())];
    let mut config = String::from("[limits]\nhttp_requests_per_second = 0\n");
    for number in 0..count {
        let uri = start(&hosts[number % 2], number);
        let uri = if number == 4 { uri.replace("capabilitylist", "nothing") } else { uri };
        writeln!(config, "[[source]]\nuri = '{uri}'\ndir = 'copies/{number}'").unwrap();
    }
    // The folder of one has a file in its place, and one asks for a header that cannot be read.
    bench
        .put("copies/7", "no folder")
        .put("sources.toml", config + "token = ['http://a.example=env:NO_SUCH_VARIABLE']\n");
    let reports = bench.run(&["sync", "--config", "sources.toml", "--format", "json"]).ends(2).json();
    assert_eq!((&reports["format"], &reports["formatVersion"]), (&"resourcesync-sync-reports".into(), &1.into()));
    let reports = reports["reports"].as_array().unwrap();
    assert_eq!(reports.len(), count);
    for (number, report) in reports.iter().enumerate() {
        let broken = number == 4 || number == 7 || number + 1 == count;
        assert_eq!(report["folder"], format!("copies/{number}"));
        assert_eq!(report["run"]["outcome"] == "in-step", !broken, "{report}");
        if !broken {
            assert_eq!(report["held"]["resources"], 2);
            let file = format!("copies/{number}/{}/{number}/bb.txt", hosts[number % 2].replace(':', "^"));
            assert_eq!(bench.read(&file), "bb.txt");
        }
    }
    let reason = |number: usize| reports[number]["diagnostics"][0].to_string();
    assert!(reason(7).contains("SYN-22"), "{}", reason(7));
    assert!(reason(count - 1).contains("SYN-22") && reason(count - 1).contains("NO_SUCH_VARIABLE"));
    // Each line names its Source, also that of a resource.
    fs::remove_dir_all(bench.path("copies/0")).unwrap();
    let lines = bench.run(&["sync", "--config", "sources.toml", "--format", "ndjson", "--log", "log"]).ends(2).out;
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let items: Vec<_> = lines.iter().filter(|line| line["type"] == "item").collect();
    assert_eq!(items.len(), 2, "{items:?}");
    assert!(items.iter().all(|item| item["source"] == start(&hosts[0], 0)), "{items:?}");
    assert_eq!(lines.iter().filter(|line| line["type"] == "report").count(), count);
    assert_eq!(bench.read("log").lines().count(), lines.len());
    let text = bench.run(&["sync", "--config", "sources.toml"]).ends(2).out;
    assert!(text.contains(&format!("{count} Sources: {} IN STEP, ", count - 3)), "{text}");
}

#[test]
fn hosts_are_asked_at_the_same_time_and_one_host_by_one_source_at_a_time() {
    // The first request to each host is answered when the other host was asked, too.
    let both = Arc::new((Mutex::new(Vec::<String>::new()), Condvar::new()));
    let server = Server::new(move |asked, stream| {
        let (hosts, changed) = &*both;
        let mut hosts = hosts.lock().unwrap();
        if !hosts.contains(&host(asked)) {
            hosts.push(host(asked));
            changed.notify_all();
        }
        let waited = changed.wait_timeout_while(hosts, Duration::from_secs(60), |hosts| hosts.len() < 2).unwrap();
        if waited.1.timed_out() {
            return reply(stream, "503 Service Unavailable", &[], b"only one host at a time");
        }
        drop(waited);
        respond(&host(asked), &asked.path, stream)
    });
    let bench = Bench::new("sync-many-hosts");
    let hosts = [server.place(), format!("localhost:{}", server.port())];
    let source = |number: usize| {
        format!(
            "[[source]]\nuri = '{}'\ndir = '{number}'\nlimit = {{ http_requests_per_second = 0 }}\n",
            start(&hosts[number % 2], number)
        )
    };
    bench.put("sources.toml", (0..8).map(source).collect::<String>());
    let ran = bench.run(&["sync", "--config", "sources.toml"]).ends(0);
    assert!(ran.out.ends_with("8 Sources: 8 IN STEP\n"), "{ran:?}");
    for own in hosts {
        let of_host = server.seen().into_iter().filter(|asked| host(asked) == own);
        let mut sources: Vec<String> = of_host.map(|asked| asked.path[1..2].to_owned()).collect();
        sources.dedup();
        assert_eq!(sources.len(), 4, "{own}: {sources:?}");
    }
    bench.run(&["sync", "--config", "sources.toml", "--quiet"]).ends(0);
}

#[test]
fn a_refusal_comes_before_what_is_incomplete_and_the_command_line_before_a_table() {
    let generation = Arc::new(AtomicUsize::new(0));
    let server = Server::new({
        let generation = generation.clone();
        move |asked, stream| {
            // The first Source has an empty list in the second run.
            if generation.load(Ordering::SeqCst) > 0 && asked.path == "/0/resourcelist.xml" {
                let list = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                            xmlns:rs=\"http://www.openarchives.org/rs/terms/\"><rs:md capability=\"resourcelist\" \
                            at=\"2024-05-02T00:00:00Z\"/></urlset>";
                return reply(stream, "200 OK", &[], list.as_bytes());
            }
            respond(&host(asked), &asked.path, stream)
        }
    });
    let bench = Bench::new("sync-many-status");
    let place = server.place();
    let config = format!(
        "[sync]\nno-delete = true\n[[source]]\nuri = '{}'\ndir = 'a'\nno-delete = false\nlimit = {{ http_requests_per_second = 0 }}\n\
         [[source]]\nuri = '{}'\ndir = 'b'\ninclude = ['**/a.txt']\n",
        start(&place, 0),
        start(&place, 1)
    );
    bench.put("sources.toml", &config);
    let run = |more: &[&str]| {
        let fast = ["sync", "--config", "sources.toml", "--limit", "http_requests_per_second=0", "--format", "json"];
        bench.run(&[&fast, more].concat())
    };
    let reports = run(&[]).ends(0).json();
    assert_eq!(
        (&reports["reports"][0]["held"]["resources"], &reports["reports"][1]["held"]["resources"]),
        (&2.into(), &1.into())
    );
    generation.store(1, Ordering::SeqCst);
    bench
        .put("sources.toml", config.replace(&start(&place, 1), &start(&place, 1).replace("capabilitylist", "nothing")));
    // The second copy is of another Source: no run is possible. The first refuses to delete everything.
    let reports = run(&[]).ends(1).json();
    assert_eq!(reports["reports"][0]["run"]["outcome"], "refused");
    assert_eq!(reports["reports"][1]["diagnostics"][0]["code"], "SYN-22");
    let text = bench.run(&["sync", "--config", "sources.toml", "--limit", "http_requests_per_second=0"]).ends(1).out;
    assert!(text.contains("FAILED: nothing was read"), "{text}");
    run(&["--no-delete"]).ends(2);
}

#[test]
fn a_wrong_table_is_refused_with_its_line_before_anything_is_requested() {
    let bench = Bench::new("sync-many-wrong");
    let good = "[[source]]\nuri = 'http://127.0.0.1:1/'\ndir = 'a'\n";
    for (more, words) in [
        ("maxdelete = 3", "c.toml:4: unknown key `maxdelete`; did you mean `max-delete`?"),
        ("max-delete = 'few'", "c.toml:4: "),
        ("format = 'json'", "c.toml:4: unknown key `format`"),
        ("[[source]]\ndir = 'b'", "c.toml:4: a Source needs a key `uri`"),
        ("[[source]]\nuri = 'http://127.0.0.1:1/'", "c.toml:4: the Source http://127.0.0.1:1/ needs a key `dir`"),
        ("[[source]]\nuri = 'ftp://a.example/'\ndir = 'b'", "c.toml:5: "),
        (
            "[[source]]\nuri = 'http://127.0.0.1:2/'\ndir = './a/'",
            "c.toml:4: `./a/` is the folder of http://127.0.0.1:1/, too",
        ),
        ("adopt = 1", "c.toml:4: expected true or false"),
        ("[source]", "c.toml:"),
    ] {
        bench.put("c.toml", format!("{good}{more}\n"));
        let ran = bench.run(&["sync", "--config", "c.toml"]).ends(2);
        assert!(ran.err.contains(words), "{more}: {ran:?}");
        assert!(!bench.path("a").exists());
        // The whole file is checked by every subcommand.
        bench.put("a.xml", "").run(&["validate", "--config", "c.toml", "a.xml"]).ends(2);
    }
    // A copy in the folder of another one, which is replaced as a whole, wherever that is said.
    let inside = |dir: &str| format!("{good}[[source]]\nuri = 'http://127.0.0.1:2/'\ndir = '{dir}'\n");
    let absolute = bench.path("a/b");
    for dir in ["a/b", "./a/b", "c/../a/b", absolute.to_str().unwrap()] {
        let tables = inside(dir);
        for (text, whole) in [
            (tables.clone(), &["--whole"][..]),
            (tables.replacen("dir = 'a'", "dir = 'a'\nwhole = true", 1), &[]),
            (format!("[sync]\nwhole = true\n{tables}"), &[]),
        ] {
            bench.put("c.toml", text);
            let ran = bench.run(&[&["sync", "--config", "c.toml"], whole].concat()).ends(2);
            assert!(
                ran.err.contains(&format!("`{dir}` is in the folder of http://127.0.0.1:1/, which `whole` replaces")),
                "{ran:?}"
            );
            assert!(!bench.path("a").exists());
        }
    }
    bench.put("c.toml", good);
    let ran = bench.run(&["sync", "--config", "c.toml", "--state", "s"]).ends(2);
    assert!(ran.err.contains("`state` is of one Source"), "{ran:?}");
    // A file that was only found may have come with the folder.
    bench.put("resourcesync.toml", good);
    let ran = bench.run(&["sync"]).ends(2);
    assert!(ran.err.contains("--config resourcesync.toml") && !bench.path("a").exists(), "{ran:?}");
    let ran = bench.run(&["sync", "--no-config"]).ends(2);
    assert!(ran.err.contains("expected: resourcesync sync [URI] DIR"), "{ran:?}");
}
