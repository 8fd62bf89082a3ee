//! Notifications over real connections: one exchange per request, and an outbox that survives truncation at any byte.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use resourcesync_client::{
    Cancel,
    http::{Client, ClientOptions, Policy},
    notify::{Outbox, OutboxError},
};
use resourcesync_notify::{
    payload::{Channel, Payload},
    publisher::{Options, Output},
    topic::Topic,
};
use resourcesync_tests::server::{Server, redirect, reply};

fn client(hubs: &[&str]) -> Arc<Client> {
    let mut policy = Policy::default();
    hubs.iter().for_each(|hub| policy.start(hub).unwrap());
    policy.limits.http_requests_per_second = 0;
    Arc::new(Client::new(policy, ClientOptions::default()).unwrap())
}

fn payload(number: usize) -> Payload {
    let name = format!("../tests/corpus/notify/payloads/changes-{number}.xml");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name);
    Payload::read(fs::read(path).unwrap(), Channel::ChangeNotification).unwrap()
}

fn topic(hubs: &[&str]) -> Topic {
    let hubs = hubs.iter().map(|hub| (*hub).to_owned()).collect();
    Topic { uri: "https://example.com/changes.xml".to_owned(), hubs, capability_list: None }
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("resourcesync-outbox-{name}-{}.jsonl", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn open(path: &Path) -> Outbox {
    Outbox::open(path.to_owned(), Options::default()).unwrap()
}

/// Sends the waiting payloads with one attempt each; returns the events as text.
fn send(outbox: &mut Outbox, hubs: &[&str]) -> Vec<String> {
    let mut told = Vec::new();
    let tell = |output: &Output| {
        told.push(match output {
            Output::Sent { delivery, .. } => format!("sent {}", delivery.payload),
            Output::Refused { delivery, status, .. } => format!("refused {} {status}", delivery.payload),
            Output::Postponed { delivery, status, .. } => format!("postponed {} {status:?}", delivery.payload),
            other => panic!("{other:?}"),
        });
    };
    outbox.send((&client(hubs), &Cancel::default()), [], Duration::ZERO, tell).unwrap();
    told
}

#[test]
fn payloads_arrive_in_order_with_the_headers_of_the_specifications() {
    let server = Server::new(|_, stream| reply(stream, "200 OK", &[], b""));
    let hub = server.url("/hub");
    let path = file("order");
    let mut outbox = open(&path);
    for number in 1..=3 {
        assert_eq!(outbox.take("1", topic(&[&hub]), payload(number)).unwrap(), []);
    }
    assert_eq!(send(&mut outbox, &[&hub]), ["sent 1", "sent 2", "sent 3"]);
    let seen = server.seen();
    for (number, asked) in (1..).zip(&seen) {
        assert_eq!((&*asked.method, &*asked.path), ("POST", "/hub"));
        assert_eq!(asked.header("content-type"), Some("application/xml"));
        let link = format!("<https://example.com/changes.xml>; rel=\"self\", <{hub}>; rel=\"hub\"");
        assert_eq!(asked.header("link"), Some(&*link));
        assert_eq!(asked.body, payload(number).bytes());
    }
    assert_eq!(seen.len(), 3);
    // Nothing is left to send, in this process or the next.
    assert_eq!(open(&path).publisher().waiting(), 0);
    assert_eq!(send(&mut open(&path), &[&hub]), [""; 0]);
    let _ = fs::remove_file(path);
}

#[test]
fn a_redirect_is_not_followed_and_a_hub_that_is_down_delays_no_other() {
    let moved = Server::new(|asked, stream| match &*asked.path {
        "/hub" => redirect(stream, "/elsewhere"),
        _ => reply(stream, "200 OK", &[], b""),
    });
    let good = Server::new(|_, stream| reply(stream, "200 OK", &[], b""));
    let gone = Server::new(|_, stream| reply(stream, "200 OK", &[], b""));
    let hubs = [moved.url("/hub"), good.url("/hub"), gone.url("/hub")];
    let hubs: Vec<&str> = hubs.iter().map(String::as_str).collect();
    drop(gone);
    let path = file("redirect");
    let mut outbox = open(&path);
    outbox.take("1", topic(&hubs), payload(1)).unwrap();
    let told: BTreeSet<String> = send(&mut outbox, &hubs).into_iter().collect();
    assert_eq!(told, BTreeSet::from(["postponed 1 None", "refused 1 302", "sent 1"].map(String::from)));
    assert_eq!((moved.paths(), good.paths()), (vec!["/hub".to_owned()], vec!["/hub".to_owned()]));
    let left: Vec<_> = open(&path).publisher().undelivered().map(|left| (left.delivery.hub, left.refused)).collect();
    let expected = BTreeSet::from([(hubs[0].to_owned(), Some(302)), (hubs[2].to_owned(), None)]);
    assert_eq!(left.into_iter().collect::<BTreeSet<_>>(), expected);
    let _ = fs::remove_file(path);
}

#[test]
fn an_outbox_cut_at_any_byte_is_continued_without_a_gap() {
    let server = Server::new(|_, stream| reply(stream, "200 OK", &[], b""));
    let hub = server.url("/hub");
    let path = file("cut");
    // The journal of a run that took three payloads and sent them.
    let mut outbox = open(&path);
    for number in 1..=3 {
        outbox.take("1", topic(&[&hub]), payload(number)).unwrap();
    }
    send(&mut outbox, &[&hub]);
    drop(outbox);
    let whole = fs::read(&path).unwrap();
    let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    // At the end and in the middle of every line.
    let cuts: BTreeSet<usize> = ends.flat_map(|end| [end, end - 1, end.saturating_sub(200)]).chain([0]).collect();
    assert!(cuts.len() > 20, "{}", cuts.len());
    for cut in cuts {
        fs::write(&path, &whole[..cut]).unwrap();
        let before = server.seen().len();
        let mut outbox = open(&path);
        let (taken, waiting) = (outbox.taken("1"), outbox.publisher().waiting());
        for number in (1..=3).skip(usize::try_from(taken).unwrap()) {
            // Neither a gap nor an overlap is reported.
            assert_eq!(outbox.take("1", topic(&[&hub]), payload(number)).unwrap(), [], "cut at {cut}");
        }
        send(&mut outbox, &[&hub]);
        let sent: Vec<Vec<u8>> = server.seen()[before..].iter().map(|asked| asked.body.clone()).collect();
        let all: Vec<Vec<u8>> = (1..=3).map(|number| payload(number).bytes().to_vec()).collect();
        let count = waiting + 3 - usize::try_from(taken).unwrap();
        assert_eq!(sent, all[3 - count..], "cut at {cut}");
        assert_eq!(open(&path).publisher().waiting(), 0);
    }
    let _ = fs::remove_file(path);
}

#[test]
fn what_is_not_an_outbox_is_refused() {
    let path = file("damaged");
    for text in ["{}\nx\n{}\n", "{\"keep\":[{\"key\":\"other\",\"value\":{\"version\":1}}]}\n"] {
        fs::write(&path, text).unwrap();
        let error = Outbox::open(path.clone(), Options::default()).unwrap_err();
        assert!(matches!(error, OutboxError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("is damaged"), "{error}");
    }
    fs::remove_file(&path).unwrap();
}
