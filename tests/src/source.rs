//! A case of a whole Source: a small web and its starting points.

use std::{collections::BTreeMap, fs, path::PathBuf};

use resourcesync::{
    api::{CrawlOptions, FetchError, Options},
    report::Report,
};
use serde::Deserialize;

use crate::{
    case::{self, corpus},
    expected::{self, Expected},
    file::CaseFile,
    web::{Answer, Web, crawl},
};

/// A web, starting points, and the expected report.
#[derive(Debug)]
pub struct SourceCase {
    /// The expected report.
    pub expected: Expected,
    described: Described,
    path: PathBuf,
}

/// The JSON of a case file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    /// The base of this web: a file with a map like `web`.
    #[serde(default)]
    from: Option<String>,
    /// The content of each URI; null to remove it.
    #[serde(default)]
    web: BTreeMap<String, Option<Place>>,
    /// Replacements in the content of a URI, each of which must match.
    #[serde(default)]
    edit: BTreeMap<String, Vec<(String, String)>>,
    /// The options of the crawl.
    #[serde(default)]
    following: Option<CrawlOptions>,
    /// A case whose report is used as the earlier one.
    #[serde(default)]
    earlier: Option<String>,
}

/// The content of a URI.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Place {
    status: Option<u16>,
    /// A map of header fields; absent without HTTP.
    headers: Option<Vec<(String, String)>>,
    /// The body, as text.
    body: Option<String>,
    /// The body, as a file next to that of the map.
    file: Option<String>,
    /// Entries inserted before the end of the body: a text and a number of repetitions, with `{n}` as the
    /// number from 1.
    repeat: Option<Repeat>,
    /// The target of a redirect.
    redirect: Option<String>,
    /// Why it cannot be fetched.
    missed: Option<FetchError>,
    #[serde(skip)]
    folder: PathBuf,
}

/// A repeated text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeat {
    text: String,
    count: u64,
}

impl Place {
    fn answer(self) -> Answer {
        match (&self.redirect, &self.missed) {
            (Some(to), _) => Answer::Moved(to.clone()),
            (None, Some(missed)) => Answer::Failed(missed.clone()),
            (None, None) => {
                Answer::Had { status: self.status.unwrap_or(200), body: self.bytes(), headers: self.headers }
            }
        }
    }

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

/// All cases of whole Sources, sorted by name.
///
/// # Panics
///
/// If the corpus cannot be read.
pub fn sources() -> Vec<SourceCase> {
    let mut cases: Vec<SourceCase> = case::files(&corpus().join("set")).into_iter().map(load).collect();
    cases.sort_by(|one, other| one.path.cmp(&other.path));
    cases
}

fn load(path: PathBuf) -> SourceCase {
    let file = CaseFile::load(&path);
    file.allow(&expected::KEYS);
    let mut described: Described =
        serde_json::from_slice(&file.body).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let folder = path.parent().expect("a file is in a folder");
    described.web.values_mut().flatten().for_each(|place| place.folder = folder.to_path_buf());
    SourceCase { expected: Expected::read(&file, &path, true), described, path }
}

impl SourceCase {
    /// The name: the path in the corpus.
    pub fn name(&self) -> String {
        case::name(&self.path)
    }

    /// True if crawling it takes long.
    pub fn is_large(&self) -> bool {
        self.described.web.values().flatten().any(|place| place.repeat.is_some())
    }

    /// True if nothing but the starting points is chosen: no files of a folder, budgets, resources or earlier reports.
    pub fn is_portable(&self) -> bool {
        let is_default = |own: &CrawlOptions| *own == CrawlOptions::from(own.start.clone());
        self.described.earlier.is_none() && self.described.following.as_ref().is_none_or(is_default)
    }

    /// What is at each URI.
    fn places(&self) -> BTreeMap<String, Place> {
        let mut places: BTreeMap<String, Place> = BTreeMap::new();
        if let Some(from) = &self.described.from {
            let file = self.path.with_file_name("").join(from);
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let base: BTreeMap<String, Place> = serde_json::from_str(&text).expect("a map of places");
            let folder = file.parent().expect("a file is in a folder").to_path_buf();
            places.extend(base.into_iter().map(|(uri, place)| (uri, Place { folder: folder.clone(), ..place })));
        }
        for (uri, place) in &self.described.web {
            match place {
                Some(place) => drop(places.insert(uri.clone(), place.clone())),
                None => drop(places.remove(uri)),
            }
        }
        for (uri, edits) in &self.described.edit {
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

    /// What is at each URI.
    pub fn web(&self) -> Web {
        self.places().into_iter().map(|(uri, place)| (uri, place.answer())).collect()
    }

    /// The options of the crawl.
    ///
    /// # Panics
    ///
    /// If the earlier crawl of the case does not end.
    pub fn crawl_options(&self, window: usize, backwards: bool) -> CrawlOptions {
        let mut following =
            self.described.following.clone().unwrap_or_else(|| CrawlOptions::from(["http://example.com/"]));
        if let Some(earlier) = &self.described.earlier {
            following.earlier = Some(load(self.path.with_file_name("").join(earlier)).crawl(window, backwards));
        }
        following
    }

    /// The report on the Source, from [`crawl`].
    pub fn crawl(&self, window: usize, backwards: bool) -> Report {
        crawl(&self.web(), &Options::default(), self.crawl_options(window, backwards), window, backwards)
    }
}
