//! Announcements are valid and in order, the reply to a request does not depend on how its bytes are split, and what a
//! subscriber holds is bounded.

#![allow(clippy::unwrap_used)]

use proptest::{collection::vec, prelude::*};
use resourcesync::{
    build::NotifiedChange,
    report::Verdict,
    value::{Capability, Change, Datetime},
};
use resourcesync_notify::{
    announce::{DocumentChange, Options, changes, document_changes, documents},
    exchange::{Body, Headers, Intake, Reply, Request},
    interval::{Chain, Place},
    moment::{Moment, Timestamp},
    payload::{Channel, Payload, validate},
    signature::{Algorithm, sign},
    subscriber::{self, Input, Output, Subscriber},
};

const START: i64 = 1_795_251_600;

fn moment(seconds: i64) -> Datetime {
    Datetime::from_unix(START + seconds, 0).unwrap()
}

/// A change: its kind, its resource, and its time in one of several zones and precisions.
fn change((at, (verb, resource, second, form)): (usize, (u8, u16, i64, u8))) -> NotifiedChange {
    // Equal changes at the same time result in equal payloads, which are not sent again.
    let uri = format!("https://example.com/{resource}?a={at}&b=<{verb}>");
    let uri = uri.replace('<', "%3C").replace('>', "%3E").parse().unwrap();
    let entry = match verb % 3 {
        0 => NotifiedChange::created(uri),
        1 => NotifiedChange::updated(uri),
        _ => NotifiedChange::deleted(uri),
    };
    let utc = moment(second).to_string();
    let text = match form % 3 {
        0 => utc,
        1 => utc.replace('Z', "+00:00"),
        _ => utc.replace('Z', ".25Z"),
    };
    entry.at(text.parse().unwrap())
}

proptest! {
    #[test]
    fn whatever_is_announced_the_checker_is_silent_about(
        raw in vec((0..3_u8, 0..40_u16, 0..30_i64, 0..3_u8), 0..60),
        entries in 1..20_u64,
        bytes in 300..4_000_u64,
    ) {
        let mut options = Options::default();
        options.entries = entries;
        options.bytes = bytes;
        options.capability_list = Some("https://example.com/capabilitylist.xml".parse().unwrap());
        let payloads = changes(moment(0), moment(31), raw.iter().copied().enumerate().map(change), &options).unwrap();
        let mut chain = Chain::default();
        chain.skip_to(moment(0));
        for payload in &payloads {
            let report = validate(payload.bytes(), Channel::ChangeNotification);
            prop_assert_eq!(report.verdict, Verdict::Valid);
            let found: Vec<_> = report.diagnostics.iter().map(|found| &*found.code).filter(|code| *code != "ADV-03").collect();
            prop_assert!(found.is_empty(), "{:?}", found);
            prop_assert!(payload.entries() <= entries && (payload.entries() == 1 || payload.bytes().len() as u64 <= bytes));
            prop_assert_eq!(chain.place(payload.interval(), payload.digest()), Place::Follows);
            chain.accept(payload.interval(), payload.digest());
        }
        prop_assert_eq!(payloads.iter().map(Payload::entries).sum::<u64>(), raw.len() as u64);
        if let Some(last) = payloads.last() {
            prop_assert_eq!(last.interval().map(|interval| interval.until.clone()), Some(moment(31)));
        }
    }

    #[test]
    fn whatever_documents_change_the_checker_is_silent_about(
        before in vec((0..6_usize, 0..8_u8, 0..3_u8, any::<bool>()), 0..10),
        after in vec((0..6_usize, 0..8_u8, 0..3_u8, any::<bool>()), 0..10),
        entries in 1..5_u64,
    ) {
        const CAPABILITIES: [&str; 6] = ["resourcelist", "resourcedump", "changelist", "changedump", "capabilitylist", "description"];
        let list = |raw: &[(usize, u8, u8, bool)]| {
            let mut known = Vec::new();
            for (capability, number, content, is_member) in raw {
                let uri = format!("https://example.com/{}-{number}.xml", CAPABILITIES[*capability]);
                let index = (*is_member && *capability < 4).then(|| format!("https://example.com/{}.xml", CAPABILITIES[*capability]));
                let mut document = serde_json::json!({"capability": CAPABILITIES[*capability], "uri": uri, "sha256": content.to_string()});
                if let Some(index) = index {
                    document["index"] = index.into();
                }
                let document: resourcesync::build::PublishedDocument = serde_json::from_value(document).unwrap();
                if known.iter().all(|own: &resourcesync::build::PublishedDocument| own.uri != document.uri) {
                    known.push(document);
                }
            }
            known
        };
        let mut options = Options::default();
        options.entries = entries;
        options.capability_list = Some("https://example.com/capabilitylist.xml".parse().unwrap());
        options.source_description = Some("https://example.com/.well-known/resourcesync".parse().unwrap());
        let found = document_changes(&list(&before), &list(&after), Some(&moment(0)));
        for payload in documents(found, &options).unwrap() {
            let report = validate(payload.bytes(), Channel::FrameworkNotification);
            let found: Vec<_> = report.diagnostics.iter().map(|found| &*found.code).collect();
            prop_assert!(report.verdict == Verdict::Valid && found.is_empty(), "{:?}", found);
        }
    }

    #[test]
    fn any_chunking_of_a_request_gives_the_same_reply(
        cuts in vec(1..200_usize, 1..40),
        which in 0..4_u8,
        is_signed in any::<bool>(),
        declares in any::<bool>(),
    ) {
        let body = match which {
            0 => include_bytes!("../../tests/corpus/notify/payloads/changes-1.xml").to_vec(),
            1 => include_bytes!("../../tests/corpus/notify/payloads/doctype.xml").to_vec(),
            2 => vec![b'x'; 5_000],
            _ => vec![0xff, 0xfe, 0],
        };
        let headers = Headers::default().with("Content-Type", "application/xml");
        let headers = if declares { headers.with("Content-Length", body.len().to_string()) } else { headers };
        let headers = if is_signed { headers.with("X-Hub-Signature", sign(Algorithm::Sha256, SECRET.as_bytes(), &body)) } else { headers };
        let whole = reply(&headers, &[&body]);
        let mut pieces = Vec::new();
        let mut rest = &*body;
        for cut in cuts {
            let (piece, other) = rest.split_at(cut.min(rest.len()));
            pieces.push(piece);
            rest = other;
        }
        pieces.push(rest);
        prop_assert_eq!(reply(&headers, &pieces), whole);
    }
}

