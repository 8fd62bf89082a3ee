//! What a run would do: the first one, and one of a copy that was in step at a moment of the past. Nothing but documents is requested.
//!
//! The copy of the past is made from the Source itself: what it lists now, without what its Change Lists have since that moment.

use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};
use core::mem;

use resourcesync::{diagnostic::Reason, limits::Limits};
use serde::Serialize;

use super::{Pull, PullCheckpoint, PullOptions, PullStep};
use crate::{
    chain::{Chain, Event},
    change::Change,
    checkpoint::{Checkpoint, Seen},
    ledger::KeptResource,
    listed_resource::moment,
    report::Report,
    survey::{Head, Request, Step},
};

/// Reads a Source to say what runs would do; driven like a [`Pull`].
#[derive(Debug)]
pub struct Forecast {
    options: PullOptions,
    since: Option<String>,
    phase: Phase,
    first: Option<Report>,
    next: Option<Report>,
}

/// What runs would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlook {
    /// The first run, or the next one after the checkpoint that was given.
    pub first: Report,
    /// A run that continues from the moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Report>,
}

#[derive(Debug)]
enum Phase {
    /// The dry run without a copy.
    First(Box<Pull>),
    /// A run that takes everything, to know what there is.
    Present(Box<Pull>),
    /// The changes since the moment, set by set.
    Following(Box<Past>),
    /// The dry run of the copy of the past.
    Next(Box<Pull>),
    Done,
}

/// A copy on its way back to the past.
#[derive(Debug)]
struct Past {
    kept: PullCheckpoint,
    chain: Chain,
    /// The number of the set that is followed.
    set: usize,
    /// The changes of each document.
    read: BTreeMap<u32, Vec<Change>>,
    /// The first change of each resource.
    first: BTreeMap<String, FirstChange>,
    /// False if changes are missing.
    is_complete: bool,
}

#[derive(Debug)]
struct FirstChange {
    at: Option<i64>,
    is_created: bool,
}

impl Forecast {
    /// Begins. `since` is a moment in the notation of the standard.
    ///
    /// # Errors
    ///
    /// A message, if an option has no such value.
    pub fn new(options: PullOptions, since: Option<String>) -> Result<Forecast, String> {
        if let Some(text) = since.as_ref().filter(|text| moment(text).is_none()) {
            return Err(alloc::format!("since: expected a datetime such as 2026-01-31T12:00:00Z, and not `{text}`"));
        }
        let options = PullOptions { dry_run: true, ..options };
        let first = Box::new(Pull::new(options.clone())?);
        Ok(Forecast { options, since, phase: Phase::First(first), first: None, next: None })
    }

    /// The next document to request; `None` at the end.
    #[expect(clippy::should_implement_trait, reason = "it is answered before it is called again")]
    pub fn next(&mut self) -> Option<Request> {
        loop {
            let step = match &mut self.phase {
                Phase::First(pull) | Phase::Present(pull) | Phase::Next(pull) => pull.next(),
                Phase::Following(past) => match past.chain.next() {
                    Step::Read(request) => PullStep::Read { request },
                    Step::Done => PullStep::Done,
                },
                Phase::Done => return None,
            };
            match step {
                PullStep::Read { request } => return Some(request),
                PullStep::Resource { .. } => {}
                PullStep::Done => self.proceed(),
            }
        }
    }

    /// Decides what comes after a phase.
    fn proceed(&mut self) {
        let ended = self.options.started.clone();
        self.phase = match (mem::replace(&mut self.phase, Phase::Done), self.since.clone()) {
            (Phase::First(pull), since) => {
                self.first = Some(pull.finish(&ended).report);
                let present = PullOptions { dry_run: false, checkpoint: None, ..self.options.clone() };
                since.and_then(|_| Pull::new(present).ok()).map_or(Phase::Done, |pull| Phase::Present(Box::new(pull)))
            }
            (Phase::Present(pull), Some(since)) => match pull.finish(&ended).checkpoint {
                Some(kept) => self.follow(kept, &since),
                None => Phase::Done,
            },
            (Phase::Following(past), Some(since)) => match past.end(self.options.now, &since) {
                Ok(past) => Phase::Following(past),
                Err(kept) => self.continued(*kept),
            },
            (Phase::Next(pull), _) => {
                self.next = Some(pull.finish(&ended).report);
                Phase::Done
            }
            _ => Phase::Done,
        };
    }

    /// Reads what changed since the moment.
    fn follow(&self, kept: PullCheckpoint, since: &str) -> Phase {
        match Past::new(kept, self.options.now, since) {
            Ok(past) => Phase::Following(Box::new(past)),
            Err(kept) => self.continued(*kept),
        }
    }

    /// The run that continues from the moment.
    fn continued(&self, kept: PullCheckpoint) -> Phase {
        let options = PullOptions { checkpoint: Some(kept), ..self.options.clone() };
        Pull::new(options).map_or(Phase::Done, |pull| Phase::Next(Box::new(pull)))
    }

    /// The head of the response to a request.
    pub fn answer(&mut self, head: Head) {
        match &mut self.phase {
            Phase::First(pull) | Phase::Present(pull) | Phase::Next(pull) => pull.answer(head),
            Phase::Following(past) => past.chain.answer(head),
            Phase::Done => {}
        }
    }

