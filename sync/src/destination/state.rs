//! The state of a run, its report and its end.

use alloc::{borrow::ToOwned, boxed::Box, collections::VecDeque, string::String, vec::Vec};

use resourcesync::diagnostic::Reason;

use super::{
    files::Files,
    following::Following,
    listing::Listing,
    queue::{Queue, Versions},
    settings::{Now, Settings},
    supply::Supply,
    task::{Task, Transferred},
};
use crate::{
    bits::Bits,
    chain::FollowedSets,
    change::Change,
    checkpoint::Checkpoint,
    conclude::Outcome,
    dumps::Dumps,
    ledger::{Ledger, StoredResource},
    listed_resource::ListedResource,
    place::Places,
    record::{Limit, Record},
    report::{Item, PlanKind, PlanWhy, Report, StoredCounts},
    selection::Selector,
    stored_state::Local,
    survey::Findings,
};

/// Why a run cannot continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// The folder cannot be read or written.
    Folder(Reason),
    /// The ledger, or anything else that a run needs.
    State(Reason),
}

/// One run.
#[derive(Debug)]
pub struct Destination {
    pub(super) source: Source,
    pub(super) settings: Settings,
    pub(super) selector: Selector,
    pub(super) places: Places,
    pub(super) number: u64,
    pub(super) record: Record,
    pub(super) compared: Compared,
    pub(super) queue: Queue,
    pub(super) supply: Supply,
    pub(super) versions: Versions,
    /// Resources with other bytes than listed, while they are collected to be looked up again.
    pub(super) changed_meanwhile: Option<Vec<(Task, Transferred)>>,
    pub(super) told: VecDeque<Item>,
    pub(super) phase: Phase,
    pub(super) now: Now,
}

/// The Source, and how far it was followed.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) uri: String,
    /// The Capability Lists that are read; all if empty.
    pub(super) sets: Vec<String>,
    /// How far changes were processed before the run.
    pub(super) before: Vec<Checkpoint>,
    /// True if Change Lists can be followed from there.
    pub(super) is_usable: bool,
    /// Why lists are compared.
    pub(super) why: PlanWhy,
    /// True if the changes of a notification are applied, in place of lists.
    pub(super) is_notified: bool,
    /// True if documents are requested as if their dates were unknown: once a day, and where lists are asked for.
    pub(super) checks_dates: bool,
    /// True if lists of the other kind are read than those that the copy is of: Resource Lists and the manifests of Resource Dumps.
    pub(super) reads_others: bool,
}

/// The stored resources, by number.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) listed: Bits,
    /// What Change Lists state as deleted.
    pub(super) marked_deleted: Bits,
    /// Those of them that are only marked because no entry links to them any more.
    pub(super) unrelated: Bits,
    /// Up to which row related resources were compared.
    pub(super) related: i64,
    /// True in a run that compares with the Resource Lists.
    pub(super) is_by_lists: bool,
    /// When all that is stored was as listed, in seconds since 1970, if that is known.
    pub(super) known_at: Option<i64>,
    /// True if one of several sets has changes that no list contains: it may list by now what another one states as deleted.
    pub(super) lacks_changes: bool,
}

#[derive(Debug)]
pub(super) enum Phase {
    Start(Option<Vec<Change>>),
    /// Documents are read, up to the Resource Lists.
    Listing(Box<Listing>, ListedFor),
    /// Change Lists are read.
    Following(Box<Following>, FollowedFor),
    /// Resource Dumps are read, before the transfers.
    ReadingDumps(Box<Dumps>, Transfers),
    /// Packages of so many bytes are read, before the transfers.
    Unpacking(u64, Transfers),
    /// Resources are transferred.
    Transferring(Transfers),
    /// What Change Lists state as deleted is removed.
    RemovingStated(Vec<StoredResource>, Transfers),
    /// What is no longer listed is removed.
    RemovingUnlisted(Vec<StoredResource>, Transfers),
    Done,
}

