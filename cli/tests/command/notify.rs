//! `build --hub` and `notify`: payloads at hubs, their order, and that none is lost or changed if a run is killed at any time.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use resourcesync_notify::payload::{Channel, Payload};
use resourcesync_tests::server::{Asked, Server, redirect, reply};

use crate::{
    bench::{Bench, Ran},
    build::build,
};

const CHANGES: &str = "https://example.com/notifications/changes.xml";
const FRAMEWORK: &str = "https://example.com/notifications/framework.xml";

/// A hub that responds with a status that the test can change.
fn hub(status: u16) -> (Server, Arc<AtomicU16>) {
    let status = Arc::new(AtomicU16::new(status));
    let own = status.clone();
    let server = Server::new(move |_, stream| {
        reply(stream, &format!("{} Status", own.load(Ordering::SeqCst)), &["Retry-After: 1"], b"said by the hub")
    });
    (server, status)
}

/// Publishes with these hubs.
fn publish(bench: &Bench, time: &str, hubs: &[&str], more: &[&str]) -> Ran {
    let hubs: Vec<&str> = hubs.iter().flat_map(|hub| ["--hub", hub]).collect();
    build(bench, time, &[&hubs, more].concat())
}

/// The topic that a request is about.
fn topic(asked: &Asked) -> String {
    let link = asked.header("link").unwrap();
    link.strip_prefix('<').unwrap().split_once('>').unwrap().0.to_owned()
}

/// The payloads received by a hub, by topic.
fn received(seen: &[Asked]) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut topics = BTreeMap::<_, Vec<_>>::new();
    for asked in seen {
        topics.entry(topic(asked)).or_default().push(asked.body.clone());
    }
    topics
}

/// Interval and URIs of a Change Notification.
fn interval(body: &[u8]) -> (String, String, Vec<String>) {
    let (payload, changes) = Payload::with_changes(body.to_vec(), Channel::ChangeNotification).unwrap();
    let interval = payload.interval().unwrap();
    let uris = changes.plain().into_iter().map(|entry| entry.uri).collect();
    (interval.from.to_string(), interval.until.to_string(), uris)
}

#[test]
fn a_hub_is_notified_of_every_publication_but_the_first() {
    let bench = Bench::new("notify-build");
    let (server, _) = hub(200);
    let url = server.url("/hub");
    bench.put("files/one", "1").put("files/two", "2");
    let ran = publish(&bench, "09:00:00", &[&url], &[]).ends(0);
    assert_eq!((ran.out.contains("notified"), server.seen().len()), (false, 0), "{ran:?}");
    let list = bench.read("public/capabilitylist.xml");
    for (capability, topic) in [("change-notification", CHANGES), ("framework-notification", FRAMEWORK)] {
        assert!(list.contains(&format!("<loc>{topic}</loc>")) && list.contains(capability), "{list}");
    }
    assert_eq!(list.matches(&format!("rel=\"hub\" href=\"{url}\"")).count(), 2, "{list}");
    assert_eq!(bench.read("public/notifications/changes.xml"), "");

    bench.put("files/two", "two").put("files/three", "3");
    let ran = publish(&bench, "10:00:00", &[&url], &[]).ends(0);
    let expected = format!("notified {url}: 1 change notification, 1 framework notification\n");
    assert!(ran.out.ends_with(&expected), "{ran:?}");
    let seen = server.seen();
    let topics = received(&seen);
    assert_eq!(topics.keys().collect::<Vec<_>>(), [CHANGES, FRAMEWORK]);
    let (from, until, mut uris) = interval(&topics[CHANGES][0]);
    uris.sort();
    assert_eq!((&*from, &*until), ("2024-05-01T09:00:00Z", "2024-05-01T10:00:00Z"));
    assert_eq!(uris, ["https://example.com/files/three", "https://example.com/files/two"]);
    let framework = Payload::with_changes(topics[FRAMEWORK][0].clone(), Channel::FrameworkNotification).unwrap().1;
    let mut documents: Vec<_> =
        framework.plain().into_iter().map(|entry| (entry.capability.unwrap(), entry.change.unwrap())).collect();
    documents.sort();
    let [changelist, resourcelist] = [("changelist", "created"), ("resourcelist", "updated")];
    let has = |(capability, change): (&str, &str)| documents.contains(&(capability.into(), change.into()));
    assert!(has(changelist) || has(("changelist", "updated")), "{documents:?}");
    assert!(has(resourcelist), "{documents:?}");

    // Method, headers, and the content of the topic.
    for asked in &seen {
        assert_eq!((&*asked.method, asked.header("content-type")), ("POST", Some("application/xml")));
        let link = format!(
            "<{}>; rel=\"self\", <{url}>; rel=\"hub\", <https://example.com/capabilitylist.xml>; rel=\"resourcesync\"",
            topic(asked)
        );
        assert_eq!(asked.header("link"), Some(&*link));
    }
    assert_eq!(bench.read("public/notifications/changes.xml").as_bytes(), topics[CHANGES][0]);
    assert_eq!(bench.read("public/notifications/framework.xml").as_bytes(), topics[FRAMEWORK][0]);

    // Without changes nothing is sent; with --force only the documents are new, and the next interval is longer.
    let ran = publish(&bench, "11:00:00", &[&url], &[]).ends(0);
    assert_eq!(ran.out, "nothing has changed since 2024-05-01T10:00:00Z\n");
    assert_eq!(server.seen().len(), 2);
    let ran = publish(&bench, "12:00:00", &[&url], &["--force"]).ends(0);
    assert!(ran.out.ends_with(&format!("notified {url}: 1 framework notification\n")), "{ran:?}");
    assert_eq!(bench.read("public/notifications/changes.xml").as_bytes(), topics[CHANGES][0]);
    bench.put("files/four", "4");
    publish(&bench, "13:00:00", &[&url], &[]).ends(0);
    let last = received(&server.seen()).remove(CHANGES).unwrap().pop().unwrap();
    let (from, until, _) = interval(&last);
    assert_eq!((&*from, &*until), ("2024-05-01T10:00:00Z", "2024-05-01T13:00:00Z"));
}

