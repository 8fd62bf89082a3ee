//! Publications of changes that are killed at every operation, while a reader follows the Source.

use std::{
    cell::Cell,
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
};

use resourcesync::{
    publish::{Event, Record, Snapshot},
    value::Uri,
};

use super::{
    disk::{Disk, FileSystem},
    run::{Changes, Events, publish_on},
};
use crate::{
    cancel::Cancel,
    folder::Current,
    publish::{Error, Options, Origin, Resources, Rotate, verify_state},
};

const HISTORIES: u64 = 200;
const STEPS: u64 = 6;
const URIS: u64 = 12;

/// The published resources: the length of each.
type Truth = BTreeMap<String, u64>;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Ends the run before one of its operations; an append is cut. A reader follows the Source after each.
struct Killed<'a> {
    left: Cell<u64>,
    read: &'a dyn Fn(),
}

impl Killed<'_> {
    fn step(&self) -> io::Result<()> {
        (self.read)();
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(io::Error::other("killed")),
        }
    }
}

impl Disk for Killed<'_> {
    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, bytes)
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.step()
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let killed = self.step();
        let written = if killed.is_ok() { bytes } else { bytes.get(..bytes.len() / 2).unwrap() };
        fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(written)?;
        killed
    }

    fn cut(&self, path: &Path, length: u64) -> io::Result<()> {
        self.step()?;
        FileSystem.cut(path, length)
    }

    fn place(&self, staged: &Path, name: &str, current: &Current) -> io::Result<()> {
        self.step()?;
        FileSystem.place(staged, name, current)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        FileSystem.remove(path)
    }
}

fn between<'a>(text: &'a str, before: &str, after: char) -> Option<&'a str> {
    text.split(before).nth(1)?.split(after).next()
}

/// The resources of a list, with changes: URI, verb, time and length.
fn entries(text: &str) -> Vec<(String, String, String, u64)> {
    let entry = |entry: &str| {
        let text = |before| between(entry, before, '"').unwrap_or_default();
        let uri = between(entry, "<loc>", '<').unwrap().to_owned();
        (uri, text("change=\"").to_owned(), text("datetime=\"").to_owned(), text("length=\"").parse().unwrap_or(0))
    };
    text.split("<url>").skip(1).map(entry).collect()
}

/// Reads a document, which must be there if another one lists it.
fn document(out: &Path, name: &str) -> String {
    let text = fs::read_to_string(out.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text.ends_with("</urlset>\n") || text.ends_with("</sitemapindex>\n"), "half of {name}");
    text
}

/// Follows the Source: the Resource List, and the changes after it, from the index to each list.
fn follow(out: &Path) -> Truth {
    let list = document(out, "resourcelist.xml");
    let at = between(&list, "at=\"", '"').unwrap().trim_end_matches('Z');
    let mut truth: Truth = entries(&list).into_iter().map(|(uri, _, _, length)| (uri, length)).collect();
    let index = document(out, "changelist.xml");
    let mut lists = vec![index.clone()];
    if index.contains("<sitemapindex") {
        lists.clear();
        for entry in index.split("<sitemap>").skip(1) {
            let list = document(out, between(entry, "<loc>https://example.com/", '<').unwrap());
            let head = list.split("<url>").next().unwrap();
            assert_eq!(between(entry, "until=\"", '"'), between(head, "until=\"", '"'), "{entry} {head}");
            assert_eq!(between(entry, "from=\"", '"'), between(head, "from=\"", '"'));
            lists.push(list);
        }
    }
    let mut last = String::new();
    for (uri, verb, datetime, length) in lists.iter().flat_map(|list| entries(list)) {
        let datetime = datetime.trim_end_matches('Z').to_owned();
        assert!(last <= datetime, "{last} {datetime}");
        last.clone_from(&datetime);
        if datetime.as_str() <= at {
            continue;
        }
        match verb.as_str() {
            "deleted" => assert!(truth.remove(&uri).is_some(), "{uri} is deleted twice"),
            "created" => assert_eq!(truth.insert(uri.clone(), length), None, "{uri} is created twice"),
            _ => assert!(truth.insert(uri.clone(), length).is_some(), "{uri} is updated, but unknown"),
        }
    }
    truth
}

fn events(random: &mut Random, truth: &Truth) -> (Vec<Event>, Truth) {
    let (mut events, mut after) = (Vec::new(), truth.clone());
    for _ in 0..=random.below(4) {
        let (uri, length) = (format!("https://example.com/{}", random.below(URIS)), 1 + random.below(3));
        let verb = ["upsert", "created", "updated", "deleted"][usize::try_from(random.below(4)).unwrap()];
        match verb {
            "deleted" => drop(after.remove(&uri)),
            _ => drop(after.insert(uri.clone(), length)),
        }
        let record = Record { uri, length: Some(length), ..Record::default() };
        events.push(Event { verb: verb.parse().unwrap(), datetime: None, record });
    }
    (events, after)
}

fn publish(out: &Path, at: u64, disk: &impl Disk, events: Vec<Event>, snapshot: Option<Snapshot>) -> Result<(), Error> {
    let options = |_: Option<&resourcesync::publish::State>| {
        let base: Uri = "https://example.com/".parse().unwrap();
        let resources = Resources::new(Origin::Folder(PathBuf::from(".")), base);
        let mut options = Options::new(resources, out.to_owned());
        options.at = format!("2024-05-01T00:{:02}:{:02}Z", at / 60, at % 60).parse().ok();
        options.rotate = Some(Rotate::Changes(4));
        Ok(options)
    };
    let changes = Changes { events: Events::Stated(events), strict: false, snapshot, wait: std::time::Duration::ZERO };
    publish_on(disk, out, &changes, &options, &Cancel::default(), &mut |_| {}).map(drop)
}

fn history(folder: &Path, seed: u64) -> u64 {
    let (out, mut random) = (folder.join(format!("{seed}")), Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    let (mut truth, mut killed) = (Truth::new(), 0);
    for step in 0..STEPS {
        let (batch, after) = events(&mut random, &truth);
        let snapshot = if random.below(6) == 0 { Snapshot::Now } else { Snapshot::Never };
        if step > 0 {
            let read = || {
                let found = follow(&out);
                assert!(found == truth || found == after, "history {seed}, step {step}: {found:?}");
            };
            let disk = Killed { left: Cell::new(random.below(16)), read: &read };
            let outcome = publish(&out, step * 2 + 1, &disk, batch.clone(), Some(snapshot));
            killed += u64::from(outcome.is_err());
            read();
        }
        // Sending the batch again is harmless, whatever became of it.
        let disk = Killed { left: Cell::new(u64::MAX), read: &|| {} };
        publish(&out, step * 2 + 2, &disk, batch, Some(snapshot)).unwrap();
        assert_eq!(follow(&out), after, "history {seed}, step {step}");
        let verified = verify_state(&out).unwrap();
        assert_eq!(verified.resources, after.len() as u64, "history {seed}, step {step}");
        truth = after;
    }
    killed
}

#[test]
fn a_publication_that_is_killed_at_any_operation_is_completed_or_withdrawn_and_readers_see_no_half_of_it() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let killed: u64 = thread::scope(|scope| {
        let run =
            move |worker| (0..HISTORIES).filter(move |seed| seed % 4 == worker).map(|seed| history(folder, seed)).sum();
        let workers: Vec<_> = (0..4).map(|worker| scope.spawn(move || -> u64 { run(worker) })).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(killed > HISTORIES, "{killed} runs were killed");
}
