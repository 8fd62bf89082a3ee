//! A Destination: a listener, and a copy that the machines of `sync` bring up to date.

use std::{collections::BTreeMap, time::Duration};

use resourcesync::{diagnostic::Reason, limits::Limits, value::Datetime};
use resourcesync_notify::{
    listener::{CopyOptions, Listener, RunOutcome, RunResult},
    payload::Channel,
    state::State as Kept,
    subscriber::{Notice, Options},
};
use resourcesync_sync::{
    Chain, Change, Checkpoint, Survey, Wanted,
    chain::{self, Followed, Order, State},
    checkpoint::Seen,
    survey::{self, Head, Remembered, Step},
};

use super::{
    SOURCE,
    random::Random,
    source::{Source, digests},
};

/// Longer than every run.
const NEVER: Duration = Duration::from_secs(1 << 30);

pub(super) struct Destination {
    pub(super) listener: Listener,
    options: (Options, CopyOptions),
    /// What the listener keeps.
    pub(super) kept: Kept,
    /// The digests of the resources of the copy, durable with the checkpoint.
    pub(super) copy: BTreeMap<String, String>,
    checkpoint: Checkpoint,
    /// Runs that read lists, and notifications that were applied.
    pub(super) runs: (u64, u64),
}

/// What the network of a run does wrong.
pub(super) struct Faults<'r> {
    pub(super) random: &'r mut Random,
    /// One request in so many fails; 0 for none.
    pub(super) loss: u64,
    pub(super) is_cached: bool,
}

impl Destination {
    /// One that applies notifications also polls: no list has shown that its copy is complete.
    pub(super) fn new(number: usize, direct: bool) -> Destination {
        let mut options = Options::new(&format!("https://destination{number}.example/rs/")).unwrap();
        options.channels = vec![Channel::ChangeNotification];
        options.lease = Duration::from_secs(86_400);
        let copy = CopyOptions { poll: if direct { CopyOptions::POLL } else { NEVER }, direct };
        Destination {
            listener: Listener::restore(options.clone(), Some(copy), Kept::new()).unwrap(),
            options: (options, copy),
            kept: Kept::new(),
            copy: BTreeMap::new(),
            checkpoint: Checkpoint::default(),
            runs: (0, 0),
        }
    }

    /// The process starts with what was durable.
    pub(super) fn restart(&mut self) {
        let (options, copy) = self.options.clone();
        self.listener = Listener::restore(options, Some(copy), self.kept.clone()).unwrap();
    }

    /// Reads lists.
    pub(super) fn sync(&mut self, source: &Source, faults: &mut Faults<'_>, now: i64) -> RunResult {
        self.runs.0 += 1;
        let before = self.copy.clone();
        let is_done = match self.by_changes(source, faults, now) {
            Some(is_done) => is_done,
            None => self.by_lists(source, faults, now),
        };
        RunResult {
            outcome: if is_done { RunOutcome::InStep } else { RunOutcome::Incomplete },
            as_of: self.checkpoint.as_of.as_deref().and_then(|at| at.parse().ok()),
            changed: u64::from(self.copy != before),
            unfinished: u64::from(!is_done),
        }
    }

    /// Applies a notification; `None` if only lists show what to do.
    pub(super) fn apply(&mut self, source: &Source, faults: &mut Faults<'_>, notice: &Notice) -> Option<RunResult> {
        let as_of: Datetime = self.checkpoint.as_of.as_deref()?.parse().ok()?;
        let changes: Vec<Change> =
            notice.changes.entries().iter().zip(0..).map(|(entry, at)| Change::of(entry, at)).collect();
        let is_next =
            |change: &Change| Some(change.datetime.as_deref()?.parse::<Datetime>().ok()?.start() > as_of.start());
        if !self.checkpoint.is_usable() || !changes.iter().all(|change| is_next(change) == Some(true)) {
            return None;
        }
        self.runs.1 += 1;
        let (mut changed, mut unfinished) = (0, 0);
        for (change, wanted) in changes.iter().filter_map(|change| Some((change, change.wanted.as_ref()?))) {
            let name = wanted.uri.trim_start_matches(SOURCE);
            let body = source.resources.get(name).filter(|_| !faults.random.once_in(faults.loss));
            let is_as_listed = body.is_some_and(|body| digests(body).to_string() == wanted.hashes().to_string());
            if !change.is_deleted && !is_as_listed {
                unfinished += 1;
                continue;
            }
            changed += 1;
            put(&mut self.copy, change);
        }
        Some(RunResult { outcome: RunOutcome::Incomplete, as_of: None, changed, unfinished })
    }