#[test]
fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description() {
    let bench = Bench::new("notify-sets");
    let (server, _) = hub(200);
    let url = server.url("/hub");
    bench.put("files/a.txt", "1").put("files/b.csv", "2").put("files/c.png", "3");
    let sets = ["text=*.txt", "data=*.csv", "image=*.png"].map(|set| ["--set", set]).concat();
    let sets = [&["--topics-uri", "https://hub.example/t/"][..], &sets].concat();
    publish(&bench, "09:00:00", &[&url], &sets).ends(0);
    assert!(!bench.path("public/text/notifications").exists());
    bench.put("files/a.txt", "one");
    publish(&bench, "10:00:00", &[&url], &sets).ends(0);
    let topics = received(&server.seen());
    let expected = ["data/framework", "image/framework", "text/changes", "text/framework"];
    let expected = expected.map(|topic| format!("https://hub.example/t/{topic}"));
    assert_eq!(topics.keys().cloned().collect::<Vec<_>>(), expected);
    // A new set changes the Source Description, which is announced once on every framework topic.
    bench.put("files/d.pdf", "4");
    publish(&bench, "11:00:00", &[&url], &[&sets[..], &["--set", "more=*.pdf"]].concat()).ends(0);
    let topics = received(&server.seen());
    for set in ["text", "data", "image"] {
        let payloads = topics[&format!("https://hub.example/t/{set}/framework")].iter();
        let payloads = payloads.map(|body| String::from_utf8(body.clone()).unwrap()).collect::<Vec<_>>();
        let times = |text: &String| text.matches("https://example.com/.well-known/resourcesync</loc>").count();
        assert_eq!(payloads.iter().map(times).sum::<usize>(), 1, "{payloads:?}");
        assert_eq!(payloads.last().map(times), Some(1), "{payloads:?}");
    }
}

