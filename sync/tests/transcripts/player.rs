//! Plays the transcripts of following Change Lists, `tests/corpus/sync`.
//!
//! A case has a checkpoint, the responses of a server, and the lines of the transcript: `out read URI` is a request of the machine, `in
//! STATUS` its response; then what is made of the changes (`out fetch`, `out delete`, `out ask`) and the state. The documents that were
//! read and the checkpoint at the end are compared too.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use resourcesync::{diagnostic::Reason, limits::Limits};
use resourcesync_sync::{
    Chain, Change, Checkpoint, Follower,
    chain::{Event, Followed, Order, Part},
    follower::FollowOptions,
    reduce::{LastChange, Presence},
    survey::{Head, Read, Request, Step},
};
use serde::{Deserialize, Serialize};

const NAMESPACES: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

/// One transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SyncCase {
    /// Its file.
    #[serde(skip)]
    pub(crate) path: PathBuf,
    /// What it shows.
    pub(crate) title: String,
    /// The requirements that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) requirements: Vec<String>,
    /// True if older documents are accepted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) accept_older: bool,
    /// The clock, in seconds since 1970.
    pub(crate) now: i64,
    /// Where it begins.
    pub(crate) checkpoint: Checkpoint,
    /// The responses of the server, by URI; 404 for all others.
    pub(crate) server: BTreeMap<String, Sent>,
    /// The transcript.
    pub(crate) lines: Vec<String>,
    /// The documents that were read: role, kind, number of entries, URI.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) documents: Vec<String>,
    /// Seconds until the first of the lists expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fresh_for: Option<u64>,
    /// The checkpoint at the end, if it differs from that of the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<Checkpoint>,
}

/// A response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sent {
    /// The status, 200 by default; 304 if the entity tag is that of the request; 0 for no response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// Header fields, as `Name: value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) headers: Vec<String>,
    /// The document: its root and attributes of `rs:md`; then an entry each: its URI, `change`, `datetime`, and other attributes. A line
    /// that begins with `link` is a link of the document. A text that begins with `<` is sent as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) document: Vec<String>,
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<SyncCase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/sync");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let case: SyncCase = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        SyncCase { path: path.clone(), ..case }
    };
    paths.iter().map(read).collect()
}

impl SyncCase {
    /// The checkpoint at the end.
    pub(crate) fn concluded(&self) -> &Checkpoint {
        self.after.as_ref().unwrap_or(&self.checkpoint)
    }

    /// Its name.
    pub(crate) fn name(&self) -> String {
        self.path.file_stem().unwrap().to_string_lossy().into_owned()
    }
}

/// The text of a document.
pub(crate) fn document(lines: &[String]) -> String {
    if lines.first().is_some_and(|line| line.starts_with('<')) {
        return lines.concat();
    }
    let Some((head, rest)) = lines.split_first() else { return String::new() };
    let mut words = head.split(' ');
    let capability = words.next().unwrap_or_default();
    let (root, capability) = match capability.strip_suffix("-index") {
        Some(kind) => ("sitemapindex", kind),
        None => ("urlset", capability),
    };
    let entry = if root == "urlset" { "url" } else { "sitemap" };
    let attributes = |words: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let _ = write!(text, " {name}=\"{value}\"");
        }
        text
    };
    let mut text = format!("<{root} {NAMESPACES}><rs:md capability=\"{capability}\"{}/>", attributes(&mut words));
    for line in rest {
        let mut words = line.split(' ');
        let first = words.next().unwrap_or_default();
        if first == "link" {
            let _ = write!(text, "<rs:ln{}/>", attributes(&mut words));
        } else {
            let _ = write!(text, "<{entry}><loc>{first}</loc><rs:md{}/></{entry}>", attributes(&mut words));
        }
    }
    let _ = write!(text, "</{root}>");
    text
}

/// Plays a case: the case with the transcript and the results that were played.
pub(crate) fn play(case: &SyncCase) -> SyncCase {
    play_in(case, usize::MAX)
}

/// What is made of the changes of a case by a program that keeps them in memory.
pub(crate) fn follow(case: &SyncCase) -> Vec<String> {
    let (checkpoint, accept_older) = (case.checkpoint.clone(), case.accept_older);
    let mut follower = Follower::new(FollowOptions { checkpoint, now: case.now, accept_older });
    while let Some(request) = follower.next() {
        match answer(case, &request) {
            None => follower.failed(Reason::other("no response")),
            Some((head, body)) => {
                follower.answer(head);
                follower.push(body.as_bytes());
                follower.end();
            }
        }
    }
    let line = |last: LastChange| {
        let word = match last.presence {
            Presence::Present => "fetch",
            Presence::Deleted => "delete",
            Presence::Unknown => "ask",
        };
        let hash = last.resource.hash.filter(|_| word == "fetch").map(|hash| format!(" {hash}"));
        format!("out {word} {}{}", last.resource.uri, hash.unwrap_or_default())
    };
    follower.finish().changes.into_iter().map(line).collect()
}

