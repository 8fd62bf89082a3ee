//! Builds the plan: reads the documents of the Source, and decides about each listed resource.

use std::{
    io::{self, Read},
    time::{Duration, Instant},
};

use resourcesync::diagnostic::Reason;
use resourcesync_sync::{
    Action, Chain, Survey, Wanted, decide,
    decide::Requirements,
    survey::{Event, Findings, Head, Step},
};

use super::{SyncError, options::Phase, run::Run};
use crate::{
    cancel::Cancel,
    http::{self, Attempts, Client, Condition, Error, ErrorKind, Request},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// Entries per batch of decisions, sorted by URI.
const BATCH: usize = 1_000;

/// A bit set of row numbers.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number; false if it was already present.
    pub(super) fn insert(&mut self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else { return false };
        let (word, bit) = (number / 64, 1_u64 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word.saturating_add(1), 0);
        }
        let Some(word) = self.0.get_mut(word) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(super) fn remove(&mut self, number: i64) {
        let Ok(number) = usize::try_from(number) else { return };
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1_u64 << (number % 64));
        }
    }

    pub(super) fn contains(&self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else { return false };
        self.0.get(number / 64).is_some_and(|word| word & 1_u64 << (number % 64) != 0)
    }
}

/// A machine that reads documents.
pub(super) trait Documents {
    fn next(&mut self) -> Step;
    fn answer(&mut self, head: Head);
    fn push(&mut self, bytes: &[u8]);
    fn end(&mut self);
    fn failed(&mut self, reason: Reason);
    fn again(&mut self);
    fn stop(&mut self, reason: &Reason);
}

macro_rules! documents {
    ($($machine:ty),*) => {
        $(impl Documents for $machine {
            fn next(&mut self) -> Step {
                self.next()
            }
            fn answer(&mut self, head: Head) {
                self.answer(head);
            }
            fn push(&mut self, bytes: &[u8]) {
                self.push(bytes);
            }
            fn end(&mut self) {
                self.end();
            }
            fn failed(&mut self, reason: Reason) {
                self.failed(reason);
            }
            fn again(&mut self) {
                self.again();
            }
            fn stop(&mut self, reason: &Reason) {
                self.stop(reason);
            }
        })*
    };
}

documents!(Survey, Chain);

/// Requests the documents of a machine, until a deadline; `take` takes its events, with the number of documents read. False if the deadline
/// ended it.
pub(super) fn read<M: Documents>(
    client: &Client,
    cancel: &Cancel,
    deadline: Option<Instant>,
    machine: &mut M,
    take: &mut dyn FnMut(&mut M, u64) -> Result<(), SyncError>,
) -> Result<bool, SyncError> {
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut documents: u64 = 0;
    let mut window = vec![0; WINDOW];
    let mut attempts = Attempts::new(client);
    while let Step::Read(asked) = machine.next() {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let pause = Duration::from_secs(asked.pause);
        if !attempts.pause(left.map_or(pause, |left| pause.min(left))) {
            break;
        }
        if is_late() {
            machine.stop(&Reason::other("the time of this run is over"));
            take(machine, documents)?;
            return Ok(false);
        }
        let condition = asked.etag.map(Condition::NoneMatch).or(asked.modified.map(Condition::ModifiedSince));
        let mut request = Request { is_start: asked.is_start, condition, ..Request::get(asked.uri) };
        if asked.no_cache
            && let Ok(with_header) = request.clone().header("Cache-Control", "no-cache")
        {
            request = with_header;
        }
        match http::fetch(client, &request, &mut attempts) {
            Err(error) if error.kind == ErrorKind::Interrupted => break,
            Err(error) => machine.failed(error.reason),
            Ok(mut response) => {
                let headers = response.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
                let headers = headers.collect();
                machine.answer(Head { uri: response.uri.clone(), status: response.status, headers });
                loop {
                    match response.body.read(&mut window) {
                        Ok(0) => machine.end(),
                        Ok(length) => {
                            machine.push(window.get(..length).unwrap_or_default());
                            take(machine, documents)?;
                            if is_late() {
                                machine.stop(&Reason::other("the time of this run is over"));
                                take(machine, documents)?;
                                return Ok(false);
                            }
                            continue;
                        }
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => {
                            let error = Error::of(&error).cloned().unwrap_or_else(Error::interrupted);
                            if error.is_temporary() && attempts.again() {
                                machine.again();
                                break;
                            }
                            machine.failed(error.reason);
                        }
                    }
                    attempts = Attempts::new(client);
                    break;
                }
            }
        }
        documents = documents.saturating_add(1);
        take(machine, documents)?;
        if cancel.is_cancelled() {
            break;
        }
    }
    Ok(true)
}

