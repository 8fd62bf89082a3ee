//! Converts the plan to tasks: first the description of the repository, then the lists.

use alloc::{sync::Arc, vec::Vec};

use super::{
    Harvest, Moment,
    answer::Answered,
    plan::{Goal, Reconcile},
    proof::Facts,
    state::{List, Queued, Sequence, Stage, Unit},
    task::{Purpose, Task},
    why::Why,
};
use crate::{
    catalogue::Code,
    note::Note,
    page::{DeletedRecord, Ending},
    request::Verb,
    rules,
    stamp::{Granularity, Stamp},
};

const DAY: u64 = 86_400;

impl Harvest {
    /// The tasks before any list.
    pub(super) fn open_repository(&mut self) {
        match &self.plan.goal {
            Goal::Get(_) | Goal::List(Verb::ListSets | Verb::ListMetadataFormats) => {}
            _ => self.queue(Task::new(Purpose::Identify, Verb::Identify)),
        }
        let is_first = self.plan.starts.is_empty();
        let wants_formats = match &self.plan.goal {
            Goal::Harvest => is_first || self.plan.all_formats || self.plan.has_open_choice(),
            Goal::Identify => true,
            _ => false,
        };
        if wants_formats {
            self.queue(Task::new(Purpose::Formats, Verb::ListMetadataFormats));
        }
        let wants_sets = match &self.plan.goal {
            Goal::Harvest => (is_first && !self.plan.sets.is_empty()) || self.plan.all_formats,
            Goal::Identify => true,
            _ => false,
        };
        if wants_sets {
            self.queue(Task::new(Purpose::Sets, Verb::ListSets));
        }
    }

    pub(super) fn queue(&mut self, task: Task) {
        self.state.queue.push_back(Queued { task, by: None });
    }

    /// Starts the next task. False if there is none, or if the driver is asked first what is owed.
    pub(super) fn next_task(&mut self, now: Moment) -> bool {
        loop {
            if let Some(task) = self.take_queued() {
                self.begin(task);
                return true;
            }
            match self.state.stage {
                Stage::Opening => {
                    self.state.stage = Stage::Listing;
                    self.queue_lists();
                }
                Stage::Listing => {
                    self.state.stage = Stage::Reconciling;
                    self.queue_reconciliation(now);
                }
                Stage::Reconciling if self.plan.goal == Goal::Harvest => {
                    self.state.stage = Stage::Settling;
                    self.state.asks_owed = true;
                    return false;
                }
                Stage::Settling if self.state.owed_requests > 0 => {
                    self.state.stage = Stage::Tallying;
                    self.state.asks_owed = true;
                    return false;
                }
                Stage::Reconciling | Stage::Settling | Stage::Tallying => self.state.stage = Stage::Over,
                Stage::Over => return false,
            }
        }
    }

    pub(super) fn begin(&mut self, task: Task) {
        let number = self.state.begun;
        self.state.begun = number.saturating_add(1);
        self.state.current = Some(Sequence::new(number, task));
        self.forget_list();
    }

    /// Resets the state of a list at its start.
    pub(super) fn forget_list(&mut self) {
        self.seen.clear();
        self.tokens.clear();
        self.contents.clear();
        self.pages.clear();
    }

    /// The requested lists.
    fn queue_lists(&mut self) {
        match self.plan.goal.clone() {
            Goal::Identify => {}
            Goal::List(verb @ (Verb::ListSets | Verb::ListMetadataFormats)) => {
                self.queue(Task::new(Purpose::Harvest, verb));
            }
            Goal::List(verb) => self.queue_selections(verb),
            Goal::Harvest => self.queue_selections(Verb::ListRecords),
            Goal::Get(identifiers) => {
                for prefix in self.plan.resolved(&self.state.formats) {
                    for identifier in &identifiers {
                        self.queue(Task::get(Purpose::Harvest, &prefix, identifier));
                    }
                }
            }
        }
    }

    fn queue_selections(&mut self, verb: Verb) {
        let offered = self.state.formats.clone();
        let prefixes = if self.plan.all_formats { offered } else { self.plan.resolved(&offered) };
        let granularity = self.state.sendable();
        for prefix in prefixes {
            for set in self.plan.selections() {
                let mut task = Task::list(Purpose::Harvest, verb, &prefix, set.as_deref());
                let start = self.plan.start(&prefix, set.as_deref()).map(|start| start.from);
                let to = |stamp: Stamp| stamp.to(granularity);
                task.from = start.map(to).or(self.wanted(self.plan.since));
                task.until = self.wanted(self.plan.until);
                self.state.lists.push(List {
                    prefix: prefix.clone(),
                    set,
                    failed: false,
                    unusable: false,
                    reconciled: false,
                    lacking: 0,
                    has_unnamed: false,
                    first_response: None,
                    first_ms: 0,
                    latest: None,
                    is_set_back: false,
                });
                self.queue_by_windows(task);
            }
        }
    }

    /// Queues a list, in the intervals that were requested.
    pub(super) fn queue_by_windows(&mut self, mut task: Task) {
        align(&mut task);
        let by = match (Unit::of(self.plan.window), self.state.sendable()) {
            (Some(Unit::Hour), Granularity::Day) => Some(Unit::Day),
            (by, _) => by,
        };
        self.state.queue.push_back(Queued { task, by });
    }

