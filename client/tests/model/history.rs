//! One history: a Source, runs with faults and kills, and what must hold after each.

use std::{
    collections::BTreeMap,
    fs, panic,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use resourcesync_client::{
    Cancel,
    destination::{Event, Options, PlanChoice, SyncError, sync},
    http::{Client, ClientOptions, Made, Policy, Responder},
};
use resourcesync_sync::{
    conclude::Outcome,
    destination::Settings,
    guard::MaxDelete,
    memory::{MemoryCopy, Response},
    report::{BytesFrom, Report},
};

use crate::{
    dumps::Dumps,
    mementos::{Mementos, memento},
    mirrors::Mirror,
    patches::Patches,
    random::Random,
    related::subject,
    source::{self, Beside, EPOCH, HOST, Source, Writer},
    worse::Worse,
};

/// Where a copy is: what is checked is the same.
pub(crate) enum Place {
    /// In a folder, with the ledger in SQLite.
    Folder(PathBuf),
    /// In memory, with the ledger there: no file system and no threads, so many more histories in the same time.
    Memory(Box<MemoryCopy>),
}

/// What a history is about.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct World {
    pub(crate) has_two_sets: bool,
    pub(crate) is_worse: bool,
    pub(crate) has_dumps: bool,
    pub(crate) has_mirror: bool,
    pub(crate) has_patches: bool,
    /// Runs keep the versions that have mementos.
    pub(crate) has_mementos: bool,
    /// Runs copy metadata that no list contains.
    pub(crate) has_related: bool,
    /// Much happens in each second.
    pub(crate) is_fast: bool,
    /// Runs of copies in folders work on generations.
    pub(crate) is_whole: bool,
    /// The Source is restored from backups.
    pub(crate) is_restored: bool,
}

pub(crate) struct History {
    seed: u64,
    random: Random,
    source: Arc<Mutex<Source>>,
    place: Place,
    is_shown: bool,
    is_whole: bool,
    is_restored: bool,
    keeps_versions: bool,
    runs: u64,
    /// The files after the last run.
    before: BTreeMap<String, Vec<u8>>,
    /// The versions after the last run.
    versions: BTreeMap<String, Vec<u8>>,
    /// The last moment that the copy was in step with.
    since: i64,
}

/// Resources that were patched, of all histories.
pub(crate) static PATCHED: AtomicU64 = AtomicU64::new(0);

/// Versions that were kept, of all histories.
pub(crate) static ARCHIVED: AtomicU64 = AtomicU64::new(0);

/// Files of metadata after runs, of all histories.
pub(crate) static RELATED: AtomicU64 = AtomicU64::new(0);

/// Does not print the panics that kill runs.
pub(crate) fn quiet() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.payload().downcast_ref::<&str>() != Some(&"killed") && std::env::var_os("SEED").is_some() {
            before(info);
        }
    }));
}

impl Place {
    /// A new folder: in memory, if there is such a file system.
    pub(crate) fn folder() -> Place {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let shared = Path::new("/dev/shm");
        let above = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
        Place::Folder(above.join(format!("resourcesync-model-{}-{number}", std::process::id())))
    }

    /// Removes a folder, and what is next to it.
    fn remove(&self) {
        if let Place::Folder(folder) = self {
            let _ = fs::remove_dir_all(folder);
            let _ = fs::remove_dir_all(folder.with_extension("resourcesync"));
        }
    }

    pub(crate) fn memory() -> Place {
        Place::Memory(Box::new(MemoryCopy::new(HOST)))
    }
}

impl History {
    pub(crate) fn new(seed: u64, world: World, place: Place, is_shown: bool) -> History {
        let mut random = Random::new(seed);
        let worse = world.is_worse.then(|| Worse::new(Random::new(!seed)));
        let dumps = world.has_dumps.then(|| Random::new(seed.rotate_left(32)));
        let mirror = world.has_mirror.then(|| Mirror::new(Random::new(seed.rotate_left(16))));
        let patches = world.has_patches.then(|| Patches::new(Random::new(seed.rotate_left(48))));
        let mementos = world.has_mementos.then(|| Mementos::new(Random::new(seed.rotate_left(8))));
        let beside = Beside {
            dumps,
            mirror,
            patches,
            mementos,
            has_related: world.has_related,
            is_fast: world.is_fast,
            is_restored: world.is_restored,
        };
        let mut source = Source::new(Random::new(random.next()), world.has_two_sets, worse, beside);
        source.log = is_shown.then(Vec::new);
        place.remove();
        let is_whole = world.is_whole && matches!(place, Place::Folder(_));
        let source = Arc::new(Mutex::new(source));
        History {
            seed,
            random,
            source,
            place,
            is_shown,
            is_whole,
            is_restored: world.is_restored,
            keeps_versions: world.has_mementos,
            runs: 0,
            before: BTreeMap::new(),
            versions: BTreeMap::new(),
            since: EPOCH,
        }
    }

