//! Packages among the inputs: verified before the documents, which then know what they lead to.

use std::{
    collections::BTreeSet,
    io::Read,
    num::NonZeroUsize,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::sync_channel,
    },
    thread,
};

use resourcesync::{
    api::{DumpIndex, DumpListing, DumpScan, Options, Verification, is_package},
    rules::{KnownPackage, KnownPackages},
    value::Hashes,
};

use super::input::{From, Input};
use crate::{
    Meter,
    package::{Done, verify_path},
};

/// Bytes of a document read at a time while it is scanned.
const WINDOW: usize = 64 << 10;

/// Where the package is, if the input is one: by its name or by its first bytes.
pub(super) fn path(input: &Input) -> Option<&Path> {
    let From::File(path) = &input.from else { return None };
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if name.ends_with(".zip") {
        return Some(path);
    }
    let mut head = [0; 8];
    let length = std::fs::File::open(path).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    head.get(..length).is_some_and(is_package).then_some(path)
}

/// Packages up to this size are verified side by side: their members are too few to keep several processors busy.
const SMALL: u64 = 2 << 20;

/// A package among the inputs.
struct Place<'a> {
    at: usize,
    input: &'a Input,
    path: &'a Path,
}

/// Verifies small packages side by side and takes what comes of each.
fn each(
    places: &[Place<'_>],
    jobs: NonZeroUsize,
    verify: &(dyn Fn(&Place<'_>) -> (Done, KnownPackage) + Sync),
    take: &mut dyn FnMut(&Place<'_>, Done, KnownPackage),
) {
    let next = AtomicUsize::new(0);
    // A few may wait to be taken: what is found must not pile up.
    let (give, done) = sync_channel(jobs.get());
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(places.len()) {
            let (give, next) = (give.clone(), &next);
            scope.spawn(move || {
                while let Some(place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if give.send((place, verify(place))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(give);
        for (place, (done, package)) in done {
            take(place, done, package);
        }
    });
}

/// Verifies all packages: small ones side by side, large ones one after the other, each on all processors; `give` gets each outcome with its place.
///
/// What comes back is what the documents may ask about; nothing where there are no packages, or no documents.
pub(super) fn verify_all(
    inputs: &[&Input],
    options: &Options,
    jobs: NonZeroUsize,
    meter: &Meter,
    give: &mut dyn FnMut(usize, Done),
) -> Option<Arc<KnownPackages>> {
    let (large, small): (Vec<Place<'_>>, Vec<Place<'_>>) = inputs
        .iter()
        .enumerate()
        .filter_map(|(at, input)| Some(Place { at, input, path: path(input)? }))
        .partition(|place| place.input.size > SMALL);
    if large.is_empty() && small.is_empty() {
        return None;
    }
    let packages: BTreeSet<usize> = large.iter().chain(&small).map(|place| place.at).collect();
    let documents = inputs.iter().enumerate().filter(|(at, _)| !packages.contains(at)).map(|(_, input)| *input);
    let mut beside = DumpIndex::default();
    let mut listed = false;
    for (name, dump) in documents.filter_map(|input| scan(input, options, meter)) {
        beside.add_dump(name, dump);
        listed = true;
    }
    let verify = |place: &Place<'_>, jobs| {
        let wanted = beside.listed_digests(&last(place.path));
        verify(place.input, place.path, options, wanted.as_ref(), jobs, meter)
    };
    let mut verified = Vec::new();
    let mut take = |place: &Place<'_>, done, package| {
        give(place.at, done);
        // Without documents nobody will ask about it.
        if listed {
            verified.push((last(place.path), package));
        }
    };
    each(&small, jobs, &|place| verify(place, NonZeroUsize::MIN), &mut take);
    for place in &large {
        let (done, package) = verify(place, jobs);
        take(place, done, package);
    }
    verified.into_iter().for_each(|(name, package)| beside.add_package(name, package));
    beside.packages().map(Arc::new)
}

fn last(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Looks whether a document is a dump or a manifest. What cannot be read is told when it is validated.
fn scan(input: &Input, options: &Options, meter: &Meter) -> Option<(String, DumpListing)> {
    let From::File(path) = &input.from else { return None };
    let mut file = std::fs::File::open(path).ok()?;
    let mut scan = DumpScan::new(&options.limits);
    let mut window = vec![0; WINDOW];
    while !meter.is_stopped() {
        match file.read(&mut window) {
            Ok(length) if length > 0 && scan.push(window.get(..length)?) => {}
            _ => break,
        }
    }
    Some((last(path), scan.finish()))
}

/// Verifies one package.
fn verify(
    input: &Input,
    path: &Path,
    options: &Options,
    wanted: Option<&Hashes>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> (Done, KnownPackage) {
    let begin = |size| {
        let verification = Verification::new(options, input.source.clone(), size);
        match wanted {
            Some(hashes) => verification.with_digests(hashes),
            None => verification,
        }
    };
    let verified = verify_path(path, &begin, jobs, meter);
    (verified.done, verified.package)
}
