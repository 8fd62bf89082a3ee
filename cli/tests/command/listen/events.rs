//! Events for programs and files.

use std::collections::BTreeSet;

use resourcesync_tests::server::free_port;

use super::bench::{Hub, Process, eventually, payload};
use crate::bench::Bench;

/// A process that listens to the topic of a hub.
pub(super) struct Listener {
    pub(super) bench: Bench,
    pub(super) hub: Hub,
    port: String,
}

impl Listener {
    pub(super) fn new(name: &str) -> Listener {
        Listener { bench: Bench::new(name), hub: Hub::new(), port: free_port().to_string() }
    }

    pub(super) fn start(&self, more: &[&str]) -> Process {
        let (topic, address) = (self.hub.url("/changes"), format!("127.0.0.1:{}", self.port));
        let callback = format!("http://{address}/rs/");
        let args = ["listen", &topic, "--callback", &callback, "--listen", &address, "--state", "state"];
        let more = [&args[..], &["--allow-http", "--kind", "change-notification", "--format", "ndjson"], more].concat();
        self.bench.start(&more, "out.ndjson")
    }

    pub(super) fn froms(&self, file: &str) -> Vec<String> {
        let notified = self.bench.events(file, "notified");
        notified.iter().map(|event| event["from"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn events_are_appended_to_a_file_and_wrong_requests_are_refused() {
    let own = Listener::new("listen-output");
    let mut process = own.start(&["--log", "events.ndjson"]);
    let subscription = own.hub.subscription("/changes");
    // S-15: the body limit; a longer declared length is refused before the body is sent.
    assert_eq!(subscription.declare((8 << 20) + 1), 413);
    assert_eq!(subscription.send(payload(0).as_bytes(), "sha256=00"), Some(403));
    assert_eq!(super::bench::raw(own.port.parse().unwrap(), b"GET /rs/other HTTP/1.0\r\n\r\n").unwrap().0, 404);
    for number in [0, 1, 1, 0, 2] {
        assert_eq!(subscription.deliver(payload(number).as_bytes()), Some(202));
    }
    eventually("the events", || own.froms("events.ndjson").len() == 3);
    let first = &own.bench.events("events.ndjson", "notified")[0];
    assert_eq!(first["changes"][0]["uri"], "http://a.example/0");
    assert!(first["id"].is_number());
    let codes: Vec<_> = own.bench.events("out.ndjson", "finding").iter().map(|found| found["code"].clone()).collect();
    assert_eq!(codes, ["HUB-08"]);

    let second = own.bench.run(&["listen", "--state", "state", "--stop"]).ends(2);
    assert!(second.err.contains("another process uses"), "{second:?}");
    assert_eq!(process.stop(), Some(0));
    // The subscription is still there, and ends only now.
    assert_eq!(own.hub.subscriptions("/changes").len(), 1);
    own.bench.run(&["listen", "--state", "state", "--stop", "--allow-host", &own.hub.server.place()]).ends(0);
    eventually("the end", || own.hub.subscriptions("/changes").is_empty());
}

#[test]
fn nothing_accepted_is_lost_when_it_is_killed() {
    let own = Listener::new("listen-killed");
    let mut process = own.start(&["--log", "events.ndjson"]);
    let subscription = own.hub.subscription("/changes");
    let mut kills = 0;
    for number in 0..60 {
        // As a hub does: until it is accepted.
        eventually("a delivery", || {
            let status = subscription.deliver(payload(number).as_bytes());
            if number % 6 == 5 && kills < number / 6 + 1 {
                process.kill();
                process = own.start(&["--log", "events.ndjson"]);
                kills += 1;
            }
            status == Some(202)
        });
    }
    eventually("the last event", || own.froms("events.ndjson").last().is_some_and(|last| last.contains("T00:59")));
    // The last process may not catch signals yet.
    eventually("a response", || super::bench::raw(own.port.parse().unwrap(), b"GET /rs/a HTTP/1.0\r\n\r\n").is_some());
    assert_eq!(process.stop(), Some(0));
    // Events that were passed on again have the same numbers.
    let mut all = own.bench.events("events.ndjson", "notified");
    let mut numbers = BTreeSet::new();
    all.retain(|event| numbers.insert(event["id"].as_i64()));
    assert_eq!((kills, all.len()), (10, 60));
    let minutes: Vec<String> = (0..60).map(|number| format!("2026-01-01T00:{number:02}:00Z")).collect();
    assert_eq!(all.iter().map(|event| event["from"].as_str().unwrap()).collect::<Vec<_>>(), minutes);
}

#[test]
#[cfg(unix)]
fn a_program_gets_each_event_until_it_succeeds() {
    use std::os::unix::fs::PermissionsExt;
    let own = Listener::new("listen-exec");
    // The first run fails, and the second one does not read its input; neither loses anything.
    own.bench.put(
        "program",
        "#!/bin/sh\n[ -e failed ] || { touch failed; exit 3; }\n[ $RESOURCESYNC_EVENT = pull ] && exit 0\n\
         read -r event || exit 4\nprintf '%s %s %s\\n' \"$1\" $RESOURCESYNC_EVENT \"$event\" >> got\n",
    );
    std::fs::set_permissions(own.bench.path("program"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut process = own.start(&["--exec", "./program", "--exec-arg", "a b;c"]);
    let subscription = own.hub.subscription("/changes");
    assert_eq!(subscription.deliver(payload(0).as_bytes()), Some(202));
    assert_eq!(subscription.deliver(payload(1).as_bytes()), Some(202));
    let got = || std::fs::read_to_string(own.bench.path("got")).unwrap_or_default();
    eventually("two whole lines", || got().matches('\n').count() == 2);
    for (line, number) in got().lines().zip(0..) {
        let event: serde_json::Value = serde_json::from_str(line.strip_prefix("a b;c notified ").unwrap()).unwrap();
        assert_eq!(event["changes"][0]["uri"], format!("http://a.example/{number}"));
    }
    assert_eq!(process.stop(), Some(0));
}

#[test]
#[cfg(unix)]
fn what_a_program_took_while_the_listener_stopped_is_not_passed_on_again() {
    use std::os::unix::fs::PermissionsExt;
    let own = Listener::new("listen-taken");
    own.bench.put("program", "#!/bin/sh\necho $RESOURCESYNC_ID >> began\nsleep 1\necho $RESOURCESYNC_ID >> got\n");
    std::fs::set_permissions(own.bench.path("program"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let read = |name: &str| std::fs::read_to_string(own.bench.path(name)).unwrap_or_default();
    let mut process = own.start(&["--exec", "./program"]);
    let subscription = own.hub.subscription("/changes");
    eventually("the first event", || read("began").lines().count() == 1);
    assert_eq!(process.stop(), Some(0));
    let mut process = own.start(&["--exec", "./program"]);
    eventually("a delivery", || subscription.deliver(payload(0).as_bytes()) == Some(202));
    eventually("the second event", || read("got").lines().count() == 2);
    assert_eq!(process.stop(), Some(0));
    assert_eq!((&*read("began"), &*read("got")), ("1\n2\n", "1\n2\n"));
}

#[test]
fn a_denied_subscription_and_a_source_without_channels_end_it() {
    let own = Listener::new("listen-denied");
    own.hub.kept.lock().unwrap().refuses = Some(403);
    assert_eq!(own.start(&[]).0.wait().unwrap().code(), Some(1));
    let page = resourcesync_tests::server::Server::of([]);
    let args =
        ["listen", &page.url("/"), "--callback", "http://127.0.0.1:1/", "--listen", "127.0.0.1:0", "--state", "other"];
    let ran = own.bench.run(&args).ends(2);
    assert!(ran.out.contains("HUB-04"), "{ran:?}");
    for (args, message) in [
        (&["listen", "http://a.example/", "--callback", "http://a.example/"][..], "--sync"),
        (&["listen", "--state", "none", "--stop"], "there are no subscriptions"),
        (&["listen", "http://a.example/", "--state", "s"], "--callback"),
    ] {
        let ran = own.bench.run(args).ends(2);
        assert!(ran.err.contains(message), "{ran:?}");
    }
}

#[test]
fn a_hub_that_lost_its_store_does_not_keep_stop_waiting() {
    let own = Bench::new("listen-lost");
    let (hub, listen) = (free_port(), free_port());
    let token = own.run(&["hub", "token", "example"]).ends(0).out;
    own.put(
        "resourcesync.toml",
        format!(
            "[hub]\npublic_uri = \"http://127.0.0.1:{hub}/\"\nlisten = \"127.0.0.1:{hub}\"\nstore = \"hub.sqlite\"\nadmin = \"unix:admin\"\n{token}\n\
             [[hub.topic]]\nuri = \"http://127.0.0.1:{hub}/changes\"\nkind = \"change-notification\"\npublishers = [\"example\"]\nserve = true\n\
             [hub.callbacks]\nallow = [\"127.0.0.1:{listen}\"]\n"
        ),
    );
    let serve = || own.start(&["hub", "serve", "--config", "resourcesync.toml"], "hub.out");
    let mut process = serve();
    let ready = |count: usize| {
        eventually("a hub", || own.read("hub.out").matches("listening on").count() == count);
    };
    ready(1);
    let (topic, address) = (format!("http://127.0.0.1:{hub}/changes"), format!("127.0.0.1:{listen}"));
    let callback = format!("http://{address}/rs/");
    let args = ["listen", &topic, "--callback", &callback, "--listen", &address, "--state", "state", "--allow-http"];
    let more = ["--kind", "change-notification", "--format", "ndjson", "--log", "events.ndjson"];
    let mut listener = own.start(&[&args[..], &more].concat(), "out.ndjson");
    eventually("a subscription", || {
        own.run(&["hub", "status", "--admin", "unix:admin"]).ends(0).out.contains("\nsubscriptions: 1\n")
    });
    eventually("its confirmation", || {
        own.events("out.ndjson", "subscription").iter().any(|event| event["phase"] == "active")
    });
    assert_eq!((listener.stop(), process.stop()), (Some(0), Some(0)));
    for file in ["hub.sqlite", "hub.sqlite-wal", "hub.sqlite-shm"] {
        let _ = std::fs::remove_file(own.path(file));
    }
    process = serve();
    ready(2);
    let place = format!("127.0.0.1:{hub}");
    let ran = own.run(&["listen", "--state", "state", "--stop", "--allow-host", &place]).ends(0);
    assert!(!ran.err.contains("did not confirm"), "{ran:?}");
    assert_eq!(process.stop(), Some(0));
}