impl Run<'_, '_> {
    /// When the time of this run is over.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.begun.checked_add(self.options.max_time?)
    }

    /// Reads all documents and writes the plan to the ledger.
    pub(super) fn list(&mut self, mut survey: Survey) -> Result<Findings, SyncError> {
        let mut waiting: Vec<(u32, Wanted)> = Vec::new();
        let mut entries = 0;
        let (client, cancel) = (self.documents.clone(), self.cancel.clone());
        let is_whole = read(&client, &cancel, self.deadline(), &mut survey, &mut |survey, documents| {
            self.take(survey, &mut waiting, &mut entries)?;
            self.progress(Phase::Documents, documents, None, entries);
            Ok(())
        })?;
        self.is_over_budget |= !is_whole;
        if self.cancel.is_cancelled() {
            self.facts.interrupted = true;
        }
        self.decide(&mut waiting)?;
        Ok(survey.finish())
    }

    fn take(
        &mut self,
        survey: &mut Survey,
        waiting: &mut Vec<(u32, Wanted)>,
        entries: &mut u64,
    ) -> Result<(), SyncError> {
        for event in survey.events() {
            match event {
                Event::Listed(document, wanted) => {
                    *entries = entries.saturating_add(1);
                    if let Some(set) = survey.set_of(document) {
                        self.ledger.own(document, set, &wanted.uri)?;
                    }
                    waiting.push((document, wanted));
                    if waiting.len() >= BATCH {
                        self.decide(waiting)?;
                    }
                }
                Event::Counts(_) => self.decide(waiting)?,
                Event::Dropped(document) => {
                    waiting.retain(|(own, _)| *own != document);
                    self.ledger.forget(Some(document))?;
                    self.ledger.disown(Some(document))?;
                }
                Event::Restarted => {
                    waiting.clear();
                    *entries = 0;
                    self.ledger.forget(None)?;
                    self.ledger.disown(None)?;
                    self.listed = Bits::default();
                    (self.counts.unchanged, self.counts.skipped) = (0, 0);
                }
            }
        }
        Ok(())
    }

    /// Passes over what is not selected: it is not fetched, and what is held of it is not deleted.
    pub(super) fn skip(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        self.counts.skipped = self.counts.skipped.saturating_add(1);
        if let Some(entry) = self.ledger.find(&wanted.uri)? {
            self.listed.insert(entry.id);
        }
        Ok(())
    }

    /// Decides about a batch.
    fn decide(&mut self, waiting: &mut Vec<(u32, Wanted)>) -> Result<(), SyncError> {
        // Stable: the later of two entries with the same URI counts (RL-13).
        waiting.sort_by(|(_, one), (_, other)| one.uri.cmp(&other.uri));
        for (document, wanted) in waiting.drain(..) {
            if !self.selector.selects(&wanted) {
                self.skip(&wanted)?;
                continue;
            }
            let required = Requirements { digest: self.options.require_hash };
            let Some(entry) = self.ledger.find(&wanted.uri)? else {
                let action = decide(&wanted, None, required);
                self.ledger.plan(document, word(action), &wanted)?;
                continue;
            };
            let place = entry.path.clone().or_else(|| self.places.of(&wanted.uri)).unwrap_or_default();
            let local = self.local(&place, &entry)?;
            let is_first = self.listed.insert(entry.id);
            match decide(&wanted, Some((&entry.held, local)), required) {
                Action::Keep if is_first => self.counts.unchanged = self.counts.unchanged.saturating_add(1),
                Action::Keep => drop(self.ledger.unplan(&wanted.uri)?),
                action => self.ledger.plan(document, word(action), &wanted)?,
            }
        }
        Ok(())
    }
}

/// An action in the plan.
pub(super) fn word(action: Action) -> &'static str {
    match action {
        Action::Keep => "keep",
        Action::Hash => "hash",
        Action::Check => "check",
        Action::Fetch => "fetch",
        Action::Refuse => "refuse",
    }
}
