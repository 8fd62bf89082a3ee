//! What processes exchange that share a run: parcels of documents, and reports to be merged.

use resourcesync::{
    api::{CrawlOptions, CrawlStep, Crawler, FetchOutcome, InputOrigin, Options, Readers, Response, merge, validate},
    report::Report,
};

use crate::{
    inputs::ENTRIES,
    passes::whole,
    table::{Row, Target, compare, milliseconds, seconds},
};

const URI: &str = "https://repository.example.com/list.xml";
const REPORTS: usize = 10_000;

/// The rows of the table, with a list of 50,000 entries.
pub fn rows(document: &str) -> Vec<Row> {
    parcels(document).into_iter().chain([merging()]).collect()
}

/// The outcome of a list in a parcel: its size, and what writing and reading it costs beside validating the list.
fn parcels(document: &str) -> Vec<Row> {
    let Some((readers, outcome)) = outcome(document) else { return Vec::new() };
    let parcel = readers.to_parcel(&outcome);
    let bytes = parcel.len() as f64 / ENTRIES as f64;
    let there_and_back = || {
        let parcel = readers.to_parcel(&outcome);
        readers.from_parcel(&parcel).map_or(0, |_| parcel.len() as u64)
    };
    let (ours, baseline, ratio) = compare(7, there_and_back, || whole(document));
    let size = Row {
        what: "parcel of a list, bytes for each entry",
        ours: format!("{:.1} MB", parcel.len() as f64 / 1e6),
        baseline: String::new(),
        ratio: bytes,
        target: Target::AtMost(17.0),
    };
    let what = "parcel written and read : the list validated";
    let (ours, baseline) = (milliseconds(ours), milliseconds(baseline));
    vec![size, Row { what, ours, baseline, ratio, target: Target::AtMost(0.05) }]
}

fn outcome(document: &str) -> Option<(Readers, FetchOutcome)> {
    let mut crawler = Crawler::new(Options::default(), CrawlOptions::from([URI]));
    let readers = crawler.readers();
    let CrawlStep::Fetch(fetch) = crawler.poll() else { return None };
    let mut reader = readers.reader(&fetch, Response::found(URI));
    reader.push(document.as_bytes());
    Some((readers, reader.finish()))
}

/// Reports as JSON become one.
fn merging() -> Row {
    let text = |number: usize| {
        validate(b"<urlset", InputOrigin::named(format!("{number}.xml")), &Options::default()).to_json()
    };
    let reports: Vec<String> = (0..REPORTS).map(text).collect();
    let bytes: usize = reports.iter().map(String::len).sum();
    let read = || reports.iter().filter_map(|text| Report::from_json(text).ok());
    let time = (0..3)
        .map(|_| seconds(|| merge(read()).map_or(0, |report| report.summary.errors)))
        .fold(f64::INFINITY, f64::min);
    let speed = bytes as f64 / 1e6 / time;
    Row {
        what: "10,000 reports merged, MB a second",
        ours: milliseconds(time),
        baseline: format!("{:.1} MB", bytes as f64 / 1e6),
        ratio: speed,
        target: Target::AtLeast(200.0),
    }
}