/// The secret of the subscription created by `active`, generated by its counter.
const SECRET: &str = "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f";

/// A confirmed subscription and its path.
fn active() -> (Subscriber, String) {
    let mut options = subscriber::Options::new("https://me.example/rs/").unwrap();
    options.channels = vec![Channel::ChangeNotification];
    options.body_bytes = 4_096;
    let mut subscriber = Subscriber::new(options);
    let mut count = 0_u8;
    let mut random = |bytes: &mut [u8]| {
        for byte in bytes {
            *byte = count;
            count = count.wrapping_add(1);
        }
    };
    let mut moment = Moment { now: Timestamp::from_seconds(START), random: &mut random };
    let topic = "https://example.com/changes";
    let links = format!("<{topic}>; rel=\"self\", <https://hub.example/>; rel=\"hub\"");
    let answer = |body: &[u8]| resourcesync_notify::exchange::Answer {
        status: 200,
        headers: Headers::default().with("Link", links.clone()),
        body: body.to_vec(),
    };
    subscriber.handle(&mut moment, Input::Follow { uri: topic.into() });
    subscriber.handle(&mut moment, Input::Answered { id: 1, answer: answer(b"") });
    let outputs = subscriber.handle(&mut moment, Input::Answered { id: 2, answer: answer(b"") });
    let form = outputs.iter().find_map(|output| match output {
        Output::Send { request, .. } => Some(String::from_utf8_lossy(&request.body).into_owned()),
        _ => None,
    });
    let form = form.unwrap();
    assert!(form.contains(SECRET), "{form}");
    let path = "/rs/AAECAwQFBgcICQoLDA0ODw".to_owned();
    let query = b"hub.mode=subscribe&hub.topic=https%3A%2F%2Fexample.com%2Fchanges&hub.challenge=c".to_vec();
    let request = Request { method: "GET".into(), path: path.clone(), query, ..Request::default() };
    subscriber.handle(&mut moment, Input::Request { id: 1, request });
    (subscriber, path)
}