    fn source(&self) -> std::sync::MutexGuard<'_, Source> {
        // A run that is killed while the server responds.
        self.source.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Plays it.
    pub(crate) fn check(mut self) {
        for _ in 0..1 + self.random.below(6) {
            let (count, publishes) = (self.random.below(8), !self.random.once_in(4));
            let with_list = self.random.once_in(3);
            {
                let mut source = self.source();
                // The builders of this project refuse a clock that goes back.
                let has_clock = !matches!(source.writer, Writer::Own { .. });
                if let Some(worse) = &mut source.worse {
                    worse.begin_run();
                    if publishes && has_clock {
                        worse.set_clock();
                    }
                }
                if self.is_restored {
                    source.back_up_or_restore();
                }
                source.happen(count);
                if publishes {
                    source.publish(with_list);
                }
            }
            let faults = if self.random.once_in(2) { 0 } else { 2 + self.random.below(15) };
            let changes = self.random.once_in(3).then(|| self.random.below(12));
            let kill = self.random.once_in(4).then(|| self.random.below(20));
            let dies_at = self.random.once_in(5).then(|| self.random.below(20));
            // What a killed run has stored may be lost by the Source before anything shows that it was there.
            let (kill, dies_at) = if self.is_restored { (None, None) } else { (kill, dies_at) };
            {
                let mut source = self.source();
                (source.faults, source.changes_after, source.killed_after) = (faults, changes, kill);
            }
            let mut options = Options::default().with(|run| run.max_delete = Some(MaxDelete::Auto));
            options.settings.placing.whole = self.is_whole;
            options.settings.fetching.keeps_versions = self.keeps_versions;
            options.settings.related.metadata = true;
            options.settings.reading.full = self.random.once_in(8);
            options.settings.reading.plan = match self.random.below(8) {
                0 => PlanChoice::List,
                1 => PlanChoice::Changes,
                _ => PlanChoice::Auto,
            };
            if self.are_dumps_lists() {
                options.settings.reading.plan = PlanChoice::Dump;
            }
            if self.random.once_in(3) {
                options.settings.max_delete = Some(MaxDelete::Percent(100));
            }
            let report = self.run(&options, dies_at);
            self.hold(report.as_ref());
        }
        self.end();
        self.place.remove();
    }

    /// Without faults, the copy is equal to the Source after two runs.
    fn end(&mut self) {
        {
            let mut source = self.source();
            let source = &mut *source;
            (source.faults, source.changes_after, source.killed_after) = (0, None, None);
            source.dumps.iter_mut().for_each(|dumps| dumps.is_last = true);
            source.mirror.iter_mut().for_each(|mirror| mirror.is_last = true);
            source.mementos.iter_mut().for_each(|mementos| mementos.is_last = true);
            if let Some(worse) = &mut source.worse {
                worse.end(&mut source.documents);
            }
            source.publish(true);
            if let Some(worse) = &mut source.worse {
                worse.end(&mut source.documents);
            }
        }
        let mut options = Options::default().with(|run| run.max_delete = Some(MaxDelete::Percent(100)));
        options.settings.placing.whole = self.is_whole;
        options.settings.fetching.keeps_versions = self.keeps_versions;
        options.settings.related.metadata = true;
        if self.are_dumps_lists() {
            options.settings.reading.plan = PlanChoice::Dump;
        }
        // The state that a Source was restored to is accepted by its user.
        options.settings.reading.accept_older = self.is_restored;
        let mut report = None;
        for _ in 0..2 {
            report = self.run(&options, None);
            self.hold(report.as_ref());
            if report.as_ref().is_some_and(|report| report.run.outcome == Outcome::InStep) {
                break;
            }
        }
        let is_in_step = report.as_ref().is_some_and(|report| report.run.outcome == Outcome::InStep);
        self.expect(is_in_step, || format!("not in step at the end: {report:#?}"));
        let copy = self.copy();
        let source = self.source();
        let own = source.all();
        // Entries of manifests have no mementos here.
        let lacks_links = !source.has_digests || source.dumps.as_ref().is_some_and(Dumps::has_manifests_as_lists);
        let is_kept = |body: &Vec<u8>| {
            let name = memento(body);
            self.versions.contains_key(&name) || source.mementos.as_ref().is_some_and(|own| own.gone.contains(&name))
        };
        let states = source.resources.values().map(|(body, _)| body);
        let lacks = if self.keeps_versions && !lacks_links { states.filter(|body| !is_kept(body)).count() } else { 0 };
        drop(source);
        self.expect(lacks == 0, || format!("{lacks} listed versions are not kept: {report:#?}"));
        self.expect(own == copy, || format!("other than the Source at the end: {:?}", names(&own, &copy)));
    }

