//! What the reader learns from entries that repeat each other changes nothing: every item, position, finding and byte of the report is that of
//! reading each entry by itself.
//!
//! Of 20,000 documents the items, the report or the entries are compared; of as many as `REPEATED` says, all of these. `REPEATED_SEED` begins
//! elsewhere.

use std::{env, thread};

use resourcesync::{
    api::{InputOrigin, Options, Run, Validation},
    limits::Limits,
};
use resourcesync_tests::{
    all,
    repeated::{Of, Random, compare, damage, repetitive, some_limits},
};

const DOCUMENTS: u64 = 20_000;

fn number(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |value| value.parse().unwrap())
}

fn check(bytes: &[u8], random: &mut Random, limits: &Limits, seed: u64) {
    let window = [1, 7, 1 + random.below(300), 1 << 20][random.below(4)];
    let chosen = Of::ALL[random.below(3)];
    for of in Of::ALL {
        if of != chosen && env::var("REPEATED").is_err() {
            continue;
        }
        if let Err(difference) = compare(of, bytes, window, limits) {
            let text = String::from_utf8_lossy(bytes);
            panic!("document {seed} in windows of {window}, {limits:?}:\n{text}\n{difference}");
        }
    }
}

#[test]
fn repetitive_documents_are_read_as_if_each_entry_were_the_first() {
    let (count, first) = (number("REPEATED", DOCUMENTS), number("REPEATED_SEED", 0));
    let threads = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                for seed in (first + thread..first + count).step_by(threads as usize) {
                    let mut random = Random(seed);
                    let limits = some_limits(&mut random);
                    let bytes = repetitive(&mut random);
                    check(&bytes, &mut random, &limits, seed);
                }
            });
        }
    });
}

#[test]
fn the_cases_are_read_the_same_with_their_entries_repeated() {
    let cases = all().into_iter().filter(|case| !case.is_package());
    for (seed, case) in (0..).zip(cases) {
        let (bytes, limits) = (case.bytes(), case.options().limits);
        let Some(end) = bytes.windows(2).rposition(|window| window == b"</").filter(|_| bytes.len() < 20_000) else {
            continue;
        };
        let open = [b"<url>".as_slice(), b"<sitemap>"];
        let start = open.iter().filter_map(|tag| bytes.windows(tag.len()).position(|window| window == *tag)).min();
        let Some(start) = start.filter(|start| *start < end) else { continue };
        let mut random = Random(seed);
        let mut repeated = bytes[..start].to_vec();
        for _ in 0..4 {
            repeated.extend_from_slice(&bytes[start..end]);
        }
        repeated.extend_from_slice(&bytes[end..]);
        check(&repeated, &mut random, &limits, seed);
        for _ in 0..4 {
            damage(&mut repeated, &mut random);
            check(&repeated, &mut random, &limits, seed);
        }
    }
}

/// The report of a gzip file whose checksum is wrong.
fn broken(bytes: &[u8], window: usize, is_fast: bool) -> String {
    let length = u16::try_from(bytes.len()).unwrap();
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1];
    let file = [&head[..], &length.to_le_bytes(), &(!length).to_le_bytes(), bytes, &[0; 8]].concat();
    let options = Options::default();
    let mut validation = Validation::new(&options, InputOrigin::named("list.xml.gz"));
    if !is_fast {
        validation = validation.without_templates();
    }
    file.chunks(window).for_each(|window| validation.push(window));
    let mut run = Run::new(&options);
    run.add(validation.finish());
    run.finish().to_json()
}

#[test]
fn what_breaks_off_was_read_up_to_the_same_byte_in_any_window() {
    let entry = "  <url>\n    <loc>http://example.com/a</loc>\n  </url>\n";
    let document = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\n  \
         <rs:md capability=\"resourcelist\" at=\"2024-01-03T09:00:00Z\"/>\n{}</urlset>",
        entry.repeat(20)
    );
    for end in document.len() - 2 * entry.len()..document.len() {
        let before = &document.as_bytes()[..end];
        let usual = broken(before, usize::MAX, false);
        for window in [1, 2, 7, 256, end / 2, end - 1, end, usize::MAX] {
            for is_fast in [true, false] {
                assert_eq!(broken(before, window, is_fast), usual, "{end} bytes in windows of {window}, {is_fast}");
            }
        }
    }
}