/// What the documents are read for.
#[derive(Debug, Clone, Copy)]
pub(super) enum ListedFor {
    /// To see whether the Source Description has changed before Change Lists are followed.
    Description,
    /// To compare.
    Lists,
}

/// What Change Lists are read for.
#[derive(Debug)]
pub(super) enum FollowedFor {
    /// A run by changes.
    Changes,
    /// A run by changes, since the Resource Lists are unchanged.
    UnchangedLists(Box<Findings>),
    /// The changes since the Resource Lists that were just read, with the checkpoints after these.
    Lists(Box<Findings>, Vec<Checkpoint>),
    /// Resources with other bytes than listed.
    LookedUp(Transfers, Vec<(Task, Transferred)>),
}

/// The transfers of a run, and what follows them.
#[derive(Debug)]
pub(super) struct Transfers {
    pub(super) after: After,
    pub(super) followed: Option<FollowedSets>,
    /// The bytes of those with a listed length.
    pub(super) bytes: u64,
}

impl Transfers {
    /// What the plan was made of.
    pub(super) fn kind(&self) -> PlanKind {
        if matches!(self.after, After::Lists(_)) { PlanKind::List } else { PlanKind::Changes }
    }
}

/// What follows the transfers.
#[derive(Debug)]
pub(super) enum After {
    /// What the Resource Lists do not list is deleted, and their state recorded.
    Lists(Box<Findings>),
    /// What Change Lists state as deleted is deleted, and their state recorded.
    Changes,
    /// Nothing: the copy stays as it is until there are newer lists.
    Waiting,
    /// What the notification states as deleted is deleted.
    Notified(Deletions),
}

/// The binding of a copy: its Source and the names of its files.
#[derive(Debug, Clone)]
pub struct Binding {
    /// The Source.
    pub uri: String,
    /// The Capability Lists that are read; all if empty.
    pub sets: Vec<String>,
    /// The files of URIs.
    pub places: Places,
}

/// What a notification states as deleted.
#[derive(Debug, Default)]
pub(super) struct Deletions {
    pub(super) due: Vec<StoredResource>,
    pub(super) changes: Vec<Change>,
}

impl Destination {
    /// Begins a run with this number. `started` is the time, as in the report; `stored` is the number of stored resources.
    pub fn new(binding: Binding, settings: Settings, number: u64, started: String, stored: u64) -> Destination {
        let Binding { uri, sets, places } = binding;
        let record = Record::new(Report::begin(number, settings.dry_run, &uri, started), settings.max_listed, stored);
        Destination {
            source: Source {
                uri,
                sets,
                before: Vec::new(),
                is_usable: false,
                why: PlanWhy::FirstRun,
                is_notified: false,
                checks_dates: false,
                reads_others: false,
            },
            selector: Selector::new(&settings.selection),
            settings,
            places,
            number,
            record,
            compared: Compared::default(),
            queue: Queue::default(),
            supply: Supply::default(),
            versions: Versions::default(),
            changed_meanwhile: None,
            told: VecDeque::new(),
            phase: Phase::Start(None),
            now: Now::default(),
        }
    }

    /// Applies the changes of a notification, in place of reading lists.
    #[must_use]
    pub fn applying(mut self, changes: Vec<Change>) -> Destination {
        self.phase = Phase::Start(Some(changes));
        self
    }

    /// Passes on the results of resources since the last call; all of them, while the report has only some.
    pub fn tell(&mut self, on_item: &mut dyn FnMut(&Item)) {
        for item in self.told.drain(..) {
            on_item(&item);
            self.record.add(item);
        }
    }

    /// What the run found and did so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The number of resources that were attempted, and of all that are planned.
    pub fn attempted(&self) -> (u64, u64) {
        (self.queue.attempted(), self.queue.total())
    }

