//! One run whose resources the program takes itself, with a ledger in memory: which of them are new, changed or gone. Only documents
//! are fetched, and the packages whose manifests replace lists.
//!
//! 1. [`Pull::next`] returns a document to request: its response goes to [`Pull::answer`], [`Pull::push`] and [`Pull::end`], or [`Pull::failed`].
//! 2. Or a resource for the program, by the decisions of a [`Destination`]; it counts as stored from then on.
//! 3. At the end, [`Pull::finish`] returns the report, and the [`PullCheckpoint`] of the next run.
//!
//! A dry run has no resources for the program: its report has the plan, what would be deleted, and what the guard would withhold.

mod options;
mod past;
#[cfg(test)]
mod tests;

use alloc::{collections::VecDeque, string::String, vec::Vec};
use core::time::Duration;

use resourcesync::diagnostic::{Reason, ReasonCode};
use serde::{Deserialize, Serialize};

pub use self::{
    options::{PullCheckpoint, PullOptions},
    past::{Forecast, Outlook},
};
use crate::{
    decide::Action,
    destination::{Binding, Destination, Files, Input, Now, Occupant, Output, Task, Transferred},
    ledger::{Memory, Resources, StoredResource, as_listed},
    listed_resource::{Facets, ListedResource},
    memory::manifest,
    place::{Layout, Places},
    report::{BytesFrom, Report, StoredCounts},
    stored_state::Local,
    survey::{Head, Request, Step},
    transfer::Verified,
};

/// Maximum bytes of a package whose manifest is read.
const PACKAGE: usize = 1 << 30;

/// One run.
#[derive(Debug)]
pub struct Pull {
    machine: Destination,
    ledger: Memory,
    now: Now,
    run: u64,
    is_dry: bool,
    uri: String,
    /// What is to be removed.
    due: VecDeque<StoredResource>,
    /// The package whose manifest is read, with its request.
    package: Option<(Request, Body)>,
}

/// What the program does next.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "lowercase")]
#[allow(clippy::large_enum_variant)] // nearly all steps are resources; it fires on 64-bit targets only
pub enum PullStep {
    /// Request this document.
    Read {
        /// The request.
        request: Request,
    },
    /// Take this resource.
    Resource {
        /// The resource.
        resource: PulledResource,
    },
    /// Nothing: the run is over.
    Done,
}

/// What became of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PulledChange {
    /// The program does not have it.
    Created,
    /// The program has another state of it.
    Updated,
    /// The Source no longer has it.
    Deleted,
    /// Neither the order of its changes nor their times show whether it was deleted last: its server knows.
    Unknown,
}

/// A resource that the program does not have as listed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PulledResource {
    /// What became of it.
    pub change: PulledChange,
    /// The resource as listed; only its URI if it was deleted.
    #[serde(flatten)]
    pub resource: ListedResource,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Pulled {
    /// The report. Its outcome is that of a copy that stored everything the program took.
    pub report: Report,
    /// Where the next run begins; not of a dry run.
    pub checkpoint: Option<PullCheckpoint>,
}

/// Nobody else changes what the program took.
#[derive(Debug)]
struct Taken;

impl Files<Memory> for Taken {
    fn compare(&mut self, _: &str, _: &StoredResource) -> Result<Local, core::convert::Infallible> {
        Ok(Local::Intact)
    }

    fn look(&mut self, _: &str, _: &Memory) -> Result<Occupant, core::convert::Infallible> {
        Ok(Occupant::Evaded)
    }
}

/// The body of a package.
#[derive(Debug)]
struct Body {
    /// `None` if there are too many.
    bytes: Option<Vec<u8>>,
}

impl Default for Body {
    fn default() -> Body {
        Body { bytes: Some(Vec::new()) }
    }
}

impl Body {
    fn push(&mut self, more: &[u8], most: usize) {
        self.bytes = self.bytes.take().filter(|bytes| more.len() <= most.saturating_sub(bytes.len()));
        if let Some(bytes) = &mut self.bytes {
            bytes.extend_from_slice(more);
        }
    }
}

impl Pull {
    /// Begins a run.
    ///
    /// # Errors
    ///
    /// A message, if an option has no such value, or the checkpoint is of another Source.
    pub fn new(options: PullOptions) -> Result<Pull, String> {
        let settings = options.settings()?;
        let PullOptions { uri, checkpoint, now, started, dry_run, sets, .. } = options;
        if let Some(other) = checkpoint.as_ref().map(|own| &own.source).filter(|own| **own != uri) {
            return Err(alloc::format!("checkpoint: it is of `{other}`"));
        }
        let mut ledger: Memory = checkpoint.map(|own| own.ledger.into()).unwrap_or_default();
        let run = ledger.begin_run();
        let Ok((stored, _)) = ledger.totals();
        let places = Places::new(Layout::default(), &uri);
        let binding = Binding { uri: uri.clone(), sets, places };
        let machine = Destination::new(binding, settings, run, started, stored);
        let now = Now { seconds: now, elapsed: Duration::ZERO, is_cancelled: false };
        Ok(Pull { machine, ledger, now, run, is_dry: dry_run, uri, due: VecDeque::new(), package: None })
    }