#[test]
fn a_hub_that_is_down_leaves_an_outbox_that_notify_empties() {
    let bench = Bench::new("notify-down");
    let (server, status) = hub(503);
    let url = server.url("/hub");
    bench.put("files/one", "1");
    publish(&bench, "09:00:00", &[&url], &[]).ends(0);
    bench.put("files/one", "one");
    let ran = publish(&bench, "10:00:00", &[&url], &[]).ends(2);
    assert!(ran.out.contains("1 updated"), "{ran:?}");
    assert!(ran.err.contains("warning[HUB-02]") && ran.err.contains("said by the hub"), "{ran:?}");
    let waits = format!("2 payloads wait for {url}; `resourcesync notify public` sends again\n");
    assert!(ran.err.ends_with(&waits), "{ran:?}");
    bench.put("files/one", "eins");
    publish(&bench, "11:00:00", &[&url], &[]).ends(2);
    let failed = received(&server.seen());
    bench.run(&["notify", "--for", "0s", "public"]).ends(2);

    status.store(200, Ordering::SeqCst);
    let before = server.seen().len();
    let ran = bench.run(&["notify", "public"]).ends(0);
    assert_eq!(ran.out, format!("notified {url}: 2 change notifications, 2 framework notifications\n"));
    let sent = received(&server.seen()[before..]);
    assert_eq!(sent[CHANGES].len(), 2);
    assert_eq!(sent[CHANGES][0], failed[CHANGES][0], "the same bytes at every try");
    let times = sent[CHANGES].iter().map(|body| interval(body).0).collect::<Vec<_>>();
    assert_eq!(times, ["2024-05-01T09:00:00Z", "2024-05-01T10:00:00Z"]);
    assert_eq!(bench.run(&["notify", "public"]).ends(0).out, "nothing waits\n");
}

#[test]
fn more_changes_than_a_payload_holds_are_sent_in_parts() {
    let bench = Bench::new("notify-parts");
    let (server, _) = hub(200);
    let url = server.url("/hub");
    bench.put("files/0", "0");
    publish(&bench, "09:00:00", &[&url], &[]).ends(0);
    for number in 1..=25_001 {
        bench.put(&format!("files/{number}"), "1");
    }
    publish(&bench, "10:00:00", &[&url], &[]).ends(0);
    let payloads = received(&server.seen()).remove(CHANGES).unwrap();
    let (mut until, mut uris) = ("2024-05-01T09:00:00Z".to_owned(), BTreeSet::new());
    for body in &payloads {
        let (from, next, mut part) = interval(body);
        assert_eq!(from, until, "the parts are contiguous");
        assert!(part.len() <= 10_000 && body.len() <= 1_000_000, "{} entries, {} bytes", part.len(), body.len());
        until = next;
        part.retain(|uri| !uris.insert(uri.clone()));
        assert_eq!(part, [""; 0], "each change is in one part");
    }
    assert_eq!((&*until, uris.len()), ("2024-05-01T10:00:00Z", 25_001));
    assert!(payloads.len() >= 3, "{}", payloads.len());
    // No part is the same as another, so that nobody takes one for a repetition.
    assert_eq!(payloads.iter().collect::<BTreeSet<_>>().len(), payloads.len());
}

#[test]
fn a_hub_that_is_down_delays_no_other_and_receives_the_same_in_order_later() {
    let bench = Bench::new("notify-two-hubs");
    let ((up, _), (down, status)) = (hub(200), hub(503));
    let urls = [down.url("/hub"), up.url("/hub")];
    let hubs: Vec<&str> = urls.iter().map(String::as_str).collect();
    bench.put("files/one", "1");
    publish(&bench, "09:00:00", &hubs, &[]).ends(0);
    for (time, content) in [("10:00:00", "one"), ("11:00:00", "eins")] {
        bench.put("files/one", content);
        let ran = publish(&bench, time, &hubs, &[]).ends(2);
        let expected = format!("notified {}: 1 change notification, 1 framework notification\n", urls[1]);
        assert!(ran.out.ends_with(&expected), "{ran:?}");
    }
    let of_the_other = received(&up.seen());
    status.store(200, Ordering::SeqCst);
    let before = down.seen().len();
    let ran = bench.run(&["notify", "public"]).ends(0);
    assert_eq!(ran.out, format!("notified {}: 2 change notifications, 2 framework notifications\n", urls[0]));
    assert_eq!(received(&down.seen()[before..]), of_the_other);
    assert_eq!(received(&up.seen()), of_the_other, "nothing is sent twice");
    let times: Vec<_> = of_the_other[CHANGES].iter().map(|body| interval(body).0).collect();
    assert_eq!(times, ["2024-05-01T09:00:00Z", "2024-05-01T10:00:00Z"]);
}

