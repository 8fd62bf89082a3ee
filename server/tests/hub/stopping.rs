//! A hub that is stopped, and that reads its settings again.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use resourcesync_tests::server::{Server, reply};

use crate::bench::{Bench, Receiver, TOKEN, eventually, payload};

pub(crate) fn a_hub_that_is_stopped_under_load_repeats_nothing() {
    let receivers: Vec<Receiver> = (0..3).map(|_| Receiver::slow(Duration::from_millis(20))).collect();
    let allow: Vec<String> = receivers.iter().map(|receiver| receiver.server.place()).collect();
    let bench = Arc::new(Bench::new("load", &allow));
    let mut hub = bench.spawn(None);
    for receiver in &receivers {
        assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    }
    eventually("three subscriptions", || bench.number("subscriptions") == 3);
    let stops = Arc::new(AtomicBool::new(false));
    let source = {
        let (bench, stops) = (bench.clone(), stops.clone());
        thread::spawn(move || {
            let mut accepted = 0;
            while !stops.load(Ordering::SeqCst) {
                match bench.publish(&payload(accepted)) {
                    Some(200) => accepted += 1,
                    // Stopping, or between two processes.
                    None | Some(503) => thread::sleep(Duration::from_millis(5)),
                    other => panic!("{other:?}"),
                }
            }
            accepted
        })
    };
    for round in 1..=3 {
        eventually("deliveries", || receivers.iter().all(|receiver| receiver.received().len() >= round * 10));
        assert_eq!(hub.stop(), Some(0));
        hub = bench.spawn(None);
    }
    stops.store(true, Ordering::SeqCst);
    let expected: Vec<String> = (0..source.join().unwrap()).map(payload).collect();
    for receiver in &receivers {
        eventually("all payloads", || receiver.received().len() >= expected.len());
        assert_eq!(receiver.received(), expected);
    }
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn a_second_signal_ends_the_hub_at_once() {
    let holds = Arc::new(AtomicBool::new(true));
    let held = holds.clone();
    let silent = Server::new(move |asked, stream| match asked.path.split("hub.challenge=").nth(1) {
        Some(challenge) => reply(stream, "200 OK", &[], challenge.split('&').next().unwrap().as_bytes()),
        None => {
            while held.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(20));
            }
            reply(stream, "204 No Content", &[], b"")
        }
    });
    let bench = Bench::new("impatient", &[silent.place()]);
    let mut hub = bench.spawn(None);
    assert_eq!(bench.subscribe(&silent.url("/"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    assert_eq!(bench.publish(&payload(0)), Some(200));
    let deliveries = || silent.seen().into_iter().filter(|asked| asked.method == "POST").count();
    eventually("a delivery in flight", || deliveries() == 1);
    hub.signal("TERM");
    // It waits for the delivery, and accepts nothing.
    eventually("a hub that is stopping", || !matches!(bench.publish(&payload(1)), Some(200)));
    assert!(hub.is_running());
    // The status of a stop that was not in order, which a hub that waited would not have.
    assert_eq!(hub.stop(), Some(2));
    holds.store(false, Ordering::SeqCst);
    // Nobody knows whether the delivery arrived, so it is repeated.
    let mut hub = bench.spawn(None);
    eventually("a repeated delivery", || deliveries() >= 2);
    // The hub may have accepted it before it knew that it stops; then it is not delivered again.
    assert_eq!(bench.publish(&payload(1)), Some(200));
    eventually("the next payload", || deliveries() >= 3);
    let bodies = silent.seen().into_iter().filter(|asked| asked.method == "POST").map(|asked| asked.body);
    let expected = [payload(0), payload(0), payload(1)].map(String::into_bytes);
    assert_eq!(bodies.collect::<Vec<_>>(), expected);
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn settings_are_read_again_at_a_signal() {
    let receiver = Receiver::new(None);
    let bench = Bench::new("reload", &[receiver.server.place()]);
    let file = bench.folder.join("hub.toml");
    let first = fs::read_to_string(&file).unwrap();
    let mut hub = bench.spawn(None);
    assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    let logged = |event: &str, count: usize| {
        eventually(event, || bench.log().matches(&format!(" {event} ")).count() == count);
    };

    // Settings that cannot be used change nothing.
    for (count, (wrong, problem)) in [
        (first.replace("[retry]", "retries = 1\n[retry]"), "unknown key `retries`; expected one of"),
        ("public_uri = ".to_owned(), "line 1"),
        (format!("tls = {{cert = \"none.pem\", key = \"none.key\"}}\n{first}"), "none.pem"),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(&file, wrong).unwrap();
        hub.signal("HUP");
        logged("reload-failed", count + 1);
        assert!(bench.log().contains(problem), "{problem}: {}", bench.log());
        fs::write(&file, &first).unwrap();
    }
    assert_eq!(bench.publish(&payload(0)), Some(200));
    eventually("a delivery", || receiver.received().len() == 1);

    // Another token of the Source, and no address for callbacks.
    let digest = |token: &str| resourcesync::value::to_hex(&<sha2::Sha256 as sha2::Digest>::digest(token));
    let second = first
        .replace(&digest(TOKEN), &digest("another"))
        .replace(&receiver.server.place(), "127.0.0.9:9")
        .replace("/hub.sqlite", "/other.sqlite");
    fs::write(&file, &second).unwrap();
    hub.signal("HUP");
    logged("reloaded", 1);
    assert!(bench.log().contains("all settings but store, which take effect at the next start"), "{}", bench.log());
    fs::write(&file, &first).unwrap();
    assert!(matches!(bench.publish(&payload(1)), Some(401 | 403)));
    assert_eq!(bench.subscribe(&receiver.server.url("/b"), None), 403);
    hub.signal("HUP");
    logged("reloaded", 2);
    assert_eq!(bench.publish(&payload(1)), Some(200));
    eventually("a delivery", || receiver.received().len() == 2);

    // A topic that was removed.
    let third = first.replace(&format!("uri = \"{}\"", bench.topic()), &format!("uri = \"{}/other\"", bench.topic()));
    fs::write(&file, &third).unwrap();
    hub.signal("HUP");
    eventually("a denial", || receiver.server.paths().iter().any(|path| path.contains("hub.mode=denied")));
    eventually("no subscription", || bench.number("subscriptions") == 0);
    assert_eq!(hub.stop(), Some(0));
}

/// What systemd receives on its socket.
pub(crate) fn systemd_is_told_of_a_reload_and_of_the_end() {
    let bench = Bench::new("systemd", &[]);
    let socket = bench.folder.join("notify");
    let systemd = std::os::unix::net::UnixDatagram::bind(&socket).unwrap();
    systemd.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let told = || {
        let mut text = [0; 1_024];
        let length = systemd.recv(&mut text).expect("a message to systemd");
        String::from_utf8_lossy(&text[..length]).into_owned()
    };
    let mut hub = bench.spawn_with(None, &[("NOTIFY_SOCKET", socket.to_str().unwrap())]);
    for (wrong, count) in [(false, 1), (true, 1)] {
        let file = bench.folder.join("hub.toml");
        let good = fs::read_to_string(&file).unwrap();
        if wrong {
            fs::write(&file, "public_uri = ").unwrap();
        }
        hub.signal("HUP");
        let reloading = told();
        let moment = reloading.strip_prefix("RELOADING=1\nMONOTONIC_USEC=").expect(&reloading);
        assert!(moment.parse::<u64>().is_ok_and(|moment| moment > 0), "{reloading}");
        let ready = told();
        assert!(ready.starts_with("READY=1\nSTATUS="), "{ready}");
        assert_eq!(ready.contains("reload failed"), wrong, "{ready}");
        let event = if wrong { "reload-failed" } else { "reloaded" };
        eventually(event, || bench.log().matches(&format!(" {event} ")).count() == count);
        fs::write(&file, good).unwrap();
    }
    assert_eq!(hub.stop(), Some(0));
    assert_eq!(told(), "STOPPING=1");
}

pub(crate) fn missing_folders_of_the_store_and_the_socket_are_created() {
    let bench = Bench::new("folders", &[]);
    let (lib, run) = (bench.folder.join("lib"), bench.folder.join("run"));
    bench.store(lib.join("hub.sqlite").to_str().unwrap());
    let file = bench.folder.join("hub.toml");
    let text = fs::read_to_string(&file).unwrap();
    let admin = bench.folder.join("admin").display().to_string();
    fs::write(&file, text.replace(&admin, &run.join("admin").display().to_string())).unwrap();
    let hub = bench.start(None);
    assert_eq!(bench.number("subscriptions"), 0);
    use std::os::unix::fs::PermissionsExt;
    for folder in [&lib, &run] {
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700, "{}", folder.display());
    }
    hub.stop();
}
