//! A case of a whole Source: a small web, where to begin, and the report expected.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::{
        Fetch, Following, Method, Missed, Next, Options, PackageDepth, Purpose, Response, Verification, Visit, Visited,
        Walk,
    },
    report::Report,
};
use serde::Deserialize;

use crate::{Must, corpus};

/// The contents of `case.json` below `set/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceCase {
    /// What the case shows.
    pub title: String,
    /// A web that this one is a change of: a file with a map like `web`.
    #[serde(default)]
    from: Option<String>,
    /// What is at each URI; null where nothing is any more.
    #[serde(default)]
    web: BTreeMap<String, Option<Place>>,
    /// Replacements in what is at a URI, each of which has to apply.
    #[serde(default)]
    edit: BTreeMap<String, Vec<(String, String)>>,
    /// Where to begin, and how far to go.
    #[serde(default)]
    following: Option<Following>,
    /// A case whose report is the earlier one.
    #[serde(default)]
    earlier: Option<String>,
    /// `valid`, `invalid` or `undetermined`.
    pub verdict: String,
    /// Findings every validator has to make; `input` is the URI of the document.
    pub must: Vec<At>,
    /// Requirements this Source nearly, but not, violates.
    #[serde(default)]
    pub near: Vec<String>,
    /// The folder.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// A finding and the document it is in.
#[derive(Debug, Deserialize)]
pub struct At {
    /// The URI of the input.
    pub input: String,
    /// The finding.
    #[serde(flatten)]
    pub must: Must,
}

/// What is at a URI.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Place {
    status: Option<u16>,
    /// A map of header fields; absent: there is no HTTP.
    headers: Option<Vec<(String, String)>>,
    /// The body, as text.
    body: Option<String>,
    /// The body, as a file beside the map it stands in.
    file: Option<String>,
    /// Entries put before the end of the body: a text, so many times, `{n}` standing for the number from 1.
    repeat: Option<Repeat>,
    /// Where it leads instead.
    redirect: Option<String>,
    /// Why it cannot be had.
    missed: Option<Missed>,
    #[serde(skip)]
    folder: PathBuf,
}

/// A text many times over.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeat {
    text: String,
    count: u64,
}

impl Place {
    fn bytes(&self) -> Vec<u8> {
        let Some(repeat) = &self.repeat else { return self.plain() };
        let body = String::from_utf8(self.plain()).expect("only text is repeated in");
        let (before, end) = body.rsplit_once("</").expect("there is an end tag");
        let parts: String = (1..=repeat.count).map(|n| repeat.text.replace("{n}", &n.to_string())).collect();
        format!("{before}{parts}</{end}").into_bytes()
    }

    fn plain(&self) -> Vec<u8> {
        match (&self.body, &self.file) {
            (Some(body), _) => body.clone().into_bytes(),
            (None, Some(file)) => fs::read(self.folder.join(file)).expect("the file of a place can be read"),
            (None, None) => Vec::new(),
        }
    }
}

/// All cases of whole Sources, sorted by folder.
///
/// # Panics
///
/// If the corpus cannot be read.
pub fn sources() -> Vec<SourceCase> {
    let mut cases = Vec::new();
    gather(&corpus().join("set"), &mut cases);
    cases.sort_by(|one, other| one.folder.cmp(&other.folder));
    cases
}

fn gather(folder: &Path, cases: &mut Vec<SourceCase>) {
    let file = folder.join("case.json");
    if file.is_file() {
        return cases.push(load(folder));
    }
    for entry in fs::read_dir(folder).expect("the corpus can be read") {
        let path = entry.expect("the corpus can be read").path();
        if path.is_dir() {
            gather(&path, cases);
        }
    }
}

fn load(folder: &Path) -> SourceCase {
    let file = folder.join("case.json");
    let text = fs::read_to_string(&file).expect("case.json can be read");
    let mut case: SourceCase =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    case.folder = folder.to_path_buf();
    case.web.values_mut().flatten().for_each(|place| place.folder = folder.to_path_buf());
    case
}