    /// A requested day stays a day, regardless of the granularity of the repository.
    pub(super) fn wanted(&self, stamp: Option<Stamp>) -> Option<Stamp> {
        stamp.map(|stamp| match stamp.granularity() {
            Granularity::Day => stamp,
            Granularity::Second => stamp.to(self.state.sendable()),
        })
    }

    /// Compares what is held with what is listed, for each list for which that is due.
    fn queue_reconciliation(&mut self, now: Moment) {
        let is_never = self.plan.reconcile == Reconcile::Never;
        if self.plan.goal != Goal::Harvest || is_never {
            return;
        }
        let lists: Vec<_> = self.state.lists.iter().filter(|list| !list.failed && self.is_due(list, now)).collect();
        let (since, until) = (self.wanted(self.plan.since), self.wanted(self.plan.until));
        let tasks: Vec<_> = lists
            .into_iter()
            .map(|list| {
                let list = Task::list(Purpose::Reconcile, Verb::ListIdentifiers, &list.prefix, list.set.as_deref());
                let mut task = Task { from: since, until, ..list };
                align(&mut task);
                task
            })
            .collect();
        tasks.into_iter().for_each(|task| self.queue(task));
    }

    fn is_due(&self, list: &List, now: Moment) -> bool {
        // Everything else was just delivered from its start; a run that did not end may have stored what is gone since.
        let Some(start) = self.plan.start(&list.prefix, list.set.as_deref()) else {
            return self.plan.reconcile == Reconcile::Now;
        };
        let Some(last) = start.reconciled else { return true };
        let deletions = self.state.facts.as_ref().and_then(|facts| facts.deleted_record);
        let every = match (self.plan.reconcile, deletions) {
            (Reconcile::Never, _) | (Reconcile::Auto, Some(DeletedRecord::Persistent)) => return false,
            (Reconcile::Now, _) => 0,
            (Reconcile::Every(seconds), _) => seconds,
            (Reconcile::Auto, Some(DeletedRecord::Transient)) => 30_u64.saturating_mul(DAY),
            (Reconcile::Auto, _) => 7_u64.saturating_mul(DAY),
        };
        // A time in the future is that of a clock that was wrong.
        last > now || now.since(last) >= every.saturating_mul(1000)
    }

    /// Handles the description of the repository.
    pub(super) fn identified(&mut self, answered: &Answered) {
        let Some(identify) = &answered.identify else { return };
        let date = answered.page.response_date.as_ref().and_then(|date| date.stamp).map(Stamp::unix);
        let sha256 = match &answered.ending {
            Some(Ending::Whole { sha256, .. }) => *sha256,
            _ => [0; 32],
        };
        for note in rules::identify(identify, Some(&self.plan.base_url)) {
            self.note(note);
        }
        self.state.facts = Some(Facts::new(identify, sha256, date));
    }

    /// Handles the formats.
    pub(super) fn formats(&mut self, answered: &Answered) {
        let offered: Vec<_> = answered.formats.iter().filter_map(|format| format.prefix.clone()).collect();
        if !offered.iter().any(|prefix| prefix == "oai_dc") {
            self.note(Note::new(Code::OAI_40));
        }
        if self.plan.goal == Goal::Harvest && !self.plan.all_formats {
            let missing: Vec<_> =
                self.plan.resolved(&offered).into_iter().filter(|prefix| !offered.contains(prefix)).collect();
            if !missing.is_empty() {
                let why = Why::NotOffered(missing.join(", "), offered.join(", "));
                self.incomplete(why.note(Code::OAI_69));
                self.give_up_all();
            }
        }
        self.state.formats = offered;
    }

    /// Handles the sets.
    pub(super) fn sets_listed(&mut self) {
        let covers = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        for set in self.plan.sets.clone() {
            if !self.listed_sets.iter().any(|own| covers(own, &set) || covers(&set, own)) {
                self.note(Note::new(Code::OAI_35).arg("set", set));
            }
        }
        let listed = core::mem::take(&mut self.listed_sets);
        // A copy of everything reads the sets from the headers: they are to be the same.
        if self.plan.all_formats && !listed.is_empty() {
            self.known_sets = Some(Arc::new(listed.into_iter().collect()));
        }
    }

    pub(super) fn note(&mut self, note: Note) {
        self.state.notes.add(&note);
    }

    /// A note that decides whether the harvest is complete.
    pub(super) fn reason(&mut self, note: Note) {
        self.state.reasons.add(&note);
    }
}

/// `from` and `until` are sent in one granularity (OAI-PMH 2.0 §2.7.1).
fn align(task: &mut Task) {
    let (Some(from), Some(until)) = (task.from, task.until) else { return };
    if from.granularity() == until.granularity() {
        return;
    }
    if from.granularity() == Granularity::Day {
        task.from = Some(Stamp::from_unix(from.unix(), Granularity::Second));
    } else {
        task.until = Some(Stamp::from_unix(until.last_second(), Granularity::Second));
    }
}
