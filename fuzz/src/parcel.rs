//! A parcel is rejected, or what was read from it is written and read again as the same; and no outcome in it makes a crawl panic, nor
//! the piece of a package its verification.

use std::sync::LazyLock;

use resourcesync::{
    api::{
        CrawlOptions, CrawlStep, Crawler, Digester, Fetch, FetchError, FetchOutcome, InputOrigin, Options, Outcome,
        Readers, Verification,
    },
    diagnostic::{Reason, ReasonCode},
    value::Algorithm,
};
use resourcesync_tests::{Web, package::package, parcels};

static PACKAGE: LazyLock<Vec<u8>> = LazyLock::new(|| package("plain"));

/// The bytes are the content of a parcel, behind its head; the digest at the end is made for them.
pub fn parcel(data: &[u8]) {
    let mut crawler = Crawler::new(Options::default(), CrawlOptions::from(["http://example.com/"]));
    let readers = crawler.readers();
    let CrawlStep::Fetch(fetch) = crawler.poll() else { return };
    let sealed = sealed(&readers, &fetch, data);
    if let Ok(outcome) = Outcome::from_parcel(&sealed, &Options::default()) {
        let written = outcome.to_parcel(&Options::default());
        let again =
            Outcome::from_parcel(&written, &Options::default()).map(|again| again.to_parcel(&Options::default()));
        assert_eq!(again.as_ref(), Ok(&written));
    }
    let verification = Verification::new(Options::default(), InputOrigin::named("part1.zip"), PACKAGE.len() as u64);
    if let Ok(verification) = verification.with_pieces([sealed.as_slice()]) {
        let outcome = verification.run(&mut |offset, room| {
            room.copy_from_slice(&PACKAGE[offset as usize..][..room.len()]);
            Ok(())
        });
        assert!(!outcome.incomplete);
    }
    let Ok(outcome) = readers.from_parcel(&sealed) else { return };
    let written = readers.to_parcel(&outcome);
    let again = readers.from_parcel(&written).map(|again| readers.to_parcel(&again));
    assert_eq!(again.as_ref(), Ok(&written));
    let read = readers.from_parcel(&written);
    crawler.handle(outcome);
    // Whatever it leads to does not exist.
    while let CrawlStep::Fetch(fetch) = crawler.poll() {
        let reason = Reason::new(ReasonCode::NotThere);
        crawler.handle(FetchOutcome::failed(&fetch, FetchError::NotFound { reason }));
    }
    let report = crawler.finish().to_json();
    drop((read, report));
}

/// A parcel with this content.
fn sealed(readers: &Readers, fetch: &Fetch, content: &[u8]) -> Vec<u8> {
    let mut sealed = head(readers, fetch);
    sealed.extend_from_slice(content);
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(&sealed);
    sealed.extend_from_slice(digester.finish().get(&Algorithm::Sha256).unwrap_or_default());
    sealed
}

/// The head of all parcels of a crawl: where those of two fetches begin to differ, the content begins.
fn head(readers: &Readers, fetch: &Fetch) -> Vec<u8> {
    let mut other = fetch.clone();
    other.id += 1;
    let [one, other] = [fetch, &other].map(|fetch| {
        let reason = Reason::new(ReasonCode::NotThere);
        readers.to_parcel(&FetchOutcome::failed(fetch, FetchError::NotFound { reason }))
    });
    one.iter().zip(&other).take_while(|(one, other)| one == other).map(|(byte, _)| *byte).collect()
}

/// The content of parcels as a crawl of a web writes them.
pub(crate) fn contents(web: &Web) -> Vec<Vec<u8>> {
    let crawl = CrawlOptions::from(["http://example.com/"]);
    let mut crawler = Crawler::new(Options::default(), crawl.clone());
    let CrawlStep::Fetch(fetch) = crawler.poll() else { return Vec::new() };
    let head = head(&crawler.readers(), &fetch).len();
    parcels(web, &Options::default(), crawl)
        .into_iter()
        .filter_map(|parcel| Some(parcel.get(head..parcel.len().checked_sub(32)?)?.to_vec()))
        .collect()
}
