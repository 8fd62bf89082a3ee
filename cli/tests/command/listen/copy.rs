//! A copy that follows a published folder.

use std::{collections::BTreeMap, fs, path::Path};

use resourcesync_tests::server::{Server, free_port, reply};

use super::bench::{Hub, Process, eventually};
use crate::bench::Bench;

/// A published folder on a server, and a copy that follows it.
pub(super) struct Scene {
    pub(super) bench: Bench,
    pub(super) source: Server,
    hub: String,
    address: String,
}

impl Scene {
    pub(super) fn new(name: &str, hub: String) -> Scene {
        let bench = Bench::new(name);
        let folder = bench.path("");
        let source = Server::new(move |asked, stream| {
            let path = asked.path.split('?').next().unwrap().trim_start_matches('/');
            let path = if path.starts_with("files/") { folder.join(path) } else { folder.join("public").join(path) };
            match fs::read(path) {
                Ok(body) => reply(stream, "200 OK", &["Content-Type: application/xml"], &body),
                Err(_) => reply(stream, "404 Not Found", &[], b""),
            }
        });
        bench.put("files/first.txt", "first");
        Scene { bench, source, hub, address: format!("127.0.0.1:{}", free_port()) }
    }

    pub(super) fn build(&self) -> Option<i32> {
        let (base, topics) = (self.source.url("/files/"), format!("{}t/", self.hub));
        let token = format!("{}=env:TOKEN", self.hub.trim_end_matches('/'));
        let args = ["build", "files", "--base-uri", &base, "--documents-uri", &self.source.url("/"), "--out", "public"];
        let more = [&args[..], &["--hub", &self.hub, "--topics-uri", &topics, "--token", &token, "--quiet"]].concat();
        let token = fs::read_to_string(self.bench.path("token")).unwrap_or_else(|_| "none".to_owned());
        self.bench.command(&more).env("TOKEN", token).output().unwrap().status.code()
    }

    pub(super) fn listen(&self, own: &[&str]) -> Process {
        let (callback, host) = (format!("http://{}/rs/", self.address), self.hub.trim_start_matches("http://"));
        let source = self.source.url("/");
        let args = ["listen", &source, "--callback", &callback, "--listen", &self.address, "--sync", "copy"];
        let host = host.trim_end_matches('/');
        let limit = ["--limit", "http_requests_per_second=0"];
        let more = ["--allow-http", "--format", "ndjson", "--allow-host", host];
        self.bench.start(&[&args[..], &more, &limit, own].concat(), "out.ndjson")
    }

    /// True if the copy has exactly the files of the Source.
    pub(super) fn is_equal(&self) -> bool {
        let copy = self.bench.path("copy");
        let hosts = fs::read_dir(&copy).into_iter().flatten().flatten().map(|entry| entry.path());
        let host = hosts.into_iter().find(|path| !path.ends_with(".resourcesync"));
        host.is_some_and(|host| tree(&host.join("files")) == tree(&self.bench.path("files")))
    }

    pub(super) fn pulls(&self) -> usize {
        self.bench.events("out.ndjson", "pulled").len()
    }
}

/// The files of a folder without folders.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let named =
        |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap_or_default());
    files.map(named).collect()
}