#[test]
fn what_a_hub_refuses_is_shown_and_later_payloads_wait_for_it() {
    let bench = Bench::new("notify-refused");
    let elsewhere = Server::new(|_, stream| reply(stream, "200 OK", &[], b""));
    let to = elsewhere.url("/");
    let moved = Server::new(move |_, stream| redirect(stream, &to));
    let (server, status) = hub(422);
    let urls = [server.url("/hub"), moved.url("/hub")];
    let hubs: Vec<&str> = urls.iter().map(String::as_str).collect();
    bench.put("files/one", "1");
    publish(&bench, "09:00:00", &hubs, &[]).ends(0);
    bench.put("files/one", "one");
    let ran = publish(&bench, "10:00:00", &hubs, &[]).ends(1);
    assert!(ran.err.contains("error[HUB-01]") && ran.err.contains("said by the hub"), "{ran:?}");
    assert_eq!(elsewhere.seen().len(), 0, "a redirect is not followed");
    bench.put("files/one", "eins");
    let before = server.seen().len();
    publish(&bench, "11:00:00", &hubs, &[]).ends(1);
    let tried = server.seen();
    assert_eq!(
        received(&tried[before..]),
        received(&tried[..before]),
        "the first is tried again, the second waits for it"
    );
    status.store(200, Ordering::SeqCst);
    publish(&bench, "12:00:00", &hubs, &[]).ends(1);
    let topics = received(&server.seen()[tried.len()..]);
    assert_eq!(
        topics[CHANGES].iter().map(|body| interval(body).0).collect::<Vec<_>>(),
        ["2024-05-01T09:00:00Z", "2024-05-01T10:00:00Z"]
    );
    // The hub that moved permanently is given up.
    assert_eq!(bench.run(&["notify", "--discard", "public"]).ends(0).out, "dropped 4 payloads\n");
    assert_eq!(bench.run(&["notify", "public"]).ends(0).out, "nothing waits\n");
}

#[test]
fn what_waits_is_named_by_a_run_without_hubs_and_what_is_not_kept_is_said() {
    let bench = Bench::new("notify-without");
    let (server, _) = hub(503);
    let url = server.url("/hub");
    bench.put("files/one", "1");
    publish(&bench, "09:00:00", &[&url], &[]).ends(0);
    bench.put("files/one", "one");
    publish(&bench, "10:00:00", &[&url], &[]).ends(2);
    let ran = publish(&bench, "11:00:00", &[], &["--no-hub"]).ends(0);
    assert!(ran.err.ends_with("2 payloads to send; `resourcesync notify public` sends them\n"), "{ran:?}");
    let change = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/notify/payloads/changes-1.xml");
    let about = ["notify", "--for", "0s", "--hub", &url, "--topic", CHANGES, change];
    let ran = bench.run(&about).ends(2);
    assert!(
        ran.err.ends_with(&format!("1 payload was not sent to {url}, and not kept; run the command again\n")),
        "{ran:?}"
    );
}

#[test]
fn a_refusal_ends_the_delivery_and_a_failure_postpones_it() {
    let refused = (1, "error[HUB-01]");
    let postponed = (2, "warning[HUB-02]");
    for (status, (ends, code)) in [
        ("403 Forbidden", refused),
        ("408 Request Timeout", postponed),
        ("429 Too Many Requests", postponed),
        ("500 Internal Server Error", postponed),
        ("", postponed),
    ] {
        let bench = Bench::new("notify-statuses");
        let server = Server::new(move |_, stream| match status {
            // Ends the connection without a response.
            "" => Err(std::io::ErrorKind::ConnectionReset.into()),
            status => reply(stream, status, &["Retry-After: 3600"], b""),
        });
        let url = server.url("/hub");
        bench.put("files/one", "1");
        publish(&bench, "09:00:00", &[&url], &[]).ends(0);
        bench.put("files/one", "one");
        let ran = publish(&bench, "10:00:00", &[&url], &[]).ends(ends);
        assert!(ran.err.contains(code) && ran.out.contains("1 updated"), "{status}: {ran:?}");
        let topics = received(&server.seen());
        assert!(topics[CHANGES].len() == 1 && topics[FRAMEWORK].len() == 1, "{status}: {topics:?}");
    }
}

#[test]
fn an_odd_success_is_an_acceptance_with_a_warning_unless_the_hub_has_to_be_strict() {
    for (status, strict, ends) in [(202, false, 0), (204, false, 0), (202, true, 1)] {
        let bench = Bench::new("notify-odd");
        let server = Server::new(move |_, stream| reply(stream, &format!("{status} Odd"), &[], b""));
        let url = server.url("/hub");
        let more: &[&str] = if strict { &["--strict-hub"] } else { &[] };
        bench.put("files/one", "1");
        publish(&bench, "09:00:00", &[&url], more).ends(0);
        bench.put("files/one", "one");
        let ran = publish(&bench, "10:00:00", &[&url], more).ends(ends);
        assert_eq!(ran.err.contains("warning[WS-13]"), !strict, "{ran:?}");
    }
}