    /// Ends the run, since it cannot continue.
    pub fn fail(&mut self, why: Broken) {
        self.phase = Phase::Done;
        self.record.facts.failed = true;
        match why {
            Broken::Folder(reason) => self.record.find("SYN-15", [("reason", reason.into())]),
            Broken::State(reason) => self.record.find("SYN-11", [("reason", reason.into())]),
        }
    }

    /// Determines the outcome, and records the end of the run. `ended` is the time, as in the report.
    pub fn conclude<L: Ledger>(&mut self, ended: &str, ledger: &mut L, reason: impl Fn(L::Error) -> Reason) -> Outcome {
        let counts = self.record.counts;
        let forgotten = if self.source.is_notified { ledger.forget_failed(self.number) } else { Ok(()) };
        // A ledger that cannot be read may have some.
        let retries = ledger.retries().map_or(1, |retries| retries.len() as u64);
        let retries = retries.saturating_sub(self.record.failures.not_allowed);
        let retries = retries.saturating_add(self.versions_left(ledger));
        let unconfirmed = ledger.unconfirmed().map_or(1, |(left, _)| left);
        let outcome = match self.settings.dry_run {
            true => {
                let planned = self.queue.total().saturating_add(counts.deleted).saturating_add(retries);
                let planned = planned.saturating_sub(self.record.failures.not_allowed);
                self.record.conclude_plan(planned, unconfirmed)
            }
            false => self.record.conclude(retries, unconfirmed),
        };
        ended.clone_into(&mut self.record.report.run.ended);
        if !self.settings.dry_run
            && let Err(error) = forgotten.and_then(|()| ledger.end_run(self.number, ended, outcome, &counts))
        {
            self.record.report.run.outcome = Outcome::Failed;
            if !self.record.has(&["SYN-11"]) {
                self.record.find("SYN-11", [("reason", reason(error).into())]);
            }
        }
        self.record.report.run.outcome
    }

    /// The report; `held` is what is stored now.
    pub fn into_report(self, held: StoredCounts) -> Report {
        self.record.into_report(held)
    }

    /// Notes that the newest list is older than the user allows, if it is.
    pub(super) fn check_age(&mut self) {
        if let Some(most) = self.settings.reading.max_age {
            self.record.check_age(most.as_secs(), self.now.seconds);
        }
    }

    /// True once the time of the run is over.
    pub(super) fn is_late(&self, now: Now) -> bool {
        self.settings.max_time.is_some_and(|most| now.elapsed >= most)
    }

    /// Notes what ended the reading of documents, if anything did.
    pub(super) fn note_end(&mut self, is_late: bool) {
        if is_late {
            self.record.limited(Limit::Time);
        }
        self.record.facts.interrupted |= self.now.is_cancelled;
    }

    pub(super) fn place_of(&self, stored: &StoredResource) -> String {
        stored.path.clone().or_else(|| self.places.of(&stored.uri)).unwrap_or_default()
    }

    /// The file of a stored resource, compared with its record.
    pub(super) fn compare<L: Ledger, F: Files<L>>(
        &self,
        stored: &StoredResource,
        ledger: &L,
        files: &mut F,
    ) -> Result<Local, L::Error> {
        let local = files.compare(&self.place_of(stored), stored)?;
        let is_acknowledged =
            local == Local::Missing && self.settings.until_acknowledged && ledger.is_acknowledged(&stored.uri)?;
        Ok(if is_acknowledged { Local::Intact } else { local })
    }

    /// Passes over what is not selected: it is not fetched, and what is stored of it is not deleted.
    pub(super) fn skip<L: Ledger>(&mut self, resource: &ListedResource, ledger: &L) -> Result<(), L::Error> {
        self.record.counts.skipped = self.record.counts.skipped.saturating_add(1);
        if let Some(stored) = ledger.find(&resource.uri)? {
            self.compared.listed.insert(stored.id);
        }
        Ok(())
    }
}