/// E-01 and E-02: a real hub that is down for half of the builds.
#[test]
#[cfg(unix)]
fn a_copy_follows_twenty_builds_although_the_hub_is_down_for_half_of_them() {
    let hub_port = free_port();
    let scene = Scene::new("listen-copy", format!("http://127.0.0.1:{hub_port}/"));
    let printed = scene.bench.run(&["hub", "token", "example"]).ends(0).out;
    let token = printed.lines().next().unwrap().rsplit_once(' ').unwrap().1;
    let topic = |kind: &str, name: &str| {
        format!(
            "[[hub.topic]]\nuri = \"{}t/{name}\"\nkind = \"{kind}\"\npublishers = [\"example\"]\nserve = true\n",
            scene.hub
        )
    };
    let address = &scene.address;
    scene.bench.put("token", token).put(
        "resourcesync.toml",
        format!(
            "[hub]\npublic_uri = \"{}\"\nlisten = \"127.0.0.1:{hub_port}\"\nstore = \"hub.sqlite\"\nadmin = \"unix:admin\"\n\
             [hub.retry]\nschedule = [\"1s\"]\n[hub.callbacks]\nallow = [\"{address}\"]\n{printed}\n{}{}",
            scene.hub,
            topic("change-notification", "changes"),
            topic("framework-notification", "framework")
        ),
    );
    let serve = || scene.bench.start(&["hub", "serve", "--config", "resourcesync.toml"], "hub.log");
    assert_eq!(scene.build(), Some(0));
    let mut hub = serve();
    eventually("the hub", || {
        fs::read_to_string(scene.bench.path("hub.log")).is_ok_and(|log| log.contains("listening"))
    });
    let mut listen = scene.listen(&[]);
    let active = |event: &serde_json::Value| event["phase"] == "active";
    eventually("the subscriptions", || {
        scene.bench.events("out.ndjson", "subscription").iter().filter(|e| active(e)).count() == 2
    });
    for number in 0..20 {
        if number == 5 {
            hub.kill();
        }
        if number == 15 {
            hub = serve();
        }
        scene.bench.put(&format!("files/{}.txt", number % 7), format!("content {number}"));
        if number % 4 == 3 {
            let _ = fs::remove_file(scene.bench.path(&format!("files/{}.txt", (number + 3) % 7)));
        }
        let status = scene.build();
        let is_down = (5..15).contains(&number);
        assert!(status == Some(0) || is_down && status == Some(2) || number >= 15, "build {number}: {status:?}");
    }
    let token = token.to_owned();
    eventually("a sent outbox", || {
        let host = scene.hub.trim_end_matches('/');
        let args = ["notify", "public", "--for", "1s", "--token", &format!("{host}=env:TOKEN")];
        scene.bench.command(&args).env("TOKEN", &token).output().unwrap().status.code() == Some(0)
    });
    eventually("an equal copy", || scene.is_equal());
    // A change is in the copy after the pull that its notification caused, and after no other.
    let before = scene.pulls();
    scene.bench.put("files/last.txt", "last");
    assert_eq!(scene.build(), Some(0));
    eventually("an equal copy", || scene.is_equal());
    eventually("a pull", || scene.pulls() > before);
    let pulled = scene.bench.events("out.ndjson", "pulled");
    let why = pulled.last().unwrap()["why"].as_array().unwrap().clone();
    assert!(why.contains(&"notified".into()), "{why:?}");
    assert_eq!(listen.stop(), Some(0));
    hub.kill();
}

/// E-03: notifications that are dropped, repeated, swapped and forged; they cost pulls, never data.
#[test]
fn a_copy_follows_although_notifications_are_lost_repeated_swapped_and_forged() {
    let hub = Hub::new();
    let scene = Scene::new("listen-lossy", hub.url("/"));
    assert_eq!(scene.build(), Some(0));
    let mut listen = scene.listen(&[]);
    let subscription = hub.subscription("/t/changes");
    eventually("the first pull", || scene.is_equal());
    let (mut sent, mut distinct) = (0, 0);
    for number in 0..15 {
        scene.bench.put(&format!("files/{}.txt", number % 4), format!("content {number}"));
        assert_eq!(scene.build(), Some(0));
        if number % 3 == 2 {
            let mut pending: Vec<Vec<u8>> = {
                let payloads = &mut hub.kept.lock().unwrap().payloads;
                payloads.drain(..).filter(|(topic, _)| topic.ends_with("changes")).map(|(_, payload)| payload).collect()
            };
            assert_eq!(pending.len(), 3);
            pending.remove(1);
            if number % 2 == 0 {
                pending.reverse();
            }
            for payload in pending {
                distinct += 1;
                for _ in 0..=usize::from(sent % 5 == 0) {
                    assert_eq!(subscription.deliver(&payload), Some(202));
                    sent += 1;
                }
            }
        }
    }
    let forged = super::bench::payload(0);
    assert_eq!(subscription.send(forged.as_bytes(), "sha256=00"), Some(403));
    // Signed by a hub that invents changes: a pull, and nothing else.
    assert_eq!(subscription.deliver(forged.replace("2026-01-01", "2031-01-01").as_bytes()), Some(202));
    eventually("an equal copy", || scene.is_equal());
    assert_eq!(listen.stop(), Some(0));
    // Each run has a reason of its own: the start, a notification that is next in order, or one that is missing or wrong. Repeated and
    // forged ones are none. A run that met a publication is repeated.
    let events = |name: &str| scene.bench.events("out.ndjson", name);
    let pulled = events("pulled").iter().filter(|event| event["outcome"] == "in-step").count();
    let (notified, missed) = (events("notified").len(), events("pull").len());
    assert!(notified <= distinct, "{notified} of {distinct} notifications");
    assert!((2..=1 + notified + missed).contains(&pulled), "{pulled} pulls, {notified} notified, {missed} missed");
    assert!(scene.is_equal());
}