/// The response to a request; `None` for no response.
fn answer(case: &SyncCase, request: &Request) -> Option<(Head, String)> {
    let missing = Sent { status: Some(404), headers: Vec::new(), document: Vec::new() };
    let sent = case.server.get(&request.uri).unwrap_or(&missing);
    let pair = |header: &String| {
        let (name, value) = header.split_once(": ").unwrap();
        (name.to_owned(), value.to_owned())
    };
    let headers: Vec<(String, String)> = sent.headers.iter().map(pair).collect();
    let etag = headers.iter().find(|(name, _)| name == "ETag").map(|(_, value)| value.clone());
    let is_same = etag.is_some() && etag == request.etag;
    let status = sent.status.unwrap_or(if is_same { 304 } else { 200 });
    let body = if status == 200 { document(&sent.document) } else { String::new() };
    (status != 0).then(|| (Head { uri: request.uri.clone(), status, headers }, body))
}

/// Plays a case whose bodies arrive in windows of this length.
pub(crate) fn play_in(case: &SyncCase, window: usize) -> SyncCase {
    let mut chain = Chain::new(case.checkpoint.clone(), case.now, &Limits::default());
    if case.accept_older {
        chain = chain.accepting_older();
    }
    let mut lines = Vec::new();
    let (mut changes, mut counted): (Vec<(u32, Change)>, Vec<u32>) = (Vec::new(), Vec::new());
    while let Step::Read(request) = chain.next() {
        let condition = request.etag.as_ref().map(|etag| format!(" if-none-match {etag}")).unwrap_or_default();
        lines.push(format!("out read {}{condition}", request.uri));
        match answer(case, &request) {
            None => {
                lines.push("in no response".to_owned());
                chain.failed(Reason::other("no response"));
            }
            Some((head, body)) => {
                lines.push(format!("in {}", head.status));
                chain.answer(head);
                body.as_bytes().chunks(window.min(body.len().max(1))).for_each(|bytes| chain.push(bytes));
                chain.end();
            }
        }
        for event in chain.events() {
            match event {
                Event::Changed(document, change) => changes.push((document, change)),
                Event::Counts(document) => counted.push(document),
                Event::Dropped(document) => changes.retain(|(own, _)| *own != document),
            }
        }
    }
    assert!(changes.iter().all(|(document, _)| counted.contains(document)), "{}: a change does not count", case.title);
    let followed = chain.finish();
    lines.extend(reduce(&followed, changes));
    conclusion(&followed, &mut lines);
    let documents = followed.documents.iter().map(document_read).collect();
    let after = (followed.checkpoint != case.checkpoint).then_some(followed.checkpoint);
    SyncCase { lines, documents, fresh_for: followed.fresh_for, after, ..case.clone() }
}

fn document_read(read: &Read) -> String {
    let role = serde_json::to_string(&read.role).unwrap();
    let result = match (&read.unread, read.is_same) {
        (Some(_), _) => "unread".to_owned(),
        (None, true) => format!("{} unchanged", read.kind.title()),
        (None, false) => format!("{} {}", read.kind.title(), read.entries),
    };
    format!("{} {result} {}", role.trim_matches('"'), read.uri)
}

/// What is made of the changes: the last one of each resource counts.
fn reduce(followed: &Followed, changes: Vec<(u32, Change)>) -> Vec<String> {
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    for Part { document, order, from } in &followed.order {
        let is_own = |(number, change): &&(u32, Change)| number == document && change.position >= *from;
        let mut own: Vec<Change> = changes.iter().filter(is_own).map(|(_, change)| change.clone()).collect();
        match order {
            Order::Forward => own.sort_by_key(|change| change.position),
            Order::Reverse => own.sort_by_key(|change| std::cmp::Reverse(change.position)),
            Order::None => own.sort_by_key(|change| (change.nanoseconds(), change.position)),
        }
        let is_mixed = |uri: &str| {
            let of =
                || own.iter().filter(|change| change.resource.as_ref().is_some_and(|resource| resource.uri == uri));
            *order == Order::None && of().any(|change| change.is_deleted) && of().any(|change| !change.is_deleted)
        };
        for change in &own {
            let Some(resource) = &change.resource else { continue };
            let word = match change.is_deleted {
                _ if is_mixed(&resource.uri) => "ask",
                true => "delete",
                false => "fetch",
            };
            let hash = resource.hash.as_ref().filter(|_| word == "fetch").map(|hash| format!(" {hash}"));
            last.insert(resource.uri.clone(), format!("out {word} {}{}", resource.uri, hash.unwrap_or_default()));
        }
    }
    last.into_values().collect()
}

fn conclusion(followed: &Followed, lines: &mut Vec<String>) {
    let state = format!("{:?}", followed.state).to_lowercase();
    lines.push(format!("out state {state}"));
    if let Some(gap) = &followed.gap {
        let text = |time: &Option<String>| time.clone().unwrap_or_else(|| "?".to_owned());
        lines.push(format!("out gap {} {}", text(&gap.after), text(&gap.before)));
    }
    for (uri, at, seen) in &followed.older {
        lines.push(format!("out older {uri} {at} {seen}"));
    }
    if let Some((uri, at)) = &followed.ahead {
        lines.push(format!("out ahead {uri} {at}"));
    }
    for part in followed.order.iter().filter(|part| part.order != Order::Forward) {
        lines.push(format!("out order {:?}", part.order).to_lowercase());
    }
    if followed.unreadable_entries > 0 {
        lines.push(format!("out unreadable {}", followed.unreadable_entries));
    }
    lines.push(format!("out as-of {}", followed.checkpoint.as_of.as_deref().unwrap_or("?")));
    for open in &followed.checkpoint.open {
        lines.push(format!("out open {} {}", open.uri, open.entries));
    }
}