#[test]
fn a_token_reaches_only_the_hub_it_is_for() {
    let bench = Bench::new("notify-token");
    let ((one, _), (two, _)) = (hub(200), hub(200));
    let urls = [one.url("/hub"), two.url("/hub")];
    let hubs: Vec<&str> = urls.iter().map(String::as_str).collect();
    bench.put("token", "s3cret\n").put("files/one", "1");
    let token = format!("http://{}=file:token", one.place());
    publish(&bench, "09:00:00", &hubs, &["--token", &token]).ends(0);
    bench.put("files/one", "one");
    let ran = publish(&bench, "10:00:00", &hubs, &["--token", &token]).ends(0);
    assert!(one.seen().iter().all(|asked| asked.header("authorization") == Some("Bearer s3cret")), "{:?}", one.seen());
    assert!(two.seen().iter().all(|asked| asked.header("authorization").is_none()), "{:?}", two.seen());
    assert_eq!((one.seen().len(), two.seen().len()), (2, 2));
    assert!(!ran.err.contains("s3cret") && !ran.out.contains("s3cret"));
    for file in ["public.resourcesync/outbox.jsonl", "public/capabilitylist.xml"] {
        assert!(!bench.read(file).contains("s3cret"), "{file}");
    }
}

#[test]
fn later_means_by_notify() {
    let bench = Bench::new("notify-later");
    let (server, _) = hub(200);
    let url = server.url("/hub");
    bench.put("files/one", "1");
    publish(&bench, "09:00:00", &[&url], &["--notify", "later"]).ends(0);
    bench.put("files/one", "one");
    let ran = publish(&bench, "10:00:00", &[&url], &["--notify", "later"]).ends(0);
    assert!(ran.err.contains("2 payloads to send; `resourcesync notify public` sends them"), "{ran:?}");
    assert_eq!(server.seen().len(), 0);
    // When the channels are withdrawn nothing is sent, and nothing is lost.
    bench.put("files/two", "2");
    build(&bench, "11:00:00", &["--no-hub"]).ends(0);
    bench.run(&["notify", "public"]).ends(0);
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn documents_made_elsewhere_are_validated_and_sent() {
    let bench = Bench::new("notify-documents");
    let (server, _) = hub(200);
    let url = server.url("/hub");
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/notify/payloads");
    let [one, two, other] =
        ["changes-1", "changes-2", "framework-1"].map(|name| fs::read(format!("{corpus}/{name}.xml")).unwrap());
    bench.put("1.xml", &one).put("2.xml", &two).put("f.xml", &other);
    let about = ["notify", "--hub", &url, "--topic", "https://example.com/t"];
    let ran = bench.run(&[&about[..], &["1.xml", "f.xml"]].concat()).ends(1);
    assert!(ran.err.contains("f.xml") && ran.err.contains("FN-02") || ran.err.contains("CN-02"), "{ran:?}");
    assert_eq!(server.seen().len(), 0);
    let ran = bench.run(&[&about[..], &["1.xml", "2.xml"]].concat()).ends(0);
    assert_eq!(ran.out, format!("notified {url}: 2 change notifications\n"));
    assert_eq!(received(&server.seen())["https://example.com/t"], [one.clone(), two]);
    bench.feed(&[&about[..], &["-"]].concat(), &one).ends(0);
    bench.run(&[&about[..], &["--kind", "framework-notification", "f.xml"]].concat()).ends(0);
    assert_eq!(server.seen().len(), 4);
    drop(server);
    bench.run(&[&about[..], &["--for", "0s", "1.xml"]].concat()).ends(2);
}

#[test]
fn a_folder_that_was_not_published_has_nothing_to_notify_of() {
    let bench = Bench::new("notify-other");
    bench.put("files/one", "1");
    for folder in ["files", "none"] {
        let ran = bench.run(&["notify", folder]).ends(2);
        assert!(ran.err.contains("was not published"), "{ran:?}");
        assert!(!bench.path(&format!("{folder}.resourcesync")).exists());
    }
    assert!(bench.run(&["notify", "--hub", "ftp://example.com/", "--topic", "x", "f"]).ends(2).err.contains("http"));
}

/// Asserts that the payloads at a hub are contiguous, complete, and equal in every attempt.
#[track_caller]
fn whole(seen: &[Asked], begin: &str, end: &str, changes: usize) {
    let mut bodies: Vec<Vec<u8>> = Vec::new();
    for body in received(seen).remove(CHANGES).unwrap() {
        // Only the last one is repeated.
        if bodies.last() != Some(&body) {
            assert!(!bodies.contains(&body), "repeated out of order");
            bodies.push(body);
        }
    }
    let (mut until, mut count) = (begin.to_owned(), 0);
    for body in bodies {
        let (from, next, uris) = interval(&body);
        assert_eq!(from, until);
        (until, count) = (next, count + uris.len());
    }
    assert_eq!((&*until, count), (end, changes));
}

/// Starts `build` without waiting for it.
fn start(bench: &Bench, time: &str, hub: &str) -> Child {
    let at = format!("2024-05-01T{time}Z");
    let args = ["build", "files", "--out", "public", "--at", &at, "--hub", hub, "--keep-generations", "1"];
    let base = ["--base-uri", "https://example.com/files/", "--documents-uri", "https://example.com/"];
    bench.command(&[&args[..], &base].concat()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_run_that_is_killed_at_any_moment_loses_no_notification() {
    const TIMES: u32 = 25;
    let bench = Bench::new("notify-killed");
    let (server, _) = hub(200);
    let url = server.url("/hub");
    bench.put("files/0", "0");
    let begun = Instant::now();
    assert!(start(&bench, "00:00:00", &url).wait().unwrap().success());
    let whole_run = begun.elapsed();
    let mut killed = 0;
    for round in 1..=TIMES {
        bench.put(&format!("files/{round}"), "new");
        let mut run = start(&bench, &format!("00:{round:02}:00"), &url);
        thread::sleep(whole_run.mul_f64(f64::from(round) * 1.5 / f64::from(TIMES)));
        let _ = run.kill();
        killed += u32::from(!run.wait().unwrap().success());
    }
    assert!(killed > 0, "no run was killed");
    bench.put("files/last", "new");
    assert!(start(&bench, "01:00:00", &url).wait().unwrap().success());
    assert_eq!(bench.run(&["notify", "public"]).ends(0).out, "nothing waits\n");
    whole(&server.seen(), "2024-05-01T00:00:00Z", "2024-05-01T01:00:00Z", TIMES as usize + 1);
}

#[test]
fn a_run_that_is_killed_between_exchange_and_send_is_continued_by_notify() {
    let bench = Bench::new("notify-killed-send");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/hub");
    bench.put("files/0", "0");
    assert!(start(&bench, "00:00:00", &url).wait().unwrap().success());
    let mut published = Vec::new();
    for round in 1..=3 {
        bench.put(&format!("files/{round}"), "new");
        let mut run = start(&bench, &format!("00:{round:02}:00"), &url);
        let begun = Instant::now();
        // Killed as soon as it connects: nothing of the payload is read.
        let connection = loop {
            match listener.accept() {
                Ok(connection) => break connection,
                Err(_) if begun.elapsed() > Duration::from_secs(60) => panic!("it did not connect"),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        };
        run.kill().unwrap();
        assert!(!run.wait().unwrap().success());
        drop(connection);
        while listener.accept().is_ok() {}
        assert_eq!(bench.read("public/.generation").trim(), (round + 1).to_string());
        published.push(bench.read("public/notifications/changes.xml").into_bytes());
    }
    listener.set_nonblocking(false).unwrap();
    let server = Server::on(listener, |_, stream| reply(stream, "200 OK", &[], b""));
    let ran = bench.run(&["notify", "public"]).ends(0);
    assert_eq!(ran.out, format!("notified {url}: 3 change notifications, 3 framework notifications\n"));
    assert_eq!(received(&server.seen())[CHANGES], published, "the bytes that were published");
    whole(&server.seen(), "2024-05-01T00:00:00Z", "2024-05-01T00:03:00Z", 3);
    assert_eq!(bench.run(&["notify", "public"]).ends(0).out, "nothing waits\n");
}

#[test]
fn a_run_that_is_killed_between_the_answer_of_a_hub_and_its_record_sends_the_same_again() {
    let bench = Bench::new("notify-killed-answer");
    let victim: Arc<Mutex<Option<Child>>> = Arc::default();
    let own = victim.clone();
    // It has the payload, but the sender is killed before it receives the response.
    let server = Server::new(move |_, stream: &mut TcpStream| {
        if let Some(run) = own.lock().unwrap().as_mut() {
            run.kill().unwrap();
        }
        reply(stream, "200 OK", &[], b"")
    });
    let url = server.url("/hub");
    bench.put("files/0", "0");
    assert!(start(&bench, "00:00:00", &url).wait().unwrap().success());
    for round in 1..=3 {
        bench.put(&format!("files/{round}"), "new");
        *victim.lock().unwrap() = Some(start(&bench, &format!("00:{round:02}:00"), &url));
        let begun = Instant::now();
        let ended = loop {
            match victim.lock().unwrap().as_mut().unwrap().try_wait().unwrap() {
                Some(status) => break status,
                None if begun.elapsed() > Duration::from_secs(60) => panic!("it was not killed"),
                None => {}
            }
            thread::sleep(Duration::from_millis(5));
        };
        assert!(!ended.success());
        assert_eq!(bench.read("public/.generation").trim(), (round + 1).to_string());
    }
    *victim.lock().unwrap() = None;
    let before = server.seen().len();
    bench.run(&["notify", "public"]).ends(0);
    assert_eq!(received(&server.seen()[before..])[CHANGES].len(), 3, "none of the answers was recorded");
    whole(&server.seen(), "2024-05-01T00:00:00Z", "2024-05-01T00:03:00Z", 3);
}

#[test]
fn a_run_that_is_killed_between_exchange_and_outbox_is_continued_by_notify() {
    let bench = Bench::new("notify-killed-exchange");
    let (server, _) = hub(200);
    let url = server.url("/hub");
    bench.put("files/0", "0");
    publish(&bench, "09:00:00", &[&url], &[]).ends(0);
    bench.put("files/1", "1");
    publish(&bench, "10:00:00", &[&url], &["--notify", "later"]).ends(0);
    // The state before the payloads of the new generation are added to the outbox.
    fs::remove_file(bench.path("public.resourcesync/outbox.jsonl")).unwrap();
    bench.put("files/2", "2");
    publish(&bench, "11:00:00", &[&url], &["--notify", "later"]).ends(0);
    bench.run(&["notify", "public"]).ends(0);
    whole(&server.seen(), "2024-05-01T09:00:00Z", "2024-05-01T11:00:00Z", 2);
}

#[test]
fn a_hub_that_wants_pings_is_recognized() {
    let bench = Bench::new("notify-pings");
    let server = Server::new(|_, stream| reply(stream, "400 Bad Request", &[], b"Invalid value for hub.mode: None"));
    bench.put("files/one", "1");
    publish(&bench, "09:00:00", &[&server.url("/")], &[]).ends(0);
    bench.put("files/one", "2");
    let first = publish(&bench, "10:00:00", &[&server.url("/")], &[]).ends(1);
    let again = bench.run(&["notify", "public"]).ends(1);
    for ran in [first, again] {
        assert!(ran.err.contains("error[HUB-01]") && ran.err.contains("Invalid value for hub.mode"), "{ran:?}");
        assert_eq!(ran.err.matches("use one that accepts payloads, such as `resourcesync hub`").count(), 1, "{ran:?}");
    }
    // Other refusals have no such hint.
    let (other, _) = hub(400);
    let second = Bench::new("notify-no-pings");
    second.put("files/one", "1");
    publish(&second, "09:00:00", &[&other.url("/")], &[]).ends(0);
    second.put("files/one", "2");
    let ran = publish(&second, "10:00:00", &[&other.url("/")], &[]).ends(1);
    assert!(!ran.err.contains("such as `resourcesync hub`"), "{ran:?}");
}

#[test]
fn what_is_published_stays_so_if_its_notifications_cannot_be_recorded() {
    let bench = Bench::new("notify-no-outbox");
    bench.put("files/a", "a");
    let (hub, outbox) = ("http://127.0.0.1:1/", bench.path("public.resourcesync/outbox.jsonl"));
    let args = ["build", "files", "--base-uri", "http://a.example/", "--out", "public", "--hub", hub];
    fs::create_dir_all(&outbox).unwrap();
    let first = bench.run(&args).ends(2);
    assert!(first.err.contains("published, but the notifications are not in the outbox"), "{first:?}");
    bench.run(&["validate", "public"]).ends(0);
    fs::remove_dir(&outbox).unwrap();
    bench.put("files/b", "b");
    let again = bench.run(&args).ends(2);
    assert!(again.err.contains("2 payloads wait"), "{again:?}");
}