impl SourceCase {
    /// The name: the folder within the corpus.
    pub fn name(&self) -> String {
        let path = self.folder.strip_prefix(corpus()).unwrap_or(&self.folder);
        path.to_string_lossy().replace('\\', "/")
    }

    /// True if walking over it takes a while.
    pub fn is_large(&self) -> bool {
        self.web.values().flatten().any(|place| place.repeat.is_some())
    }

    /// What is at each URI.
    fn places(&self) -> BTreeMap<String, Place> {
        let mut places: BTreeMap<String, Place> = BTreeMap::new();
        if let Some(from) = &self.from {
            let file = self.folder.join(from);
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let base: BTreeMap<String, Place> = serde_json::from_str(&text).expect("a map of places");
            let folder = file.parent().expect("a file is in a folder").to_path_buf();
            places.extend(base.into_iter().map(|(uri, place)| (uri, Place { folder: folder.clone(), ..place })));
        }
        for (uri, place) in &self.web {
            match place {
                Some(place) => drop(places.insert(uri.clone(), place.clone())),
                None => drop(places.remove(uri)),
            }
        }
        for (uri, edits) in &self.edit {
            let place = places.get_mut(uri).unwrap_or_else(|| panic!("{}: nothing is at {uri}", self.name()));
            let mut body = String::from_utf8(place.bytes()).expect("only text is edited");
            for (old, new) in edits {
                assert!(body.contains(old), "{}: {uri} has no {old:?}", self.name());
                body = body.replace(old, new);
            }
            place.body = Some(body);
        }
        places
    }

    /// The report on the Source, got with windows of so many bytes, the answers to as many questions as are open given the last first.
    ///
    /// # Panics
    ///
    /// If the walk waits for an answer that nobody owes it.
    pub fn walk(&self, window: usize, backwards: bool) -> Report {
        let places = self.places();
        let options = Options::default();
        let mut following = self.following.clone().unwrap_or_else(|| Following::from(["http://example.com/"]));
        if let Some(earlier) = &self.earlier {
            following.earlier = Some(load(&self.folder.join(earlier)).walk(window, backwards));
        }
        let depth = following.packages;
        let mut walk = Walk::new(options.clone(), following);
        let mut open = Vec::new();
        loop {
            match walk.poll() {
                Next::Fetch(fetch) if backwards => open.push(fetch),
                Next::Fetch(fetch) => walk.handle(answer(&places, &fetch, &options, depth, window)),
                Next::Wait => {
                    let fetch = open.pop().expect("something is open");
                    walk.handle(answer(&places, &fetch, &options, depth, window));
                }
                Next::Done => return walk.finish(),
            }
        }
    }
}

fn answer(
    places: &BTreeMap<String, Place>,
    fetch: &Fetch,
    options: &Options,
    depth: PackageDepth,
    window: usize,
) -> Visited {
    let mut uri = fetch.uri.clone();
    let place = loop {
        let Some(place) = places.get(&uri) else {
            return Visited::missed(fetch, Missed::Missing { reason: "the server answered 404".into() });
        };
        match &place.redirect {
            Some(to) => uri.clone_from(to),
            None => break place,
        }
    };
    if let Some(missed) = &place.missed {
        return Visited::missed(fetch, missed.clone());
    }
    let response = Response { uri, status: place.status.unwrap_or(200), headers: place.headers.clone() };
    let bytes = if fetch.method == Method::Head { Vec::new() } else { place.bytes() };
    if fetch.purpose == Purpose::Package {
        let mut verifying = options.clone();
        verifying.no_fixity = depth == PackageDepth::Structure;
        let verification = Verification::new(&verifying, fetch.source(), bytes.len() as u64).met(fetch);
        let (outcome, package) = verification.run_for_package(&mut |offset, room| {
            let start = usize::try_from(offset).map_err(|_| "beyond the end")?;
            room.copy_from_slice(bytes.get(start..start + room.len()).ok_or("beyond the end")?);
            Ok(())
        });
        return Visited::package(fetch, response, outcome, package);
    }
    let mut visit = Visit::new(options, fetch, response);
    for part in bytes.chunks(window.clamp(1, bytes.len().max(1))) {
        if visit.wants_more() {
            visit.push(part);
        }
    }
    visit.finish()
}
