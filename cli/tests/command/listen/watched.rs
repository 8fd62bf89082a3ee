//! From a watched folder into a copy: `build --watch`, `hub serve` and `listen --direct`, each a process of its own.

use std::fs;

use resourcesync_tests::server::free_port;
use serde_json::Value;

use super::bench::eventually;
use crate::bench::Bench;

/// A hub with the topics of a Source, which has a token.
fn configuration(hub: u16, callback: u16, publisher: &str) -> String {
    let topic = |name: &str, kind: &str| {
        format!(
            "[[hub.topic]]\nuri = \"http://127.0.0.1:{hub}/t/{name}\"\nkind = \"{kind}\"\npublishers = [\"site\"]\nserve = true\n"
        )
    };
    let topics = [topic("changes", "change-notification"), topic("framework", "framework-notification")].concat();
    format!(
        "[hub]\npublic_uri = \"http://127.0.0.1:{hub}/\"\nlisten = \"127.0.0.1:{hub}\"\nstore = \"hub.sqlite\"\nadmin = \"unix:admin\"\n\
         [hub.callbacks]\nallow = [\"127.0.0.1:{callback}\"]\n{publisher}\n{topics}"
    )
}

/// The next run on the lists would be after an hour: what is in the copy before came by a notification.
#[test]
fn what_is_written_to_a_watched_folder_is_notified_and_gets_into_a_copy() {
    let bench = Bench::new("listen-watched");
    let [web, hub, callback] = [free_port(), free_port(), free_port()];
    let printed = bench.run(&["hub", "token", "site"]).ends(0).out;
    let token = printed.lines().next().unwrap().rsplit(' ').next().unwrap();
    bench.put("resourcesync.toml", configuration(hub, callback, &printed)).put("token", token);
    bench.put("site/files/first", "first");
    let (base, hub_uri) = (format!("http://127.0.0.1:{web}/"), format!("http://127.0.0.1:{hub}/"));
    let (listening, callbacks) = (format!("127.0.0.1:{web}"), format!("127.0.0.1:{callback}"));
    let _hub = bench.start(&["hub", "serve"], "hub.log");
    eventually("the hub", || bench.path("admin").exists());
    let _web = bench.start(&["serve", "site", "--listen", &listening], "web.log");
    let (files, documents) = (format!("{base}files/"), format!("{base}public/"));
    let (topics, secret) = (format!("{hub_uri}t/"), format!("{}=file:token", hub_uri.trim_end_matches('/')));
    let watch = ["build", "site/files", "--watch=50ms", "--base-uri", &files, "--documents-uri", &documents];
    let hubs = [
        "--hub",
        &hub_uri,
        "--topics-uri",
        &topics,
        "--token",
        &secret,
        "--allow-host",
        &hub_uri[7..hub_uri.len() - 1],
    ];
    let out = ["--out", "site/public", "--format", "json"];
    let mut watching = bench.start(&[&watch[..], &hubs, &out].concat(), "watch.log");
    eventually("the first publication", || bench.path("site/public/capabilitylist.xml").exists());

    let (list, own) = (format!("{documents}capabilitylist.xml"), format!("http://{callbacks}/rs/"));
    let listen =
        ["listen", &list, "--callback", &own, "--listen", &callbacks, "--sync", "copy", "--direct", "--allow-http"];
    let hosts = ["--allow-host", &hub_uri[7..hub_uri.len() - 1], "--allow-host", &listening];
    let format = ["--limit", "http_requests_per_second=0", "--format", "ndjson"];
    let _listen = bench.start(&[&listen[..], &hosts, &format].concat(), "listen.log");
    let copied = |name: &str, text: &str| {
        let place = bench.path("copy");
        let found = fs::read_dir(&place).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut folders: Vec<_> = found.collect();
        while let Some(path) = folders.pop() {
            if path.is_dir() {
                folders.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            } else if path.file_name().is_some_and(|own| own == name)
                && fs::read_to_string(&path).is_ok_and(|own| own == text)
            {
                return true;
            }
        }
        false
    };
    eventually("the first copy", || copied("first", "first"));
    let is_active = |event: &Value| event["phase"] == "active";
    let active = || bench.events("listen.log", "subscription").iter().filter(|event| is_active(event)).count();
    eventually("the subscriptions", || active() == 2);
    let (mut written, mut is_applied) = (0, false);
    // While a run reads the lists, or has to be repeated, notifications wait for it.
    while !is_applied || written < 3 {
        assert!(written < 20, "no notification is applied without reading lists");
        written += 1;
        let (name, text) = (["second", "third"][written % 2], written.to_string());
        // Written elsewhere, so that no version of it is a part.
        bench.put("next", &text);
        fs::rename(bench.path("next"), bench.path("site/files").join(name)).unwrap();
        eventually(&format!("{name} in the copy"), || copied(name, &text));
        eventually("both notifications", || bench.events("listen.log", "notified").len() >= 2 * written);
        is_applied = !bench.events("listen.log", "applied").is_empty();
    }
    assert_eq!(watching.stop(), Some(0));
}
