//! Requests to a callback: the reply does not depend on chunking, and only requests of the hub change the state.

use resourcesync_notify::{
    exchange::{Headers, Intake, Reply, Request},
    moment::{Moment, Timestamp},
    signature::{Algorithm, sign},
    state::State,
    subscriber::{Input, Options, Output, Subscriber},
};

/// Maximum bytes of a body.
const MOST: usize = 4_096;
/// A subscription that a hub confirmed.
const CHANNEL: &str = r#"{"version":1,"revision":3,"source":"https://example.com/","topic":"https://example.com/changes",
    "hub":"https://hub.example/","kind":"change-notification","phase":"active","isWaiting":false,"failures":0,
    "request":{"mode":"subscribe","secret":"new","sent":"2026-11-21T09:00:00Z","isAccepted":true,"confirmed":"2026-11-21T09:00:02Z"},
    "lease":{"secret":"new","until":"2026-12-01T09:00:00Z"},"previous":{"secret":"old","until":"2026-11-21T09:10:02Z"},
    "next":"2026-11-28T09:00:00Z","chain":{}}"#;

fn subscriber() -> Subscriber {
    let mut options = Options::new("https://me.example/rs/").expect("a callback");
    options.body_bytes = MOST;
    let state = State::from([("channel:T".to_owned(), serde_json::from_str(CHANNEL).expect("a state"))]);
    Subscriber::restore(options, state).expect("a state")
}

fn handle(request: Request) -> Vec<Output> {
    let mut random = |bytes: &mut [u8]| bytes.fill(7);
    let mut moment = Moment { now: Timestamp::from_seconds(1_795_251_660), random: &mut random };
    subscriber().handle(&mut moment, Input::Request { id: 1, request })
}

fn reply(outputs: &[Output]) -> &Reply {
    let replies: Vec<&Reply> = outputs
        .iter()
        .filter_map(|output| match output {
            Output::Reply { id: 1, reply } => Some(reply),
            _ => None,
        })
        .collect();
    assert_eq!(replies.len(), 1, "a request has one answer");
    replies[0]
}

/// Two bytes that choose, a line with the query, a line with a header, a body.
pub fn notify_request(data: &[u8]) {
    let Some((&[choice, window], rest)) = data.split_first_chunk::<2>() else { return };
    let mut lines = rest.splitn(3, |byte| *byte == b'\n');
    let (query, header, body) =
        (lines.next().unwrap_or_default(), lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let method = ["GET", "POST", "POST", "HEAD"][usize::from(choice & 3)];
    let path = if choice & 4 == 0 { "/rs/T" } else { "/rs/U" };
    let signature = match choice >> 3 & 3 {
        0 => sign(Algorithm::Sha256, b"new", body),
        1 => sign(Algorithm::Sha512, b"old", body),
        2 => sign(Algorithm::Sha1, b"new", body),
        _ => String::from_utf8_lossy(header).into_owned(),
    };
    let headers = Headers::default().with("X-Hub-Signature", signature).with("Link", String::from_utf8_lossy(header));
    let request = || Request {
        method: method.into(),
        path: path.into(),
        query: query.to_vec(),
        headers: headers.clone(),
        ..Request::default()
    };
    let take = |window: usize| {
        let mut intake = Intake::new(request(), MOST);
        let _ = body.chunks(window.max(1)).all(|piece| intake.push(piece));
        handle(intake.finish())
    };
    let whole = take(usize::MAX);
    assert_eq!(take(usize::from(window)), whole);

    let status = reply(&whole).status;
    let is_known = path == "/rs/T";
    let is_signed = choice >> 3 & 3 < 2;
    match (method, is_known) {
        ("HEAD", _) => assert_eq!(status, 405),
        ("GET", false) => assert_eq!(status, 404),
        (_, false) => assert_eq!(status, 410),
        ("GET", true) => assert!(matches!(status, 200 | 404)),
        (_, true) if body.len() > MOST => assert_eq!(status, 413),
        (_, true) => assert_eq!(status, if is_signed { 202 } else { 403 }),
    }
    if !matches!(status, 200 | 202) {
        assert!(!whole.iter().any(|output| matches!(output, Output::Keep(_) | Output::Notified(_) | Output::Pull(_))));
    }
}