    /// The next step. A document has to be answered before it is called again.
    #[expect(clippy::should_implement_trait, reason = "it is answered before it is called again")]
    pub fn next(&mut self) -> PullStep {
        loop {
            let input = match self.machine.poll() {
                Output::Recover => Input::Recovered { stored: self.stored(), conflicts: 0 },
                Output::Read => match self.machine.documents().map(|documents| documents.next()) {
                    Some(Step::Read(request)) => {
                        self.package = request.is_manifest.then(|| (request.clone(), Body::default()));
                        return PullStep::Read { request };
                    }
                    _ => Input::Read { is_late: false },
                },
                // The program fetches each resource by itself.
                Output::Unpack(_) => Input::Unpacked,
                Output::Transfer(_) => match self.transfer() {
                    Some(resource) => return PullStep::Resource { resource },
                    None => Input::Transferred,
                },
                Output::Remove => match self.remove() {
                    Some(resource) => return PullStep::Resource { resource },
                    None => Input::Removed,
                },
                Output::Done => return PullStep::Done,
            };
            let Ok(()) = self.machine.handle(self.now, input, &mut self.ledger, &mut Taken);
            self.machine.tell(&mut |_| {});
        }
    }

    /// The head of the response to a request.
    pub fn answer(&mut self, head: Head) {
        if head.status != 200 {
            self.package = None;
        }
        if let Some(documents) = self.machine.documents() {
            documents.answer(head);
        }
    }

    /// Bytes of its body.
    pub fn push(&mut self, bytes: &[u8]) {
        match (&mut self.package, self.machine.documents()) {
            (Some((_, body)), _) => body.push(bytes, PACKAGE),
            (None, Some(documents)) => documents.push(bytes),
            (None, None) => {}
        }
        self.take();
    }

    /// The end of its body.
    pub fn end(&mut self) {
        let package = self.package.take();
        if let Some(documents) = self.machine.documents() {
            let read = package.map_or(Ok(()), |(request, body)| {
                let bytes = body.bytes.ok_or_else(|| Reason::new(ReasonCode::TooLarge))?;
                manifest(&request, &bytes, &mut |bytes| documents.push(bytes))
            });
            match read {
                Ok(()) => documents.end(),
                Err(reason) => documents.failed(reason),
            }
        }
        self.take();
    }

    /// There is no response, or it broke off.
    pub fn failed(&mut self, reason: Reason) {
        self.package = None;
        if let Some(documents) = self.machine.documents() {
            documents.failed(reason);
        }
        self.take();
    }

    /// Ends the run. `ended` is the time, as in the report.
    pub fn finish(mut self, ended: &str) -> Pulled {
        self.machine.conclude(ended, &mut self.ledger, |error| match error {});
        let Ok((resources, bytes)) = self.ledger.totals();
        let checkpoint = PullCheckpoint::of(self.uri, &self.ledger);
        let report = self.machine.into_report(StoredCounts { resources, bytes });
        Pulled { report, checkpoint: Some(checkpoint).filter(|_| !self.is_dry) }
    }

    fn stored(&self) -> u64 {
        let Ok((stored, _)) = self.ledger.totals();
        stored
    }

    fn take(&mut self) {
        let Ok(()) = self.machine.take(&mut self.ledger, &mut Taken);
    }

    /// The next resource of the plan.
    fn transfer(&mut self) -> Option<PulledResource> {
        if self.is_dry {
            while let Ok(Some(planned)) = self.machine.next_planned(&self.ledger) {
                let Ok(()) = self.machine.planned(planned, Ok(()), &mut self.ledger);
                self.machine.tell(&mut |_| {});
            }
            return None;
        }
        let Ok(task) = self.machine.next_task(self.now, false, &mut self.ledger, &mut Taken);
        let task = task?;
        let change = match (task.action, &task.stored) {
            (Action::Ask, _) => PulledChange::Unknown,
            (_, Some(_)) => PulledChange::Updated,
            (_, None) => PulledChange::Created,
        };
        let resource = ListedResource { patch: None, facets: Facets::default(), ..task.resource.clone() };
        self.store(task);
        Some(PulledResource { change, resource })
    }

    /// Records what the program takes.
    fn store(&mut self, task: Task) {
        let state = as_listed(&task.resource);
        let by = Verified::by(&task.resource);
        let from = BytesFrom::Loc.into();
        let transferred = Transferred::Staged { number: 0, state, mtime: 0, by, received: 0, from };
        let Ok(placed) = self.machine.transferred(task, transferred, &mut self.ledger);
        if let Some(placed) = placed {
            let is_update = placed.stored.id != 0;
            self.ledger.store(placed.stored, self.run);
            self.machine.placed(&placed.resource, is_update, None, placed.from);
        }
        self.machine.tell(&mut |_| {});
    }

    /// The next resource that is gone.
    fn remove(&mut self) -> Option<PulledResource> {
        self.due.extend(self.machine.due());
        while let Some(stored) = self.due.pop_front() {
            self.machine.removed(&stored);
            self.machine.tell(&mut |_| {});
            if self.is_dry {
                continue;
            }
            self.ledger.remove(&stored.uri);
            let (uri, loc) = (stored.uri.clone(), stored.uri);
            let resource = ListedResource { uri, loc, ..ListedResource::default() };
            return Some(PulledResource { change: PulledChange::Deleted, resource });
        }
        None
    }
}
