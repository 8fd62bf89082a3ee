//! Writes Resource Lists from typed entries: bytes per second, compared with validating the output.

use std::time::Instant;

use resourcesync::{
    api::{InputOrigin, Options, Validation},
    build::{RelatedLink, Resource, ResourceList, Writing},
    value::{Algorithm, Datetime, Hashes, MediaType, Relation, Uri},
};

use crate::{
    inputs::ENTRIES,
    table::{Row, Target},
};

/// Lists written.
const LISTS: usize = 20;
/// Entries between two calls that take the output.
const BATCH: usize = 500;

/// Writes 1,000,000 entries, and checks them again.
///
/// # Panics
///
/// If an entry is rejected.
#[must_use]
pub fn rows() -> Vec<Row> {
    let (mut bytes, mut writing, mut checking) = (0_usize, 0.0, 0.0);
    for number in 0..LISTS {
        let start = Instant::now();
        let text = write(number);
        writing += start.elapsed().as_secs_f64();
        bytes += text.len();
        let start = Instant::now();
        let options = Options::default();
        let mut validation = Validation::new(&options, InputOrigin::named("list.xml"));
        validation.push(text.as_bytes());
        assert_eq!(validation.finish().entries, ENTRIES as u64);
        checking += start.elapsed().as_secs_f64();
    }
    let rate = |seconds: f64| bytes as f64 / 1e6 / seconds;
    let (ours, baseline) = (format!("{:.0} MB/s", rate(writing)), format!("{:.0} MB/s", rate(checking)));
    vec![
        Row {
            what: "write 1,000,000 entries, MB/s",
            ours: ours.clone(),
            baseline: String::new(),
            ratio: rate(writing),
            target: Target::AtLeast(150.0),
        },
        Row {
            what: "the same : checking what was written",
            ours,
            baseline,
            ratio: writing / checking,
            target: Target::None,
        },
    ]
}

fn write(number: usize) -> String {
    let up = uri("https://repository.example.com/capabilitylist.xml");
    let list = Datetime::utc(2024, 5, 1, 9, 0, 0).and_then(|at| ResourceList::new(up, at).begin().ok());
    let mut list: Writing<ResourceList> = list.expect("the head is right");
    let mut text = String::with_capacity(51 << 20);
    for entry in 0..ENTRIES {
        list.push(resource(number * ENTRIES + entry)).expect("the entry is right");
        if entry % BATCH == 0 {
            text.push_str(&list.take());
        }
    }
    text.push_str(&list.finish().expect("the list is right"));
    text
}

/// Three digests and three links, like the lists that are read.
fn resource(number: usize) -> Resource {
    let base = format!("repository.example.com/communities/library/collections/{:04}/items/{number:08}", number / 1000);
    let mut hashes = Hashes::default();
    for (algorithm, bytes) in [(Algorithm::Md5, 16), (Algorithm::Sha256, 32), (Algorithm::Sha512, 64)] {
        hashes.push(algorithm, vec![number as u8; bytes]);
    }
    let described = format!("https://{base}/metadata/oai_dc/dublin-core.xml");
    let collection = format!("https://repository.example.com/communities/library/collections/{:04}", number / 1000);
    let resource =
        Resource::new(uri(&format!("https://{base}/bitstreams/content.pdf?sequence={}&version=1", number % 7)))
            .hash(hashes)
            .length(number as u64 * 37 + 1024)
            .media_type(media_type("application/pdf"))
            .related(RelatedLink::describedby(uri(&described)).media_type(media_type("application/xml")))
            .related(RelatedLink::new(Relation::COLLECTION, uri(&collection)))
            .related(RelatedLink::canonical(uri(&format!("https://www.{base}/bitstreams/content.pdf"))));
    match Datetime::utc(2024, 4, (number % 28 + 1) as u8, (number % 24) as u8, (number % 60) as u8, 0) {
        Some(moment) => resource.lastmod(moment),
        None => resource,
    }
}

fn uri(text: &str) -> Uri {
    text.parse().expect("it is a URI")
}

fn media_type(text: &str) -> MediaType {
    text.parse().expect("it is a media type")
}