/// The outputs of a subscriber for a signed delivery.
fn deliver(subscriber: &mut Subscriber, path: &str, payload: &Payload) -> Vec<Output> {
    let headers =
        Headers::default().with("X-Hub-Signature", sign(Algorithm::Sha256, SECRET.as_bytes(), payload.bytes()));
    let body = Body::Whole(payload.bytes().to_vec());
    let request = Request { method: "POST".into(), path: path.into(), headers, body, ..Request::default() };
    let mut random = |bytes: &mut [u8]| bytes.fill(7);
    let mut moment = Moment { now: Timestamp::from_seconds(START + 60), random: &mut random };
    subscriber.handle(&mut moment, Input::Request { id: 2, request })
}

fn reply(headers: &Headers, pieces: &[&[u8]]) -> (Reply, usize) {
    let (mut subscriber, path) = active();
    let request = Request { method: "POST".into(), path, headers: headers.clone(), ..Request::default() };
    let mut intake = Intake::new(request, 4_096);
    for piece in pieces {
        if !intake.push(piece) {
            break;
        }
    }
    let mut random = |bytes: &mut [u8]| bytes.fill(7);
    let mut moment = Moment { now: Timestamp::from_seconds(START + 60), random: &mut random };
    let outputs = subscriber.handle(&mut moment, Input::Request { id: 2, request: intake.finish() });
    let reply = outputs.iter().find_map(|output| match output {
        Output::Reply { reply, .. } => Some(reply.clone()),
        _ => None,
    });
    (reply.unwrap(), outputs.len())
}

#[test]
fn many_changes_become_three_parts_whenever_they_happened() {
    let over_time = |at: i64| i64::from(at % 25_001 > 0) * (at / 9);
    for when in [over_time, |_| 5] {
        let entries = (0..25_001_i64).map(|at| {
            NotifiedChange::updated(format!("https://example.com/{at}").parse().unwrap()).at(moment(when(at)))
        });
        let mut options = Options::default();
        options.bytes = u64::MAX;
        let payloads = changes(moment(0), moment(10_000), entries, &options).unwrap();
        assert_eq!(payloads.iter().map(Payload::entries).collect::<Vec<_>>(), [10_000, 10_000, 5_001]);
        let mut chain = Chain::default();
        for payload in &payloads {
            assert_eq!(chain.place(payload.interval(), payload.digest()), Place::Follows);
            chain.accept(payload.interval(), payload.digest());
        }
        assert_eq!(chain.until(), Some(&moment(10_000)));
    }
}

#[test]
fn only_what_table_2_of_framework_notification_defines_can_be_announced() {
    use Change::{Created, Deleted, Updated};
    let defined: [(Capability, &[Change]); 6] = [
        (Capability::ResourceList, &[Created, Updated]),
        (Capability::ResourceDump, &[Created]),
        (Capability::ChangeList, &[Created, Updated]),
        (Capability::ChangeDump, &[Created, Updated]),
        (Capability::CapabilityList, &[Created, Updated, Deleted]),
        (Capability::Description, &[Created, Updated, Deleted]),
    ];
    for (capability, changes) in defined {
        for change in [Created, Updated, Deleted] {
            let uri = "https://example.com/x.xml".parse().unwrap();
            let document = DocumentChange { capability: capability.clone(), uri, change, index: None, datetime: None };
            let made = documents([document], &Options::default());
            assert_eq!(made.is_ok(), changes.contains(&change), "{capability:?} {change:?}: {made:?}");
        }
    }
}

#[test]
fn at_most_64_notifications_are_held_while_one_is_missing() {
    let payloads: Vec<Payload> = (0..67_i64)
        .map(|number| {
            let uri = format!("https://example.com/{number}").parse().unwrap();
            let entry = NotifiedChange::updated(uri).at(moment(60 * number));
            changes(moment(60 * number), moment(60 * number + 60), [entry], &Options::default()).unwrap().remove(0)
        })
        .collect();
    let (mut subscriber, path) = active();
    let notified = |outputs: &[Output]| outputs.iter().filter(|output| matches!(output, Output::Notified(_))).count();
    assert_eq!(notified(&deliver(&mut subscriber, &path, &payloads[0])), 1);
    for payload in &payloads[2..66] {
        assert_eq!(notified(&deliver(&mut subscriber, &path, payload)), 0);
    }
    let outputs = deliver(&mut subscriber, &path, &payloads[66]);
    assert_eq!(notified(&outputs), 65);
    assert_eq!(outputs.iter().filter(|output| matches!(output, Output::Pull(_))).count(), 1);
}
