//! A hub that is killed, stopped, or whose store fails.

use std::{
    collections::BTreeSet,
    env, fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use crate::bench::{Bench, Receiver, eventually, payload};

/// Kills of a short run; `HUB_KILLS` sets another number.
const KILLS: u64 = 10;

/// Payloads in the order of their first delivery, and the number of repeats.
pub(crate) fn first_deliveries(received: &[String]) -> (Vec<String>, usize) {
    let mut seen = BTreeSet::new();
    let first: Vec<String> = received.iter().filter(|own| seen.insert((*own).clone())).cloned().collect();
    let repeats = received.len() - first.len();
    (first, repeats)
}

pub(crate) fn nothing_accepted_is_lost_when_a_hub_is_killed() {
    let kills = env::var("HUB_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let receivers: Vec<Receiver> = (0..5).map(|_| Receiver::new(None)).collect();
    let allow: Vec<String> = receivers.iter().map(|receiver| receiver.server.place()).collect();
    let bench = Arc::new(Bench::new("killed", &allow));
    let mut hub = bench.spawn(None);
    for receiver in &receivers {
        for path in ["/a", "/b"] {
            assert_eq!(bench.subscribe(&receiver.server.url(path), None), 202);
        }
    }
    eventually("ten subscriptions", || bench.number("subscriptions") == 10);
    let stops = Arc::new(AtomicBool::new(false));
    let source = {
        let (bench, stops) = (bench.clone(), stops.clone());
        thread::spawn(move || {
            // As a Source does, each payload is sent until it is accepted, also the last one.
            let mut accepted = 0;
            loop {
                match bench.publish(&payload(accepted)) {
                    Some(200) => {
                        accepted += 1;
                        if stops.load(Ordering::SeqCst) {
                            break;
                        }
                    }
                    Some(429) => thread::sleep(Duration::from_millis(200)),
                    _ => thread::sleep(Duration::from_millis(5)),
                }
            }
            accepted
        })
    };
    for kill in 0..kills {
        thread::sleep(Duration::from_millis(7 * (kill * 7919 % 23)));
        hub.kill();
        hub = bench.spawn(None);
    }
    stops.store(true, Ordering::SeqCst);
    let accepted = source.join().unwrap();
    assert!(accepted > 0);
    let expected: Vec<String> = (0..accepted).map(payload).collect();
    let count = |receiver: &Receiver| first_deliveries(&receiver.received()).0.len();
    let received = || receivers.iter().map(count).collect::<Vec<_>>();
    eventually("every accepted payload at every receiver", || {
        received().iter().all(|count| *count == expected.len())
            && bench.admin("GET", "/admin/v1/subscriptions", "").1.matches("\"waiting\":0").count() == 10
    });
    let mut repeats = 0;
    for receiver in &receivers {
        for path in ["/a", "/b"] {
            let seen = receiver.server.seen().into_iter().filter(|asked| asked.method == "POST" && asked.path == path);
            let received: Vec<String> = seen.map(|asked| String::from_utf8(asked.body).unwrap()).collect();
            let (first, own) = first_deliveries(&received);
            assert_eq!(first, expected);
            repeats += own;
        }
    }
    // At most one delivery of each subscription is in flight.
    assert!(repeats as u64 <= kills * 10, "{repeats}");
    println!(
        "{kills} kills, {accepted} payloads accepted, 0 lost, 0 out of order, {repeats} of {} deliveries repeated",
        accepted * 10
    );
    drop(hub);
}

pub(crate) fn a_hub_that_is_stopped_repeats_nothing() {
    let receivers: Vec<Receiver> = (0..3).map(|_| Receiver::new(None)).collect();
    let allow: Vec<String> = receivers.iter().map(|receiver| receiver.server.place()).collect();
    let bench = Bench::new("stopped", &allow);
    let mut hub = bench.spawn(None);
    for receiver in &receivers {
        assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    }
    eventually("three subscriptions", || bench.number("subscriptions") == 3);
    for number in 0..30 {
        assert_eq!(bench.publish(&payload(number)), Some(200));
        if number % 10 == 9 {
            assert_eq!(hub.stop(), Some(0));
            hub = bench.spawn(None);
        }
    }
    let expected: Vec<String> = (0..30).map(payload).collect();
    for receiver in &receivers {
        eventually("all payloads", || receiver.received().len() >= 30);
        assert_eq!(receiver.received(), expected);
    }
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn nothing_is_accepted_that_the_store_cannot_record() {
    let receiver = Receiver::new(None);
    let bench = Bench::new("full", &[receiver.server.place()]);
    // 400 KiB for each file; the write-ahead log reaches it first.
    let mut hub = bench.spawn(Some(400));
    assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    let long = |number| payload(number).replace("</url>", &format!("</url><!-- {} -->", "x".repeat(20_000)));
    let mut accepted = Vec::new();
    let mut refused = 0;
    for number in 0..60 {
        match bench.publish(&long(number)) {
            Some(200) => accepted.push(long(number)),
            Some(503) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(!accepted.is_empty() && refused > 0, "{} accepted, {refused} refused", accepted.len());
    hub.kill();
    // With room again, everything accepted is there, and nothing else.
    let mut hub = bench.spawn(None);
    eventually("all accepted payloads", || first_deliveries(&receiver.received()).0.len() >= accepted.len());
    assert_eq!(bench.publish(&payload(100)), Some(200));
    accepted.push(payload(100));
    eventually("the last payload", || first_deliveries(&receiver.received()).0.len() >= accepted.len());
    assert_eq!(first_deliveries(&receiver.received()).0, accepted);
    assert_eq!(hub.stop(), Some(0));
    println!("{} accepted, {refused} refused while the store was full", accepted.len());
}

pub(crate) fn a_store_belongs_to_one_hub() {
    let bench = Bench::new("locked", &[]);
    let refused = |remedy: &str| {
        let done = bench.attempt();
        let text = String::from_utf8(done.stdout).unwrap();
        assert_eq!(done.status.code(), Some(2), "{text}");
        assert!(text.contains(remedy), "{text}");
    };
    let hub = bench.start(None);
    refused("is used by another process; stop it, or use another store");
    hub.stop();
    let store = rusqlite::Connection::open(bench.folder.join("hub.sqlite")).unwrap();
    store.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    refused("it has version 99, and this program supports");
    fs::write(bench.folder.join("hub.sqlite"), "no database at all, but long enough to look like one").unwrap();
    assert!(resourcesync_server::hub::RunningHub::start(bench.settings(), None).is_err());
}
