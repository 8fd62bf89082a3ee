//! Large bodies that are cut off are continued, in the same run and in the next one, and verified as a whole.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use resourcesync_client::{
    Cancel,
    destination::{Options, sync},
    http::{Client, ClientOptions, Policy},
};
use resourcesync_sync::{conclude::Outcome, report::Report};

use crate::source::{Asked, Place, Source, tree};

/// Bytes from which on a body is continued, and more.
const LARGE: usize = 10 << 20;

fn body(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(&mut next).flatten().take(length).collect()
}

fn response(status: &str, headers: &[&str], length: usize, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n").into_bytes();
    headers.iter().for_each(|header| bytes.extend(format!("{header}\r\n").bytes()));
    bytes.extend(b"\r\n");
    bytes.extend(body);
    bytes
}

/// The position that a request asks for, with its condition.
fn position(asked: &Asked) -> Option<(usize, String)> {
    let from = asked.range.as_ref()?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().unwrap();
    Some((from, asked.if_range.clone().unwrap()))
}

/// A server with ranges that closes each connection after some bytes.
fn serve(source: &Source, whole: Arc<Vec<u8>>, window: usize, etag: &'static str) -> Arc<Mutex<Vec<Option<usize>>>> {
    let log = Arc::new(Mutex::new(Vec::new()));
    let own = log.clone();
    source.script(move |asked| {
        if asked.path != "/large" {
            return None;
        }
        let asked = position(asked);
        own.lock().unwrap().push(asked.as_ref().map(|(from, _)| *from));
        let tag = format!("ETag: {etag}");
        let size = whole.len();
        match asked {
            Some((from, condition)) if condition == etag => {
                let range = format!("Content-Range: bytes {from}-{}/{size}", size - 1);
                let end = size.min(from + window);
                Some(response("206 Partial Content", &[&tag, &range], size - from, &whole[from..end]))
            }
            _ => Some(response("200 OK", &[&tag], size, &whole[..size.min(window)])),
        }
    });
    log
}

fn run_trying(source: &Source, folder: &Path, retries: u64) -> Report {
    let mut policy = Policy::default();
    policy.start(&source.start()).unwrap();
    policy.limits.http_requests_per_second = 0;
    policy.limits.http_retries = retries;
    let client = Arc::new(Client::new(policy, ClientOptions::default()).unwrap());
    sync(&source.start(), folder, &client, &Options::default(), &Cancel::default(), &mut |_| {}).unwrap()
}

fn staged(place: &Place) -> usize {
    std::fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count()
}

#[test]
fn a_body_that_is_cut_off_is_continued_by_the_same_run_and_by_the_next_ones() {
    let whole = Arc::new(body(1, 2 * LARGE + 5));
    for retries in [0, 1, 2] {
        let place = Place::new(&format!("resumed-{retries}"));
        let source = Source::new();
        source.put("/large", (*whole).clone());
        source.publish();
        let log = serve(&source, whole.clone(), LARGE, "\"1\"");
        let mut runs = 0;
        loop {
            runs += 1;
            let report = run_trying(&source, &place.copy(), retries);
            if report.run.outcome == Outcome::InStep {
                assert_eq!((report.counts.created, report.verified.digest), (1, 1));
                break;
            }
            assert_eq!((report.run.outcome, report.counts.failed), (Outcome::Incomplete, 1));
            assert_eq!(tree(&place.copy()), []);
            assert_eq!(staged(&place), 2, "the beginning, and a note about it");
        }
        assert_eq!(runs, 3 / (retries + 1) + u64::from(3 % (retries + 1) > 0));
        let asked = log.lock().unwrap().clone();
        assert_eq!(asked, [None, Some(LARGE), Some(2 * LARGE)]);
        assert_eq!(tree(&place.copy())[0].1, *whole);
        assert_eq!(staged(&place), 0);
    }
}

