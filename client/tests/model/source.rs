//! A Source in memory: its resources and their changes over time, what it has published, and the faults of its server.

use std::collections::BTreeMap;

use resourcesync::{
    build::{ChangeHistory, Interval, MemoryStore, Opened, Publication, Resource, ResourceChange, Settings},
    fixity::Digester,
    value::{Algorithm, Datetime, Hashes, Uri},
};
use resourcesync_client::http::Made;

use crate::{
    dumps::{Dumps, Happened},
    mementos::Mementos,
    mirrors::{MIRROR, Mirror},
    naive::Naive,
    patches::Patches,
    random::Random,
    related::{self, about, metadata, subject},
    worse::{Worse, gzip},
};

/// 2024-01-01T00:00:00Z, where the virtual time begins.
pub(crate) const EPOCH: i64 = 1_704_067_200;
pub(crate) const HOST: &str = "http://a.example/";

/// A change of a resource.
#[derive(Debug, Clone)]
pub(crate) struct Changed {
    pub(crate) time: i64,
    pub(crate) name: String,
    pub(crate) body: Option<Vec<u8>>,
    /// True if the resource was there before.
    pub(crate) was: bool,
    /// The set that lists the resource from now on, or no longer; `None` if the resource itself changes.
    pub(crate) only: Option<u64>,
}

/// Who writes the documents.
#[derive(Clone)]
pub(crate) enum Writer {
    Own {
        history: Option<ChangeHistory>,
        keep: usize,
        rotates: u64,
        /// What was published last.
        documents: BTreeMap<String, Vec<u8>>,
    },
    Naive(Box<Naive>),
    /// Two Capability Lists.
    Two(Box<[Naive; 2]>),
}

/// The clock of a Source, which writes whole seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    /// How many moments are in one second: what happens in a second has one time.
    pub(crate) moments: i64,
    /// How many seconds it is wrong.
    pub(crate) skew: i64,
}

impl Clock {
    fn seconds(self, moment: i64) -> i64 {
        EPOCH + (moment - EPOCH).div_euclid(self.moments) + self.skew
    }

    /// A moment as it is written.
    pub(crate) fn written(self, moment: i64) -> Datetime {
        time(self.seconds(moment))
    }

    /// The first moment of a second that a right clock wrote.
    pub(crate) fn moment(self, seconds: i64) -> i64 {
        EPOCH + (seconds - EPOCH) * self.moments
    }

    /// The first moment of the same second.
    pub(crate) fn first(self, moment: i64) -> i64 {
        self.moment(Clock { skew: 0, ..self }.seconds(moment))
    }
}

/// The faults of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    NoConnection,
    Status(u16),
    CutBody,
    ShortDocument,
    OtherBytes,
}

/// What there is beside lists and resources.
#[derive(Debug)]
pub(crate) struct Beside {
    pub(crate) dumps: Option<Random>,
    pub(crate) mirror: Option<Mirror>,
    pub(crate) patches: Option<Patches>,
    pub(crate) mementos: Option<Mementos>,
    pub(crate) has_related: bool,
    /// Much happens in each second.
    pub(crate) is_fast: bool,
    /// The Source is restored from backups.
    pub(crate) is_restored: bool,
}

/// What a backup has: all that the Source knows.
struct Backup {
    resources: BTreeMap<String, (Vec<u8>, i64)>,
    changes: Vec<Changed>,
    documents: BTreeMap<String, Vec<u8>>,
    writer: Writer,
}