    fn are_dumps_lists(&self) -> bool {
        self.source().dumps.as_ref().is_some_and(|dumps| dumps.are_lists)
    }

    fn expect(&self, holds: bool, why: impl FnOnce() -> String) {
        if holds {
            return;
        }
        if self.is_shown {
            for line in self.source().log.iter().flatten() {
                eprintln!("{line}");
            }
        }
        panic!("{}", format!("run {}: {}", self.runs, why()));
    }

    /// A run; `None` if it was killed.
    fn run(&mut self, options: &Options, dies_at: Option<u64>) -> Option<Report> {
        self.runs += 1;
        let run = self.runs;
        self.source().note(|| format!("run {run} {options:?}").chars().take(200).collect());
        let shared = self.source.clone();
        let result = match &mut self.place {
            Place::Folder(folder) => {
                panic::catch_unwind(panic::AssertUnwindSafe(|| run_in_folder(folder, shared, options, dies_at)))
            }
            Place::Memory(copy) => {
                panic::catch_unwind(panic::AssertUnwindSafe(|| Ok(run_in_memory(copy, &shared, options, dies_at))))
            }
        };
        self.source().killed_after = None;
        match result {
            Ok(Ok(report)) => {
                let text = format!(
                    "run {run}: {:?} as of {:?}, {:?} {:?}",
                    report.run.outcome, report.as_of, report.plan, report.counts
                );
                self.source().note(|| text);
                Some(report)
            }
            Ok(Err(error)) => {
                self.expect(false, || format!("{error}"));
                None
            }
            Err(why) => {
                let text = why.downcast_ref::<&str>().copied().unwrap_or_default().to_owned();
                let is_kill = text == "killed" || text.contains("scoped thread panicked");
                self.expect(is_kill, || format!("a panic: {text} {:?}", why.downcast_ref::<String>()));
                None
            }
        }
    }

    /// The files of the copy, by the names of their resources.
    fn copy(&self) -> BTreeMap<String, Vec<u8>> {
        let folder = match &self.place {
            Place::Folder(folder) => folder,
            Place::Memory(copy) => {
                let name = |uri: &str| uri.strip_prefix(HOST).unwrap().to_owned();
                return copy.bodies.iter().map(|(uri, body)| (name(uri), body.clone())).collect();
            }
        };
        let mut found = BTreeMap::new();
        let host = folder.join("a.example");
        let mut waiting = vec![host.clone()];
        while let Some(next) = waiting.pop() {
            for entry in fs::read_dir(&next).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    waiting.push(path);
                } else {
                    let name = path.strip_prefix(&host).unwrap().to_str().unwrap().to_owned();
                    found.insert(name, fs::read(&path).unwrap());
                }
            }
        }
        found
    }

    /// The versions of the history, by the names of their mementos.
    fn history(&self) -> BTreeMap<String, Vec<u8>> {
        let folder = match &self.place {
            Place::Folder(folder) => folder.join(".resourcesync/history/a.example/m"),
            Place::Memory(copy) => {
                let name = |uri: &str| uri.strip_prefix(HOST).unwrap().to_owned();
                return copy.history.iter().map(|((uri, _), body)| (name(uri), body.clone())).collect();
            }
        };
        let files = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap());
        files
            .map(|file| (format!("m/{}", file.file_name().to_str().unwrap()), fs::read(file.path()).unwrap()))
            .collect()
    }

    /// What holds after each run.
    fn hold(&mut self, report: Option<&Report>) {
        let copy = self.copy();
        let before = std::mem::replace(&mut self.before, copy.clone());
        let since = self.since;
        if let Some(as_of) = report.filter(|report| report.run.outcome == Outcome::InStep).and_then(seconds) {
            let clock = self.source().clock();
            self.since = clock.moment(as_of);
        }
        let versions = self.history();
        let earlier = std::mem::replace(&mut self.versions, versions.clone());
        let source = self.source();
        let mut wrong = Vec::new();
        for (name, body) in versions.iter().filter(|(name, body)| memento(body) != **name) {
            wrong.push(format!("the version {name} is {:?}", String::from_utf8_lossy(body)));
        }
        for name in earlier.keys().filter(|name| !versions.contains_key(*name)) {
            wrong.push(format!("the version {name} was removed"));
        }
        ARCHIVED.fetch_add(versions.len().saturating_sub(earlier.len()) as u64, Ordering::Relaxed);
        RELATED.fetch_add(copy.keys().filter(|name| subject(name).is_some()).count() as u64, Ordering::Relaxed);
        let is_in_step = report.is_some_and(|report| report.run.outcome == Outcome::InStep);
        if self.is_whole && !is_in_step && copy != before {
            wrong.push(format!("readers see what is not in step: {:?}", names(&before, &copy)));
        }
        for name in before.keys().filter(|name| !copy.contains_key(*name)) {
            if !source.states(name, since).contains(&None) {
                wrong.push(format!("{name} was deleted, and nothing states that"));
            }
        }
        for (name, body) in &copy {
            if !source.states(name, i64::MIN).contains(&Some(body.clone())) {
                wrong.push(format!("{name} never was {:?}", String::from_utf8_lossy(body)));
            }
        }
        if let Some(report) = report {
            let as_of = seconds(report).map(|seconds| source.clock().moment(seconds));
            PATCHED.fetch_add(
                report.items.iter().filter(|item| item.bytes_from == Some(BytesFrom::Patch)).count() as u64,
                Ordering::Relaxed,
            );
            // A list whose time is ahead of the clock does not show of when it is.
            let was_wrong = source.worse.as_ref().is_some_and(|worse| worse.was_wrong);
            if is_in_step && as_of.map_or(!was_wrong, |as_of| as_of > source.now) {
                wrong.push(format!("in step as of {as_of:?}"));
            }
            let is_explained = report.documents.iter().any(|document| document.cause.is_some())
                || report.diagnostics.iter().any(|finding| {
                    [
                        "SYN-01", "SYN-02", "SYN-03", "SYN-04", "SYN-05", "SYN-14", "SYN-16", "SYN-17", "SYN-18",
                        "SYN-19", "SYN-23",
                    ]
                    .contains(&finding.code.as_str())
                })
                || report.counts.left > 0
                || report.withheld.is_some();
            if is_in_step || !is_explained {
                for name in source.all_names() {
                    let own = copy.get(&name).cloned();
                    let is_right = source.states(&name, as_of.unwrap_or(EPOCH)).contains(&own);
                    // What is in doubt about a resource is also in doubt about its metadata.
                    let is_named = [Some(name.clone()), subject(&name)].into_iter().flatten().any(|name| {
                        let uri = format!("{HOST}{name}");
                        report.items.iter().any(|item| item.uri == uri && item.code.is_some())
                    });
                    if !is_right && (is_in_step || !is_named) {
                        wrong.push(format!("{name} is {:?}", own.as_deref().map(String::from_utf8_lossy)));
                    }
                }
            }
        }
        drop(source);
        self.expect(wrong.is_empty(), || format!("seed {}: {wrong:#?} {report:#?}", self.seed));
    }
}

