//! The transcripts of the corpus, played by the command over loopback.

use resourcesync_tests::oai::{OaiCase, cases, decoded};
use serde_json::Value;

use super::of_case;
use crate::bench::{Bench, Ran};

#[test]
fn the_command_does_what_the_transcripts_say() {
    let bench = Bench::new("oai-transcripts");
    let mut played = 0;
    for case in cases() {
        let Some(exit) = case.exit else { continue };
        let server = of_case(&case);
        let path = case.plan.base_url.as_deref().map_or("/oai", |url| url.trim_start_matches("http://a.example"));
        let args = arguments(&case, &server.url(path));
        let run = bench.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let name = case.name();

        let calls = case.lines.iter().filter_map(|line| line.strip_prefix("call "));
        let calls: Vec<String> = calls.map(|call| call.replace("http://a.example", "")).collect();
        let seen: Vec<String> = server
            .seen()
            .iter()
            .map(|asked| match asked.method.as_str() {
                "POST" => format!("POST {} {}", asked.path, String::from_utf8_lossy(&asked.body)),
                _ => asked.path.clone(),
            })
            .collect();
        assert_eq!(seen.len(), calls.len(), "{name}: {seen:#?}\n{}", run.err);
        for (seen, call) in seen.iter().zip(&calls) {
            let is_same = match call.split_once('…') {
                Some((start, _)) => seen.starts_with(start),
                None => seen == call,
            };
            assert!(is_same, "{name}: {seen} instead of {call}");
        }
        sends_the_tokens(&case, &seen);
        assert_eq!(run.status, Some(exit), "{name}: {}", run.err);
        if case.plan.goal.is_none() {
            proves_the_same(&case, &run);
        }
        played += 1;
    }
    assert!(played > 110, "{played}");
}

/// Asserts that the tokens arrive byte for byte.
fn sends_the_tokens(case: &OaiCase, seen: &[String]) {
    let tokens: Vec<&str> =
        case.answers.iter().filter_map(|answer| Some(answer.body.token.as_deref()?.trim())).collect();
    for (_, sent) in seen.iter().filter_map(|request| request.split_once("resumptionToken=")) {
        let sent = decoded(sent);
        assert!(tokens.contains(&sent.as_str()), "{}: {sent}", case.name());
    }
}

/// The command line for the plan of a transcript.
fn arguments(case: &OaiCase, base: &str) -> Vec<String> {
    let own = &case.plan;
    let command: &[&str] = match own.goal.as_deref() {
        None => &["harvest", "--format", "json"],
        Some("identify") => &["identify"],
        Some("sets") => &["list", "--sets"],
        Some("identifiers") => &["list", "--identifiers"],
        Some("get") => &["get"],
        Some(other) => panic!("no goal is called {other}"),
    };
    let mut args: Vec<String> = ["oai"].iter().chain(command).map(|word| (*word).to_owned()).collect();
    let mut push = |words: &[&str]| args.extend(words.iter().map(|word| (*word).to_owned()));
    push(&["--skip-waits", "--limit", "http_requests_per_second=0"]);
    own.limits.iter().for_each(|(name, value)| push(&["--limit", &format!("{name}={value}")]));
    own.prefixes.iter().for_each(|prefix| push(&["--prefix", prefix]));
    own.sets.iter().for_each(|set| push(&["--set", set]));
    if own.all_formats {
        push(&["--prefix", "all"]);
    }
    if own.post {
        push(&["--post"]);
    }
    if own.allow_quarantine > 0 {
        push(&["--allow-quarantine", &own.allow_quarantine.to_string()]);
    }
    let dates = [("--since", own.since), ("--until", own.until)];
    dates.iter().for_each(|(name, stamp)| stamp.iter().for_each(|stamp| push(&[name, &stamp.to_string()])));
    if own.delay > 0 {
        push(&["--delay", &format!("{}.{:03}", own.delay / 1000, own.delay % 1000)]);
    }
    let numbers = [("--max-wait", own.max_wait), ("--max-records", own.max_records)];
    numbers.iter().for_each(|(name, own)| own.iter().for_each(|own| push(&[name, &own.to_string()])));
    let words = [
        ("--window", &own.window),
        ("--on-loop", &own.on_loop),
        ("--tolerance", &own.tolerance),
        ("--repair", &own.repair),
    ];
    words.iter().for_each(|(name, own)| own.iter().for_each(|own| push(&[name, own])));
    own.overlap.iter().for_each(|seconds| push(&["--overlap", &format!("{seconds}s")]));
    push(&[base]);
    own.identifiers.iter().for_each(|identifier| push(&[identifier]));
    args
}

/// The same records, status and reasons.
fn proves_the_same(case: &OaiCase, run: &Ran) {
    let name = case.name();
    let summary: Value = serde_json::from_str(&run.err[run.err.find('{').expect(&name)..]).expect(&name);
    let proven = case.lines.iter().find(|line| line.contains(" requests, waited ")).expect("an end");
    assert_eq!(summary["status"], proven.split(':').next().unwrap(), "{name}: {}", run.err);
    let codes = |word: &str| -> Vec<&str> {
        let lines = case.lines.iter().filter_map(|line| line.strip_prefix(word));
        lines.map(|line| line.split(' ').next().unwrap()).collect()
    };
    for (list, word) in [("reasons", "reason "), ("notes", "note ")] {
        let shown: Vec<&str> =
            summary[list].as_array().into_iter().flatten().map(|own| own["code"].as_str().unwrap()).collect();
        // The base URL of the transcripts is not that of the server.
        let shown: Vec<&str> = shown.into_iter().filter(|code| *code != "OAI-13").collect();
        let expected: Vec<&str> = codes(word).into_iter().filter(|code| *code != "OAI-13").collect();
        assert_eq!(shown, expected, "{name}: {list}");
    }
    let records: Vec<String> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["identifier"].as_str().unwrap().to_owned())
        .collect();
    let accepted = accepted(&case.lines);
    let most = case.plan.max_records.map_or(accepted.len(), |most| accepted.len().min(most as usize));
    assert_eq!(records, accepted[..most], "{name}");
}

/// The records of the pages that count.
fn accepted(lines: &[String]) -> Vec<String> {
    let mut records = Vec::new();
    for pair in lines.windows(2) {
        let (Some(read), false) = (pair[0].strip_prefix("read "), pair[1] == "not accepted") else { continue };
        let words = read.split(", ").map(|word| word.trim_end_matches(" deleted").trim_end_matches(" repaired"));
        let is_record = |word: &&str| {
            let others = ["token", "damaged", "set", "format", "identify", "cut:"];
            !others.iter().any(|other| word.starts_with(other))
        };
        records.extend(words.filter(is_record).map(str::to_owned));
    }
    records
}
