//! Plays the transcripts of harvests.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
};

use proptest::{collection::vec, prelude::*, test_runner::TestCaseError};
use resourcesync::diagnostic::Reason;
use resourcesync_oai::{
    harvest::{Comparison, Event, Failure, Harvest, Moment, Output, Owed, Plan, Received, ResponseHead, Start, Status},
    limits::Limits,
    page::{Ending, PageReader, Piece},
};
use resourcesync_tests::oai::{Body, OaiCase, cases, play, play_killed};

#[test]
fn every_transcript_is_played_as_written() {
    let bless = env::var_os("BLESS").is_some();
    let mut failed = Vec::new();
    for case in cases() {
        let lines = play(&case);
        if lines == case.lines {
            continue;
        }
        if bless {
            write(&case, &lines);
        } else {
            failed.push(format!("{}: {}\nexpected {:#?}\nplayed {lines:#?}", case.name(), case.title, case.lines));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// Replaces the lines in the file, and keeps the rest.
fn write(case: &OaiCase, lines: &[String]) {
    let text = fs::read_to_string(&case.path).unwrap();
    let (before, _) = text.split_once("  \"lines\":").unwrap();
    let quoted: Vec<String> =
        lines.iter().map(|line| format!("    {}", serde_json::to_string(line).unwrap())).collect();
    fs::write(&case.path, format!("{before}  \"lines\": [\n{}\n  ]\n}}\n", quoted.join(",\n"))).unwrap();
}

#[test]
fn a_run_that_is_killed_after_each_page_proves_the_same() {
    // A server that keeps the position itself is asked from the start again, and then sends other pages than these.
    for case in cases().into_iter().filter(|case| !case.name().starts_with("R38-constant-token")) {
        let proof = |lines: Vec<String>| {
            let is_proof = |line: &&String| {
                // A later run has as many retries as a new one.
                line.contains(": ") && !["call", "read", "wait", "fail"].iter().any(|word| line.starts_with(word))
            };
            let proven = lines.iter().filter(is_proof).map(|line| line.split(" requests").next().unwrap().to_owned());
            proven.collect::<Vec<_>>()
        };
        assert_eq!(proof(play_killed(&case)), proof(play(&case)), "{}", case.name());
    }
}

/// The possible responses of a repository.
#[derive(Debug, Clone)]
enum Sent {
    Records { count: usize, is_new: bool, token: Option<u8> },
    Identify(bool),
    Error(&'static str),
    Status(u16, Option<u64>),
    Text(&'static str),
    Cut,
    Damaged,
    Fail(Failure, Received),
}

fn sent() -> impl Strategy<Value = Sent> {
    let errors = prop::sample::select(vec![
        "noRecordsMatch",
        "badResumptionToken",
        "badArgument",
        "badGranularity",
        "cannotDisseminateFormat",
        "noSetHierarchy",
        "idDoesNotExist",
        "strange",
    ]);
    let statuses = prop::sample::select(vec![500, 502, 503, 504, 429, 413, 408]);
    prop_oneof![
        200 => (0_usize..4, any::<bool>(), prop::option::of(0_u8..5))
            .prop_map(|(count, is_new, token)| Sent::Records { count, is_new, token }),
        4 => any::<bool>().prop_map(Sent::Identify),
        4 => errors.prop_map(Sent::Error),
        4 => (statuses, prop::option::of(0_u64..400)).prop_map(|(status, wait)| Sent::Status(status, wait)),
        2 => Just(Sent::Text("")),
        // Responses that end the harvest.
        1 => prop::sample::select(vec![Sent::Text("<html>"), Sent::Status(403, None), Sent::Status(302, Some(9))]),
        1 => prop::sample::select(vec![Failure::Redirect, Failure::Permanent])
            .prop_map(|why| Sent::Fail(why, Received::Head)),
        2 => Just(Sent::Cut),
        2 => Just(Sent::Damaged),
        2 => (
            prop::sample::select(vec![Failure::Connection, Failure::Timeout]),
            prop::sample::select(vec![Received::Nothing, Received::Head, Received::Part])
        )
            .prop_map(|(why, received)| Sent::Fail(why, received)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_script_of_answers_ends(
        script in vec(sent(), 1..60),
        seed in any::<u64>(),
        wants_all in any::<bool>(),
        by_windows in any::<bool>(),
        delay in prop::sample::select(vec![0, 100, 2000]),
    ) {
        let mut plan = Plan::new("http://a.example/oai");
        plan.seed = seed;
        plan.delay = delay;
        plan.all_formats = wants_all;
        plan.limits.oai_pages = 300;
        if by_windows {
            plan.since = "2025-01-01T00:00:00Z".parse_stamp();
            let from = "2025-06-01".parse_stamp().unwrap();
            let start = Start { prefix: "oai_dc".into(), set: None, from, reconciled: Some(Moment(1)), owed: 0 };
            plan.starts = vec![start];
        }
        ends(plan, &script)?;
    }
}

trait ParseStamp {
    fn parse_stamp(&self) -> Option<resourcesync_oai::stamp::Stamp>;
}

impl ParseStamp for str {
    fn parse_stamp(&self) -> Option<resourcesync_oai::stamp::Stamp> {
        resourcesync_oai::stamp::Stamp::read(self)
    }
}

/// Repeats a script, for 10,000 responses in total.
fn ends(plan: Plan, script: &[Sent]) -> Result<(), TestCaseError> {
    let mut now = Moment(1_767_225_660_000);
    let delay = plan.delay;
    let mut harvest = Harvest::new(plan, now);
    let mut next_request = now;
    let mut script = script.iter().cycle().take(10_000);
    let mut counter = 0;
    // The times of requests that did not return a page.
    let mut vain: Vec<u64> = Vec::new();
    for _ in 0..100_000 {
        match harvest.poll(now) {
            Output::Call(call) => {
                // Whatever the previous response was.
                prop_assert!(now >= next_request, "a request {} ms too early", next_request.since(now));
                next_request = now.plus_millis(delay);
                let answer = script.next().cloned().unwrap_or(Sent::Status(403, None));
                let event = event(&harvest, now, &answer, &mut counter, call.request.verb.as_str());
                if !harvest.handle(now, event).accepted {
                    vain.push(now.0);
                    let minute = vain.iter().filter(|at| **at + 60_000 > now.0).count();
                    prop_assert!(minute <= 60, "{minute} requests in vain within a minute");
                }
            }
            Output::Wait { until, .. } => {
                prop_assert!(until > now);
                now = until;
            }
            Output::Compare(_) => {
                let sample = vec!["1".into(), "2".into()];
                let wanted = vec!["3".into()];
                let comparison = Comparison { missing: 2, total: 100, sample, lacking: 1, wanted };
                let _ = harvest.handle(now, Event::Compared(comparison));
            }
            Output::Owed => {
                let owed = Owed { prefix: "oai_dc".into(), set: None, identifier: Some("4".into()), is_new: false };
                let _ = harvest.handle(now, Event::Owed(Some(vec![owed])));
            }
            Output::Done(proof) => {
                let ended = proof.sequences.iter().all(|sequence| sequence.pages.len() as u64 <= 300);
                prop_assert!(ended);
                let is_reasoned =
                    proof.status == Status::Complete || !proof.reasons.is_empty() || !proof.sequences.is_empty();
                prop_assert!(is_reasoned, "{proof:?}");
                return Ok(());
            }
            _ => {}
        }
    }
    Err(TestCaseError::fail("it does not end"))
}

fn event(harvest: &Harvest, now: Moment, sent: &Sent, counter: &mut u64, verb: &str) -> Event {
    let (mut body, mut status, mut wait) = (Body::default(), 200, None);
    match sent {
        Sent::Fail(why, received) => {
            return Event::Failed { why: *why, reason: Reason::other("x"), received: *received };
        }
        Sent::Records { count, is_new, token } => {
            let items = (0..*count).map(|at| {
                *counter += u64::from(*is_new);
                if *is_new { format!("n{counter}") } else { format!("{at}") }
            });
            let items = Some(items.collect());
            match verb {
                "ListIdentifiers" => body.identifiers = items,
                "ListSets" => body.sets = items,
                "ListMetadataFormats" => body.formats = Some(vec!["oai_dc".into(), "x".into()]),
                "GetRecord" => body.record = Some("1".into()),
                "Identify" => body.identify = Some(Default::default()),
                _ => body.records = items,
            }
            body.token = token.map(|token| if token == 0 { String::new() } else { format!("t{token}") });
        }
        Sent::Identify(has_seconds) => {
            let granularity = if *has_seconds { "YYYY-MM-DDThh:mm:ssZ" } else { "YYYY-MM-DD" };
            body.identify = Some([("granularity".to_owned(), granularity.to_owned())].into());
        }
        Sent::Error(code) => body.errors = Some(vec![(*code).to_owned()]),
        Sent::Status(own, seconds) => {
            (status, wait) = (*own, seconds.map(|seconds| seconds.to_string()));
            body.text = Some("busy".into());
        }
        Sent::Text(text) => body.text = Some((*text).to_owned()),
        Sent::Cut => {
            body.records = Some(vec!["1".into(), "2".into()]);
            body.cut = Some("</record>".into());
        }
        Sent::Damaged => {
            body.records = Some(vec!["1".into(), "<record><header>&</header></record>".into(), "3".into()])
        }
    }
    let mut answer = harvest.answer(now, ResponseHead { status, retry_after: wait, ..ResponseHead::default() });
    answer.push(&body.bytes());
    answer.finish();
    Event::Answered(answer.into_answered())
}

/// The distinct bodies of all transcripts, each with its first transcript.
fn bodies() -> BTreeMap<Vec<u8>, String> {
    let mut bodies = BTreeMap::new();
    for case in cases() {
        for answer in &case.answers {
            bodies.entry(answer.body.bytes()).or_insert_with(|| case.name());
        }
    }
    bodies
}

/// The pieces of a page that arrives in chunks of this size.
fn pieces(bytes: &[u8], size: usize) -> Vec<Piece> {
    let mut reader = PageReader::new(&Limits::default());
    let mut pieces = Vec::new();
    for chunk in bytes.chunks(size) {
        reader.push(chunk);
        pieces.extend(std::iter::from_fn(|| reader.next()));
    }
    reader.finish();
    pieces.extend(std::iter::from_fn(|| reader.next()));
    pieces
}

#[test]
fn the_pieces_of_a_page_do_not_depend_on_its_chunks() {
    for (bytes, name) in bodies() {
        let whole = pieces(&bytes, bytes.len().max(1));
        for size in [1, 7, 64, 1000] {
            assert_eq!(pieces(&bytes, size), whole, "{name}, {size} bytes at a time");
        }
    }
}

#[test]
fn a_page_without_its_end_is_never_whole() {
    let is_whole = |pieces: &[Piece]| matches!(pieces.last(), Some(Piece::End(Ending::Whole { .. })));
    let mut pages = 0;
    for (bytes, name) in bodies() {
        if !is_whole(&pieces(&bytes, bytes.len().max(1))) {
            continue;
        }
        pages += 1;
        let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
        // What follows the page: a line break, and the trailer of gzip.
        let rest = bytes.iter().rev().take_while(|byte| matches!(byte, b'\n' | 0)).count();
        let end = bytes.len() - if is_packed { 9 } else { rest };
        let root = bytes.windows(12).position(|window| window == b"responseDate");
        // Each of the last lengths, and some of the others of a long page.
        let lengths = (0..end).filter(|length| length + 60 > end || length % (1 + end / 200) == 0);
        for length in lengths {
            let pieces = pieces(&bytes[..length], 1000);
            assert!(!is_whole(&pieces), "{name}, {length} of {} bytes", bytes.len());
            let is_cut = matches!(pieces.last(), Some(Piece::End(Ending::Cut(_))));
            assert!(is_cut || is_packed || root.is_none_or(|root| length < root), "{name}, {length} bytes");
        }
    }
    assert!(pages > 80, "{pages}");
}

#[test]
fn titles_are_unique() {
    let mut titles = BTreeSet::new();
    for case in cases() {
        assert!(titles.insert(case.title.clone()), "{}", case.title);
    }
}