pub(crate) struct Source {
    pub(crate) random: Random,
    pub(crate) now: i64,
    /// Moments in one second.
    moments: i64,
    pub(crate) names: u64,
    pub(crate) resources: BTreeMap<String, (Vec<u8>, i64)>,
    /// What it knows of them.
    pub(crate) changes: Vec<Changed>,
    /// What happened, also if a backup does not have it, and what a restoration changed.
    truth: Vec<Changed>,
    backup: Option<Backup>,
    pub(crate) documents: BTreeMap<String, Vec<u8>>,
    pub(crate) writer: Writer,
    pub(crate) has_etags: bool,
    pub(crate) has_dates: bool,
    pub(crate) has_digests: bool,
    /// One request in so many fails; 0 for none.
    pub(crate) faults: u64,
    /// After so many requests, resources change and documents are published.
    pub(crate) changes_after: Option<u64>,
    /// After so many requests, the run is killed.
    pub(crate) killed_after: Option<u64>,
    pub(crate) published: u64,
    /// In a worse world, what is wrong with it.
    pub(crate) worse: Option<Box<Worse>>,
    /// The writer of Resource Dumps, if there are any.
    pub(crate) dumps: Option<Dumps>,
    /// A mirror, if there is one.
    pub(crate) mirror: Option<Mirror>,
    /// Patches of the changes, if there are any.
    pub(crate) patches: Option<Patches>,
    /// Mementos of all states, if there are any.
    pub(crate) mementos: Option<Mementos>,
    /// Some resources have metadata.
    pub(crate) has_related: bool,
    pub(crate) log: Option<Vec<String>>,
}

fn time(seconds: i64) -> Datetime {
    Datetime::from_unix(seconds, 0).unwrap()
}

pub(crate) fn digests(body: &[u8]) -> Hashes {
    let mut digester = Digester::new([Algorithm::Md5]);
    digester.push(body);
    digester.finish()
}

impl Source {
    pub(crate) fn new(mut random: Random, has_two_sets: bool, worse: Option<Worse>, beside: Beside) -> Source {
        let writer = if has_two_sets {
            Writer::Two(Box::new(Naive::two(&mut random)))
        } else if random.once_in(3) {
            Writer::Own {
                history: None,
                keep: 1 + random.below(3) as usize,
                rotates: 1 + random.below(4),
                documents: BTreeMap::new(),
            }
        } else {
            let naive = Naive::new(&mut random, None);
            let naive = if beside.is_restored { naive.keeping_all() } else { naive };
            Writer::Naive(Box::new(naive))
        };
        let has_datetimes = match &writer {
            Writer::Own { .. } => true,
            Writer::Naive(naive) => naive.datetimes,
            Writer::Two(two) => two.iter().all(|set| set.datetimes),
        };
        let has_clock = worse.is_none();
        let worse = worse.map(|worse| Box::new(if has_datetimes { worse } else { worse.obeying() }));
        let has_digests = match &writer {
            Writer::Own { .. } => true,
            Writer::Naive(naive) => naive.digests,
            Writer::Two(two) => two.iter().all(|set| set.digests),
        };
        let most = if random.once_in(4) { 40 } else { 10 };
        let dumps = beside.dumps.map(|random| Dumps::new(random, has_digests, !has_two_sets, has_clock, EPOCH));
        let mut source = Source {
            now: EPOCH,
            moments: if beside.is_fast { 40 } else { 1 },
            names: 1 + random.below(most),
            resources: BTreeMap::new(),
            changes: Vec::new(),
            truth: Vec::new(),
            backup: None,
            documents: BTreeMap::new(),
            writer,
            has_etags: !random.once_in(4),
            has_dates: random.once_in(2),
            has_digests,
            faults: 0,
            changes_after: None,
            killed_after: None,
            published: 0,
            worse,
            // Entries of manifests have no links here.
            has_related: beside.has_related && !dumps.as_ref().is_some_and(Dumps::has_manifests_as_lists),
            dumps,
            mirror: beside.mirror,
            patches: beside.patches,
            mementos: beside.mementos,
            log: None,
            random,
        };
        let count = source.random.below(source.names * 2);
        source.happen(count);
        source.publish(true);
        source
    }

    pub(crate) fn clock(&self) -> Clock {
        Clock { moments: self.moments, skew: self.worse.as_ref().map_or(0, |worse| worse.skew) }
    }

    /// A moment as the Source writes it.
    pub(crate) fn written(&self, moment: i64) -> Datetime {
        self.clock().written(moment)
    }