fn run_in_folder(
    folder: &Path,
    source: Arc<Mutex<Source>>,
    options: &Options,
    mut dies_at: Option<u64>,
) -> Result<Report, SyncError> {
    let mut policy = Policy::default();
    policy.start(HOST).unwrap();
    policy.allow("m.example").unwrap();
    policy.limits.http_requests_per_second = 0;
    policy.limits.http_retries = 0;
    policy.limits.http_connections = 1;
    let responder = Responder::new(move |uri, headers| respond(&source, uri, headers));
    let client_options = ClientOptions { responder: Some(responder), ..ClientOptions::default() };
    let client = Arc::new(Client::new(policy, client_options).unwrap());
    sync(HOST, folder, &client, options, &Cancel::default(), &mut |event| {
        if let (Event::Item(_), Some(count)) = (&event, &mut dies_at) {
            match count.checked_sub(1) {
                Some(fewer) => *count = fewer,
                None => panic!("killed"),
            }
        }
    })
}

/// A run that is killed ends at a request.
fn run_in_memory(copy: &mut MemoryCopy, source: &Mutex<Source>, options: &Options, mut dies_at: Option<u64>) -> Report {
    let settings = Settings { settled: "yes".to_owned(), ..options.settings.clone() };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
    copy.sync(settings, now, &mut |uri, headers| {
        if source::count_down(&mut dies_at) {
            panic!("killed");
        }
        let made = respond(source, uri, headers)?;
        Some(Response { status: made.status, headers: made.headers, body: made.body, is_cut: made.is_cut })
    })
}

fn respond(source: &Mutex<Source>, uri: &str, headers: &[(String, String)]) -> Option<Made> {
    source.lock().unwrap_or_else(std::sync::PoisonError::into_inner).respond(uri, headers)
}

/// The time of which a report is, if it says one.
fn seconds(report: &Report) -> Option<i64> {
    let moment = report.as_of.as_deref()?.parse::<resourcesync::value::Datetime>().ok()?;
    Some(moment.to_unix().0)
}

/// The names whose bodies differ.
fn names(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let all = one.keys().chain(other.keys());
    let mut found: Vec<String> = all.filter(|name| one.get(*name) != other.get(*name)).cloned().collect();
    found.dedup();
    found
}