    /// Bytes of its body.
    pub fn push(&mut self, bytes: &[u8]) {
        match &mut self.phase {
            Phase::First(pull) | Phase::Present(pull) | Phase::Next(pull) => pull.push(bytes),
            Phase::Following(past) => {
                past.chain.push(bytes);
                past.take();
            }
            Phase::Done => {}
        }
    }

    /// The end of its body.
    pub fn end(&mut self) {
        match &mut self.phase {
            Phase::First(pull) | Phase::Present(pull) | Phase::Next(pull) => pull.end(),
            Phase::Following(past) => {
                past.chain.end();
                past.take();
            }
            Phase::Done => {}
        }
    }

    /// There is no response, or it broke off.
    pub fn failed(&mut self, reason: Reason) {
        match &mut self.phase {
            Phase::First(pull) | Phase::Present(pull) | Phase::Next(pull) => pull.failed(reason),
            Phase::Following(past) => {
                past.chain.failed(reason);
                past.take();
            }
            Phase::Done => {}
        }
    }

    /// What the runs would do; `None` before the end.
    pub fn finish(self) -> Option<Outlook> {
        Some(Outlook { first: self.first?, next: self.next })
    }
}

impl Past {
    /// Begins to follow the first set.
    fn new(kept: PullCheckpoint, now: i64, since: &str) -> Result<Past, Box<PullCheckpoint>> {
        let Some(first) = kept.ledger.checkpoints.first() else { return Err(Box::new(kept)) };
        let chain = Chain::new(as_of(first, since), now, &Limits::default());
        Ok(Past { chain, kept, set: 0, read: BTreeMap::new(), first: BTreeMap::new(), is_complete: true })
    }

    fn take(&mut self) {
        for event in self.chain.events() {
            match event {
                Event::Changed(document, change) => self.read.entry(document).or_default().push(change),
                Event::Counts(_) => {}
                Event::Dropped(document) => drop(self.read.remove(&document)),
            }
        }
    }

    /// Ends a set: the next one is followed, or all is as it was at the moment.
    fn end(mut self: Box<Past>, now: i64, since: &str) -> Result<Box<Past>, Box<PullCheckpoint>> {
        self.set = self.set.saturating_add(1);
        let next = self.kept.ledger.checkpoints.get(self.set);
        let next = next.map(|own| Chain::new(as_of(own, since), now, &Limits::default()));
        let is_last = next.is_none();
        let ended = mem::replace(
            &mut self.chain,
            next.unwrap_or_else(|| Chain::new(Checkpoint::default(), now, &Limits::default())),
        );
        self.is_complete &= ended.finish().state.is_complete();
        let start = seconds(Some(since));
        for change in mem::take(&mut self.read).into_values().flatten() {
            let at = seconds(change.datetime.as_deref());
            let Some(uri) = change.resource.as_ref().map(|resource| resource.uri.clone()) else { continue };
            if at.is_some() && at <= start {
                continue;
            }
            let is_created = change.is_created();
            let is_first =
                self.first.get(&uri).is_none_or(|known| at.is_some() && (known.at.is_none() || at < known.at));
            if is_first {
                self.first.insert(uri, FirstChange { at, is_created });
            }
        }
        if is_last { Err(Box::new(self.at(since))) } else { Ok(self) }
    }

    /// The copy as it was at the moment. Of what may have changed since, nothing is known but that it was there.
    fn at(self, since: &str) -> PullCheckpoint {
        let Past { mut kept, mut first, is_complete, .. } = self;
        let start = seconds(Some(since));
        let unknown = |uri: String| KeptResource { uri, ..KeptResource::default() };
        let mut resources = Vec::new();
        for resource in mem::take(&mut kept.ledger.resources) {
            let lastmod = seconds(resource.lastmod.as_deref());
            match first.remove(&resource.uri) {
                Some(FirstChange { is_created: true, .. }) => {}
                Some(_) => resources.push(unknown(resource.uri)),
                None if is_complete || (lastmod.is_some() && lastmod <= start) => resources.push(resource),
                None => resources.push(unknown(resource.uri)),
            }
        }
        // What was there, and is no longer listed.
        let gone = first.into_iter().filter(|(_, change)| !change.is_created);
        resources.extend(gone.map(|(uri, _)| unknown(uri)));
        kept.ledger.resources = resources;
        kept.ledger.retries.clear();
        for checkpoint in &mut kept.ledger.checkpoints {
            *checkpoint = as_of(checkpoint, since);
        }
        kept
    }
}

/// The checkpoint of a set that was processed up to a moment.
fn as_of(own: &Checkpoint, since: &str) -> Checkpoint {
    Checkpoint {
        closed: Vec::new(),
        inner: None,
        set: own.set.clone(),
        as_of: Some(since.into()),
        baseline: Some(since.into()),
        sources: own.sources.clone(),
        dumps: own.dumps.clone(),
        open: Vec::new(),
        documents: Vec::new(),
        seen: Seen::default(),
        consulted: 0,
        hole: None,
    }
}

fn seconds(text: Option<&str>) -> Option<i64> {
    moment(text?).map(|moment| moment.to_unix().0)
}