    pub(crate) fn note(&mut self, text: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(text());
        }
    }

    /// The name of a resource. Without a digest, nothing shows which bytes a compressed one has.
    pub(crate) fn name(&self, number: u64) -> String {
        let is_gzip = self.has_digests && number % 3 == 1 && self.worse.as_ref().is_some_and(|worse| worse.codes);
        format!("r/{number}{}", if is_gzip { ".gz" } else { "" })
    }

    /// Some resources change.
    pub(crate) fn happen(&mut self, count: u64) {
        for _ in 0..count {
            self.now += 1 + self.random.below(100) as i64;
            let number = self.random.below(self.names);
            let name = self.name(number);
            if matches!(self.writer, Writer::Two(_)) && self.random.once_in(3) {
                self.pass_on(name);
                continue;
            }
            let was = self.resources.contains_key(&name);
            let body = if was && self.random.once_in(3) {
                self.resources.remove(&name);
                None
            } else {
                let text = format!("{name} at {}{}", self.now, "x".repeat(self.random.below(3) as usize)).into_bytes();
                let before = self.resources.get(&name).map(|(body, _)| body.clone());
                let body = match &mut self.patches {
                    _ if name.ends_with(".gz") => gzip(&text),
                    Some(patches) => patches.change(&name, before.as_deref(), self.now),
                    None => text,
                };
                self.mementos.iter_mut().for_each(|mementos| mementos.add(&body));
                self.resources.insert(name.clone(), (body.clone(), self.now));
                Some(body)
            };
            let text = format!("{} {name} {}", self.now - EPOCH, if body.is_some() { "changes" } else { "is deleted" });
            self.note(|| text);
            self.note_change(Changed { time: self.now, name, body, was, only: None });
        }
    }

    fn note_change(&mut self, change: Changed) {
        self.truth.push(change.clone());
        self.changes.push(change);
    }

    /// A backup is made, or the last one restored.
    pub(crate) fn back_up_or_restore(&mut self) {
        let backup = match self.backup.take().filter(|_| self.random.once_in(2)) {
            None => {
                self.note(|| "is backed up".to_owned());
                self.backup = Some(Backup {
                    resources: self.resources.clone(),
                    changes: self.changes.clone(),
                    documents: self.documents.clone(),
                    writer: self.writer.clone(),
                });
                return;
            }
            Some(backup) => backup,
        };
        self.note(|| "is restored".to_owned());
        self.now += 1;
        let body =
            |resources: &BTreeMap<String, (Vec<u8>, i64)>, name: &str| resources.get(name).map(|own| own.0.clone());
        for name in (0..self.names).map(|number| self.name(number)).collect::<Vec<_>>() {
            let (before, now) = (body(&self.resources, &name), body(&backup.resources, &name));
            if before != now {
                let was = before.is_some();
                self.truth.push(Changed { time: self.now, name, body: now, was, only: None });
            }
        }
        Backup { resources: self.resources, changes: self.changes, documents: self.documents, writer: self.writer } =
            backup;
    }

    /// One of two sets begins or ceases to list a resource that the other one always lists.
    fn pass_on(&mut self, name: String) {
        let Some((body, _)) = self.resources.get(&name).cloned() else { return };
        let number = number(&name);
        if number % 3 != 2 {
            return;
        }
        let set = number / 3 % 2;
        let was = self.lists(set, &name, self.now);
        self.note(|| format!("{name} {} set {set}", if was { "leaves" } else { "joins" }));
        let body = if was { None } else { Some(body) };
        self.note_change(Changed { time: self.now, name, body, was, only: Some(set) });
    }

    /// True if a set lists resources of this name at this time.
    pub(crate) fn lists(&self, set: u64, name: &str, time: i64) -> bool {
        let passed = self
            .changes
            .iter()
            .rev()
            .find(|change| change.only == Some(set) && change.name == name && change.time <= time);
        let number = number(name);
        passed.map_or(number % 3 == set || number % 3 == 2, |passed| passed.body.is_some())
    }

    /// The states of a resource from a moment on.
    pub(crate) fn states(&self, name: &str, since: i64) -> Vec<Option<Vec<u8>>> {
        if let Some(name) = subject(name) {
            return self.states(&name, since).into_iter().map(|state| state.map(|body| about(&body))).collect();
        }
        let mut states = vec![None];
        for change in self.truth.iter().filter(|change| change.name == name && change.only.is_none()) {
            if change.time <= since {
                states.clear();
            }
            states.push(change.body.clone());
        }
        states
    }

    /// What there is now, with the metadata.
    pub(crate) fn all(&self) -> BTreeMap<String, Vec<u8>> {
        let own = self.resources.iter().map(|(name, (body, _))| (name.clone(), body.clone()));
        let with_metadata = self.resources.iter().filter(|_| self.has_related);
        own.chain(with_metadata.filter_map(|(name, (body, _))| Some((metadata(name)?, about(body))))).collect()
    }

    /// The names that a copy may have.
    pub(crate) fn all_names(&self) -> Vec<String> {
        let own = (0..self.names).map(|number| self.name(number));
        own.flat_map(|name| [metadata(&name).filter(|_| self.has_related), Some(name)]).flatten().collect()
    }

    /// Writes the documents; the Resource Lists too, if wanted.
    pub(crate) fn publish(&mut self, with_list: bool) {
        self.now += 1 + self.random.below(50) as i64;
        self.published += 1;
        let text = format!("{} publishes{}", self.now - EPOCH, if with_list { " all" } else { "" });
        self.note(|| text);
        let mut writer = std::mem::replace(
            &mut self.writer,
            Writer::Own { history: None, keep: 0, rotates: 0, documents: BTreeMap::new() },
        );
        let before = self.documents.clone();
        match &mut writer {
            Writer::Naive(naive) => naive.publish(self, with_list),
            Writer::Two(two) => Naive::publish_two(two, self, with_list),
            Writer::Own { history, keep, rotates, documents } => {
                self.publish_own(history, *keep, *rotates);
                // Closed lists are not written again.
                let closed = history.iter().flat_map(|history| &history.closed);
                for uri in closed.map(|interval| format!("{HOST}changelist-{}.xml", interval.number)) {
                    if let (false, Some(body)) = (self.documents.contains_key(&uri), documents.get(&uri)) {
                        self.documents.insert(uri, body.clone());
                    }
                }
                documents.clone_from(&self.documents);
            }
        }
        self.writer = writer;
        let mut now = std::mem::take(&mut self.documents);
        let at = self.written(self.now).to_string();
        if let Some(dumps) = &mut self.dumps {
            let clock = Clock { moments: self.moments, skew: self.worse.as_ref().map_or(0, |worse| worse.skew) };
            let happened = Happened { changes: &self.changes, now: self.now, clock };
            dumps.publish(&self.resources, &at, happened, &mut now);
        }
        if let Some(mirror) = &self.mirror {
            mirror.link(&mut now);
        }
        if let Some(patches) = &mut self.patches {
            patches.link(&mut now);
        }
        if let Some(mementos) = &self.mementos {
            mementos.link(&mut now);
        }
        if self.has_related {
            related::link(&mut now);
        }
        self.documents = match &mut self.worse {
            Some(worse) if self.published > 1 => worse.publish(before, now),
            _ => now,
        };
        let is_shown = |uri: &str| uri.contains("change") || uri.contains("list");
        for (uri, body) in self.documents.clone().iter().filter(|(uri, _)| is_shown(uri)) {
            self.note(|| format!("    {uri} {}", shown(body)));
        }
        self.now += 1;
    }

    /// By the builders of this project, as `resourcesync build` does.
    fn publish_own(&mut self, history: &mut Option<ChangeHistory>, keep: usize, rotates: u64) {
        let mut store = MemoryStore::default();
        let base = Uri::from_iri(HOST).unwrap();
        let mut settings = Settings::default();
        settings.describedby = Some(base.clone());
        settings.max_document_entries = 20;
        let clock = Clock { skew: 0, ..self.clock() };
        let at = clock.written(self.now);
        let mut own = history.clone().unwrap_or_else(|| ChangeHistory::since(at.clone()));
        let mut publication = Publication::new(&mut store, base, at.clone(), settings).unwrap();
        publication.set("", Some(Uri::from_iri(&format!("{HOST}set.html")).unwrap())).unwrap();
        let uri = |name: &str| Uri::from_iri(&format!("{HOST}{name}")).unwrap();
        let list: Vec<Resource> = self
            .resources
            .iter()
            .map(|(name, (body, since))| {
                Resource::new(uri(name)).lastmod(clock.written(*since)).hash(digests(body)).length(body.len() as u64)
            })
            .collect();
        publication.resource_list(list).unwrap();
        let since = clock.moment(own.open.from.to_unix().0);
        let changes: Vec<ResourceChange> = self
            .changes
            .iter()
            .filter(|change| change.time >= since && history.is_some())
            .map(|change| {
                let entry = match (&change.body, change.was) {
                    (None, _) => ResourceChange::deleted(uri(&change.name)),
                    (Some(body), false) => {
                        ResourceChange::created(uri(&change.name)).hash(digests(body)).length(body.len() as u64)
                    }
                    (Some(body), true) => {
                        ResourceChange::updated(uri(&change.name)).hash(digests(body)).length(body.len() as u64)
                    }
                };
                entry.at(clock.written(change.time))
            })
            .collect();
        let close = (!changes.is_empty() && self.published.is_multiple_of(rotates)).then(|| at.clone());
        if close.is_some() {
            let stay = keep.saturating_sub(1);
            let extra = own.closed.len().saturating_sub(stay);
            own.closed.drain(..extra);
        }
        publication.change_lists(own.clone(), close.clone(), changes).unwrap();
        publication.finish().unwrap();
        if let Some(until) = close {
            own.closed.push(Interval { number: own.open.number, from: own.open.from.clone(), until: until.clone() });
            own.open = Opened { number: own.open.number + 1, from: until };
        }
        *history = Some(own);
        self.documents = store.files.into_iter().map(|(path, body)| (format!("{HOST}{path}"), body)).collect();
    }

    /// Responds to a request.
    pub(crate) fn respond(&mut self, uri: &str, headers: &[(String, String)]) -> Option<Made> {
        let name = uri.strip_prefix(HOST).unwrap_or_default().to_owned();
        if count_down(&mut self.killed_after) {
            self.note(|| format!("killed at {name}"));
            panic!("killed");
        }
        if count_down(&mut self.changes_after) {
            let count = 1 + self.random.below(5);
            self.happen(count);
            if !self.random.once_in(3) {
                let with_list = self.random.once_in(2);
                self.publish(with_list);
            }
        }
        if let Some(worse) = &mut self.worse {
            worse.write(&mut self.documents);
        }
        if let Some(name) = uri.strip_prefix(MIRROR) {
            let body = self.resources.get(name).map(|(body, _)| body);
            let made = self.mirror.as_mut()?.answer(name, body);
            self.note(|| format!("{uri} {:?}", made.as_ref().map(|made| made.status)));
            return made;
        }
        let moved =
            self.worse.as_mut().filter(|_| self.resources.contains_key(&name)).and_then(|worse| worse.moved(&name));
        let mut made = match moved {
            Some(to) => Made { status: 301, headers: vec![("Location".to_owned(), to)], ..Made::default() },
            None => self.answer(uri, &name, headers),
        };
        if self.faults > 0 && self.random.once_in(self.faults) {
            let is_document = self.documents.contains_key(uri);
            let fault = match self.random.below(6) {
                0 => Fault::NoConnection,
                1 => Fault::Status(503),
                2 => Fault::Status(500),
                3 => Fault::CutBody,
                4 if is_document => Fault::ShortDocument,
                // Only a digest shows that.
                4 if self.has_digests => Fault::OtherBytes,
                _ if self.worse.is_some() => Fault::Status([401, 403, 404, 410][self.random.below(4) as usize]),
                _ => Fault::Status(404),
            };
            self.note(|| format!("{name}: {fault:?}"));
            match fault {
                Fault::NoConnection => return None,
                Fault::Status(status) => {
                    made = Made { status, headers: made.headers, body: Vec::new(), is_cut: false };
                }
                Fault::CutBody => {
                    made.body.truncate(made.body.len() / 2);
                    made.is_cut = made.status == 200;
                }
                Fault::ShortDocument => made.body.truncate(made.body.len() * 2 / 3),
                Fault::OtherBytes => made.body.iter_mut().for_each(|byte| *byte ^= 1),
            }
        }
        if let Some(mementos) = self.mementos.as_mut().filter(|_| matches!(made.status, 404 | 410)) {
            mementos.gone.insert(name.clone());
        }
        let (status, now) = (made.status, self.now - EPOCH);
        let is_document = self.documents.contains_key(uri);
        let body = if is_document { shown(&made.body) } else { String::new() };
        self.note(|| format!("{now} {name} {status} {body}"));
        Some(made)
    }

    fn answer(&mut self, uri: &str, name: &str, headers: &[(String, String)]) -> Made {
        let date = ("Date".to_owned(), http_date(&self.written(self.now)));
        if let Some(made) = self.patches.as_ref().and_then(|patches| patches.answer(name)) {
            return made;
        }
        if let Some(made) = self.mementos.as_mut().and_then(|mementos| mementos.answer(name)) {
            return made;
        }
        let cached = self.worse.as_ref().and_then(|worse| worse.cached(uri, headers));
        let found = cached.or_else(|| self.documents.get(uri)).map(|body| (body, None));
        let found = found.map(|(body, since)| (body.clone(), since));
        let resource = |name: &str| self.resources.get(name).map(|(body, since)| (body.clone(), Some(*since)));
        let metadata = || {
            let (body, since) = resource(&subject(name).filter(|_| self.has_related)?)?;
            Some((about(&body), since))
        };
        let Some((body, since)) = found.or_else(|| resource(name)).or_else(metadata) else {
            return Made { status: 404, headers: vec![date], ..Made::default() };
        };
        let mut own = vec![date];
        let etag = format!("\"{}\"", digests(&body));
        if self.has_etags {
            own.push(("ETag".to_owned(), etag.clone()));
        }
        if let Some(since) = since.filter(|_| self.has_dates) {
            own.push(("Last-Modified".to_owned(), http_date(&Clock { skew: 0, ..self.clock() }.written(since))));
        }
        let is_same = self.has_etags && headers.iter().any(|(name, value)| name == "if-none-match" && *value == etag);
        match is_same {
            true => Made { status: 304, headers: own, ..Made::default() },
            false => {
                let coded = self.worse.as_ref().and_then(|worse| worse.coded(name, &body, headers));
                // As by AddEncoding: the bytes of a file that is compressed.
                if coded.is_some() || name.ends_with(".gz") {
                    own.push(("Content-Encoding".to_owned(), "gzip".to_owned()));
                }
                Made { status: 200, headers: own, body: coded.unwrap_or(body), is_cut: false }
            }
        }
    }
}

/// The number in the name of a resource.
fn number(name: &str) -> u64 {
    name.trim_start_matches("r/").trim_end_matches(".gz").parse().unwrap()
}

/// A document without its beginning, which is the same in all.
fn shown(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body).replace(HOST, "");
    text.rsplit_once("terms/\">").map_or_else(String::new, |(_, rest)| rest.to_owned())
}

/// True when the count is over.
pub(crate) fn count_down(count: &mut Option<u64>) -> bool {
    match count {
        Some(0) => {
            *count = None;
            true
        }
        Some(left) => {
            *left -= 1;
            false
        }
        None => false,
    }
}

/// A date as in header fields; nobody reads the day of the week.
fn http_date(moment: &Datetime) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let ((year, month, day), (hour, minute, second)) = (moment.ymd(), moment.hms());
    format!("Mon, {day:02} {} {year} {hour:02}:{minute:02}:{second:02} GMT", MONTHS[usize::from(month) - 1])
}