    /// True if the Change Lists led from the last state to now; `None` if the Resource Lists are needed.
    fn by_changes(&mut self, source: &Source, faults: &mut Faults<'_>, now: i64) -> Option<bool> {
        if !self.checkpoint.is_usable() {
            return None;
        }
        let (followed, changes) = follow(Chain::new(self.checkpoint.clone(), now, &Limits::default()), source, faults);
        let is_complete = followed.state.is_complete() && followed.unreadable_entries == 0;
        if is_complete {
            replay(&mut self.copy, &followed, changes);
            self.checkpoint = followed.checkpoint.clone();
        }
        // A document that could not be read is tried again instead of reading everything.
        (is_complete || !matches!(followed.state, State::Gap | State::Absent)).then_some(is_complete)
    }

    /// True if the Resource Lists, and the changes since, were read completely.
    fn by_lists(&mut self, source: &Source, faults: &mut Faults<'_>, now: i64) -> bool {
        let mut survey = Survey::new(SOURCE, Remembered::default(), false, now, &Limits::default());
        let mut listed: Vec<(u32, Wanted)> = Vec::new();
        while let Step::Read(request) = survey.next() {
            match fetch(source, faults, &request.uri) {
                None => survey.failed(Reason::other("no response")),
                Some((head, body)) => {
                    survey.answer(head);
                    survey.push(&body);
                    survey.end();
                }
            }
            for event in survey.events() {
                match event {
                    survey::Event::Listed(document, wanted) => listed.push((document, wanted)),
                    survey::Event::Dropped(document) => listed.retain(|(own, _)| *own != document),
                    survey::Event::Restarted => listed.clear(),
                    survey::Event::Counts(_) => {}
                }
            }
        }
        let found = survey.finish();
        let [set] = found.sets.as_slice() else { return false };
        if !found.lists_complete || found.mixed.is_some() || found.unreadable_entries > 0 {
            return false;
        }
        let checkpoint = Checkpoint {
            set: set.uri.clone(),
            as_of: set.at.clone(),
            sources: set.changes.clone(),
            seen: Seen::default(),
            consulted: now,
            ..Checkpoint::default()
        };
        let chain = Chain::new(checkpoint, now, &Limits::default()).after_baseline();
        let (followed, changes) = follow(chain, source, faults);
        if !followed.state.is_complete() {
            return false;
        }
        let start = |text: Option<&str>| text.and_then(|text| text.parse::<Datetime>().ok()).map(|at| at.start());
        if start(followed.checkpoint.as_of.as_deref()) < start(self.checkpoint.as_of.as_deref()) {
            return false;
        }
        self.copy = listed.into_iter().map(|(_, wanted)| (wanted.uri.clone(), wanted.hashes().to_string())).collect();
        replay(&mut self.copy, &followed, changes);
        self.checkpoint = followed.checkpoint;
        true
    }
}

/// A document of the Source; `None` if the network fails.
fn fetch(source: &Source, faults: &mut Faults<'_>, uri: &str) -> Option<(Head, Vec<u8>)> {
    if faults.random.once_in(faults.loss) {
        return None;
    }
    let body = source.document(uri, faults.is_cached);
    let status = if body.is_some() { 200 } else { 404 };
    Some((Head { uri: uri.to_owned(), status, headers: Vec::new() }, body.unwrap_or_default().to_vec()))
}

fn follow(mut chain: Chain, source: &Source, faults: &mut Faults<'_>) -> (Followed, Vec<(u32, Change)>) {
    let mut changes: Vec<(u32, Change)> = Vec::new();
    while let Step::Read(request) = chain.next() {
        match fetch(source, faults, &request.uri) {
            None => chain.failed(Reason::other("no response")),
            Some((head, body)) => {
                chain.answer(head);
                chain.push(&body);
                chain.end();
            }
        }
        for event in chain.events() {
            match event {
                chain::Event::Changed(document, change) => changes.push((document, change)),
                chain::Event::Dropped(document) => changes.retain(|(own, _)| *own != document),
                chain::Event::Counts(_) => {}
            }
        }
    }
    (chain.finish(), changes)
}

/// Applies the last change of each resource.
fn replay(copy: &mut BTreeMap<String, String>, followed: &Followed, changes: Vec<(u32, Change)>) {
    for part in &followed.order {
        let mut own: Vec<&Change> = changes
            .iter()
            .filter(|(document, change)| *document == part.document && change.position >= part.from)
            .map(|(_, change)| change)
            .collect();
        match part.order {
            Order::Forward => own.sort_by_key(|change| change.position),
            Order::Reverse => own.sort_by_key(|change| std::cmp::Reverse(change.position)),
            Order::None => own.sort_by_key(|change| (change.nanoseconds(), change.position)),
        }
        own.into_iter().for_each(|change| put(copy, change));
    }
}

/// Applies a change.
fn put(copy: &mut BTreeMap<String, String>, change: &Change) {
    let Some(wanted) = &change.wanted else { return };
    match change.is_deleted {
        true => drop(copy.remove(&wanted.uri)),
        false => drop(copy.insert(wanted.uri.clone(), wanted.hashes().to_string())),
    }
}