#[test]
fn hostile_parts_are_never_stored_under_a_final_name() {
    let whole = Arc::new(body(3, LARGE + 1_000));
    let size = whole.len();
    let range = |text: &str| format!("Content-Range: bytes {text}");
    let rest = || whole[LARGE..].to_vec();
    let other = || vec![0; size - LARGE];
    let exact = range(&format!("{LARGE}-{}/{size}", size - 1));
    let tag = "ETag: \"1\"".to_owned();
    let parts: Vec<(&str, Vec<String>, Vec<u8>)> = vec![
        ("206", vec![tag.clone(), exact.clone()], other()),
        ("206", vec!["ETag: \"2\"".to_owned(), exact.clone()], rest()),
        ("206", vec!["ETag: W/\"1\"".to_owned(), exact.clone()], rest()),
        ("206", vec![tag.clone()], rest()),
        ("206", vec![tag.clone(), exact.clone(), exact.clone()], rest()),
        ("206", vec![tag.clone(), range(&format!("0-{}/{size}", size - 1))], whole.to_vec()),
        ("206", vec![tag.clone(), range(&format!("{}-{}/{size}", LARGE - 1, size - 1))], whole[LARGE - 1..].to_vec()),
        ("206", vec![tag.clone(), range(&format!("{LARGE}-{}/{}", size, size + 1))], vec![1; size + 1 - LARGE]),
        ("206", vec![tag.clone(), range(&format!("{LARGE}-{}/*", size - 1))], rest()),
        (
            "206",
            vec![tag.clone(), "Content-Type: multipart/byteranges; boundary=x".to_owned()],
            b"--x\r\n--x--".to_vec(),
        ),
        ("206", vec![tag.clone(), exact.clone(), "Content-Encoding: gzip".to_owned()], rest()),
        ("416", vec![range(&format!("*/{size}"))], Vec::new()),
        ("412", Vec::new(), Vec::new()),
        ("200", vec!["ETag: \"2\"".to_owned()], whole.to_vec()),
    ];
    for (number, (status, headers, answer)) in parts.into_iter().enumerate() {
        let place = Place::new(&format!("parts-{number}"));
        let source = Source::new();
        source.put("/large", (*whole).clone());
        source.publish();
        let count = Arc::new(AtomicUsize::new(0));
        let (own, first) = (count.clone(), whole.clone());
        source.script(move |asked| {
            if asked.path != "/large" {
                return None;
            }
            match own.fetch_add(1, Ordering::SeqCst) {
                0 => Some(response("200 OK", &["ETag: \"1\""], size, &first[..LARGE])),
                1 => {
                    assert_eq!(position(asked), Some((LARGE, "\"1\"".to_owned())));
                    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
                    Some(response(&format!("{status} Status"), &headers, answer.len(), &answer))
                }
                // Whatever happened: without ranges it is as listed.
                _ => {
                    assert_eq!(asked.range, None);
                    None
                }
            }
        });
        let report = run_trying(&source, &place.copy(), 1);
        assert_eq!(report.run.outcome, Outcome::InStep, "{number}: {report:?}");
        assert_eq!(tree(&place.copy())[0].1, *whole, "{number}");
        assert_eq!(count.load(Ordering::SeqCst), if status == "200" { 2 } else { 3 }, "{number}");
        assert_eq!(staged(&place), 0, "{number}");
    }
}

#[test]
fn a_damaged_beginning_is_fetched_again() {
    let whole = Arc::new(body(4, LARGE + 1_000));
    let place = Place::new("resumed-damaged");
    let source = Source::new();
    source.put("/large", (*whole).clone());
    source.publish();
    serve(&source, whole.clone(), LARGE, "\"1\"");
    assert_eq!(run_trying(&source, &place.copy(), 0).run.outcome, Outcome::Incomplete);
    let staging = place.copy().join(".resourcesync/staging");
    let begun = std::fs::read_dir(&staging).unwrap().map(|entry| entry.unwrap().path());
    let begun = begun.into_iter().find(|path| path.extension().is_none()).unwrap();
    std::fs::write(&begun, vec![0; LARGE]).unwrap();
    let log = serve(&source, whole.clone(), usize::MAX >> 1, "\"1\"");
    assert_eq!(run_trying(&source, &place.copy(), 0).run.outcome, Outcome::InStep);
    assert_eq!(*log.lock().unwrap(), [Some(LARGE), None]);
    assert_eq!(tree(&place.copy())[0].1, *whole);
}

#[test]
fn a_beginning_of_what_is_no_longer_listed_is_removed() {
    let whole = Arc::new(body(5, LARGE + 1_000));
    let place = Place::new("resumed-gone");
    let source = Source::new();
    source.put("/small", "small");
    source.put("/large", (*whole).clone());
    source.publish();
    serve(&source, whole, LARGE, "\"1\"");
    assert_eq!(run_trying(&source, &place.copy(), 0).run.outcome, Outcome::Incomplete);
    assert_eq!(staged(&place), 2);
    source.remove("/large");
    source.publish();
    assert_eq!(run_trying(&source, &place.copy(), 0).run.outcome, Outcome::InStep);
    assert_eq!(staged(&place), 0);
}
