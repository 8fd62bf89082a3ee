//! A Source of two Capability Lists with Change Lists each: followed together.

use std::fs;

use resourcesync_tests::server::Server;
use serde_json::Value;

use super::{copied, serve, sync, tree};
use crate::bench::Bench;

/// Two sets, built from the folders `a` and `b`; what is in both has one URI.
struct Sets {
    bench: Bench,
    server: Server,
}

impl Sets {
    fn new(name: &str) -> Sets {
        let bench = Bench::new(name);
        let server = serve(bench.path("served"));
        let sets = Sets { bench, server };
        for number in 0..5 {
            sets.put(&["a"], &format!("a{number}"), "first").put(&["b"], &format!("b{number}"), "first");
        }
        sets.put(&["a", "b"], "both", "first").put(&["a", "b"], "moved", "first");
        sets.publish("a", 0, &[]).publish("b", 1, &[]).describe(&["a", "b"]);
        sets
    }

    /// Writes a resource of these sets.
    fn put(&self, sets: &[&str], name: &str, body: &str) -> &Sets {
        for set in sets {
            self.bench.put(&format!("{set}/{name}"), body);
        }
        self.bench.put(&format!("served/files/{name}"), body);
        self
    }

    /// Removes a resource from a set, and from the server if it is in no other.
    fn remove(&self, set: &str, name: &str) -> &Sets {
        fs::remove_file(self.bench.path(&format!("{set}/{name}"))).unwrap();
        if ["a", "b"].iter().all(|set| !self.bench.path(&format!("{set}/{name}")).exists()) {
            fs::remove_file(self.bench.path(&format!("served/files/{name}"))).unwrap();
        }
        self
    }

    fn publish(&self, set: &str, minute: u64, options: &[&str]) -> &Sets {
        let (out, at) = (format!("served/{set}"), format!("2024-05-01T00:{minute:02}:00Z"));
        let (base, documents) = (self.server.url("/files/"), self.server.url(&format!("/{set}/")));
        let args = ["build", set, "--out", &out, "--max-delete", "100", "--at", &at];
        self.bench.run(&[&args[..], options, &["--base-uri", &base, "--documents-uri", &documents]].concat()).ends(0);
        self
    }

    fn describe(&self, sets: &[&str]) {
        let entry = |set: &&str| {
            let uri = self.server.url(&format!("/{set}/capabilitylist.xml"));
            format!(r#"<url><loc>{uri}</loc><rs:md capability="capabilitylist"/></url>"#)
        };
        let entries: String = sets.iter().map(entry).collect();
        let text = format!(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="description"/>{entries}</urlset>"#
        );
        self.bench.put("served/.well-known/resourcesync", text);
    }

    /// A run, after which the copy is what the sets list.
    fn follow(&self, why: &str, counts: [u64; 3]) -> Value {
        let uri = self.server.url("/.well-known/resourcesync");
        let report = sync(&self.bench, &["--format", "json", &uri, "copy"]).ends(0).json();
        assert_eq!((&report["run"]["outcome"], &report["plan"]["why"]), (&"in-step".into(), &why.into()), "{report:#}");
        let own = ["created", "updated", "deleted"].map(|name| report["counts"][name].as_u64().unwrap());
        assert_eq!(own, counts, "{report:#}");
        assert_eq!(copied(&self.bench, &self.server, "copy"), tree(&self.bench.path("served/files")), "{report:#}");
        let audit = ["audit", "--limit", "http_requests_per_second=0", "--format", "json", "copy"];
        let audit = self.bench.run(&audit).ends(0).json();
        assert_eq!(audit["outcome"], "equal", "{audit:#}");
        report
    }
}

#[test]
fn two_sets_are_followed_by_their_change_lists_and_only_what_none_lists_is_deleted() {
    let sets = Sets::new("sync-sets");
    let report = sets.follow("first-run", [12, 0, 0]);
    assert_eq!(report["asOf"], "2024-05-01T00:00:00Z");
    // The Source Description, and an open list each.
    let before = sets.server.seen().len();
    sync(&sets.bench, &["copy"]).ends(0);
    assert_eq!(sets.server.paths()[before..].len(), 3, "{:?}", &sets.server.paths()[before..]);

    sets.put(&["a"], "a1", "changed").put(&["b"], "b5", "created").remove("b", "b0").remove("a", "both");
    sets.publish("a", 2, &[]).publish("b", 3, &[]);
    let before = sets.server.seen().len();
    sets.follow("open-list-continues", [1, 1, 1]);
    let paths = &sets.server.paths()[before..];
    assert!(paths.iter().take(5).all(|path| !path.contains("resourcelist")), "{paths:?}");

    // One set passes a resource on to the other, and lags behind with saying so.
    sets.put(&["b"], "a2", "first").publish("b", 4, &[]).follow("open-list-continues", [0, 0, 0]);
    fs::remove_file(sets.bench.path("a/a2")).unwrap();
    sets.publish("a", 5, &[]).follow("open-list-continues", [0, 0, 0]);
    assert!(sets.bench.path("served/files/a2").exists());

    // What one of them lacks changes of is compared with the Resource Lists of both.
    for minute in 6..12 {
        sets.put(&["a"], "a3", &format!("{minute}"));
        sets.publish("a", minute, &["--rotate", "1", "--keep", "1"]);
    }
    sets.remove("b", "both").remove("b", "b1").publish("b", 12, &[]);
    sets.follow("gap", [0, 1, 2]);
    sets.put(&["a", "b"], "moved", "second").publish("a", 13, &[]).publish("b", 14, &[]);
    sets.follow("open-list-continues", [0, 1, 0]);

    // The first set is no longer named, and then its documents are gone, too.
    for name in ["a0", "a1", "a3", "a4", "moved"] {
        sets.remove("a", name);
    }
    sets.describe(&["b"]);
    sets.follow("documents-changed", [0, 0, 4]);
    fs::remove_dir_all(sets.bench.path("served/a")).unwrap();
    sets.follow("nothing-changed", [0, 0, 0]);
    sets.remove("b", "moved").publish("b", 15, &[]).follow("open-list-continues", [0, 0, 1]);
}

#[test]
fn documents_of_a_set_that_vanish_before_the_source_description_says_so_delete_nothing() {
    let sets = Sets::new("sync-set-gone");
    sets.follow("first-run", [12, 0, 0]);
    fs::rename(sets.bench.path("served/b"), sets.bench.path("b.was")).unwrap();
    for options in [&["copy"][..], &["--plan", "changes", "copy"], &["--full", "copy"]] {
        let text = sync(&sets.bench, options).ends(2).out;
        assert!(text.contains("NOT IN STEP"), "{text}");
        assert_eq!(copied(&sets.bench, &sets.server, "copy").len(), 12);
    }
    fs::rename(sets.bench.path("b.was"), sets.bench.path("served/b")).unwrap();
    sync(&sets.bench, &["copy"]).ends(0);
}
