//! Several processes on one store in PostgreSQL.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    thread,
    time::Duration,
};

use resourcesync_notify::form::Form;
use resourcesync_server::{
    hub::RunningHub,
    ledger::{StoreAddress, migrate},
};
use resourcesync_tests::server::{Server, reply};

use crate::{
    bench::{Bench, CLAIMS, Process, Receiver, eventually, payload},
    cluster::{database, sql},
    killed::first_deliveries,
};

/// Claims that last two seconds.
const SHORT: [(&str, &str); 1] = [(CLAIMS, "2000")];

/// Publishes one payload after the other until it is stopped; each goes to any process until one accepts it.
struct Source {
    accepted: Arc<AtomicI64>,
    stops: Arc<AtomicBool>,
    thread: thread::JoinHandle<()>,
}

impl Source {
    fn start(benches: Vec<Arc<Bench>>, pause: Duration) -> Source {
        let (accepted, stops) = (Arc::<AtomicI64>::default(), Arc::<AtomicBool>::default());
        let (count, is_over) = (accepted.clone(), stops.clone());
        let thread = thread::spawn(move || {
            for bench in benches.iter().cycle() {
                let number = count.load(Ordering::SeqCst);
                if bench.publish_within(&payload(number), Duration::from_secs(2)) == Some(200) {
                    count.store(number + 1, Ordering::SeqCst);
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                }
                thread::sleep(pause);
            }
        });
        Source { accepted, stops, thread }
    }

    /// The payloads that were accepted.
    fn stop(self) -> Vec<String> {
        self.stops.store(true, Ordering::SeqCst);
        self.thread.join().unwrap();
        (0..self.accepted.load(Ordering::SeqCst)).map(payload).collect()
    }
}

/// A callback that takes its time for every delivery.
fn slow() -> (Server, Arc<Mutex<Vec<String>>>) {
    let received = Arc::<Mutex<Vec<String>>>::default();
    let own = received.clone();
    let server = Server::at(Ipv4Addr::LOCALHOST, 0, move |asked, stream| {
        if asked.method == "GET" {
            let form = Form::read(asked.path.split_once('?').unwrap().1.as_bytes()).unwrap();
            return reply(stream, "200 OK", &[], form.last("hub.challenge").unwrap_or_default().as_bytes());
        }
        own.lock().unwrap().push(String::from_utf8(asked.body.clone()).unwrap());
        thread::sleep(Duration::from_millis(200));
        reply(stream, "204 No Content", &[], b"")
    });
    (server, received)
}

pub(crate) fn processes_share_the_work_and_lose_nothing() {
    let (slow, slowly) = slow();
    let receivers: Vec<Receiver> = (0..4).map(|_| Receiver::new(None)).collect();
    let mut allow: Vec<String> = receivers.iter().map(|receiver| receiver.server.place()).collect();
    allow.push(slow.place());
    let url = database();
    let one = Arc::new(Bench::new("several-one", &allow));
    one.store(&url);
    let other = Arc::new(one.twin("several-other"));
    let mut first = one.spawn_with(None, &SHORT);
    // Processes have numbers in the order of their start.
    let mut second = other.spawn_with(None, &SHORT);
    for (at, receiver) in receivers.iter().enumerate() {
        let bench = if at % 2 == 0 { &one } else { &other };
        assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    }
    assert_eq!(one.subscribe(&slow.url("/slow"), None), 202);
    eventually("five subscriptions", || sql(&url, "SELECT count(*) FROM resourcesync_hub.subscription") == "5");
    let source = Source::start(vec![one.clone(), other.clone()], Duration::from_millis(60));

    // One is killed while it has claims; the other goes on alone, and another one starts.
    eventually("some deliveries", || receivers.iter().all(|receiver| receiver.received().len() > 5));
    first.kill();
    let before = source.accepted.load(Ordering::SeqCst);
    eventually("more payloads", || source.accepted.load(Ordering::SeqCst) > before + 5);
    first = one.spawn_with(None, &SHORT);

    // The process that is sending to the slow callback is frozen until the other one has taken the subscription over.
    let claimed = || {
        sql(
            &url,
            "SELECT claimed_by FROM resourcesync_hub.subscription WHERE callback LIKE '%slow' AND claimed_by IS NOT NULL",
        )
    };
    eventually("a claim of a living process", || ["2", "3"].contains(&&*claimed()));
    let holder = claimed();
    let frozen: &Process = if holder == "2" { &second } else { &first };
    let count = slowly.lock().unwrap().len();
    eventually("a delivery in flight", || slowly.lock().unwrap().len() > count);
    frozen.signal("STOP");
    eventually("the other process takes over", || !["", &*holder].contains(&&*claimed()));
    let count = slowly.lock().unwrap().len();
    eventually("deliveries of the other process", || slowly.lock().unwrap().len() > count + 2);
    frozen.signal("CONT");
    let log = || format!("{}{}", one.log(), other.log());
    eventually("a rejected result", || log().contains("claim-lost"));

    let expected = source.stop();
    let all = |received: &[String]| first_deliveries(received).0.len() == expected.len();
    eventually("every accepted payload at every receiver", || {
        receivers.iter().all(|receiver| all(&receiver.received())) && all(&slowly.lock().unwrap())
    });
    let mut repeats = 0;
    let received = receivers.iter().map(Receiver::received).chain([slowly.lock().unwrap().clone()]);
    for own in received.collect::<Vec<_>>() {
        let (first, own) = first_deliveries(&own);
        assert_eq!(first, expected);
        repeats += own;
    }
    println!(
        "{} payloads accepted by two processes, 0 lost, 0 out of order, {repeats} deliveries repeated",
        expected.len()
    );
    assert_eq!((first.stop(), second.stop()), (Some(0), Some(0)));
    let claims = "SELECT count(*) FROM resourcesync_hub.subscription WHERE claimed_by IN (2, 3)";
    assert_eq!(sql(&url, claims), "0");
}

pub(crate) fn a_newer_store_is_refused() {
    let url = database();
    let bench = Bench::new("newer", &[]);
    bench.store(&url);
    bench.start(None).stop();
    sql(&url, "UPDATE resourcesync_hub.meta SET version = version + 1");
    let refused = RunningHub::start(bench.settings(), None).unwrap_err().to_string();
    assert!(refused.contains("it has version 2") && refused.contains("use a newer program"), "{refused}");
    assert!(matches!(bench.settings().store, StoreAddress::Postgres(_)));
}

pub(crate) fn a_hub_moves_to_another_store() {
    let receivers: Vec<Receiver> = (0..3).map(|_| Receiver::new(None)).collect();
    let allow: Vec<String> = receivers.iter().map(|receiver| receiver.server.place()).collect();
    let bench = Arc::new(Bench::new("moves", &allow));
    let mut hub = bench.spawn(None);
    for receiver in &receivers {
        assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    }
    eventually("three subscriptions", || bench.number("subscriptions") == 3);
    bench.admin("POST", "/admin/v1/deny", "{\"target\": {\"host\": \"denied.example:443\"}}");
    let source = Source::start(vec![bench.clone()], Duration::from_millis(10));
    let url = database();
    let file: StoreAddress = bench.folder.join("hub.sqlite").to_str().unwrap().parse().unwrap();
    let back: StoreAddress = bench.folder.join("back.sqlite").to_str().unwrap().parse().unwrap();
    let database: StoreAddress = url.parse().unwrap();
    // The first stop is not orderly: what was in flight has no outcome in the store.
    for (from, to) in [(&file, &database), (&database, &back)] {
        let before = source.accepted.load(Ordering::SeqCst);
        eventually("more payloads", || source.accepted.load(Ordering::SeqCst) > before + 5);
        hub.kill();
        migrate(from, to).unwrap();
        bench.store(&to.to_string());
        hub = bench.spawn_with(None, &SHORT);
    }
    let expected = source.stop();
    for receiver in &receivers {
        eventually("every payload", || first_deliveries(&receiver.received()).0.len() == expected.len());
        assert_eq!(first_deliveries(&receiver.received()).0, expected);
    }
    // Numbers are not used again, and a denied host stays denied.
    let subscriptions = bench.admin("GET", "/admin/v1/subscriptions", "").1;
    for id in 1..=3 {
        assert!(subscriptions.contains(&format!("\"id\":{id},")), "{subscriptions}");
    }
    assert_eq!(bench.subscribe("https://denied.example/", None), 403);
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn a_store_in_use_is_not_migrated() {
    let bench = Bench::new("in-use", &[]);
    let url = database();
    let file: StoreAddress = bench.folder.join("hub.sqlite").to_str().unwrap().parse().unwrap();
    let database: StoreAddress = url.parse().unwrap();
    let problem = |from: &StoreAddress, to: &StoreAddress| migrate(from, to).unwrap_err().to_string();
    assert!(problem(&file, &database).contains("could not be opened"));
    let hub = bench.start(None);
    assert!(problem(&file, &database).contains("used by another process"));
    hub.stop();
    bench.store(&url);
    let hub = bench.start(None);
    assert!(problem(&file, &database).contains("used by a hub"));
    assert!(problem(&database, &file).contains("used by a hub"));
    hub.stop();
    // The topic makes it a store with content.
    sql(
        &url,
        "INSERT INTO resourcesync_hub.topic(uri, head, chain, paused) VALUES('https://hub.example/t', 0, '{}', FALSE)",
    );
    // A session, also one of an earlier attempt, ends some moments after its connection.
    eventually("the refusal of a store with content", || problem(&file, &database).contains("not empty"));
    let copy: StoreAddress = bench.folder.join("copy.sqlite").to_str().unwrap().parse().unwrap();
    sql(&url, "UPDATE resourcesync_hub.topic SET chain = 'broken'");
    assert!(migrate(&database, &copy).is_err());
    assert!(!bench.folder.join("copy.sqlite").exists());
}
